"""How update rules of optimizers are declared: a formula on arrays, and what it writes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.guarded_update import run_update
from mindspore._engine.operator.arguments import ArrayArgument
from mindspore._engine.operator.primitive import OpPrimitive, make_primitive
from mindspore._engine.operator.registry import Names, Op, op, register_primitive
from mindspore._ops.declaring.requirements import require, require_index_dtype

_GRADIENTS = ("gradient", "grad")


def rule(*, writes: Sequence[str], primitive: Names = (), init: Sequence[str] = (), returns: int | None = None,
         every_row: bool = False, test: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Declare an update rule.

    The body is the formula: it gets all inputs in the precision of the computation (float32 at least, numbers as 0-d
    arrays) and returns the new values of ``writes`` in order, then whatever else the Primitive returns. With an
    argument ``indices`` the gradient holds rows of the variable; the body sees it as a whole, and rows that are not
    named keep their values.

    Args:
        writes: the arguments that are Parameters and get new values; the first is the variable.
        primitive: name of the Primitive class, or several.
        init: the arguments of the Primitive's constructor.
        returns: which of the body's results the Primitive returns; None for all of them.
        every_row: with ``indices``, whether rows that are not named change too, as for a gradient of zero.
        test: as in ``op``.

    Returns:
        The rule as a function that writes in place.
    """

    def declare(body: Callable[..., Any]) -> Callable[..., Any]:
        names = (primitive,) if isinstance(primitive, str) else tuple(primitive)
        compute = op(public=False, test=test)(body)
        declared: Op = compute.op  # type: ignore[attr-defined]
        declared.title = names[0] if names else declared.title
        declared.pointwise = "indices" not in {argument.name for argument in declared.arguments}
        declared.body = _around(body, declared, tuple(writes), every_row)
        written = [index for index, argument in enumerate(declared.arguments) if argument.name in writes]

        @functools.wraps(body)
        def update(*args: Any, **kwargs: Any) -> Any:
            if kwargs or len(args) != len(declared.arguments):
                args = declared.complete(args, kwargs)
            if state.scope is None:
                outputs = compute(*args)
            else:
                outputs = run_update(*declared.select(tuple(args), {}), [args[index] for index in written])
            for index, value in zip(written, outputs, strict=False):
                args[index]._set(value._read())
            return outputs if returns is None else outputs[returns]

        for name in names:
            made = make_primitive(declared, name, tuple(init), {}, None)
            members = {"update": staticmethod(update), "__module__": made.__module__, "__doc__": made.__doc__}
            register_primitive(type(name, (UpdatePrimitive, made), members))
        return update

    return declare


class UpdatePrimitive(OpPrimitive):
    """A Primitive that gives Parameters new values."""

    update: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return type(self).update(*self._arguments(args, kwargs))

    def _arguments(self, args: tuple, kwargs: dict[str, Any]) -> Sequence[Any]:
        named = {self.op.arguments[index].name: value for index, value in zip(self.call_indices, args, strict=False)}
        if len(args) > len(self.call_indices):
            raise TypeError(f"For '{self.name}', the call takes {len(self.call_indices)} inputs, but got {len(args)}.")
        return self.op.complete((), {**self.init_attrs, **named, **kwargs})


def _around(body: Callable[..., Any], declared: Op, writes: tuple[str, ...], every_row: bool) -> Callable[..., Any]:
    """The body between the conversion of its inputs and that of its results."""
    arguments = declared.arguments

    @functools.wraps(body)
    def around(*values: Any) -> tuple:
        given = {argument.name: value for argument, value in zip(arguments, values, strict=True)}
        variable = given[writes[0]]
        precision = jnp.promote_types(variable.dtype, jnp.float32)
        indices = _existing_rows(given.get("indices"), variable)
        inputs = {}
        for argument in arguments:
            name, value = argument.name, given[argument.name]
            if isinstance(argument, ArrayArgument) and name != "indices":
                value = jnp.asarray(value)
                if name in _GRADIENTS:
                    value = _whole(name, value, indices, variable)
                elif name not in writes:
                    value = _number(name, value)
                value = value.astype(precision)
            inputs[name] = value
        results = body(**inputs)
        if indices is not None and not every_row:
            kept = (
                jnp.ones(variable.shape[:1], bool)
                .at[indices]
                .set(False, mode="drop")
                .reshape(-1, *[1] * (variable.ndim - 1))
            )
            results = [jnp.where(kept, inputs[name], new) for name, new in zip(writes, results, strict=True)]
        dtypes = [given[name].dtype for name in writes] + [variable.dtype] * (len(results) - len(writes))
        return tuple(result.astype(dtype) for result, dtype in zip(results, dtypes, strict=True))

    return around


def _existing_rows(indices: Any, variable: Any) -> Any:
    """Rows that do not exist are left out, as in MindSpore; negative ones do not count from the end."""
    return None if indices is None else jnp.where(indices < 0, variable.shape[0], indices)


def _whole(name: str, gradient: Any, indices: Any, variable: Any) -> Any:
    """The gradient in the variable's shape; rows of the same index are summed."""
    if indices is None:
        text = f"the '{name}' must have the shape of the variable, {variable.shape}, but got {gradient.shape}."
        require(gradient.shape == variable.shape, text)
        return gradient
    require_index_dtype("indices", indices)
    wanted = (*indices.shape, *variable.shape[1:])
    text = f"the '{name}' must have shape {wanted}, one row of the variable per index, but got {gradient.shape}."
    require(indices.ndim == 1 and gradient.shape == wanted, text)
    return jnp.zeros(variable.shape, gradient.dtype).at[indices].add(gradient, mode="drop")


def _number(name: str, value: Any) -> Any:
    require(value.size == 1, f"the '{name}' must be a number or a Tensor of one element, but got shape {value.shape}.")
    return value.reshape(())
