"""Gradients of inner operators: they follow from the operators; others may be registered."""

from mindspore.ops._grad_experimental.grad_base import bprop_getters as bprop_getters
from mindspore.ops._grad_experimental.grad_base import bprops as bprops
