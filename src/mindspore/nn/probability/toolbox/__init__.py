"""Tools: how certain a network is, as MindSpore 1.x has them."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.probability.toolbox.anomaly_detection import VAEAnomalyDetection
from mindspore.nn.probability.toolbox.uncertainty_evaluation import UncertaintyEvaluation

__all__ = ["UncertaintyEvaluation", "VAEAnomalyDetection"]

_claim(__name__)
