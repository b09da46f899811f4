"""Layers that arrange elements anew: other shapes, borders, windows, sizes."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_int, check_one_of, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives


class Flatten(Cell):
    """Merge the axes from ``start_dim`` to ``end_dim``.

    Args:
        start_dim, end_dim: by default all axes but the first.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Flatten()(ops.ones((2, 3, 4))).shape)
        (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim = check_int("Flatten", "start_dim", start_dim)
        self.end_dim = check_int("Flatten", "end_dim", end_dim)

    def check_axis_valid(self, axis: int, ndim: int) -> None:
        """Refuse an axis that inputs of ``ndim`` axes do not have."""
        if not -ndim <= axis < ndim:
            raise refused(
                ValueError,
                f"For 'Flatten', the 'start_dim' and 'end_dim' must be in range [{-ndim}, {ndim}), but got {axis}.",
            )

    def construct(self, x: Tensor) -> Tensor:
        """The input with fewer axes."""
        rank = check_type("Flatten", "x", x, Tensor).ndim
        if not (-rank <= self.start_dim < rank and -rank <= self.end_dim < rank):
            raise refused(
                ValueError,
                f"For 'Flatten', the 'start_dim' and 'end_dim' must be axes of the input, in range [{-rank}, {rank}), but got "
                f"{self.start_dim} and {self.end_dim} for an input of shape {x.shape}.",
            )
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


@primitives(shape=ops.Shape, reshape=ops.Reshape)
class Unflatten(Cell):
    """Split an axis into several.

    Args:
        axis: the axis to split.
        unflattened_size: the lengths it is split into; one of them may be -1.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Unflatten(1, (2, 3))(ops.ones((4, 6, 5))).shape)
        (4, 2, 3, 5)
    """

    def __init__(self, axis: int, unflattened_size: tuple[int, ...] | list[int]):
        super().__init__()
        self.axis = check_int("Unflatten", "axis", axis)
        check_type("Unflatten", "unflattened_size", unflattened_size, (tuple, list))
        self.unflattened_size = tuple(check_int("Unflatten", "unflattened_size", length) for length in unflattened_size)

    def construct(self, input_x: Tensor) -> Tensor:
        """The input with more axes."""
        shape = input_x.shape
        if not -len(shape) <= self.axis < len(shape):
            raise refused(
                ValueError,
                f"For 'Unflatten', the 'axis' must be one of the input of shape {shape}, but got {self.axis}.",
            )
        axis = self.axis % len(shape)
        return ops.reshape(input_x, (*shape[:axis], *self.unflattened_size, *shape[axis + 1 :]))


class Identity(Cell):
    """The input itself; arguments are accepted and ignored.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Identity()(Tensor([1, 2])))
        [1 2]
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def construct(self, input: Any) -> Any:
        """The input."""
        return input


class Pad(Cell):
    """Elements added before and after each axis.

    Args:
        paddings: one pair (before, after) for each axis, the first axis first.
        mode: 'CONSTANT' adds zeros, 'REFLECT' mirrors at the outermost elements, 'SYMMETRIC' beside them.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Pad(((0, 0), (1, 2)))(Tensor([[1, 2]])))
        [[0 1 2 0 0]]
    """

    def __init__(self, paddings: tuple[tuple[int, int], ...], mode: str = "CONSTANT"):
        super().__init__()
        check_type("Pad", "paddings", paddings, tuple)
        self.mode = check_one_of("Pad", "mode", mode, ("CONSTANT", "REFLECT", "SYMMETRIC"))
        for pair in paddings:
            check_type("Pad", "paddings", pair, (tuple, list))
            if len(pair) != 2:
                raise refused(
                    ValueError, f"For 'Pad', the 'paddings' must be pairs (before, after), but got {paddings}."
                )
        if len(paddings) > 4:
            raise refused(ValueError, f"For 'Pad', the 'paddings' must have at most 4 pairs, but got {len(paddings)}.")
        self.paddings = tuple(tuple(check_int("Pad", "paddings", count) for count in pair) for pair in paddings)
        self.pad: Any = ops.Pad(self.paddings) if mode == "CONSTANT" else ops.MirrorPad(mode=mode)

    def construct(self, x: Tensor) -> Tensor:
        """The input with a border."""
        return self.pad(x) if self.mode == "CONSTANT" else self.pad(x, self.paddings)


@primitives(shape_op=ops.Shape)
class Roll(Cell):
    """Elements moved along axes; what leaves at either end comes back at the other.

    Args:
        shift: by how many elements, an int or an int per axis.
        axis: the axis or axes.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Roll(1, 0)(Tensor([1, 2, 3])))
        [3 1 2]
    """

    def __init__(self, shift: int | tuple[int, ...] | list[int], axis: int | tuple[int, ...] | list[int]):
        super().__init__()
        self.shift, self.axis = _as_ints("shift", shift), _as_ints("axis", axis)
        if len(self.shift) != len(self.axis):
            raise refused(
                ValueError,
                f"For 'Roll', the 'shift' and 'axis' must have the same length, but got {len(self.shift)} and {len(self.axis)}.",
            )

    def construct(self, input_x: Tensor) -> Tensor:
        """The input with its elements moved."""
        return ops.roll(input_x, self.shift, self.axis)


def _as_ints(name: str, value: Any) -> tuple[int, ...]:
    values = check_type("Roll", name, value, (int, tuple, list))
    return tuple(
        check_int("Roll", name, number) for number in (values if isinstance(values, (tuple, list)) else (values,))
    )


class Unfold(Cell):
    """Patches of images as pixels with more channels.

    Args:
        ksizes, strides, rates: size of the patches, step between them and gap between their elements, each as
            (1, row, column, 1).
        padding: 'same' (patches may hang over, filled with zeros) or 'valid'.

    Inputs:
        input_x: Tensor (N, C, H, W); the result is (N, row * column * C, H_out, W_out), the channel changing fastest.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Unfold(ksizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=[1, 1, 1, 1])
        >>> print(net(ops.ones((2, 3, 6, 6))).shape)
        (2, 12, 3, 3)
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid"):
        super().__init__()
        for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            check_type("Unfold", name, value, (tuple, list))
        self.extract_image_patches = ops.ExtractImagePatches(tuple(ksizes), tuple(strides), tuple(rates), padding)

    def construct(self, input_x: Tensor) -> Tensor:
        """The patches of a batch of images."""
        return self.extract_image_patches(input_x)


class UnfoldExt(Cell):
    """Sliding windows of (N, C, H, W) as columns (N, C * window size, number of windows).

    Args:
        kernel_size, dilation, padding, stride: an int, or (height, width).

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.layer.basic import UnfoldExt
        >>> print(UnfoldExt(2)(ops.ones((1, 3, 4, 4))).shape)
        (1, 12, 9)
    """

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def construct(self, input: Tensor) -> Tensor:
        """The windows of a batch of images."""
        return ops.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Cell):
    """Columns put back under sliding windows, summed where windows overlap; undoes :class:`UnfoldExt`.

    Args:
        output_size: height and width of the result.
        kernel_size, dilation, padding, stride: an int, or (height, width).

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.layer.basic import Fold
        >>> print(Fold((4, 4), 2)(ops.ones((1, 12, 9))).shape)
        (1, 3, 4, 4)
    """

    def __init__(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1):
        super().__init__()
        self.output_size = (output_size, output_size) if isinstance(output_size, int) else output_size
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def construct(self, input: Tensor) -> Tensor:
        """The images of a batch of columns."""
        return ops.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class Upsample(Cell):
    """The spatial axes of (N, C, ...) in another size.

    Args:
        size, scale_factor: one of the two; the new lengths, or factors of the old lengths.
        mode: 'nearest', 'linear', 'bilinear', 'trilinear', 'bicubic', 'area' or 'nearest-exact'.
        align_corners: whether the outermost elements of input and output lie on each other.
        recompute_scale_factor: whether the scale is computed again from the new lengths.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Upsample(size=(4, 6))(ops.ones((1, 3, 2, 2))).shape)
        (1, 3, 4, 6)
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x: Tensor) -> Tensor:
        """The input in its new size."""
        return ops.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )


class UpsampleExt(Upsample):
    """The spatial axes of (N, C, ...) in another size; the arguments are those of :class:`Upsample`.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.layer.basic import UpsampleExt
        >>> print(UpsampleExt(scale_factor=2.0)(ops.ones((1, 3, 2, 2))).shape)
        (1, 3, 4, 4)
    """


class ResizeBilinear(Cell):
    """Images in another size by linear interpolation, as in MindSpore 1.x; today's name is ``ops.interpolate``.

    Args:
        half_pixel_centers: whether pixels are squares around their coordinates instead of points at them.

    Inputs:
        - **x**: Tensor (N, C, H, W).
        - **size**: the new height and width; None with a factor.
        - **scale_factor**: a whole number they are multiplied by, in the place of a size.
        - **align_corners**: whether the outermost pixels of input and output lie on each other.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ResizeBilinear()(Tensor([[[[1.0, 3.0]]]]), size=(1, 4)))
        [[[[1. 2. 3. 3.]]]]
    """

    def __init__(self, half_pixel_centers: bool = False):
        super().__init__()
        self.half_pixel_centers = check_bool("ResizeBilinear", "half_pixel_centers", half_pixel_centers)

    def construct(self, x: Tensor, size: Any = None, scale_factor: Any = None, align_corners: bool = False) -> Tensor:
        """The images in their new size."""
        resize = ops.ResizeBilinear(_target_size(x.shape, size, scale_factor), align_corners, self.half_pixel_centers)
        return resize(x)


def _target_size(shape: tuple[int, ...], size: Any, scale_factor: Any) -> tuple[int, ...]:
    if (size is None) == (scale_factor is None):
        raise refused(
            ValueError,
            f"For 'ResizeBilinear', one of 'size' and 'scale_factor' must be given, but got {shown(size)} and "
            f"{shown(scale_factor)}.",
        )
    if size is not None:
        return tuple(check_int("ResizeBilinear", "size", length, low=1) for length in check_type("ResizeBilinear", "size", size, (tuple, list)))  # fmt: skip
    factor = check_int("ResizeBilinear", "scale_factor", scale_factor, low=1)
    return shape[-2] * factor, shape[-1] * factor
