"""Saving a computation: ``export`` writes what a network computes to a file, ``load`` reads it back."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

from mindspore._engine.base.errors import GraphError
from mindspore._engine.export import export_file, export_trace
from mindspore._engine.export import stablehlo as graph_export
from mindspore._engine.export.mindir import marked_calls
from mindspore._engine.export.mindir.model import NoPrimitive, primitive_graph
from mindspore._engine.export.onnx import to_onnx
from mindspore._engine.export.runnable_graph import RunnableGraph
from mindspore._engine.graph.jit import BoundJitFunction, JitFunction
from mindspore._kernels.primitive import portable
from mindspore._utils.checks import shown
from mindspore._utils.deferred import deferred
from mindspore._utils.files import atomic_file, encryption
from mindspore._utils.refusals import refused, several
from mindspore.nn.cell import Cell
from mindspore.nn.cell.arguments import signature_of
from mindspore.train._formats import onnx_options

__all__ = ["export", "load"]

_mindir = deferred("mindspore.train._mindir.loaded")  # loaded with the first file
_onnx = deferred("mindspore.train._onnx.loaded")
_writing = deferred("mindspore.train._mindir.writing")

_FORMATS = ("AIR", "ONNX", "MINDIR", "STABLEHLO")
_SUFFIXES = {"ONNX": ".onnx", "MINDIR": ".mindir", "STABLEHLO": ".mindir"}
_OPTIONS = (
    "quant_mode",
    "mean",
    "std_dev",
    "enc_key",
    "enc_mode",
    "dataset",
    "obf_config",
    "custom_func",
    "incremental",
)


def export(net: Any, *inputs: Any, file_name: str, file_format: str = "AIR", **kwargs: Any) -> None:
    """Write what a network computes, with its weights, to a file that runs without the network's code.

    The network is written as it is set now: call ``net.set_train(False)`` first to export it for inference. A MINDIR file is a
    graph of MindSpore's primitives, which MindSpore runs too. Exported with ``set_train()`` on, a STABLEHLO file has the gradient,
    and can be trained further.

    Args:
        net: a Cell, or a function under ``jit``.
        inputs: what the network would be called with; values do not matter. A Tensor made with ``None`` in its shape,
            ``Tensor(shape=[None, 3, 32, 32], dtype=mindspore.float32)``, leaves that size open.
        file_name: where to write; '.mindir' or '.onnx' is added where it is missing.
        file_format: 'MINDIR' for :func:`load` and for MindSpore, 'STABLEHLO' for :func:`load` alone and for any operator, or
            'ONNX'. 'AIR' exists on Ascend hardware only.
        kwargs: ``enc_key`` and ``enc_mode`` ('AES-GCM', 'AES-CBC', 'SM4-CBC', or a function of contents and key that returns the
            contents to write) encrypt a MINDIR or STABLEHLO file. ``custom_func`` is called with
            the ONNX model before it is written. Of ONNX alone: ``opset`` (or ``opset_version``), 15 to 23, 18 unless given;
            ``input_names`` and ``output_names``, lists; ``dynamic_axes``, ``{input: {axis: name}}`` or ``{input: [axes]}``, which
            leaves sizes open by name. Options of other back ends are accepted.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> from mindspore.train._formats.export import export, load
        >>> path = os.path.join(tempfile.mkdtemp(), "dense.mindir")
        >>> export(nn.Dense(3, 2), Tensor([[1.0, 2.0, 3.0]]), file_name=path, file_format="MINDIR")
        >>> load(path).inputs
        [{'name': 'x', 'shape': [1, 3], 'dtype': 'float32'}]
    """
    file_format = _checked_format(file_format)
    path = _checked_path(file_name, _SUFFIXES[file_format])
    _check_options(file_format, kwargs)
    inputs = _from_dataset(inputs)
    if file_format == "MINDIR":
        _write_mindir(net, inputs, path, kwargs)
        return
    if file_format == "ONNX":
        data = _as_onnx(net, inputs, kwargs)
    else:
        graph = _traced(net, inputs)
        data = graph_export.to_bytes(graph, _input_names(net, graph), trains=isinstance(net, Cell) and net.training)
    data = _locked(data, kwargs.get("enc_key"), kwargs.get("enc_mode") or "AES-GCM")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    atomic_file.write(path, [data])


def _as_onnx(net: Any, inputs: tuple, options: dict[str, Any]) -> bytes:
    """A network as the contents of an ONNX file."""
    opset = onnx_options.opset_of(options)
    outputs = options.get("output_names")
    if options.get("dynamic_axes"):
        arguments = onnx_options.names_of(options, "input_names", _names_of_arguments(net, len(inputs)))
        axes = onnx_options.open_axes(options, arguments, outputs)
        inputs = tuple(onnx_options.opened(x, axes.get(name, {}), name) for x, name in zip(inputs, arguments))
    graph = _traced(net, inputs)
    names = onnx_options.names_of(options, "input_names", _input_names(net, graph))
    symbols = onnx_options.symbols_of(graph.input_avals, names, onnx_options.open_axes(options, names, outputs))
    return to_onnx(graph, names, options.get("custom_func"), opset=opset, output_names=outputs, symbols=symbols)


def _write_mindir(net: Any, inputs: tuple, path: str, options: dict[str, Any]) -> None:
    """Write a network as MindSpore does: a graph of its primitives."""
    with marked_calls.marked() as calls, portable():
        graph = _traced(net, inputs)
    try:
        made = primitive_graph(graph, calls, _argument_names(net, graph))
    except NoPrimitive as error:
        raise refused(
            ValueError,
            f"For 'export', these parts of {graph.owner.name} have no primitive of MindSpore:\n{error}\nWhat to write instead: "
            "file_format='STABLEHLO', a file of our own that holds any operator and is read by mindspore.load.",
        ) from None
    key, mode = options.get("enc_key"), options.get("enc_mode") or "AES-GCM"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for name, chunks in _writing.files_of(made, os.path.basename(path).removesuffix(".mindir")).items():
        target = os.path.join(os.path.dirname(path), name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        atomic_file.write(target, [_locked(chunk, key, mode) for chunk in chunks])


def load(file_name: str, **kwargs: Any) -> RunnableGraph:
    """Read a graph that :func:`export`, or MindSpore itself, wrote, or one of ONNX; run it with :class:`mindspore.nn.GraphCell`.

    Args:
        file_name: the '.mindir' or '.onnx' file. The operators of ONNX that are read: docs/onnx.md.
        kwargs: ``dec_key`` and ``dec_mode`` ('AES-GCM', 'AES-CBC', 'SM4-CBC', or a function of path and key that returns the contents)
            open an encrypted file. Options of other back ends are accepted.

    Examples:
        >>> import os, tempfile
        >>> from mindspore import Tensor, nn
        >>> from mindspore.train._formats.export import export, load
        >>> path = os.path.join(tempfile.mkdtemp(), "relu.mindir")
        >>> export(nn.ReLU(), Tensor([1.0]), file_name=path, file_format="MINDIR")
        >>> print(nn.graph_cell.GraphCell(load(path))(Tensor([-2.0])))
        [0.]
    """
    if not isinstance(file_name, str):
        raise refused(ValueError, f"For 'load', the argument 'file_name' must be string, but got {type(file_name)}.")
    if not file_name.endswith((".mindir", ".onnx")):
        raise refused(
            ValueError,
            f"For 'load', the argument 'file_name'(MindIR file) should end with '.mindir' or '.onnx', but got {file_name!r}.",
        )
    path = os.path.abspath(file_name)
    if not os.path.isfile(path):
        raise refused(ValueError, f"For 'load', the argument 'file_name'(MindIR file) does not exist: {path}.")
    key, mode = kwargs.get("dec_key"), kwargs.get("dec_mode") or "AES-GCM"
    if key is not None and not callable(mode):
        encryption.check_key("load", "dec", key, mode)
    data = _contents(path)
    try:
        content = _opened(path, data, key, mode)
        if file_name.endswith(".onnx"):
            return _onnx.from_bytes(content, path)
        if _mindir.is_genuine(content):
            return _mindir.from_bytes(content, path, lambda other: _opened(other, _contents(other), key, mode))
        return graph_export.from_bytes(content)
    except export_file.GraphFileError as error:
        raise refused(ValueError, f"For 'load', the file {path} cannot be read: {error}.") from None


def _contents(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _locked(data: bytes, key: bytes | None, mode: Any) -> Any:
    """The contents of a file, encrypted where a key is given."""
    if key is None:
        return data
    return mode(data, key) if callable(mode) else b"".join(encryption.encrypted([data], key, mode))


def _opened(path: str, data: bytes, key: bytes | None, mode: Any) -> Any:
    """The contents of a file, decrypted where it is encrypted."""
    if callable(mode):
        return mode(path, key)
    if not encryption.is_encrypted(memoryview(data)):
        return data
    if key is None:
        raise RuntimeError(
            f"For 'load', the file {path} is encrypted. Give 'dec_key', and 'dec_mode' as when exported."
        )
    try:
        return bytes(encryption.decrypted(memoryview(data), key, mode))
    except encryption.WrongKey as error:
        raise RuntimeError(f"For 'load', the file {path} cannot be decrypted: {error}.") from None


def _checked_format(file_format: Any) -> str:
    if file_format not in (*_FORMATS, "GEIR"):
        raise refused(
            ValueError, f"For 'export', 'file_format' must be one of {list(_FORMATS)}, but got {file_format!r}."
        )
    if file_format in ("AIR", "GEIR"):
        raise refused(
            ValueError,
            f"For 'export', the file_format {file_format!r} is a program for Ascend hardware, written by its own compiler, which "
            "does not exist here. Use file_format='MINDIR' to run the network with mindspore.load, or 'ONNX' for other "
            "runtimes.",
        )
    return file_format


def _checked_path(file_name: Any, suffix: str) -> str:
    if not isinstance(file_name, str):
        raise refused(TypeError, f"For 'export', the 'file_name' must be string, but got {shown(file_name)}.")
    if not file_name:
        raise refused(ValueError, "For 'export', the 'file_name' must not be empty.")
    if file_name.endswith(("/", os.sep)):
        raise refused(ValueError, f"For 'export', the 'file_name' cannot be a directory path, but got {file_name!r}.")
    return os.path.abspath(file_name if file_name.lower().endswith(suffix) else file_name + suffix)


def _check_options(file_format: str, options: dict[str, Any]) -> None:
    allowed = (*_OPTIONS, *onnx_options.NAMES) if file_format == "ONNX" else _OPTIONS
    unknown = [name for name in options if name not in allowed]
    if unknown:
        of_onnx = " 'opset', 'dynamic_axes' and names are of ONNX files." if {*unknown} & {*onnx_options.NAMES} else ""
        raise refused(
            TypeError, f"For 'export', the options must be among {list(allowed)}, but got {unknown}.{of_onnx}"
        )
    if options.get("enc_key") is not None and not callable(options.get("enc_mode")):
        if file_format not in ("MINDIR", "STABLEHLO"):
            raise refused(
                ValueError, f"For 'export', only MINDIR files can be encrypted ('enc_key'), but got {file_format!r}."
            )
        encryption.check_key("export", "enc", options["enc_key"], options.get("enc_mode") or "AES-GCM")


def _from_dataset(inputs: tuple) -> tuple:
    """The inputs; a dataset stands for a row of it."""
    if len(inputs) == 1 and hasattr(inputs[0], "create_tuple_iterator"):
        return tuple(next(iter(inputs[0].create_tuple_iterator(num_epochs=1))))
    return inputs


def _traced(net: Any, inputs: tuple) -> export_trace.TracedGraph:
    """The computation of a Cell or function on these inputs."""
    if isinstance(net, Cell):
        net._prepare_first_call()
        signature_of(net).check(inputs, {}, type(net).__name__)
        try:
            return export_trace.trace(net._cell_run, (net,), type(net).__name__, inputs)
        except GraphError:
            if not net._settle_numbers():
                raise
        return export_trace.trace(net._cell_run, (net,), type(net).__name__, inputs)
    function = _plain_function(net)
    return export_trace.trace(function, (function,), getattr(function, "__name__", "function"), inputs)


def _plain_function(net: Any) -> Callable[..., Any]:
    if isinstance(net, JitFunction):
        return net.function
    if isinstance(net, BoundJitFunction):
        return net.__wrapped__
    if not callable(net):
        raise refused(
            several(RuntimeError, TypeError),
            f"For 'export', the 'net' must be a Cell or a function, but got {shown(net)}.",
        )
    return net


def _argument_names(net: Any, graph: export_trace.TracedGraph) -> list[str]:
    """The names of the arguments, numbers where they have none."""
    return _names_of_arguments(net, len(graph.description[1][0][1]))


def _names_of_arguments(net: Any, count: int) -> list[str]:
    function = net.construct if isinstance(net, Cell) else _plain_function(net)
    parameters = list(inspect.signature(function).parameters.values())
    named = [p.name if p.kind is not inspect.Parameter.VAR_POSITIONAL else "" for p in parameters]
    return [named[i] if i < len(named) and named[i] else f"input_{i}" for i in range(count)]


def _input_names(net: Any, graph: export_trace.TracedGraph) -> list[str]:
    """A name for each Tensor among the inputs: that of the argument, numbered where it holds several."""
    names: list[str] = []
    for name, part in zip(_argument_names(net, graph), graph.description[1][0][1], strict=True):
        count = _leaves_in(part)
        names += [name] if part == "*" else [f"{name}_{i}" for i in range(count)]
    return [names[index] for index in graph.inputs]


def _leaves_in(description: Any) -> int:
    if description == "*":
        return 1
    return sum(map(_leaves_in, description[-1]))
