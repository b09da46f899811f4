"""Functions for files that MindSpore had up to 2.9: printed values, checks of checkpoints, from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.export.runnable_graph import dtype_of
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_one_of, check_type
from mindspore._utils.refusals import refused
from mindspore.nn.graph_cell import GraphCell
from mindspore.train._formats import ckpt
from mindspore.train._formats.export import export, load
from mindspore.train.print_pb2 import Print

_CHECKSUM = b"crc_num"
_FREE_SIZE = 1  # what an open size of a graph is while it is converted


def parse_print(print_file_name: str) -> list[Tensor | str]:
    """What ``ops.Print`` wrote into the file that the context key ``print_file_path`` names: texts and Tensors.

    Args:
        print_file_name: the file.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.print_pb2 import Print
        >>> path = os.path.join(tempfile.mkdtemp(), "log.data")
        >>> with open(path, "wb") as file:
        ...     _ = file.write(Print(value=[Print.Value(desc="loss:")]).SerializeToString())
        >>> ms.train.parse_print(path)
        ['loss:']
    """
    check_type("parse_print", "print_file_name", print_file_name, str)
    content = Path(print_file_name).read_bytes()
    if not content:
        raise refused(ValueError, f"For 'parse_print', the file {print_file_name!r} is empty.")
    printed = Print()
    try:
        printed.ParseFromString(content)
        return [value.desc if value.HasField("desc") else _tensor(value.tensor) for value in printed.value]
    except (ValueError, KeyError) as error:
        text = f"For 'parse_print', the file {print_file_name!r} holds no printed values: {error}"
        raise refused(ValueError, text) from error


def _tensor(message: Any) -> Tensor:
    """The Tensor of a message; the type names are those of checkpoints."""
    dtype = dtypes.from_numpy(ckpt.DTYPES[message.tensor_type])
    values = np.frombuffer(message.tensor_content, dtype.np_dtype)
    shape = [size for size in message.dims if size]
    return Tensor(values.reshape(shape), dtype)


def check_checkpoint(ckpt_file_name: str) -> bool:
    """Whether a file whose name ends with ``.ckpt`` is a whole checkpoint; a checksum in it must fit.

    Args:
        ckpt_file_name: the file.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "dense.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> ms.train.check_checkpoint(path)
        True
    """
    check_type("check_checkpoint", "ckpt_file_name", ckpt_file_name, str)
    if not ckpt_file_name.endswith(".ckpt"):
        return False
    content = memoryview(Path(ckpt_file_name).read_bytes())
    try:
        list(ckpt.decode(ckpt.checked(content, content[-17:-10] == _CHECKSUM)))
    except ValueError:
        return False
    return True


def convert_model(mindir_file: str, convert_file: str, file_format: str) -> None:
    """Write the graph of a MINDIR file as an ONNX file; sizes that the graph leaves open become 1.

    Args:
        mindir_file: the file to read.
        convert_file: the file to write.
        file_format: 'ONNX'.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn, ops
        >>> path = os.path.join(tempfile.mkdtemp(), "dense")
        >>> ms.export(nn.Dense(3, 2), ops.ones((4, 3)), file_name=path, file_format="MINDIR")
        >>> ms.train.convert_model(path + ".mindir", path + ".onnx", "ONNX")
        >>> os.path.exists(path + ".onnx")
        True
    """
    check_type("convert_model", "mindir_file", mindir_file, str)
    check_type("convert_model", "convert_file", convert_file, str)
    check_one_of("convert_model", "file_format", file_format, ("ONNX",))
    graph = load(mindir_file)
    inputs = [
        Tensor(np.zeros([size if isinstance(size, int) else _FREE_SIZE for size in form["shape"]], dtype_of(form)))
        for form in graph.inputs
    ]
    export(GraphCell(graph), *inputs, file_name=convert_file, file_format=file_format)
