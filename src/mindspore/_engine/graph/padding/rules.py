"""Rules: what each primitive of JAX does on padded arrays: sums, products, order.

The result of a rule is right within the actual sizes, whatever the padding holds. A primitive without a rule is refused if a
symbolic size takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.export import is_symbolic_dim

from mindspore._engine.base.open_sizes import NotPadded
from mindspore._engine.graph.padding.values import Layout, Lengths, Padded, layout_of, same

Rule = Callable[[Any, list[Padded], Lengths], list[Padded]]
RULES: dict[str, Rule] = {}

ELEMENTWISE = frozenset((
    "add", "sub", "mul", "div", "rem", "max", "min", "pow", "integer_pow", "neg", "sign", "abs", "exp", "exp2", "log",
    "log1p", "expm1", "tanh", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh",
    "atanh", "sqrt", "rsqrt", "cbrt", "logistic", "erf", "erfc", "erf_inv", "lgamma", "digamma", "square", "floor",
    "ceil", "round", "is_finite", "not", "and", "or", "xor", "eq", "ne", "lt", "le", "gt", "ge", "select_n", "clamp",
    "convert_element_type", "stop_gradient", "copy", "copy_p", "real", "imag", "complex", "conj", "nextafter",
    "shift_left", "shift_right_logical", "shift_right_arithmetic", "population_count", "clz", "reduce_precision",
    "add_any", "optimization_barrier", "igamma", "igammac", "polygamma", "zeta", "regularized_incomplete_beta",
    "bessel_i0e", "bessel_i1e",
))  # fmt: skip


def into(table: dict[str, Rule]) -> Callable[..., Callable[[Rule], Rule]]:
    """A decorator that enters a rule for the primitives it names."""

    def rule(*names: str) -> Callable[[Rule], Rule]:
        def register(function: Rule) -> Rule:
            table.update(dict.fromkeys(names, function))
            return function

        return register

    return rule


rule = into(RULES)


def bind(equation: Any, arrays: Sequence[Any], **changed: Any) -> list[Any]:
    """Run an equation's primitive, with some of its parameters changed."""
    parameters = equation.primitive.get_bind_params(equation.params)
    found = equation.primitive.bind(*arrays, **(dict(parameters) | changed))
    return list(found) if equation.primitive.multiple_results else [found]


def shape_of(variable: Any) -> tuple[Any, ...]:
    return tuple(variable.aval.shape)


def settled(equation: Any, operands: list[Padded]) -> list[Padded]:
    return [operand.settled(shape_of(v)) for operand, v in zip(operands, equation.invars, strict=True)]


def elementwise(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    """Each element by itself; axes of one element are repeated."""
    out = shape_of(equation.outvars[0])
    axes: list[Layout] = []
    for axis, size in enumerate(out):
        full = [p.axes[axis] for p in operands if p.axes and p.array.shape[axis] != 1]
        axes.append(same(full) if is_symbolic_dim(size) else layout_of(size))
    return [Padded(array, axes, lengths) for array in bind(equation, [p.array for p in operands])]


@rule("dim_as_value")
def _size(equation: Any, _: list[Padded], lengths: Lengths) -> list[Padded]:
    value = jnp.asarray(lengths.now(equation.params["dim"])).astype(equation.outvars[0].aval.dtype)
    return [Padded(value, (), lengths)]


def lowest(dtype: Any) -> Any:
    if jnp.issubdtype(dtype, jnp.floating):
        return -jnp.inf
    return False if dtype == np.bool_ else jnp.iinfo(dtype).min


def highest(dtype: Any) -> Any:
    if jnp.issubdtype(dtype, jnp.floating):
        return jnp.inf
    return True if dtype == np.bool_ else jnp.iinfo(dtype).max


_NEUTRAL: dict[str, Callable[[Any], Any]] = {
    "sum": lambda _: 0, "prod": lambda _: 1, "max": lowest, "min": highest, "or": lambda _: 0, "xor": lambda _: 0,
    "and": lambda dtype: True if dtype == np.bool_ else np.invert(np.zeros((), dtype)), "add": lambda _: 0, "logsumexp": lowest,
}  # fmt: skip


@rule(
    "reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_or", "reduce_and", "reduce_xor", "argmax", "argmin"
)
def _reduce(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    name, gone = equation.primitive.name, equation.params["axes"]
    neutral = _NEUTRAL[name.removeprefix("reduce_").removeprefix("arg")](operand.array.dtype)
    if name.startswith("arg") and any(operand.is_filled(a) and len(operand.axes[a] or ()) > 1 for a in gone):
        raise NotPadded(f"{name} over an axis made of several")
    array = bind(equation, [operand.with_filling(gone, neutral)])
    return [Padded(array[0], [layout for axis, layout in enumerate(operand.axes) if axis not in gone], lengths)]


@rule("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
def _accumulate(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    axis = equation.params["axis"]
    require_whole(operand, axis, equation.primitive.name)
    neutral = _NEUTRAL[equation.primitive.name.removeprefix("cum")](operand.array.dtype)
    array = operand.with_filling([axis], neutral) if equation.params["reverse"] else operand.array
    return [Padded(bind(equation, [array])[0], operand.axes, lengths)]


def require_whole(operand: Padded, axis: int, name: str) -> None:
    if operand.is_filled(axis) and len(operand.axes[axis] or ()) > 1:
        raise NotPadded(f"{name} along an axis made of several")


@rule("dot_general")
def _dot(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    left, right = operands
    (left_summed, right_summed), (left_batch, right_batch) = equation.params["dimension_numbers"]
    arrays = []
    for one, other, mine, others in (
        (left, right, left_summed, right_summed),
        (right, left, right_summed, left_summed),
    ):
        sizes = shape_of(equation.invars[0 if one is left else 1])
        axes = list(one.axes)
        for a, b in zip(mine, others):
            shared = same([one.axes[a], other.axes[b]])
            axes[a] = layout_of(sizes[a]) if shared is None else shared
        arrays.append(Padded(one.array, axes, lengths).with_filling(mine, 0))
    axes = [same([left.axes[a], right.axes[b]]) for a, b in zip(left_batch, right_batch)]
    axes = [layout_of(shape_of(equation.invars[0])[a]) if x is None else x for a, x in zip(left_batch, axes)]
    for one, used in ((left, (*left_summed, *left_batch)), (right, (*right_summed, *right_batch))):
        axes += [layout for axis, layout in enumerate(one.axes) if axis not in used]
    return [Padded(bind(equation, arrays)[0], axes, lengths)]


@rule("top_k")
def _top(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = settled(equation, operands)
    axis = equation.params.get("axis", -1) % operand.array.ndim
    require_whole(operand, axis, "top_k")
    arrays = bind(equation, [operand.with_filling([axis], lowest(operand.array.dtype))])
    axes = [layout_of(array) if a == axis else x for a, (x, array) in enumerate(zip(operand.axes, arrays[0].shape))]
    return [Padded(array, axes, lengths) for array in arrays]


@rule("sort")
def _sort(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operands = settled(equation, operands)
    axis = equation.params["dimension"]
    layouts = [same([p.axes[a] for p in operands]) for a in range(len(operands[0].axes))]
    if operands[0].is_filled(axis):
        require_whole(operands[0], axis, "sort")
        if not equation.params["is_stable"]:
            raise NotPadded("a sort that may exchange equal elements")
    keys = equation.params["num_keys"]
    arrays = [p.with_filling([axis], _last(p.array.dtype)) if i < keys else p.array for i, p in enumerate(operands)]
    return [Padded(array, layouts, lengths) for array in bind(equation, arrays)]


def _last(dtype: Any) -> Any:
    return jnp.nan if jnp.issubdtype(dtype, jnp.floating) else highest(dtype)
