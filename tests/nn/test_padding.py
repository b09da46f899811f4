"""Layers that add a border."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn, ops

IMAGE = np.arange(24, dtype=np.float32).reshape(2, 2, 2, 3)


@pytest.mark.parametrize(("net", "numpy_mode"), [
    (nn.ConstantPad2d((1, 2, 0, 1), 0.0), "constant"), (nn.ZeroPad2d((1, 2, 0, 1)), "constant"),
    (nn.ReflectionPad2d((1, 2, 0, 1)), "reflect"), (nn.ReplicationPad2d((1, 2, 0, 1)), "edge"),
])  # fmt: skip
def test_borders_are_those_of_numpy(mode, net, numpy_mode):
    expected = np.pad(IMAGE, ((0, 0), (0, 0), (0, 1), (1, 2)), numpy_mode)
    np.testing.assert_array_equal(net(Tensor(IMAGE)).asnumpy(), expected)


def test_negative_numbers_take_away(mode):
    np.testing.assert_array_equal(nn.ConstantPad1d((-1, 0), 0.0)(Tensor(IMAGE)).asnumpy(), IMAGE[..., 1:])
    np.testing.assert_array_equal(nn.ReplicationPad1d(-1)(Tensor(IMAGE)).asnumpy(), IMAGE[..., 1:2])


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: nn.ConstantPad1d((1, 2, 3), 0), ValueError, "pairs of ints for at most 1 axes, but got 3 numbers"),
    (lambda: nn.ReflectionPad1d(-1), ValueError, "'padding' must be greater than or equal to 0, but got -1"),
    (lambda: nn.ReflectionPad1d("a"), TypeError, "'padding' must be one of 'int' or 'tuple', but got 'a'"),
    (lambda: nn.ConstantPad1d(1, "a"), TypeError, "'value' must be one of 'int' or 'float', but got 'a'"),
])  # fmt: skip
def test_errors_say_what_is_allowed(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_mirror_cannot_be_longer_than_the_axis(mode):
    with pytest.raises(ValueError, match="'padding' must be smaller than the length of its axis"):
        nn.ReflectionPad1d(3)(ops.ones((2, 3)))
