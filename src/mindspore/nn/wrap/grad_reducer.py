"""All-reduce of gradients over the devices of a job."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindspore._engine.cluster import process_group
from mindspore._engine.execution.row_gradient import RowGradient, on_values
from mindspore._engine.runtime.context import get_auto_parallel_context
from mindspore._engine.runtime.parallel_context import parallel, plans_graphs
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.distributed.collective import AllGather, reduce_all
from mindspore._utils.checks import check_type, shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell

__all__ = ["DistributedGradReducer", "PipelineGradReducer"]


class DistributedGradReducer(Cell):
    """Adds up gradients over all devices, and divides them by their number for the mean.

    Args:
        parameters: the Parameters whose gradients will be passed, in that order.
        mean: whether to take the mean instead of the sum; None for what the parallel context says in ``gradients_mean``.
        degree: number to divide by; None for the number of devices.
        fusion_type: how gradients are gathered into messages.
        group: the devices that take part.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> reducer = nn.DistributedGradReducer([weight], mean=True, degree=4)
        >>> print(*reducer((Tensor([2.0]),)))
        [0.5]
    """

    def __init__(
        self,
        parameters: Iterable[Parameter],
        mean: bool | None = None,
        degree: int | None = None,
        fusion_type: int = 1,
        group: str = "hccl_world_group",
    ):
        super().__init__(auto_prefix=False)
        owner = "DistributedGradReducer"
        if mean is None:
            mean = bool(get_auto_parallel_context("gradients_mean"))
        check_type(owner, "mean", mean, bool)
        if degree is None:
            configured = parallel.values.device_num if parallel.was_set("device_num") else None
            degree = configured or len(process_group.ranks_of(owner, group))
        if isinstance(degree, bool) or not isinstance(degree, int) or degree <= 0:
            raise refused(
                ValueError, f"For '{owner}', the 'degree' must be an int larger than 0, but got {shown(degree)}."
            )
        self.mean = mean
        self.degree = degree
        self.group = group
        self.fusion_type = fusion_type
        # Parameters that live on one device only keep their own gradients.
        check_type(owner, "parameters", parameters, (tuple, list))
        for one in parameters:
            check_type(owner, "parameters", one, Parameter)
        self.reduced = tuple(not parameter.layerwise_parallel for parameter in parameters)
        self.last_of_messages = tuple(get_auto_parallel_context("all_reduce_fusion_config") or ())

    def construct(self, grads: Any) -> tuple[Any, ...]:
        if plans_graphs():
            raise RuntimeError(
                f"{type(self).__name__} can not be used in graph mode with the parallel mode "
                f"'{parallel.values.parallel_mode}': gradients are those of the whole batch there. Leave it out."
            )
        gradients = list(grads)
        factor = 1.0 / self.degree if self.mean else 1.0
        for index, gradient in enumerate(gradients):
            if gradient.__class__ is RowGradient and self.reduced[index]:
                gradients[index] = on_values(lambda rows: _scaled(rows, factor), self._rows_of_all(gradient))
        for indices in self._messages(gradients):
            for index, total in zip(
                indices, reduce_all([gradients[index] for index in indices], self.group), strict=True
            ):
                gradients[index] = total if factor == 1.0 else _scaled(total, factor)
        return tuple(gradients)

    def _rows_of_all(self, gradient: Any) -> RowGradient:
        """All-gather the rows that devices looked up: they add up in the update."""
        gather = AllGather(self.group)
        return RowGradient.made(gather(gradient.indices), gather(gradient.values), gradient.shape[0])

    def _messages(self, gradients: list[Tensor]) -> list[list[int]]:
        """Buckets of gradients for one AllReduce each: all dense ones, or as ``all_reduce_fusion_config`` says."""
        count = len(gradients)
        dense = [self.reduced[index] and gradients[index].__class__ is not RowGradient for index in range(count)]
        ends = [*(end + 1 for end in self.last_of_messages if end + 1 < count), count]
        starts = [0, *ends[:-1]]
        cuts = [[index for index in range(*cut) if dense[index]] for cut in zip(starts, ends, strict=True)]
        return [indices for indices in cuts if indices]


def _scaled(gradient: Tensor, factor: float) -> Tensor:
    return (gradient * factor).astype(gradient.dtype)


class PipelineGradReducer(Cell):
    """Scales the gradients a pipeline has accumulated.

    Args:
        parameters: the Parameters whose gradients will be passed, in that order.
        scale_sense: what the loss was multiplied by.
        opt_shard: whether the optimizer's state is split over devices.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> print(*nn.PipelineGradReducer([weight], scale_sense=4.0)((Tensor([2.0]),)))
        [0.5]
    """

    def __init__(self, parameters: Iterable[Parameter], scale_sense: float = 1.0, opt_shard: bool | None = None):
        super().__init__(auto_prefix=False)
        self.grad_reducer = DistributedGradReducer(parameters)
        self.scale_sense = scale_sense
        self.opt_shard = opt_shard

    def construct(self, grads: Any) -> tuple[Any, ...]:
        # In an SPMD graph gradients are summed over the whole batch already.
        gradients = grads if plans_graphs() else self.grad_reducer(grads)
        return tuple((each / self.scale_sense).astype(each.dtype) for each in gradients)
