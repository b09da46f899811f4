"""What the annotations of declarations refuse, with the types of MindSpore's exceptions."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, ops

X = Tensor(np.ones((2, 3), np.float32))
IMAGE = Tensor(np.ones((1, 2, 5, 6), np.float32))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda x: ops.mse_loss(x, x, reduction=1), ValueError, "the 'reduction' must be one of"),
        (lambda x: ops.MaxPool(2, 2, data_format=["a"])(x), ValueError, "the 'data_format' must be one of"),
        (lambda x: ops.gelu(x, approximate=None), ValueError, "the 'approximate' must be one of"),
        (lambda x: ops.avg_pool2d(x, [1]), TypeError, "the 'kernel_size' must be an int or a tuple of ints"),
        (lambda x: ops.MaxPool(2, True)(x), TypeError, "the 'strides' must be an int or a tuple of ints"),
        (lambda x: ops.MaxPool((1.5, 2.5), 2)(x), ValueError, "the 'kernel_size' must be a positive int or a tuple"),
        (lambda x: ops.softmax(x, [1]), TypeError, "the 'axis' must be an int"),
        (lambda x: ops.flip(x, 1), TypeError, "the 'dims' must be a tuple or list of ints, but got 1 of type int"),
        (lambda x: mint.tile(x, dims=1), TypeError, "the 'dims' must be a tuple or list of ints"),
        (lambda x: ops.Abs()(x, 1), TypeError, "the call takes 1 inputs, but got 2"),
        (lambda x: ops.IsNan()(x, 1), ValueError, "the call takes 1 inputs, but got 2"),
        (lambda x: ops.CropAndResize()(x), ValueError, "the call lacks 'boxes'"),
    ],
)
@pytest.mark.parametrize("run", [lambda function: function, ms.jit], ids=["eager", "compiled"])
def test_wrong_arguments_end_with_the_types_of_mindspore(call, kind, words: str, run) -> None:
    with pytest.raises(kind) as caught:
        run(call)(IMAGE)
    assert isinstance(caught.value, kind)
    assert type(caught.value).__name__ == kind.__name__
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mint.all(1), "For 'all', the 'input' must be a Tensor, but got 1 of type int"),
        (lambda: mint.squeeze(None, 0), "For 'squeeze', the 'input' must be a Tensor"),
        (lambda: mint.sort(X, stable=1), "the 'stable' must be a bool, but got 1 of type int"),
        (lambda: X.unique(return_counts="a"), "the 'return_counts' must be a bool"),
        (lambda: ops.nonzero(X, as_tuple=1), "the 'as_tuple' must be a bool"),
        (lambda: X.div(X, rounding_mode=1), "the 'rounding_mode' must be a str"),
        (lambda: ops.bincount(Tensor([1, 2]), minlength=1.5), "the 'minlength' must be an int"),
        (lambda: ops.isclose(X, X.astype(ms.int32)), "must have the same dtype"),
        (lambda: X.index_put((Tensor([0]),), X[0].astype(ms.int32)), "must have the same dtype"),
        (lambda: ops.SegmentSum()(1, Tensor([0])), "the 'input_x' must be a Tensor"),
        (lambda: ops.fft2(X, dim=1), "the 'dim' must be a tuple or list of ints"),
        (lambda: ops.triplet_margin_loss(X, X.astype(ms.float64), X), "must have the same dtype"),
        (lambda: mint.empty_like(X, pin_memory=1), "the 'pin_memory' must be a bool"),
    ],
)
def test_functions_that_call_operators_refuse_wrong_types(call, words: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert words in str(caught.value)


def test_methods_take_single_numbers_where_functions_take_tuples() -> None:
    assert X.tile(2).shape == (2, 6)
    assert X.flip(0).shape == X.flip((0, 1)).shape == (2, 3)
    assert X[0].permute(0).shape == (3,)
