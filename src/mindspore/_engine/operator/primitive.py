"""Primitive classes: the object form of operators, ``ops.Add()(x, y)``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from mindspore._engine.operator import sharding
from mindspore._engine.operator.arguments import given_twice
from mindspore._engine.operator.inference import Inference
from mindspore._engine.operator.primitive_attributes import PrimitiveAttributes
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.documents.annotation_words import parameter_text
from mindspore._utils.refusals import refused, several
from mindspore._utils.user_call import READERS, UserCall, called_as

if TYPE_CHECKING:
    from mindspore._engine.operator.registry import Op

Shared = TypeVar("Shared", bound="Primitive")


class Primitive(PrimitiveAttributes, Inference):
    """Base of all operator classes: attributes at construction, inputs at the call.

    Examples:
        >>> from mindspore import ops
        >>> ops.ReduceMean(keep_dims=True)
        Prim[ReduceMean]<keep_dims=True>
    """

    def __init__(self, name: str = ""):
        if not isinstance(name, str):
            text = f"For '{type(self).__name__}', the constructor takes no such argument: got {name!r}."
            raise refused(TypeError, text)
        self.name = name or type(self).__name__
        self.attrs: dict[str, Any] = {}
        self.init_attrs: dict[str, Any] = {}
        self.instance_name: str | None = None

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # attributes come from the constructor's arguments

    def place(self, role: str, rank_id: int) -> None:
        """Name the process that computes this operator in a graph over several; one process computes all of it.

        Examples:
            >>> from mindspore import ops
            >>> matmul = ops.MatMul()
            >>> matmul.place("MS_WORKER", 0)
        """
        if role != "MS_WORKER":
            raise ValueError(f"For 'Primitive.place', the 'role' must be 'MS_WORKER', but got {role!r}.")
        if isinstance(rank_id, bool) or not isinstance(rank_id, int):
            raise TypeError(f"For 'Primitive.place', the 'rank_id' must be an int, but got {type(rank_id).__name__}.")
        if rank_id < 0:
            raise ValueError(f"For 'Primitive.place', the 'rank_id' must be at least 0, but got {rank_id}.")
        self.add_prim_attr("ms_role", role)
        self.add_prim_attr("rank_id", rank_id)

    @old_names(strategy="in_strategy")
    def shard(self: Shared, in_strategy: Any = None, out_strategy: Any = None) -> Shared:
        """Set the strategy: the number of shards per axis of inputs and outputs, for graphs compiled for a mesh.

        Args:
            in_strategy: for each input a tuple with the number of shards along each axis, or a ``Layout``.
            out_strategy: the same for the outputs; propagated from the inputs by default.

        Examples:
            >>> from mindspore import ops
            >>> ops.MatMul().shard(((2, 1), (1, 4)))
            Prim[MatMul]<transpose_a=False, transpose_b=False, in_strategy=((2, 1), (1, 4))>
        """
        sharding.check_strategy(self.name, "in_strategy", in_strategy)
        sharding.check_strategy(self.name, "out_strategy", out_strategy)
        if in_strategy is None and out_strategy is not None:
            raise ValueError(
                f"The out_strategy of {self.name} is {out_strategy}, need to set in_strategy, but got none"
            )
        self.in_strategy, self.out_strategy = in_strategy, out_strategy
        for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if strategy is not None:
                self.add_prim_attr(name, strategy)
        if in_strategy is not None:
            sharding.cut_primitive(self)
        return self

    def init_prim_io_names(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        self.add_prim_attr("input_names", list(inputs))
        self.add_prim_attr("output_names", list(outputs))

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v}" for k, v in self.attrs.items())
        return f"Prim[{self.name}]" + (f"<{shown}>" if shown else "")


class OpPrimitive(Primitive):
    """A Primitive generated from an operator's declaration."""

    op: Op
    init_signature: inspect.Signature
    call_indices: tuple[int, ...]  # index of each call argument among the operator's arguments
    _calls_directly = False  # the call's arguments are the operator's first, and the others have their defaults

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()
        given: dict[str, Any] = {}
        for name, value in kwargs.items():
            today = self._name_today(name)
            if today in given:
                raise given_twice(self.name, name, next(one for one in kwargs if self._name_today(one) == today))
            given[today] = value
        try:
            bound = self.init_signature.bind(*args, **given)
        except TypeError as error:
            names = ", ".join(map(str, self.init_signature.parameters.values()))
            raise TypeError(f"For '{self.name}', the constructor takes ({names}): {error}.{called_as()}") from None
        bound.apply_defaults()
        self._template = list(self.op.defaults)
        for index, argument in enumerate(self.op.arguments):
            if argument.name in bound.arguments:
                argument.take(bound.arguments[argument.name], [], [], self.name)  # validate eagerly
                self._template[index] = bound.arguments[argument.name]
        count = len(self.call_indices)
        kept = all(value is default for value, default in zip(self._template[count:], self.op.defaults[count:]))
        self._calls_directly = kept and self.call_indices == tuple(range(count))
        self.attrs = dict(bound.arguments)
        self.init_attrs = dict(bound.arguments)
        self.__dict__.update(bound.arguments)

    def _name_today(self, name: str) -> str:
        """The current name of a constructor argument; older versions used other names."""
        if name in self.init_signature.parameters:
            return name
        known = (a.name for a in self.op.arguments if name in a.old_names and a.name in self.init_signature.parameters)
        return next(known, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._calls_directly and not kwargs and len(args) == len(self.call_indices):
            return self.op.function(*args)
        values = self._template.copy()
        if len(args) == len(self.call_indices) and not kwargs:  # nothing can be missing
            for index, value in zip(self.call_indices, args):
                values[index] = value
            return self.op.function(*values)
        if len(args) > len(self.call_indices):
            text = f"For '{self.name}', the call takes {len(self.call_indices)} inputs, but got {len(args)}."
            raise self._miscounted(text)
        for index, value in zip(self.call_indices, args):
            values[index] = value
        named: dict[int, str] = {}
        for name, value in kwargs.items():
            index = self._index_of(name)
            if index in self.call_indices[: len(args)] or index in named:
                raise given_twice(self.name, name, named.get(index))
            named[index] = name
            values[index] = value
        missing = [self.op.arguments[i].name for i, v in enumerate(values) if v is inspect.Parameter.empty]
        if missing:
            raise self._miscounted(f"For '{self.name}', the call lacks {', '.join(map(repr, missing))}.")
        return self.op.function(*values)

    def _miscounted(self, text: str) -> Exception:
        return miscounted(self, text + called_as())

    def _index_of(self, name: str) -> int:
        for index in self.call_indices:
            argument = self.op.arguments[index]
            if name == argument.name or name in argument.old_names:
                return index
        raise _no_such_input(self, name, [self.op.arguments[index].name for index in self.call_indices])


def _no_such_input(primitive: Primitive, name: str, allowed: list[str]) -> Exception:
    return TypeError(f"For '{primitive.name}', the call has no argument '{name}'; it takes {allowed}.{called_as()}")


def miscounted(primitive: Primitive, text: str) -> Exception:
    """The error for too many or too few inputs: a wrong value to most Primitives that MindSpore does not generate."""
    kinds = (TypeError, ValueError) if "auto_generate" in type(primitive).__module__ else (ValueError, TypeError)
    return several(*kinds, RuntimeError)(text)


def count_inputs(primitive: type) -> None:
    """Have a class written by hand say how many inputs it takes, as those made from declarations do."""
    call = primitive.__call__

    @functools.wraps(call)
    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return call(self, *args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # raised inside of the call
                raise
            names = [parameter.name for parameter in _inputs(call)]
            unknown = [name for name in kwargs if name not in names]
            if unknown:
                raise _no_such_input(self, unknown[0], names) from None
            text = f"For '{self.name}', the call takes {len(names)} inputs, but got {len(args) + len(kwargs)}."
            raise miscounted(self, text + called_as()) from None

    READERS[counted.__code__] = _read_counted  # type: ignore[attr-defined]
    primitive.__call__ = counted  # type: ignore[assignment]


def _read_counted(variables: dict[str, Any]) -> UserCall:
    inputs = ", ".join(map(parameter_text, _inputs(variables["call"])))
    return UserCall((variables["self"].name,), variables["args"], variables["kwargs"], (f"()({inputs})",))


def _inputs(call: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(call).parameters.values())[1:]


def _read_call(variables: dict[str, Any]) -> UserCall:
    """The user's call, from the variables of a Primitive's constructor or call."""
    primitive: OpPrimitive = variables["self"]
    arguments = primitive.op.arguments
    attributes = [a for a in arguments if a.name in primitive.init_signature.parameters]
    text = (
        f"({', '.join(map(str, attributes))})({', '.join(str(arguments[index]) for index in primitive.call_indices)})"
    )
    return UserCall((primitive.name,), variables["args"], variables["kwargs"], (text,))


READERS[OpPrimitive.__init__.__code__] = READERS[OpPrimitive.__call__.__code__] = _read_call


class _Signature:
    """What ``inspect`` finds: the arguments of the constructor at the class, those of the call at an instance."""

    def __init__(self, init: inspect.Signature, call: inspect.Signature):
        self.init, self.call = init, call

    def __get__(self, instance: Primitive | None, owner: type) -> inspect.Signature:
        return self.init if instance is None else self.call


def _call_signature(op: Op, indices: Sequence[int]) -> inspect.Signature:
    """Inputs may have defaults in any order; whoever is inspected must not: from the last one without on, they count."""
    chosen = [op.arguments[index] for index in indices]
    required = max((place for place, one in enumerate(chosen) if one.default is inspect.Parameter.empty), default=-1)
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    return inspect.Signature(
        [inspect.Parameter(one.name, kind, default=empty if place <= required else one.default)
         for place, one in enumerate(chosen)]
    )  # fmt: skip


def make_primitive(op: Op, name: str, init: tuple[str, ...], defaults: dict[str, Any],
                   call_order: Sequence[str] | None) -> type[OpPrimitive]:  # fmt: skip
    """The Primitive class of an operator."""
    by_name = {argument.name: (index, argument) for index, argument in enumerate(op.arguments)}
    parameters = []
    for argument_name in init:
        argument = by_name[argument_name][1]
        default = defaults.get(argument_name, argument.default)
        parameters.append(inspect.Parameter(argument_name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    order = call_order or [a.name for a in op.arguments if a.name not in init]
    signature = inspect.Signature(parameters)
    indices = tuple(by_name[argument_name][0] for argument_name in order)
    return type(name, (OpPrimitive,), {
        "__doc__": op.body.__doc__,
        "__module__": "mindspore.ops.operations",
        "__signature__": _Signature(signature, _call_signature(op, indices)),
        "op": op,
        "init_signature": signature,
        "call_indices": indices,
    })  # fmt: skip
