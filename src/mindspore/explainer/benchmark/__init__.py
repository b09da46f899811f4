"""How good saliency maps are: measures of explanations."""

from mindspore.explainer.benchmark.class_sensitivity import ClassSensitivity
from mindspore.explainer.benchmark.faithfulness import Faithfulness
from mindspore.explainer.benchmark.localization import Localization
from mindspore.explainer.benchmark.robustness import Robustness

__all__ = ["ClassSensitivity", "Faithfulness", "Localization", "Robustness"]
