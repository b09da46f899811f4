"""Write how real MindSpore's public functions, classes and methods are called. Run with the Python that has it:

GLOG_v=4 python tools/oracle/record_signatures.py tests/data/signatures.json

Functions of several forms have none in Python: their forms come from their documents and from the errors of wrong calls.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mindspore
from mindspore import Tensor

MODULES = [
    "mindspore",
    "ops",
    "ops.functional",
    "ops.operations",
    "ops.composite",
    "ops.function",
    "mint",
    "mint.nn",
    "mint.nn.functional",
    "mint.linalg",
    "mint.special",
    "mint.distributed",
    "mint.optim",
    "nn",
    "nn.probability.distribution",
    "nn.probability.bijector",
    "nn.probability.bnn_layers",
    "nn.learning_rate_schedule",
    "nn.dynamic_lr",
    "nn.wrap",
    "numpy",
    "numpy.fft",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.fft",
    "scipy.sparse.linalg",
    "dataset",
    "dataset.vision",
    "dataset.text",
    "dataset.audio",
    "dataset.transforms",
    "dataset.config",
    "dataset.engine",
    "train",
    "train.callback",
    "train.summary",
    "common",
    "common.initializer",
    "communication",
    "communication.comm_func",
    "communication.management",
    "experimental",
    "experimental.optim",
    "experimental.optim.lr_scheduler",
    "amp",
    "train.amp",
    "context",
    "hal",
    "runtime",
    "profiler",
    "parallel",
    "parallel.nn",
    "mindrecord",
    "utils",
    "boost",
    "device_context.cpu.op_tuning",
    "rewrite",
    "safeguard",
    "graph",
    "train.metrics",
    "train.serialization",
    "multiprocessing",
    "dataset.utils",
]
INSIDE = ("parse", "check_elim", "create_ir_tree", "to_json", "get_handler")  # steps of its own pipelines and passes
METHOD_FORM = re.compile(r"^\s*(?:\.\. (?:method|function):: )?(?:Tensor\.|mint\.|mindspore\.)*(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*(?:->.*)?$")  # fmt: skip


def text_of(value: Any) -> str:
    """A default as text that does not depend on the process: without addresses and places."""
    if isinstance(value, type):
        return value.__name__
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def parameters_of(function: Callable[..., Any], bound: bool) -> str | None:
    """The parameters as one line, ``a, b=1, *, c=None``; None where Python does not know them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return None
    if bound:
        parameters = parameters[1:]
    if parameters and parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:
        return None  # ``*args`` says nothing
    words, star = [], False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not star:
            words.append("*")
            star = True
        prefix = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        star = star or one.kind is one.VAR_POSITIONAL
        default = "" if one.default is one.empty else f"={text_of(one.default)}"
        words.append(prefix + one.name + default)
    return ", ".join(words)


def documented_forms(name: str, document: str | None) -> list[str]:
    found = []
    for line in (document or "").splitlines():
        match = METHOD_FORM.match(line)
        if match and match.group(1) == name and match.group(2).strip() not in found:
            found.append(match.group(2).strip())
    return found


def distinct(lines: list[str]) -> list[str]:
    """Each form once; what errors list has neither defaults nor the star, what documents say has."""
    found: dict[str, str] = {}
    for line in lines:
        found.setdefault(re.sub(r"=[^,]*|\*, ", "", line), line)
    return list(found.values())


class Nonsense:
    """An argument that no form takes."""


def refused_forms(call: Callable[..., Any], *first: Any) -> list[str]:
    """The forms that an error lists, of a call in a process of its own: some wrong calls end it."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        signal.alarm(20)
        try:
            os.write(writer, json.dumps(_listed(call, *first)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        text = stream.read()
    os.waitpid(process, 0)
    return json.loads(text) if text else []


def _listed(call: Callable[..., Any], *first: Any) -> list[str]:
    nonsense = Nonsense()
    for args, kwargs in (
        ((nonsense,), {}),
        ((*first, nonsense), {}),
        ((nonsense,) * 9, {}),
        (first, {"zzz": nonsense}),
    ):
        try:
            call(*args, **kwargs)
        except Exception as error:
            lines = re.findall(r'^"[\w.]+\((.*)\)"$', str(error), re.MULTILINE)
            if lines:
                return [
                    re.sub(r"<[^>]*>", "", line).replace("=,", ",").rstrip("=").replace("= ", " ") for line in lines
                ]
    return []


def methods_of(kind: type, elsewhere: set[Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods that a class has of its own, or from bases that are not recorded yet."""
    for name in sorted(dir(kind)):
        if (
            name in INSIDE
            or name.startswith("infer_")
            or (name.startswith("_") and name not in ("__init__", "__call__"))
        ):
            continue
        owner = next((base for base in kind.__mro__ if name in vars(base)), object)
        found = vars(owner).get(name)
        if name != "__init__" and owner is not kind and (owner in elsewhere or (owner, name) in elsewhere):
            continue
        elsewhere.add((owner, name))
        if inspect.isfunction(found) and owner.__module__.startswith("mindspore"):
            yield name, found


def describe(path: str, value: Any, elsewhere: set[Any], found: dict[str, str]) -> None:
    if inspect.isclass(value):
        for name, function in methods_of(value, elsewhere):
            line = parameters_of(function, bound=True)
            if line is not None:
                found[f"{path}.{name}"] = line
    elif inspect.isfunction(value):
        line = parameters_of(value, bound=False)
        if line is not None:
            found[path] = line
    elif isinstance(value, mindspore.ops.Primitive):
        line = parameters_of(type(value).__call__, bound=True)
        if line is not None:
            found[path] = line


def public_values() -> Iterator[tuple[str, Any]]:
    """The callables of each module's public names, each once, under the first of its names."""
    seen: set[int] = set()
    for module_name in MODULES:
        try:
            module = importlib.import_module("mindspore" if module_name == "mindspore" else f"mindspore.{module_name}")
        except ImportError:
            continue
        prefix = "" if module_name == "mindspore" else f"{module_name}."
        names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
        for name in sorted(set(names)):
            value = getattr(module, name, None)
            owner = getattr(value, "__module__", "") or ""
            if not callable(value) or not owner.startswith("mindspore") or id(value) in seen or value is Tensor:
                continue
            seen.add(id(value))
            yield prefix + name, value


def forms() -> dict[str, list[str]]:
    """Of Tensor's methods and of the functions of several forms: each form's parameters."""
    found: dict[str, list[str]] = {}
    sample = Tensor([1.0])
    for name in sorted(dir(Tensor)):
        member = getattr(Tensor, name, None)
        if name.startswith("_") or not callable(member) or inspect.isclass(member):
            continue
        if inspect.isfunction(member):
            found[f"Tensor.{name}"] = [parameters_of(member, bound=True) or ""]
        elif lines := distinct(documented_forms(name, member.__doc__) + refused_forms(getattr(sample, name))):
            found[f"Tensor.{name}"] = lines
    for label in ("mint", "mint.nn.functional", "ops"):
        module = importlib.import_module(f"mindspore.{label}")
        for name in sorted(getattr(module, "__all__", dir(module))):
            function = getattr(module, name, None)
            known = inspect.isclass(function) or isinstance(
                function, (mindspore.ops.Primitive, mindspore.ops.MultitypeFuncGraph)
            )
            if known or not callable(function):
                continue
            if parameters_of(function, bound=False) is not None:
                continue
            if lines := distinct(documented_forms(name, function.__doc__) + refused_forms(function, sample)):
                found[f"{label}.{name}"] = lines
    return found


if __name__ == "__main__":
    signatures: dict[str, str] = {}
    several = forms()  # before anything else starts threads
    values = dict(public_values())
    classes: set[Any] = {value for value in values.values() if inspect.isclass(value)}
    for path, value in values.items():
        describe(path, value, classes, signatures)
    rows = [f"  {json.dumps(name)}: {json.dumps(line)}" for name, line in sorted(signatures.items())]
    more = [f"  {json.dumps(name)}: {json.dumps(lines)}" for name, lines in sorted(several.items())]
    text = '{"signatures": {\n' + ",\n".join(rows) + '\n},\n"forms": {\n' + ",\n".join(more) + "\n}}\n"
    Path(sys.argv[1]).write_text(text)
