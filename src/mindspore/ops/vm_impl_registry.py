"""``mindspore.ops.vm_impl_registry``: what Primitive classes of a program compute, written in Python."""

from mindspore._ops.functional.primitive_registry import get_vm_impl_fn as get_vm_impl_fn
from mindspore._ops.functional.primitive_registry import vm_impl_registry as vm_impl_registry
