"""Compare what this package says to wrong calls with what real MindSpore said."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path
from typing import NamedTuple

import mindspore
from tools.oracle.wrong_call_answers import NO_KERNEL, attempt, said
from tools.oracle.wrong_calls import WrongCall, wrong_calls

ANSWERS = Path(__file__).resolve().parents[2] / "tests/data/wrong_calls.json.gz"


@functools.cache
def recorded() -> dict[str, list[str]]:
    """Of each wrong call: the type of real MindSpore's exception, and the facts of its message."""
    groups = json.loads(gzip.decompress(ANSWERS.read_bytes()))
    return {key: answer for answers in groups.values() for key, *answer in answers}


def waived(wrong: WrongCall, found: str) -> str:
    """Why this package takes what real MindSpore calls a wrong type, or refuses only its value; empty if it should not."""
    if wrong.name.startswith("mnp.") and wrong.kind in ("tensor", "sequence", "other") and wrong.given:
        return "mindspore.numpy takes numbers and lists for arrays, and promotes dtypes, as NumPy does"
    if found:
        return ""
    if wrong.kind == "float" and wrong.given == "2":
        return "an int is a float"
    if wrong.given.endswith(".astype(ms.float64)"):
        return "what is computed in float32 is computed in float64, too"
    return _taken_by_operators(wrong) if wrong.name.startswith(_OPERATORS) else ""


_OPERATORS = ("ops.", "P.", "F.", "ms.mint.", "x.", "n.", "b.", "m.", "v.")


def _taken_by_operators(wrong: WrongCall) -> str:
    if wrong.kind == "tensor" and wrong.given == "1":
        return "a number is a Tensor without axes"
    if wrong.given == "None":
        return "None leaves an argument out: all axes, the same length, no weights"
    if wrong.given in ("[]", "[1]", "()") or (wrong.given.startswith("(") and "'" not in wrong.given):
        return "a list is as good as a tuple, and a tuple as a list"
    if not wrong.given and wrong.source.count(",") < wrong.good.count(",") + ("," not in wrong.good):
        return "an argument that has a default here"
    return ""


class Difference(NamedTuple):
    """What is different here, in words; whether that is the type of the exception, and whether a traceback shows another name."""

    text: str = ""
    is_type: bool = False
    is_name: bool = False


def difference(wrong: WrongCall) -> Difference:
    """What is different from what real MindSpore said."""
    kind, *facts = recorded()[wrong.key]
    found, message = attempt(mindspore, wrong)
    if kind not in found.split("|"):
        if kind in ("TypeError", "AttributeError") and waived(wrong, found):
            return Difference()
        first = message.splitlines()[0] if message else ""
        return Difference(f"{found or 'accepted'} instead of {kind or 'accepted'}: {first}", True, True)
    lacking = [fact for fact in facts if not said(fact, message)]
    text = f"{kind} without {', '.join(lacking)}: {message}" if lacking else ""
    return Difference(text, False, kind != found.partition("|")[0])


def known(group: str) -> list[WrongCall]:
    """The wrong calls of a group that real MindSpore answered, and not only with a kernel that its CPU lacks; it takes the good ones."""
    return [
        wrong
        for wrong in wrong_calls(group)
        if recorded().get(wrong.key, ["abort"])[0] not in ("abort", NO_KERNEL)
        and not recorded().get(wrong.good_key, [""])[0]
    ]
