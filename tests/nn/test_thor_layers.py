"""The layers for thor: what they note, and that they compute like the layers they derive from."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def weighted_gradient(net, x: Tensor, weights: np.ndarray) -> None:
    """Take the gradient of the outputs times the weights: the weights are the gradient of the outputs."""
    ms.grad(lambda x: (net(x) * Tensor(weights)).sum(), None, net.trainable_params())(x)


def test_a_dense_layer_notes_inputs_and_gradients(mode):
    net, x, weights = nn.DenseThor(3, 4), sample(5, 3), sample(5, 4)
    weighted_gradient(net, Tensor(x), weights)
    np.testing.assert_allclose(net.matrix_a.asnumpy(), x.T @ x / 3, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(net.matrix_g.asnumpy(), weights.T @ weights / 5, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "pad"),
    [
        ({"pad_mode": "valid"}, ((0, 0), (0, 0))),
        ({"pad_mode": "same"}, ((0, 1), (1, 1))),
        ({"pad_mode": "pad", "padding": (1, 0, 2, 0)}, ((1, 0), (2, 0))),
    ],
)
def test_a_convolution_notes_its_patches(mode, arguments, pad):
    net, x = nn.Conv2dThor(2, 3, (2, 3), **arguments), sample(2, 2, 4, 5)
    padded = np.pad(x, ((0, 0), (0, 0), *pad))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2, 3), axis=(2, 3))
    patches = np.moveaxis(windows, 1, 3).reshape(-1, 12)
    weights = sample(2, 3, *windows.shape[2:4])
    weighted_gradient(net, Tensor(x), weights)
    rows = weights.transpose(0, 2, 3, 1).reshape(-1, 3)
    np.testing.assert_allclose(net.matrix_a_cov.asnumpy(), patches.T @ patches / len(patches), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(net.matrix_g_cov.asnumpy(), rows.T @ rows / len(rows), rtol=1e-4, atol=1e-5)
    assert net.a_normalizer.tolist() == net.g_normalizer.tolist() == [len(patches)]


def test_tables_count_their_rows(mode):
    ids, weights = Tensor([[0, 1], [1, 3], [2, 2]]), sample(3, 2, 4)
    rows = weights.reshape(-1, 4)
    for net, divisor in ((nn.EmbeddingThor(5, 4), 6), (nn.EmbeddingLookupThor(5, 4, target="DEVICE"), 3)):
        weighted_gradient(net, ids, weights)
        assert net.matrix_a.tolist() == [1, 2, 2, 1, 0]
        np.testing.assert_allclose(net.matrix_g.asnumpy(), rows.T @ rows / divisor, rtol=1e-2, atol=1e-2)


def test_nothing_is_noted_while_thor_is_off(mode):
    net = nn.DenseThor(3, 4)
    net.thor = False
    weighted_gradient(net, Tensor(sample(5, 3)), sample(5, 4))
    assert (net.matrix_a.asnumpy() == np.eye(3)).all() and (net.matrix_g.asnumpy() == np.eye(4)).all()


@pytest.mark.parametrize(
    ("noting", "plain", "x"),
    [
        (lambda: nn.DenseThor(3, 4, activation="relu"), lambda: nn.Dense(3, 4, "normal", "zeros", activation="relu"), sample(5, 3)),
        (lambda: nn.Conv2dThor(2, 3, 3), lambda: nn.Conv2d(2, 3, 3, weight_init="normal"), sample(2, 2, 4, 4)),
        (lambda: nn.EmbeddingThor(5, 4), lambda: nn.Embedding(5, 4), np.array([[0, 4], [2, 2]])),
    ],
    ids=["dense", "convolution", "embedding"],
)  # fmt: skip
def test_results_and_gradients_are_those_of_the_plain_layers(mode, noting, plain, x):
    results = []
    for make in (noting, plain):
        ms.set_seed(1)
        net = make()
        gradients = ms.grad(lambda x, net=net: (net(x) ** 2).sum(), None, net.trainable_params())(Tensor(x))
        results.append([net(Tensor(x)), *gradients])
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-7)
