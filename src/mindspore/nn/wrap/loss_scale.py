"""Training with a scaled loss, so that gradients of half precision do not vanish."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.row_gradient import RowGradient, on_values
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.functional.composite import HyperMap, MultitypeFuncGraph
from mindspore._ops.math.compare import all_finite
from mindspore._utils.checks import check_float_range, check_positive_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.wrap.train_step import TrainOneStepCell

__all__ = ["DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell"]

# Composites that programs import to write training steps of their own.
grad_scale = MultitypeFuncGraph("grad_scale")
shard_grad_scale = MultitypeFuncGraph("shard_grad_scale")
_grad_overflow = MultitypeFuncGraph("_grad_overflow")
grad_overflow = ops.FloatStatus()
reciprocal = ops.Reciprocal()


@grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale: Tensor, grad: Tensor) -> Tensor:
    """A gradient without the scale of the loss."""
    return on_values(lambda each: each * reciprocal(scale).astype(each.dtype), grad)


@shard_grad_scale.register("Tensor", "Tensor", "Tensor")
def tensor_shard_grad_scale_pipeline(scale: Tensor, grad: Tensor, accu_grad: Tensor) -> Tensor:
    """An accumulated gradient without the scale of the loss."""
    return accu_grad * reciprocal(scale).astype(accu_grad.dtype)


@_grad_overflow.register("Tensor")
def _tensor_grad_overflow(grad: Tensor) -> Tensor:
    return grad_overflow(grad)


@primitives(
    select=ops.Select,
    max=ops.Maximum,
    reciprocal=ops.Reciprocal,
    less_equal=ops.LessEqual,
    logic_and=ops.LogicalAnd,
    logic_not=ops.LogicalNot,
    logic_or=ops.LogicalOr,
)
class DynamicLossScaleUpdateCell(Cell):
    """Moves the scale: down at an overflow, up after ``scale_window`` steps without overflow.

    Called with the scale, a Parameter, and whether the step overflowed; returns the latter.

    Args:
        loss_scale_value: the first scale.
        scale_factor: what the scale is multiplied with or divided by; it never falls below 1.
        scale_window: number of steps without overflow after which the scale grows.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> scale = Parameter(Tensor(1024.0), name="scale")
        >>> update = nn.DynamicLossScaleUpdateCell(1024, 2, 1000)
        >>> print(update(scale, Tensor(True)), scale.asnumpy())
        True 512.0
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int):
        super().__init__()
        owner = type(self).__name__
        check_float_range(owner, "loss_scale_value", loss_scale_value, 0.0, float("inf"), include_low=False)
        check_float_range(owner, "scale_factor", scale_factor, 0.0, float("inf"), include_low=False)
        self.scale_window = check_positive_int(owner, "scale_window", scale_window)
        self.scale_factor = float(scale_factor)
        self.loss_scale_value = loss_scale_value
        self.cur_iter = Parameter(Tensor(1, dtypes.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, dtypes.int32), name="last_overflow_iterator_step")

    def construct(self, loss_scale: Parameter, overflow: Tensor) -> Tensor:
        clean = self.cur_iter - self.last_overflow_iter >= self.scale_window
        smaller = ops.maximum(loss_scale / self.scale_factor, 1.0)
        moved = ops.select(clean, loss_scale * self.scale_factor, loss_scale)
        ops.assign(loss_scale, ops.select(overflow, smaller, moved).astype(loss_scale.dtype))
        restart = ops.logical_or(overflow, clean)
        ops.assign(self.last_overflow_iter, ops.select(restart, self.cur_iter, self.last_overflow_iter))
        ops.assign_add(self.cur_iter, 1)
        return overflow

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.loss_scale_value


class FixedLossScaleUpdateCell(Cell):
    """Keeps the scale; steps that overflow are still skipped.

    Args:
        loss_scale_value: the scale.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> scale = Parameter(Tensor(1024.0), name="scale")
        >>> print(nn.FixedLossScaleUpdateCell(1024)(scale, Tensor(True)), scale.asnumpy())
        True 1024.0
    """

    def __init__(self, loss_scale_value: float):
        super().__init__()
        check_float_range(
            type(self).__name__, "loss_scale_value", loss_scale_value, 0.0, float("inf"), include_low=False
        )
        self.loss_scale_value = loss_scale_value

    def construct(self, _: Any, overflow: Tensor) -> Tensor:
        return overflow

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value


@primitives(
    allreduce=ops.AllReduce,
    equal=ops.Equal,
    less_equal=ops.LessEqual,
    logic_not=ops.LogicalNot,
    reduce_all=lambda _: ops.ReduceAll(False),
    reduce_sum=lambda _: ops.ReduceSum(False),
)
class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with a scaled loss: returns the loss, whether the step overflowed, and the scale.

    When a gradient is infinite or NaN the step is skipped: Parameters and the optimizer's state stay as they are.

    Args:
        network: gives the loss, see :class:`WithLossCell`.
        optimizer: updates the Parameters it was made for.
        scale_sense: the scale, a Tensor of shape () or (1,), or a Cell that moves it
            (:class:`DynamicLossScaleUpdateCell`, :class:`FixedLossScaleUpdateCell` or any Cell with ``get_loss_scale``).

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> step = nn.TrainOneStepWithLossScaleCell(
        ...     nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1),
        ...     scale_sense=nn.DynamicLossScaleUpdateCell(1024, 2, 1000))
        >>> loss, overflow, scale = step(Tensor([[1.0]]), Tensor([[0.0]]))
        >>> print(loss, overflow, scale, net.weight.asnumpy())
        1.0 False 1024.0 [[0.8]]
    """

    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Any):
        super().__init__(network, optimizer, sens=None)
        owner = "TrainOneStepWithLossScaleCell"
        self.hyper_map = HyperMap()
        self.is_distributed = self.reducer_flag
        self.loss_scaling_manager: Cell | None = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            first: Any = Tensor(scale_sense.get_loss_scale(), dtypes.float32)
        elif isinstance(scale_sense, Tensor):
            if scale_sense.shape not in ((), (1,)):
                raise refused(
                    ValueError,
                    f"For '{owner}', the shape of 'scale_sense' must be (1,) or (), but got {scale_sense.shape}.",
                )
            first = scale_sense
        else:
            raise refused(
                TypeError, f"For '{owner}', the 'scale_sense' must be Cell or Tensor, but got {shown(scale_sense)}."
            )
        self.scale_sense = Parameter(first, name="scale_sense")

    def construct(self, *inputs: Any) -> Any:
        scale = self.scale_sense.value()
        loss, gradients = self._loss_and_gradients(inputs, scale.reshape(()))
        gradients = self.grad_reducer(self.hyper_map(ops.partial(grad_scale, scale), gradients))
        condition = self.get_overflow_status(None, gradients)
        overflow = self.process_loss_scale(condition)
        if not overflow:
            self.optimizer(gradients)
        return loss, condition, scale

    def set_sense_scale(self, sens: Tensor) -> None:
        """Another scale, where it is not moved by a Cell."""
        if self.loss_scaling_manager is not None:
            raise refused(
                ValueError,
                "For 'set_sense_scale', the scale of this Cell is moved by the Cell given as 'scale_sense'; set it there.",
            )
        if not isinstance(sens, Tensor):
            raise refused(WrongObject, f"For 'set_sense_scale', the 'sens' must be a Tensor, but got {shown(sens)}.")
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[Any, Any]:
        """Called before the gradients are computed; returns a status to hand over, and the input unchanged."""
        return None, compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Tensor:
        """Whether any of the gradients is infinite or NaN: a Bool Tensor."""
        looked_at = [one.values if one.__class__ is RowGradient else one for one in compute_output]
        return ops.logical_not(all_finite(tuple(looked_at)))

    def process_loss_scale(self, overflow: Tensor) -> Tensor:
        """Move the scale; returns whether the update must be skipped."""
        if self.loss_scaling_manager is None:
            return overflow
        return self.loss_scaling_manager(self.scale_sense, overflow)
