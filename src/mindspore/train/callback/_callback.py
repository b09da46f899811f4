"""Callback, what a callback is told, and the manager that calls all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from mindspore._engine.parameter import Parameter
from mindspore._engine.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore.nn.cell import Cell
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
    """What a callback is told: a dict whose keys are attributes too.

    Examples:
        >>> from mindspore.train.callback import _InternalCallbackParam
        >>> told = _InternalCallbackParam()
        >>> told.cur_step_num = 3
        >>> told["cur_step_num"], told.get("cur_epoch_num", 1), hasattr(told, "net_outputs")
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
        self._text = f"'{name}' is not among what the callback is told here: {sorted(known)}"
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
            raise TypeError(
                f"For 'RunContext', the argument 'original_args' should be dict type, but got {type(original_args)}."
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


class Callback:
    """The base of callbacks: override the hooks you need, in either spelling.

    ``on_train_...`` and ``on_eval_...`` are called in training and in evaluation; where they are not overridden, the short
    names are called, in both. ``Model.fit`` accepts only the long names in classes of your own. A callback is also a context
    manager, entered before the run and left after it, with the error if there was one.

    Examples:
        >>> from mindspore.train.callback import Callback
        >>> class Steps(Callback):
        ...     def on_train_step_end(self, run_context):
        ...         told = run_context.original_args()
        ...         print(told.cur_epoch_num, told.cur_step_num)
    """

    def __enter__(self) -> Callback:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return None

    def begin(self, run_context: RunContext) -> None:
        """Before training or evaluation."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """After an epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Before a step."""

    def step_end(self, run_context: RunContext) -> None:
        """After a step."""

    def end(self, run_context: RunContext) -> None:
        """After training or evaluation."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Before training; calls ``begin``."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch of training; calls ``epoch_begin``."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """After an epoch of training; calls ``epoch_end``."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Before a step of training; calls ``step_begin``."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """After a step of training; calls ``step_end``."""
        self.step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """After training; calls ``end``."""
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Before evaluation; calls ``begin``."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """Before the pass of an evaluation; calls ``epoch_begin``."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """After the pass of an evaluation; calls ``epoch_end``."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Before a step of evaluation; calls ``step_begin``."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """After a step of evaluation; calls ``step_end``."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """After evaluation; calls ``end``."""
        self.end(run_context)


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
        self._hooks = {name: _overridden(self._callbacks, name) for name in _SHORT_HOOKS + _LONG_HOOKS}

    def __enter__(self) -> CallbackManager:
        with ExitStack() as stack:
            for one in self._callbacks:
                stack.enter_context(one)
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
    """None, one callback or several as a list."""
    if callbacks is None:
        return []
    if isinstance(callbacks, Callback):
        return [callbacks]
    if not isinstance(callbacks, (list, tuple)):
        raise TypeError(f"The 'callbacks' is not a Callback or a list of Callback, but got {shown(callbacks)}.")
    for one in callbacks:
        if not isinstance(one, Callback):
            hint = " Was the class passed instead of an object?" if isinstance(one, type) else ""
            raise TypeError(
                "When the 'callbacks' is a list, the elements in 'callbacks' must be Callback functions, but got "
                f"{shown(one)}.{hint}"
            )
    return list(callbacks)


def _overridden(callbacks: list[Callback], name: str) -> list[Callable[[RunContext], Any]]:
    """The methods to call for a hook: of each callback that does not leave it, and the short one, as the base has it."""
    short = name.split("_", 2)[2] if name.startswith("on_") else name
    found = []
    for one in callbacks:
        for spelling in (name, short):
            method = getattr(one, spelling)
            if getattr(method, "__func__", method) is not getattr(Callback, spelling):
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
    for one in listed(callbacks):
        own = [hook for hook in _SHORT_HOOKS if getattr(type(one), hook) is not getattr(Callback, hook)]
        long = any(getattr(type(one), hook) is not getattr(Callback, hook) for hook in _LONG_HOOKS)
        if own and not long and not type(one).__module__.startswith("mindspore."):
            raise ValueError(
                f"For {type(one).__name__} callback, {{{', '.join(map(repr, own))}}} methods may not be supported in later "
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
        raise RuntimeError("For 'checkpoint_cb_for_save_op', no network is set. Call 'set_cur_net(net)' first.")
    values = {one["name"]: Parameter(Tensor(one["data"]), name=one["name"]) for one in parameter_list}
    load_param_into_net(_current_network[0], values)
    return True


# the spellings of MindSpore 1.x
_CallbackManager = CallbackManager
_InternalCallbackParam = InternalCallbackParam
