"""Writing Parameters, and what orders or cuts the flow of values: depend, identity, stop_gradient."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from jax import lax

from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import promote_dtypes
from mindspore._ops.math.arithmetic import add, sub
from mindspore._utils import checks
from mindspore._utils.refusals import WrongObject, refused

Tensors = TypeVar("Tensors")  # a Tensor, or Tensors in tuples and lists


def assign(variable: Tensor, value: Tensor | float) -> Tensor:
    """Give a Parameter another value; returns the new value.

    Args:
        value: a Tensor of the variable's shape, or a number for all its elements; converted to the variable's dtype.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> ops.assign(w, Tensor([3.0, 4.0]))
        Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  4.00000000e+00])
        >>> print(w + 1)
        [4. 5.]
    """
    _store(variable, _fitting("Assign", variable, value))
    return variable.value()


def assign_add(variable: Tensor, value: Tensor | float) -> Tensor:
    """Add to a Parameter in place; returns the new value.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> step = Parameter(Tensor(1), name="step")
        >>> print(ops.assign_add(step, 2))
        3
    """
    return _store(variable, add(variable, _fitting("AssignAdd", variable, value)))


def assign_sub(variable: Tensor, value: Tensor | float) -> Tensor:
    """Subtract from a Parameter in place; returns the new value.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> print(ops.assign_sub(w, Tensor([0.5, 0.5])))
        [0.5 1.5]
    """
    return _store(variable, sub(variable, _fitting("AssignSub", variable, value)))


def _fitting(owner: str, variable: Any, value: Any) -> Tensor:
    """The value as a Tensor that fits into the variable, or an error before anything changed."""
    if not isinstance(variable, Tensor):
        raise refused(
            WrongObject, f"For '{owner}', the 'variable' must be a Parameter, but got {checks.shown(variable)}."
        )
    if isinstance(value, (bool, int, float)):
        # numbers know no dtype of their own; a float for an integer variable would be cut silently
        fits = variable.dtype.np_dtype if not (variable.dtype.is_integer and isinstance(value, float)) else None
        value = Tensor(np.full(variable.shape, value, fits))
    if not isinstance(value, Tensor):
        raise refused(
            WrongObject, f"For '{owner}', the 'value' must be a Tensor or a number, but got {checks.shown(value)}."
        )
    if value.shape != variable.shape:
        raise ValueError(
            f"For '{owner}','value' must have the same shape as 'variable'. But got 'value' shape: {value.shape}, "
            f"'variable' shape: {variable.shape}."
        )
    refuse_loss(owner, variable, value)
    return value


def refuse_loss(owner: str, variable: Tensor, value: Tensor) -> None:
    """Refuse a value whose fractions or digits the variable cannot hold."""
    own = variable.dtype.np_dtype
    if value.dtype != variable.dtype and promote_dtypes(own, value.dtype.np_dtype) != own:
        raise TypeError(
            f"For '{owner}', the 'value' must have a dtype that the variable's {variable.dtype} holds without a loss, but got "
            f"{value.dtype}. Convert it first: value.astype({variable.dtype!r})."
        )


def _store(variable: Tensor, value: Tensor) -> Tensor:
    converted = value if value.dtype == variable.dtype else value.astype(variable.dtype)
    variable._overwrite(converted)
    return converted.value()


@register_primitive
class Assign(Primitive):
    """Gives a Parameter another value, see :func:`mindspore.ops.assign`.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> value = ops.Assign()(weight, Tensor([3.0, 4.0]))
        >>> print(weight.asnumpy())
        [3. 4.]
    """

    def __call__(self, variable: Tensor, value: Tensor | float) -> Tensor:
        return assign(variable, value)


@register_primitive
class AssignAdd(Primitive):
    """Adds to a Parameter in place, see :func:`mindspore.ops.assign_add`.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> value = ops.AssignAdd()(weight, Tensor([3.0, 4.0]))
        >>> print(weight.asnumpy())
        [4. 6.]
    """

    def __call__(self, variable: Tensor, value: Tensor | float) -> Tensor:
        return assign_add(variable, value)


@register_primitive
class AssignSub(Primitive):
    """Subtracts from a Parameter in place, see :func:`mindspore.ops.assign_sub`.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> p = Parameter(Tensor([5.0]), name="p")
        >>> print(ops.AssignSub()(p, Tensor([2.0])))
        [3.]
    """

    def __call__(self, variable: Tensor, value: Tensor | float) -> Tensor:
        return assign_sub(variable, value)


def depend(value: Any, expr: Any = None, *more: Any) -> Any:
    """The value unchanged; what computes ``expr`` has happened before, since Python evaluates it first.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> w = Parameter(Tensor([1.0]), name="w")
        >>> print(ops.depend(Tensor([5.0]), ops.assign(w, Tensor([2.0]))), w.asnumpy())
        [5.] [2.]
    """
    return value


@register_primitive
class Depend(Primitive):
    """Orders two computations, see :func:`mindspore.ops.depend`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Depend()(Tensor([1.0]), Tensor([2.0])))
        [1.]
    """

    side_effect_propagate = 1  # the input whose effects it hands on

    def __call__(self, value: Any, expr: Any = None, *more: Any) -> Any:
        return value


@register_primitive
class ControlDepend(Primitive):
    """Orders two computations in MindSpore 1.0 and 1.1; here they happen in the order they are written.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.ControlDepend()(ops.Add(), ops.Mul()))
        Prim[Mul]
    """

    def __init__(self, depend_mode: int = 0):
        super().__init__()
        self.add_prim_attr("depend_mode", depend_mode)

    def __call__(self, src: Any, dst: Any) -> Any:
        return dst


def control_depend(src: Any, dst: Any) -> Any:
    """The second value; kept for programs of MindSpore 1.0 and 1.1.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.control_depend(1, 2)
        2
    """
    return dst


def identity(x: Any) -> Any:
    """The value itself.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([1.0])
        >>> ops.identity(x) is x
        True
    """
    return x


@op(primitive="Identity", public=False, test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: x)])
def _identity(input_x: Array):
    """A Tensor with the same value.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Identity()(Tensor([1, 2])))
        [1 2]
    """
    return input_x


@op(primitive="StopGradient", public=False, test=lambda t: [t.case(t.normal(3), expect=lambda x: x, grad=False)])
def _stop_gradient(value: Array):
    """The value, through which no gradient flows.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(mindspore.grad(lambda x: x * ops.StopGradient()(x))(Tensor(3.0)))
        3.0
    """
    return lax.stop_gradient(value)


def stop_gradient(value: Tensors) -> Tensors:
    """The value (a Tensor, or Tensors in tuples and lists) cut off from gradients.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ms.grad(lambda x: x * ops.stop_gradient(x))(Tensor(3.0)))
        3.0
    """
    return map_leaves(lambda leaf: _stop_gradient(leaf) if isinstance(leaf, Tensor) else leaf, value)


register_function(assign)
register_function(assign_add)
register_function(assign_sub)
register_function(depend)
register_function(control_depend)
register_function(identity)
register_function(stop_gradient)
