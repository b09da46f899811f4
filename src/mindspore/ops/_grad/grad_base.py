"""The registries of gradients by their path in MindSpore 1.x."""

from mindspore.ops._grad_experimental.grad_base import bprop_getters as bprop_getters
from mindspore.ops._grad_experimental.grad_base import bprops as bprops
from mindspore.ops._grad_experimental.grad_base import get_bprop_fn as get_bprop_fn
