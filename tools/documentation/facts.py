"""What the declaration of a name knows beside its docstring: other spellings, forms, devices, gradient, MindSpore's page."""

from __future__ import annotations

import functools
import html
from typing import Any

from words import WORDS

from mindspore import Tensor
from mindspore._engine.operator.registry import FUNCTIONS, PRIMITIVES, Op
from mindspore._utils.documents.documented_modules import DOCUMENTED
from mindspore.nn import Cell
from tests.ops.samples import Samples
from tests.ops.test_other_devices import WITHOUT

PAGES = "https://www.mindspore.cn/docs/{language}/master/api_python/{page}"
FOLDERS = {  # of packages whose pages are not in a folder of their second name
    "mindspore": "mindspore", "mindspore.dataset.vision": "dataset_vision", "mindspore.dataset.transforms": "dataset_transforms",
    "mindspore.dataset.text": "dataset_text", "mindspore.dataset.audio": "dataset_audio", "mindspore.experimental.optim": "experimental/optim",
    "mindspore.nn.probability.distribution": "nn_probability",
}  # fmt: skip
ON_ONE_PAGE = ("mindspore.communication", "mindspore.mindrecord", "mindspore.common.initializer", "mindspore.rewrite")


def real_page(name: str, language: str) -> str | None:
    """The page of MindSpore's documentation of a public name; None where it documents no such name."""
    package, _, short = name.rpartition(".")
    if package == "mindspore.Tensor":
        page = f"mindspore/Tensor/{name}.html"
    elif not any(short in names.split() for names in DOCUMENTED.get(package, {}).values()):
        return None
    elif package in ON_ONE_PAGE:
        page = f"{package}.html#{name}"
    else:
        page = f"{FOLDERS.get(package) or package.split('.')[1]}/{name}.html"
    return PAGES.format(language="zh-CN" if language == "zh" else "en", page=page)


@functools.cache
def has_gradient(declared: Op) -> bool | None:
    """Whether the cases of a declaration check a gradient; None when it has none."""
    if declared.test is None:
        return None
    return any(case.positions for case in declared.test(Samples(declared.name)))


def facts(name: str, thing: Any, language: str) -> str:
    """The list below an entry of the reference."""
    words = WORDS[language]
    rows: list[tuple[str, str]] = []
    declared: Op | None = getattr(thing, "op", None)
    short = name.rpartition(".")[2]
    if name.startswith("mindspore.ops."):
        table, kind = (PRIMITIVES, "function") if isinstance(thing, type) else (FUNCTIONS, "primitive")
        others = [f"ops.{other}" for other, one in table.items() if one is thing and other != short]
        rows.append((words["aliases"], _listed(others)))
        methods = [f"Tensor.{one}" for one in vars(Tensor) if vars(Tensor)[one] is thing and not one.startswith("__")]
        if declared is not None:
            forms = [one.__name__ for one in declared.primitives] if kind == "primitive" else declared.names
            rows.append((words[kind], _listed(f"ops.{one}" for one in forms)))
            methods = methods or [f"Tensor.{one}" for one in declared.methods]
            old = [f"{one} ({', '.join(a.old_names)})" for a in declared.arguments if a.old_names for one in [a.name]]
            rows.append((words["old_arguments"], _listed(old)))
        rows.append((words["method"], _listed(methods)))
    if declared is not None:
        missing = [device for device, names in WITHOUT.items() if declared.name in names]
        words_of = {"cuda": "GPU", "tpu": "TPU"}
        gone = {words_of[one] for one in missing}
        rows.append((words["devices"], ", ".join(one for one in ("CPU", "GPU", "TPU") if one not in gone)))
        if (gradient := has_gradient(declared)) is not None:
            rows.append((words["gradient"], words["yes" if gradient else "no"]))
    elif (isinstance(thing, type) and issubclass(thing, Cell)) or (
        name.startswith(("mindspore.mint.", "mindspore.numpy.")) and not isinstance(thing, type)
    ):
        rows += [(words["devices"], "CPU, GPU, TPU"), (words["gradient"], words["by_operators"])]
    if page := real_page(name, language):
        rows.append((words["real"], f'<a href="{page}">{name}</a>'))
    shown = "".join(f"<dt>{title}</dt><dd>{text}</dd>" for title, text in rows if text)
    return f'<dl class="facts">{shown}</dl>\n' if shown else ""


def _listed(names: Any) -> str:
    return ", ".join(f"<code>{html.escape(name)}</code>" for name in names if not name.split(".")[-1].startswith("_"))
