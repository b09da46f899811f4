"""Training with the second-order optimizer ``nn.thor``."""

from mindspore.train.train_thor import convert_utils, dataset_helper
from mindspore.train.train_thor.convert_utils import ConvertModelUtils, ConvertNetUtils

__all__ = ["ConvertModelUtils", "ConvertNetUtils", "convert_utils", "dataset_helper"]
