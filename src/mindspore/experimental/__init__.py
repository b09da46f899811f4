"""What MindSpore calls experimental: optimizers with settings by group, and schedulers that change their rates."""

from mindspore.experimental import optim as optim

__all__ = ["optim"]
