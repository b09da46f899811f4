"""Tensors put together that differ in dtype."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, mint, nn, ops

# which dtypes are joined in which: recorded from MindSpore 2.10
MIXED = [
    ((ms.int32, ms.int64), ms.int64),
    ((ms.bool_, ms.uint8), ms.uint8),
    ((ms.uint8, ms.int8), ms.int16),
    ((ms.int64, ms.float16), ms.float16),
    ((ms.float16, ms.float32), ms.float32),
    ((ms.float16, ms.int32, ms.int64), ms.float16),
    ((ms.float32, ms.float64), ms.float64),
]


@pytest.mark.parametrize("join", [ops.cat, ops.concat, mint.cat, ops.Concat(0), jit(ops.concat)])
@pytest.mark.parametrize(("kinds", "expected"), MIXED)
def test_tensors_of_several_dtypes_are_joined_in_the_one_that_holds_them_all(join, kinds, expected):
    joined = join(tuple(Tensor(np.array([i]), kind) for i, kind in enumerate(kinds)))
    assert joined.dtype == expected
    assert joined.asnumpy().tolist() == list(range(len(kinds)))


def test_each_gets_its_gradient_in_its_own_dtype():
    half, single = Tensor([1.0], ms.float16), nn.Dense(1, 1).weight.reshape(-1)
    grads = ms.grad(lambda a, b: (ops.cat((a, b)) * Tensor([2.0, 3.0])).sum(), (0, 1))(half, single)
    assert [(g.dtype, g.asnumpy().tolist()) for g in grads] == [(ms.float16, [2]), (ms.float32, [3])]
