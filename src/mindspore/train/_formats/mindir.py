"""MINDIR files as MindSpore itself writes them: read and written as messages, not run."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from mindspore._engine.export import export_file
from mindspore._utils.checks import shown
from mindspore._utils.files import atomic_file
from mindspore._utils.refusals import refused
from mindspore.train.mind_ir_pb2 import ModelProto

__all__ = ["export_split_mindir", "load_mindir", "save_mindir"]


def load_mindir(file_name: str) -> Any:
    """Read a MINDIR file of MindSpore as a message; networks exported here are read with :func:`mindspore.load`.

    Args:
        file_name: the '.mindir' file.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.mind_ir_pb2 import ModelProto
        >>> path = os.path.join(tempfile.mkdtemp(), "net.mindir")
        >>> model = ModelProto(producer_name="MindSpore")
        >>> model.user_info["version"] = "1"
        >>> ms.save_mindir(model, path)
        >>> ms.load_mindir(path).user_info["version"]
        '1'
    """
    with open(_path("load_mindir", file_name), "rb") as stream:
        data = stream.read()
    if data.startswith(export_file.MAGIC):
        raise refused(
            ValueError,
            f"For 'load_mindir', the file {file_name!r} must be one that MindSpore wrote, but it was exported here: it is no "
            "message. Read it with mindspore.load, and run it with nn.GraphCell.",
        )
    try:
        return ModelProto.FromString(data)
    except ValueError as error:
        raise refused(
            ValueError, f"For 'load_mindir', the file {file_name!r} must be a graph of MindSpore, but {error}"
        ) from None


def save_mindir(model: Any, file_name: str) -> None:
    """Write a message that :func:`load_mindir` read.

    Args:
        model: the ModelProto.
        file_name: where to write; '.mindir' is added where it is missing.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.mindir")
        >>> _ = ms.export(nn.ReLU(), Tensor([1.0]), file_name=path, file_format="MINDIR")
        >>> graph = ms.load_mindir(path)
        >>> ms.save_mindir(graph, path)
        >>> os.path.exists(path)
        True
    """
    if not isinstance(model, ModelProto):
        raise refused(TypeError, f"For 'save_mindir', the argument 'model' must be ModelProto, but got {shown(model)}.")
    if not isinstance(file_name, str):
        raise refused(
            ValueError, f"For 'save_mindir', the 'file_name' must be of type str, but got {shown(file_name)}."
        )
    path = os.path.abspath(file_name if file_name.endswith(".mindir") else f"{file_name}.mindir")
    atomic_file.write(path, [model.SerializeToString()])


def export_split_mindir(
    file_name: str, device_num: int = 8, rank_id: int = 0, dynamic: bool = True, sapp: bool = True
) -> NoReturn:
    """Cuts a file into one for every device, which networks here are not: it says so when called.

    Args:
        file_name: the '.mindir' file.
        device_num, rank_id, dynamic, sapp: how to cut it.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.mindir")
        >>> _ = ms.export(nn.ReLU(), Tensor([1.0]), file_name=path, file_format="MINDIR")
        >>> try:
        ...     ms.export_split_mindir(path)
        ... except RuntimeError as error:
        ...     print(type(error).__name__)
        RuntimeError
    """
    _path("export_split_mindir", file_name)
    raise RuntimeError(
        "For 'export_split_mindir', files are not split for devices: export the network (mindspore.export) and let "
        "mindspore.set_auto_parallel_context shard it."
    )


def _path(owner: str, file_name: Any) -> str:
    if not isinstance(file_name, str):
        raise refused(ValueError, f"For '{owner}', the 'file_name' must be of type str, but got {shown(file_name)}.")
    path = os.path.abspath(file_name)
    if not os.path.isfile(path):
        raise refused(ValueError, f"For '{owner}', the argument 'file_name'(MindIR file) does not exist: {path}.")
    return path
