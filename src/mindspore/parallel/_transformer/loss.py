"""The loss of language models."""

from mindspore.nn.transformer.loss import CrossEntropyLoss

__all__ = ["CrossEntropyLoss"]
