"""Transforms of pixel values, of the order of axes and of the kind of object."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from mindspore.dataset.core.checks import check_bool, check_one_of, check_type
from mindspore.dataset.core.lookup import looked_up, looked_up_planes
from mindspore.dataset.core.operation import Implementation, Operation
from mindspore.dataset.transforms import TypeCast
from mindspore.dataset.transforms._dtype import numpy_dtype
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.base import ImageOperation

_BYTES = np.arange(256, dtype=np.uint8)


class Rescale(ImageOperation):
    """Multiply every pixel and add a shift; the result is float32.

    >>> import numpy as np
    >>> Rescale(0.5, -1.0)(np.array([[0, 4]], np.uint8))
    array([[-1.,  1.]], dtype=float32)
    """

    array_only = True
    elementwise = True  # each output element depends on the same input element alone
    ranks = tuple(range(9))

    def __init__(self, rescale: float, shift: float):
        self.rescale = checks.number(self.owner, "rescale", rescale)
        self.shift = checks.number(self.owner, "shift", shift)
        # float32 factors, but one rounding at the end: a fused multiply-add
        self._factors = float(np.float32(rescale)), float(np.float32(shift))
        self._table = self._computed(_BYTES)

    def _computed(self, pixels: np.ndarray) -> np.ndarray:
        result = np.multiply(pixels, self._factors[0], dtype=np.float64)
        result += self._factors[1]
        return result.astype(np.float32)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.dtype == np.uint8 and image.size > 64:
            return looked_up(image, self._table)
        return self._computed(image)

    def block(self, stack: np.ndarray) -> np.ndarray:
        return self.array(stack)


class Normalize(ImageOperation):
    """Subtract each channel's mean and divide by its deviation; the result is float32.

    >>> import numpy as np
    >>> Normalize([10.0], [2.0])(np.array([[[12], [6]]], np.uint8))
    array([[[ 1.], [-2.]]], dtype=float32)
    """

    array_only = True
    ranks = tuple(range(2, 9))

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True):
        self.mean, self.std = checks.mean_and_std(self.owner, mean, std)
        self.is_hwc = check_bool(self.owner, "is_hwc", is_hwc)
        self._table = np.ascontiguousarray((_BYTES.astype(np.float32)[:, None] - self.mean) / self.std)

    @property
    def elementwise(self) -> bool:
        """Whether each output element depends on the same input element and its index on the last axis alone."""
        return self.is_hwc

    def _channels(self, shape: tuple[int, ...], rank: int) -> int:
        channels = 1 if rank == 2 else shape[-1] if self.is_hwc else shape[-3]
        if len(self.mean) not in (1, channels):
            raise self.failure(
                "number of channels does not match the size of mean and std vectors, got channels: "
                f"{channels}, size of mean: {len(self.mean)}."
            )
        return channels

    def _normalized(self, image: np.ndarray, rank: int) -> np.ndarray:
        channels = self._channels(image.shape, rank)
        last = self.is_hwc or rank == 2 or len(self.mean) == 1
        if not last:
            return (image.astype(np.float32) - self.mean[:, None, None]) / self.std[:, None, None]
        if image.dtype == np.uint8:
            return looked_up(image, self._table)
        # whole rows at a time: a loop over three channels would be short
        row = image.shape[-1] if rank == 2 else image.shape[-1] * image.shape[-2]
        repeats = row // len(self.mean) if len(self.mean) == channels else row
        result = image.reshape(-1, row).astype(np.float32)
        result -= np.tile(self.mean, repeats)
        result /= np.tile(self.std, repeats)
        return result.reshape(image.shape)

    def array(self, image: np.ndarray) -> np.ndarray:
        return self._normalized(image, image.ndim)

    def block(self, stack: np.ndarray) -> np.ndarray:
        return self._normalized(stack, stack.ndim - 1)


class NormalizePad(ImageOperation):
    """Normalize, then add a channel of zeros.

    >>> import numpy as np
    >>> NormalizePad([1.0, 1.0, 1.0], [1.0, 1.0, 2.0])(np.array([[[2, 3, 7]]], np.uint8))
    array([[[1., 2., 3., 0.]]], dtype=float32)
    """

    array_only = True
    ranks = (3,)

    def __init__(self, mean: Any, std: Any, dtype: str = "float32", is_hwc: bool = True):
        check_type(self.owner, "dtype", dtype, str)
        self.dtype = check_one_of(self.owner, "dtype", dtype, ("float32", "float16"))
        self._normalize = Normalize(mean, std, is_hwc)

    def array(self, image: np.ndarray) -> np.ndarray:
        try:
            normalized = self._normalize.array(image)
        except RuntimeError as error:
            raise RuntimeError(str(error).replace("Normalize", self.owner, 1)) from None
        shape = list(normalized.shape)
        shape[2 if self._normalize.is_hwc else 0] += 1
        result = np.zeros(shape, self.dtype)
        result[tuple(map(slice, normalized.shape))] = normalized
        return result


class HWC2CHW(ImageOperation):
    """Move the channels from the last axis to the first; an image <H,W> stays as it is.

    >>> import numpy as np
    >>> HWC2CHW()(np.zeros((2, 4, 3), np.uint8)).shape
    (3, 2, 4)
    """

    array_only = True
    channels_first = True  # all it does is to move the channels

    def array(self, image: np.ndarray) -> np.ndarray:
        return image if image.ndim == 2 else np.ascontiguousarray(image.transpose(2, 0, 1))

    def block(self, stack: np.ndarray) -> np.ndarray:
        return stack if stack.ndim == 3 else np.ascontiguousarray(stack.transpose(0, 3, 1, 2))


class ToTensor(ImageOperation):
    """Scale pixels from [0, 255] to [0.0, 1.0] and move the channels to the first axis.

    >>> import numpy as np
    >>> ToTensor()(np.full((1, 2, 1), 255, np.uint8))
    array([[[1., 1.]]], dtype=float32)
    """

    def __init__(self, output_type: Any = np.float32):
        self.output_type = numpy_dtype(self.owner, "output_type", output_type)
        self._table = _BYTES.astype(np.float32) * np.float32(1 / 255)

    def _scaled(self, pixels: np.ndarray) -> np.ndarray:
        if pixels.dtype == np.uint8:
            scaled = looked_up(pixels, self._table)
        else:
            scaled = pixels.astype(np.float32) * np.float32(1 / 255)
        return scaled if scaled.dtype == self.output_type else scaled.astype(self.output_type)

    def array(self, image: np.ndarray) -> np.ndarray:
        image = image[:, :, None] if image.ndim == 2 else image
        return self._scaled(np.ascontiguousarray(image.transpose(2, 0, 1)))

    def picture(self, image: Image.Image) -> np.ndarray:
        pixels = np.asarray(image)
        pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
        # PIL images are divided in double precision, arrays multiplied in single precision
        return (pixels.transpose(2, 0, 1) / 255.0).astype(self.output_type, order="C")

    def block(self, stack: np.ndarray) -> np.ndarray:
        stack = stack[..., None] if stack.ndim == 3 else stack
        if stack.dtype == np.uint8 and self.output_type == np.float32 and 0 < stack.shape[3] <= 4:
            return looked_up_planes(stack, np.repeat(self._table[:, None], stack.shape[3], axis=1))
        return self._scaled(np.ascontiguousarray(stack.transpose(0, 3, 1, 2)))


class ToPIL(Operation):
    """Turn an array <H,W> or <H,W,C> into a PIL image.

    >>> import numpy as np
    >>> ToPIL()(np.zeros((2, 4, 3), np.uint8)).size
    (4, 2)
    """

    implementation = Implementation.PY

    def run(self, image: Any) -> Image.Image:  # type: ignore[override]
        if isinstance(image, Image.Image):
            return image
        owner = type(self).__name__
        if not isinstance(image, np.ndarray):
            raise TypeError(f"For '{owner}', the Input should be NumPy or PIL image, got {type(image)}.")
        if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] > 4):
            raise ValueError(
                f"For '{owner}', the image must be <H,W> or <H,W,C> with at most 4 channels, "
                f"but got shape {image.shape}."
            )
        if image.ndim == 3 and image.shape[2] == 1:
            image = image[:, :, 0]
        if image.ndim == 3 and image.dtype != np.uint8:
            raise TypeError(f"For '{owner}', an image with several channels must be uint8, but got {image.dtype}.")
        try:
            return Image.fromarray(image)
        except TypeError:
            raise TypeError(f"For '{owner}', there is no PIL image of {image.dtype}; convert it to uint8.") from None


class ToNumpy(Operation):
    """Turn a PIL image into an array <H,W> or <H,W,C>.

    >>> from PIL import Image
    >>> ToNumpy()(Image.new("RGB", (4, 2))).shape
    (2, 4, 3)
    """

    def run(self, image: Any) -> np.ndarray:  # type: ignore[override]
        return np.array(image)


class ToType(TypeCast):
    """Convert an array to another dtype.

    >>> import numpy as np
    >>> ToType(np.int32)(np.array([1.7], np.float32))
    array([1], dtype=int32)
    """


class LinearTransformation(Operation):
    """Subtract a mean vector from the flattened array and multiply it by a square matrix.

    >>> import numpy as np
    >>> LinearTransformation(2 * np.eye(2), np.ones(2))(np.array([[3.0], [4.0]]))
    array([[4.], [6.]])
    """

    implementation = Implementation.PY

    def __init__(self, transformation_matrix: np.ndarray, mean_vector: np.ndarray):
        owner = type(self).__name__
        check_type(owner, "transformation_matrix", transformation_matrix, np.ndarray)
        check_type(owner, "mean_vector", mean_vector, np.ndarray)
        shape = transformation_matrix.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ValueError(f"For '{owner}', the 'transformation_matrix' must be square, but got shape {shape}.")
        if mean_vector.shape[0] != shape[0]:
            raise ValueError(
                f"For '{owner}', the 'mean_vector' must have {shape[0]} elements as the matrix has rows, "
                f"but got {mean_vector.shape[0]}."
            )
        self.transformation_matrix, self.mean_vector = transformation_matrix, mean_vector

    def run(self, image: Any) -> np.ndarray:  # type: ignore[override]
        owner = type(self).__name__
        check_type(owner, "input", image, np.ndarray)
        if image.size != self.mean_vector.size:
            raise ValueError(
                f"For '{owner}', the image must have {self.mean_vector.size} elements, but got shape {image.shape}."
            )
        flat = image.reshape(1, -1) - self.mean_vector
        return np.dot(flat, self.transformation_matrix).reshape(image.shape)
