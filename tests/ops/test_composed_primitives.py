"""Primitives that only MindSpore's own modules show compute what its do."""

import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.ops.operations import (
    _inner_ops,
    _scalar_ops,
    _sequence_ops,
    array_ops,
    image_ops,
    linalg_ops,
    math_ops,
    nn_ops,
    random_ops,
    sparse_ops,
)


def places(*values):
    return Tensor(np.array(values), ms.int64)


def numbers(*values):
    return Tensor(np.array(values), ms.float32)


ROWS, SEGMENTS = numbers([1, 2], [3, 4], [5, 6]), (Tensor([0, 1, 2], ms.int32), Tensor([0, 0, 1], ms.int32))
TWO = (places([0, 1], [1, 0]), numbers(1, 2), places(2, 2))
CASES = [
    (_sequence_ops.ListAppend(), ([1, 2], 3), [1, 2, 3]),
    (_sequence_ops.ListInsert(), ([1, 2], 0, 3), [3, 1, 2]),
    (_sequence_ops.SequenceAdd(), ((1, 2), (3,)), (1, 2, 3)),
    (_sequence_ops.SequenceCount(), ((1, 2, 1), 1), 2),
    (_sequence_ops.SequenceIndex(), ((1, 2, 1), 2, 0, 3), 1),
    (_sequence_ops.SequenceMax(), ((1, 2, 1),), 2),
    (_sequence_ops.SequenceMul(), ((1, 2), 2), (1, 2, 1, 2)),
    (_sequence_ops.SequenceSlice(), ((1, 2, 3), 0, 2, 1), (1, 2)),
    (_sequence_ops.SequenceStack(0), ((numbers(1), numbers(2)),), [[1], [2]]),
    (_sequence_ops.SequenceUnstack(0), (numbers([1], [2]),), ([1], [2])),
    (_sequence_ops.InSequence(), (1, (1, 2)), True),
    (_sequence_ops.tuple_lt(), ((1, 2), (1, 3)), True),
    (_scalar_ops.bit_and(), (6, 3), 2),
    (_inner_ops.IsSubClass(), (ms.float32, ms.number), True),
    (_inner_ops.TileSize(), ((2, 3), (2, 2), 2), (1, 2)),
    (_inner_ops.DynamicBroadcastTo(), (numbers(1, 2), (2, 2)), [[1, 2], [1, 2]]),
    (_inner_ops.MixedPrecisionCast(), (ms.float16, numbers(1)), [1]),
    (math_ops.AddV2(), (numbers(1), numbers(2)), [3]),
    (nn_ops.ReLUV3(), (numbers(-1, 2),), [0, 2]),
    (array_ops.Unsqueeze(1), (numbers(1, 2),), [[1], [2]]),
    (
        math_ops.TridiagonalSolve(),
        (numbers([1, 1, 0], [2, 2, 2], [0, 1, 1]), numbers([1], [2], [3])),
        [[0.5], [0], [1.5]],
    ),
    (linalg_ops.Eigh(False), (numbers([2, 1], [1, 2]),), [1, 3]),
    (
        nn_ops.SparseSoftmaxCrossEntropyWithLogitsV2(),
        (numbers([1, 2]), Tensor([1], ms.int32)),
        ([0.31326], [[0.26894, -0.26894]]),
    ),
    (image_ops.AdjustContrastv2(), (numbers([[1], [2]], [[3], [6]]), numbers(2)), [[[-1], [1]], [[3], [9]]]),
    (sparse_ops.SparseSegmentSum(), (ROWS, *SEGMENTS), [[4, 6], [5, 6]]),
    (sparse_ops.SparseSegmentSqrtN(), (ROWS, *SEGMENTS), [[2.82843, 4.24264], [5, 6]]),
    (math_ops.SparseSegmentMean(), (ROWS, *SEGMENTS), [[2, 3], [5, 6]]),
    (
        sparse_ops.SparseSegmentSumWithNumSegments(),
        (ROWS, *SEGMENTS, Tensor(3, ms.int32)),
        [[4, 6], [5, 6], [0, 0]],
    ),
    (sparse_ops.SparseReorder(), (places([1, 0], [0, 0]), *TWO[1:]), ([[0, 0], [1, 0]], [2, 1])),
    (sparse_ops.SparseReshape(), (TWO[0], TWO[2], places(4, -1)), ([[1, 0], [2, 0]], [4, 1])),
    (sparse_ops.SparseToDenseV2(), (TWO[0], TWO[2], TWO[1], Tensor(0.0)), [[0, 1], [2, 0]]),
    (sparse_ops.SparseSoftmax(), (places([0, 0], [0, 1]), numbers(1, 2), places(1, 2)), [0.26894, 0.73106]),
    (sparse_ops.SparseDenseCwiseMul(), (*TWO, numbers([1, 2], [3, 4])), [2, 6]),
    (
        sparse_ops.SparseAddmm(),
        (places([0, 1]), numbers(3), TWO[2], Tensor(np.ones((2, 2)), ms.float32), numbers([1, 1], [1, 1]), numbers(1), numbers(1)),
        [[4, 4], [1, 1]],
    ),
    (
        sparse_ops.SparseConcat(0),
        ([places([0, 1])] * 2, [numbers(1)] * 2, [places(1, 2)] * 2),
        ([[0, 1], [1, 1]], [1, 1], [2, 2]),
    ),
]  # fmt: skip


def plain(value):
    if isinstance(value, Tensor):
        return np.round(value.asnumpy().astype(np.float64), 4).tolist()
    return type(value)(plain(one) for one in value) if isinstance(value, (list, tuple)) else value


def rounded(value):
    return type(value)(rounded(one) for one in value) if isinstance(value, (list, tuple)) else round(value, 4)


@pytest.mark.parametrize("primitive, inputs, expected", CASES, ids=[case[0].name for case in CASES])
def test_they_give_what_those_of_mindspore_give(primitive, inputs, expected):
    assert plain(primitive(*inputs)) == rounded(expected)


def test_they_are_differentiated_and_compiled(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.stack, self.sums = _sequence_ops.SequenceStack(0), sparse_ops.SparseSegmentSumWithNumSegments()

        def construct(self, x):
            return self.sums(self.stack((x, 2 * x)), Tensor([0, 1], ms.int32), Tensor([0, 0], ms.int32), 1)

    assert ms.grad(Net())(numbers(1, 2)).asnumpy().tolist() == [3, 3]


def test_they_are_primitives():
    unstack = _sequence_ops.SequenceUnstack(axis=1)
    assert unstack.axis == 1 and unstack.name == "SequenceUnstack" and type(unstack) is _sequence_ops.SequenceUnstack
    assert pickle.loads(pickle.dumps(type(unstack))) is type(unstack)
    with pytest.raises(TypeError, match="axes"):
        _sequence_ops.SequenceUnstack(axes=1)
    with pytest.raises(ValueError, match="both shapes must be the same"):
        _inner_ops.SameTypeShape()(numbers(1), numbers(1, 2))
    random = random_ops.Uniform(2.0, 3.0)(numbers(*range(100))).asnumpy()
    assert random.min() >= 2 and random.max() < 3 and len(set(random.tolist())) > 90
    assert array_ops.RangeV2()(*(Tensor(one, ms.int32) for one in (0, 5, 2))).asnumpy().tolist() == [0, 2, 4]
