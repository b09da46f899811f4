"""The module of MindSpore that :func:`mindspore.scipy.optimize.minimize` comes from."""

from mindspore.scipy.optimize._minimize import minimize

__all__ = ["minimize"]
