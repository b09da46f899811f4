"""What each primitive of JAX does to arrays that are filled up beyond open sizes.

A rule gives a result that is right inside the open sizes, whatever lies outside. A primitive without a rule is refused where
an open size takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.export import is_symbolic_dim

from mindspore._engine.graph.open_sizes import NotPadded
from mindspore._engine.graph.padded_value import Layout, Lengths, Padded, layout_of, normal, same

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


def rule(*names: str) -> Callable[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def bind(equation: Any, arrays: Sequence[Any], **changed: Any) -> list[Any]:
    """Run an equation's primitive, with some of its parameters changed."""
    parameters = equation.primitive.get_bind_params(equation.params)
    found = equation.primitive.bind(*arrays, **(dict(parameters) | changed))
    return list(found) if equation.primitive.multiple_results else [found]


def shape_of(variable: Any) -> tuple[Any, ...]:
    return tuple(variable.aval.shape)


def _settled(equation: Any, operands: list[Padded]) -> list[Padded]:
    return [operand.settled(shape_of(v)) for operand, v in zip(operands, equation.invars, strict=True)]


def elementwise(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    """Each element by itself; axes of one element are repeated."""
    out = shape_of(equation.outvars[0])
    axes: list[Layout] = []
    for axis, size in enumerate(out):
        full = [p.axes[axis] for p in operands if p.axes and p.array.shape[axis] != 1]
        axes.append(same(full) if is_symbolic_dim(size) else layout_of(size))
    return [Padded(array, axes, lengths) for array in bind(equation, [p.array for p in operands])]


@rule("broadcast_in_dim")
def _broadcast(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = operands
    sizes, places = equation.params["shape"], equation.params["broadcast_dimensions"]
    axes: list[Layout] = [None if is_symbolic_dim(size) else layout_of(size) for size in sizes]
    for place, axis in enumerate(places):
        if operand.array.shape[place] != 1:
            axes[axis] = operand.axes[place]
    return [Padded(lax.broadcast_in_dim(operand.array, lengths.shape(sizes), places), axes, lengths)]


@rule("iota")
def _iota(equation: Any, _: list[Padded], lengths: Lengths) -> list[Padded]:
    sizes, along = equation.params["shape"], equation.params["dimension"]
    array = lax.broadcasted_iota(equation.params["dtype"], lengths.shape(sizes), along)
    axes = [layout_of(size) if axis == along or not is_symbolic_dim(size) else None for axis, size in enumerate(sizes)]
    return [Padded(array, axes, lengths)]


@rule("dim_as_value")
def _size(equation: Any, _: list[Padded], lengths: Lengths) -> list[Padded]:
    value = jnp.asarray(lengths.now(equation.params["dim"])).astype(equation.outvars[0].aval.dtype)
    return [Padded(value, (), lengths)]


@rule("transpose")
def _transpose(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    order = equation.params["permutation"]
    return [Padded(lax.transpose(operands[0].array, order), [operands[0].axes[i] for i in order], lengths)]


@rule("squeeze")
def _squeeze(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    gone = equation.params["dimensions"]
    axes = [layout for axis, layout in enumerate(operands[0].axes) if axis not in gone]
    return [Padded(lax.squeeze(operands[0].array, gone), axes, lengths)]


@rule("reshape")
def _reshape(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = _settled(equation, operands)
    if equation.params.get("dimensions") is not None:
        raise NotPadded("a reshape in another order")
    sizes = equation.params["new_sizes"]
    factors = [factor for layout in operand.axes for factor in layout or ()]
    axes = [_take(factors, size) for size in sizes]
    return [Padded(operand.array.reshape(lengths.shape(sizes)), axes, lengths)]


def _take(factors: list[Any], size: Any) -> Layout:
    """The next factors whose product is a size, taken away; factors of known size may be divided."""
    taken: list[Any] = []
    while is_symbolic_dim(size) or size != 1:
        if not factors:
            raise NotPadded("a reshape across an open axis")
        factor = factors.pop(0)
        rest, left = divmod(size, factor) if is_symbolic_dim(size) or not is_symbolic_dim(factor) else (0, 1)
        if not is_symbolic_dim(left) and left == 0 and (is_symbolic_dim(rest) or rest > 0):
            taken.append(factor)
            size = rest
        elif not is_symbolic_dim(size) and not is_symbolic_dim(factor) and factor % size == 0:
            taken.append(size)
            factors.insert(0, factor // size)
            size = 1
        else:
            raise NotPadded("a reshape that divides an open axis")
    return normal(taken)


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
    (operand,) = _settled(equation, operands)
    name, gone = equation.primitive.name, equation.params["axes"]
    neutral = _NEUTRAL[name.removeprefix("reduce_").removeprefix("arg")](operand.array.dtype)
    if name.startswith("arg") and any(operand.is_filled(a) and len(operand.axes[a] or ()) > 1 for a in gone):
        raise NotPadded(f"{name} over an axis made of several")
    array = bind(equation, [operand.with_filling(gone, neutral)])
    return [Padded(array[0], [layout for axis, layout in enumerate(operand.axes) if axis not in gone], lengths)]


@rule("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
def _accumulate(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = _settled(equation, operands)
    axis = equation.params["axis"]
    _only_prefix(operand, axis, equation.primitive.name)
    neutral = _NEUTRAL[equation.primitive.name.removeprefix("cum")](operand.array.dtype)
    array = operand.with_filling([axis], neutral) if equation.params["reverse"] else operand.array
    return [Padded(bind(equation, [array])[0], operand.axes, lengths)]


def _only_prefix(operand: Padded, axis: int, name: str) -> None:
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


@rule("concatenate")
def _concatenate(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operands = _settled(equation, operands)
    along, sizes = equation.params["dimension"], shape_of(equation.outvars[0])
    for operand in operands:
        _only_prefix(operand, along, "concatenate")
    axes = [
        same([p.axes[axis] for p in operands]) if axis != along else layout_of(sizes[along])
        for axis in range(len(sizes))
    ]
    axes = [layout_of(size) if layout is None else layout for layout, size in zip(axes, sizes)]
    if not any(p.is_filled(along) for p in operands[:-1]):
        return [Padded(lax.concatenate([p.array for p in operands], along), axes, lengths)]
    result = jnp.zeros(lengths.shape(sizes), operands[0].array.dtype)
    start: Any = 0
    for operand, variable in zip(operands, equation.invars):  # each overwrites what the one before was filled with
        result = lax.dynamic_update_slice_in_dim(result, operand.array, start, along)
        start = start + lengths.now(shape_of(variable)[along])
    return [Padded(result, axes, lengths)]


@rule("stack")
def _stack(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operands = _settled(equation, operands)
    axes = [same([p.axes[axis] for p in operands]) for axis in range(len(operands[0].axes))]
    axes = [() if layout is None else layout for layout in axes]
    axes.insert(equation.params["axis"], layout_of(len(operands)))
    return [Padded(bind(equation, [p.array for p in operands])[0], axes, lengths)]


@rule("tile")
def _tile(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = _settled(equation, operands)
    sizes, times = shape_of(equation.outvars[0]), equation.params["reps"]
    axes = [
        normal((count, *(layout or ()))) if operand.is_filled(axis) else layout_of(sizes[axis])
        for axis, (layout, count) in enumerate(zip(operand.axes, times))
    ]
    return [Padded(bind(equation, [operand.array])[0], axes, lengths)]


@rule("top_k")
def _top(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = _settled(equation, operands)
    axis = equation.params.get("axis", -1) % operand.array.ndim
    _only_prefix(operand, axis, "top_k")
    arrays = bind(equation, [operand.with_filling([axis], lowest(operand.array.dtype))])
    axes = [layout_of(array) if a == axis else x for a, (x, array) in enumerate(zip(operand.axes, arrays[0].shape))]
    return [Padded(array, axes, lengths) for array in arrays]


@rule("split")
def _split(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = _settled(equation, operands)
    axis = equation.params["axis"]
    if operand.is_filled(axis) or any(map(is_symbolic_dim, equation.params["sizes"])):
        raise NotPadded("an open axis is split")
    arrays = bind(equation, [operand.array])
    return [
        Padded(array, [layout_of(array.shape[a]) if a == axis else x for a, x in enumerate(operand.axes)], lengths)
        for array in arrays
    ]


@rule("pad")
def _pad(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operand, filling = _settled(equation, operands)
    config, sizes = equation.params["padding_config"], shape_of(equation.outvars[0])
    touched = [axis for axis, amounts in enumerate(config) if any(is_symbolic_dim(n) or n != 0 for n in amounts)]
    amounts = list(config)
    for axis in touched:
        _only_prefix(operand, axis, "pad")
        low, high, between = config[axis]
        if is_symbolic_dim(low) or is_symbolic_dim(between) or (operand.is_filled(axis) and between != 0):
            raise NotPadded("padding by an open size in front")
        if is_symbolic_dim(high):
            if between != 0:
                raise NotPadded("padding by an open size between elements")
            amounts[axis] = (low, lengths.limit(sizes[axis]) - low - operand.array.shape[axis], 0)
    axes = [layout_of(size) if axis in touched else operand.axes[axis] for axis, size in enumerate(sizes)]
    return [Padded(lax.pad(operand.with_filling(touched, filling.array), filling.array, amounts), axes, lengths)]


@rule("sort")
def _sort(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    operands = _settled(equation, operands)
    axis = equation.params["dimension"]
    layouts = [same([p.axes[a] for p in operands]) for a in range(len(operands[0].axes))]
    if operands[0].is_filled(axis):
        _only_prefix(operands[0], axis, "sort")
        if not equation.params["is_stable"]:
            raise NotPadded("a sort that may exchange equal elements")
    keys = equation.params["num_keys"]
    arrays = [p.with_filling([axis], _last(p.array.dtype)) if i < keys else p.array for i, p in enumerate(operands)]
    return [Padded(array, layouts, lengths) for array in bind(equation, arrays)]


def _last(dtype: Any) -> Any:
    return jnp.nan if jnp.issubdtype(dtype, jnp.floating) else highest(dtype)


@rule("rev")
def _reverse(equation: Any, operands: list[Padded], lengths: Lengths) -> list[Padded]:
    (operand,) = _settled(equation, operands)
    (array,) = bind(equation, [operand.array])
    for axis in equation.params["dimensions"]:
        if operand.is_filled(axis):  # what it is filled with comes first now
            _only_prefix(operand, axis, "rev")
            more = array.shape[axis] - lengths.now(shape_of(equation.invars[0])[axis])
            array = jnp.roll(array, -more, axis)
    return [Padded(array, operand.axes, lengths)]
