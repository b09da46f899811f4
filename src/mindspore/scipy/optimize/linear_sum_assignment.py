"""The module of MindSpore that :func:`mindspore.scipy.optimize.linear_sum_assignment` comes from."""

from mindspore.scipy.optimize._assignment import linear_sum_assignment

__all__ = ["linear_sum_assignment"]
