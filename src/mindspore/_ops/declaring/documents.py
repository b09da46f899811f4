"""The docstrings of all operators get their sections, once every family has declared its own."""

from __future__ import annotations

import json
from pathlib import Path
from types import FunctionType

from mindspore._engine.operator.registry import FUNCTIONS, OPS, PRIMITIVES
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.documents import body_of, complete, result_kinds


def complete_all() -> None:
    """Complete every public function, Primitive class and Tensor method."""
    kinds = json.loads(Path(__file__).with_name("results.json").read_text())  # tools/generate.py writes it
    result_kinds.update(kinds)
    for name, declared in OPS.items():  # the cases that were traced have a smaller second operand
        if kinds.get(name) in ("same", "shape") and "promote" in body_of(declared).__code__.co_names:
            result_kinds[name] = "broadcast"
    for table in (FUNCTIONS, PRIMITIVES):
        for name, thing in table.items():
            complete(thing, name=name)
    for name, member in list(vars(Tensor).items()):
        member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if isinstance(member, FunctionType) and not name.startswith("_"):
            complete(member, name=name)
