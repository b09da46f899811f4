"""Hooks of a Cell: functions that see, and may replace, what goes in, comes out, and flows back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from mindspore._engine.autodiff.saved_tensors import saved_tensors_hooks
from mindspore._engine.base import version_counter
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import Handle
from mindspore._utils.checks import check_bool, check_callable, check_type
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import refused


class Hook:
    """A registered function and how it wants to be called."""

    __slots__ = ("always_call", "function", "with_kwargs")

    def __init__(self, function: Callable[..., Any], with_kwargs: bool = False, always_call: bool = False):
        self.function = function
        self.with_kwargs = with_kwargs
        self.always_call = always_call

    def __call__(self, *given: Any, **keywords: Any) -> Any:
        """The function itself: libraries walk ``cell._forward_hook.values()`` and call what they find."""
        return self.function(*given, **keywords)


class CellHooks:
    """The hook part of Cell. Split off for readability; not used on its own."""

    _forward_pre_hook: dict[int, Hook]
    _forward_hook: dict[int, Hook]
    _backward_hook: dict[int, Callable[..., Any]]
    _backward_pre_hook: dict[int, Callable[..., Any]]

    # -- registration -------------------------------------------------------------------------------------------------
    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], *, prepend: bool = False,
                                  with_kwargs: bool = False) -> HookHandle:  # fmt: skip
        """Have ``hook_fn(cell, inputs)`` called before construct; what it returns replaces the inputs.

        Args:
            hook_fn: gets the tuple of positional inputs. It returns None, one new input, or a tuple of new inputs.
            prepend: call it before the hooks that are there already.
            with_kwargs: call ``hook_fn(cell, inputs, kwargs)``, which returns None or ``(inputs, kwargs)``.

        Examples:
            >>> from mindspore import Tensor, nn
            >>> net = nn.SequentialCell()
            >>> handle = net.register_forward_pre_hook(lambda cell, inputs: inputs[0] + 1)
            >>> print(net(Tensor([1.0])))
            [2.]
            >>> handle.remove()
            >>> print(net(Tensor([1.0])))
            [1.]
        """
        hook = self._checked("register_forward_pre_hook", hook_fn, prepend, with_kwargs)
        return HookHandle(self, self._forward_pre_hook, hook, prepend)

    def register_forward_hook(self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False,
                              always_call: bool = False) -> HookHandle:  # fmt: skip
        """Have ``hook_fn(cell, inputs, output)`` called after construct; what it returns replaces the output.

        Args:
            hook_fn: returns None or the new output.
            prepend: call it before the hooks that are there already.
            with_kwargs: call ``hook_fn(cell, inputs, kwargs, output)``.
            always_call: call it with the output None when construct raises an error, too.

        Examples:
            >>> from mindspore import Tensor, nn
            >>> net = nn.SequentialCell()
            >>> handle = net.register_forward_hook(lambda cell, inputs, output: output * 10)
            >>> print(net(Tensor([1.0])))
            [10.]
        """
        hook = self._checked("register_forward_hook", hook_fn, prepend, with_kwargs, always_call)
        return HookHandle(self, self._forward_hook, hook, prepend)

    @old_names(fn="hook_fn")
    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Have ``hook_fn(cell, grad_input, grad_output)`` called when the gradient has passed through this Cell.

        ``grad_input`` are the gradients of the Cell's Tensor inputs, ``grad_output`` those of its outputs, both tuples. What
        it returns (a Tensor, or a tuple when there are several) replaces the gradients of the inputs.

        A hook whose first parameter is called ``cell_id`` is written for MindSpore up to 2.3 and gets
        ``(cell_id, gradient that arrives from above, gradient that is passed on)``.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Tensor, nn
            >>> class Double(nn.Cell):
            ...     def construct(self, x):
            ...         return x * 2
            >>> net = Double()
            >>> handle = net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] + 100)
            >>> print(ms.grad(net)(Tensor([1.0])))
            [102.]
        """
        hook = self._checked("register_backward_hook", hook_fn).function
        return HookHandle(self, self._backward_hook, hook)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Have ``hook_fn(cell, grad_output)`` called before the gradient passes; what it returns replaces it.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Tensor, nn
            >>> class Double(nn.Cell):
            ...     def construct(self, x):
            ...         return x * 2
            >>> net = Double()
            >>> handle = net.register_backward_pre_hook(lambda cell, grad_output: grad_output[0] * 100)
            >>> print(ms.grad(net)(Tensor([1.0])))
            [200.]
        """
        hook = self._checked("register_backward_pre_hook", hook_fn).function
        return HookHandle(self, self._backward_pre_hook, hook)

    def register_saved_tensors_hooks(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        """Have construct run inside ``mindspore.saved_tensors_hooks(pack_hook, unpack_hook)``.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Tensor, nn
            >>> net = nn.LeakyReLU()
            >>> net.register_saved_tensors_hooks(lambda kept: kept.asnumpy(), Tensor)
            >>> ms.set_context(mode=ms.PYNATIVE_MODE)
            >>> print(ms.grad(net)(Tensor([-1.0, 2.0])))
            [0.2 1. ]
        """
        self.__dict__["_saved_tensors"] = saved_tensors_hooks(pack_hook, unpack_hook)
        _graphs_are_outdated(self, "a hook was registered")

    def register_parameter_forward_hook(self, hook: Any) -> None:
        """Have ``hook(parameter)`` called where construct reads a Parameter; its result is used instead.

        Args:
            hook: a function for all Parameters of this Cell and those below; or a list of dicts with ``"params"``, a list
                of Parameters, and ``"hook"``, the function for them.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Tensor, nn
            >>> net = nn.Dense(1, 1, weight_init=2.0, has_bias=False)
            >>> net.register_parameter_forward_hook([{"params": [net.weight], "hook": lambda weight: weight * 10}])
            >>> print(net(Tensor([[3.0]])))
            [[60.]]
        """
        cell: Any = self
        groups = [{"params": list(cell.get_parameters()), "hook": hook}] if callable(hook) else hook
        chosen = _hooks_of_parameters(groups)
        for _, below in cell.cells_and_names():
            own = {name: chosen[id(param)] for name, param in below._params.items() if id(param) in chosen}
            if own:
                below.__dict__["_parameter_hooks"] = below.__dict__.get("_parameter_hooks", {}) | own
                _graphs_are_outdated(below, "a hook was registered")

    def _inside_hooks(self, run: Callable[[tuple, dict], Any], args: tuple, kwargs: dict[str, Any]) -> Any:
        """construct while the hooks of its Parameters, and of what gradients keep, are in force."""
        members = self.__dict__
        members["_cell_converts"] += "_parameter_hooks" in members
        try:
            with members.get("_saved_tensors") or nullcontext():
                return run(args, kwargs)
        finally:
            members["_cell_converts"] -= "_parameter_hooks" in members

    def _checked(self, owner: str, hook_fn: Any, prepend: bool = False, with_kwargs: bool = False,
                 always_call: bool = False) -> Hook:  # fmt: skip
        for name, value in (("prepend", prepend), ("with_kwargs", with_kwargs), ("always_call", always_call)):
            check_bool(owner, name, value)
        return Hook(check_callable(owner, "hook_fn", hook_fn), with_kwargs, always_call)

    # -- calls --------------------------------------------------------------------------------------------------------
    def _call_forward_pre_hooks(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        for hook in list(self._forward_pre_hook.values()):
            if hook.with_kwargs:
                returned = invoke.invoke(hook.function, (self, args, kwargs), {})
                if returned is not None:
                    args, kwargs = _inputs_and_keywords(returned)
            else:
                returned = invoke.invoke(hook.function, (self, args), {})
                if returned is not None:
                    args = returned if isinstance(returned, tuple) else (returned,)
        return args, kwargs

    def _call_forward_hooks(self, args: tuple, kwargs: dict[str, Any], outputs: Any) -> Any:
        for hook in list(self._forward_hook.values()):
            given = (self, args, kwargs, outputs) if hook.with_kwargs else (self, args, outputs)
            returned = invoke.invoke(hook.function, given, {})
            if returned is not None:
                outputs = returned
        return outputs

    # -- by the names under which libraries call them -----------------------------------------------------------------------
    def _run_forward_pre_hook(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        return self._call_forward_pre_hooks(args, kwargs)

    def _run_forward_hook(self, args: tuple, kwargs: dict[str, Any], output: Any, called: Any = None) -> Any:
        return self._call_forward_hooks(args, kwargs, output)

    def _call_hooks_after_error(self, args: tuple, kwargs: dict[str, Any]) -> None:
        for hook in list(self._forward_hook.values()):
            if hook.always_call:
                invoke.invoke(hook.function, (self, args, kwargs, None) if hook.with_kwargs else (self, args, None), {})


def _hooks_of_parameters(groups: Any) -> dict[int, Callable[..., Any]]:
    """The function for each Parameter, by its identity."""
    check_type("register_parameter_forward_hook", "hook", groups, (list, tuple))
    chosen: dict[int, Callable[..., Any]] = {}
    for group in groups:
        if not isinstance(group, dict) or set(group) != {"params", "hook"}:
            raise refused(
                ValueError,
                "For 'register_parameter_forward_hook', every entry must be a dict with the keys 'params' and 'hook', but got "
                f"{group!r}.",
            )
        check_callable("register_parameter_forward_hook", "hook", group["hook"])
        for parameter in group["params"]:
            check_type("register_parameter_forward_hook", "params", parameter, Parameter)
            chosen[id(parameter)] = group["hook"]
    return chosen


def _inputs_and_keywords(returned: Any) -> tuple[tuple, dict[str, Any]]:
    if isinstance(returned, tuple) and len(returned) == 2 and isinstance(returned[1], dict):
        args, kwargs = returned
        return (args if isinstance(args, tuple) else (args,)), kwargs
    raise RuntimeError(
        "For 'register_forward_pre_hook', a hook with with_kwargs=True must return None or (new inputs, new keyword inputs), a "
        f"tuple and a dict, but it returned {returned!r}."
    )


class HookHandle(Handle):
    """What registering a hook returns; ``remove()`` takes the hook away, and graphs with it are compiled again."""

    def __init__(self, cell: Any, hooks: dict[int, Any], hook: Any, first: bool = False):
        super().__init__(hooks, hook)
        if first:
            others = [(key, other) for key, other in hooks.items() if key != self._key]
            hooks.clear()
            hooks.update([(self._key, hook), *others])
        self._cell = cell
        _graphs_are_outdated(cell, "a hook was registered")

    def remove(self) -> None:
        """Take the hook away. Doing it twice is no error."""
        super().remove()
        _graphs_are_outdated(self._cell, "a hook was removed")


def _graphs_are_outdated(cell: Any, reason: str) -> None:
    cell.__dict__["_cell_version"] += 1
    cell.__dict__["last_change"] = reason
    version_counter.note()
