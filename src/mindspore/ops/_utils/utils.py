"""Shapes of results, and addresses."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any


def get_broadcast_shape(x_shape: Sequence[int], y_shape: Sequence[int], prim_name: str, arg_name1: str = "x",
                        arg_name2: str = "y") -> list[int]:  # fmt: skip
    """The shape of both together; -1 is a length that is not known yet.

    >>> get_broadcast_shape([2, 1, 3], [4, 3], "Add")
    [2, 4, 3]
    """
    joined = []
    for from_end, (one, other) in enumerate(
        itertools.zip_longest(reversed(x_shape), reversed(y_shape), fillvalue=1), 1
    ):
        if one != other and 1 not in (one, other) and -1 not in (one, other):
            raise ValueError(
                f"For '{prim_name}', the '{arg_name1}' and '{arg_name2}' must fit together, with equal lengths or 1 at each "
                f"axis, but got shapes {list(x_shape)} and {list(y_shape)}, which differ at axis -{from_end}."
            )
        joined.append(other if one == 1 else one if other == 1 else max(one, other))
    return joined[::-1]


def dim_not_equal(dim1: int, dim2: int) -> bool:
    """Whether two lengths differ for certain; negative ones are not known yet.

    >>> dim_not_equal(2, 3), dim_not_equal(-1, 3)
    (True, False)
    """
    return dim1 != dim2 and dim1 >= 0 and dim2 >= 0


def get_concat_offset(x_shp: Sequence[Sequence[int]], x_type: Sequence[Any], axis: int, prim_name: str) -> tuple:
    """Where each of several Tensors begins when they are joined, the length of the whole, and the axis from 0 on.

    >>> get_concat_offset([[2, 3], [4, 3]], [None, None], -2, "Concat")
    ([0, 2], 6, 0)
    """
    if not x_shp:
        raise ValueError(f"For '{prim_name}', the 'input_x' must have at least one Tensor, but got none.")
    rank = len(x_shp[0])
    if not -rank <= axis < rank:
        raise ValueError(f"For '{prim_name}', the 'axis' must be in [{-rank}, {rank}), but got {axis}.")
    axis %= rank
    for number, shape in enumerate(x_shp):
        same = len(shape) == rank and not any(
            dim_not_equal(a, b) for i, (a, b) in enumerate(zip(shape, x_shp[0], strict=False)) if i != axis
        )
        if not same:
            raise ValueError(
                f"For '{prim_name}', the 'input_x' must have Tensors that differ in length along axis {axis} alone, but got "
                f"shapes {list(x_shp[0])} and {list(shape)} (number {number})."
            )
    starts = [0, *itertools.accumulate(shape[axis] for shape in x_shp)]
    return starts[:-1], starts[-1], axis


def ms_arrange(x: int) -> list[int]:
    """The numbers below ``x``.

    >>> ms_arrange(3)
    [0, 1, 2]
    """
    return list(range(x))


def _parse_tcp_url_for_ipv4(url: str) -> tuple[str, int]:
    """Address and port of a URL such as tcp://127.0.0.1:1234."""
    if not url.startswith("tcp://"):
        raise ValueError(f"The 'url' must start with 'tcp://', but got {url!r}.")
    address, _, port = url.removeprefix("tcp://").rpartition(":")
    parts = address.split(".")
    if len(parts) != 4 or not all(part.isdigit() and int(part) < 256 for part in parts):
        raise ValueError(f"The 'url' must name an IPv4 address such as 127.0.0.1, but got {url!r}.")
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"The 'url' must end with a port in [1, 65535], but got {url!r}.")
    return address, int(port)
