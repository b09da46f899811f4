"""What tests share: a clean context, and both execution modes."""

from __future__ import annotations

import pytest

import mindspore as ms


@pytest.fixture(autouse=True)
def _clean_context():
    """Every test starts and ends with the default context."""
    yield
    ms.context.reset_context()


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    """Run the test in both modes."""
    ms.set_context(mode=request.param)
    return request.param
