"""The gradient of three small operators in PyNative mode, against other frameworks' eager gradients."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

import mindspore as ms
from benchmarks.harness import Function, Options, Row, alternate, times_faster
from benchmarks.peers.process import compare_with_peers
from benchmarks.programs import execution_mode, small_pair, three_operators

_NAME = "grad of three operators"


def run(options: Options) -> list[Row]:
    with execution_mode(ms.PYNATIVE_MODE):
        ours = Function(_gradient(), _wait)
        times = alternate({"ours": ours, "jax": Function(_plain_jax(), jax.block_until_ready)}, options, 5)
        rows = [times_faster(f"{_NAME}, against jax.grad called eagerly", times["ours"], times["jax"], None)]
        return rows + compare_with_peers(_NAME, "gradient", ours, options, 50, {"MindSpore": 40.0})


def _gradient() -> Any:
    x, y = small_pair()
    gradient = ms.grad(three_operators, (0, 1))
    return lambda: gradient(x, y)


def _plain_jax() -> Any:
    x, y = small_pair()
    a, b = jnp.asarray(x.asnumpy()), jnp.asarray(y.asnumpy())
    gradient = jax.grad(lambda a, b: three_operators(a, b).sum(), (0, 1))
    return lambda: gradient(a, b)


def _wait(result: Any) -> None:
    result[0].asnumpy()
