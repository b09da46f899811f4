"""Every operator with wrong and unusual shapes, axes and arguments: the calls, derived from the registry's own cases.

The first case of a declaration is the base. Each variant changes one thing about it: a dimension becomes 0, 1 or one
longer, an argument loses or gains a dimension, an axis is counted from the end or out of range, an argument has another
type, is left out or misspelt. Real MindSpore is asked by ``sweep_shapes_record.py``, the answers are compared by
``sweep_shapes_compare.py`` and kept by ``sweep_shapes_store.py``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.operator import arguments
from mindspore._engine.operator.registry import Op
from tests.ops.samples import Samples

AXES = frozenset({
    "axis", "dim", "dims", "axes", "axis0", "axis1", "axis2", "dim0", "dim1", "dim2", "start_dim", "end_dim", "source",
    "destination", "perm", "input_perm", "split_dim", "seq_dim", "batch_dim", "begin_norm_axis", "begin_params_axis", "channel_axis", "axisa", "axisb", "axisc",
})  # fmt: skip
WRONG_TYPES: dict[type, tuple[Any, ...]] = {
    arguments.ArrayArgument: ("a", None, [0.5], 2),
    arguments.OperandArgument: ("a", None),
    arguments.ArraysArgument: ("a", None, 2),
    arguments.ListedArgument: ("a", None, 2),
    arguments.AxisArgument: ("a", 1.5, (1.5,)),
    arguments.IntsArgument: ("a", 1.5, (1.5,), None, (-3,)),
    arguments.IntArgument: ("a", 1.5, None),
    arguments.ShapeArgument: ("a", 1.5, (1.5,), None, (-3,)),
    arguments.FloatArgument: ("a", None),
    arguments.BoolArgument: ("a", 1, None),
    arguments.StrArgument: ("a", 3, None),
    arguments.ChoiceArgument: ("a", 3, None),
    arguments.SizesArgument: ("a",),
    arguments.DTypeArgument: ("a", 3),
    arguments.StaticArgument: ("a",),
}


@dataclass(frozen=True)
class Call:
    """One call: of a function ``ops.<name>``, of a class ``P.<name>`` with the constructor's arguments, or of ``code``."""

    form: str
    label: str
    args: tuple = ()
    kwargs: dict[str, Any] | None = None
    init: dict[str, Any] | None = None
    code: str = ""

    @property
    def name(self) -> str:
        return f"{self.form}: {self.label}"

    @property
    def has_gradient(self) -> bool:
        """Gradients are asked for where the shape is the question: the base, empty and 0-d inputs."""
        return not self.code and self.label.startswith(("base", "empty", "0-d"))


class Base:
    """The first case of an operator, in the form of its function or of a Primitive class."""

    def __init__(self, op: Op, form: str, constructor: Sequence[str], order: Sequence[str]):
        case = op.test(Samples(op.name))[0]  # type: ignore[misc]
        given = dict(zip([a.name for a in op.arguments], case.args, strict=False))
        self.given = {
            a.name: plain(value, a)
            for a in op.arguments
            if (value := {**given, **case.kwargs}.get(a.name, MISSING)) is not MISSING
        }
        self.op, self.form, self.constructor, self.order = op, form, constructor, order
        self.arguments = {a.name: a for a in op.arguments if a.name in (*constructor, *order)}

    def call(self, label: str, changed: dict[str, Any] | None = None, *more: Any, **keywords: Any) -> Call:
        """The base with some arguments changed; leading arguments by position, the rest by name."""
        values = {**self.given, **(changed or {})}
        init = {name: values[name] for name in self.constructor if name in values}
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name in self.order:
            if name not in values or values[name] is MISSING:
                continue
            if kwargs or len(args) < self.order.index(name):
                kwargs[name] = values[name]
            else:
                args.append(values[name])
        return Call(
            self.form, label, (*args, *more), {**kwargs, **keywords}, init if self.form.startswith("P.") else None
        )

    def arrays(self) -> dict[tuple[str, int | None], np.ndarray]:
        """The Tensor inputs by argument and, in a list of Tensors, by number."""
        found: dict[tuple[str, int | None], np.ndarray] = {}
        for name, value in self.given.items():
            if isinstance(value, np.ndarray):
                found[name, None] = value
            elif isinstance(value, (tuple, list)):
                found.update({(name, i): one for i, one in enumerate(value[:2]) if isinstance(one, np.ndarray)})
        return found

    def with_arrays(self, label: str, changed: dict[tuple[str, int | None], np.ndarray]) -> Call:
        values: dict[str, Any] = {}
        for (name, number), array in changed.items():
            if number is None:
                values[name] = array
            else:
                items = list(values.get(name, self.given[name]))
                items[number] = array
                values[name] = type(self.given[name])(items)
        return self.call(label, values)


MISSING: Any = inspect.Parameter.empty


def plain(value: Any, argument: Any) -> Any:
    """Arrays stay arrays where a Tensor is meant and become lists where the numbers themselves are."""
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) and not argument.tensor else value


def bases(op: Op) -> Iterator[Base]:
    names = [a.name for a in op.arguments]
    if op.names:
        yield Base(op, f"ops.{op.name}", (), names)
    for primitive in op.primitives[:1]:
        constructor = list(inspect.signature(primitive).parameters)
        order = [names[place] for place in primitive.call_indices]  # type: ignore[attr-defined]
        yield Base(op, f"P.{primitive.__name__}", constructor, order)


def variants(base: Base) -> Iterator[Call]:
    """The base itself, then everything one can do to it; no label twice."""
    seen = set()
    for make in (unchanged, resized, other_ranks, other_axes, wrong_types, wrong_signatures):
        for call in make(base):
            if call.label not in seen:
                seen.add(call.label)
                yield call


def unchanged(base: Base) -> Iterator[Call]:
    yield base.call("base")


def resized(base: Base) -> Iterator[Call]:
    """A dimension of one input, or all dimensions of one size in all inputs, with another length."""
    arrays = base.arrays()
    for (name, number), array in arrays.items():
        shown = name if number is None else f"{name}[{number}]"
        for axis in range(min(array.ndim, 5)):
            yield base.with_arrays(f"empty {shown}.{axis}", {(name, number): array.take([], axis)})
            if array.shape[axis] != 1:
                yield base.with_arrays(f"one {shown}.{axis}", {(name, number): array.take([0], axis)})
            longer = np.concatenate([array, array.take([0], axis)], axis)
            yield base.with_arrays(f"longer {shown}.{axis}", {(name, number): longer})
    if len(arrays) > 1:
        for size in sorted({size for array in arrays.values() for size in array.shape}):
            yield base.with_arrays(f"empty {size}", {key: emptied(array, size) for key, array in arrays.items()})


def emptied(array: np.ndarray, size: int) -> np.ndarray:
    return np.zeros([0 if length == size else length for length in array.shape], array.dtype)


def other_ranks(base: Base) -> Iterator[Call]:
    arrays = base.arrays()
    changes: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "0-d": lambda a: np.array(a.reshape(-1)[0]),
        "rank+": lambda a: a[None],
        "rank-": lambda a: np.array(a[0]) if a.ndim else a,
    }
    for label, change in changes.items():
        for (name, number), array in arrays.items():
            if array.size and not (label == "rank-" and array.ndim < 2) and not (label == "0-d" and array.ndim == 0):
                shown = name if number is None else f"{name}[{number}]"
                yield base.with_arrays(f"{label} {shown}", {(name, number): change(array)})
        if len(arrays) > 1 and all(array.size for array in arrays.values()):
            yield base.with_arrays(f"{label} all", {key: change(array) for key, array in arrays.items()})


def other_axes(base: Base) -> Iterator[Call]:
    """Axes from the end, the last valid ones, and those out of range."""
    ranks = [array.ndim for array in base.arrays().values()]
    rank = ranks[0] if ranks else 0
    for name, argument in base.arguments.items():
        if name not in AXES or argument.tensor:
            continue
        values: list[Any] = [-1, -rank, rank - 1, rank, -rank - 1]
        inner = getattr(argument, "inner", argument)
        if isinstance(inner, (arguments.AxisArgument, arguments.IntsArgument)) or isinstance(
            base.given.get(name), (tuple, list)
        ):
            values += [(-1,), (0, -1), (0, 0), (rank,), ()]
        for value in values:
            yield base.call(f"{name}={value}", {name: value})


def wrong_types(base: Base) -> Iterator[Call]:
    for name, argument in base.arguments.items():
        kind = type(getattr(argument, "inner", argument))
        for value in WRONG_TYPES[kind]:
            if value is None and (argument.optional or argument.default is None):
                continue
            yield base.call(f"{name}={value!r}", {name: value})


def wrong_signatures(base: Base) -> Iterator[Call]:
    yield base.call("misspelt", None, misspelt=1)
    required = [name for name in base.order if base.arguments[name].default is MISSING]
    if required:
        yield base.call(f"without {required[-1]}", {required[-1]: MISSING})
    complete = {name: a.default for name, a in base.arguments.items() if name not in base.given and name in base.order}
    yield base.call("one more", complete, 7)


def encode(value: Any) -> Any:
    """A value as JSON, for the process that has the other MindSpore."""
    if isinstance(value, np.ndarray):
        flat = value.reshape(-1)
        numbers = [[float(z.real), float(z.imag)] for z in flat] if value.dtype.kind == "c" else flat.tolist()
        return {"array": str(value.dtype), "shape": list(value.shape), "values": numbers}
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [encode(one) for one in value]}
    if isinstance(value, dict):
        return {"dict": {name: encode(one) for name, one in value.items()}}
    if isinstance(value, DType):
        return {"dtype": str(value).lower()}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    return value


def encode_call(call: Call) -> dict[str, Any]:
    code = {"code": call.code} if call.code else {}
    return {**code, "form": call.form, "args": encode(call.args), "kwargs": encode(call.kwargs or {}),
            "init": None if call.init is None else encode(call.init), "gradient": call.has_gradient}  # fmt: skip
