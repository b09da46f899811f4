"""Kernels called on arrays of NumPy give the bits that compiled programs give."""

from __future__ import annotations

import threading

import jax
import numpy as np
import pytest

from mindspore._kernels import direct, library
from mindspore._kernels.channels import ChannelMoments, Sums
from mindspore._kernels.convolution import Convolution, Geometry, InputGradient, WeightGradient
from mindspore._kernels.pooling import MaxPool
from mindspore._kernels.primitive import call
from mindspore._kernels.sorting import RunningSum, Sort, TakeAlong

pytestmark = pytest.mark.skipif(not library.active(), reason=f"the kernels are {library.status()}")
random = np.random.RandomState(3)
SAME = Geometry((1, 1), ((1, 1), (1, 1)), (1, 1), 1)
HALVED = Geometry((2, 2), ((0, 1), (0, 1)), (1, 1), 1)
DEPTHWISE = Geometry((1, 1), ((1, 1), (1, 1)), (1, 1), 16)


def floats(*shape):
    return random.randn(*shape).astype(np.float32)


def function_for(kernel, operands):
    results = jax.eval_shape(lambda *given: call(kernel, *given), *operands)
    return direct.function_of(kernel, operands, results)


CASES = {
    "convolution": (Convolution(SAME), floats(2, 16, 9, 11), floats(24, 16, 3, 3)),
    "stride": (Convolution(HALVED), floats(3, 8, 16, 16), floats(8, 8, 3, 3)),
    "depthwise": (Convolution(DEPTHWISE), floats(2, 16, 9, 11), floats(16, 1, 3, 3)),
    "to input": (InputGradient(SAME, (2, 16, 9, 11)), floats(2, 24, 9, 11), floats(24, 16, 3, 3)),
    "to weights": (WeightGradient(SAME, (24, 16, 3, 3)), floats(2, 16, 9, 11), floats(2, 24, 9, 11)),
    "moments": (ChannelMoments(), floats(4, 8, 6, 6)),
    "sums": (Sums(), floats(4, 8, 6, 6), floats(8), floats(4, 8, 6, 6)),
    "pooling": (MaxPool((2, 2), (2, 2), ((0, 0), (0, 0))), floats(2, 8, 6, 6)),
    "sort": (Sort(False), floats(5, 33)),
    "take": (TakeAlong(), floats(4, 7, 3), random.randint(0, 7, (4, 5, 3)).astype(np.int32)),
    "running sum": (RunningSum(False), floats(4, 7, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_direct_call_has_the_bits_of_a_compiled_one(name):
    kernel, *operands = CASES[name]
    found = function_for(kernel, operands)(*operands)
    wanted = jax.jit(lambda *given: call(kernel, *given))(*operands)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, np.asarray(other))


def test_operands_may_lie_in_any_order():
    kernel, x, weights = CASES["convolution"]
    run = function_for(kernel, (x, weights))
    turned = np.asfortranarray(x)
    np.testing.assert_array_equal(run(turned, weights)[0], run(x, weights)[0])
    (y,) = run(x, weights)
    np.testing.assert_array_equal(run(y[:, :16], weights)[0], run(np.ascontiguousarray(y[:, :16]), weights)[0])


def test_what_no_custom_call_computes_is_left_to_the_plain_form():
    kernel, x, weights = CASES["convolution"]
    assert function_for(kernel, (x.astype(np.float64), weights.astype(np.float64))) is None


def test_several_threads_may_run_the_same_kernel():
    kernel = Convolution(SAME)
    inputs, weights = [floats(2, 32, 20, 20) for _ in range(4)], floats(32, 32, 3, 3)
    run = function_for(kernel, (inputs[0], weights))
    wanted = [run(x, weights)[0] for x in inputs]
    wrong = []

    def work(index):
        for _ in range(20):
            if not np.array_equal(run(inputs[index], weights)[0], wanted[index]):
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
