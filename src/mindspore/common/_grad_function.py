"""``mindspore.common._grad_function``: functions with a backward of their own."""

from mindspore._engine.autodiff.grad_function import Function as _Function
from mindspore._engine.autodiff.saved_tensors import no_grad as _no_grad
from mindspore._engine.autodiff.saved_tensors import register_saved_tensors_hooks, saved_tensors_hooks

__all__ = ["_Function", "_no_grad", "register_saved_tensors_hooks", "saved_tensors_hooks"]
