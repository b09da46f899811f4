"""Finds out by calling what functions refuse whose source does not show it: `python tools/documentation/probe.py`.

The call in the example of a docstring is made again with one argument of another type, out of range or unknown, and the message that comes
back is written down as a sentence in `refused.json`, which the reference reads. To be run when `lacking.py` names something without Raises.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import json
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

import entries  # noqa: E402 - found through the path set above
import lacking  # noqa: E402
import refusals  # noqa: E402
from docstrings import parse  # noqa: E402

RECORD = Path(__file__).with_name("refused.json")
_KINDS = (TypeError, ValueError, IndexError, KeyError, RuntimeError, NotImplementedError)
_GENERAL = {
    ("object", TypeError): "If `{}` has none of its types.",
    ("number", IndexError): "If `{}` is out of range.",
    ("number", ValueError): "If `{}` is out of range.",
    ("number", RuntimeError): "If `{}` is out of range.",
    ("str", ValueError): "If `{}` is none of the words that it can be.",
    ("str", KeyError): "If `{}` is none of the words that it can be.",
}
_SECONDS = 20


def refused(name: str, thing: Any) -> list[tuple[str, str]]:
    """Pairs of exception and sentence, found with the example of a function or class."""
    thing = getattr(thing, "__func__", thing)
    example = parse(thing).sections.get("Examples", "")
    source = entries.runnable(example, name)
    tree = ast.parse("\n".join(line[4:] for line in source.splitlines() if line.startswith((">>> ", "... "))))
    found: dict[tuple[str, str], None] = {}
    receiver = 1 if name.startswith("mindspore.Tensor.") and lacking.names_of(thing)[:1] == ["input"] else 0
    names = {"": lacking.names_of(thing)[receiver:], "call": lacking.names_of_call(thing)}
    for changed, parameter, kind in _variants(tree, name.rpartition(".")[2], names):
        if (answer := _answer(changed)) is not None:
            sentence = refusals.sentence(str(answer))
            if f"`{parameter}`" not in sentence or (kind == "number" and re.search(r"\d", sentence)):
                sentence = _GENERAL.get((kind, _first(answer)), "").format(parameter)
            sentence = re.sub(r" is not `(\w+)`\.", r" is not a \1.", sentence)
            if sentence:
                found.setdefault((_first(answer).__name__, sentence))
    return list(found)


def _first(error: Exception) -> type[Exception]:
    """The exception of Python that an error is."""
    return next(kind for kind in _KINDS if isinstance(error, kind))


def _variants(tree: ast.Module, short: str, names_of: dict[str, list[str]]) -> Iterator[tuple[ast.Module, str, str]]:
    """The example with one argument of one of its calls replaced, the parameter's name, and what replaces it."""
    made = {
        _called(one.targets[0])
        for one in ast.walk(tree)
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and _called(one.value.func) == short
    }
    for call in [one for one in ast.walk(tree) if isinstance(one, ast.Call)]:
        if _called(call.func) == short:
            names = names_of[""]
        elif names_of["call"] and (_called(call.func) in made or _called(getattr(call.func, "func", call)) == short):
            names = names_of["call"]
        else:
            continue
        places = [(index, names[index]) for index in range(min(len(call.args), len(names)))]
        places += [(-1 - index, word.arg or "") for index, word in enumerate(call.keywords)]
        for place, parameter in places:
            given = call.args[place] if place >= 0 else call.keywords[-1 - place].value
            if isinstance(given, ast.Starred):
                continue
            for kind, text in _others(given):
                changed = copy.deepcopy(tree)
                same = [one for one in ast.walk(changed) if isinstance(one, ast.Call)][_index(tree, call)]
                value = ast.parse(text, mode="eval").body
                if place >= 0:
                    same.args[place] = value
                else:
                    same.keywords[-1 - place].value = value
                yield ast.fix_missing_locations(changed), parameter, kind


def _index(tree: ast.Module, call: ast.Call) -> int:
    return [one for one in ast.walk(tree) if isinstance(one, ast.Call)].index(call)


def _called(node: Any) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _others(given: ast.expr) -> Iterator[tuple[str, str]]:
    yield "object", "object()"
    value = given.value if isinstance(given, ast.Constant) else None
    if isinstance(value, str):
        yield "str", "'?'"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield "number", "-7"


def _answer(tree: ast.Module) -> Exception | None:
    """What a program raises; None if nothing, or nothing that is meant for users."""
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(_SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(tree, "<example>", "exec"), {"__name__": "__main__"})
    except _KINDS as error:
        return error
    except BaseException:
        return None
    finally:
        signal.alarm(0)
    return None


def _late(*_: Any) -> None:
    raise TimeoutError


def main() -> None:
    found = {
        name: refused(name, thing)
        for package in lacking.packages()
        for name, thing in lacking.members(package).items()
        if "Raises" in lacking.lacking(name, thing, recorded={})
    }
    RECORD.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(found)} names, of which {sum(not one for one in found.values())} refuse nothing")


if __name__ == "__main__":
    main()
