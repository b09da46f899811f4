"""Every public operator, layer and Tensor method says what it does, takes, returns and refuses."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

from mindspore import Tensor, mint, nn, ops
from mindspore._engine.operator.registry import FUNCTIONS, OPS, PRIMITIVES
from mindspore._utils.documents import composed, parameters_of


def public(package: Any) -> dict[str, Any]:
    names = getattr(package, "__all__", None) or dir(package)
    found = {name: getattr(package, name) for name in names if not name.startswith("_")}
    return {
        name: thing
        for name, thing in found.items()
        if (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__.startswith("mindspore")
    }


ROOMS = {
    "ops": {name: thing for name, thing in {**PRIMITIVES, **FUNCTIONS}.items() if getattr(ops, name, None) is thing},
    "mint": public(mint),
    "mint.nn.functional": public(mint.nn.functional),
    "nn": public(nn),
    "Tensor": {name: one for name, one in vars(Tensor).items() if inspect.isfunction(one) and not name.startswith("_")},
}


def parameters(thing: Any) -> list[str]:
    if inspect.isclass(thing):
        written = getattr(thing, "init_signature", None)
        if written is not None:
            return list(written.parameters)
        return [name for name, _, _ in parameters_of(thing.__init__)]
    forms = getattr(thing, "forms", ()) or (thing,)
    return [name for form in forms for name, _, _ in parameters_of(form)]


def faults(name: str, thing: Any) -> Iterator[str]:
    text = inspect.getdoc(thing) or ""
    section = text.partition("Args:")[2]
    for head in ("Inputs:", "Returns:", "Outputs:", "Raises:", "Examples:"):
        section = section.partition(f"\n{head}")[0]
    listed = {
        one
        for found in re.findall(r"^ +([\w*, ]+?)(?: \([^)]*\))?:", section, re.MULTILINE)
        for one in found.split(", ")
    }
    if not text.strip():
        yield f"{name} has no docstring"
    missing = [
        one for one in parameters(thing) if one[0] != "_" and one not in listed and one.lstrip("*") not in listed
    ]
    if missing:
        yield f"{name} does not explain {missing}"
    called = not inspect.isclass(thing) or hasattr(thing, "construct") or hasattr(thing, "op")
    if called and "Returns:" not in text and "Outputs:" not in text:
        yield f"{name} does not say what it returns"


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_has_its_sections(room: str) -> None:
    assert len(ROOMS[room]) > 60
    found = [fault for name, thing in sorted(ROOMS[room].items()) for fault in faults(name, thing)]
    assert found == []


def test_operators_with_checks_say_what_they_refuse() -> None:
    silent = [
        name
        for name, declared in OPS.items()
        if declared.names and declared.arguments and "Raises:" not in (declared.function.__doc__ or "")
        if any(argument.annotation != "Any" for argument in declared.arguments)
        or declared.bounds
        or hasattr(declared.body, "refusals")
    ]
    assert silent == []


def test_what_a_docstring_says_itself_stays() -> None:
    text = "Summary.\n\n    Args:\n        a: the first.\n\n    Examples:\n        >>> 1\n        1\n    "
    made = composed(text, [("a", "int", 1), ("axis", "int", 2)], None, "Tensor.", ["TypeError: If."])
    assert made.count("Args:") == 1
    assert "        a: the first.\n        axis (int, optional): The axis" in made
    assert re.findall(r"\n    (\w+):\n", made) == ["Args", "Returns", "Raises", "Examples"]
    assert made.endswith(">>> 1\n        1\n    ")
