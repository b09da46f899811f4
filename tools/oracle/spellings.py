"""The spellings of a good call: its arguments by position, by name, and with defaults written out, as its recorded forms allow.

What real MindSpore 2.10 takes was compared with what this package takes for all of them; each must also give the same.
"""

from __future__ import annotations

import ast
import functools
import json
from collections.abc import Iterator

from tools.oracle.case import Array
from tools.oracle.form_cases import calls
from tools.oracle.signature_lines import Parameters, parse
from tools.oracle.wrong_calls import PREFIXES, SIGNATURES, groups


@functools.cache
def _recorded() -> dict[str, list[str]]:
    facts = json.loads(SIGNATURES.read_text())
    return {**{path: [line] for path, line in facts["signatures"].items()}, **facts["forms"]}


def forms_of(path: str) -> list[Parameters]:
    """What is recorded of a function, method or constructor, as a call names it."""
    head, _, rest = path.partition(".")
    full = ".".join(part for part in (PREFIXES.get(head, head), rest) if part)
    lines = [line for name in (full, f"{full}.__init__") for line in _recorded().get(name, ())]
    return [parse(line) for line in dict.fromkeys(lines)]


def good_calls(group: str) -> list[tuple[str, dict[str, Array]]]:
    """Source and inputs of each good call of a group; every form of each method."""
    return [(call, {}) for call in calls()] if group == "methods" else groups()[group]


def spellings(source: str) -> list[str]:
    """Other ways to write a call; of ``nn.Dense(2, 3)(x)`` those of the constructor."""
    try:
        call = ast.parse(source.strip(), mode="eval").body
    except SyntaxError:
        return []
    if not isinstance(call, ast.Call):
        return []
    inner = call.func if isinstance(call.func, ast.Call) else call
    found = {}
    forms = forms_of(ast.unparse(inner.func))
    for form in (
        forms if len(forms) == 1 else ()
    ):  # which of several forms is meant is told by the arguments: record_forms.py
        for args, keywords in _arguments(inner, form):
            changed = ast.Call(inner.func, args, keywords)
            other = ast.Call(changed, call.args, call.keywords) if isinstance(call.func, ast.Call) else changed
            found[ast.unparse(other)] = None
    found.pop(ast.unparse(call), None)
    return list(found)


Written = tuple[list[ast.expr], list[ast.keyword]]


def _arguments(call: ast.Call, form: Parameters) -> Iterator[Written]:
    names = form.by_position
    given = {keyword.arg for keyword in call.keywords}
    taken = given <= {*names, *form.by_keyword} and len(call.args) <= len(names)
    if not taken or any(isinstance(one, ast.Starred) for one in call.args) or given & {*names[: len(call.args)]}:
        return
    count = len(call.args)
    for cut in range(count):  # from there on by name
        named = [ast.keyword(names[index], call.args[index]) for index in range(cut, count)]
        yield call.args[:cut], named + call.keywords
    yield from _by_position(call, form)
    rest = [ast.keyword(name, default) for name in (*names[count:], *form.by_keyword) if name not in given and (default := _default(form, name))]  # fmt: skip
    for keyword in rest:
        yield call.args, [*call.keywords, keyword]
    yield call.args, call.keywords + rest


def _by_position(call: ast.Call, form: Parameters) -> Iterator[Written]:
    """The next arguments by position, too, one after the other."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    args = list(call.args)
    for name in form.by_position[len(args) :]:
        value = named.pop(name, None) or _default(form, name)
        if value is None:
            return
        args = [*args, value]
        yield args, [ast.keyword(name, value) for name, value in named.items()]


def _default(form: Parameters, name: str) -> ast.expr | None:
    text = form.defaults.get(name, "").replace("mstype.", "ms.").replace("mindspore.", "ms.")
    try:
        if not text.startswith("ms."):
            ast.literal_eval(text)
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
