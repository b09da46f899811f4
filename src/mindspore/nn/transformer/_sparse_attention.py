"""Attention to few positions. The module to import it from is ``layers``."""

from __future__ import annotations

import numpy as np

from mindspore import ops
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.transformer._checks import FLOATS, _check_input_dtype, check_config, check_multiples, check_sizes
from mindspore.nn.transformer.op_parallel_config import OpParallelConfig, default_dpmp_config

_MASKED = -10000.0
_CHUNK = 16  # this many positions of an earlier block can be seen


class FixedSparseAttention(Cell):
    """Attention of every position to its own block of 64 up to itself, and to 16 positions of each earlier block.

    Which 16 depends on the head: the last 16 for the first head, the 16 before them for the second, and so on; after four
    heads it begins again. Query and key are both divided by the root of ``size_per_head``.

    Args:
        batch_size: the number of sequences.
        num_heads: the number of heads.
        size_per_head: the length of a head's vectors, 64 or 128.
        block_size: the length of a block, 64.
        seq_length: the length of a sequence, 1024.
        num_different_global_patterns: after how many heads it begins again, 4.
        parallel_config: how it is to be spread over devices.

    Inputs:
        q, k, v: Tensors (batch_size, seq_length, num_heads * size_per_head) of Float16.
        attention_mask: Tensor (batch_size, seq_length, seq_length), 1 where a position can be seen. Its last row tells
            which positions are padding.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import FixedSparseAttention
        >>> net = FixedSparseAttention(batch_size=1, num_heads=1, size_per_head=64, block_size=64)
        >>> x = ops.ones((1, 1024, 64)).half()
        >>> print(net(x, x, x, ops.ones((1, 1024, 1024))).shape)
        (1, 1024, 64)
    """

    def __init__(
        self,
        batch_size: int,
        num_heads: int,
        size_per_head: int,
        block_size: int,
        seq_length: int = 1024,
        num_different_global_patterns: int = 4,
        parallel_config: OpParallelConfig = default_dpmp_config,
    ):
        super().__init__()
        owner = self.cls_name
        check_sizes(owner, batch_size=batch_size, num_heads=num_heads)
        check_config(owner, parallel_config, OpParallelConfig)
        check_multiples(owner, "'model_parallel'", parallel_config.model_parallel, num_heads=num_heads)
        check_multiples(owner, "'data_parallel'", parallel_config.data_parallel, batch_size=batch_size)
        for name, value, allowed in (
            ("size_per_head", size_per_head, (64, 128)),
            ("block_size", block_size, (64,)),
            ("seq_length", seq_length, (1024,)),
            ("num_different_global_patterns", num_different_global_patterns, (4,)),
        ):
            if value not in allowed:
                raise refused(
                    ValueError,
                    f"For '{owner}', the '{name}' must be {' or '.join(map(str, allowed))}, but got {value}.",
                )
        self.batch_size, self.num_heads, self.size_per_head = batch_size, num_heads, size_per_head
        self.seq_length, self.block_size, self.block_num = seq_length, block_size, seq_length // block_size
        self.hidden_size, self.global_size = num_heads * size_per_head, seq_length // 4
        self.parallel_config = parallel_config
        self._triangle = Tensor(np.tril(np.ones((block_size, block_size), np.float32)))
        # Positions of earlier blocks alone can be seen from afar.
        later = np.arange(seq_length)[:, None] // block_size <= np.arange(self.global_size)[None] // _CHUNK
        far = np.where(later, _MASKED, 0).reshape(1, 1, self.block_num, block_size, self.global_size)
        self._far_mask = Tensor(far, mstype.float32)
        chosen = np.eye(4)[3 - np.arange(num_heads) % 4].reshape(1, num_heads, 1, 4, 1, 1)
        self._chosen = Tensor(chosen, mstype.float16)

    def construct(self, q: Tensor, k: Tensor, v: Tensor, attention_mask: Tensor) -> Tensor:
        """What every position gathers, of shape (batch_size, seq_length, num_heads * size_per_head)."""
        self._check_inputs(q, k, v, attention_mask)
        scale = float(np.sqrt(self.size_per_head))
        query, key, value = self._blocks(q) / scale, self._blocks(k) / scale, self._blocks(v)
        near = self._product("bhnqd,bhnkd->bhnqk", query, key) + self._near_mask(attention_mask)
        far = self._product("bhnqd,bhkd->bhnqk", query, self._seen_from_afar(key)) + self._far_mask
        weights = ops.softmax(ops.cat((near, far), -1), -1)
        near, far = weights[..., : self.block_size], weights[..., self.block_size :]
        gathered = self._product("bhnqk,bhnkd->bhnqd", near, value)
        gathered = gathered + self._product("bhnqk,bhkd->bhnqd", far, self._seen_from_afar(value))
        return gathered.transpose(0, 2, 3, 1, 4).reshape(q.shape).astype(q.dtype)

    def _blocks(self, x: Tensor) -> Tensor:
        """(batch, head, block, position in the block, element)"""
        split = x.reshape(self.batch_size, self.block_num, self.block_size, self.num_heads, self.size_per_head)
        return split.transpose(0, 3, 1, 2, 4)

    def _seen_from_afar(self, blocks: Tensor) -> Tensor:
        """(batch, head, position seen, element)"""
        shape = (self.batch_size, self.num_heads, self.block_num, 4, _CHUNK, self.size_per_head)
        seen = (blocks.reshape(shape) * self._chosen).sum(3)
        return seen.reshape(self.batch_size, self.num_heads, self.global_size, self.size_per_head)

    def _near_mask(self, attention_mask: Tensor) -> Tensor:
        """What is added inside a block, of shape (batch, 1, block, query, key)."""
        valid = attention_mask[:, -1].astype(mstype.float32).reshape(self.batch_size, 1, self.block_num, -1)
        return (1 - valid.expand_dims(-1) * valid.expand_dims(-2) * self._triangle) * _MASKED

    def _product(self, equation: str, x: Tensor, y: Tensor) -> Tensor:
        return ops.einsum(equation, x.astype(mstype.float32), y.astype(mstype.float32))

    def _check_inputs(self, q: Tensor, k: Tensor, v: Tensor, attention_mask: Tensor) -> None:
        owner = self.cls_name
        vectors = (self.batch_size, self.seq_length, self.hidden_size)
        masks = (self.batch_size, self.seq_length, self.seq_length)
        for name, x, shape in (
            ("q", q, vectors),
            ("k", k, vectors),
            ("v", v, vectors),
            ("attention_mask", attention_mask, masks),
        ):
            _check_input_dtype(x.dtype, name, (mstype.float16,) if shape is vectors else FLOATS, owner)
            if x.shape != shape:
                raise refused(ValueError, f"For '{owner}', the '{name}' must have shape {shape}, but got {x.shape}.")
