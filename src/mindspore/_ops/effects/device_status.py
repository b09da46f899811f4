"""The overflow register of Ascend devices, for programs that read it around their training step."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.requirements import require_shape
from mindspore._utils import log

_LENGTH = 8
_NOTICE = (
    "'NPUGetFloatStatus' reads a register that only Ascend devices have: here the status is always zero, 'no overflow'. "
    "A training step that relies on it alone applies gradients that are infinite; have it look at the gradients, with "
    "ops.FloatStatus() or mindspore.amp.all_finite(), or use nn.TrainOneStepWithLossScaleCell."
)


@register_primitive
class NPUAllocFloatStatus(Primitive):
    """A status of eight zeros, which :class:`NPUClearFloatStatus` and :class:`NPUGetFloatStatus` take.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.NPUAllocFloatStatus()())
        [0. 0. 0. 0. 0. 0. 0. 0.]
    """

    def __call__(self) -> Tensor:
        return Tensor(np.zeros(_LENGTH, np.float32))


@op(public=False, test=lambda t: [t.case(t.normal(_LENGTH), grad=False, expect=np.zeros_like)])
def npu_float_status(input_x: Array):
    """The status without overflow."""
    require_shape("input_x", input_x, (_LENGTH,))
    return jnp.zeros_like(input_x)


@register_primitive
class NPUClearFloatStatus(Primitive):
    """Forget earlier overflows: the status becomes zero.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.NPUClearFloatStatus()(ops.NPUAllocFloatStatus()()).sum())
        0.0
    """

    def __call__(self, input_x: Tensor) -> Tensor:
        return npu_float_status(input_x)


@register_primitive
class NPUGetFloatStatus(Primitive):
    """The status of the overflow register, which exists on Ascend devices only: here it is zero, always.

    Programs for several devices also use :class:`FloatStatus` over the gradients, which detects
    overflows here. The first call says so in the log.

    Examples:
        >>> from mindspore import ops
        >>> status = ops.NPUAllocFloatStatus()()
        >>> print(ops.NPUGetFloatStatus()(status).shape)
        (8,)
    """

    def __call__(self, input_x: Tensor) -> Tensor:
        log.once("NPUGetFloatStatus", _NOTICE)
        return npu_float_status(input_x)
