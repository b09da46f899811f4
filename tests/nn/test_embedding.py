"""Layers that look up rows of a table."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn

TABLE = np.arange(1, 11, dtype=np.float32).reshape(5, 2)


def test_rows_and_their_gradient(mode):
    net = nn.Embedding(5, 2, embedding_table=Tensor(TABLE))
    ids = Tensor([[1, 3], [1, 0]], ms.int32)
    np.testing.assert_array_equal(net(ids).asnumpy(), TABLE[[[1, 3], [1, 0]]])
    gradient = ms.grad(lambda i: net(i).sum(), None, weights=net.embedding_table)(ids)
    np.testing.assert_array_equal(gradient.asnumpy()[:, 0], [1, 2, 0, 1, 0])


def test_padding_row_is_zero_and_the_given_table_stays():
    table = Tensor(TABLE)
    net = nn.Embedding(5, 2, embedding_table=table, padding_idx=2)
    np.testing.assert_array_equal(net.embedding_table.asnumpy()[2], 0)
    np.testing.assert_array_equal(table.asnumpy(), TABLE)


def test_position_outside_is_refused_by_rows_and_zero_for_one_hot():
    ms.set_context(mode=ms.PYNATIVE_MODE)  # a graph cannot see positions
    with pytest.raises(RuntimeError, match=r"must be in \[-5, 5\), but got 5"):
        nn.Embedding(5, 2)(Tensor([5]))
    np.testing.assert_array_equal(nn.Embedding(5, 2, use_one_hot=True)(Tensor([5])).asnumpy(), 0)


def test_lookup_scales_long_rows_down(mode):
    net = nn.EmbeddingLookup(5, 2, Tensor(TABLE), max_norm=5.0)
    output = net(Tensor([[0, 4]])).asnumpy()[0]
    np.testing.assert_array_equal(output[0], TABLE[0])
    np.testing.assert_allclose(output[1], TABLE[4] * 5 / np.linalg.norm(TABLE[4]), rtol=1e-5)


def test_lookup_has_the_names_of_its_slices():
    assert nn.EmbeddingLookup.TABLE_ROW_SLICE == "table_row_slice"
    assert nn.EmbeddingLookup.TABLE_COLUMN_SLICE == "table_column_slice"
    net = nn.EmbeddingLookup(5, 2, slice_mode=nn.EmbeddingLookup.FIELD_SLICE, vocab_cache_size=0)
    assert net.slice_mode == "field_slice"


def test_ext_leaves_the_padding_row_without_gradient(mode):
    net = nn.EmbeddingExt(5, 2, padding_idx=1, _weight=Tensor(TABLE))
    gradient = ms.grad(lambda i: net(i).sum(), None, weights=net.weight)(Tensor([1, 2, 2]))
    np.testing.assert_array_equal(gradient.asnumpy()[:, 0], [0, 0, 2, 0, 0])


def test_ext_divides_gradients_by_how_often_rows_were_asked_for():
    net = nn.EmbeddingExt(5, 2, scale_grad_by_freq=True, _weight=Tensor(TABLE))
    gradient = ms.grad(lambda i: net(i).sum(), None, weights=net.weight)(Tensor([1, 2, 2]))
    np.testing.assert_allclose(gradient.asnumpy()[:, 0], [0, 1, 1, 0, 0])


def test_fields_are_merged_in_both_modes(mode):
    net = nn.MultiFieldEmbeddingLookup(5, 2, 2, Tensor(-TABLE), operator="MAX")
    output = net(Tensor([[0, 3, 4]]), Tensor([[1.0, 1.0, 0.0]]), Tensor([[0, 0, 1]])).asnumpy()
    np.testing.assert_array_equal(output, [[-TABLE[0], [0, 0]]])


@pytest.mark.parametrize(("make", "text"), [
    (lambda: nn.Embedding(5, 2, padding_idx=5), r"'padding_idx' must be in range \[0, 4\], but got 5"),
    (lambda: nn.EmbeddingExt(5, 2, sparse=True), "'sparse' must be False"),
    (lambda: nn.EmbeddingLookup(5, 2, sparse=False), "'sparse' must be True when 'target' is 'CPU'"),
    (lambda: nn.EmbeddingExt(5, 2, _weight=Tensor([1.0])), r"'_weight' must have shape \(5, 2\), but got \(1,\)"),
])  # fmt: skip
def test_errors_say_what_is_allowed(make, text):
    with pytest.raises(ValueError, match=text):
        make()
