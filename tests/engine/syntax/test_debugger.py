"""A debugger that stops in ``construct`` sees its variables, also inside of branches and loops of a graph."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from mindspore import Tensor, jit, nn


@pytest.fixture
def stops(monkeypatch):
    """What ``breakpoint()`` sees in the frame it is called from."""
    seen: list[dict] = []

    def look(*_, **__):
        seen.append(dict(sys._getframe(1).f_locals))

    monkeypatch.setattr(sys, "breakpointhook", look)
    return seen


class Branches(nn.Cell):
    def construct(self, x, flag):
        scale = 3
        other = x * 2
        if flag:
            inner = other + 1
            breakpoint()
            x = inner * 2
        if x.sum() > 0:
            deep = x + 1
            breakpoint()
            x = deep
        return x, scale


def test_variables_of_the_whole_function_are_in_sight_inside_an_if(mode, stops):
    Branches()(Tensor(np.ones(2, np.float32)), True)
    first, second = stops[0], stops[-1]
    assert first["scale"] == second["scale"] == 3
    assert first["other"].shape == second["other"].shape == (2,)
    assert first["flag"] is True and isinstance(first["self"], Branches)
    assert first["inner"].shape == second["deep"].shape == (2,)


def test_variables_are_in_sight_inside_loops_and_nested_branches(mode, stops):
    class Loops(nn.Cell):
        def construct(self, x):
            base = 7
            for index in range(2):
                double = index * 2
                if double == 2:
                    breakpoint()
            while x.sum() < 5:
                x = x + 1
                breakpoint()
            return x, base

    Loops()(Tensor(np.ones(2, np.float32)))
    assert [stop["base"] for stop in stops] == [7] * len(stops) and len(stops) >= 2
    assert stops[0]["index"] == 1 and stops[0]["double"] == 2
    assert stops[-1]["x"].shape == (2,)


def test_what_looks_at_variables_finds_them_inside_a_branch(mode):
    @jit
    def named(x):
        scale = 4  # noqa: F841 - read by name
        if x.shape[0] == 2:
            x = x * eval("scale")
        return x

    assert named(Tensor(np.ones(2, np.float32))).asnumpy().tolist() == [4.0, 4.0]
