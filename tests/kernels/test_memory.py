"""Memory of programs on a CPU is kept for the next call, never more than was in use, and given back on request."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore._kernels import library

library.status()  # loads the C++ part
kept = pytest.mark.skipif(library._release is None, reason="memory is kept where the C++ part can be loaded")
MEGABYTE = 1 << 20


def resident() -> float:
    """Megabytes."""
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * resource.getpagesize() / MEGABYTE


def page_faults(call) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_it_is_kept_on_linux():
    """An update of jaxlib may move what is relied on."""
    assert library._release is not None or not sys.platform.startswith("linux") or not library.active()


@kept
def test_the_second_call_needs_no_new_pages():
    program = jax.jit(lambda x: x + 1)
    x = jnp.zeros(16 * MEGABYTE)  # 64 MB

    def call():
        program(x).block_until_ready()

    call()
    call()
    assert min(page_faults(call) for _ in range(5)) < 2000  # 16,384 of 4 KB otherwise


@kept
def test_one_temporary_buffer_serves_all_calls():
    """XLA frees it a moment after the results are ready, while the next call may ask for its own."""

    program, x = jax.jit(lambda x: (jnp.tile(x, (64, 1)) @ x[:, :1]).sum()), jnp.ones((1024, 1024))
    assert program.lower(x).compile().memory_analysis().temp_size_in_bytes > 250 * MEGABYTE
    program(x).block_until_ready()
    before = resident()
    for _ in range(10):
        program(x).block_until_ready()
    assert resident() - before < 200


@kept
def test_it_is_given_back_on_request():
    x = Tensor(np.ones(64 * MEGABYTE, np.uint8))
    for _ in range(3):
        (x + x).asnumpy()
    full = resident()
    ms.hal.empty_cache()
    assert resident() < full - 50


PROGRAM = """
import jax, jax.numpy as jnp, sys
import mindspore as ms
(ms.Tensor([1.0]) + 1).asnumpy()
add = jax.jit(lambda x: x + 1)
for megabytes in (40, 80, 60, 100, 20, 90, 30, 70):  # one at a time: 2 * 100 are in use at most
    x = jnp.zeros(megabytes << 18)
    add(x).block_until_ready()
    del x
print([int(line.split()[1]) >> 10 for line in open("/proc/self/status") if line.startswith("VmHWM")][0])
"""


def peak_of(keep: str) -> int:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
                          env={**os.environ, "MYCELIUM_KEEP_MEMORY": keep})  # fmt: skip
    return int(done.stdout.split()[-1])


@kept
def test_no_more_is_held_than_was_in_use():
    assert peak_of("1") < peak_of("0") + 150  # keeping everything would be 290 more
