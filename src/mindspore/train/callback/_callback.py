"""Callback, its parameters, and the manager that calls all callbacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.callback import Callback
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train.callback._values import first_output, loss_number
from mindspore.train.serialization import load_param_into_net

__all__ = [
    "Callback",
    "CallbackManager",
    "InternalCallbackParam",
    "RunContext",
    "checkpoint_cb_for_save_op",
    "refuse_short_hooks",
    "set_cur_net",
]

_SHORT_HOOKS = ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
_LONG_HOOKS = tuple(f"on_{mode}_{short}" for mode in ("train", "eval") for short in _SHORT_HOOKS)

_current_network: list[Cell] = []


class InternalCallbackParam(dict):
    """The parameters of a callback: a dict whose keys are attributes too.

    Examples:
        >>> from mindspore.train.callback import _InternalCallbackParam
        >>> cb_params = _InternalCallbackParam()
        >>> cb_params.cur_step_num = 3
        >>> cb_params["cur_step_num"], cb_params.get("cur_epoch_num", 1), hasattr(cb_params, "net_outputs")
        (3, 1, False)
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise _UnknownKey(name, self) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class _UnknownKey(KeyError, AttributeError):
    """Both errors at once: MindSpore raises KeyError, ``hasattr`` and ``copy`` need AttributeError."""

    def __init__(self, name: str, known: dict[str, Any]):
        self._text = f"'{name}' is not available to the callback here: {sorted(known)}"
        super().__init__(self._text)

    def __str__(self) -> str:
        return self._text


class RunContext:
    """What a hook receives: everything about the run, and the way to end it.

    Args:
        original_args: a dict, usually an ``_InternalCallbackParam``.

    Examples:
        >>> from mindspore.train.callback import Callback
        >>> class StopEarly(Callback):
        ...     def on_train_step_end(self, run_context):
        ...         if run_context.original_args().cur_step_num == 100:
        ...             run_context.request_stop()
    """

    def __init__(self, original_args: dict[str, Any]):
        if not isinstance(original_args, dict):
            raise refused(
                TypeError,
                f"For 'RunContext', the argument 'original_args' should be dict type, but got {type(original_args)}.",
            )
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """Network, dataset, numbers of epoch and step, outputs: see the guide for all keys."""
        return self._original_args

    def request_stop(self) -> None:
        """End training or evaluation after this step."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether somebody asked to end."""
        return self._stop_requested


class CallbackManager(Callback):
    """Calls the hooks of several callbacks, in the order given; hooks nobody overrides cost nothing.

    Args:
        callbacks: None, a Callback, or a list of them.

    Examples:
        >>> from mindspore.train.callback import Callback, RunContext
        >>> from mindspore.train.callback import _CallbackManager
        >>> class Hello(Callback):
        ...     def on_train_begin(self, run_context):
        ...         print("hello")
        >>> with _CallbackManager([Hello(), Hello()]) as manager:
        ...     manager.on_train_begin(RunContext({}))
        hello
        hello
    """

    def __init__(self, callbacks: Callback | Sequence[Callback] | None):
        self._callbacks = listed(callbacks)
        self._stack: ExitStack | None = None
        after = _savers_after_stateful(self._callbacks)
        self._hooks = {
            name: _overridden(after if name.endswith("end") else self._callbacks, name)
            for name in _SHORT_HOOKS + _LONG_HOOKS
        }

    def __enter__(self) -> CallbackManager:
        with ExitStack() as stack:
            for callback in self._callbacks:
                stack.enter_context(callback)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        stack, self._stack = self._stack, None
        return stack.__exit__(kind, error, trace) if stack is not None else None


def _caller_of(name: str) -> Callable[[CallbackManager, RunContext], None]:
    def call_all(self: CallbackManager, run_context: RunContext) -> None:
        for hook in self._hooks[name]:
            hook(run_context)

    call_all.__name__ = name
    call_all.__doc__ = f"Call ``{name}`` of every callback."
    return call_all


for _name in _SHORT_HOOKS + _LONG_HOOKS:
    setattr(CallbackManager, _name, _caller_of(_name))


def listed(callbacks: Any) -> list[Callback]:
    """The callbacks as a list; None gives an empty list."""
    if callbacks is None:
        return []
    if isinstance(callbacks, Callback):
        return [callbacks]
    if not isinstance(callbacks, (list, tuple)):
        raise TypeError(f"The 'callbacks' is not a Callback or a list of Callback, but got {shown(callbacks)}.")
    for callback in callbacks:
        if not isinstance(callback, Callback):
            hint = " Was the class passed instead of an object?" if isinstance(callback, type) else ""
            raise TypeError(
                "When the 'callbacks' is a list, the elements in 'callbacks' must be Callback functions, but got "
                f"{shown(callback)}.{hint}"
            )
    return list(callbacks)


def _savers_after_stateful(callbacks: list[Callback]) -> list[Callback]:
    """The callbacks, reordered: savers come after the last callback whose state they save."""
    stateful = [number for number, callback in enumerate(callbacks) if hasattr(callback, "state_dict")]
    count = stateful[-1] + 1 if stateful else 0
    return sorted(callbacks[:count], key=lambda callback: getattr(callback, "saves_states", False)) + callbacks[count:]


_NOTHING_DONE = {name: getattr(Callback, name) for name in _SHORT_HOOKS + _LONG_HOOKS}  # as defined: tests replace them


def _overridden(callbacks: list[Callback], name: str) -> list[Callable[[RunContext], Any]]:
    """The methods to call for a hook: of each callback that overrides it or its short form."""
    short = name.split("_", 2)[2] if name.startswith("on_") else name
    found = []
    for callback in callbacks:
        for spelling in (name, short):
            method = getattr(callback, spelling)
            if getattr(method, "__func__", method) is not _NOTHING_DONE[spelling]:
                found.append(method)
                break
    return found


def refuse_short_hooks(callbacks: Callback | Sequence[Callback] | None) -> None:
    """Raise for callbacks that cannot tell training from evaluation, as ``Model.fit`` does.

    Examples:
        >>> from mindspore.train.callback import LambdaCallback
        >>> from mindspore.train.callback._callback import refuse_short_hooks
        >>> refuse_short_hooks(LambdaCallback(on_train_step_end=print))
    """
    for callback in listed(callbacks):
        own = [hook for hook in _SHORT_HOOKS if not getattr(type(callback), hook).__module__.startswith("mindspore.")]
        long = any(getattr(type(callback), hook) is not getattr(Callback, hook) for hook in _LONG_HOOKS)
        if own and not long:
            raise ValueError(
                f"For {type(callback).__name__} callback, {{{', '.join(map(repr, own))}}} methods may not be supported in later "
                "version, because they run in training and in evaluation. Use methods prefixed with 'on_train' or 'on_eval' "
                f"instead: 'on_train_{own[0]}'."
            )


def set_cur_net(net: Cell) -> None:
    """Remember the network that ``checkpoint_cb_for_save_op`` loads into.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.train.callback import _set_cur_net
        >>> _set_cur_net(nn.Dense(2, 3))
    """
    _current_network[:] = [net]


def checkpoint_cb_for_save_op(parameter_list: Sequence[dict[str, Any]]) -> bool:
    """Load values, a list of dicts with 'name' and 'data', into the network of ``set_cur_net``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> from mindspore.train.callback import _checkpoint_cb_for_save_op, _set_cur_net
        >>> net = nn.Dense(1, 1, has_bias=False)
        >>> _set_cur_net(net)
        >>> _checkpoint_cb_for_save_op([{"name": "weight", "data": Tensor([[7.0]])}])
        True
        >>> print(net.weight.value())
        [[7.]]
    """
    if not _current_network:
        log.warning(
            "For 'checkpoint_cb_for_save_op', no network is set: call 'set_cur_net(net)' first. Nothing was loaded."
        )
        return False
    values = {entry["name"]: Parameter(Tensor(entry["data"]), name=entry["name"]) for entry in parameter_list}
    load_param_into_net(_current_network[0], values)
    return True


def _handle_loss(loss: Any) -> Any:
    """The number in a loss; of several outputs the first.

    >>> _handle_loss(Tensor([1.0, 3.0]))
    2.0
    """
    return loss_number(loss) if isinstance(loss, Tensor) else first_output(loss)


# the spellings of MindSpore 1.x
_CallbackManager = CallbackManager
_InternalCallbackParam = InternalCallbackParam
