"""What MindSpore calls experimental: tables of rows by keys, optimizers with settings by group and schedulers of their rates."""

from mindspore.experimental import optim as optim
from mindspore.experimental.map_parameter import MapParameter

__all__ = ["MapParameter", "optim"]
