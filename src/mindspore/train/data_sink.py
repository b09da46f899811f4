"""Functions that fetch their own data."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindspore._engine.graph.jit import JitConfig, jit
from mindspore._utils.checks import check_callable, check_positive_int, shown
from mindspore._utils.refusals import refused
from mindspore.train.dataset_helper import DatasetHelper, check_dataset

if TYPE_CHECKING:  # loaded when a program names it
    from mindspore.dataset.engine.datasets import Dataset

__all__ = ["data_sink"]


def data_sink(
    fn: Callable[..., Any],
    dataset: Dataset,
    sink_size: int = 1,
    jit_config: JitConfig | None = None,
    input_signature: Any = None,
) -> Callable[..., Any]:
    """A function without inputs that calls ``fn`` with the next batch; after the last batch comes the first again.

    Args:
        fn: a training step: takes the columns of a batch.
        sink_size: batches of a call; the result is that of the last batch.
        jit_config: given: ``fn`` is compiled, see :func:`mindspore.jit`.
        input_signature: kept for programs that give it.

    Examples:
        >>> import mindspore as ms
        >>> import mindspore.dataset as ds
        >>> data = ds.NumpySlicesDataset([1.0, 2.0, 3.0], shuffle=False)
        >>> squares = ms.data_sink(lambda x: x * x, data, sink_size=2)
        >>> print(squares(), squares())
        4.0 1.0
    """
    check_callable("data_sink", "fn", fn)
    check_dataset("data_sink", dataset)
    check_positive_int("data_sink", "sink_size", sink_size)
    if jit_config is not None and not isinstance(jit_config, JitConfig):
        raise refused(TypeError, f"For 'data_sink', the 'jit_config' must be a JitConfig, but got {shown(jit_config)}.")
    step = fn if jit_config is None else jit(fn)
    fetch = DatasetHelper(dataset, True, sink_size, epoch_num=-1).fetch

    def sunk(*further: Any, **keywords: Any) -> Any:
        result = None
        for _ in range(sink_size):
            result = step(*fetch(), *further, **keywords)
        return result

    return sunk
