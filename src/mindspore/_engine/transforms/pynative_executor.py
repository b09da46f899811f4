"""The executor of operators outside graphs, as an object: the gradient switches, and gradients step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.autodiff import custom_vjp, grad_switch
from mindspore._engine.autodiff.free_tape import is_recorded, run_backward, wants_gradient
from mindspore._engine.autodiff.saved_tensors import saved_tensors_hooks
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.runtime import device_state
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.tensor_hooks import zeros_like
from mindspore._utils.checks import check_bool, check_callable


class PyNativeExecutor:
    """Programs ask it to finish, switch gradients with it, or build gradient functions of their own on it.

    Examples:
        >>> from mindspore.common.api import _pynative_executor
        >>> _pynative_executor.sync()
        >>> _pynative_executor.enable_grad()
        True
    """

    def __init__(self) -> None:
        self._hooks: list[saved_tensors_hooks] = []
        self._called: list[int] = []  # calls announced by new_graph, innermost last
        self._ended: tuple[Any, tuple] | None = None  # outputs and arguments of the outermost call that returned
        self._found: Any = None  # the last gradients
        self._callbacks: list[Callable[[], Any]] = []

    # -- execution ------------------------------------------------------------------------------------------------------
    @staticmethod
    def sync() -> None:
        """Wait until everything that was asked of the devices is computed."""
        device_state.wait()

    @staticmethod
    def real_run_op(*args: Any) -> Any:
        """Run a Primitive: ``(primitive, its name, its inputs)``."""
        primitive, _, inputs = args
        return primitive(*inputs)

    run_op_async = real_run_op

    @staticmethod
    def constant_folding(*args: Any) -> Any:
        """Run a Primitive on values that are known: ``(primitive, its inputs...)``."""
        primitive, *inputs = args
        return primitive(*inputs)

    def set_async_for_graph(self, flag: bool) -> None:
        """Whether graphs return before they are computed, which they always do."""
        check_bool("set_async_for_graph", "flag", flag)

    def clear_res(self) -> None:
        """Drop what was prepared for gradients that were not asked for."""
        self._called.clear()
        self._callbacks.clear()
        self._ended = self._found = None

    # -- the switches ---------------------------------------------------------------------------------------------------
    @staticmethod
    def enable_grad() -> bool:
        """Whether gradients are enabled."""
        return grad_switch.enabled()

    @staticmethod
    def set_enable_grad(flag: bool) -> None:
        """Enable or disable gradients from here on.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Tensor
            >>> from mindspore.common.api import _pynative_executor
            >>> def f(x):
            ...     _pynative_executor.set_enable_grad(False)
            ...     constant = x * 10
            ...     _pynative_executor.set_enable_grad(True)
            ...     return x * x + constant
            >>> print(ms.grad(f)(Tensor(3.0)))
            6.0
        """
        grad_switch.set_enabled(check_bool("set_enable_grad", "flag", flag))

    @staticmethod
    def grad_flag() -> bool:
        """Whether a gradient is being recorded, or would be if it were not disabled."""
        return grad_switch.flag()

    @staticmethod
    def set_grad_flag(flag: bool) -> None:
        """Take the recording that is going on away, or give it back."""
        grad_switch.set_flag(check_bool("set_grad_flag", "flag", flag))

    @staticmethod
    def requires_grad() -> bool:
        """Whether operators are recorded now."""
        return grad_switch.flag() and grad_switch.enabled()

    @staticmethod
    def high_order() -> bool:
        """Whether the recording is inside another one."""
        return state.tape is not None and state.tape.depth > 1

    # -- gradients step by step -----------------------------------------------------------------------------------------
    def new_graph(self, obj: Any, *args: Any, **kwargs: Any) -> None:
        """Announce a call whose gradient will be asked for; ``grad`` computes it from the function."""
        self._called.append(id(obj))

    def end_graph(self, obj: Any, output: Any, *args: Any, **kwargs: Any) -> None:
        """The announced call has returned."""
        if self._called:
            self._called.pop()
        if not self._called:
            self._ended = output, (*args, *kwargs.values())

    def check_run(self, obj: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether the forward pass of a gradient has been run: it runs with the gradient."""
        return True

    def grad(self, obj: Any, grad: Any, weights: Any, grad_position: Any, has_aux: Any = False, *args: Any) -> Any:
        """The gradient of ``obj`` at ``args``, as ``grad`` (a ``GradOperation``, or ``mindspore.grad``) arranges it.

        Up to 2.4 there was no ``has_aux``: the inputs came in its place.
        """
        if not isinstance(has_aux, bool):
            args = (has_aux, *args)
        self._found = self._from_recording(weights, args)
        if self._found is None:
            self._found = (grad(obj) if weights is None else grad(obj, weights))(*args)
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()
        return self._found

    def _from_recording(self, weights: Any, args: tuple) -> tuple[Tensor, ...] | None:
        """Gradients from the announced call, if it was recorded while the grad flag was set: it need not run again."""
        ended, self._ended = self._ended, None
        if ended is None or weights is None or len(ended[1]) != len(args):
            return None
        if any(one is not other for one, other in zip(ended[1], args, strict=True)):
            return None
        wanted = (weights,) if isinstance(weights, Tensor) else tuple(weights)
        if not all(isinstance(one, Tensor) and wants_gradient(one) for one in wanted):
            return None
        outputs = [one for one in flatten(ended[0])[0] if isinstance(one, Tensor) and is_recorded(one)]
        if not outputs:
            return None
        found = run_backward(outputs, None, False, False, wanted, accumulate_grad=False)
        return tuple(
            zeros_like(one) if gradient is None else gradient for one, gradient in zip(wanted, found, strict=True)
        )

    def __call__(self) -> Any:
        """The gradients that the last ``grad`` found: up to 2.2 it did not return them."""
        return self._found

    def queue_backward_final_callback(self, callback: Callable[[], Any]) -> None:
        """Call something once, after the next gradient."""
        self._callbacks.append(check_callable("queue_backward_final_callback", "callback", callback))

    @staticmethod
    def call_custom_bprop(obj: Any, output: Any, *args: Any, **kwargs: Any) -> Any:
        """``output`` of a call of ``obj`` on ``args``, with ``obj.bprop`` as its gradient."""
        weights = obj.trainable_params() if hasattr(obj, "trainable_params") else ()
        return custom_vjp.call_with_bprop(lambda: output, obj.bprop, args, weights, type(obj).__name__)

    @staticmethod
    def set_is_run_recompute(status: bool) -> None:
        """Say that a forward pass is being repeated for its gradient."""
        state.replaying = check_bool("set_is_run_recompute", "status", status)

    # -- saved tensors --------------------------------------------------------------------------------------------------
    def push_saved_tensor_hook(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        """Let Tensors that are kept for gradients pass through these functions, until they are popped."""
        self._hooks.append(saved_tensors_hooks(pack_hook, unpack_hook).__enter__())

    def pop_saved_tensor_hook(self) -> None:
        if self._hooks:
            self._hooks.pop().__exit__()

    @staticmethod
    def is_saved_tensor_hook_active() -> bool:
        return state.saving is not None

    # -- dynamic shapes -------------------------------------------------------------------------------------------------
    @staticmethod
    def set_dynamic_input(obj: Any, *args: Any) -> None:
        """Inputs that are Tensors of unknown size; a graph is made for each size anyway."""

    @staticmethod
    def get_dynamic_input(*actual_args: Any) -> tuple:
        return actual_args
