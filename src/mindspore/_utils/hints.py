"""Says what to write instead of a name that is not here: in modules, on objects, and among the arguments of a constructor.

The words themselves stand beside what they are about, in ``_hints.py``; ``KEYWORDS`` is for arguments, which many classes share.

>>> from mindspore._utils import hints
>>> print(hints.MissingName("'Tensor' object", "cuda", {"cuda": "Leave it out."}, list))
'Tensor' object has no attribute 'cuda'. Leave it out.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, TypeVar

from mindspore._utils.checks import suggestion

Function = TypeVar("Function", bound=Callable[..., Any])

ON_ONE_DEVICE = (
    "Leave it out: everything is on the device of mindspore.set_device('CPU'), which may be 'GPU' or 'Ascend' as well."
)

# Arguments as PyTorch and Keras call them: here they have the first of these names that the class has, or none at all.
KEYWORDS: dict[str, tuple[str, ...]] = {
    "lr": ("learning_rate",),
    "learning_rate": ("lr",),
    "optim": ("optimizer",),
    "parameters": ("params",),
    "betas": ("beta1=..., beta2",),
    "eps": ("epsilon", "eps"),
    "epsilon": ("eps",),
    "alpha": ("decay", "alpha"),
    "amsgrad": ("use_amsgrad",),
    "bias": ("has_bias",),
    "use_bias": ("has_bias", "bias"),
    "in_features": ("in_channels", "input_features"),
    "out_features": ("out_channels", "output_features"),
    "in_channels": ("in_features",),
    "out_channels": ("out_features",),
    "units": ("out_channels", "hidden_size"),
    "filters": ("out_channels",),
    "groups": ("group",),
    "strides": ("stride",),
    "dilation_rate": ("dilation",),
    "padding_mode": ("pad_mode",),
    "pool_size": ("kernel_size",),
    "num_embeddings": ("vocab_size",),
    "embedding_dim": ("embedding_size",),
    "input_dim": ("vocab_size", "in_channels"),
    "output_dim": ("embedding_size", "out_channels"),
    "track_running_stats": ("use_batch_statistics",),
    "elementwise_affine": ("gamma_init=..., beta_init",),
    "rate": ("p",),
    "dim": ("axis", "begin_norm_axis"),
    "axis": ("dim",),
    "size_average": ("reduction",),
    "reduce": ("reduction",),
    "from_logits": ("reduction",),
    "negative_slope": ("alpha",),
    "input_shape": ("in_channels",),
    "kernel_initializer": ("weight_init",),
    "bias_initializer": ("bias_init",),
    "nhead": ("num_heads", "nhead"),
    "epochs": ("epoch",),
    "x": ("train_dataset", "valid_dataset"),
    "dataset": ("train_dataset", "valid_dataset"),
    "validation_data": ("valid_dataset",),
    "eval_dataset": ("valid_dataset",),
    "callback": ("callbacks",),
    "loss": ("loss_fn",),
    "criterion": ("loss_fn",),
}
NEEDLESS = {
    "inplace": "Leave it out: Tensors are never changed by a layer.",
    "device": ON_ONE_DEVICE,
    "requires_grad": "Leave it out: gradients are taken of functions, mindspore.value_and_grad(forward, None, net.trainable_params()).",
    "batch_size": "Leave it out: the dataset makes batches, dataset.batch(32).",
    "shuffle": "Leave it out: the dataset is shuffled, dataset.shuffle(1000).",
    "verbose": "Write callbacks=[mindspore.train.LossMonitor()] to see the loss.",
    "input_shape": "Leave it out: say how many features come in with the first argument.",
}


class MissingName(AttributeError):
    """Nothing has this name. What to write instead is looked for when the message is read: most programs only ask hasattr."""

    __module__, __qualname__ = "builtins", "AttributeError"  # what it is to the program

    def __init__(self, owner: str, name: str = "", hints: Mapping[str, str] | None = None,
                 known: Callable[[], Iterable[str]] = tuple, end: str = ""):  # fmt: skip
        super().__init__(owner)
        self.told: tuple[str] | None = None
        self.text = f"{owner} has no attribute '{name}'"
        self.attribute = name
        self.hints = hints or {}
        self.known = known
        self.end = end

    @property
    def args(self) -> tuple[str]:  # type: ignore[override]
        if self.told is not None:
            return self.told
        if self.attribute in self.hints:
            return (f"{self.text}. {self.hints[self.attribute]}",)
        near = suggestion(self.attribute, [name for name in self.known() if not name.startswith("_")])
        return (f"{self.text}.{near}" if near else f"{self.text}{self.end}",)

    @args.setter
    def args(self, told: tuple[str]) -> None:  # type: ignore[override]  # whoever the error passes may say more
        self.told = told

    def __str__(self) -> str:
        return self.args[0]


MissingName.__name__ = "AttributeError"


class OperatorHints(dict[str, str]):
    """Hints of ours, and for the name of an operator how to call it."""

    functions: Mapping[str, Any] = {}  # what mindspore.ops has; the registry of operators puts its own here

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self.functions

    def __missing__(self, name: str) -> str:
        return f"Write mindspore.ops.{name}(...)."


def check_arguments(cls: type, given: tuple, keywords: Mapping[str, Any]) -> None:
    """Refuse arguments that a constructor of ours does not take, with the name they have here, and for the class that was called:
    Python would name the base class that wrote the constructor.

    >>> class Dense:
    ...     def __init__(self, in_channels, has_bias=True): ...
    >>> check_arguments(Dense, (), {"bias": True})
    Traceback (most recent call last):
    ...
    TypeError: Dense.__init__() got an unexpected keyword argument 'bias'. Write has_bias=...; the arguments are (in_channels, has_bias).
    >>> check_arguments(type("Linear", (Dense,), {}), (), {})
    Traceback (most recent call last):
    ...
    TypeError: Linear.__init__() missing 1 required positional argument: 'in_channels'; the arguments are (in_channels, has_bias).
    """
    taken = _taken(cls)
    if taken is None:
        return
    names, places, required = taken
    title = f"{cls.__name__}.__init__"
    _refuse(title, keywords, names)
    listed = f"the arguments are ({', '.join(names)})" if names else "it has no arguments"
    if len(given) > places:
        most = f"{places + 1} positional argument{'s' if places else ''}"
        raise TypeError(f"{title}() takes {most} but {len(given) + 1} were given; {listed}.")
    missing = [f"'{name}'" for name in required[len(given) :] if name not in keywords]
    if missing:
        count = f"{len(missing)} required positional argument{'s' if len(missing) > 1 else ''}"
        raise TypeError(f"{title}() missing {count}: {', '.join(missing)}; {listed}.")


def checks_keywords(function: Function) -> Function:
    """Decorator of a method: arguments it does not have are refused with the name they have here."""
    accepted = _names(function) or ()

    @functools.wraps(function)
    def method(*args: Any, **keywords: Any) -> Any:
        _refuse(function.__qualname__, keywords, accepted)
        return function(*args, **keywords)

    return method  # type: ignore[return-value]


def _refuse(title: str, given: Iterable[str], accepted: Iterable[str]) -> None:
    for name in given:
        if name not in accepted:
            raise TypeError(f"{title}() got an unexpected keyword argument '{name}'.{keyword_hint(name, accepted)}")


def keyword_hint(name: str, accepted: Iterable[str]) -> str:
    """What to write instead of an argument that is not accepted."""
    accepted = tuple(accepted)
    listed = f"; the arguments are ({', '.join(accepted)})."
    if name in NEEDLESS and name not in KEYWORDS:
        return f" {NEEDLESS[name]}"
    for candidate in KEYWORDS.get(name, ()):
        if candidate.rsplit(" ", 1)[-1] in accepted:
            return f" Write {candidate}=...{listed}"
    near = suggestion(name, accepted)
    return f"{near} The arguments are ({', '.join(accepted)})."


class ChecksArguments:
    """The base of classes whose constructors refuse arguments that they do not take in the name of the class that was called."""

    def __new__(cls, /, *given: Any, **keywords: Any) -> Self:
        if given or keywords:  # copies are made without
            check_arguments(cls, given, keywords)
        return super().__new__(cls)


_known: dict[Any, tuple[tuple[str, ...], int, tuple[str, ...]] | None] = {}


def _taken(cls: type) -> tuple[tuple[str, ...], int, tuple[str, ...]] | None:
    """What a constructor of ours takes: the names of its arguments, how many by position, which of these must be given. None where it
    takes any, or the class is the user's."""
    function = cls.__init__
    if function is object.__init__:  # Python leaves this check out if there is a __new__
        return (), 0, ()
    if function not in _known:
        own = (getattr(function, "__module__", None) or "").startswith("mindspore.")  # made by exec it has none
        _known[function] = _form(function) if own else None
    return _known[function]


def _form(function: Any) -> tuple[tuple[str, ...], int, tuple[str, ...]] | None:
    signature = getattr(function, "taken", None) or inspect.signature(function)
    names = _names(function)
    parameters = [p for p in signature.parameters.values() if p.name != "self"]
    if names is None or any(p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY) for p in parameters):
        return None if names is None else (names, sys.maxsize, ())
    placed = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    return names, len(placed), tuple(p.name for p in placed if p.default is p.empty)


def _names(function: Any) -> tuple[str, ...] | None:
    signature = getattr(function, "taken", None) or inspect.signature(function)  # of what a decorator stands for
    parameters = [p for p in signature.parameters.values() if p.name != "self"]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return tuple(p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY))
