"""Halo exchange: the borders of images that are split into tiles, a tile for each process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.cluster import process_group
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.creation import zeros
from mindspore._ops.array.joining import concat
from mindspore._ops.array.padding import pad
from mindspore._ops.distributed.collective import WORLD, AlltoAll
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused

# Clockwise from above: for each direction, the part of the rows and of the columns; 0 first, 1 all, 2 last.
_DIRECTIONS = ((0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0))


def _ints(name: str, values: Any, count: int, least: int) -> tuple[int, ...]:
    if not isinstance(values, (list, tuple)) or len(values) != count:
        raise TypeError(
            f"For 'NeighborExchangeV2', the '{name}' must be a list of {count} ints, but got {shown(values)}."
        )
    given = [value for value in values if value >= 0]
    if any(value < least for value in values) or (least < 0 and len(set(given)) != len(given)):
        text = f"must be at least {least}" + (" and name no process twice" if least < 0 else "")
        raise ValueError(f"For 'NeighborExchangeV2', the '{name}' {text}, but got {list(values)}.")
    return tuple(values)


def _cut(length: int, part: int, first: int, last: int) -> slice:
    """The first, all or the last elements of an axis."""
    return (slice(0, first), slice(0, length), slice(length - last, length))[part]


@register_primitive
class NeighborExchangeV2(Primitive):
    """Exchanges borders of (N, C, H, W) with up to 8 neighbours, and gives the tile with the borders received.

    Args:
        send_rank_ids, recv_rank_ids: the neighbours clockwise from above, -1 where there is none.
        send_lens, recv_lens: how much is sent and received above, below, left and right.
        data_format: "NCHW".

    Examples:
        >>> from mindspore import ops
        >>> nobody = [-1] * 8
        >>> exchange = ops.NeighborExchangeV2(nobody, [0] * 4, nobody, [0, 0, 0, 0], "NCHW")
        >>> exchange(ops.ones((1, 1, 2, 2))).shape
        (1, 1, 2, 2)
    """

    def __init__(self, send_rank_ids: Sequence[int], send_lens: Sequence[int], recv_rank_ids: Sequence[int],
                 recv_lens: Sequence[int], data_format: str, group: str = WORLD):  # fmt: skip
        super().__init__()
        if data_format != "NCHW":
            raise ValueError(f"For 'NeighborExchangeV2', the 'data_format' must be 'NCHW', but got {data_format!r}.")
        self.send_rank_ids = _ints("send_rank_ids", send_rank_ids, 8, -1)
        self.recv_rank_ids = _ints("recv_rank_ids", recv_rank_ids, 8, -1)
        self.send_lens = _ints("send_lens", send_lens, 4, 0)
        self.recv_lens = _ints("recv_lens", recv_lens, 4, 0)
        self.ranks, self.group = process_group.ranks_of("NeighborExchangeV2", group), group
        outside = [rank for rank in (*self.send_rank_ids, *self.recv_rank_ids) if rank >= len(self.ranks)]
        if outside:
            raise ValueError(
                f"For 'NeighborExchangeV2', the neighbours must be processes of the group of {len(self.ranks)}, but got "
                f"{outside}."
            )

    def __call__(self, tensor: Tensor) -> Tensor:
        if not isinstance(tensor, Tensor) or tensor.ndim != 4:
            raise refused(
                WrongObject,
                f"For 'NeighborExchangeV2', the input must be a Tensor (N, C, H, W), but got {shown(tensor)}.",
            )
        arrived = self._arrived(tensor)
        height, width = tensor.shape[2:]
        above, below, left, right = self.recv_lens
        rows: list[Any] = []
        for row, high in enumerate((above, height, below)):
            tiles = []
            for column, wide in enumerate((left, width, right)):
                shape = (*tensor.shape[:2], high, wide)
                found = tensor if (row, column) == (1, 1) else arrived.get((row, column))
                tiles.append(
                    zeros(shape, tensor.dtype) if found is None else found.reshape(-1)[: np.prod(shape)].reshape(shape)
                )
            rows.append(concat(tiles, 3))
        return concat(rows, 2)

    def _arrived(self, tensor: Tensor) -> dict[tuple[int, int], Tensor]:
        """The halos received from each direction, flattened and padded to the size of the tile."""
        if all(rank < 0 for rank in (*self.send_rank_ids, *self.recv_rank_ids)):
            return {}
        above, below, left, right = self.send_lens
        height, width = tensor.shape[2:]
        slots = [zeros((tensor.size,), tensor.dtype)] * len(self.ranks)
        for (row, column), rank in zip(_DIRECTIONS, self.send_rank_ids, strict=True):
            if rank >= 0:
                part = tensor[:, :, _cut(height, row, above, below), _cut(width, column, left, right)].reshape(-1)
                slots[rank] = pad(part, (0, tensor.size - part.shape[0]))
        together = AlltoAll(len(slots), 0, 0, self.group)(concat(slots))
        pieces = together.reshape((len(slots), tensor.size))
        directions = zip(_DIRECTIONS, self.recv_rank_ids, strict=True)
        return {direction: pieces[rank] for direction, rank in directions if rank >= 0}
