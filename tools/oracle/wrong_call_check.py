"""Compare what this package says to wrong calls with what real MindSpore said."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path

import mindspore
from tools.oracle.wrong_call_answers import NO_KERNEL, attempt, said
from tools.oracle.wrong_calls import WrongCall, wrong_calls

OTHER_TYPE = " instead of "  # in the words about a difference
ANSWERS = Path(__file__).resolve().parents[2] / "tests/data/wrong_calls.json.gz"


@functools.cache
def recorded() -> dict[str, list[str]]:
    """Of each wrong call: the type of real MindSpore's exception, and the facts of its message."""
    groups = json.loads(gzip.decompress(ANSWERS.read_bytes()))
    return {key: answer for answers in groups.values() for key, *answer in answers}


def difference(wrong: WrongCall) -> str:
    """What is different here, in words; empty if nothing is."""
    kind, *facts = recorded()[wrong.key]
    found, message = attempt(mindspore, wrong)
    if kind not in found.split("|"):
        return f"{found or 'accepted'}{OTHER_TYPE}{kind or 'accepted'}: {message.splitlines()[0] if message else ''}"
    lacking = [fact for fact in facts if not said(fact, message)]
    return f"{kind} without {', '.join(lacking)}: {message}" if lacking else ""


def known(group: str) -> list[WrongCall]:
    """The wrong calls of a group that real MindSpore answered, and not only with a kernel that its CPU lacks; it takes the good ones."""
    return [
        wrong
        for wrong in wrong_calls(group)
        if recorded().get(wrong.key, ["abort"])[0] not in ("abort", NO_KERNEL)
        and not recorded().get(wrong.good_key, [""])[0]
    ]
