"""Derivatives of higher order: they follow from the operators; others may be registered."""

from mindspore.ops._grad_experimental.grad_base import taylor_fprop_getters as taylor_fprop_getters
