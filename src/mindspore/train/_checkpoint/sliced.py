"""Sharded Parameters: the slice that a device has, and merging of slices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.train._formats.strategy import ParallelLayouts

Region = tuple[tuple[int, int], ...]


class SliceLayout(NamedTuple):
    """How a Parameter is cut, in numbers alone.

    Attributes:
        devices: the arrangement of the devices.
        axes: for each axis of the Parameter the axes of devices that cut it, counted from the last.
        step: the distance of the devices that share a piece further.
        shares: how many they are; 0 for none.
        sizes: the sizes of pieces that are not equal, along the first axis.
        fields: how many fields of an embedding table are cut each for itself; 0 for none.
        stages: the pipeline stages that have the Parameter.
    """

    devices: tuple[int, ...]
    axes: tuple[tuple[int, ...], ...]
    step: int = 0
    shares: int = 0
    sizes: tuple[int, ...] = ()
    fields: int = 0
    stages: tuple[int, ...] = (0,)

    @property
    def device_count(self) -> int:
        return math.prod(self.devices)

    def cuts(self) -> list[int]:
        """Into how many pieces each axis is cut, without further sharing."""
        return [math.prod(self.devices[-1 - axis] for axis in axes) for axes in self.axes]

    def full_shape(self, piece: Sequence[int]) -> tuple[int, ...]:
        """The shape of the whole Parameter, from that of one of its equal pieces."""
        shape = [size * cut for size, cut in zip(piece, self.cuts(), strict=True)]
        if self.shares and shape:
            shape[0] *= self.shares
        return tuple(shape)

    def region(self, rank: int, shape: Sequence[int]) -> Region:
        """Where the piece of a device begins and ends on each axis.

        >>> SliceLayout((2, 2), ((1,), (0,))).region(1, (4, 6))
        ((0, 2), (3, 6))
        """
        bounds = []
        for number, (size, axes, cut) in enumerate(zip(shape, self.axes, self.cuts(), strict=True)):
            index = 0
            for axis in axes:
                index = index * self.devices[-1 - axis] + self._coordinate(rank, axis)
            if number == 0 and self.shares:
                index, cut = index * self.shares + rank // self.step % self.shares, cut * self.shares
            if size % cut:
                raise ValueError(f"an axis of size {size} cannot be sharded into {cut} equal slices")
            bounds.append((index * size // cut, (index + 1) * size // cut))
        return tuple(bounds)

    def copy_number(self, rank: int) -> tuple[int, ...]:
        """Replica index of a device: its coordinates on the mesh axes that do not shard the Parameter."""
        cutting = {axis for axes in self.axes for axis in axes}
        return tuple(self._coordinate(rank, axis) for axis in range(len(self.devices)) if axis not in cutting)

    def _coordinate(self, rank: int, axis: int) -> int:
        return rank // math.prod(self.devices[len(self.devices) - axis :]) % self.devices[-1 - axis]


def whole(dimensions: int) -> SliceLayout:
    """The layout of a Parameter that is not cut."""
    return SliceLayout((1,), ((),) * dimensions)


def layout_of(message: ParallelLayouts, stages: tuple[int, ...] = (0,)) -> SliceLayout:
    """The numbers in a message, or an error that says what it lacks."""
    try:
        devices = tuple(message.dev_matrix[0].dim)
        rows = [list(axis_map.dim) for axis_map in message.tensor_map]
        rows = [[axis] for axis in rows[0]] if len(rows) == 1 else [row for row in rows if row]
        axes = tuple(tuple(axis for axis in row if axis != -1) for row in rows)
        sizes = tuple(message.param_split_shape[0].dim) if message.param_split_shape else ()
        shares = message.opt_weight_shard_size if message.opt_weight_shard_step > 0 else 0
        made = SliceLayout(
            devices, axes, message.opt_weight_shard_step, max(shares, 0), sizes, int(message.field), stages
        )
        made.cuts()
    except (AttributeError, IndexError, TypeError) as error:
        raise ValueError(f"the layout of a Parameter is not one: {error}") from None
    return made


def overlap(region: Region, other: Region) -> Region | None:
    """What two regions share.

    >>> overlap(((0, 4),), ((2, 8),)), overlap(((0, 4),), ((4, 8),))
    (((2, 4),), None)
    """
    shared = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(region, other, strict=True))
    return shared if all(start < end for start, end in shared) else None


def needed_ranks(source: SliceLayout, target: SliceLayout, rank: int, shape: Sequence[int]) -> list[int]:
    """The devices of ``source`` whose pieces make up that of ``rank`` in ``target``; of replicas those with the replica index of ``rank``."""
    wanted = target.region(rank, shape)
    beside = source.copy_number(rank % source.device_count)
    chosen: dict[Region, int] = {}
    for candidate in range(source.device_count):
        region = source.region(candidate, shape)
        if overlap(region, wanted) and (region not in chosen or source.copy_number(candidate) == beside):
            chosen[region] = candidate
    return sorted(chosen.values())


def assembled(pieces: Mapping[int, np.ndarray], source: SliceLayout, target: SliceLayout, rank: int) -> np.ndarray:
    """The piece that ``rank`` has in ``target``, from pieces of devices in ``source``."""
    first = next(iter(pieces.values()))
    shape = source.full_shape(first.shape)
    wanted = target.region(rank, shape)
    made = np.empty([end - start for start, end in wanted], first.dtype)
    seen: set[Region] = set()
    count = 0
    for number, piece in pieces.items():
        region = source.region(number, shape)
        shared = overlap(region, wanted)
        if shared is None or region in seen:
            continue
        if piece.shape != tuple(end - start for start, end in region):
            raise ValueError(f"the slice of rank {number} has the shape {piece.shape}, others {first.shape}")
        seen.add(region)
        inside = tuple(slice(a - start, b - start) for (a, b), (start, _) in zip(shared, wanted))
        made[inside] = piece[tuple(slice(a - start, b - start) for (a, b), (start, _) in zip(shared, region))]
        count += math.prod(b - a for a, b in shared)
    if count != made.size:  # different slices never overlap
        raise ValueError(f"slices are missing: ranks {needed_ranks(source, target, rank, shape)} are needed")
    return made


# -- merging ----------------------------------------------------------------------------------------------------------
def merge_sliced_parameter(sliced_parameters: list[Parameter], strategy: dict[str, Any] | None = None) -> Parameter:
    """Put the pieces of a Parameter together.

    Args:
        sliced_parameters: the pieces, in the order of the ranks.
        strategy: how it was cut, as ``build_searched_strategy`` gives it; without it pieces follow along the first axis.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.train.serialization import merge_sliced_parameter
        >>> pieces = [Parameter(Tensor(np.ones(3)), "table"), Parameter(Tensor(np.zeros(3)), "table")]
        >>> merge_sliced_parameter(pieces)
        Parameter (name=table, shape=(6,), dtype=Float64, requires_grad=True)
    """
    _check_pieces(sliced_parameters)
    if strategy and not isinstance(strategy, dict):
        raise refused(
            TypeError,
            f"For 'merge_sliced_parameter', the argument 'strategy' should be dict, but got {type(strategy)}.",
        )
    first = sliced_parameters[0]
    arrays = [parameter._host("Merging a Parameter", "") for parameter in sliced_parameters]
    if not strategy:
        merged = np.concatenate(arrays)
    elif first.name not in strategy:
        raise KeyError(
            f"For 'merge_sliced_parameter', the parameter name {first.name} should be a key in the 'strategy'. Please check "
            "'sliced_parameter' and 'strategy'."
        )
    else:
        try:
            merged = merged_array(arrays, layout_of(strategy[first.name]))
        except ValueError as error:
            raise refused(
                ValueError, f"For 'merge_sliced_parameter', {first.name} cannot be merged: {error}."
            ) from None
    return Parameter(Tensor(merged), first.name, first.requires_grad, first.layerwise_parallel)


def _check_pieces(pieces: Any) -> None:
    if not isinstance(pieces, list):
        raise refused(
            TypeError,
            f"For 'merge_sliced_parameter', the argument 'sliced_parameters' should be list, but got {shown(pieces)}.",
        )
    if not pieces:
        raise refused(ValueError, "For 'merge_sliced_parameter', the argument 'sliced_parameters' should not be empty.")
    for index, piece in enumerate(pieces):
        if not isinstance(piece, Parameter):
            raise refused(
                TypeError,
                "For 'merge_sliced_parameter', the element in 'sliced_parameters' should be 'Parameter', but got "
                f"{type(piece)} at index {index}.",
            )
        first = pieces[0]
        if piece.name != first.name or len(piece.shape) != len(first.shape) or piece.shape[1:] != first.shape[1:]:
            raise refused(
                ValueError,
                "For 'merge_sliced_parameter', all slices should have the same name and the same shape except on axis 0: "
                f"{first.name} {first.shape}, but got {piece.name} {piece.shape} at index {index}.",
            )


def merged_array(arrays: list[np.ndarray], layout: SliceLayout) -> np.ndarray:
    """The full array of all slices."""
    if len(arrays) != layout.device_count:
        raise ValueError(f"there should be as many slices as devices, {layout.device_count}, but got {len(arrays)}")
    if layout.sizes:
        return _merged_unequal(arrays, layout)
    if layout.fields:
        columns = [array.reshape(layout.fields, -1, *array.shape[1:]) for array in arrays]
        return np.concatenate(columns, 1).reshape(-1, *arrays[0].shape[1:])
    return assembled(dict(enumerate(arrays)), layout, whole(arrays[0].ndim), 0)


def _merged_unequal(arrays: list[np.ndarray], layout: SliceLayout) -> np.ndarray:
    """Slices of the sizes that the layout gives: merged along the last axis first."""
    cuts = layout.cuts()
    if len(layout.sizes) != math.prod(cuts):
        raise ValueError(f"'param_split_shape' should have {math.prod(cuts)} sizes, but has {len(layout.sizes)}")
    ordered: dict[int, np.ndarray] = {}
    for rank, array in enumerate(arrays):
        index = 0
        for (start, _), cut in zip(layout.region(rank, cuts), cuts):
            index = index * cut + start
        if array.shape[0] != layout.sizes[index]:
            raise ValueError(f"slice {index} should have {layout.sizes[index]} rows, but has {array.shape[0]}")
        ordered[index] = array
    pieces = [ordered[index] for index in sorted(ordered)]
    for axis in reversed(range(len(cuts))):
        pieces = [np.concatenate(pieces[at : at + cuts[axis]], axis) for at in range(0, len(pieces), cuts[axis])]
    return pieces[0]
