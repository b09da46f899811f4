"""Every construct that MindSpore documents for graphs, as a small program: the results of MindSpore's graphs, else of Python."""

import importlib
import json
from pathlib import Path

import pytest

import mindspore as ms
from mindspore import nn
from tests.engine.syntax.programs.cases import CASES, result_of

_FOLDER = Path(__file__).parent / "programs"
for _module in sorted(_FOLDER.glob("*.py")):
    importlib.import_module(f"tests.engine.syntax.programs.{_module.stem}")
RECORDED = json.loads((_FOLDER / "recorded.json").read_text())  # what MindSpore's own graphs return
_SLOW = {"third_grad_while", "tensor_recursion"}  # to trace
_MORE = {name for name, (function, _) in CASES.items() if ".documented_" in function.__module__}
NAMES = [pytest.param(name, marks=[pytest.mark.heavy] if name in _SLOW | _MORE else []) for name in CASES]


class Net(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, *args):
        return self.function(*args)


@pytest.fixture(autouse=True)
def _context():
    ms.context.reset_context()
    yield
    ms.context.reset_context()


def _as_python(name):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    found = result_of(*CASES[name])
    ms.context.reset_context()
    return found


@pytest.mark.parametrize("name", NAMES)
def test_jit(name):
    function, args = CASES[name]
    expected = RECORDED[name] if name in RECORDED else _as_python(name)
    assert result_of(ms.jit(function), args) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_cell_without_a_mode_does_what_python_does(name):
    function, args = CASES[name]
    assert result_of(Net(function), args) == _as_python(name)


@pytest.mark.heavy
@pytest.mark.parametrize("name", CASES)
def test_a_cell_in_graph_mode(name):
    function, args = CASES[name]
    expected = RECORDED[name] if name in RECORDED else _as_python(name)
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net(function)
    assert [result_of(net, args) for _ in range(2)] == [expected] * 2
