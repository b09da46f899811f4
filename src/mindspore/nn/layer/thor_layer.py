"""Layers that note what the second-order optimizer ``thor`` needs: how their inputs and the gradients of their outputs vary.

While ``thor`` is True, a call writes ``matrix_a`` (from the inputs) and its gradient writes ``matrix_g``. Everything else is
as in the layers they derive from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._ops.declaring.windows import explicit, padding_pairs
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.layer.basic import Dense
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.layer.embedding import Embedding, EmbeddingLookup

__all__ = ["Conv2dThor", "DenseThor", "EmbeddingLookupThor", "EmbeddingThor"]


def _noted(name: str, start: Any) -> Parameter:
    """A Parameter that is written and not trained."""
    return Parameter(Tensor(start, mstype.float32), name=name, requires_grad=False)


def _squares(rows: Tensor) -> Tensor:
    """The sum of the outer products of the rows with themselves."""
    rows = ops.stop_gradient(rows).astype(mstype.float32)
    return ops.matmul(rows.swapaxes(0, 1), rows)


def _counts(indices: Tensor, length: int) -> Tensor:
    """How often each index occurs."""
    hot = ops.one_hot(indices.reshape(-1), length, Tensor(1.0), Tensor(0.0))
    return hot.sum(0)


class DenseThor(Dense):
    """A fully connected layer for ``thor``.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias, activation: as those of Dense.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.DenseThor(2, 3)
        >>> print(net(Tensor([[1.0, 2.0], [3.0, 4.0]])).shape)
        (2, 3)
        >>> print(net.matrix_a.value())
        [[ 5.  7.]
         [ 7. 10.]]
    """

    def __init__(self, in_channels: int, out_channels: int, weight_init: Any = "normal", bias_init: Any = "zeros",
                 has_bias: bool = True, activation: Any = None):  # fmt: skip
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        self.thor = True
        self.matrix_a = _noted("matrix_a", np.eye(in_channels))
        self.matrix_g = _noted("matrix_g", np.eye(out_channels))
        self.getG = ops.InsertGradientOf(self.save_gradient)

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Write ``matrix_g`` from the gradient of the output; returns the gradient."""
        rows = dout.reshape((-1, self.out_channels))
        ops.assign(self.matrix_g, _squares(rows) / rows.shape[0])
        return dout

    def construct(self, x: Tensor) -> Tensor:
        output = ops.dense(x, self.weight, self.bias)
        if self.thor:
            # MindSpore divides by the number of features here and by that of samples above
            ops.assign(self.matrix_a, _squares(x.reshape((-1, self.in_channels))) / self.in_channels)
            output = self.getG(output)
        return output if self.activation is None else self.activation(output)  # type: ignore[operator]

    def extend_repr(self) -> str:
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


class Conv2dThor(Conv2d):
    """A convolution of images for ``thor``.

    ``matrix_a_cov`` is the mean over all output positions of a patch's outer product with itself, ``matrix_g_cov`` that of the output's
    gradient; ``a_normalizer`` and ``g_normalizer`` are the numbers of positions.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init:
            as those of Conv2d.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2dThor(1, 2, 2, pad_mode="valid")
        >>> print(net(ops.ones((1, 1, 3, 3))).shape, net.matrix_a_cov.shape, net.a_normalizer.value())
        (1, 2, 2, 2) (4, 4) [4.]
    """

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
                 padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
                 weight_init: Any = "normal", bias_init: Any = "zeros"):  # fmt: skip
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init)  # fmt: skip
        self.thor = True
        self.matrix_a_dim = in_channels * self.kernel_size[0] * self.kernel_size[1]
        self.matrix_g_dim = out_channels
        self.a_normalizer = _noted("a_normalizer", [1.0])
        self.g_normalizer = _noted("g_normalizer", [1.0])
        self.matrix_a_cov = _noted("matrix_a", np.zeros((self.matrix_a_dim, self.matrix_a_dim)))
        self.matrix_g_cov = _noted("matrix_g", np.zeros((out_channels, out_channels)))
        self.getG = ops.InsertGradientOf(self.save_gradient)

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Write ``matrix_g_cov`` from the gradient of the output; returns the gradient."""
        rows = dout.transpose(0, 2, 3, 1).reshape((-1, self.out_channels))
        self._note(rows, self.matrix_g_cov, self.g_normalizer)
        return dout

    def _note(self, rows: Tensor, matrix: Parameter, normalizer: Parameter) -> None:
        ops.assign(matrix, _squares(rows) / rows.shape[0])
        ops.assign(normalizer, Tensor([rows.shape[0]], mstype.float32))

    def _patches(self, x: Tensor) -> Tensor:
        """im2col: the input patch at every output position, a row each."""
        given = explicit("padding", self.padding, 2)
        pairs = padding_pairs(self.pad_mode, given, x.shape[2:], self.kernel_size, self.stride, self.dilation)
        padded = ops.pad(ops.stop_gradient(x), (*pairs[1], *pairs[0]))
        columns = ops.unfold(padded, self.kernel_size, self.dilation, 0, self.stride)
        return columns.swapaxes(1, 2).reshape((-1, self.matrix_a_dim))

    def construct(self, x: Tensor) -> Tensor:  # type: ignore[override]
        output = self.conv2d(x, self.weight)
        if self.thor:
            self._note(self._patches(x), self.matrix_a_cov, self.a_normalizer)
            output = self.getG(output)
        return self._biased(output)

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, bias_init={self.bias_init}"
        )


class EmbeddingThor(Embedding):
    """Rows of a table for ``thor``; ``matrix_a`` counts how often each row was asked for.

    Args:
        vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx: as those of Embedding; nothing is noted
            with ``use_one_hot``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.EmbeddingThor(3, 2)
        >>> print(net(Tensor([2, 0, 2])).shape, net.matrix_a.value())
        (3, 2) [1. 0. 2.]
    """

    def __init__(self, vocab_size: int, embedding_size: int, use_one_hot: bool = False, embedding_table: Any = "normal",
                 dtype: Any = mstype.float32, padding_idx: int | None = None):  # fmt: skip
        super().__init__(vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx)
        self.thor = True
        self.matrix_a = _noted("matrix_a", np.zeros(vocab_size))
        self.matrix_g = _noted("matrix_g", np.zeros((embedding_size, embedding_size)))
        self.getG = ops.InsertGradientOf(self.save_gradient)

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Write ``matrix_g`` from the gradient of the rows; returns the gradient."""
        rows = dout.reshape((-1, self.embedding_size))
        ops.assign(self.matrix_g, _squares(rows) / rows.shape[0])
        return dout

    def construct(self, ids: Tensor) -> Tensor:
        rows = super().construct(ids)
        if self.use_one_hot or not self.thor:
            return rows
        ops.assign(self.matrix_a, _counts(ids, self.vocab_size))
        return self.getG(rows)


class EmbeddingLookupThor(EmbeddingLookup):
    """Rows of a table of float16 for ``thor``; ``matrix_a`` counts how often each row was asked for.

    Args:
        vocab_size, embedding_size, param_init, target, slice_mode, manual_shapes, max_norm, sparse: as those of
            EmbeddingLookup; nothing is noted for the target 'CPU'.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.EmbeddingLookupThor(3, 2, target="DEVICE")
        >>> print(net(Tensor([2, 0, 2])).shape, net.matrix_a.value())
        (3, 2) [1. 0. 2.]
    """

    def __init__(self, vocab_size: int, embedding_size: int, param_init: Any = "normal", target: str = "CPU",
                 slice_mode: str = "batch_slice", manual_shapes: Any = None, max_norm: float | None = None,
                 sparse: bool = True):  # fmt: skip
        super().__init__(vocab_size, embedding_size, param_init, target, slice_mode, manual_shapes, max_norm, sparse,
                         dtype=mstype.float16)  # fmt: skip
        self.thor = True
        self.matrix_a = _noted("matrix_a", np.zeros(vocab_size))
        self.matrix_g = _noted("matrix_g", np.zeros((embedding_size, embedding_size)))
        self.getG = ops.InsertGradientOf(self.save_gradient)

    def save_gradient(self, dout: Tensor) -> Tensor:
        """Write ``matrix_g`` from the gradient of the rows; returns the gradient."""
        # MindSpore divides by the length of the first axis
        ops.assign(self.matrix_g, _squares(dout.reshape((-1, self.embedding_size))) / dout.shape[0])
        return dout

    def construct(self, indices: Tensor) -> Tensor:
        rows = super().construct(indices)
        if self.target == "CPU" or not self.thor:
            return rows
        ops.assign(self.matrix_a, _counts(indices, self.vocab_size))
        return self.getG(rows)
