"""What primitives under generated names compute: against NumPy, in both modes, with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import auto_generate as gen
from mindspore.ops.operations import _rl_inner_ops

RANDOM = np.random.RandomState(3)
X = RANDOM.uniform(-1, 1, (2, 3)).astype(np.float32)
Y = RANDOM.uniform(0.1, 1, (2, 3)).astype(np.float32)
IMAGE = RANDOM.uniform(-1, 1, (1, 2, 4, 4)).astype(np.float32)


class Call(nn.Cell):
    """A primitive called from a Cell: compiled in graph mode."""

    def __init__(self, primitive: Any, *further: Any):
        super().__init__()
        self.primitive, self.further = primitive, further

    def construct(self, *inputs):
        return self.primitive(*inputs, *self.further)


def values(result: Any) -> list[np.ndarray]:
    return [one.asnumpy() for one in (result if isinstance(result, (tuple, list)) else [result])]


FORMS = [
    ("AddExt", (X, Y), (2,), X + 2 * Y),
    ("SubScalar", (X,), (0.5, 2), X - 1),
    ("DivMods", (X,), (0.3, "floor"), np.floor(X / 0.3)),
    ("RemainderTensorScalar", (X,), (0.3,), np.mod(X, np.float32(0.3))),
    ("ClampScalar", (X,), (-0.1, 0.2), np.clip(X, -0.1, 0.2)),
    ("EqualExt", (X, X), (), np.True_),
    ("Any", (X > 0,), (), np.True_),
    ("SumExt", (X,), (1, True), X.sum(1, keepdims=True)),
    ("MeanExt", (X,), (0,), X.mean(0)),
    ("MaxDim", (X,), (1,), (X.max(1), X.argmax(1))),
    ("TopkExt", (X,), (2,), (-np.sort(-X)[:, :2], np.argsort(-X)[:, :2])),
    ("VarMean", (X,), (1, 0), (X.var(1), X.mean(1))),
    ("LpNormV2", (X,), (2, (1,)), np.sqrt((X * X).sum(1))),
    ("SplitWithSize", (X,), ((1, 2), 1), (X[:, :1], X[:, 1:])),
    ("SliceExt", (X,), (1, 0, 3, 2), X[:, ::2]),
    ("OneHotExt", (np.array([0, 2], np.int64),), (3, Tensor(1.0), Tensor(0.0)), np.eye(3, dtype=np.float32)[[0, 2]]),
    ("MatMulExt", (X, Y.T.copy()), (), X @ Y.T),
    ("Baddbmm", (X[None], X[None, :, :1], Y[None, :1]), (2, 3), (2 * X + 3 * X[:, :1] @ Y[:1])[None]),
    ("ConstantPadND", (X,), ((1, 0), 7.0), np.pad(X, ((0, 0), (1, 0)), constant_values=7)),
    ("L1LossBackwardExt", (X, X, Y), ("sum",), X * np.sign(X - Y)),
    ("SoftmaxBackward", (X, Y), (1,), (X - (X * Y).sum(1, keepdims=True)) * Y),
    ("FFT", (X,), (), np.fft.fft(X)),
    ("ViewDtype", (X,), (ms.int32,), X.view(np.int32)),
    ("AsStrided", (X,), ((2, 2), (1, 2), 1), X.reshape(-1)[[[1, 3], [2, 4]]]),
    ("QuantV2", (X, Y[0], Y[1]), (), np.rint(X * Y[0] + Y[1]).astype(np.int8)),
    ("MoeComputeExpertTokens", (np.array([0, 0, 2], np.int32),), (3,), np.array([2, 2, 3], np.int32)),
]


@pytest.mark.parametrize("name, inputs, further, wanted", FORMS, ids=lambda one: one if isinstance(one, str) else "")  # fmt: skip
def test_forms_give_numpys_values(name: str, inputs: Any, further: Any, wanted: Any, mode: Any):
    results = values(Call(getattr(gen, name)(), *further)(*map(Tensor, inputs)))
    for result, reference in zip(results, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(result, reference, 1e-4, 1e-5)


@pytest.mark.parametrize("name, further", [("SumExt", (1,)), ("MeanExt", (None,)), ("SplitWithSize", ((1, 2), 1)),
                                           ("Swiglu", (0,)), ("GeluExt", ()), ("TopkExt", (2,)), ("Clone", ())])  # fmt: skip
def test_forms_have_gradients(name: str, further: Any, mode: Any):
    call = Call(getattr(gen, name)(), *further)

    def total(x: Any) -> Any:
        found = call(x)
        return sum(
            (one * one).sum() for one in (found if isinstance(found, tuple) else (found,)) if one.dtype == ms.float32
        )

    slopes = ms.grad(total)(Tensor(X)).asnumpy()
    shift = np.zeros_like(X)
    shift[1, 1] = 1e-2
    difference = (total(Tensor(X + shift)) - total(Tensor(X - shift))).asnumpy() / 2e-2
    np.testing.assert_allclose(slopes[1, 1], difference, 2e-2, 2e-3)


def test_flash_attention_gives_maxima_sums_and_the_attention(mode: Any):
    q, k, v = (Tensor(RANDOM.normal(size=(1, 2, 3, 4)).astype(np.float32)) for _ in range(3))
    flash = gen.FlashAttentionScore(2, scale_value=0.5, input_layout="BNSD")
    largest, total, _, result = Call(flash)(q, k, v)
    scores = 0.5 * q.asnumpy() @ k.asnumpy().swapaxes(-1, -2)
    np.testing.assert_allclose(largest.asnumpy()[..., 0], scores.max(-1), 1e-5)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    np.testing.assert_allclose(total.asnumpy()[..., 0], powers.sum(-1), 1e-5)
    np.testing.assert_allclose(result.asnumpy(), powers / powers.sum(-1, keepdims=True) @ v.asnumpy(), 1e-4, 1e-5)
    assert np.abs(ms.grad(lambda q: flash(q, k, v)[3].sum())(q).asnumpy()).max() > 0


def test_flash_attention_drops_by_the_bits_of_a_mask():
    q = Tensor(np.ones((1, 1, 2, 8), np.float32))
    v = Tensor(np.ones((1, 1, 8, 8), np.float32))
    flash = gen.FlashAttentionScore(1, keep_prob=0.5, input_layout="BNSD")
    result = flash(q, v, v, drop_mask=Tensor(np.array([255, 15], np.uint8)))[3].asnumpy()
    np.testing.assert_allclose(result[0, 0, :, 0], [2, 1], 1e-5)


def test_grouped_products_of_lists_and_of_groups(mode: Any):
    x, w = RANDOM.normal(size=(5, 3)).astype(np.float32), RANDOM.normal(size=(2, 3, 4)).astype(np.float32)
    wanted = np.concatenate([x[:2] @ w[0], x[2:] @ w[1]])
    ends, sizes = Tensor(np.array([2, 5], np.int64)), Tensor(np.array([2, 3], np.int64))
    one = gen.GroupedMatmul(split_item=3, group_type=0)([Tensor(x)], [Tensor(w)], group_list=ends)
    four = gen.GroupedMatmulV4()(
        [Tensor(x)], [Tensor(w)], group_list=sizes, split_item=3, group_type=0, group_list_type=1
    )
    many = gen.GroupedMatmulV2()([Tensor(x[:2]), Tensor(x[2:])], [Tensor(w[0]), Tensor(w[1])])
    for found in (one[0], four[0], ops.concat(many)):
        np.testing.assert_allclose(found.asnumpy(), wanted, 1e-4, 1e-5)
    slope = ms.grad(lambda x: gen.Gmm()([x], [Tensor(w)], None, ends)[0].sum())(Tensor(x))
    by_rows, by_weights = gen.GmmBackward()([Tensor(np.ones((5, 4), np.float32))], [Tensor(x)], [Tensor(w)], ends)
    np.testing.assert_allclose(by_rows[0].asnumpy(), slope.asnumpy(), 1e-4, 1e-5)
    np.testing.assert_allclose(by_weights[0].asnumpy()[0], x[:2].T @ np.ones((2, 4)), 1e-4, 1e-5)


def test_grouped_products_of_quantized_weights():
    x, w = np.ones((3, 2), np.int8), np.array([[[1], [2]], [[3], [4]]], np.int8)
    scale, rows = Tensor(np.array([[0.5], [2.0]]), ms.bfloat16), Tensor(np.array([1.0, 2.0, 4.0], np.float32))
    found = gen.GroupedMatmulV4()([Tensor(x)], [Tensor(w)], scale=[scale], pre_token_scale=[rows], split_item=3,
                                  group_list=Tensor(np.array([1, 3], np.int64)), group_type=0)  # fmt: skip
    np.testing.assert_allclose(found[0].float().asnumpy(), [[1.5], [28], [56]])


def test_tokens_come_back_from_their_experts(mode: Any):
    tokens, ids = RANDOM.normal(size=(4, 3)).astype(np.float32), np.array([[0, 2], [1, 2], [0, 1], [3, 0]], np.int32)
    weights = RANDOM.uniform(size=(4, 2)).astype(np.float32)
    sent = gen.MoeDistributeDispatch()(Tensor(tokens), Tensor(ids), 1, 0, 4)
    back = gen.MoeDistributeCombine()(sent[0] * 2.0, Tensor(ids), sent[2], sent[4], Tensor(weights), 1, 0, 4)
    np.testing.assert_array_equal(sent[3].asnumpy(), [3, 5, 7, 8])
    np.testing.assert_allclose(back.asnumpy(), 2 * tokens * weights.sum(1, keepdims=True), 1e-5)
    values_, experts, rows = gen.MoeGatingTopKSoftmax()(Tensor(RANDOM.normal(size=(4, 4)).astype(np.float32)), None, 2)
    expanded, places, _ = gen.MoeInitRouting()(Tensor(tokens), rows, experts, 4)
    merged = gen.MoeFinalizeRouting()(expanded, Tensor(0 * tokens), None, None, values_, places, experts)
    np.testing.assert_allclose(merged.asnumpy(), tokens * values_.asnumpy().sum(1, keepdims=True), 1e-4, 1e-5)


def test_in_place_forms_change_their_input(mode: Any):
    x = Parameter(Tensor(X), name="x")
    result = Call(gen.InplaceAddExt())(x, Tensor(Y), 2)
    np.testing.assert_allclose(x.asnumpy(), X + 2 * Y, 1e-6)
    np.testing.assert_allclose(result.asnumpy(), X + 2 * Y, 1e-6)
    gen.InplaceMuls()(x, 0.0)
    assert not x.asnumpy().any()
    cache = Parameter(Tensor(np.zeros((1, 1, 3, 2), np.float32)), name="cache")
    gen.KVCacheScatterUpdate()(cache, Tensor(np.array([1])), Tensor(np.ones((1, 1, 1, 2), np.float32)), -2)
    np.testing.assert_array_equal(cache.asnumpy()[0, 0], [[0, 0], [1, 1], [0, 0]])


def test_adamw_moves_weights_as_pytorchs_rule(mode: Any):
    var, m, v, best = (Parameter(Tensor(one), name=f"p{i}") for i, one in enumerate((X, 0 * X, 0 * X, 0 * X)))
    Call(gen.AdamW())(var, m, v, best, Tensor(Y), Tensor([0.0]), 0.1, 0.9, 0.99, 0.01, 1e-8)
    np.testing.assert_allclose(var.asnumpy(), X * (1 - 0.001) - 0.1 * Y / (np.abs(Y) + 1e-8), 1e-4)
    np.testing.assert_allclose(m.asnumpy(), 0.1 * Y, 1e-5)


def test_random_forms_follow_from_seed_and_offset(mode: Any):
    seed, offset = Tensor(7, ms.int64), Tensor(3, ms.int64)
    draws = [Call(gen.DropoutExt(), 0.5, seed, offset)(Tensor(np.ones((50, 4), np.float32))) for _ in range(2)]
    np.testing.assert_array_equal(draws[0][0].asnumpy(), draws[1][0].asnumpy())
    np.testing.assert_array_equal(draws[0][0].asnumpy(), 2 * draws[0][1].asnumpy())
    other = gen.dropout_ext_op(Tensor(np.ones((50, 4), np.float32)), 0.5, seed, Tensor(4, ms.int64))
    assert (other[0].asnumpy() != draws[0][0].asnumpy()).any()
    numbers = gen.randint_op(0, 5, (100,), seed, offset).asnumpy()
    assert numbers.dtype == np.int64 and set(numbers) == set(range(5))
    x = Parameter(Tensor(np.zeros(100, np.float32)), name="x")
    gen.inplace_uniform_op(x, 1.0, 2.0, seed, offset)
    assert 1 <= x.asnumpy().min() < x.asnumpy().max() < 2


def test_collectives_of_one_process_return_their_input_and_a_handle():
    x = Tensor(X)
    for name, arguments in (
        ("DistCommAllReduce", (x, "sum", None)),
        ("InnerCommAllReduce", (x, "sum", "hccl_world_group")),
    ):
        result, handle = getattr(gen, name)()(*arguments)
        np.testing.assert_array_equal(result.asnumpy(), X)
        handle.wait()


def test_a_generator_steps_and_keeps_its_state():
    seed, offset = Parameter(Tensor(5, ms.int64), name="s"), Parameter(Tensor(0, ms.int64), name="o")
    generator = gen.Generator()
    before = generator(0, (seed, offset, 10))
    assert (int(before[0]), int(before[1]), int(offset)) == (5, 0, 10)
    state = generator(2, (seed, offset))[2]
    generator(4, (seed, offset, 9))
    assert (int(seed), int(offset)) == (9, 0)
    generator(3, (seed, offset, state))
    assert (int(seed), int(offset)) == (5, 10)


def test_a_packed_gru_is_that_of_cuda():
    gru: Any = _rl_inner_ops.CudnnGRU
    net = gru(10, 2, 1, True, False, 0.0)
    output, last, _, _ = net(Tensor(np.ones((5, 2, 10), np.float32)), Tensor(np.ones((1, 2, 2), np.float32)),
                             Tensor(np.ones((84, 1, 1), np.float32)))  # fmt: skip
    np.testing.assert_allclose(output.asnumpy(), np.ones((5, 2, 2)), 1e-4)
    np.testing.assert_array_equal(last.asnumpy()[0], output.asnumpy()[-1])
