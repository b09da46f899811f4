"""An ONNX file as a graph that ``nn.GraphCell`` runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from mindspore._engine.base.errors import GraphError
from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.export.onnx.model import PARAMETERS
from mindspore._engine.export.runnable_graph import RunnableGraph, Weight, described, fitting
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx import tensors
from mindspore.train._onnx.messages import ModelProto
from mindspore.train._onnx.program import OnnxProgram
from mindspore.train._onnx.run import OnnxRun

_NO_NAMES = ("", "?", "None", "-1")  # sizes that some exporters name alike though they may differ


class OnnxGraph(RunnableGraph):
    """The graph of a file: its inputs, its weights, and the program that runs it."""

    def __init__(self, model: Any, external: tensors.External | None = None):
        notes = _noted(model)
        self.program = OnnxProgram(model, external, None if notes is None else {*notes})
        self.name = model.graph.name or "graph"
        self.opset = self.program.opsets[""]
        infos = {info.name: info for info in model.graph.input}
        self.inputs = [_form(infos[name]) for name in self.program.main.inputs]
        self.results = [_form(info) for info in model.graph.output]
        trained = notes or {}
        untrained = self.program.untrained | {name for name, is_trained in trained.items() if not is_trained}
        self.weights = [
            Weight(name, "parameter", name not in untrained and array.dtype.kind not in "iub", array)
            for name, array in self.program.initializers.items() if name not in self.program.constants
        ]  # fmt: skip

    def __call__(self, state: Sequence[Tensor], args: tuple) -> Any:
        """Run with these Parameters."""
        if len(args) != len(self.inputs):
            takes = ", ".join(f"{form['name']}: {_shown(form)}" for form in self.inputs)
            raise ValueError(
                f"For 'GraphCell', the inputs of {self.name} must be ({takes}), but got {len(args)} inputs: "
                f"{', '.join(type(a).__name__ for a in args)}."
            )
        sizes: dict[str, int] = {}
        values: dict[str, Any] = {weight.name: value for weight, value in zip(self.weights, state, strict=True)}
        for value, form in zip(args, self.inputs):
            values[form["name"]] = fitting(value, form, sizes, self.name) if "shape" in form else value
        results = OnnxRun(self.program).main(values)
        return results[0] if len(results) == 1 else tuple(results)


def _shown(form: dict[str, Any]) -> str:
    return described(form) if "shape" in form else form["kind"]


def _form(info: Any) -> dict[str, Any]:
    """Name, sizes and dtype of an input or result; the kind where it is no tensor, or one of any shape."""
    name, kind = info.name, info.type
    if kind.HasField("sequence_type") or kind.HasField("optional_type"):
        return {"name": name, "kind": "list" if kind.HasField("sequence_type") else "optional"}
    dtype = tensors.dtype_of(kind.tensor_type.elem_type or 1, name).name
    if "shape" not in kind.tensor_type.__dict__:  # a tensor of any rank; no axes at all are a scalar
        return {"name": name, "kind": "Tensor", "dtype": dtype}
    sizes = []
    for axis, dim in enumerate(kind.tensor_type.shape.dim):
        symbol = dim.dim_param if dim.dim_param not in _NO_NAMES else f"{name}_{axis}"
        sizes.append(dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else symbol)
    return {"name": name, "shape": sizes, "dtype": dtype}


def _noted(model: Any) -> dict[str, bool] | None:
    """The Parameters of a file from here, and whether they are trained; None for other files."""
    notes = {one.key: one.value for one in model.metadata_props}
    found = json.loads(notes[PARAMETERS]) if PARAMETERS in notes else None
    return found if isinstance(found, dict) else None


def from_bytes(data: Any, path: str) -> OnnxGraph:
    """The graph of a file; weights may stand in other files beside it."""
    try:
        return OnnxGraph(ModelProto.FromString(data), _External(os.path.dirname(path)))
    except (GraphFileError, OSError):
        raise
    except RecursionError:
        raise GraphFileError("its messages are nested too deep") from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, GraphError) as error:
        raise GraphFileError(f"its contents are not understood ({type(error).__name__}: {error!s:.200})") from None


class _External:
    """Reads weights from files in the folder of the model, and from nowhere else."""

    def __init__(self, folder: str):
        self.folder = os.path.realpath(folder)

    def __call__(self, tensor: Any, expected: int) -> bytes:
        external = {one.key: one.value for one in tensor.external_data}
        path, location = self._path(tensor, external), external.get("location")
        start, length = (
            _count(tensor, external.get(key, default), key)
            for key, default in (("offset", "0"), ("length", str(expected)))
        )
        size = os.path.getsize(path)
        if length != expected or start + length > size:
            raise GraphFileError(
                f"the tensor '{tensor.name}' must have {expected} bytes, but has those from {start} to {start + length} of "
                f"'{location}', which has {size}"
            )
        with open(path, "rb") as stream:
            stream.seek(start)
            return stream.read(length)

    def _path(self, tensor: Any, external: dict[str, str]) -> str:
        location = external.get("location", "")
        path = os.path.realpath(os.path.join(self.folder, location))  # links are followed before the folder is compared
        if (
            not location
            or os.path.isabs(location)
            or os.path.commonpath([path, self.folder]) != self.folder
            or "\0" in location
        ):
            raise GraphFileError(
                f"the tensor '{tensor.name}' is stored in '{location}', which is not in the folder of the file"
            )
        if not os.path.isfile(path):
            raise GraphFileError(f"the tensor '{tensor.name}' is stored in '{location}', which does not exist")
        return path


def _count(tensor: Any, text: str, key: str) -> int:
    if not text.isdecimal():
        raise GraphFileError(f"the tensor '{tensor.name}' has the {key} {text!r}, which is no number of bytes")
    return int(text)
