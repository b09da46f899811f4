"""Transformer layers and TimeDistributed: behaviour the recorded answers do not show."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def attention_by_hand(net: nn.MultiheadAttention, query: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """(length, features) without biases, head by head."""
    heads = []
    q, k, v = (x @ w.T for x, w in zip((query, memory, memory), np.split(net.in_proj_weight.asnumpy(), 3), strict=True))
    for part in np.split(np.arange(net.embed_dim), net.num_heads):
        scores = np.exp(q[:, part] @ k[:, part].T / np.sqrt(net.head_dim))
        heads.append(scores / scores.sum(-1, keepdims=True) @ v[:, part])
    return np.concatenate(heads, -1) @ net.out_proj.weight.asnumpy().T


def test_attention_follows_its_formula(mode):
    net = nn.MultiheadAttention(6, 3, has_bias=False)
    query, memory = sample(4, 6), sample(5, 6)
    result, weights = net(Tensor(query), Tensor(memory), Tensor(memory))
    np.testing.assert_allclose(result.asnumpy(), attention_by_hand(net, query, memory), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(weights.asnumpy().sum(-1), np.ones(4), rtol=1e-5)


def test_one_product_for_self_attention_gives_what_three_give(mode):
    net, x = nn.MultiheadAttention(4, 2), sample(3, 2, 4)
    same = Tensor(x)
    np.testing.assert_allclose(
        net(same, same, same)[0].asnumpy(), net(Tensor(x), Tensor(x), Tensor(x))[0].asnumpy(), rtol=1e-5, atol=1e-6
    )


def test_keys_that_are_masked_have_no_influence(mode):
    net, query = nn.MultiheadAttention(4, 2), Tensor(sample(3, 2, 4))
    memory = sample(5, 2, 4)
    other = memory.copy()
    other[3:, 0] = 9.0
    padding = np.zeros((2, 5), bool)
    padding[0, 3:] = True
    results = [net(query, Tensor(m), Tensor(m), Tensor(padding))[0].asnumpy() for m in (memory, other)]
    np.testing.assert_array_equal(*results)
    bytes_of_it = net(query, Tensor(memory), Tensor(memory), Tensor(padding.astype(np.uint8)))[0]
    np.testing.assert_array_equal(bytes_of_it.asnumpy(), results[0])


def test_a_causal_mask_hides_what_comes_later(mode):
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, norm_first=True), 2)
    later = Tensor(np.triu(np.ones((4, 4), bool), 1))
    x = sample(4, 1, 4)
    other = x.copy()
    other[3] += 5.0
    first, second = (net(Tensor(data), later).asnumpy() for data in (x, other))
    np.testing.assert_allclose(first[:3], second[:3], atol=1e-6)
    assert np.abs(first[3] - second[3]).max() > 1e-3


def test_batches_first_or_second_are_the_same_numbers(mode):
    ms.set_seed(1)
    second = nn.TransformerDecoderLayer(4, 2, 8)
    ms.set_seed(1)
    first = nn.TransformerDecoderLayer(4, 2, 8, batch_first=True)
    tgt, memory = sample(5, 2, 4), sample(3, 2, 4)
    expected = second(Tensor(tgt), Tensor(memory)).asnumpy().swapaxes(0, 1)
    result = first(Tensor(tgt.swapaxes(0, 1)), Tensor(memory.swapaxes(0, 1))).asnumpy()
    np.testing.assert_allclose(result, expected, atol=1e-5)


def test_dropout_is_active_in_training_alone_and_follows_the_seed(mode):
    net, x = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.5), Tensor(sample(3, 2, 4))
    assert (net(x) == net(x)).all()
    net.set_train()
    ms.set_seed(5)
    first, second = net(x), net(x)
    ms.set_seed(5)
    assert (net(x) == first).all() and (first != second).any()


def test_layers_are_apart_and_named_by_their_number():
    given = nn.TransformerEncoderLayer(4, 2, 8)
    net = nn.TransformerEncoder(given, 2)
    names = [p.name for p in net.get_parameters()]
    assert names[0] == "layers.0.self_attn.in_proj_weight" and "layers.1.norm2.beta" in names
    net.layers[0].dense1.weight.set_data(ops.zeros((8, 4)))
    assert net.layers[1].dense1.weight.asnumpy().any() and given.dense1.weight.asnumpy().any()


def test_a_layer_of_ones_own_is_copied(mode):
    class Double(nn.Cell):
        def construct(self, src, src_mask=None, src_key_padding_mask=None):
            return src * 2

    assert nn.TransformerEncoder(Double(), 3)(Tensor([1.0])).tolist() == [8.0]


def test_any_function_or_cell_may_be_the_activation(mode):
    x = Tensor(sample(3, 2, 4))
    ms.set_seed(1)
    named = nn.TransformerEncoderLayer(4, 2, 8, activation="relu")
    for activation in (ops.relu, nn.ReLU(), lambda x: ops.maximum(x, 0)):
        ms.set_seed(1)
        net = nn.TransformerEncoderLayer(4, 2, 8, activation=activation)
        np.testing.assert_allclose(net(x).asnumpy(), named(x).asnumpy(), atol=1e-6)


def test_encoder_and_decoder_may_be_given():
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 1)
    net = nn.Transformer(4, 2, num_decoder_layers=1, dim_feedforward=8, custom_encoder=encoder)
    assert net.encoder is encoder
    assert net(Tensor(sample(3, 2, 4)), Tensor(sample(5, 2, 4))).shape == (5, 2, 4)


def test_steps_are_alike_whether_merged_or_not(mode):
    layer, x = nn.Dense(3, 2), Tensor(sample(2, 4, 3))
    one_by_one, merged = nn.TimeDistributed(layer, 1), nn.TimeDistributed(layer, 1, 0)
    np.testing.assert_allclose(one_by_one(x).asnumpy(), merged(x).asnumpy(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(one_by_one(x).asnumpy(), layer(x).asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda x: nn.MultiheadAttention(4, 3),
            ValueError,
            "'embed_dim' must be divisible by 'num_heads', but got 4 and 3",
        ),
        (lambda x: nn.MultiheadAttention(6, 3)(x, x, x), ValueError, "must have 6, 6 and 6 features, but got shapes"),
        (lambda x: nn.MultiheadAttention(4, 2)(x, x[0], x), ValueError, "must have 3 dimensions, or 2 without a batch"),
        (
            lambda x: nn.MultiheadAttention(4, 2)(x, x, x, x),
            ValueError,
            r"must have shape \(2, 3\), but got \(3, 2, 4\)",
        ),
        (
            lambda x: nn.MultiheadAttention(4, 2)(x, x, x, 3),
            TypeError,
            "'key_padding_mask' must be a Tensor, but got 3",
        ),
        (
            lambda x: nn.TransformerEncoderLayer(4, 2, activation="tan"),
            ValueError,
            "'activation' must be 'relu', 'gelu'",
        ),
        (lambda x: nn.TransformerEncoder(3, 2), TypeError, "the 'encoder_layer' must be 'Cell', but got 3"),
        (lambda x: nn.Transformer(4, 2, 1, 1, 8)(x, x[:, :1]), ValueError, "must have one batch size, but got shapes"),
        (lambda x: nn.TimeDistributed(nn.ReLU(), 3)(x), ValueError, r"the 'time_axis' must be in \[-3, 3\), but got 3"),
        (lambda x: nn.TimeDistributed(nn.ReLU(), 1, -2)(x), ValueError, "must be another axis than 'time_axis'"),
    ],
)
def test_errors_say_what_was_passed_and_what_is_allowed(call, error, text):
    with pytest.raises(error, match=text):
        call(Tensor(sample(3, 2, 4)))
