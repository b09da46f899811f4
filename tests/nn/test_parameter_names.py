"""Parameters have the names, order and shapes that real MindSpore 2.10 gives them: programs and answers in tools/oracle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mindspore as ms
from mindspore import nn
from tools.oracle.name_execute import describe, execute
from tools.oracle.name_networks import networks
from tools.oracle.record_names import sources

REAL = json.loads((Path(__file__).parents[1] / "data" / "parameter_names.json").read_text())
PROGRAMS = sources()
ON_PURPOSE = {
    "list extended with a list of Cells made by other containers": "any iterable of Cells is taken",
    "list refuses what is no Cell": "any iterable of Cells is taken; CellList(a, b) is refused, real ignores both",
    "list member replaced from outside": "a number as member is refused with TypeError, as everywhere else",
    "slice of a list looked at": "real renames Parameters where a list is only looked at",
    "list without prefix": "real fails in insert with 'list index out of range'",
    "sequence with a key that the next number takes": "real drops the member that had the key",
    "dict refuses": "CellDict(a, b) is refused, real ignores both",
    "recomputation leaves names": "real hangs a Cell of its own under the Cell",
}


@pytest.fixture(autouse=True)
def eager():
    ms.set_context(mode=ms.PYNATIVE_MODE)


def plain(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("title", [one for one in PROGRAMS if one not in ON_PURPOSE])
def test_a_program_gives_the_names_of_real_mindspore(title):
    found, real = plain(execute(PROGRAMS[title])), dict(REAL[title])
    if "error" in real:
        (kind, text), (found_kind, found_text) = real.pop("error"), found.pop("error")
        assert found_kind == kind
        if "already exists" in text:
            assert found_text.startswith(text.removesuffix("."))
    assert found == real


@pytest.mark.parametrize("title", ON_PURPOSE)
def test_what_differs_on_purpose_still_does(title):
    assert plain(execute(PROGRAMS[title])) != REAL[title]


@pytest.mark.parametrize("name", [title.removeprefix("network ") for title in REAL if title.startswith("network ")])
def test_a_network_of_the_examples_has_the_names_of_real_mindspore(name):
    assert plain(describe(networks()[name]())) == REAL[f"network {name}"]


def test_every_recorded_program_is_there():
    assert set(REAL) == {*PROGRAMS, *(f"network {name}" for name in networks())}
    assert len([title for title in PROGRAMS if not title.startswith("random")]) > 120


def test_a_checkpoint_of_a_list_filled_after_assignment_loads(tmp_path):
    """Pretrained hierarchical transformers are built like this; their files hold '0.weight'."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList()
            self.layers.append(nn.Dense(2, 3))

    file = str(tmp_path / "real.ckpt")
    ms.save_checkpoint(
        [{"name": name, "data": ms.ops.ones(shape)} for name, shape in (("0.weight", (3, 2)), ("0.bias", (3,)))], file
    )
    net = Net()
    assert ms.load_param_into_net(net, ms.load_checkpoint(file)) == ([], [])
    assert net.layers[0].weight.asnumpy().tolist() == [[1, 1]] * 3
