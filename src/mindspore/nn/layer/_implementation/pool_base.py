"""What pooling layers share: checks, inputs without a batch axis, the printed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_one_of, check_str, check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.sizes import sizes


class _PoolNd(Cell):
    """The base of pooling layers on ``spatial`` axes."""

    spatial = 2

    def __init__(self, kernel_size: Any, stride: Any, pad_mode: str, data_format: str = "NCHW"):
        super().__init__()
        owner = self.cls_name
        check_str(owner, "pad_mode", pad_mode)
        self.pad_mode = check_one_of(owner, "pad_mode", pad_mode.upper(), ("VALID", "SAME", "PAD"))
        self.format = check_one_of(owner, "data_format", data_format, ("NCHW", "NHWC"))
        self.kernel_size = self._pool_sizes("kernel_size", kernel_size)
        self.stride = self._pool_sizes("stride", stride)

    def _pool_sizes(self, name: str, value: Any, low: int = 1) -> Any:
        """An int, or an int per spatial axis, as given: it is printed like that."""
        check_type(self.cls_name, name, value, (int, tuple, list))
        checked = sizes(self.cls_name, name, value, self.spatial, low, ValueError)
        return checked if isinstance(value, (tuple, list)) else checked[0]

    def _all_axes(self, value: Any) -> tuple[int, ...]:
        """One int for each spatial axis; of a row, for an image of height 1."""
        values = value if isinstance(value, tuple) else (value,) * self.spatial
        return (1, *values) if len(values) == 1 else values

    def _padded_axes(self, padding: Any) -> tuple[int, ...]:
        """Padding of each axis; the height of 1 that a row gets as an image is not padded."""
        pads = sizes(self.cls_name, "padding", padding, self.spatial, 0, ValueError)
        kernel = sizes(self.cls_name, "kernel_size", self.kernel_size, self.spatial)
        if any(2 * pad > size for pad, size in zip(pads, kernel, strict=True)):
            raise refused(
                ValueError,
                f"For '{self.cls_name}', the 'padding' must be at most half of the 'kernel_size', but got {padding} and "
                f"{self.kernel_size}.",
            )
        return (0, *pads) if self.spatial == 1 else pads

    def _pooled(self, x: Tensor) -> Any:
        """The pooling of a whole batch; every layer defines its own."""
        raise NotImplementedError(f"For '{self.cls_name}', define '_pooled'.")

    def _in_nchw(self, pool: Callable[[Tensor], Any], x: Tensor) -> Any:
        """``pool(x)``, which knows the layout NCHW alone, of a batch in the layout of the layer."""
        if self.format == "NCHW":
            return pool(x)
        outputs = pool(ops.transpose(x, (0, 3, 1, 2)))
        if not isinstance(outputs, tuple):
            return ops.transpose(outputs, (0, 2, 3, 1))
        return tuple(ops.transpose(output, (0, 2, 3, 1)) for output in outputs)

    def construct(self, x: Tensor) -> Tensor:
        """The pooling of a batch, or of a single element without the batch axis."""
        single = x.ndim == self.spatial + 1
        x = ops.expand_dims(x, 0) if single else x
        x = ops.expand_dims(x, 2) if self.spatial == 1 else x
        outputs = self._pooled(x)
        if not isinstance(outputs, tuple):
            return self._without_added(outputs, single)
        return tuple(self._without_added(output, single) for output in outputs)  # type: ignore[return-value] - with return_indices

    def _without_added(self, output: Tensor, single: bool) -> Tensor:
        output = ops.squeeze(output, 2) if self.spatial == 1 else output
        return ops.squeeze(output, 0) if single else output

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"
