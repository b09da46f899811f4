"""Names in code objects are those that ``dis`` finds."""

import dis
import inspect
import json
import types

import pytest

from mindspore._engine.tracing import code_names
from mindspore.nn.cell import cell


def by_dis(code):
    found = {item.argval for item in dis.get_instructions(code) if item.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    found |= {text for text in code.co_consts if isinstance(text, str) and text.isidentifier()}
    return found.union(*(by_dis(inner) for inner in code.co_consts if inspect.iscode(inner)))


def many_names():
    """More than 256 attributes: their numbers take several bytes."""
    lines = "\n".join(f"    self.name{number}.method{number}()" for number in range(400))
    return compile(f"def f(self):\n{lines}", "many", "exec")


def functions():
    for module in (inspect, json.decoder, cell, types):
        for member in vars(module).values():
            if inspect.isfunction(member):
                yield member.__code__
            elif inspect.isclass(member):
                yield from (one.__code__ for one in vars(member).values() if inspect.isfunction(one))


@pytest.mark.parametrize("codes", [list(functions()), [many_names()]], ids=["modules", "many names"])
def test_attributes_are_those_that_dis_finds(codes):
    assert codes
    for code in codes:
        assert code_names.attributes_in(code) == by_dis(code), code
