"""Push and Pull: the exchange with a parameter server, which programs construct. Devices exchange directly here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._utils.checks import check_str

_INSTEAD = (
    "There is no parameter server: the devices of a job hold the Parameters themselves and exchange gradients directly. "
    "Leave out set_param_ps() and train with mindspore.set_auto_parallel_context(parallel_mode='data_parallel')."
)


@register_primitive
class Push(Primitive):
    """Gradients on their way to a parameter server. It can be made, not called: see the error it raises.

    Args:
        optim_type: the operator with which the server would update the weight.
        only_shape_indices: the inputs of which only the shape would be sent; by default none.

    Examples:
        >>> from mindspore import ops
        >>> ops.Push("ApplyMomentum", [2]).optim_type
        'ApplyMomentum'
    """

    def __init__(self, optim_type: str = "ApplyMomentum", only_shape_indices: Sequence[int] | None = None):
        super().__init__("Push")
        self.optim_type = check_str("Push", "optim_type", optim_type)
        self.only_shape_indices = only_shape_indices
        self.attrs.update(optim_type=optim_type, only_shape_indices=only_shape_indices)

    def __call__(self, *inputs: Any) -> NoReturn:
        raise RuntimeError(f"For 'Push', the gradients cannot be sent. {_INSTEAD}")


@register_primitive
class Pull(Primitive):
    """A weight on its way from a parameter server. It can be made, not called: see the error it raises.

    Examples:
        >>> from mindspore import ops
        >>> ops.Pull()
        Prim[Pull]
    """

    def __init__(self) -> None:
        super().__init__("Pull")

    def __call__(self, *inputs: Any) -> NoReturn:
        raise RuntimeError(f"For 'Pull', the weight cannot be fetched. {_INSTEAD}")
