"""Tensor methods about shape that take variadic ints, or differ from the function of the same name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, DType, Shape
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array import rearrange
from mindspore._ops.array import shape as shapes
from mindspore._ops.declaring.requirements import require


def _numbers(numbers: tuple, owner: str = "", name: str = "", named: dict[str, Any] | None = None) -> Any:
    """Ints passed as a tuple or list, variadically, or by keyword."""
    if named:
        if numbers or list(named) != [name]:
            got = f"{len(numbers)} without a name and {', '.join(named)}"
            raise TypeError(f"For 'Tensor.{owner}', the arguments must be numbers, or only '{name}', but got {got}.")
        return named[name]
    return numbers[0] if len(numbers) == 1 and not isinstance(numbers[0], int) else numbers


def reshape(self: Tensor, *numbers: Any, **shape: Any) -> Tensor:
    """The elements in another shape, given as a tuple or as numbers; one length may be -1.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3, 4]).reshape(2, -1).shape)
        (2, 2)
    """
    return shapes.reshape(self, _numbers(numbers, "reshape", "shape", shape))


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), dtypes.int32, grad=False, expect=lambda x, _: x.view(np.int32)),
        t.case(t.normal(2, 4), dtypes.float64, grad=False, expect=lambda x, _: x.view(np.float64)),
        t.case(t.normal(2, 4), dtypes.float16, grad=False, expect=lambda x, _: x.view(np.float16)),
    ],
)
def _view_as(input: Array, dtype: DType):
    """The same bytes as numbers of another type; the last axis grows or shrinks where those have another size."""
    source = input.astype(jnp.uint8) if input.dtype == jnp.bool_ else input
    wanted = np.dtype(np.uint8) if dtype.np_dtype == np.bool_ else np.dtype(dtype.np_dtype)
    had, has = source.dtype.itemsize, wanted.itemsize
    sizes = f"to view {input.dtype} as {dtype}: their elements have {had} and {has} bytes"
    require(input.ndim or had == has, f"For 'Tensor.view', the tensor must have an axis {sizes}.")
    if has > had:
        last = input.shape[-1]
        text = f"For 'Tensor.view', the last axis must have a length divisible by {has // had} {sizes}, but got {last}."
        require(last * had % has == 0, text)
        source = source.reshape(*input.shape[:-1], last * had // has, has // had)
    result = lax.bitcast_convert_type(source, wanted)
    if has < had:
        result = result.reshape(*input.shape[:-1], -1)
    return result != 0 if dtype.np_dtype == np.bool_ else result


def view(self: Tensor, *numbers: Any, **named: Any) -> Tensor:
    """The elements in another shape, given as a tuple or as numbers; or, given a dtype, their bytes as such numbers.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3, 4]).view(2, -1).shape, Tensor([1, 2], ms.int64).view(ms.int32))
        (2, 2) [1 0 2 0]
    """
    if list(named) == ["dtype"] and not numbers:
        numbers = (named["dtype"],)
    if len(numbers) == 1 and isinstance(numbers[0], dtypes.DType):
        return _view_as(self, numbers[0])
    return shapes.reshape(self, _numbers(numbers, "view", "shape", named))


def transpose(self: Tensor, *axes: Any, **dims: int) -> Tensor:
    """The axes in another order: reversed without arguments; two of several axes are swapped, also ``dim0`` and ``dim1``.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2, 3]]).transpose().shape)
        (3, 1)
    """
    if dims:
        if axes or sorted(dims) != ["dim0", "dim1"]:
            raise TypeError(f"For 'Tensor.transpose', the names must be 'dim0' and 'dim1' alone, but got {list(dims)}.")
        return shapes.swapaxes(self, dims["dim0"], dims["dim1"])
    order = _numbers(axes)
    if not axes or order is None:
        order = tuple(range(self.ndim))[::-1]
    elif len(axes) == 2 and self.ndim > 2:
        return shapes.swapaxes(self, *axes)
    return shapes.transpose(self, order)


def permute(self: Tensor, *axis: Any, **dims: Any) -> Tensor:
    """The axes in another order, given as a tuple or as numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2, 3]]).permute(1, 0).shape)
        (3, 1)
    """
    return shapes.permute(self, _numbers(axis, "permute", "dims", dims))


def flatten(self: Tensor, order: str = "C", *, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Adjacent axes merged: by default all of them.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).flatten())
        [1 2 3 4]
    """
    return shapes.flatten(self, order, start_dim, end_dim)


def broadcast_to(self: Tensor, *numbers: Any, **shape: Any) -> Tensor:
    """This tensor repeated to fill a shape, given as a tuple or as numbers; -1 keeps a length.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).broadcast_to((2, 2)).shape)
        (2, 2)
    """
    return shapes.broadcast_to(self, _numbers(numbers, "broadcast_to", "shape", shape))


def expand(self: Tensor, *size: Any) -> Tensor:
    """This tensor repeated to fill a size, given as a tuple or as numbers; -1 keeps a length.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1], [2]]).expand(-1, 3).shape)
        (2, 3)
    """
    return shapes.expand(self, _numbers(size))


def tile(self: Tensor, *dims: Any, **old: Any) -> Tensor:
    """This tensor repeated along each axis, the counts given as a tuple or as numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).tile((2,)))
        [1 2 1 2]
    """
    return shapes.tile(self, *((_numbers(dims),) if dims else ()), **old)


def flip(self: Tensor, *numbers: Any, **dims: Any) -> Tensor:
    """The order of elements reversed along some axes, given as a tuple or as numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3]).flip(0))
        [3 2 1]
    """
    return rearrange.flip(self, _numbers(numbers, "flip", "dims", dims))


def repeat(self: Tensor, *repeats: Any, axis: int | None = None) -> Tensor:
    """Each element repeated along an axis (of the flat elements without ``axis``).

    A count per axis, as ``x.repeat(2, 1, 3)`` or ``x.repeat((2, 1, 3))``, repeats the whole tensor instead.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1, 2]]).repeat(2, axis=1), Tensor([[1, 2]]).repeat((2, 2, 1)).shape)
        [[1 1 2 2]] (2, 2, 2)
    """
    if len(repeats) == 2 and axis is None and all(isinstance(r, int) for r in repeats) and repeats[1] < self.ndim:
        repeats, axis = repeats[:1], repeats[1]  # repeat(repeats, axis), the meaning up to 2.x
    counts: Sequence[int] | int = repeats[0] if len(repeats) == 1 else repeats
    if axis is None and isinstance(counts, (tuple, list)) and len(counts) not in (1, self.size):
        return shapes.tile(self, counts)
    return rearrange.repeat_interleave(self, counts, axis)


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


def resize(self: Tensor, *new_shape: Any) -> Tensor:
    """The elements in another shape; those that do not fit go, missing ones are zero.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3]).resize(2, 2))
        [[1 2]
         [3 0]]
    """
    return _resize(self, _numbers(new_shape))


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
    """This tensor: it is always contiguous."""
    return self


def is_contiguous(self: Tensor) -> bool:
    """True: a tensor is always contiguous."""
    return True


def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many elements lie between neighbours on each axis, or on ``dim``.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([[1, 2], [3, 4]]).stride()
        [2, 1]
    """
    steps = [step // self.itemsize for step in self.strides]
    return steps if dim is None else steps[dim]


def numel(input: Tensor) -> int:
    """The number of elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.numel(Tensor([[1, 2], [3, 4]]))
        4
    """
    if not isinstance(input, Tensor):
        raise TypeError(f"For 'numel', the 'input' must be a Tensor, but got {input!r} of type {type(input).__name__}.")
    return input.size


def _at_least(inputs: Any, ndim: int, owner: str) -> Any:
    if isinstance(inputs, (tuple, list)):
        return tuple(_at_least(x, ndim, owner) for x in inputs)
    if not isinstance(inputs, Tensor):
        raise TypeError(f"For '{owner}', the 'inputs' must be a Tensor or a list of Tensors, but got {inputs!r}.")
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
