"""Hot paths stay short: how often control moves from one file of the package to another during one call."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn
from mindspore.train import model
from mindspore.train._loop import model_arguments

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "design").glob("*.md"))
PACKAGE = str(Path(ms.__file__).parent)
X = Tensor(np.ones((4, 3), np.float32))


def files_entered(call: Callable[[], object]) -> list[str]:
    """The files of the package in the order in which their functions are called, repetitions in a row once."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE) and entered[-1:] != [file]:
            entered.append(file)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return [str(Path(file).relative_to(PACKAGE)) for file in entered]


def moves(call: Callable[[], object]) -> int:
    """Moves from file to file after the program's own line entered the first."""
    for _ in range(3):  # compiled, and everything looked up once
        call()
    entered = files_entered(call)
    print(entered)  # shown when too long
    assert entered, "nothing was seen"
    return len(entered) - 1


def test_the_count_sees_moves():
    assert files_entered(lambda: X.shape) in ([], ["_engine/tensor/tensor.py"])
    assert len(files_entered(lambda: nn.Dense(3, 2))) > 10


def test_an_eager_call_of_a_layer():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = nn.Dense(3, 2)
    assert moves(lambda: net(X)) <= 10


def test_a_call_of_a_compiled_network():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(3, 2)
    assert moves(lambda: net(X)) <= 8


def test_a_call_of_a_compiled_function():
    double = ms.jit(lambda x: x * 2)
    assert moves(lambda: double(X)) <= 8


@pytest.mark.parametrize("sinks", [False, True], ids=["steps", "sunk"])
def test_training_validates_once_and_asks_the_size_once(monkeypatch, sinks):
    asked: list[str] = []
    helper = sys.modules["mindspore.train.dataset_helper"]  # the package has another module of this name as attribute

    def counted(owner, name):
        original = getattr(owner, name)

        def call(*args, **kwargs):
            asked.append(name)
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, call)

    data = ds.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.zeros((4, 2), np.float32)}).batch(2)
    counted(type(data), "get_dataset_size")
    for name in ("checked_size", "check_sink_size"):
        counted(helper, name)
        monkeypatch.setattr(model, name, getattr(helper, name))
    counted(helper, "check_bool")
    for name in ("check_epochs", "check_flag"):
        counted(model_arguments, name)
    net = nn.Dense(3, 2)
    trainer = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    trainer.train(3, data, dataset_sink_mode=sinks)
    assert sorted(asked) == ["check_epochs", "check_flag", "check_sink_size", "checked_size", "get_dataset_size"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_design_pages_name_files_that_exist(page):
    present = {"/" + path.relative_to(ROOT).as_posix() for part in ("src", "tests", "tools", "benchmarks") for path in
               (ROOT / part).rglob("*.*")} | {"/setup.py", "/conftest.py"}  # fmt: skip
    named = set(re.findall(r"[\w/]+\.(?:py|cc|h)\b", page.read_text(encoding="utf-8")))
    assert [name for name in sorted(named) if not any(path.endswith("/" + name) for path in present)] == []


def test_the_page_on_the_flow_lists_every_room_in_its_order():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(one["layers"] for one in contracts if one.get("containers") == ["mindspore._engine"])
    page = (ROOT / "docs" / "design" / "flow.md").read_text(encoding="utf-8")
    table = page.partition("## Rooms, in the order")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    rows = [re.findall(r"`_engine/(\w+)`", row) for row in listed if "_engine" in row]
    assert rows == [layer.split(" : ") for layer in layers]
