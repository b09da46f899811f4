"""``mindspore.ops._grad_experimental``: where programs register gradients for Primitive classes of their own."""

from mindspore.ops._grad_experimental.grad_base import get_bprop_fn as get_bprop_fn
from mindspore.ops._grad_experimental.grad_base import get_taylor_fprop_fn as get_taylor_fprop_fn
