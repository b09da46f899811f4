"""``mindspore.optim``: a short path to :mod:`mindspore.experimental.optim`, which some programs write.

The optimizers that ``Model`` trains with are in :mod:`mindspore.nn`.
"""

from mindspore._utils.documented import claim as _claim
from mindspore.experimental.optim import (
    ASGD,
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    NAdam,
    Optimizer,
    RAdam,
    RMSprop,
    Rprop,
)
from mindspore.optim import lr_scheduler

__all__ = [
    "ASGD",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]

_claim(__name__)
