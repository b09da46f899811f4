"""One eager operator against a direct call of a cached ``jax.jit`` on the raw arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

import mindspore as ms
from benchmarks.harness import Function, Options, Row, alternate, at_most_times
from benchmarks.peers.process import compare_with_peers
from benchmarks.programs import execution_mode, small_pair
from mindspore import ops

_LIMIT = 1.5


def run(options: Options) -> list[Row]:
    with execution_mode(ms.PYNATIVE_MODE):
        rows = []
        for name, (ours, plain) in _cases().items():
            times = alternate({"ours": Function(ours), "jax": Function(plain)}, options)
            rows.append(at_most_times(f"{name}, against jax.jit", times["ours"], times["jax"], _LIMIT))
        x, y = small_pair()
        rows += compare_with_peers(
            "ops.add(x, y)", "add", Function(lambda: ops.add(x, y), _wait), options, 200, {"MindSpore": 4.0}
        )
    return rows


def _cases() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    x, y = small_pair()
    a, b = jnp.asarray(x.asnumpy()), jnp.asarray(y.asnumpy())
    add = jax.jit(lambda a, b: a + b)
    relu, total, first = jax.jit(jax.nn.relu), jax.jit(jnp.sum), jax.jit(lambda a: a[0])
    primitive = ops.Add()
    return {
        "ops.add(x, y)": (lambda: ops.add(x, y), lambda: add(a, b)),
        "x + y": (lambda: x + y, lambda: add(a, b)),
        "ops.Add()(x, y)": (lambda: primitive(x, y), lambda: add(a, b)),
        "x + 2.0": (lambda: x + 2.0, lambda: add(a, 2.0)),
        "ops.relu(x)": (lambda: ops.relu(x), lambda: relu(a)),
        "x.sum()": (lambda: x.sum(), lambda: total(a)),
        "x[0]": (lambda: x[0], lambda: first(a)),
    }


def _wait(result: Any) -> None:
    result.asnumpy()
