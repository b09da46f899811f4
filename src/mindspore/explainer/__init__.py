"""Explains what image classifiers look at, as MindSpore 1.1 to 1.4 did: saliency maps, and how good they are.

>>> from mindspore.explainer.explanation import GradCAM
>>> from mindspore.explainer.benchmark import Localization
"""

from mindspore.explainer._runner import ImageClassificationRunner

__all__ = ["ImageClassificationRunner"]
