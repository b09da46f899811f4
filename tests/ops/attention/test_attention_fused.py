"""Attention as language models call it: every form agrees with the plain formula on what it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops

RANDOM = np.random.default_rng(5)
NEVER = -np.inf


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


def plain(q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float, hidden: Any = None, shift: Any = 0) -> np.ndarray:
    """Attention of (batch, heads, positions, depth) by the formula; key heads serve several of the query."""
    k, v = (x.repeat(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ k.swapaxes(-1, -2) * scale + shift
    scores = scores if hidden is None else np.where(hidden, NEVER, scores)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True) @ v


def check(found: Tensor, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-4, atol=1e-5)


def ahead(queries: int, keys: int, more: int = 0) -> np.ndarray:
    return np.arange(keys) > np.arange(queries)[:, None] + more


def tensors(*arrays: np.ndarray) -> list[Tensor]:
    return [Tensor(array) for array in arrays]


Q, K, V = normal(2, 4, 3, 8), normal(2, 2, 5, 8), normal(2, 2, 5, 8)


@pytest.mark.parametrize(
    ("mode", "hidden"),
    [
        (0, None),
        (2, ahead(3, 5)),
        (3, ahead(3, 5, 2)),
        (4, ahead(3, 5, 2) | (np.arange(5) < np.arange(3)[:, None] + 1)),
    ],
)
def test_a_prompt_sees_what_its_mode_says(mode: int, hidden: Any):
    options = {
        "num_heads": 4,
        "num_key_value_heads": 2,
        "scale_value": 0.5,
        "input_layout": "BNSD",
        "sparse_mode": mode,
    }
    found = ops.prompt_flash_attention(*tensors(Q, K, V), pre_tokens=1, next_tokens=0, **options)
    check(found, plain(Q, K, V, 0.5, hidden))


def test_a_mask_and_the_band_hide_together():
    mask = np.zeros((3, 5), bool)
    mask[0, 0] = mask[2, 1] = True
    options = {"num_heads": 4, "num_key_value_heads": 2, "input_layout": "BNSD", "next_tokens": 1}
    found = ops.prompt_flash_attention(*tensors(Q, K, V), Tensor(mask), **options)
    check(found, plain(Q, K, V, 1.0, mask | ahead(3, 5, 1)))


def test_lengths_of_a_batch_hide_keys_and_empty_queries():
    options = {"num_heads": 4, "num_key_value_heads": 2, "input_layout": "BNSD"}
    found = ops.prompt_flash_attention(*tensors(Q, K, V), None, (3, 2), (5, 4), **options).asnumpy()
    expected = plain(Q, K, V, 1.0, np.arange(5) >= np.array([5, 4]).reshape(2, 1, 1, 1))
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[1, :, :2], expected[1, :, :2], rtol=1e-4, atol=1e-5)
    assert (found[1, :, 2] == 0).all()


def test_one_token_sees_the_keys_of_its_blocks():
    query, cache = normal(2, 1, 8), normal(4, 2, 8)
    table, lengths = np.array([[3, 0], [1, 2]], np.int32), np.array([3, 2], np.int32)
    keys = cache[table].reshape(2, 4, 2, 4).transpose(0, 2, 1, 3)
    expected = plain(query.reshape(2, 2, 1, 4), keys, keys, 0.5, np.arange(4) >= lengths.reshape(2, 1, 1, 1))
    found = ops.incre_flash_attention(
        Tensor(query), (Tensor(cache),), (Tensor(cache),), actual_seq_lengths=Tensor(lengths), block_table=Tensor(table),
        num_heads=2, scale_value=0.5, block_size=2)  # fmt: skip
    check(found, expected.reshape(2, 1, 8))


def test_keys_may_stand_at_the_end():
    query, keys = normal(1, 1, 4), normal(1, 5, 4)
    found = ops.incre_flash_attention(*tensors(query, keys, keys), actual_seq_lengths=(2,), kv_padding_size=Tensor([1]))
    check(found, plain(query[:, None], keys[:, None, 2:4], keys[:, None, 2:4], 1.0)[:, 0])


def test_the_logarithm_of_the_sums_comes_with_the_result():
    result, logarithm = ops.fused_infer_attention_score(
        *tensors(Q, K, V), num_heads=4, num_key_value_heads=2, input_layout="BNSD_BSND", softmax_lse_flag=True)  # fmt: skip
    check(result, plain(Q, K, V, 1.0).transpose(0, 2, 1, 3))
    scores = Q @ K.repeat(2, 1).swapaxes(-1, -2)
    check(logarithm, np.log(np.exp(scores).sum(-1, keepdims=True)))


def test_parts_in_one_row_do_not_see_each_other():
    q, k = normal(5, 2, 4), normal(7, 2, 4)
    found, largest, total, *_ = ops.speed_fusion_attention(
        *tensors(q, k, k), 2, "TND", scale=0.5, sparse_mode=3, actual_seq_qlen=(2, 5), actual_seq_kvlen=(3, 7))  # fmt: skip
    for queries, keys in ((slice(0, 2), slice(0, 3)), (slice(2, 5), slice(3, 7))):
        one, other = q[queries].transpose(1, 0, 2)[None], k[keys].transpose(1, 0, 2)[None]
        expected = plain(one, other, other, 0.5, ahead(one.shape[2], other.shape[2], 1))
        np.testing.assert_allclose(found.asnumpy()[queries], expected[0].transpose(1, 0, 2), rtol=1e-4, atol=1e-5)
    assert largest.shape == total.shape == (5, 2, 8)


def test_positions_are_added_before_or_after_scaling():
    shift = normal(1, 4, 3, 5)
    for kind, expected in ((0, plain(Q, K, V, 0.5, None, shift)), (1, plain(Q, K, V, 0.5, None, shift * 0.5))):
        check(ops.speed_fusion_attention(*tensors(Q, K, V), 4, "BNSD", pse=Tensor(shift), scale=0.5, pse_type=kind)[0],
              expected)  # fmt: skip


def test_dropped_weights_are_zero_and_the_others_larger():
    value = np.eye(8, dtype=np.float32)[None, None]
    same = np.zeros((1, 1, 8, 8), np.float32)
    kept = ops.speed_fusion_attention(*tensors(same, same, value), 1, "BNSD", keep_prob=0.5)[0].asnumpy()
    assert set(np.unique(kept.round(4))) == {0.0, 0.25}


def test_a_ring_of_two_sets_of_keys_is_attention_to_both():
    q, k = normal(1, 2, 3, 4), normal(1, 2, 6, 4)
    halves = [ops.speed_fusion_attention(*tensors(q, part, part), 2, "BNSD") for part in (k[:, :, :2], k[:, :, 2:])]
    flat = [(half[0].transpose(2, 0, 1, 3).reshape((3, 1, 8)), half[1], half[2]) for half in halves]
    found = ops.ring_attention_update(*flat[0], *flat[1])[0]
    check(found, plain(q, k, k, 1.0).transpose(2, 0, 1, 3).reshape(3, 1, 8))


def test_tokens_are_stored_in_slots_and_found_again():
    keys, query = normal(3, 2, 4), normal(1, 2, 4)
    cache, values = (Parameter(Tensor(np.zeros((2, 2, 2, 4), np.float32)), name=name) for name in ("k", "v"))
    returned = ops.ReshapeAndCache()(Tensor(keys), Tensor(keys * 2), cache, values, Tensor([2, 3, 0], ms.int32))
    assert returned.shape == (3, 2, 4)
    attention = ops.PagedAttention(2, 0.5, 2)
    found = attention(Tensor(query), cache, values, Tensor([[1, 0]], ms.int32), Tensor([3], ms.int32))
    heads = keys.transpose(1, 0, 2)[None]
    check(found, plain(query.transpose(1, 0, 2)[None], heads, heads * 2, 0.5)[0].transpose(1, 0, 2))


def test_later_tokens_of_a_sequence_see_more():
    keys, query = normal(1, 4, 1, 4), normal(2, 1, 4)
    attention = ops.PagedAttention(1, 1.0, 1, mask_mode="TRAPEZOIDAL")
    found = attention(*tensors(query, keys, keys), Tensor([[0]], ms.int32), Tensor([3], ms.int32),
                      q_seq_lens=Tensor([2], ms.int32))  # fmt: skip
    for number, visible in ((0, 2), (1, 3)):
        seen = keys[:, :visible].transpose(0, 2, 1, 3)
        np.testing.assert_allclose(found.asnumpy()[number], plain(query[number][None, :, None], seen, seen, 1.0)[0, :, 0],
                                   rtol=1e-4, atol=1e-5)  # fmt: skip


@pytest.mark.parametrize(("form", "pairs"), [(2, "halves"), (3, "neighbours")])
def test_turning_by_a_quarter_exchanges_the_pairs(form: int, pairs: str):
    x = Tensor([[1.0, 2.0, 3.0, 4.0]])
    found = ops.ApplyRotaryPosEmb(form)(x, x, ops.zeros((1, 4)), ops.ones((1, 4)), Tensor([0], ms.int32))[0]
    assert found.asnumpy().tolist() == [[-3, -4, 1, 2] if pairs == "halves" else [-2, 1, -4, 3]]


def test_the_chosen_blocks_are_all_a_token_sees():
    q, k = normal(3, 2, 4), normal(6, 1, 4)
    chosen = np.array([[[0]], [[2]], [[1]]], np.int32)
    found = ops.nsa_select_attention(
        *tensors(q, k, k, chosen), 0.5, 2, 2, 1, actual_seq_qlen=[3], actual_seq_kvlen=[6]
    )[0]
    for token in range(3):
        block = 2 * chosen[token, 0, 0]
        seen = k[block : block + 2].transpose(1, 0, 2)[None]
        expected = plain(q[token][None, :, None], seen, seen, 0.5)[0, :, 0]
        np.testing.assert_allclose(found.asnumpy()[token], expected, rtol=1e-4, atol=1e-5)


def test_blocks_are_as_important_as_the_windows_that_overlap_them():
    q, k = normal(1, 1, 4) * 3, normal(4, 1, 4)
    result, best, *_ = ops.nsa_compress_attention(
        *tensors(q, k, k), 1.0, 1, 2, 2, 4, 2, actual_seq_qlen=[1], actual_cmp_seq_kvlen=[4], actual_sel_seq_kvlen=[8])  # fmt: skip
    one, other = q.transpose(1, 0, 2)[None], k.transpose(1, 0, 2)[None]
    check(result, plain(one, other, other, 1.0)[0].transpose(1, 0, 2))
    weights = np.exp(q[0, 0] @ k[:, 0].T)
    first = weights[:2].sum() > weights[2:].sum()
    assert best.asnumpy().reshape(-1).tolist() == ([0, 1] if first else [1, 0])


def test_the_indexer_finds_the_largest_scores_and_nothing_later():
    q, k, w = normal(1, 3, 2, 4), normal(1, 5, 1, 4), np.abs(normal(1, 3, 2))
    indices, values = ops.lightning_indexer(*tensors(q, k, w), sparse_count=4, return_value=True)
    scores = (np.maximum(q[0] @ k[0, :, 0].T, 0) * w[0][..., None]).sum(1)
    scores = np.where(ahead(3, 5, 2), NEVER, scores)
    for token in range(3):
        visible = token + 3
        wanted = np.sort(scores[token])[::-1][: min(visible, 4)]
        np.testing.assert_allclose(values.asnumpy()[0, token, 0, : len(wanted)], wanted, rtol=1e-4)
        named = indices.asnumpy()[0, token, 0]
        assert named.max() < visible and (named == -1).sum() == max(4 - visible, 0)


def test_attention_to_all_keys_by_name_is_attention():
    q, k = normal(2, 3, 2, 4), normal(2, 3, 1, 4)
    near, near_key = normal(2, 3, 2, 2), normal(2, 3, 1, 2)
    every = np.broadcast_to(np.arange(3, dtype=np.int32), (2, 3, 1, 3))
    found, largest, total = ops.sparse_flash_attention(
        *tensors(q, k, k, np.ascontiguousarray(every)), 0.5, query_rope=Tensor(near), key_rope=Tensor(near_key),
        attention_mode=2)  # fmt: skip
    heads, keys, closer, closer_key = (x.transpose(0, 2, 1, 3) for x in (q, k, near, near_key))
    shift = closer @ closer_key.repeat(2, 1).swapaxes(-1, -2) * 0.5
    check(found, plain(heads, keys, keys, 0.5, ahead(3, 3), shift).transpose(0, 2, 1, 3))
    assert largest.shape == total.shape == (2, 1, 3, 2)


def test_rows_of_parts_and_blocks_give_what_a_batch_gives():
    q, k, w = normal(2, 3, 2, 4), normal(2, 4, 1, 4), np.abs(normal(2, 3, 2))
    expected = ops.lightning_indexer(*tensors(q, k, w), sparse_count=2)[0].asnumpy()
    flat = tensors(*(x.reshape(-1, *x.shape[2:]) for x in (q, k, w)))
    ends = {"actual_seq_lengths_query": Tensor([3, 6], ms.int32), "actual_seq_lengths_key": Tensor([4, 8], ms.int32)}
    rows = ops.lightning_indexer(*flat, **ends, layout_query="TND", layout_key="TND", sparse_count=2)[0].asnumpy()
    assert (rows.reshape(expected.shape) == expected).all()
    blocks = ops.lightning_indexer(
        Tensor(q), Tensor(k.reshape(4, 2, 1, 4)), Tensor(w), actual_seq_lengths_key=Tensor([4, 4], ms.int32),
        block_table=Tensor([[0, 1], [2, 3]], ms.int32), layout_key="PA_BSND", sparse_count=2)[0].asnumpy()  # fmt: skip
    assert (blocks == expected).all()


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda x: ops.prompt_flash_attention(x, x, x, input_layout="SBH"), ValueError, "the 'input_layout' must be one of"),
        (lambda x: ops.prompt_flash_attention(x, x, x, quant_scale1=x), ValueError, "the 'quant_scale1' must be None"),
        (lambda x: ops.prompt_flash_attention(x, x, x, None, "a"), TypeError, "the 'actual_seq_lengths' must be a Tensor"),
        (lambda x: ops.prompt_flash_attention(x, x, x, sparse_mode=9), ValueError, "the 'sparse_mode' must be one of"),
        (lambda x: ops.speed_fusion_attention(x, x, x, 1, "TND"), TypeError, "the 'actual_seq_qlen' must be a tuple"),
        (lambda x: ops.speed_fusion_attention(x, x, x, 1, "BSH", keep_prob=0.0), ValueError, r"must be in \(0, 1\]"),
        (lambda x: ops.speed_fusion_attention(x, x, x, 3, "BSH"), ValueError, "divisible by 3 heads"),
        (lambda x: ops.nsa_compress(x, x[0], 1, 1, actual_seq_len=[5]), ValueError, "must increase to the number of tokens, 1"),
        (lambda x: ops.lightning_indexer(x, x, x, layout_query="TND"), ValueError, "the layouts must agree"),
        (lambda x: ops.ReshapeAndCache()(x, x, x, None, x), TypeError, "the 'value' and 'value_cache' must be given together"),
        (lambda x: ops.PagedAttention(0, 1.0, 1), ValueError, "the 'head_num' must be"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(call: Any, kind: type[Exception], text: str):
    with pytest.raises(kind, match=text):
        call(ops.ones((1, 2, 4)))
