"""``mindspore.train.train_thor.dataset_helper``: the helper of training serves second-order optimizers as well."""

from mindspore.train.dataset_helper import DatasetHelper

__all__ = ["DatasetHelper"]
