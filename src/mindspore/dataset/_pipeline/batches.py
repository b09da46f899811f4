"""Rows gathered into batches."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error, users_code
from mindspore.dataset._pipeline.rows import Columns, Rows, arranged, join, slim
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset._pipeline.values import given, stack, to_array
from mindspore.dataset.transforms._elements import constant_like

_MOST_ROWS = 256  # computed at once: more rows make it no faster
_LARGE = 4 * 2**20  # bytes of results that fit into the processor's cache


class BatchInfo:
    """The numbers of a batch and its epoch, for batch functions.

    Examples:
        >>> from mindspore.dataset._pipeline.batches import BatchInfo
        >>> BatchInfo(3, 0).get_batch_num()
        3
    """

    def __init__(self, batch_num: int, epoch_num: int):
        self._batch_num = batch_num
        self._epoch_num = epoch_num

    def get_batch_num(self) -> int:
        """The number of the batch in its epoch, from 0."""
        return self._batch_num

    def get_epoch_num(self) -> int:
        """The number of the epoch, from 0."""
        return self._epoch_num


class BatchStage(Stage):
    """Stacks a fixed number of rows, or a number that a function chooses, into a batch."""

    def __init__(
        self,
        child: Stage,
        size: int | Callable[[BatchInfo], int],
        drop_remainder: bool,
        finish: Finish,
        passes: int | None = 1,
    ):
        self.child = child
        self.passes = passes  # that make an epoch, as a repeat behind it has them; None: there is only one epoch
        self.size = size
        self.drop_remainder = drop_remainder
        self.finish = finish
        self.begun = -1

    @property
    def epochs(self) -> int:
        """The number of the epoch, from 0."""
        return self.begun // self.passes if self.passes else 0

    def epoch(self) -> Iterator[Rows]:
        """Rows that are batches."""
        self.begun += 1
        number = 0
        waiting: list[Rows] = []
        count = 0
        wanted = self._wanted(number)
        for rows in self.child.epoch():
            waiting.append(rows)
            count += len(rows)
            if count < wanted:
                continue
            whole, start = join(waiting), 0
            cuts = []
            while len(whole) - start >= wanted:
                cuts.append((start, start + wanted))
                start += wanted
                wanted = self._wanted(number + len(cuts))
            yield self._batches(whole, cuts, number)
            number += len(cuts)
            waiting = [whole.take(slice(start, None))] if start < len(whole) else []
            count = len(whole) - start
        if count and not self.drop_remainder:
            yield self._batches(join(waiting), [(0, count)], number)

    def _wanted(self, number: int) -> int:
        if not callable(self.size):
            return self.size
        with users_code(lambda: f"batch operation: the function for 'batch_size' failed at batch {number}"):
            wanted = self.size(BatchInfo(number, self.epochs))
        if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1:
            raise pipeline_error(
                f"Invalid batch size: the function given as 'batch_size' must return an int of at least 1, but got {wanted!r}."
            )
        return int(wanted)

    def _batches(self, rows: Rows, cuts: Sequence[tuple[int, int]], number: int) -> Rows:
        origin = BatchOrigin(rows, cuts, self.finish, number, self.epochs)
        tickets = np.array([rows.tickets[start] for start, _ in cuts])
        return Rows(origin, np.arange(len(cuts)), tickets)


class BatchOrigin:
    """Batches of rows: each is computed as a block."""

    def __init__(self, rows: Rows, cuts: Sequence[tuple[int, int]], finish: Finish, number: int, epoch: int):
        self.rows = rows
        self.cuts = list(cuts)
        self.finish = finish
        self.number = number
        self.epoch = epoch
        self.together = 0  # how many rows are computed at once; known after the first batch

    def fetch(self, ids: np.ndarray) -> Columns:
        """One array per column and batch."""
        batches: list[Columns] = []
        identities = ids.tolist()
        while len(batches) < len(identities):
            first = identities[len(batches)]
            last = self._last_together(identities, len(batches))
            batches += self._computed(first, last)
        return {name: [batch[name] for batch in batches] for name in batches[0]}

    def _last_together(self, ids: list[int], position: int) -> int:
        """The last of the consecutive batches whose rows are computed at once."""
        first = last = ids[position]
        for identity in ids[position + 1 :]:
            if identity != last + 1 or self.cuts[identity][1] - self.cuts[first][0] > self.together:
                break
            last = identity
        return last

    def _computed(self, first: int, last: int) -> Iterator[Columns]:
        """Consecutive batches; several of them are views of one array."""
        start, stop = self.cuts[first][0], self.cuts[last][1]
        columns = self.rows.take(slice(start, stop)).compute()
        for identity in range(first, last + 1):
            part = slice(self.cuts[identity][0] - start, self.cuts[identity][1] - start)
            own = columns if first == last else {name: column[part] for name, column in columns.items()}
            yield self.finish(own, BatchInfo(self.number + identity, self.epoch), partial(self._row, identity))
        if not self.together:
            size = sum(column.nbytes if isinstance(column, np.ndarray) else _LARGE for column in columns.values())
            self.together = min(_MOST_ROWS, _LARGE * (stop - start) // max(size, 1))

    def _row(self, identity: int, position: int) -> str:
        """What to call a row of a batch in an error message."""
        return (
            f"{self.rows.describe(self.cuts[identity][0] + position)}, number {position} of {self.describe(identity)}"
        )

    def narrow(self, ids: np.ndarray) -> Rows:
        """These batches without the others."""
        parts = [slim(self.rows.take(slice(*self.cuts[identity]))) for identity in ids.tolist()]
        bounds = np.cumsum([0, *map(len, parts)]).tolist()
        cuts = list(itertools.pairwise(bounds))
        origin = BatchOrigin(join(parts), cuts, self.finish, self.number + int(ids[0]), self.epoch)
        return Rows(origin, np.arange(len(ids)), ids)

    def describe(self, identity: int) -> str:
        """The number of the batch."""
        return f"batch {self.number + identity}"


class Finish:
    """How the rows of a batch become arrays: the user's own function first, then padding, then stacking."""

    def __init__(
        self,
        per_batch_map: Callable | None = None,
        input_columns: Sequence[str] | None = None,
        output_columns: Sequence[str] | None = None,
        pad_info: dict[str, Any] | None = None,
        pads: bool = False,
    ):
        self.per_batch_map = per_batch_map
        self.input_columns = list(input_columns) if input_columns else None
        self.output_columns = list(output_columns) if output_columns else None
        self.pad_info = pad_info
        self.pads = pads

    def names_after(self, names: list[str] | None) -> list[str] | None:
        """The names of the columns of batches, given those of rows, where they are known."""
        if names is None or any(name not in names for name in self.input_columns or ()):
            return None
        inputs = self.input_columns or names
        return arranged(names, inputs, self.output_columns or inputs) if self.per_batch_map else names

    def __call__(
        self, columns: Columns, info: BatchInfo, describe: Callable[[int], str] = "row {}".format
    ) -> dict[str, np.ndarray]:
        if self.per_batch_map is not None:
            columns = self._mapped(columns, info)
        if self.pads:
            columns = self._all_padded(columns, describe)
        return {name: stack(column, name, describe) for name, column in columns.items()}

    def _mapped(self, columns: Columns, info: BatchInfo) -> Columns:
        names = self.input_columns or list(columns)
        missing = [name for name in names if name not in columns]
        if missing:
            raise pipeline_error(
                f"Invalid column, input column name: {missing[0]} doesn't exist in the dataset columns {list(columns)}."
            )
        inputs = [list(given(columns[name])) for name in names]
        with users_code(lambda: f"batch operation: the 'per_batch_map' failed at batch {info.get_batch_num()}"):
            results = self.per_batch_map(*inputs, info)  # type: ignore[misc]
        results = results if isinstance(results, tuple) else (results,)
        outputs = self.output_columns or names
        taken = [name for name in outputs if name in columns and name not in names]
        if taken:
            raise pipeline_error(
                "Invalid output_columns, columns that are not involved in 'per_batch_map' should not be in output_columns, but got "
                f"columns that are not in input_columns: {taken}, output_columns: {outputs}."
            )
        if len(outputs) != len(results):
            raise pipeline_error(
                f"Invalid per_batch_map, the number of columns returned in 'per_batch_map' function should be {len(outputs)} , "
                f"but got: {len(results)}. The columns are {outputs}."
            )
        for name, column in zip(outputs, results, strict=True):
            if not isinstance(column, (list, tuple, np.ndarray)):
                raise pipeline_error(
                    f"Invalid data, column: {name} of 'per_batch_map' must be a list of the values of the rows, or an array, but "
                    f"got {column!r:.80}."
                )
        made = {
            name: column if isinstance(column, np.ndarray) else [to_array(value) for value in column]
            for name, column in zip(outputs, results, strict=True)
        }
        for name, column in made.items():  # an array is a batch already, of any number of rows
            if isinstance(column, list) and len(column) != len(inputs[0]):
                raise pipeline_error(
                    f"Invalid data, column: {name} expects: {len(inputs[0])} rows returned from 'per_batch_map', got: "
                    f"{len(column)} (batch {info.get_batch_num()}). It returns one value per row of the batch."
                )
        return {name: made[name] if name in made else columns[name] for name in arranged(list(columns), names, outputs)}

    def _all_padded(self, columns: Columns, describe: Callable[[int], str]) -> Columns:
        for name in self.pad_info or ():
            if name not in columns:
                raise pipeline_error(
                    f"Invalid pad_info, column name: {name} does not exist. The columns are {list(columns)}."
                )
        return {name: self._padded(name, column, describe) for name, column in columns.items()}

    def _padded(self, name: str, column: Any, describe: Callable[[int], str]) -> Any:
        if self.pad_info and name not in self.pad_info:
            return column
        shape, value = (self.pad_info or {}).get(name) or (None, None)
        arrays = [np.asarray(value) for value in column]
        rank = arrays[0].ndim
        _check_padding(name, arrays, shape, value, describe)
        largest = [max(array.shape[axis] for array in arrays) for axis in range(rank)] if rank else []
        target = [largest[axis] if shape is None or shape[axis] is None else int(shape[axis]) for axis in range(rank)]
        return [_fit(array, target, value) for array in arrays]


def _check_padding(name: str, arrays: list[np.ndarray], shape: Any, value: Any, describe: Callable[[int], str]) -> None:
    first = arrays[0]
    if shape is not None and len(shape) != first.ndim:
        raise pipeline_error(
            "Invalid pad_info, rank of pad_shape must be equal to rank of specified column. pad_shapes rank:"
            f"{len(shape)}, column rank: {first.ndim}: column '{name}' has shape {list(first.shape)}, pad_info {list(shape)}."
        )
    for position, array in enumerate(arrays):
        if array.ndim != first.ndim:
            raise pipeline_error(
                "Invalid data, data to be padded together need to have the same rank, but in column "
                f"'{name}' {describe(0)} has shape {list(first.shape)}, {describe(position)} {list(array.shape)}."
            )
    if value is not None and constant_like(first, value) is None:
        raise pipeline_error(
            "PadEnd: can not pad numeric and string tensors together, but got: "
            f"{type(value).__name__} and {first.dtype} in column '{name}'."
        )


def _fit(array: np.ndarray, shape: Sequence[int], value: Any) -> np.ndarray:
    """The array padded at the end of each axis, or truncated; the dtype of strings is widened for a longer padding value."""
    if list(array.shape) == list(shape):
        return array
    filling = array.dtype.type() if value is None else constant_like(array, value)
    result = np.full(shape, filling, np.promote_types(array.dtype, np.asarray(filling).dtype))
    part = tuple(slice(0, min(have, want)) for have, want in zip(array.shape, shape, strict=True))
    result[part] = array[part]
    return result
