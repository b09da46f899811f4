"""The switch for MindSpore's speed-ups."""

from __future__ import annotations

from typing import Any

from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_type
from mindspore.nn.cell import Cell

__all__ = ["AutoBoost"]


class AutoBoost:
    """Takes the level that a program chooses. Networks and optimizers come back as they are.

    MindSpore's levels leave out batch normalizations and updates to save time, which changes what is learned. Here XLA
    makes programs fast, and what is learned stays the same.

    Args:
        level: 'O0', 'O1' or 'O2'.
        boost_config_dict: details of the levels.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.boost import AutoBoost
        >>> network = nn.Dense(2, 1)
        >>> AutoBoost("O0").network_auto_process_eval(network) is network
        True
    """

    def __init__(self, level: str = "O0", boost_config_dict: Any = ""):
        self.level = check_one_of("AutoBoost", "level", level, ("O0", "O1", "O2"))
        self.boost_config_dict = boost_config_dict
        if level != "O0":
            log.once(
                ("AutoBoost", level), f"For 'AutoBoost', the level {level!r} is accepted and changes nothing.", log.INFO
            )

    def network_auto_process_train(self, network: Cell, optimizer: Any) -> tuple[Cell, Any]:
        """The network and the optimizer for training."""
        return check_type("network_auto_process_train", "network", network, Cell), optimizer

    def network_auto_process_eval(self, network: Cell) -> Cell:
        """The network for evaluation."""
        return check_type("network_auto_process_eval", "network", network, Cell)
