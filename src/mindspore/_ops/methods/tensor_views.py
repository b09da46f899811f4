"""Tensor methods about a whole tensor: copies, slices by index, addresses in memory, exchange."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.views import layout
from mindspore._engine.operator.arguments import Array, Arrays, Shape
from mindspore._engine.operator.overloads import overloaded
from mindspore._engine.operator.registry import op
from mindspore._engine.runtime import context
from mindspore._engine.tensor.members import attach, attach_functions
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.scatter import inplace_update
from mindspore._ops.array.selection import select as select_where
from mindspore._ops.declaring.promotion import check_broadcast, common_dtype, normal_axis
from mindspore._ops.declaring.requirements import require, require_choice, require_rank_from
from mindspore._utils import checks


@op(public=False, method="clone", test=lambda t: [t.case(t.normal(2, 3), expect=np.copy)])
def clone(input: Array):
    """A tensor with the same elements; gradients flow through it.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0]).clone())
        [1.]
    """
    return jnp.array(input)


@op(
    view=lambda x, shape, dim, index: x[(slice(None),) * (dim % x.ndim) + (index,)],
    public=False,
    test=lambda t: [t.case(t.normal(2, 3), 1, -1, expect=lambda x, *_: x[:, -1])],
)
def slice_by_number(input: Array, dim: int, index: int):
    """A slice along an axis, without that axis."""
    require_rank_from("input", input, 1)
    axis = normal_axis(dim, input.ndim, "dim")
    length = input.shape[axis]
    require(-length <= index < length, f"the 'index' must be in [{-length}, {length}), but got {index}.")
    return jnp.take(input, index % length, axis)


def _select_slice(self: Tensor, dim: int, index: int) -> Tensor:
    """``select(dim, index)`` is a slice along an axis; ``select(condition, y)`` is this tensor where the condition
    is True and ``y`` elsewhere.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(x.select(1, 0), x.select(Tensor([True, False]), 0.0))
        [1. 3.] [[1. 0.]
         [3. 0.]]
    """
    return slice_by_number(self, dim, index)


def _select_where(self: Tensor, condition: Tensor, y: Any) -> Tensor:
    return select_where(condition, self, y)


@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3), (1, 3), expect=lambda x, _: x.sum(0, keepdims=True)),
                    t.case(t.normal(4, 2, 3), (2, 1), expect=lambda x, _: x.sum((0, 2))[:, None])])  # fmt: skip
def sum_to_size(input: Array, size: Shape):
    """The input summed over the axes along which ``size`` would be repeated to its shape."""
    leading = input.ndim - len(size)
    fits = leading >= 0 and all(n in (1, m) for n, m in zip(size, input.shape[leading:], strict=True))
    require(fits, f"the 'size' must expand to the shape {input.shape}, but got {size}.")
    repeated = [leading + a for a, n in enumerate(size) if n == 1 and input.shape[leading + a] != 1]
    return input.sum((*range(leading), *repeated), keepdims=True).reshape(size)


def _sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The sum over the axes along which ``size`` would be repeated to this tensor's shape.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).sum_to_size(1, 2))
        [[4. 6.]]
    """
    return sum_to_size(self, size[0] if len(size) == 1 and not isinstance(size[0], int) else size)


@op(public=False,
    test=lambda t: [t.case(np.array([[0, 1], [2, 5]]), (t.normal(2), t.normal(2), t.normal(2)), "clip", grad=False,
                           expect=lambda x, c, mode: np.choose(x, c, mode="clip")),
                    t.case(np.array([-1, 4]), (t.normal(2), t.normal(2), t.normal(2)), "wrap", grad=False,
                           expect=lambda x, c, mode: np.choose(x, c, mode="wrap"))])  # fmt: skip
def choose(input: Array, choices: Arrays, mode: str):
    """For every element the element of the choice with that number."""
    require_choice("mode", mode, ("clip", "wrap"))
    dtype = common_dtype(*choices)
    shape = check_broadcast(input, *choices)
    stacked = jnp.stack([jnp.broadcast_to(choice, shape).astype(dtype) for choice in choices])
    number = input.astype(jnp.int32)
    number = jnp.clip(number, 0, len(choices) - 1) if mode == "clip" else number % len(choices)
    return jnp.take_along_axis(stacked, jnp.broadcast_to(number, shape)[None], 0)[0]


def _choose(self: Tensor, choices: Any, mode: str = "clip") -> Tensor:
    """For every element, which is an index, the element at the same position of the choice with that index.

    Args:
        choices: tensors or lists that broadcast with this tensor; or a tensor with them along its first axis.
        mode: numbers out of range are cut off ("clip") or counted on from the start ("wrap").

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([0, 1]).choose([[1, 2], [3, 4]]))
        [1 4]
    """
    parts = tuple([part if isinstance(part, Tensor) else Tensor(part) for part in choices])
    return choose(self, parts, mode)


# -- memory and exchange -----------------------------------------------------------------------------------------------
def to_dlpack(self: Tensor) -> Any:
    """A capsule through which another library can use the same memory.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor.from_dlpack(Tensor([1.0, 2.0]).to_dlpack()))
        [1. 2.]
    """
    return self.__dlpack__()


class _Capsule:
    """A capsule in the form array libraries take it from."""

    def __init__(self, capsule: Any):
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def from_dlpack(source: Any) -> Tensor:
    """A tensor from a capsule, or from an array of another library.

    The memory is shared, unless the array is read-only or has gaps, repetitions or a reversed axis: then it is copied.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor
        >>> print(Tensor.from_dlpack(np.array([1, 2])))
        [1 2]
    """
    holder = source if hasattr(source, "__dlpack__") else _Capsule(source)
    try:
        array = jnp.from_dlpack(holder)
    except (BufferError, RuntimeError) as error:
        if (compact := _compact(source)) is None:
            raise _refused(source, error) from None
        array = jnp.from_dlpack(compact)
    return Tensor.wrap(jax.device_put(array, context.current_device()))


def _compact(source: Any) -> Any:
    """A contiguous copy of an array whose layout cannot be shared; None if it cannot be shared for another reason."""
    if isinstance(source, np.ndarray):
        return np.array(source, order="C") if source.dtype.kind in "?biufc" else None
    detached = getattr(source, "requires_grad", False) is True
    return source.clone().contiguous() if hasattr(source, "contiguous") and not detached else None


def _refused(source: Any, error: Exception) -> Exception:
    """The error of an array that cannot be taken, with what to write."""
    if getattr(source, "requires_grad", False) is True:
        return BufferError("For 'from_dlpack', the array must not require gradients: write from_dlpack(x.detach()).")
    if "used_dltensor" in str(error):
        return BufferError("For 'from_dlpack', the capsule was used already: a capsule can be taken once.")
    return BufferError(f"For 'from_dlpack', the array cannot be taken: {str(error).splitlines()[0]}")


def data_ptr(self: Tensor) -> int:
    """The address of the first element in the device's memory.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).data_ptr() > 0
        True
    """
    value = self._read()
    if isinstance(value, np.ndarray):
        return value.ctypes.data
    return value.unsafe_buffer_pointer()


def move_to(self: Tensor, to: str, blocking: bool = True) -> Tensor:
    """A copy of this tensor; XLA puts it on the device that uses it.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0]).move_to("CPU"))
        [1.]
    """
    checks.check_one_of("move_to", "to", to, ("CPU", "GPU", "Ascend", "TPU"))
    return clone(self)


def pin_memory(self: Tensor) -> Tensor:
    """This tensor; transfers to the device need no pinned memory here.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0]).pin_memory())
        [1.]
    """
    return self


def is_pinned(self: Tensor) -> bool:
    """Whether the memory is locked on the host: never.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).is_pinned()
        False
    """
    return False


def storage_offset(self: Tensor) -> int:
    """How many elements lie before the first of this tensor in what it is a view of.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> x[1:].storage_offset()
        1
    """
    found = layout(self)
    return 0 if found is None else found[0]


def set_(self: Tensor, source: Tensor | None = None, storage_offset: int = 0, size: Any = None,
         stride: Any = None) -> Tensor:  # fmt: skip
    """Take over the elements, shape and dtype of another tensor, or none without one; returns the tensor.

    Args:
        storage_offset, size, stride: which elements of the source, in the order of its memory, and in which shape.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0]).set_(Tensor([2, 3])), Tensor([0]).set_(Tensor([1, 2, 3, 4]), 1, (2,), (2,)))
        [2 3] [2 4]
    """
    checks.check_type("set_", "source", source, (Tensor, type(None)))
    chosen = self.reshape(-1)[:0] if source is None else source
    if source is not None and (size is not None or storage_offset):
        shape = (source.size - storage_offset,) if size is None else tuple(size)
        steps = tuple(stride) if stride is not None else _steps(shape)
        offsets = storage_offset + sum(
            np.ogrid[tuple(slice(n) for n in shape)][a] * steps[a] for a in range(len(shape))
        )
        chosen = source.reshape(-1)[Tensor(np.broadcast_to(offsets, shape))]
    self._become(chosen)
    return self


def _steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of elements that lie one after the other."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _device(self: Tensor) -> str:
    """The kind of device that computes: "CPU", "GPU" or "TPU"."""
    return context.current_device().platform.upper()


attach("device", property(_device))
attach("is_meta", property(lambda self: False))
attach("inplace_update", inplace_update)
attach("from_dlpack", staticmethod(from_dlpack))
attach("select", overloaded("Tensor.select", _select_slice, _select_where))
attach_functions(
    _sum_to_size, _choose, to_dlpack, data_ptr, move_to, pin_memory, is_pinned, storage_offset, set_
)  # fmt: skip
