"""Gradient primitives that real MindSpore has no kernels for on a CPU agree with the gradient of the forward operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import auto_generate as A
from mindspore.ops.operations import _grad_ops as G

RANDOM = np.random.RandomState(3)


def real(*shape: int, low: float = -1.0, high: float = 1.0) -> Tensor:
    return Tensor(RANDOM.uniform(low, high, shape).astype(np.float32))


def whole(values: Any) -> Tensor:
    return Tensor(np.array(values, np.int32))


def agrees(found: Sequence[Tensor], forward: Callable[..., Tensor], inputs: Sequence[Tensor], seed: Tensor) -> None:
    wanted = ms.grad(lambda *args: (forward(*args) * seed).sum(), tuple(range(len(inputs))))(*inputs)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for one, other in zip(found, wanted, strict=False):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-5)


def test_flash_attention(mode: int):
    q, k, v, seed = real(1, 4, 6), real(1, 5, 6), real(1, 5, 6), real(1, 4, 6)
    hidden = Tensor(np.triu(np.ones((4, 5), np.uint8), 2))
    found = G.FlashAttentionScoreGrad(2, scale_value=0.5, sparse_mode=1)(q, k, v, seed, None, None, None, hidden)

    def forward(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return ops.flash_attention_score(q, k, v, 2, attn_mask=hidden, scalar_value=0.5, sparse_mode=1)

    agrees(found[:3], forward, (q, k, v), seed)


def test_rotary_embedding_and_experts():
    x, cos, sin, seed = real(1, 2, 3, 4), real(1, 2, 1, 4), real(1, 2, 1, 4), real(1, 2, 3, 4)
    found = A.RotaryPositionEmbeddingGrad()(seed, cos, sin, x, 1)
    agrees(found, lambda *args: ops.rotary_position_embedding(*args, 1), (x, cos, sin), seed)
    tokens, experts, seed = real(3, 2), whole([[2, 0], [1, 0], [0, 2]]), real(6, 2)
    places = ops.moe_token_permute(tokens, experts)[1]
    agrees((A.MoeTokenPermuteGrad()(seed, places, 2),), lambda x: ops.moe_token_permute(x, experts)[0], (tokens,), seed)


def test_sparse_attention():
    q, k, w = real(1, 2, 2, 4), real(1, 5, 1, 4), real(1, 2, 2, low=0.1)
    chosen, scores = ops.lightning_indexer(q, k, w, sparse_count=3, return_value=True)
    seed = real(*scores.shape)
    found = A.LightningIndexerGrad()(q, k, seed, chosen, w)

    def forward(q: Tensor, k: Tensor, w: Tensor) -> Tensor:
        return ops.lightning_indexer(q, k, w, sparse_count=3, return_value=True)[1]

    agrees(found, forward, (q, k, w), seed)


def test_dynamic_recurrent_layers(mode: int):
    x, w, b, h, c = real(3, 2, 5), real(9, 16), real(16), real(1, 2, 4), real(1, 2, 4)
    seed, last = real(3, 2, 4), real(2, 4) * 0
    found = G.DynamicRNNGrad()(x, w, b, seed, h, c, seed, seed, seed, last, last, seed, seed, seed, seed, seed)
    agrees(found[:3], lambda w, b, x: ops.DynamicRNN()(x, w, b, None, h, c)[0], (w, b, x), seed)
    into, over, first = real(5, 12), real(4, 12), real(2, 4)
    bias = real(12)
    y, states, update, reset, new, inner = ops.DynamicGRUV2()(x, into, over, bias, bias, None, first)
    found = G.DynamicGRUV2Grad()(x, into, over, y, first, states, seed, last, update, reset, new, inner, None, None)

    def forward(into: Tensor, over: Tensor, bias_in: Tensor, bias_over: Tensor, x: Tensor, first: Tensor) -> Tensor:
        return ops.DynamicGRUV2()(x, into, over, bias_in, bias_over, None, first)[0]

    agrees(found, forward, (into, over, bias, bias, x, first), seed)


def test_a_step_of_an_lstm():
    x, h, c, w, b = real(2, 4), real(2, 3), real(2, 3), real(7, 12, 1, 1), real(12, 1, 1, 1)
    _, _, i, j, f, o, turned = ops.operations.BasicLSTMCell(1.0, 0.0)(x, h, c, w, b)
    seed = real(2, 3)
    gates, before = G.BasicLSTMCellCStateGrad(0.0, "tanh")(c, seed, seed * 0, i, j, f, o, turned)
    by_weight, by_bias = G.BasicLSTMCellWeightGrad()(x, h, gates)
    by_input, by_state = G.BasicLSTMCellInputGrad(1.0)(gates, w)

    def forward(x: Tensor, h: Tensor, c: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return ops.operations.BasicLSTMCell(1.0, 0.0)(x, h, c, w, b)[1]

    agrees((by_input, by_state, before, by_weight, by_bias), forward, (x, h, c, w, b), seed)


def test_a_channel_beside_a_range_has_the_gradient_of_the_limit():
    x, seed = Tensor([[-5.0, 0.1], [0.2, 7.0]]), Tensor([[1.0, 2.0], [3.0, 4.0]])
    low, high = Tensor([-1.0, -1.0]), Tensor([1.0, 1.0])
    by_input, by_low, by_high = ops.operations.FakeQuantWithMinMaxVarsPerChannelGradient()(seed, x, low, high)
    assert by_input.asnumpy().tolist() == [[0, 2], [3, 0]]
    assert by_low.asnumpy().tolist() == [1, 0] and by_high.asnumpy().tolist() == [0, 4]


@pytest.mark.parametrize("name", ["LSTMGradData", "LSTMGradWeight", "GruGradData", "GruGradWeight"])
def test_what_needs_a_gpu_says_so_when_used(name: str):
    with pytest.raises(RuntimeError, match=f"For '{name}', the 'reserve' must hold the workspace of a GPU kernel"):
        getattr(G, name)(2, 3, 1, True, False, 0.0)(real(2))
