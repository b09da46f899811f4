"""FederatedLearningManager: accepted, so that its programs train on their own data."""

from __future__ import annotations

from typing import Any

from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_positive_int, check_type
from mindspore.nn.cell import Cell
from mindspore.train.callback._callback import Callback

__all__ = ["FederatedLearningManager"]


class FederatedLearningManager(Callback):
    """Stands where MindSpore would average models with a federated learning server; here the model trains alone.

    Args:
        model: the training Cell.
        sync_frequency: after how many steps models would be averaged.
        sync_type: 'fixed' or 'adaptive'.
        kwargs: accepted.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.train.callback import FederatedLearningManager
        >>> callback = FederatedLearningManager(nn.Dense(2, 3), sync_frequency=100)
    """

    def __init__(self, model: Cell, sync_frequency: int, sync_type: str = "fixed", **kwargs: Any):
        super().__init__()
        check_type("FederatedLearningManager", "model", model, Cell)
        check_positive_int("FederatedLearningManager", "sync_frequency", sync_frequency)
        check_one_of("FederatedLearningManager", "sync_type", sync_type, ("fixed", "adaptive"))
        log.once(
            "FederatedLearningManager",
            "FederatedLearningManager: there is no federated learning server here; the model trains on its own data alone.",
        )
