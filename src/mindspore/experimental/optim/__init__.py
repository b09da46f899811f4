"""Optimizers whose settings stand in ``param_groups``, and schedulers of their learning rates."""

from mindspore._utils.documented import claim as _claim
from mindspore.experimental.optim import lr_scheduler as lr_scheduler
from mindspore.experimental.optim.adadelta import Adadelta
from mindspore.experimental.optim.adagrad import Adagrad
from mindspore.experimental.optim.adam import Adam
from mindspore.experimental.optim.adamax import Adamax
from mindspore.experimental.optim.adamw import AdamW
from mindspore.experimental.optim.asgd import ASGD
from mindspore.experimental.optim.nadam import NAdam
from mindspore.experimental.optim.optimizer import Optimizer
from mindspore.experimental.optim.radam import RAdam
from mindspore.experimental.optim.rmsprop import RMSprop
from mindspore.experimental.optim.rprop import Rprop
from mindspore.experimental.optim.sgd import SGD

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
