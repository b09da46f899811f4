"""Batches on their way from a dataset to a network, step by step or many steps at a call."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.dtype import DType
from mindspore._engine.graph.jit import compiles_now
from mindspore._utils.checks import check_bool, check_positive_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.common.dtype import pytype_to_dtype
from mindspore.nn.cell import Cell

if TYPE_CHECKING:  # loaded when a program names it
    from mindspore.dataset.engine.datasets import Dataset
    from mindspore.dataset.engine.iterators import TupleIterator

__all__ = ["DatasetHelper", "connect_network_with_dataset"]


def is_dataset(value: Any) -> bool:
    """Whether this is a pipeline; asked without loading the package that makes them."""
    return callable(getattr(value, "create_tuple_iterator", None))


def check_dataset(owner: str, dataset: Any) -> Dataset:
    """The dataset, which must have rows."""
    checked_size(owner, dataset)
    return dataset


def checked_size(owner: str, dataset: Any) -> int:
    """The number of rows of a dataset, of which there must be some."""
    if not is_dataset(dataset):
        raise refused(
            WrongObject,
            f"For '{owner}', the dataset must be a pipeline of mindspore.dataset, but got {shown(dataset)}. "
            "Arrays become one with mindspore.dataset.NumpySlicesDataset, iterables with GeneratorDataset.",
        )
    if (size := dataset.get_dataset_size()) == 0:
        raise ValueError("There is no valid data in dataset, please check dataset file firstly.")
    return size


class DatasetHelper:
    """Hands the batches of a dataset to a training loop. Every ``for`` loop over it is one epoch.

    Without sinking the loop gets the batches. With sinking it gets empty tuples: the network of
    :func:`connect_network_with_dataset` fetches its batches itself, ``sink_size`` of them at a call in graph mode (the loop
    then has one round) and one at a call in PyNative mode. Batches continue where the last epoch stopped.

    Args:
        dataset: the pipeline.
        dataset_sink_mode: whether the network fetches its batches.
        sink_size: batches of one epoch when sinking; -1 for all of the dataset.
        epoch_num: how many epochs there will be.

    Examples:
        >>> import mindspore.dataset as ds
        >>> from mindspore import DatasetHelper, nn
        >>> data = ds.NumpySlicesDataset({"x": [[1.0], [2.0], [3.0]]}, shuffle=False)
        >>> [x.asnumpy().item() for (x,) in DatasetHelper(data, dataset_sink_mode=False)]
        [1.0, 2.0, 3.0]
    """

    def __init__(self, dataset: Dataset, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1):
        size = checked_size("DatasetHelper", dataset)
        check_bool("DatasetHelper", "dataset_sink_mode", dataset_sink_mode)
        check_sink_size("DatasetHelper", sink_size)
        if epoch_num != -1:
            check_positive_int("DatasetHelper", "epoch_num", epoch_num)
        self._begin(dataset, size, dataset_sink_mode, sink_size, epoch_num)

    @classmethod
    def _of_checked(cls, dataset: Dataset, size: int, sinks: bool, sink_size: int, epochs: int) -> DatasetHelper:
        """For arguments that were validated under another name, and a size that is known."""
        helper = cls.__new__(cls)
        helper._begin(dataset, size, sinks, sink_size, epochs)
        return helper

    def _begin(self, dataset: Dataset, size: int, sinks: bool, sink_size: int, epochs: int) -> None:
        self.dataset, self.sinks, self._size = dataset, sinks, size
        self._steps = size if sink_size == -1 or not self.sinks else sink_size
        self._together = self._steps if self.sinks and compiles_now() else 1
        passes = epochs if epochs == -1 else -(-epochs * self._steps // size)
        self._batches: TupleIterator[Any] = dataset.create_tuple_iterator(num_epochs=passes)
        self._first_round = self._steps

    # -- what a loop over it sees ---------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[Any]:
        rounds, self._first_round = self._first_round, self._steps
        if not self.sinks:
            return iter(self._batches)
        return itertools.repeat((), -(-rounds // self._together))

    def fetch(self) -> list[Any]:
        """The next batch; after the last one of the dataset comes the first again."""
        batch = next(self._batches, None)
        return next(self._batches) if batch is None else batch

    def begin_at(self, epochs: int, steps: int, seed: int) -> None:
        """Go on where another run stopped: after some epochs and some steps of the next."""
        taken = epochs * self._steps + steps
        self._batches.begin_at(*divmod(taken, self._size), seed)
        self._first_round = self._steps - steps

    @property
    def seed(self) -> int:
        """The seed of the pipeline's random numbers."""
        return self._batches.seed

    def steps_of_a_call(self) -> int:
        """Batches the connected network takes at once."""
        return self._together

    # -- what real programs ask ---------------------------------------------------------------------------------------
    def sink_size(self) -> int:
        """Batches of one epoch."""
        return self._steps

    def types_shapes(self) -> tuple[list[DType], list[list[int]]]:
        """The dtypes and shapes of a batch's columns."""
        types = [pytype_to_dtype(output_type) for output_type in self.dataset.output_types()]
        return types, self.dataset.output_shapes()

    def get_data_info(self) -> tuple[list[DType], list[list[int]]]:
        """The same as :meth:`types_shapes`."""
        return self.types_shapes()

    def stop_send(self) -> None:
        """End the pipeline."""
        self._batches.stop()

    release = stop_send

    def get_mbuf_queue_size(self) -> int:
        """How many batches wait in a queue of the device: none, they wait on the host."""
        return 0

    def continue_send(self) -> None:
        """Nothing to do: batches are prepared ahead at all times."""


def check_sink_size(owner: str, sink_size: Any) -> int:
    """-1 or a positive number."""
    if isinstance(sink_size, bool) or not isinstance(sink_size, int):
        raise refused(TypeError, f"For '{owner}', the 'sink_size' must be an int, but got {shown(sink_size)}.")
    if sink_size < -1 or sink_size == 0:
        raise refused(
            ValueError, f"For '{owner}', The argument 'sink_size' must be -1 or positive, but got {sink_size}."
        )
    return sink_size


class ConnectedNetwork(Cell):
    """A network that fetches its batches: a call without inputs runs one step, or as many as are sunk together.

    The steps are enqueued on the device in order. Nothing is read back in between, so the device never waits.
    """

    def __init__(self, network: Cell, fetch: Callable[[], list[Any]], steps: int):
        super().__init__(auto_prefix=False)
        self.network = network
        self._fetch = fetch
        self._steps = steps

    def __call__(self, *inputs: Any) -> Any:  # type: ignore[override]
        """The output of the last step."""
        if inputs:
            return self.network(*inputs)
        output = None
        for _ in range(self._steps):
            output = self.network(*self._fetch())
        return output

    construct = __call__


def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> Cell:
    """A network that takes its inputs from a dataset by itself.

    Args:
        network: one training step.
        dataset_helper: sinking; says how many steps a call makes.

    Examples:
        >>> import mindspore.dataset as ds
        >>> from mindspore import DatasetHelper, connect_network_with_dataset, nn
        >>> data = ds.NumpySlicesDataset({"x": [[1.0], [2.0], [3.0]]}, shuffle=False)
        >>> helper = DatasetHelper(data, dataset_sink_mode=True, sink_size=2, epoch_num=3)
        >>> net = connect_network_with_dataset(nn.ReLU(), helper)
        >>> for epoch in range(3):
        ...     for inputs in helper:
        ...         print(net(*inputs))
        [2.]
        [1.]
        [3.]
    """
    if not isinstance(dataset_helper, DatasetHelper):
        raise refused(
            TypeError,
            f"For 'connect_network_with_dataset', the 'dataset_helper' must be a DatasetHelper, but got {shown(dataset_helper)}.",
        )
    if not dataset_helper.sinks:
        raise RuntimeError("The API 'connect_network_with_dataset' should be called in dataset sink mode.")
    return ConnectedNetwork(network, dataset_helper.fetch, dataset_helper.steps_of_a_call())
