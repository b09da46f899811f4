"""How the Parameters of a network are spread over devices, asked while the program runs."""

from __future__ import annotations

from typing import Any

from mindspore._engine.cluster import process_group
from mindspore._utils.checks import check_type
from mindspore.nn.cell import Cell

__all__ = [
    "clear_strategy_metadata", "enable_save_strategy_online", "get_current_strategy_metadata", "get_strategy_metadata",
]  # fmt: skip

_kept: dict[str, Any] = {"enabled": False}


def enable_save_strategy_online() -> None:
    """Have layouts kept from now on; they always are, with the network."""
    _kept["enabled"] = True


def clear_strategy_metadata() -> None:
    """Forget what was asked to be kept."""
    _kept["enabled"] = False


def get_current_strategy_metadata(network: Cell) -> dict[int, dict[str, Any]] | None:
    """The layout of each Parameter by name, for this rank; None for a network that is not spread over devices."""
    layouts = check_type("get_current_strategy_metadata", "network", network, Cell).parameter_layout_dict
    return {process_group.rank(): dict(layouts)} if layouts else None


def get_strategy_metadata(network: Cell, rank_id: int | None = None) -> dict[int, dict[str, Any]] | None:
    """The layout of each Parameter by name, for all ranks or for one: every rank's is the same here."""
    found = get_current_strategy_metadata(network)
    if found is None:
        return None
    (layouts,) = found.values()
    ranks = range(process_group.size()) if rank_id is None else [rank_id]
    return dict.fromkeys(ranks, layouts)
