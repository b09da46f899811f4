"""A genuine MINDIR file as a graph that ``nn.GraphCell`` runs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.errors import GraphError
from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.export.runnable_graph import RunnableGraph, Weight, described, fitting
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.refusals import refused
from mindspore.train._mindir import attributes
from mindspore.train._mindir.program import Program
from mindspore.train._mindir.run import Run
from mindspore.train.mind_ir_pb2 import AttributeProto, ModelProto

Opened = Callable[[str], bytes]  # the contents of another file, decrypted
_PRODUCER = b"MindSpore"
UNTRAINED = "parameters that are not trained"  # a key among the notes of a file


def is_genuine(data: bytes | memoryview) -> bool:
    """Whether a file begins like one of MindSpore's: its version, then its producer."""
    return bytes(data[:1]) == b"\x0a" and _PRODUCER in bytes(data[:64])


class MindIRGraph(RunnableGraph):
    """The graph of a file: its inputs, its Parameters, and the program that runs it."""

    def __init__(self, model: Any, external: attributes.External | None = None):
        self.program = Program(model)
        self.name = _title(model.graph.name)
        self.model = model
        self.inputs = [_form(one, model.graph.name) for one in model.graph.input]
        untrained = _untrained(model)
        self.weights = [_weight(one, model.graph.name, external, untrained) for one in model.graph.parameter]
        self.results = [_form(one, model.graph.name) for one in model.graph.output]

    def __call__(self, state: Sequence[Tensor], args: tuple) -> Any:
        """Run with these Parameters, which the graph may change."""
        if len(args) != len(self.inputs):
            takes = ", ".join(f"{form['name']}: {_shown(form)}" for form in self.inputs)
            raise refused(
                ValueError,
                f"For 'GraphCell', the inputs of {self.name} must be ({takes}), but got {len(args)} inputs: "
                f"{', '.join(type(a).__name__ for a in args)}.",
            )
        sizes: dict[str, int] = {}
        given = [self._checked(value, form, sizes) for value, form in zip(args, self.inputs)]
        return Run(self.program).call(self.program.main, (*given, *state))

    def _checked(self, value: Any, form: dict[str, Any], sizes: dict[str, int]) -> Any:
        return value if "dtype" not in form else fitting(value, form, sizes, self.name)


def _shown(form: dict[str, Any]) -> str:
    return described(form) if "dtype" in form else form["kind"]


def _form(info: Any, graph: str) -> dict[str, Any]:
    """Name, sizes and dtype of an input or result; the kind where it is no tensor."""
    name = info.name.removeprefix(f"{graph}:")
    if len(info.tensor) != 1:
        kinds = {AttributeProto.TUPLE: "tuple", AttributeProto.LIST: "list", AttributeProto.DICT: "dict"}
        return {"name": name, "kind": kinds.get(info.attr_info.type, "number")}
    tensor = info.tensor[0]
    sizes = [f"{name}_{axis}" if size < 0 else size for axis, size in enumerate(attributes.shape_of(tensor))]
    return {"name": name, "shape": sizes, "dtype": attributes.dtype_of(tensor).name}


def _title(name: str) -> str:
    """The name of a network: ``36_1___main___Gate_construct_19`` is that of ``Gate``."""
    return re.sub(r"^\d+_\d+_", "", re.sub(r"_construct(_\d+)?$", "", name))


def _untrained(model: Any) -> frozenset[str]:
    """Parameters that no optimizer changes: noted in files from here; in others, those of batch statistics."""
    if UNTRAINED in model.user_info:
        return frozenset(json.loads(model.user_info[UNTRAINED]))
    names = [one.ref_key for one in model.graph.parameter]
    return frozenset(name for name in names if name.endswith(("moving_mean", "moving_variance")))


def _weight(tensor: Any, graph: str, external: attributes.External | None, untrained: frozenset[str]) -> Weight:
    name = tensor.ref_key or tensor.name.removeprefix(f"{graph}:")
    return Weight(name, "parameter", name not in untrained, attributes.array_of(tensor, external))


def from_bytes(data: Any, path: str, opened: Opened) -> MindIRGraph:
    """The graph of a file; ``opened`` reads the files with its Parameters, where it has them apart."""
    folder = os.path.dirname(path)
    files: dict[str, bytes] = {}

    def external(tensor: Any, count: int) -> Any:
        stored = tensor.external_data
        location = os.path.normpath(stored.location)
        if os.path.isabs(location) or location.startswith("..") or not stored.location:
            raise GraphFileError(
                f"the Parameter '{tensor.name}' is stored in '{stored.location}', which is not in the folder of the file"
            )
        if location not in files:
            if not os.path.isfile(os.path.join(folder, location)):
                raise GraphFileError(f"the Parameter '{tensor.name}' is stored in '{location}', which does not exist")
            files[location] = opened(os.path.join(folder, location))
        start, length = stored.offset, stored.length
        if start < 0 or length != count or start + length > len(files[location]):
            raise GraphFileError(
                f"the Parameter '{tensor.name}' must have {count} bytes, but has those from {start} to {start + length} of "
                f"'{location}', which has {len(files[location])}"
            )
        return memoryview(files[location])[start : start + length]

    try:
        return MindIRGraph(ModelProto.FromString(data), external)
    except (GraphFileError, OSError):
        raise
    except RecursionError:
        raise GraphFileError("its messages are nested too deep") from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, GraphError) as error:
        raise GraphFileError(f"its contents are not understood ({type(error).__name__}: {error!s:.200})") from None
