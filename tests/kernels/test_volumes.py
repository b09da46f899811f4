"""Convolution and pooling of volumes, made of the kernels for images, are those of XLA, gradients included."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from mindspore import Tensor, grad, ops
from mindspore._kernels import volumes

CONVOLUTIONS = {  # x, weights, stride, padding, dilation, groups
    "plain": ((2, 3, 5, 6, 7), (4, 3, 3, 3, 3), (1, 1, 1), ((0, 0),) * 3, (1, 1, 1), 1),
    "steps and padding": ((1, 4, 6, 5, 7), (6, 4, 3, 2, 3), (2, 1, 3), ((1, 2), (0, 1), (1, 1)), (1, 1, 1), 1),
    "gaps and groups": ((2, 4, 7, 7, 6), (6, 2, 2, 3, 2), (1, 2, 1), ((1, 1), (2, 0), (1, 1)), (3, 1, 2), 2),
    "every channel on its own": ((2, 5, 4, 5, 6), (5, 1, 3, 3, 3), (1, 1, 2), ((1, 1),) * 3, (1, 1, 1), 5),
    "several outputs of every channel": ((1, 3, 4, 4, 4), (6, 1, 2, 2, 2), (1, 1, 1), ((0, 0),) * 3, (1, 1, 1), 3),
    "one slice": ((2, 8, 3, 4, 5), (6, 8, 1, 1, 1), (1, 1, 1), ((0, 0),) * 3, (1, 1, 1), 1),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_a_convolution_of_volumes_and_its_gradients(name):
    x, weight, stride, padding, dilation, groups = CONVOLUTIONS[name]
    rng = np.random.RandomState(0)
    x, weight = (jnp.asarray(rng.randn(*shape), jnp.float32) for shape in (x, weight))

    def xla(x, weight):
        layout = ("NCDHW", "OIDHW", "NCDHW")
        return lax.conv_general_dilated(x, weight, stride, padding, rhs_dilation=dilation, feature_group_count=groups,
                                        dimension_numbers=layout)  # fmt: skip

    def ours(x, weight):
        return volumes.convolve(x, weight, stride, padding, dilation, groups)

    wanted, wanted_back = jax.vjp(xla, x, weight)
    found, back = jax.vjp(ours, x, weight)
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-4)
    for one, other in zip(back(jnp.sin(wanted)), wanted_back(jnp.sin(wanted)), strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-4)


@pytest.mark.parametrize(
    ("kernel", "stride", "padding"),
    [((2, 2, 2), (2, 2, 2), ((0, 0),) * 3), ((3, 2, 3), (1, 2, 1), ((1, 1), (0, 1), (1, 1)))],
    ids=["apart", "overlapping"],
)
def test_the_first_of_the_largest_in_a_volume_takes_the_gradient(kernel, stride, padding):
    x = jnp.asarray(np.random.RandomState(1).randint(0, 4, (2, 3, 5, 6, 6)), jnp.float32)  # many are equal

    def xla(x):
        pads = ((0, 0), (0, 0), *padding)
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, *kernel), (1, 1, *stride), pads)

    wanted, wanted_back = jax.vjp(xla, x)
    found, back = jax.vjp(lambda x: volumes.largest(x, kernel, stride, padding), x)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_allclose(back(jnp.cos(wanted))[0], wanted_back(jnp.cos(wanted))[0], 1e-6)


def test_a_nan_in_a_volume_is_the_largest_of_its_windows():
    x = np.random.RandomState(2).randn(1, 1, 4, 4, 4).astype(np.float32)
    x[0, 0, 0, 1, 1] = x[0, 0, 3, 2, 2] = np.nan
    found = np.isnan(volumes.largest(jnp.asarray(x), (2, 2, 2), (2, 2, 2), ((0, 0),) * 3))
    assert found.sum() == 2 and found[0, 0, 0, 0, 0] and found[0, 0, 1, 1, 1]


def test_a_convolution_of_volumes_in_both_modes(mode):
    x, weight = Tensor(np.ones((1, 2, 3, 3, 3), np.float32)), Tensor(np.ones((1, 2, 2, 2, 2), np.float32))
    assert (ops.conv3d(x, weight).asnumpy() == 16).all()
    by_x = grad(lambda x: ops.conv3d(x, weight).sum())(x)
    assert by_x.asnumpy()[0, 0, 1, 1, 1] == 8 and by_x.asnumpy()[0, 0, 0, 0, 0] == 1
