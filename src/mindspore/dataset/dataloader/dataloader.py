"""Batches of a dataset, loaded here or by worker processes."""

from __future__ import annotations

import functools
import itertools
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as LateError
from typing import Any, Generic, TypeVar

import numpy as np

from mindspore.dataset.dataloader._utils import collate as collating
from mindspore.dataset.dataloader._utils.worker import (
    Exhausted,
    LoadingProcess,
    WorkerInfo,
    WorkerState,
    fetch_indices,
    fetch_next,
)
from mindspore.dataset.dataloader.dataset import Dataset, IterableDataset
from mindspore.dataset.dataloader.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader"]

Sample = TypeVar("Sample", covariant=True)


class DataLoader(Generic[Sample]):
    """Iterates over batches of a dataset, by number or one after the other.

    Args:
        dataset: a :class:`Dataset`, anything with ``__getitem__`` and ``__len__``, or an :class:`IterableDataset`.
        batch_size: samples of a batch; None for single samples.
        shuffle: whether a :class:`RandomSampler` chooses; otherwise a :class:`SequentialSampler` does.
        sampler: what chooses the indices, instead of the two.
        batch_sampler: what chooses lists of indices, instead of ``batch_size``, ``shuffle``, ``sampler`` and ``drop_last``.
        num_workers: processes that load batches ahead; 0 for none.
        collate_fn: a function of a list of samples; by default :func:`default_collate`, or :func:`default_convert` of single ones.
        pin_memory: of no effect: XLA chooses the memory that transfers start from.
        drop_last: whether a smaller last batch is left out.
        timeout: seconds to wait for a worker; 0 for no limit.
        worker_init_fn: called in each worker with its number, before the first batch.
        multiprocessing_context: of no effect: workers are fresh processes that never load XLA.
        generator: a NumPy generator for the order and the workers' seeds.
        prefetch_factor: batches that each worker loads ahead; 2 by default.
        persistent_workers: whether workers stay for the next pass.
        in_order: whether batches come in the order of the sampler, also if a later one is ready first.

    Examples:
        >>> from mindspore.dataset.dataloader import DataLoader
        >>> for batch in DataLoader([1.5, 2.5, 3.5], batch_size=2):
        ...     print(batch)
        [1.5 2.5]
        [3.5]
    """

    def __init__(self, dataset: Dataset, batch_size: int | None = 1, shuffle: bool | None = None,
                 sampler: Sampler | Iterable | None = None, batch_sampler: Sampler | Iterable | None = None,
                 num_workers: int = 0, collate_fn: Callable[[list], Any] | None = None, pin_memory: bool = False,
                 drop_last: bool = False, timeout: float = 0.0, worker_init_fn: Callable[[int], None] | None = None,
                 multiprocessing_context: Any = None, generator: Any = None, *, prefetch_factor: int | None = None,
                 persistent_workers: bool = False, in_order: bool = True) -> None:  # fmt: skip
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.num_workers, self.timeout, self.pin_memory = num_workers, timeout, pin_memory
        self.prefetch_factor, self.persistent_workers, self.in_order = prefetch_factor, persistent_workers, in_order
        self.worker_init_fn, self.multiprocessing_context, self.generator = (
            worker_init_fn,
            multiprocessing_context,
            generator,
        )
        self.is_iterable = isinstance(dataset, IterableDataset)
        self.dataset_type = "iterable" if self.is_iterable else "map"
        self._check(shuffle, sampler, batch_sampler)
        if batch_sampler is not None:
            self.batch_size, self.drop_last = None, False
        if self.is_iterable:
            sampler = itertools.repeat(None)
        elif sampler is None and batch_sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_sampler is None and batch_size is not None and not self.is_iterable:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)  # type: ignore[arg-type]
        self.sampler, self.batch_sampler = sampler, batch_sampler
        self.auto_collation = batch_sampler is not None or (self.is_iterable and batch_size is not None)
        self.collate_fn = collate_fn or (
            collating.default_collate if self.auto_collation else collating.default_convert
        )
        self._crew: _LoadingProcesses | None = None

    def _check(self, shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
        for name, value in (("num_workers", self.num_workers), ("timeout", self.timeout)):
            if value < 0:
                raise ValueError(f"{name} must be non-negative, but got: {value}.")
        for name, given in (
            ("prefetch_factor", self.prefetch_factor is not None),
            ("persistent_workers", self.persistent_workers),
        ):
            if given and not self.num_workers:
                raise ValueError(f"{name} must only be specified when num_workers is greater than 0, but got: 0.")
        if self.is_iterable:
            for name, given in (
                ("shuffle", shuffle),
                ("sampler", sampler is not None),
                ("batch_sampler", batch_sampler is not None),
            ):
                if given:
                    raise ValueError(f"{name} cannot be specified when dataset is iterable style.")
        elif not hasattr(self.dataset, "__getitem__"):
            kind = type(self.dataset).__name__
            raise NotImplementedError(f"{kind} should implement __getitem__ method if it is map style.")
        if sampler is not None and shuffle:
            raise ValueError("sampler cannot be specified with shuffle.")
        if batch_sampler is not None:
            given_too = {
                "batch_size": self.batch_size != 1,
                "shuffle": shuffle,
                "sampler": sampler is not None,
                "drop_last": self.drop_last,
            }
            for name, given in given_too.items():
                if given:
                    raise ValueError(f"{name} cannot be specified with batch_sampler.")
        elif self.batch_size is not None and self.batch_size < 1:
            raise ValueError(f"batch_size must be positive, but got: {self.batch_size}.")

    @property
    def index_sampler(self) -> Any:
        """What chooses the samples of each batch."""
        return self.batch_sampler if self.batch_sampler is not None else self.sampler

    def __len__(self) -> int:
        if not self.is_iterable:
            return len(self.index_sampler)
        count: int = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        if not self.num_workers:
            return self._here()
        if self._crew is None or not self.persistent_workers:
            self._crew = _LoadingProcesses(self)
        return self._crew.batches(self)

    # -- batches of one pass ---------------------------------------------------------------------------------------------
    def fetcher(self, collate: Callable[..., Any]) -> Callable[..., Any]:
        """What makes a batch of what the sampler chose."""
        if self.is_iterable:
            return functools.partial(fetch_next, collate, self.drop_last)
        return functools.partial(fetch_indices, collate)

    def wishes(self) -> Iterator[Any]:
        """What the sampler chooses, batch by batch; sizes of batches where samples have no numbers."""
        return itertools.repeat(self.batch_size) if self.is_iterable else iter(self.index_sampler)

    def _here(self) -> Iterator[Any]:
        state = WorkerState(WorkerInfo(0, 0, 0, self.dataset), self.fetcher(self.collate_fn), None)
        for wanted in self.wishes():
            batch = state.fetch(state, self.dataset, wanted)
            if isinstance(batch, Exhausted):
                return
            yield batch


class _LoadingProcesses:
    """The worker processes of a DataLoader, each with a thread that talks to it."""

    def __init__(self, loader: DataLoader):
        seeds = loader.generator or np.random.default_rng(np.random.randint(2**31))
        seed = int(seeds.integers(2**31))
        # what the default functions make becomes Tensors in this process
        light = {
            collating.default_collate: collating.collate_arrays,
            collating.default_convert: collating.convert_arrays,
        }
        fetch = loader.fetcher(light.get(loader.collate_fn, loader.collate_fn))
        count = loader.num_workers
        infos = [WorkerInfo(number, count, seed + number, loader.dataset) for number in range(count)]
        self.loaders = [LoadingProcess(WorkerState(info, fetch, loader.worker_init_fn)) for info in infos]
        self.threads = [ThreadPoolExecutor(1, "dataloader") for _ in infos]
        self._finalizer = weakref.finalize(self, _end, self.loaders, self.threads)

    def batches(self, loader: DataLoader) -> Iterator[Any]:
        wishes, busy = loader.wishes(), itertools.cycle(range(len(self.loaders)))
        active = [True] * len(self.loaders)
        first = [True] * len(self.loaders)
        pending: deque[tuple[int, Future]] = deque()

        def send() -> None:
            if not any(active):
                return
            number = next(one for one in busy if active[one])
            wanted = next(wishes, _NOTHING)
            if wanted is not _NOTHING:
                pending.append((number, self.threads[number].submit(self.loaders[number].load, wanted, first[number])))
                first[number] = False

        try:
            for _ in range(len(self.loaders) * (loader.prefetch_factor or 2)):
                send()
            while pending:
                number, batch = self._next(pending, loader)
                if isinstance(batch, Exhausted):
                    active[number] = False
                else:
                    yield collating.to_tensors(batch)
                send()
        finally:
            for _, future in pending:
                future.cancel()
            if not loader.persistent_workers:
                self._finalizer()

    def _next(self, pending: deque, loader: DataLoader) -> tuple[int, Any]:
        if not loader.in_order:
            wait([future for _, future in pending], loader.timeout or None, FIRST_COMPLETED)
            ready = next((one for one in pending if one[1].done()), pending[0])
            pending.remove(ready)
            pending.appendleft(ready)
        number, future = pending.popleft()
        try:
            return number, future.result(loader.timeout or None)
        except LateError:
            raise RuntimeError(
                f"DataLoader worker {number} gave no batch within {loader.timeout} seconds. Set a longer 'timeout', or "
                "more workers."
            ) from None


_NOTHING = object()


def _end(loaders: list[LoadingProcess], threads: list[ThreadPoolExecutor]) -> None:
    for thread in threads:
        thread.shutdown(wait=False, cancel_futures=True)
    for loader in loaders:
        loader.close()
