"""A request to end training that all processes of a job agree on."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.communication import get_group_size

__all__ = ["ExitByRequest"]


class ExitByRequest:
    """Tells all processes of a job that every one of them was asked to exit; ``OnRequestExit`` acts on it.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.utils import ExitByRequest
        >>> asked, exits = Parameter(Tensor([1])), Parameter(Tensor(False))
        >>> print(ExitByRequest().exit_by_request(Tensor([2.0]), asked, exits), bool(exits))
        [2.] False
    """

    def __init__(self) -> None:
        self.group_size = get_group_size()
        self.is_distributed = self.group_size > 1

    def exit_by_request(self, grad: Any, init_value: Any, exit_value: Any) -> Any:
        """The gradient; ``exit_value`` becomes true if ``init_value`` is 1 in every process of several."""
        if not self.is_distributed:
            return grad
        asked = ops.AllReduce()(init_value)
        return ops.depend(grad, ops.assign(exit_value, (asked == self.group_size).all()))
