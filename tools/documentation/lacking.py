"""What public names do not explain: `python tools/documentation/lacking.py [package ...]`.

For every class, function and Tensor method of the public packages: a summary, each argument, what it returns, what it refuses, a runnable
example. Prints the count of each package and, with a package's name, the names. `--check`, part of `make check`, prints only what is new.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

sys.path[:0] = [
    str(Path(__file__).resolve().parents[2]),
    str(Path(__file__).resolve().parents[1]),
    str(Path(__file__).resolve().parent),
]

from docstrings import entries, parse  # noqa: E402 - found through the path set above
from entries import RECORDED, raises  # noqa: E402

from mindspore import Tensor  # noqa: E402
from mindspore._utils.documents import complete, parameters_of  # noqa: E402

INTERNAL = ("from_batch", "linked", "wrap")  # of the engine, not of programs
PARTS = ("summary", "Args", "Inputs", "Returns", "Raises", "Examples")
PACKAGES = (
    "mindspore", "mindspore.ops", "mindspore.nn", "mindspore.mint", "mindspore.mint.nn", "mindspore.mint.nn.functional", "mindspore.mint.linalg",
    "mindspore.mint.special", "mindspore.mint.optim", "mindspore.mint.distributed", "mindspore.train", "mindspore.dataset", "mindspore.dataset.vision",
    "mindspore.dataset.transforms", "mindspore.dataset.text", "mindspore.dataset.audio", "mindspore.numpy", "mindspore.scipy.linalg", "mindspore.scipy.optimize",
    "mindspore.scipy.sparse", "mindspore.amp", "mindspore.communication", "mindspore.communication.comm_func", "mindspore.common", "mindspore.common.initializer",
    "mindspore.context", "mindspore.experimental", "mindspore.experimental.optim", "mindspore.experimental.optim.lr_scheduler", "mindspore.mindrecord",
    "mindspore.nn.probability.distribution", "mindspore.nn.probability.bijector", "mindspore.nn.probability.bnn_layers", "mindspore.nn.transformer", "mindspore.parallel",
    "mindspore.parallel.nn", "mindspore.parallel.function", "mindspore.parallel.cluster", "mindspore.profiler", "mindspore.runtime", "mindspore.hal", "mindspore.graph",
    "mindspore.rewrite", "mindspore.boost", "mindspore.device_context.cpu", "mindspore.device_context.gpu", "mindspore.device_context.ascend",
    "mindspore.dataset.dataloader", "mindspore.dataset.utils", "mindspore.multiprocessing", "mindspore.compression.quant", "mindspore.safeguard", "mindspore.tools",
    "mindspore.utils", "mindspore.utils.jax", "mindspore.log", "mindspore.onnx", "mindspore.explainer",
    "mindspore.explainer.explanation", "mindspore.explainer.benchmark",
)  # fmt: skip


WITHOUT_EXAMPLE = {  # several processes, files of an object storage, a dictionary of megabytes, or an accelerator's
    *(f"mindspore.dataset.{name}" for name in ("GraphData", "IWSLT2016Dataset", "IWSLT2017Dataset", "LibriTTSDataset", "OBSMindDataset",
      "TedliumDataset", "sync_wait_for_dataset", "text.JiebaTokenizer", "text.SentencePieceTokenizer", "text.SentencePieceVocab")),
    *(f"mindspore.mindrecord.{name}" for name in ("Cifar100ToMR", "Cifar10ToMR", "MnistToMR")),
    *(f"mindspore.ops.{name}" for name in ("DtypeToEnum", "moe_distribute_combine", "moe_distribute_dispatch")),
    "mindspore.load_obf_params_into_net", "mindspore.restore_group_info_list", "mindspore.parallel.unified_safetensors", "mindspore.boost.DimReduce",
    "mindspore.runtime.MemPool", "mindspore.runtime.use_mem_pool",
}  # fmt: skip


def members(package: str) -> dict[str, Any]:
    """The classes and functions that a package shows, by full name."""
    if package == "mindspore.Tensor":
        found = {name: one for name, one in vars(Tensor).items() if inspect.isfunction(getattr(one, "__func__", one))}
    else:
        module = importlib.import_module(package)
        found = {name: getattr(module, name, None) for name in getattr(module, "__all__", None) or dir(module)}
    return {
        f"{package}.{name}": one
        for name, one in sorted(found.items())
        if not name.startswith("_")
        and name not in INTERNAL
        and _ours(getattr(one, "__func__", one) if package == "mindspore.Tensor" else one)
    }


def packages() -> tuple[str, ...]:
    """Where public names are, in the order in which they count."""
    return ("mindspore.Tensor", *PACKAGES)


def _ours(thing: Any) -> bool:
    named = inspect.isclass(thing) or inspect.isfunction(thing)
    return named and (thing.__module__ or "").startswith("mindspore")


def lacking(name: str, thing: Any, recorded: dict[str, Any] | None = None) -> list[str]:
    """The parts of its explanation that a class or function lacks; what was found by calling counts, unless another record is given."""
    thing = getattr(thing, "__func__", thing)
    complete(thing)
    document = parse(thing)
    known = RECORDED if recorded is None else recorded
    plain = inspect.isclass(thing) and issubclass(thing, (Enum, Exception))
    call = getattr(thing, "construct", None) if inspect.isclass(thing) else None
    explained = {
        one.lstrip("*")
        for part in ("Args", "Inputs")
        for names, _, _ in entries(document.sections.get(part, ""))
        for one in names.split(", ")
    }
    wanted = {
        "summary": bool(document.summary),
        "Args": plain or all(one.lstrip("*") in explained for one in names_of(thing)),
        "Inputs": not inspect.isfunction(call) or all(one.lstrip("*") in explained for one in _of(call)),
        "Returns": plain
        or (inspect.isclass(thing) and not _called(thing))
        or bool({"Returns", "Outputs", "Yields"} & set(document.sections)),
        "Raises": plain or not names_of(thing) or name in known or bool(raises(name, thing, document, known)),
        "Examples": (plain and issubclass(thing, Exception)) or ">>> " in document.sections.get("Examples", ""),
    }
    return [part for part in PARTS if not wanted[part]]


def _called(thing: type) -> bool:
    return inspect.isfunction(getattr(thing, "construct", None)) or hasattr(thing, "op")


def names_of(thing: Any) -> list[str]:
    written = getattr(thing, "init_signature", None) if inspect.isclass(thing) else None
    if written is not None:
        return [one for one in written.parameters if not one.startswith("_")]
    forms: tuple[Callable[..., Any], ...] = (
        (thing.__init__,) if inspect.isclass(thing) else getattr(thing, "forms", ()) or (thing,)
    )
    return list(dict.fromkeys(one for form in forms for one in _of(form)))


def names_of_call(thing: Any) -> list[str]:
    """The parameters of an instance's call."""
    call = getattr(thing, "construct", None) or vars(thing).get("__call__") if inspect.isclass(thing) else None
    return _of(call) if inspect.isfunction(call) else []


def _of(function: Any) -> list[str]:
    return [name for name, _, _ in parameters_of(function) if name.lstrip("*")[:1] != "_"]


@functools.cache
def table() -> dict[str, dict[str, list[str]]]:
    """By package, what its names lack; a thing that several packages show counts once, in the first."""
    seen: set[int] = set()
    found: dict[str, dict[str, list[str]]] = {}
    for package in packages():
        found[package] = {}
        for name, thing in members(package).items():
            if id(thing) not in seen:
                seen.add(id(thing))
                found[package][name] = lacking(name, thing)
    return found


def _lines(found: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    yield f"{'package':45}{'names':>7}" + "".join(f"{part:>10}" for part in PARTS)
    total = dict.fromkeys(("names", *PARTS), 0)
    for package, inside in found.items():
        counts = {"names": len(inside), **{part: sum(part in one for one in inside.values()) for part in PARTS}}
        total = {part: total[part] + counts[part] for part in total}
        yield f"{package:45}{counts['names']:7}" + "".join(f"{counts[part]:10}" for part in PARTS)
    yield f"{'in all':45}{total['names']:7}" + "".join(f"{total[part]:10}" for part in PARTS)


def unexplained() -> list[str]:
    """A line for each name that lacks something, but for examples that cannot be."""
    return [
        f"{name}: {', '.join(left)}"
        for inside in table().values()
        for name, parts in inside.items()
        if (left := [one for one in parts if one != "Examples" or name not in WITHOUT_EXAMPLE])
    ]


def main() -> None:
    if sys.argv[1:] == ["--check"]:
        lines = unexplained()
        print("\n".join(lines) or "Every public name is explained.")
        sys.exit(bool(lines) and "Run tools/documentation/probe.py for Raises; write the rest into the docstrings.")
    found = table()
    print("\n".join(_lines(found)))
    for package in sys.argv[1:]:
        for name, parts in found[package].items():
            if parts:
                print(f"{name}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
