"""A pipeline that sends its rows to a named queue, from which a network fetches them."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mindspore._utils import data_queues
from mindspore.dataset._pipeline.threads import start_thread

if TYPE_CHECKING:
    from mindspore.dataset.engine.datasets import Dataset

__all__ = ["TransferDataset"]


class TransferDataset:
    """The result of ``Dataset.device_que``: ``send`` starts, ``stop_send`` ends the transfer.

    Examples:
        >>> import mindspore.dataset as ds
        >>> sender = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).device_que(queue_name="rows")
        >>> type(sender).__name__
        'TransferDataset'
    """

    def __init__(self, input_dataset: Dataset, queue_name: str = ""):
        self.dataset = input_dataset
        self.queue_name = queue_name or str(uuid.uuid4())
        self._stopped = threading.Event()

    def send(self, num_epochs: int = -1) -> None:
        """Send the rows of some epochs, -1 for endless epochs, while the program goes on."""
        iterator = self.dataset.create_tuple_iterator(num_epochs=num_epochs, output_numpy=True)
        data_queues.close(self.queue_name)
        data_queues.open_queue(self.queue_name)
        start_thread(self._run, iterator, num_epochs, stop=self._stopped.set)

    def _run(self, iterator: Iterable[Any], num_epochs: int) -> None:
        problem: BaseException | None = None
        done = 0
        try:
            while not self._stopped.is_set() and done != num_epochs:
                for row in iterator:
                    if self._stopped.is_set():
                        break
                    data_queues.send(self.queue_name, row, self._stopped.is_set)
                done += 1
        except BaseException as error:  # raised again for the reader of the next row
            problem = error
        if not self._stopped.is_set():
            data_queues.finish(self.queue_name, problem, self._stopped.is_set)

    def stop_send(self) -> None:
        """Send no more; what waits in the queue is dropped."""
        self._stopped.set()
        data_queues.close(self.queue_name)

    def get_data_info(self) -> tuple[list[Any], list[list[int]]]:
        """The NumPy dtypes and the shapes of a row."""
        return self.dataset.output_types(), self.dataset.output_shapes()
