"""Layers that look up rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._utils.checks import (
    check_bool,
    check_float_range,
    check_int,
    check_one_of,
    check_positive_int,
    check_type,
    shown,
)
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Normal, initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import INDICES, Width
from mindspore.nn.cell.primitives import primitives

__all__ = ["Embedding", "EmbeddingExt", "EmbeddingLookup", "MultiFieldEmbeddingLookup"]


def _with_zero_row(table: Tensor, row: int) -> Tensor:
    """The table with one row of zeros."""
    values = np.array(table.init_data().asnumpy())
    values[row] = 0
    return Tensor(values, table.dtype)


@primitives(
    gather=ops.Gather,
    one_hot=ops.OneHot,
    array_mul=ops.MatMul,
    expand=ops.ExpandDims,
    reshape_flat=ops.Reshape,
    reshape=ops.Reshape,
    get_shp=ops.Shape,
    concat=ops.Concat,
)
class Embedding(Cell):
    """Rows of a table, one for each index.

    Args:
        vocab_size, embedding_size: how many rows there are, and their length.
        use_one_hot: whether rows are picked by a product with one-hot vectors; an index outside then gives zeros.
        embedding_table: Tensor, initializer, its name, or a number.
        dtype: dtype of the one-hot vectors.
        padding_idx: a row that is set to zeros at the start.

    Inputs:
        ids: Tensor of Int32 or Int64; the result has one axis more, of length ``embedding_size``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.Embedding(3, 2, embedding_table=Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
        >>> print(net(Tensor([2, 0])))
        [[5. 6.]
         [1. 2.]]
    """

    _cell_widths = (Width("vocab_size", INDICES),)

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = mstype.float32,
        padding_idx: int | None = None,
    ):
        super().__init__()
        self.vocab_size = check_positive_int("Embedding", "vocab_size", vocab_size)
        self.embedding_size = check_positive_int("Embedding", "embedding_size", embedding_size)
        self.use_one_hot = check_bool("Embedding", "use_one_hot", use_one_hot)
        self.dtype = dtype
        self.on_value, self.off_value = Tensor(1.0, dtype), Tensor(0.0, dtype)
        self.padding_idx, self.shp_flat = padding_idx, (-1,)
        table = initializer(embedding_table, [vocab_size, embedding_size])
        if padding_idx is not None:
            table = _with_zero_row(table, check_int("Embedding", "padding_idx", padding_idx, 0, vocab_size - 1))
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids: Tensor) -> Tensor:
        """The rows."""
        if not self.use_one_hot:
            return self.gather(self.embedding_table, ids, 0)
        hot = self.one_hot(self.reshape_flat(ids, self.shp_flat), self.vocab_size, self.on_value, self.off_value)
        return self.reshape(self.array_mul(hot, self.embedding_table), (*ids.shape, self.embedding_size))

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table!r}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingExt(Cell):
    """Rows of a table, one for each index; a table of normal numbers by default.

    Args:
        num_embeddings, embedding_dim: how many rows there are, and their length.
        padding_idx: a row of zeros that gets no gradient.
        max_norm, norm_type: rows longer than this, measured by the norm ``norm_type``, are scaled down to it.
        scale_grad_by_freq: divide the gradient of a row by how often it was asked for.
        sparse: must be False.
        _weight: the table, a Tensor.
        _freeze: whether the table is not trained.
        dtype: dtype of the table, Float32 by default.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.EmbeddingExt(2, 2, _weight=Tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> print(net(Tensor([1])))
        [[3. 4.]]
    """

    _cell_widths = (Width("num_embeddings", INDICES),)

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        dtype: Any = None,
    ):
        super().__init__()
        owner = "EmbeddingExt"
        self.num_embeddings = check_int(owner, "num_embeddings", num_embeddings, low=0)
        self.embedding_dim = check_int(owner, "embedding_dim", embedding_dim, low=0)
        if padding_idx is not None:
            check_int(owner, "padding_idx", padding_idx, -num_embeddings, num_embeddings - 1)
        if max_norm is not None:
            check_type(owner, "max_norm", max_norm, (int, float))
        if check_bool(owner, "sparse", sparse):
            raise refused(
                ValueError, "For 'EmbeddingExt', the 'sparse' must be False, but got True: gradients are dense here."
            )
        self.padding_idx, self.max_norm, self.sparse = padding_idx, max_norm, sparse
        self.norm_type = check_type(owner, "norm_type", norm_type, (int, float))
        self.scale_grad_by_freq = check_bool(owner, "scale_grad_by_freq", scale_grad_by_freq)
        self.dtype = mstype.float32 if dtype is None else dtype
        self.weight = Parameter(self._table(_weight), name="weight", requires_grad=not _freeze)

    def _table(self, given: Tensor | None) -> Tensor:
        shape = (self.num_embeddings, self.embedding_dim)
        if given is not None:
            check_type("EmbeddingExt", "_weight", given, Tensor)
            if tuple(given.shape) != shape:
                raise refused(
                    ValueError, f"For 'EmbeddingExt', the '_weight' must have shape {shape}, but got {given.shape}."
                )
            return given
        table = initializer(Normal(sigma=1.0, mean=0.0), shape, self.dtype)
        return table if self.padding_idx is None else _with_zero_row(table, self.padding_idx)

    def construct(self, input: Tensor) -> Tensor:
        """The rows."""
        return ops.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq
        )

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, padding_idx={self.padding_idx}, "
            f"max_norm={self.max_norm}, norm_type={self.norm_type}, scale_grad_by_freq={self.scale_grad_by_freq}, "
            f"dtype={self.dtype}"
        )


@primitives(
    gatherv2=ops.SparseGatherV2,
    gather_revert=ops.Gather,
    reshape_first=ops.Reshape,
    reshape=ops.Reshape,
    unique=ops.Unique,
    shape=ops.Shape,
)
class EmbeddingLookup(Cell):
    """Rows of a table, one for each index; an index outside gives zeros.

    Args:
        vocab_size, embedding_size: how many rows there are, and their length.
        param_init: Tensor, initializer, its name, or a number for the table.
        target: 'CPU' or 'DEVICE'; both compute on the device of the program.
        slice_mode: how tables are split over devices: BATCH_SLICE, FIELD_SLICE, TABLE_ROW_SLICE or TABLE_COLUMN_SLICE.
        manual_shapes: the lengths of the pieces for FIELD_SLICE.
        max_norm: rows longer than this are scaled down to it.
        sparse: whether the gradient of the table is made of the rows that were looked up, which sparse updates of optimizers
            (:class:`mindspore.nn.LazyAdam`) take; must be True for target 'CPU'.
        dtype: dtype of the table.
        vocab_cache_size: kept for old programs.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.EmbeddingLookup(2, 2, param_init=Tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> print(net(Tensor([1, 0])))
        [[3. 4.]
         [1. 2.]]
    """

    _cell_widths = (Width("vocab_size", INDICES),)

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_ROW_SLICE = "table_row_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        dtype: Any = mstype.float32,
        vocab_cache_size: int = 0,
    ):
        super().__init__()
        owner = self.cls_name
        self.vocab_size = check_positive_int(owner, "vocab_size", vocab_size)
        self.embedding_size = check_positive_int(owner, "embedding_size", embedding_size)
        self.target = check_one_of(owner, "target", target, ("CPU", "DEVICE"))
        self.sparse = check_bool(owner, "sparse", sparse)
        if not sparse and target == "CPU":
            raise refused(
                ValueError, f"For '{owner}', the 'sparse' must be True when 'target' is 'CPU', but got False."
            )
        self.slice_mode = check_type(owner, "slice_mode", slice_mode, str)
        self.manual_shapes = manual_shapes
        if max_norm is not None:
            check_type(owner, "max_norm", max_norm, float)
            check_float_range(owner, "max_norm", max_norm, 0.0, float("inf"), include_low=False)
        self.max_norm = None if max_norm is None else Tensor(max_norm, mstype.float32)
        self.vocab_cache_size = check_int(owner, "vocab_cache_size", vocab_cache_size, low=0)
        self.embeddinglookup = ops.EmbeddingLookup()
        self._clip = ops.ClipByNorm(axis=-1)
        table = initializer(param_init, [vocab_size, embedding_size], dtype)
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, indices: Tensor) -> Tensor:
        """The rows."""
        lookup = self.embeddinglookup if self.sparse else self.gather_revert
        rows = lookup(self.embedding_table, indices, 0)
        return rows if self.max_norm is None else self._clip(rows, self.max_norm)


@primitives(
    mul=ops.Mul,
    inf_mask_mul=ops.Mul,
    bias_add=ops.Add,
    inf_add=ops.Add,
    count_op=ops.UnsortedSegmentSum,
    abs=ops.Abs,
    equal=ops.Equal,
    add=ops.Add,
    cast=ops.Cast,
    div_no_nan=ops.DivNoNan,
    expand=ops.ExpandDims,
    max_mask_mul=ops.Mul,
    max_no_equal=ops.NotEqual,
    merge_op=lambda net: ops.UnsortedSegmentMax() if net.operator == "MAX" else ops.UnsortedSegmentSum(),
)
class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Rows of a table, weighted and merged by field.

    Args:
        field_size: how many fields there are.
        feature_num_list: kept for old programs.
        operator: how the rows of a field are merged: 'SUM', 'MEAN' (by their weights) or 'MAX'. Other arguments are those of
            :class:`EmbeddingLookup`.

    Inputs:
        - **input_indices**: Tensor (N, L) of the rows.
        - **input_values**: Tensor (N, L) of their weights; an element of weight 0 does not count.
        - **field_ids**: Tensor (N, L) of the fields they belong to.

        The result is (N, field_size, embedding_size); a field without elements holds zeros.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.MultiFieldEmbeddingLookup(3, 1, 2, param_init=Tensor([[1.0], [2.0], [3.0]]))
        >>> print(net(Tensor([[0, 1, 2]]), Tensor([[1.0, 1.0, 1.0]]), Tensor([[1, 1, 0]])).squeeze())
        [3. 3.]
    """

    OPERATOR_SUM = "SUM"
    OPERATOR_MEAN = "MEAN"
    OPERATOR_MAX = "MAX"

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = "SUM",
        dtype: Any = mstype.float32,
    ):
        super().__init__(
            vocab_size, embedding_size, param_init, target, slice_mode, feature_num_list, max_norm, sparse, dtype
        )
        self.field_size = check_positive_int("MultiFieldEmbeddingLookup", "field_size", field_size)
        self.operator = check_one_of("MultiFieldEmbeddingLookup", "operator", operator, ("SUM", "MAX", "MEAN"))

    def construct(self, input_indices: Tensor, input_values: Tensor, field_ids: Tensor) -> Tensor:  # type: ignore[override]
        """The merged rows of every field."""
        for name, tensor in (
            ("input_indices", input_indices),
            ("input_values", input_values),
            ("field_ids", field_ids),
        ):
            if tensor.ndim != 2:
                raise refused(
                    ValueError,
                    f"For 'MultiFieldEmbeddingLookup', the dimension of '{name}' must be 2d, but got shape {shown(tensor.shape)}.",
                )
        batch, count = input_indices.shape
        segments = field_ids + (ops.arange(batch) * self.field_size).astype(field_ids.dtype).reshape(batch, 1)
        segments, total = segments.reshape(batch * count), batch * self.field_size
        weights = input_values.reshape(batch * count, 1)
        rows = super().construct(input_indices).reshape(batch * count, self.embedding_size) * weights
        share = ops.unsorted_segment_sum(ops.abs(weights), segments, total)
        if self.operator == "MAX":
            rows = ops.masked_fill(rows, weights == 0, float("-inf"))
            merged = ops.unsorted_segment_max(rows, segments, total)
            merged = ops.masked_fill(merged, share == 0, 0.0)
        else:
            merged = ops.unsorted_segment_sum(rows, segments, total)
            merged = ops.DivNoNan()(merged, share) if self.operator == "MEAN" else merged
        return merged.reshape(batch, self.field_size, self.embedding_size)
