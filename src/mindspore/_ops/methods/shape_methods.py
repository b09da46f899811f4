"""Tensor methods about shape that take variadic ints, or differ from the function of the same name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.views import layout, reshaped, view_of
from mindspore._engine.operator.arguments import Array, DType, Shape
from mindspore._engine.operator.overloads import hands_on, overloaded, positional
from mindspore._engine.operator.registry import Op, op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array import rearrange
from mindspore._ops.array import shape as shapes
from mindspore._ops.declaring.requirements import require
from mindspore._utils.refusals import WrongObject, refused


def _one_by_one(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The form of a method of numbers that takes them one by one."""
    target = positional(function)

    def form(self: Tensor, *numbers: Any) -> Tensor:
        return target(self, numbers)

    return form


@hands_on(shapes.reshape)
def _reshape(self: Tensor, shape: Any) -> Tensor:
    """The elements in another shape, given as a tuple or as numbers; one length may be -1.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3, 4]).reshape(2, -1).shape)
        (2, 2)
    """
    return shapes.reshape(self, shape)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), dtypes.int32, grad=False, expect=lambda x, _: x.view(np.int32)),
        t.case(t.normal(2, 4), dtypes.float64, grad=False, expect=lambda x, _: x.view(np.float64)),
        t.case(t.normal(2, 4), dtypes.float16, grad=False, expect=lambda x, _: x.view(np.float16)),
        t.case(t.normal(2, 4), dtypes.complex64, grad=False, expect=lambda x, _: x.view(np.complex64)),
        t.case(t.normal(4).view(np.complex64), dtypes.float32, grad=False, expect=lambda x, _: x.view(np.float32)),
        t.case(
            t.normal(8).view(np.complex64), dtypes.complex128, grad=False, expect=lambda x, _: x.view(np.complex128)
        ),
    ],
)
def _view_as(input: Array, dtype: DType):
    """The same bytes as another dtype; the length of the last axis follows from the item sizes."""
    wanted = np.dtype(dtype.np_dtype)
    had, has = input.dtype.itemsize, wanted.itemsize
    sizes = f"to view {input.dtype} as {dtype}: their elements have {had} and {has} bytes"
    require(input.ndim or had == has, f"For 'Tensor.view', the tensor must have an axis {sizes}.")
    if has > had:
        last = input.shape[-1]
        text = f"For 'Tensor.view', the last axis must have a length divisible by {has // had} {sizes}, but got {last}."
        require(last * had % has == 0, text)
    plain = _plain_numbers(wanted)
    source = _as_plain_numbers(input)
    shape = (*input.shape[:-1], input.shape[-1] * had // has) if input.ndim else ()
    parts = wanted.itemsize // plain.itemsize  # a complex number is two
    before, after = source.dtype.itemsize, plain.itemsize
    if after > before:
        source = source.reshape(*shape, parts, after // before)
    result = lax.bitcast_convert_type(source, plain).reshape(*shape, *((parts,) if parts > 1 else ()))
    if wanted.kind == "c":
        return lax.complex(result[..., 0], result[..., 1])
    return result != 0 if wanted == np.bool_ else result


def _plain_numbers(dtype: np.dtype) -> np.dtype:
    """The type whose elements make up one of this dtype: bytes of a bool, real numbers of a complex number."""
    if dtype.kind == "c":
        return np.dtype(f"float{dtype.itemsize * 4}")
    return np.dtype(np.uint8) if dtype == np.bool_ else dtype


def _as_plain_numbers(x: Any) -> Any:
    if jnp.iscomplexobj(x):
        pairs = jnp.stack((x.real, x.imag), -1)
        return pairs.reshape(*x.shape[:-1], -1) if x.ndim else pairs
    return x.astype(jnp.uint8) if x.dtype == jnp.bool_ else x


def _view_of_dtype(self: Tensor, dtype: DType) -> Tensor:
    """The elements in another shape, given as a tuple or as numbers; or, given a dtype, their bytes as such numbers.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3, 4]).view(2, -1).shape, Tensor([1, 2], ms.int64).view(ms.int32))
        (2, 2) [1 0 2 0]
    """
    return _view_as(self, dtype)


def _exchange(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """The axes in another order: reversed without arguments; two axes are swapped, also ``dim0`` and ``dim1``.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2, 3]]).transpose().shape)
        (3, 1)
    """
    return shapes.swapaxes(self, dim0, dim1)


def _reorder(self: Tensor, axes: Any = None) -> Tensor:
    axes = tuple(range(self.ndim))[::-1] if axes is None else axes
    return shapes.transpose(self, (axes,) if isinstance(axes, int) else axes)


def _listed(numbers: Any) -> Any:
    """A single number as one of several: methods take both, functions a tuple or list."""
    return (numbers,) if isinstance(numbers, int) and not isinstance(numbers, bool) else numbers


def _permute(self: Tensor, dims: Any) -> Tensor:
    """The axes in another order, given as a tuple or as numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2, 3]]).permute(1, 0).shape)
        (3, 1)
    """
    return shapes.permute(self, _listed(dims))


def _permute_axis(self: Tensor, axis: Any) -> Tensor:
    return shapes.permute(self, _listed(axis))


_declared: Op = shapes.flatten.op  # type: ignore[attr-defined]
_flat = view_of(shapes.flatten, reshaped, _declared.complete)  # MindSpore's function copies, its method does not


def _flatten(self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Neighbouring axes merged into one; by default all axes.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).flatten(), Tensor([[[1], [2]]]).flatten(0, 1).shape)
        [1 2 3 4] (2, 1)
    """
    return _flat(self, "C", start_dim, end_dim)


def _flatten_in_order(self: Tensor, order: str = "C", *, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    return (_flat if order == "C" else shapes.flatten)(self, order, start_dim, end_dim)


def _broadcast_to(self: Tensor, shape: Any) -> Tensor:
    """This tensor repeated to fill a shape, given as a tuple or as numbers; -1 keeps a length.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).broadcast_to((2, 2)).shape)
        (2, 2)
    """
    return shapes.broadcast_to(self, shape)


def _expand(self: Tensor, size: Any) -> Tensor:
    """This tensor repeated to fill a size, given as a tuple or as numbers; -1 keeps a length.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1], [2]]).expand(-1, 3).shape)
        (2, 3)
    """
    return shapes.expand(self, size)


def _tile(self: Tensor, dims: Any) -> Tensor:
    """This tensor repeated along each axis, the counts given as a tuple or as numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).tile((2,)))
        [1 2 1 2]
    """
    return shapes.tile(self, _listed(dims))


def _tile_reps(self: Tensor, reps: Any) -> Tensor:
    return shapes.tile(self, _listed(reps))


def _flip(self: Tensor, dims: Any) -> Tensor:
    """The order of elements reversed along some axes, given as a tuple or as numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3]).flip(0))
        [3 2 1]
    """
    return rearrange.flip(self, _listed(dims))


reshape = overloaded("Tensor.reshape", _reshape, _one_by_one(_reshape))
view = overloaded("Tensor.view", _view_of_dtype, _reshape, _one_by_one(_reshape))
transpose = overloaded("Tensor.transpose", _exchange, _reorder, _one_by_one(_reorder))
permute = overloaded("Tensor.permute", _permute, _permute_axis, _one_by_one(_permute))
flatten = overloaded("Tensor.flatten", _flatten, _flatten_in_order)
broadcast_to = overloaded("Tensor.broadcast_to", _broadcast_to, _one_by_one(_broadcast_to))
expand = overloaded("Tensor.expand", _expand, _one_by_one(_expand))
tile = overloaded("Tensor.tile", _tile, _tile_reps, _one_by_one(_tile))
flip = overloaded("Tensor.flip", _flip, _one_by_one(_flip))


def _repeat(self: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Each element repeated along an axis (of the flat elements without one).

    One count per axis, as ``x.repeat(2, 1, 3)`` or ``x.repeat((2, 1, 3))``, repeats the whole tensor instead.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2]]).repeat(2, axis=1), Tensor([[1, 2]]).repeat((2, 2, 1)).shape)
        [[1 1 2 2]] (2, 2, 2)
    """
    if axis is not None and not -self.ndim <= axis < self.ndim:
        repeats, axis = (repeats, axis), None  # two counts, not a count and an axis as up to 2.x
    if axis is None and isinstance(repeats, (tuple, list)) and len(repeats) not in (1, self.size):
        return shapes.tile(self, repeats)
    return rearrange.repeat_interleave(self, repeats, axis)


repeat = overloaded("Tensor.repeat", _repeat, _one_by_one(_repeat))


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), (2, 2), expect=lambda x, shape: x.ravel()[:4].reshape(2, 2)),
        t.case(t.normal(2), (3,), expect=lambda x, shape: np.append(x, 0)),
    ],
)
def _resize(input: Array, new_shape: Shape):
    """The elements in another shape; those that do not fit go, missing ones are zero."""
    require(
        min(new_shape, default=0) >= 0,
        f"For 'Tensor.resize', the 'new_shape' must not be negative, but got {new_shape}.",
    )
    size = math.prod(new_shape)
    flat = input.reshape(-1)[:size]
    return jnp.pad(flat, (0, size - flat.size)).reshape(new_shape)


def _resized(self: Tensor, new_shape: Any) -> Tensor:
    """The elements in another shape; those that do not fit go, missing ones are zero.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3]).resize(2, 2))
        [[1 2]
         [3 0]]
    """
    return _resize(self, new_shape)


resize = overloaded("Tensor.resize", _resized, _one_by_one(_resized))


def _reversed_axes(self: Tensor) -> Tensor:
    """The axes in reverse order."""
    return transpose(self)


def _last_two_exchanged(self: Tensor) -> Tensor:
    """The last two axes exchanged."""
    return shapes.swapaxes(self, -2, -1)


@op(public=False, test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x.T)])
def _adjoint(input: Array):
    """The last two axes exchanged, complex numbers conjugated."""
    return jnp.conj(jnp.swapaxes(input, -2, -1))


def _last_two_hermitian(self: Tensor) -> Tensor:
    """The last two axes exchanged, complex numbers conjugated."""
    return _adjoint(self)


def _hermitian(self: Tensor) -> Tensor:
    """A matrix transposed, complex numbers conjugated."""
    if self.ndim != 2:
        raise ValueError(
            f"For 'Tensor.H', the tensor must have 2 dimensions, but got {self.ndim}. Use mH for the last two axes."
        )
    return _adjoint(self)


def contiguous(self: Tensor) -> Tensor:
    """This tensor, or a copy of a view whose elements do not lie one after the other.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).T.contiguous())
        [[1 3]
         [2 4]]
    """
    return self if is_contiguous(self) else self.copy()


def is_contiguous(self: Tensor) -> bool:
    """Whether the elements lie one after the other, as they do not in some views.

    Examples:
        >>> from mindspore import ops
        >>> x = ops.ones((2, 3))
        >>> print(x.is_contiguous(), x.T.is_contiguous(), x[:, 0].is_contiguous())
        True False False
    """
    found = layout(self)
    if found is None or self.size == 0:
        return True
    own = (step // self.itemsize for step in self.strides)
    return all(length == 1 or a == b for length, a, b in zip(self.shape, own, found[1], strict=True))


def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements lie between neighbours on each axis, or on ``dim``.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([[1, 2], [3, 4]]).stride()
        [2, 1]
    """
    found = layout(self)
    steps = [step // self.itemsize for step in self.strides] if found is None else list(found[1])
    return steps if dim is None else steps[dim]


def numel(input: Tensor) -> int:
    """The number of elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.numel(Tensor([[1, 2], [3, 4]]))
        4
    """
    if not isinstance(input, Tensor):
        raise refused(
            WrongObject, f"For 'numel', the 'input' must be a Tensor, but got {input!r} of type {type(input).__name__}."
        )
    return input.size


def _at_least(inputs: Any, ndim: int, owner: str) -> Any:
    if isinstance(inputs, (tuple, list)):
        return tuple(_at_least(x, ndim, owner) for x in inputs)
    if not isinstance(inputs, Tensor):
        raise refused(
            WrongObject, f"For '{owner}', the 'inputs' must be a Tensor or a list of Tensors, but got {inputs!r}."
        )
    if inputs.ndim >= ndim:
        return inputs
    # NumPy's rule: a vector is a row, and a matrix gets its third axis at the end
    after = 1 if ndim == 3 and inputs.ndim > 0 else 0
    return reshape(inputs, (1,) * (ndim - inputs.ndim - after) + inputs.shape + (1,) * after)


def atleast_1d(inputs: Any) -> Any:
    """The tensor, or each of several, with a rank of at least 1.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.atleast_1d(Tensor(2.0)))
        [2.]
    """
    return _at_least(inputs, 1, "atleast_1d")


def atleast_2d(inputs: Any) -> Any:
    """The tensor, or each of several, with leading axes added until it has two.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.atleast_2d(Tensor([1, 2])).shape)
        (1, 2)
    """
    return _at_least(inputs, 2, "atleast_2d")


def atleast_3d(inputs: Any) -> Any:
    """The tensor, or each of several, with axes added until it has three: a vector of n becomes (1, n, 1).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.atleast_3d(Tensor([1, 2])).shape)
        (1, 2, 1)
    """
    return _at_least(inputs, 3, "atleast_3d")


_METHODS: dict[str, Callable[..., Any]] = {
    "reshape": reshape,
    "view": view,
    "transpose": transpose,
    "permute": permute,
    "flatten": flatten,
    "broadcast_to": broadcast_to,
    "expand": expand,
    "tile": tile,
    "flip": flip,
    "repeat": repeat,
    "resize": resize,
    "contiguous": contiguous,
    "is_contiguous": is_contiguous,
    "stride": stride,
    "ndimension": Tensor.dim,
}

for _name, _method in _METHODS.items():
    attach(_name, _method)
for _name, _getter in {
    "T": _reversed_axes,
    "mT": _last_two_exchanged,
    "H": _hermitian,
    "mH": _last_two_hermitian,
}.items():
    attach(_name, property(_getter))
for _function in (numel, atleast_1d, atleast_2d, atleast_3d):
    register_function(_function)
