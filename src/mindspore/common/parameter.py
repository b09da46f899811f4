"""``mindspore.common.parameter``: Parameter and ParameterTuple."""

from mindspore._engine.tensor.parameter import Parameter, ParameterTuple

__all__ = ["Parameter", "ParameterTuple"]
