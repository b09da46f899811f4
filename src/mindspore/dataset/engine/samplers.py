"""Samplers: which samples of a source are read, and in which order."""

from __future__ import annotations

import enum
import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from mindspore._utils.refusals import WrongObject
from mindspore.dataset._pipeline.errors import users_code
from mindspore.dataset._pipeline.random_orders.exact_random import (
    below,
    canonical,
    mersenne_32,
    shuffle,
    shuffle_with,
    with_replacement,
)
from mindspore.dataset.core import config
from mindspore.dataset.core.checks import check_bool, check_int, check_positive_int, check_str, check_type, shown

__all__ = [
    "BuiltinSampler",
    "DistributedSampler",
    "IterSampler",
    "PKSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Shuffle",
    "SubsetRandomSampler",
    "SubsetSampler",
    "WeightedRandomSampler",
]

# The order of a pass: called with its number, from 1.
Order = Callable[[int], Sequence[int]]


class Shuffle(str, enum.Enum):  # noqa: UP042  (prints as Shuffle.GLOBAL)
    """How files of rows are shuffled: not, by file, or rows too.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.TextFileDataset("data/lines/*.txt", shuffle=ds.Shuffle.FILES)
        >>> dataset.get_col_names()
        ['text']
    """

    FALSE = "false"
    FILES = "files"
    GLOBAL = "global"
    INFILE = "infile"
    PARTIAL = "partial"
    ADAPTIVE = "adaptive"


class _AnySampler:
    """What all samplers share: they may choose among the rows of a child sampler."""

    def __init__(self, num_samples: int | None = None):
        if num_samples is not None:
            num_samples = check_int(type(self).__name__, "num_samples", num_samples, low=0)
        self.num_samples = num_samples
        self.child_sampler: _AnySampler | None = None

    def add_child(self, sampler: Any) -> None:
        """Choose from what ``sampler`` chooses."""
        if self.child_sampler is not None:
            raise RuntimeError("Cannot add child sampler, this sampler already has a child.")
        self.child_sampler = to_sampler(sampler)

    def get_child(self) -> Any:
        """The sampler added by ``add_child``, or None."""
        return self.child_sampler

    def parse(self) -> Any:
        """The sampler that does the work: this one."""
        return self

    parse_for_minddataset = parse

    def parse_child(self) -> Any:
        """The sampler that does the work of the child, or None."""
        return self.child_sampler if self.child_sampler is None else self.child_sampler.parse()

    parse_child_for_minddataset = parse_child

    def get_num_samples(self) -> int | None:
        """The number of samples, if it was given here or to a child sampler; the smaller of both."""
        below = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        given = [count for count in (self.num_samples, below) if count is not None]
        return min(given, default=None)

    def get_shuffle_mode(self) -> Shuffle:
        """Whether the order is random, as datasets say it."""
        return Shuffle.GLOBAL if self.is_shuffled() else Shuffle.FALSE

    def is_shuffled(self) -> bool:
        """Whether the order is random, here or in a child sampler."""
        return self._draws() or (self.child_sampler is not None and self.child_sampler.is_shuffled())

    def _draws(self) -> bool:
        return bool(getattr(self, "shuffle", False))

    def is_sharded(self) -> bool:
        """Whether this is one of several parts of the data, here or in a child sampler."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()

    def start(self, count: int, seed: int, labels: Callable[[], Sequence[int]] | None = None) -> Order:
        """The orders of successive passes over ``count`` samples."""
        if self.child_sampler is None:
            return self._limited(self._order(count, seed, labels), count)
        inner = self.child_sampler.start(count, seed, labels)
        outer: list[Order] = []

        def order(number: int) -> Sequence[int]:
            chosen = inner(number)
            if not outer:
                outer.append(self._limited(self._order(len(chosen), seed, labels), len(chosen)))
            positions = outer[0](number)
            if max(positions, default=-1) >= len(chosen):
                raise RuntimeError(
                    f"{type(self).__name__}: Sample ID ({max(positions)}) is out of bound, expected range [0, {len(chosen) - 1}]: its child "
                    f"sampler chooses {len(chosen)} samples."
                )
            return [chosen[position] for position in positions]

        return order

    def _limited(self, order: Order, count: int) -> Order:
        limit = self.num_samples
        if not limit:
            return order
        return lambda number: order(number)[:limit]

    def _order(self, count: int, seed: int, labels: Callable[[], Sequence[int]] | None) -> Order:
        raise NotImplementedError

    def length(self, count: int, labels: Callable[[], Sequence[int]] | None = None) -> int:
        """The number of samples of a pass over ``count``."""
        known = None if self.child_sampler is not None else self._known_length(count)
        if known is None:
            return len(self.start(count, config.get_seed(), labels)(1))
        return min(known, self.num_samples or known)

    def _known_length(self, count: int) -> int | None:
        """How many samples the order has, where that is known without making it."""
        return None


class BuiltinSampler(_AnySampler):
    """Base of the samplers that come with the package.

    Examples:
        >>> import mindspore.dataset as ds
        >>> isinstance(ds.RandomSampler(), ds.BuiltinSampler)
        True
    """


class SequentialSampler(BuiltinSampler):
    """One after the other.

    Args:
        start_index: where to begin.
        num_samples: how many; None for all.

    Examples:
        >>> from mindspore.dataset.engine.samplers import SequentialSampler
        >>> list(SequentialSampler(2, 3).start(10, seed=1)(1))
        [2, 3, 4]
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None):
        super().__init__(num_samples)
        self.start_index = (
            0 if start_index is None else check_int("SequentialSampler", "start_index", start_index, low=0)
        )

    def _known_length(self, count: int) -> int | None:
        return count - self.start_index if self.start_index < max(count, 1) else None

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        if self.start_index >= max(count, 1):
            raise RuntimeError(
                "Invalid parameter, start_index must be less than num_rows, but got start_index: "
                f"{self.start_index}, num_rows: {count}."
            )
        return lambda number: range(self.start_index, count)


class RandomSampler(BuiltinSampler):
    """In random order.

    Args:
        replacement: whether a sample may come more than once.
        num_samples: how many; None for all.

    Examples:
        >>> from mindspore.dataset.engine.samplers import RandomSampler
        >>> RandomSampler().start(10, seed=3)(1)
        [3, 1, 8, 5, 2, 6, 9, 7, 0, 4]
    """

    def __init__(self, replacement: bool = False, num_samples: int | None = None, shuffle: Any = Shuffle.GLOBAL):
        super().__init__(num_samples)
        self.replacement = check_bool("RandomSampler", "replacement", replacement)
        self.shuffle = check_type("RandomSampler", "shuffle", shuffle, Shuffle)

    def _known_length(self, count: int) -> int:
        return count

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        if self.replacement:
            draws = min(self.num_samples or count, count)
            return lambda number: with_replacement(count, draws, seed + number - 1)
        return _reshuffled(list(range(count)), seed - 1)


def _reshuffled(ids: list[int], seed: int) -> Order:
    """Each pass shuffles the order of the previous pass."""

    def order(number: int) -> Sequence[int]:
        shuffle(ids, seed + number)
        return list(ids)

    return order


class SubsetSampler(BuiltinSampler):
    """The samples of a list, in its order.

    Args:
        indices: the numbers of the samples.

    Examples:
        >>> from mindspore.dataset.engine.samplers import SubsetSampler
        >>> SubsetSampler([3, 1]).start(10, seed=1)(1)
        [3, 1]
    """

    def __init__(self, indices: Iterable[int] | int, num_samples: int | None = None):
        super().__init__(num_samples)
        if not isinstance(indices, (int, Iterable)):
            got = f"{indices!r} of type {type(indices).__name__}"
            raise TypeError(f"For '{type(self).__name__}', the 'indices' must be a list of ints, but got {got}.")
        listed = [indices] if isinstance(indices, int) else list(indices)
        for position, item in enumerate(listed):
            if isinstance(item, bool) or not isinstance(item, (int, np.integer)):
                raise TypeError(
                    f"SubsetSampler: Type of indices element must be int, but got list[{position}]: {item}, type: {type(item)}."
                )
        self.indices = [int(item) for item in listed[: self.num_samples or None]]

    def get_num_samples(self) -> int:
        """The number of indices, or of what a child sampler gives if that is less."""
        below = None if self.child_sampler is None else self.child_sampler.get_num_samples()
        return len(self.indices) if below is None else min(len(self.indices), below)

    def _known_length(self, count: int) -> int:
        return len(self.indices)

    def _checked(self, count: int) -> list[int]:
        for index in self.indices:
            if not 0 <= index < count:
                raise RuntimeError(
                    f"{type(self).__name__}: Sample ID ({index}) is out of bound, expected range [0, {count - 1}]."
                )
        return self.indices

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        indices = self._checked(count)
        return lambda number: list(indices)


class SubsetRandomSampler(SubsetSampler):
    """The samples of a list, in random order.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([5, 6, 7], ["x"], sampler=ds.SubsetRandomSampler([0, 2]))
        >>> sorted(int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1))
        [5, 7]
    """

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        ids = list(self._checked(count))

        def order(number: int) -> Sequence[int]:
            # every pass shuffles with the seed that the program set, or with one of its own
            shuffle(ids, seed if config.has_seed() else seed + number - 1)
            return list(ids)

        return order

    def _draws(self) -> bool:
        return True


class DistributedSampler(BuiltinSampler):
    """The share of one of several processes.

    Args:
        num_shards: number of processes.
        shard_id: number of this shard.
        shuffle: whether the order is random, the same for all processes.
        num_samples: how many of the share; None for all.
        offset: how many samples the first process is moved forward; -1 for none.

    Examples:
        >>> from mindspore.dataset.engine.samplers import DistributedSampler
        >>> DistributedSampler(2, 1, shuffle=False).start(7, seed=1)(1)
        [1, 3, 5, 0]
    """

    def __init__(
        self, num_shards: int, shard_id: int, shuffle: bool = True, num_samples: int | None = None, offset: int = -1
    ):
        super().__init__(num_samples)
        owner = "DistributedSampler"
        self.num_shards = check_positive_int(owner, "num_shards", num_shards)
        self.shard_id = check_int(owner, "shard_id", shard_id, low=0)
        if self.shard_id >= self.num_shards:
            raise ValueError(f"Input shard_id is not within the required interval of [0, {num_shards - 1}].")
        if not isinstance(shuffle, bool) and shuffle not in tuple(Shuffle):
            raise TypeError(f"shuffle must be a boolean value or valid shuffle mode but was: {shuffle!r}.")
        self.shuffle = shuffle not in (False, Shuffle.FALSE)
        self.offset = check_int(owner, "offset", offset, low=-1, high=num_shards)

    def set_offset(self, offset: int) -> DistributedSampler:
        """Begin with the part of this number."""
        self.offset = offset
        return self

    def is_sharded(self) -> bool:
        return True

    def _known_length(self, count: int) -> int:
        offset = max(self.offset, 0)
        share = -(-(count + offset) // self.num_shards)
        return (share - (self.shard_id < offset)) if count else 0

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        whole = _reshuffled(list(range(count)), seed) if self.shuffle else (lambda number: range(count))
        offset = max(self.offset, 0)
        share = -(-(count + offset) // self.num_shards)

        def order(number: int) -> Sequence[int]:
            ids = whole(number)
            first = self.shard_id - offset
            positions = (self.num_shards * turn + first for turn in range(share))
            return [ids[position % count] for position in positions if position >= 0] if count else []

        return order


class WeightedRandomSampler(BuiltinSampler):
    """Samples with a probability each.

    Args:
        weights: a weight per sample; they need not sum to 1.
        num_samples: how many; None for as many as there are weights.
        replacement: whether a sample may come more than once.

    Examples:
        >>> from mindspore.dataset.engine.samplers import WeightedRandomSampler
        >>> WeightedRandomSampler([0.0, 1.0, 0.0], 2).start(3, seed=1)(1)
        [1, 1]
    """

    def __init__(self, weights: Sequence[float], num_samples: int | None = None, replacement: bool = True):
        super().__init__(num_samples)
        for number, weight in enumerate(check_type("WeightedRandomSampler", "weights", weights, (list, np.ndarray))):
            check_type("WeightedRandomSampler", f"weights[{number}]", weight, (int, float, np.number))
        self.weights = [float(weight) for weight in weights]
        if not self.weights or min(self.weights) < 0 or sum(self.weights) <= 0:
            raise ValueError("WeightedRandomSampler: weights must be >= 0 and not all of them 0.")
        self.replacement = check_bool("WeightedRandomSampler", "replacement", replacement)

    def _draws(self) -> bool:
        return True

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        wanted = min(self.num_samples or count, count)
        if len(self.weights) > count:
            raise RuntimeError(f"WeightedRandomSampler: {len(self.weights)} weights for {count} samples.")
        if not self.replacement and wanted > sum(weight > 0 for weight in self.weights):
            raise RuntimeError(
                f"WeightedRandomSampler: {wanted} samples without replacement need as many weights above 0."
            )
        chosen = self._drawn(wanted, seed) if self.replacement else self._ranked(wanted, seed)
        return lambda number: list(chosen)  # every pass draws the same

    def _drawn(self, wanted: int, seed: int) -> list[int]:
        draw = canonical(mersenne_32(seed).__next__)
        sums = list(itertools.accumulate(self.weights))
        return [min(bisect_right(sums, draw() * sums[-1]), len(sums) - 1) for _ in range(wanted)]

    def _ranked(self, wanted: int, seed: int) -> list[int]:
        """The first to arrive, when each waits exponentially long by its weight."""
        draw = canonical(mersenne_32(seed).__next__)
        waits = [-math.log(1.0 - draw()) for _ in self.weights]
        times = [wait / weight if weight else math.inf for wait, weight in zip(waits, self.weights, strict=True)]
        return sorted(range(len(times)), key=times.__getitem__)[:wanted]


class PKSampler(BuiltinSampler):
    """K samples of each of P classes.

    Args:
        num_val: K, the number of samples of each class.
        num_class: P; None for all classes (another number is not supported by MindSpore either).
        shuffle: whether classes come in random order.
        class_column: the column that holds the class.
        num_samples: how many in total; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.ImageFolderDataset("data/image_folder", sampler=ds.PKSampler(1))
        >>> [int(row["label"]) for row in dataset.create_dict_iterator(num_epochs=1)]
        [0, 1, 2]
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ):
        super().__init__(num_samples)
        self.num_val = check_positive_int("PKSampler", "num_val", num_val)
        if num_class is not None:
            raise NotImplementedError("Not supported to specify num_class for PKSampler.")
        self.shuffle = check_bool("PKSampler", "shuffle", shuffle)
        self.class_column = check_str("PKSampler", "class_column", class_column)

    def _order(self, count: int, seed: int, labels: Callable[[], Sequence[int]] | None) -> Order:
        if labels is None:
            raise RuntimeError("PKSampler: this dataset does not tell the classes of its samples.")
        groups: dict[int, list[int]] = {}
        for position, label in enumerate(labels()):
            groups.setdefault(int(label), []).append(position)
        classes = sorted(groups)

        def order(number: int) -> Sequence[int]:
            draw = mersenne_32(seed + number - 1).__next__
            wanted = list(classes)
            if self.shuffle:
                shuffle_with(wanted, draw)
            return [groups[label][below(draw, len(groups[label]))] for label in wanted for _ in range(self.num_val)]

        return order


class Sampler(_AnySampler):
    """Base of a program's own samplers: define ``__iter__``, which gives the numbers of the samples.

    ``self.dataset_size`` and ``self.num_samples`` are there when it is called.

    Examples:
        >>> import mindspore.dataset as ds
        >>> class Reversed(ds.Sampler):
        ...     def __iter__(self):
        ...         return iter(range(self.dataset_size - 1, -1, -1))
        >>> data = ds.NumpySlicesDataset([1, 2, 3], sampler=Reversed())
        >>> [int(row["column_0"]) for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
        [3, 2, 1]
    """

    dataset_size = 0

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError("Sampler: define '__iter__'.")

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        self.dataset_size = count
        self.num_samples = self.num_samples or count
        return lambda number: _own_ids(self, count)


class IterSampler(Sampler):
    """The numbers of any iterable.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([5, 6, 7], ["x"], sampler=ds.IterSampler([2, 0]))
        >>> [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        [7, 5]
    """

    def __init__(self, sampler: Iterable[int], num_samples: int | None = None):
        super().__init__(num_samples)
        self.sampler = sampler

    def __iter__(self) -> Iterator[int]:
        if hasattr(self.sampler, "__iter__") or not hasattr(self.sampler, "__len__"):
            return iter(self.sampler)
        return iter([self.sampler[position] for position in range(len(self.sampler))])  # type: ignore[index]

    def _order(self, count: int, seed: int, labels: Any) -> Order:
        return lambda number: _own_ids(self, count)  # as many as it gives


def _own_ids(sampler: Iterable[int], count: int) -> list[int]:
    ids: list[int] = []
    with users_code(lambda: f"the sampler {type(sampler).__name__} failed after {len(ids)} numbers"):
        for indices in sampler:  # one number, or an array or list of them
            ids.extend(
                map(int, np.ravel(indices)) if isinstance(indices, (np.ndarray, list, tuple)) else [int(indices)]
            )
    for row in ids:
        if not 0 <= row < count:
            raise RuntimeError(f"Sampler: invalid sample id {row}: there are {count} samples, from 0 to {count - 1}.")
    return ids


def to_sampler(sampler: Any) -> Any:
    """A sampler from what a program gives: a sampler, a list of numbers, any iterable of numbers."""
    if sampler is None or isinstance(sampler, _AnySampler):
        return sampler
    if isinstance(sampler, int) and not isinstance(sampler, bool):
        return SubsetSampler([sampler])
    if isinstance(sampler, (list, tuple, np.ndarray)):
        return SubsetSampler(sampler)
    if _lists_numbers(sampler):
        return IterSampler(sampler)  # type: ignore[arg-type]
    raise WrongObject(f"Unsupported sampler object of type ({type(sampler)}).")


def _lists_numbers(sampler: Any) -> bool:
    return isinstance(sampler, _AnySampler) or hasattr(sampler, "__iter__") or hasattr(sampler, "__getitem__")


def _refuse_beside(
    sampler: Any, num_samples: Any, shuffle: Any, num_shards: Any, shard_id: Any, conflicts: bool
) -> None:
    """Refuse a sampler beside arguments that say otherwise."""
    if not conflicts and num_shards is not None:
        raise RuntimeError("sampler and sharding cannot be specified at the same time.")
    if not conflicts and shuffle is not None:
        raise RuntimeError("sampler and shuffle cannot be specified at the same time.")
    if not conflicts and num_samples is not None:
        raise RuntimeError(
            "sampler and num_samples cannot be specified at the same time. Give num_samples to the sampler, or write .take(num_samples)."
        )
    if (
        num_shards is not None
        or shuffle is not None
        or (isinstance(sampler, BuiltinSampler) and num_samples is not None)
    ):
        raise ValueError(
            f"Conflicting arguments during sampler assignments. num_samples: {num_samples}, num_shards: {num_shards}, "
            f"shard_id: {shard_id}, shuffle: {shuffle}. The sampler decides these: give them to {type(sampler).__name__}."
        )


def choose_sampler(
    owner: str,
    num_samples: int | None,
    sampler: Any,
    shuffle: Any,
    num_shards: int | None,
    shard_id: int | None,
    own_order: bool = False,
) -> Any:
    """The sampler that the arguments of a source ask for.

    own_order: numbers of the program's own decide alone, whatever else is asked for.
    """
    if num_shards is None and shard_id is not None:
        raise RuntimeError("shard_id is specified but num_shards is not.")
    if num_shards is not None and shard_id is None:
        raise RuntimeError("num_shards is specified and currently requires shard_id as well.")
    if num_samples is not None:
        check_int(owner, "num_samples", num_samples, low=0)
    if sampler is not None:
        if (own_order and isinstance(sampler, int)) or (not isinstance(sampler, int) and not _lists_numbers(sampler)):
            raise TypeError(
                f"sampler should be either iterable or from mindspore.dataset.samplers, but got {shown(sampler)}."
            )
        if isinstance(sampler, _AnySampler) or not own_order:
            _refuse_beside(sampler, num_samples, shuffle, num_shards, shard_id, own_order)
        chosen = to_sampler(sampler)
        if num_samples is not None:
            chosen.num_samples = num_samples
        return chosen
    if num_shards is not None:
        check_positive_int(owner, "num_shards", num_shards)
        return DistributedSampler(num_shards, shard_id, shuffle not in (False, Shuffle.FALSE), num_samples)  # type: ignore[arg-type]
    if shuffle is False or shuffle == Shuffle.FALSE:
        return SequentialSampler(num_samples=num_samples)
    return RandomSampler(replacement=num_samples is not None, num_samples=num_samples)
