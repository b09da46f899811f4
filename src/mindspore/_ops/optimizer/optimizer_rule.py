"""How update rules of optimizers are declared: a formula on arrays, and what it writes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.guarded_update import run_row_update, run_update
from mindspore._engine.execution.row_gradient import spread
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
    argument ``indices`` the gradient holds rows of the variable; the body sees those rows of everything that is written, and
    the others keep their values.

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
        positions = {argument.name: index for index, argument in enumerate(declared.arguments)}
        declared.pointwise = "indices" not in positions
        declared.body = _around(body, declared, tuple(writes), every_row)
        written, indices = [positions[name] for name in positions if name in writes], positions.get("indices")

        @functools.wraps(body)
        def update(*args: Any, **kwargs: Any) -> Any:
            if kwargs or len(args) != len(declared.arguments):
                args = declared.complete(args, kwargs)
            if state.scope is None:
                outputs = compute(*args)
            elif indices is not None and not every_row:
                outputs = run_row_update(*declared.select(tuple(args), {}), indices)
            else:
                outputs = run_update(*declared.select(tuple(args), {}), [args[index] for index in written])
            for index, value in zip(written, outputs, strict=False):
                args[index]._overwrite(value)
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
        gradient = next(name for name in _GRADIENTS if name in given) if "indices" in given else ""
        rows = None
        if gradient:
            given["indices"] = existing_rows(given["indices"], variable)
            _require_rows(gradient, given[gradient], given["indices"], variable)
            if every_row:
                given[gradient] = spread(given["indices"], given[gradient], variable.shape[0])
            else:
                rows, given[gradient] = summed_rows(given["indices"], given[gradient], variable.shape[0])
        inputs = {}
        for argument in arguments:
            name, value = argument.name, given[argument.name]
            if isinstance(argument, ArrayArgument) and name != "indices":
                value = jnp.asarray(value)
                if name in writes:
                    value = value if rows is None else value.at[rows].get(mode="clip")
                elif name not in _GRADIENTS:
                    value = _number(name, value)
                elif not gradient:
                    _require_whole(name, value, variable)
                value = value.astype(precision)
            inputs[name] = value
        results = body(**inputs)
        dtypes = [given[name].dtype for name in writes] + [variable.dtype] * (len(results) - len(writes))
        results = [result.astype(dtype) for result, dtype in zip(results, dtypes, strict=True)]
        if rows is None:
            return tuple(results)
        return tuple(given[name].at[rows].set(new, mode="drop") for name, new in zip(writes, results, strict=True))

    return around


def existing_rows(indices: Any, variable: Any) -> Any:
    """Rows that do not exist are left out, as in MindSpore; negative ones do not count from the end."""
    return jnp.where((indices < 0) | (indices > variable.shape[0]), variable.shape[0], indices)


def _require_whole(name: str, gradient: Any, variable: Any) -> None:
    text = f"the '{name}' must have the shape of the variable, {variable.shape}, but got {gradient.shape}."
    require(gradient.shape == variable.shape, text)


def _require_rows(name: str, gradient: Any, indices: Any, variable: Any) -> None:
    require_index_dtype("indices", indices)
    wanted = (*indices.shape, *variable.shape[1:])
    text = f"the '{name}' must have shape {wanted}, one row of the variable per index, but got {gradient.shape}."
    require(indices.ndim == 1 and gradient.shape == wanted, text)


def summed_rows(indices: Any, rows: Any, length: int) -> tuple[Any, Any]:
    """Sum the rows of equal indices: each index once with its sum; ``length``, the index of no row, for its other occurrences."""
    positions = jnp.arange(indices.shape[0], dtype=jnp.int32)
    last = jnp.zeros(length, jnp.int32).at[indices].set(positions, mode="drop")  # one occurrence of each index
    owners = last.at[indices].get(mode="clip")
    inside = indices < length
    sums = jnp.zeros_like(rows).at[jnp.where(inside, owners, indices.shape[0])].add(rows, mode="drop")
    return jnp.where(inside & (owners == positions), indices, length), sums


def _number(name: str, value: Any) -> Any:
    require(value.size == 1, f"the '{name}' must be a number or a Tensor of one element, but got shape {value.shape}.")
    return value.reshape(())
