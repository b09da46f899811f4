"""What a MindSpore says to a wrong call: the type of its exception, and the facts that the message states."""

from __future__ import annotations

import builtins
import functools
import importlib
import re
import tempfile
from typing import Any

import numpy as np

from tools.oracle import record_audio, record_vision
from tools.oracle.dataset_cases import namespace
from tools.oracle.execute import make_inputs, public_names
from tools.oracle.form_kinds import inputs as form_inputs
from tools.oracle.wrong_calls import WrongCall

_KINDS = ("int", "float", "bool", "str", "tuple", "list", "dict", "Tensor")
_NUMBER = r"-?(?:\d[\d.e+-]*|inf)"
_INTERVAL = re.compile(rf"\b(?:range|interval|in)\b[^\[(]{{0,12}}([\[(] ?{_NUMBER}, {_NUMBER} ?[\])])")  # and no shape
_LISTED = re.compile(r"[\[({]((?:'[\w -]*'(?:: [^,\]]*)?(?:, )?)+)[\])}]")

_TABLE = "The valid calling should be"  # what follows lists every overload
_INTERNAL = re.compile(
    r"(?<=Failed calling )\S+ with \"[^\"]*\"|-{20}[\s\S]*|Valid type list|'TensorPy'(?:, )?|zero shape Tensor"
)  # words that say nothing about the call

# Real MindSpore has no such kernel on the CPU, or stumbled over itself: no answer to the call.
NO_KERNEL = "no kernel"
_NO_KERNEL = re.compile(
    r"kernel \S+ unregistered|Unsupported op \[|Select CPU operator\[\w+\] fail|supported on this device|nly supports? Ascend|"
    r"support Ascend only|KernelMod Init Failed|Create kernelmod for op|does not support this kernel data type|doesn't implement|"
    r"should not come here|There is no branch to go|bad_function_call|framework's unexpected error|Not found op \\w+ on device|"
    r"zero shape Tensor is not currently supported"
)


def answer(kind: str, message: str) -> str:
    """What is recorded as the type of an exception."""
    return NO_KERNEL if kind and _NO_KERNEL.search(message) else kind.partition("|")[0]


@functools.cache
def _names(ms: Any) -> dict[str, Any]:
    """The modules that calls name, and what does not change."""
    found = public_names(ms)
    for short, path in {
        "ds": "dataset",
        "vision": "dataset.vision",
        "audio": "dataset.audio",
        "mint": "mint",
        "amp": "amp",
    }.items():
        found[short] = importlib.import_module(f"{ms.__name__}.{path}")
    for path in ("train", "common.initializer", "nn.probability.distribution", "nn.probability.bijector", "scipy.linalg", "scipy.optimize", "mindrecord",
                 "communication", "hal", "runtime", "experimental.optim", "experimental.optim.lr_scheduler", "mint.optim"):  # fmt: skip
        importlib.import_module(f"{ms.__name__}.{path}")
    transforms, text = (importlib.import_module(f"{ms.__name__}.dataset.{name}") for name in ("transforms", "text"))
    folder = tempfile.mkdtemp()
    found |= namespace(importlib.import_module(f"{ms.__name__}.common.dtype"), transforms, text, folder)
    found |= record_vision.inputs() | record_vision.files() | record_audio.inputs(found["audio"])
    found["logits"], found["labels"] = (
        np.array([[0.2, 0.8, 0.1], [0.6, 0.4, 0.3]], np.float32)[:, :2],
        np.array([1, 0], np.int32),
    )
    return found


def fresh(ms: Any, wrong: WrongCall) -> dict[str, Any]:
    """What a call names, made anew."""
    names = dict(_names(ms))
    if wrong.inputs:
        tensors, parameters = make_inputs(wrong.case, ms)
        plain = [name for name, array in wrong.inputs.items() if not array.parameter]
        return names | dict(zip(plain, tensors, strict=True)) | parameters
    if re.search(r"\b[xynbmvijksrz]\b", wrong.source):
        names |= form_inputs(ms)
    if "net" in wrong.source:
        names["net"] = names["nn"].Dense(2, 2)
    if "rows" in wrong.source:
        names["rows"] = names["ds"].NumpySlicesDataset(
            {"a": np.ones((4, 2), np.float32), "b": np.ones((4, 2), np.float32)}
        )
    return names


def _wait(result: Any, ms: Any) -> None:
    for one in result if isinstance(result, (tuple, list)) else (result,):
        if isinstance(one, ms.Tensor):
            one.asnumpy()


def caught_by(error: Exception) -> str:
    """The name of the exception's class, and those of Python's own exceptions that one of a library is."""
    kind = type(error)
    own = [base.__name__ for base in kind.__mro__[1:] if base is getattr(builtins, base.__name__, None)]
    named = [kind.__name__, *(name for name in own if name not in ("Exception", "BaseException", "object"))]
    return kind.__name__ if kind is getattr(builtins, kind.__name__, None) else "|".join(dict.fromkeys(named))


def attempt(ms: Any, wrong: WrongCall) -> tuple[str, str]:
    """(type, message) of the exception, or two empty texts."""
    try:
        _wait(eval(wrong.source, fresh(ms, wrong)), ms)
    except Exception as error:
        return caught_by(error), str(error)
    return "", ""


def attempt_compiled(ms: Any, wrong: WrongCall) -> tuple[str, str]:
    """(type, message) of the exception if the call is part of a compiled function of its Tensors."""
    names = fresh(ms, wrong)
    given = [name for name, value in names.items() if isinstance(value, ms.Tensor) and said(name, wrong.source)]
    function = eval(f"lambda {', '.join(given)}: {wrong.source}", names)
    try:
        _wait(ms.jit(function)(*(names[name] for name in given)), ms)
    except Exception as error:
        return caught_by(error), str(error)
    return "", ""


def said(text: str, message: str) -> bool:
    """Whether a word or an interval stands in a message."""
    text = "None" if text == "NoneType" else text
    return bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", message)) if text[0] not in "[(" else text in message


def facts(wrong: WrongCall, message: str) -> list[str]:
    """Operation, argument, kinds, choices and intervals that a message names; nothing of a table of C++ signatures."""
    if "incompatible" in message:
        return []
    message = _INTERNAL.sub("", message.partition(_TABLE)[0])
    operation = wrong.name.rpartition(".")[2]
    words = [word for word in (operation, wrong.argument) if word and not word.isdigit() and said(word, message)]
    passed = [kind for kind in _KINDS if re.search(rf"(?:'|class '){kind}'|\b{kind}\b", message)]
    choices = [word for listed in _LISTED.findall(message) for word in re.findall(r"'([\w-]+)'", listed)]
    intervals = [found.replace("[ ", "[") for found in _INTERVAL.findall(message) if found not in wrong.source]
    return list(dict.fromkeys([*words, *passed, *choices[:12], *intervals]))
