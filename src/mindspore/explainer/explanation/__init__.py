"""Saliency maps: how much each pixel matters for a label, from gradients or from what changes when pixels are hidden."""

from mindspore.explainer.explanation.gradients import Deconvolution, GradCAM, Gradient, GuidedBackprop
from mindspore.explainer.explanation.perturbations import RISE, Occlusion

__all__ = ["RISE", "Deconvolution", "GradCAM", "Gradient", "GuidedBackprop", "Occlusion"]
