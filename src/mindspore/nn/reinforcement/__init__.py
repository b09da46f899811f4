"""Cells of reinforcement learning."""

from mindspore.nn.reinforcement.tensor_array import TensorArray

__all__ = ["TensorArray"]
