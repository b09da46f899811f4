"""The compiler reads the text a function was made from: files that change, notebooks, code without a file."""

import importlib
import os
import sys
import time

import pytest

import mindspore as ms
from mindspore import Tensor, nn

TEXT = """import mindspore as ms
from mindspore import nn


@ms.jit
def scaled(x):
    if x.sum() > 0:
        return x * {0}
    return x


class Net(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x + {0}
        return x
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes a module with another number in it, later than the last time."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    clock = [time.time()]

    def write(number):
        path = tmp_path / "edited_module.py"
        path.write_text(TEXT.format(number))
        clock[0] += 5
        os.utime(path, (clock[0], clock[0]))

    yield write
    sys.modules.pop("edited_module", None)


def test_a_reloaded_module_is_compiled_from_its_new_text(write):
    write(2)
    module = importlib.import_module("edited_module")
    assert module.scaled(Tensor([1.0])).asnumpy().tolist() == [2.0]
    assert module.Net()(Tensor([1.0])).asnumpy().tolist() == [3.0]
    write(3)
    importlib.reload(module)
    assert module.scaled(Tensor([1.0])).asnumpy().tolist() == [3.0]
    assert module.Net()(Tensor([1.0])).asnumpy().tolist() == [4.0]


def test_a_file_that_was_edited_but_not_loaded_again_changes_nothing(write):
    write(2)
    module = importlib.import_module("edited_module")
    assert module.scaled(Tensor([1.0])).asnumpy().tolist() == [2.0]
    write(3)
    assert module.scaled(Tensor([[1.0]])).asnumpy().tolist() == [[2.0]]


def test_text_that_is_not_the_functions_own_is_not_compiled(write):
    ms.set_context(jit_syntax_level=ms.STRICT)
    write(2)
    module = importlib.import_module("edited_module")
    write(3)
    with pytest.raises(RuntimeError, match=r"edited_module\.py changed since it was loaded"):
        module.scaled(Tensor([1.0]))


def test_code_without_a_file_is_told_so():
    ms.set_context(jit_syntax_level=ms.STRICT)
    names = {"ms": ms}
    exec("@ms.jit\ndef plain(x):\n    return x * 2\n", names)
    exec("@ms.jit\ndef branching(x):\n    if x.sum() > 0:\n        return x\n    return -x\n", names)
    assert names["plain"](Tensor([1.0])).asnumpy().tolist() == [2.0]
    with pytest.raises(RuntimeError, match="cannot read this function: there is no source file '<string>'"):
        names["branching"](Tensor([1.0]))


def test_methods_that_are_replaced_are_compiled_again():
    class Net(nn.Cell):
        def construct(self, x):
            return self.part(x)

        def part(self, x):
            return x * 2

    net = nn.SequentialCell(Net())
    assert net(Tensor([1.0])).asnumpy().tolist() == [2.0]

    def part(self, x):
        return x * 3

    Net.part = part
    assert net(Tensor([1.0])).asnumpy().tolist() == [3.0]

    def construct(self, x):
        return x * self.factor

    Net.factor = 5
    Net.construct = construct
    assert net(Tensor([1.0])).asnumpy().tolist() == [5.0]
    Net.factor = 6
    assert net(Tensor([1.0])).asnumpy().tolist() == [6.0]


def test_code_that_is_exchanged_in_place_is_compiled_again():
    """As %autoreload does it."""

    def helper(x):
        return x * 2

    def other(x):
        return x * 7

    @ms.jit
    def program(x):
        return helper(x)

    assert program(Tensor([1.0])).asnumpy().tolist() == [2.0]
    helper.__code__ = other.__code__
    assert program(Tensor([1.0])).asnumpy().tolist() == [7.0]
