"""Runs a function eagerly and as a graph, and holds the results against each other."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import mindspore as ms
from mindspore import Tensor

MODES = {"graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}


# One jitted form per function, so that trying several values compiles once.
jitted = functools.cache(ms.jit)


def agree(function: Callable[..., Any], *inputs: Any, gradient: bool = True) -> Any:
    """Check that a function gives the same eagerly and as a graph, gradients included; returns the eager result."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    eager = function(*_fresh(inputs))
    compiled = jitted(function)(*_fresh(inputs))
    check_same(eager, compiled, "jit")
    if gradient:
        check_gradients(function, *inputs)
    return eager


def check_gradients(function: Callable[..., Any], *inputs: Any) -> None:
    """Gradients for all floating-point inputs: eager, of the jitted function, and of everything as one graph."""
    positions = tuple(i for i, x in enumerate(inputs) if isinstance(x, Tensor) and x.dtype.is_floating)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    eager = ms.grad(function, positions)(*_fresh(inputs))
    of_jit = ms.grad(jitted(function), positions)(*_fresh(inputs))
    check_same(eager, of_jit, "grad of jit")
    ms.set_context(mode=ms.GRAPH_MODE)
    in_graph = ms.grad(function, positions)(*_fresh(inputs))
    check_same(eager, in_graph, "grad in graph mode")


def cells_agree(make: Callable[[], Any], *calls: tuple) -> list[Any]:
    """Call a Cell made for each mode with the same sequence of inputs; results and Parameters must be the same."""
    seen = {}
    for name, mode in MODES.items():
        ms.set_context(mode=mode)
        ms.set_seed(7)
        net = make()
        results = [net(*_fresh(inputs)) for inputs in calls]
        seen[name] = (results, [p.asnumpy() for p in net.get_parameters()])
    check_same(seen["pynative"][0], seen["graph"][0], "the Cell's results")
    check_same(seen["pynative"][1], seen["graph"][1], "the Cell's Parameters")
    return seen["graph"][0]


def check_same(expected: Any, actual: Any, what: str) -> None:
    """Same nesting, same numbers; a Python number and a Tensor of one element count as the same."""
    if isinstance(expected, (tuple, list)):
        assert type(expected) is type(actual), f"{what}: {expected!r} against {actual!r}"
        assert len(expected) == len(actual), what
        for left, right in zip(expected, actual, strict=True):
            check_same(left, right, what)
    elif isinstance(expected, dict):
        assert isinstance(actual, dict)
        assert list(expected) == list(actual), what
        for key in expected:
            check_same(expected[key], actual[key], f"{what} at {key!r}")
    elif isinstance(expected, Tensor):
        assert isinstance(actual, Tensor), f"{what}: {expected!r} against {actual!r}"
        assert expected.dtype == actual.dtype, f"{what}: {expected!r} against {actual!r}"
        assert expected.shape == actual.shape, f"{what}: {expected!r} against {actual!r}"
        np.testing.assert_allclose(expected.asnumpy(), actual.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=what)
    elif isinstance(expected, (bool, int, float, np.ndarray)):
        actual = actual.asnumpy() if isinstance(actual, Tensor) else actual
        np.testing.assert_allclose(expected, actual, rtol=1e-5, atol=1e-6, err_msg=what)
    else:
        assert expected == actual, f"{what}: {expected!r} against {actual!r}"


def _fresh(inputs: tuple) -> tuple:
    """Copies, so that an assignment to an input in one run does not reach the next."""
    return tuple(x.copy() if type(x) is Tensor else x for x in inputs)
