"""Tensor methods that end in an underscore: they change the tensor and return it. Shape and dtype stay."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.checked import check_bools, check_numbers
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach, attach_functions
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array import diagonals, scatter  # noqa: F401
from mindspore._ops.declaring.promotion import is_weak, normal_axis
from mindspore._ops.declaring.requirements import require, require_index_dtype, require_same_dtype, require_storable
from mindspore._ops.linalg import affine  # noqa: F401
from mindspore._ops.math import arithmetic, clip, elementary, special  # noqa: F401
from mindspore._ops.methods.creation_methods import zero_

# The methods changed below are declared by these families.
from mindspore._ops.nn import activation  # noqa: F401
from mindspore._utils import checks
from mindspore._utils.refusals import WrongObject, refused


def keep(owner: str, tensor: Any, result: Tensor) -> Tensor:
    """Make the result the tensor's new value, unless its shape or kind of number does not fit."""
    if not isinstance(tensor, Tensor):
        raise refused(WrongObject, f"For '{owner}', the 'input' must be a Tensor, but got {checks.shown(tensor)}.")
    if result.shape != tensor.shape:
        raise ValueError(
            f"For '{owner}', the result must have the shape {tensor.shape} of the tensor it is stored in, but got "
            f"{result.shape}. Use '{owner.rstrip('_')}', which makes a new tensor."
        )
    if result.dtype != tensor.dtype:
        fraction = result.dtype.is_floating and not tensor.dtype.is_floating and not tensor.dtype.is_complex
        if fraction or (result.dtype.is_complex and not tensor.dtype.is_complex):
            raise TypeError(
                f"For '{owner}', the result has dtype {result.dtype} and cannot be stored in a tensor of dtype "
                f"{tensor.dtype}. Convert the tensor first with astype(), or use '{owner.rstrip('_')}'."
            )
        result = result.astype(tensor.dtype)
    tensor._write_elements(result)
    return tensor


def _changing(name: str, example: str) -> Callable[..., Tensor]:
    """Attach ``name_``, the method ``name`` with its result stored in the tensor."""
    function = getattr(Tensor, name)
    owner = f"{name}_"

    def method(self: Any, *args: Any, **kwargs: Any) -> Tensor:
        return keep(owner, self, function(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = owner
    method.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    method.forms = getattr(function, "forms", (function,))  # type: ignore[attr-defined]
    summary = inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0]
    method.__doc__ = (
        f"{summary}\n\nChanges the tensor itself and returns it; takes the arguments of :meth:`Tensor.{name}`.\n\n"
        f"Examples:\n    >>> from mindspore import Tensor, ops\n{example}"
    )
    attach(owner, method)
    return method


def _example(call: str, shown: str, start: str = "[1.0, 4.0]") -> str:
    return f"    >>> x = Tensor({start})\n    >>> print(x.{call})\n    {shown}\n"


for _name, _call, _shown in (
    ("add", "add_(1)", "[2. 5.]"),
    ("sub", "sub_(1)", "[0. 3.]"),
    ("mul", "mul_(2)", "[2. 8.]"),
    ("div", "div_(2)", "[0.5 2. ]"),
    ("floor_divide", "floor_divide_(2)", "[0. 2.]"),
    ("remainder", "remainder_(3)", "[1. 1.]"),
    ("exp", "exp_().asnumpy().round(2)", "[ 2.72 54.6 ]"),
    ("log", "log_().asnumpy().round(2)", "[0.   1.39]"),
    ("floor", "floor_()", "[1. 4.]"),
    ("sign", "sign_()", "[1. 1.]"),
    ("sigmoid", "sigmoid_().asnumpy().round(2)", "[0.73 0.98]"),
):
    _changing(_name, _example(_call, _shown))
_changing("addmm", _example("addmm_(Tensor([[1.0]]), Tensor([[2.0]]))", "[[3.]]", "[[1.0]]"))
tanh_ = _changing("tanh", _example("tanh_().asnumpy().round(2)", "[0.76 1.  ]"))
erfinv_ = _changing("erfinv", _example("erfinv_().asnumpy().round(2)", "[0.   0.48]", "[0.0, 0.5]"))
clamp_ = _changing("clamp", _example("clamp_(2, 3)", "[2. 3.]"))
for _function in (tanh_, erfinv_, clamp_):
    register_function(_function)


# -- elements chosen by indices or a mask ------------------------------------------------------------------------------
@op(public=False,
    test=lambda t: [t.case(t.normal(2, 3), np.array([0, 4]), t.normal(2), expect=lambda x, i, s: _numpy_put(x, i, s)),
                    t.case(t.normal(2, 3), np.array([1, 1]), t.normal(2), True,
                           expect=lambda x, i, s, a: _numpy_put(x, i, s, a))])  # fmt: skip
def put(input: Array, index: Array, source: Array, accumulate: bool = False):
    """The flattened input with ``source`` put, or added, at the positions ``index``; in the shape of the input."""
    require_index_dtype("index", index)
    require_same_dtype(input=input, source=source)
    text = f"the 'source' must have as many elements as 'index', {index.size}, but got {source.size}."
    require(source.size == index.size, text)
    target = input.reshape(-1).at[index.reshape(-1)]
    values = source.reshape(-1)
    return (target.add(values) if accumulate else target.set(values)).reshape(input.shape)


def _numpy_put(x: np.ndarray, index: np.ndarray, source: np.ndarray, accumulate: bool = False) -> np.ndarray:
    flat = x.reshape(-1).copy()
    np.add.at(flat, index, source - (0 if accumulate else flat[index]))
    return flat.reshape(x.shape)


def _inside_axis(input: Tensor, dim: int, index: Tensor, tensor: Tensor) -> None:
    require_inside("index_copy_", "index", index, 0, input.shape[dim])


@op(public=False, bounds=_inside_axis, in_parts=True,
    test=lambda t: [t.case(t.normal(3, 2), 0, np.array([2, 0]), t.normal(2, 2),
                           expect=lambda x, dim, i, s: np.stack([s[1], x[1], s[0]]))])  # fmt: skip
def index_copy(input: Array, dim: int, index: Array, tensor: Array):
    """The input with the slices ``index`` along ``dim`` replaced by those of ``tensor``."""
    require_index_dtype("index", index)
    require_same_dtype(input=input, tensor=tensor)
    axis = normal_axis(dim, input.ndim, "dim")
    shape = (*input.shape[:axis], index.size, *input.shape[axis + 1 :])
    require(tensor.shape == shape, f"the 'tensor' must have shape {shape}, but got {tensor.shape}.")
    return input.at[(slice(None),) * axis + (index.reshape(-1),)].set(tensor)


@op(public=False, test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=lambda x, y: np.broadcast_to(y, x.shape))])
def copied(input: Array, src: Operand):
    """``src`` in the shape and dtype of the input."""
    source = jnp.asarray(src)
    if is_weak(src):  # a Tensor is converted, as by astype
        require_storable("src", src, input.dtype)
    return jnp.broadcast_to(source, input.shape).astype(input.dtype)


def put_(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Put (or add) the elements of ``source`` at positions of the flattened tensor; returns the tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.put_(x, Tensor([0, 3]), Tensor([9.0, 8.0])))
        [[9. 2.]
         [3. 8.]]
    """
    return keep("put_", input, put(input, index, source, accumulate))


def index_copy_(self: Tensor, dim: int, index: Tensor, tensor: Tensor) -> Tensor:
    """Replace the slices ``index`` along ``dim`` by those of another tensor; returns the tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 2.0, 3.0]).index_copy_(0, Tensor([2, 0]), Tensor([8.0, 9.0])))
        [9. 2. 8.]
    """
    return keep("index_copy_", self, index_copy(self, dim, index, tensor))


def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """Replace the elements where ``mask`` is True by those of ``source``, in order; returns the tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 2.0, 3.0]).masked_scatter_(Tensor([True, False, True]), Tensor([8.0, 9.0])))
        [8. 2. 9.]
    """
    return keep("masked_scatter_", self, self.masked_scatter(mask, source))


def fill_diagonal_(self: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """Put a number on the main diagonal; returns the tensor.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.zeros((2, 2)).fill_diagonal_(5))
        [[5. 0.]
         [0. 5.]]
    """
    check_numbers("fill_diagonal_", fill_value=fill_value)
    return keep("fill_diagonal_", self, self.fill_diagonal(float(fill_value), wrap))


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Take over the elements of another tensor, which broadcasts and is converted; returns the tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 2.0]).copy_(Tensor([3, 4])))
        [3. 4.]
    """
    check_bools("copy_", non_blocking=non_blocking)
    shape = src.shape if isinstance(src, Tensor) else np.shape(src)
    if len(shape) > self.ndim or any(n not in (1, m) for n, m in zip(shape[::-1], self.shape[::-1], strict=False)):
        raise ValueError(f"For 'copy_', the 'src' must broadcast to the shape {self.shape}, but got {shape}.")
    return keep("copy_", self, copied(self, src))


register_function(put_, method="put_")
register_function(zero_)
attach_functions(index_copy_, masked_scatter_, fill_diagonal_, copy_)
