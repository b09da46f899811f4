"""Changes of colour by a given amount."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from mindspore.dataset.core.checks import check_bool, check_int
from mindspore.dataset.core.operation import Implementation, Operation
from mindspore.dataset.vision._implementation import checks, colour
from mindspore.dataset.vision._implementation.base import ImageOperation, with_channels
from mindspore.dataset.vision.utils import ConvertMode


class AdjustBrightness(ImageOperation):
    """Multiply the brightness.

    >>> import numpy as np
    >>> AdjustBrightness(2.0)(np.full((1, 1, 3), 100, np.uint8))
    array([[[200, 200, 200]]], dtype=uint8)
    """

    def __init__(self, brightness_factor: float):
        self.brightness_factor = checks.number(self.owner, "brightness_factor", brightness_factor, 0)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.brightness(image, self.brightness_factor)

    def picture(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Brightness(image).enhance(self.brightness_factor)


class AdjustContrast(ImageOperation):
    """Move values away from the mean brightness, or towards it for factors below 1.

    >>> import numpy as np
    >>> AdjustContrast(0)(np.array([[[0, 0, 0], [100, 100, 100]]], np.uint8))[0, 0]
    array([50, 50, 50], dtype=uint8)
    """

    def __init__(self, contrast_factor: float):
        self.contrast_factor = checks.number(self.owner, "contrast_factor", contrast_factor, 0)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.contrast(self.three_channels(image), self.contrast_factor)

    def picture(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Contrast(image).enhance(self.contrast_factor)


class AdjustSaturation(ImageOperation):
    """Make colours stronger, or paler for factors below 1.

    >>> import numpy as np
    >>> AdjustSaturation(0)(np.array([[[255, 0, 0]]], np.uint8))
    array([[[76, 76, 76]]], dtype=uint8)
    """

    def __init__(self, saturation_factor: float):
        self.saturation_factor = checks.number(self.owner, "saturation_factor", saturation_factor, 0)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.saturation(self.three_channels(image), self.saturation_factor)

    def picture(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Color(image).enhance(self.saturation_factor)


class AdjustHue(ImageOperation):
    """Turn the hues by a fraction of the colour circle, from -0.5 to 0.5.

    >>> import numpy as np
    >>> AdjustHue(0.0)(np.array([[[255, 0, 0]]], np.uint8))
    array([[[255, 0, 0]]], dtype=uint8)
    """

    def __init__(self, hue_factor: float):
        self.hue_factor = checks.number(self.owner, "hue_factor", hue_factor, -0.5, 0.5)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.hue(self.three_channels(image), self.hue_factor)

    def picture(self, image: Image.Image) -> Image.Image:
        return colour.hue_picture(image, self.hue_factor)


class AdjustGamma(ImageOperation):
    """gain * value ** gamma, for values scaled to [0, 1].

    >>> import numpy as np
    >>> AdjustGamma(1.0)(np.array([[0, 255]], np.uint8))
    array([[ 0, 255]], dtype=uint8)
    """

    ranks = tuple(range(2, 9))

    def __init__(self, gamma: float, gain: float = 1):
        self.gamma = checks.number(self.owner, "gamma", gamma, 0)
        self.gain = checks.number(self.owner, "gain", gain)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.gamma(self.one_or_three_channels(image), self.gamma, self.gain)

    def picture(self, image: Image.Image) -> Image.Image:
        return colour.gamma_picture(image, self.gamma, self.gain)


class AdjustSharpness(ImageOperation):
    """Sharpen, or smooth for factors below 1.

    >>> import numpy as np
    >>> AdjustSharpness(1.0)(np.full((3, 3), 9, np.uint8))[1, 1]
    np.uint8(9)
    """

    masks = np.uint8
    array_only = True

    def __init__(self, sharpness_factor: float):
        self.sharpness_factor = checks.number(self.owner, "sharpness_factor", sharpness_factor, 0)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.sharpness(image, self.sharpness_factor)


class AutoContrast(ImageOperation):
    """Stretch each channel over all values, leaving out ``cutoff`` percent at both ends and the values in ``ignore``.

    >>> import numpy as np
    >>> AutoContrast()(np.array([[10, 20, 30]], np.uint8))
    array([[ 0, 127, 255]], dtype=uint8)
    """

    masks = np.uint8

    def __init__(self, cutoff: float = 0.0, ignore: Any = None):
        self.cutoff = checks.check_float_range(self.owner, "cutoff", cutoff, 0.0, 50.0, include_high=False)
        self.ignore = checks.ignored_values(self.owner, ignore)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.auto_contrast(self.one_or_three_channels(image), self.cutoff, self.ignore)

    def picture(self, image: Image.Image) -> Image.Image:
        return ImageOps.autocontrast(image, self.cutoff, self.ignore)  # type: ignore[arg-type]


class Equalize(ImageOperation):
    """Spread the histogram of each channel evenly.

    >>> import numpy as np
    >>> Equalize()(np.array([[10, 20]], np.uint8))
    array([[ 0, 255]], dtype=uint8)
    """

    masks = np.uint8

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.equalize(self.one_or_three_channels(image))

    def picture(self, image: Image.Image) -> Image.Image:
        return ImageOps.equalize(image)


class Invert(ImageOperation):
    """255 minus every value.

    >>> import numpy as np
    >>> Invert()(np.array([[[0, 55, 255]]], np.uint8))
    array([[[255, 200, 0]]], dtype=uint8)
    """

    masks = bool

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.inverted(self.three_channels(image))

    def picture(self, image: Image.Image) -> Image.Image:
        return ImageOps.invert(image)

    def block(self, stack: np.ndarray) -> np.ndarray:
        return 255 - stack if stack.ndim == 4 and stack.shape[3] == 3 and stack.dtype == np.uint8 else NotImplemented


class Posterize(ImageOperation):
    """Keep the highest bits of every value.

    >>> import numpy as np
    >>> Posterize(1)(np.array([[100, 200]], np.uint8))
    array([[ 0, 128]], dtype=uint8)
    """

    masks = np.uint8
    array_only = True

    def __init__(self, bits: int):
        self.bits = check_int(self.owner, "bits", bits, 0, 8)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.dtype not in (np.uint8, np.int8):
            raise self.failure(f"data type of input image should be int8 or uint8, but got {image.dtype}.")
        return colour.posterize(image, self.bits)


class Solarize(ImageOperation):
    """Turn over the values within thresholds (min, max); with one number, all values from there on.

    >>> import numpy as np
    >>> Solarize((100, 250))(np.array([[10, 105]], np.uint8))
    array([[ 10, 150]], dtype=uint8)
    """

    array_only = True

    def __init__(self, threshold: Any):
        pair = (threshold, threshold) if checks.is_number(threshold) else threshold
        self.threshold = checks.ordered(self.owner, "threshold", pair, 0, 255)

    def array(self, image: np.ndarray) -> np.ndarray:
        return colour.solarize(self.one_or_three_channels(image), *self.threshold)


class GaussianBlur(ImageOperation):
    """Blur with a Gaussian kernel of odd size (width, height).

    >>> import numpy as np
    >>> GaussianBlur(3)(np.full((4, 4), 7, np.uint8))[1, 1]
    np.uint8(7)
    """

    masks = np.uint8
    array_only = True
    ranks = tuple(range(2, 9))

    def __init__(self, kernel_size: Any, sigma: Any = None):
        width, height = checks.size(self.owner, kernel_size, "kernel_size")
        for length in (width, height):
            if length % 2 == 0:
                raise ValueError(f"For '{self.owner}', the 'kernel_size' must be odd, but got {kernel_size}.")
        self.kernel_size = width, height
        pair = sigma if isinstance(sigma, (list, tuple)) else (0.0 if sigma is None else sigma,) * 2
        across, down = checks.sequence(self.owner, "sigma", pair, (2,))
        pair = checks.number(self.owner, "sigma", across, 0), checks.number(self.owner, "sigma", down, 0)
        # said outright: for small kernels OpenCV's default differs; the height follows the width
        self.sigma = pair[0] or width * 0.15 + 0.35, pair[1] or pair[0] or width * 0.15 + 0.35

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim > 3:
            images = image.reshape(-1, *image.shape[-3:])
            return np.stack([self.array(picture) for picture in images]).reshape(image.shape)
        blurred = cv2.GaussianBlur(image, self.kernel_size, sigmaX=self.sigma[0], sigmaY=self.sigma[1])
        return with_channels(blurred, image)


class ConvertColor(ImageOperation):
    """Exchange, add or drop channels; to gray the result is <H,W>.

    >>> import numpy as np
    >>> ConvertColor(ConvertMode.COLOR_RGB2BGR)(np.array([[[1, 2, 3]]], np.uint8))
    array([[[3, 2, 1]]], dtype=uint8)
    """

    masks = bool
    array_only = True

    def __init__(self, convert_mode: ConvertMode):
        self.convert_mode = checks.member(self.owner, "convert_mode", convert_mode, ConvertMode)

    def array(self, image: np.ndarray) -> np.ndarray:
        return cv2.cvtColor(image, int(self.convert_mode))


class Grayscale(ImageOperation):
    """Turn a PIL image gray, with 1 or 3 channels.

    >>> from PIL import Image
    >>> Grayscale(3)(Image.new("RGB", (2, 2))).mode
    'RGB'
    """

    implementation = Implementation.PY
    picture_only = True

    def __init__(self, num_output_channels: int = 1):
        check_int(self.owner, "num_output_channels", num_output_channels)
        if num_output_channels not in (1, 3):
            raise ValueError(
                f"For '{self.owner}', the 'num_output_channels' must be 1 or 3, but got {num_output_channels}."
            )
        self.num_output_channels = num_output_channels

    def picture(self, image: Image.Image) -> Image.Image:
        gray = image.convert("L")
        return gray if self.num_output_channels == 1 else Image.merge("RGB", (gray, gray, gray))


class _Channels(Operation):
    """A change of colour space of one array or of a batch of arrays."""

    implementation = Implementation.PY

    def __init__(self, is_hwc: bool = False):
        self.is_hwc = check_bool(type(self).__name__, "is_hwc", is_hwc)

    def axis(self, image: Any) -> int:
        """Where the channels are."""
        owner = type(self).__name__
        if not isinstance(image, np.ndarray):
            raise TypeError(f"For '{owner}', the input must be a NumPy array, but got {type(image)}.")
        axis = -1 if self.is_hwc else -3
        if image.ndim not in (3, 4) or image.shape[axis] != 3:
            layout = "<H,W,3> or <N,H,W,3>" if self.is_hwc else "<3,H,W> or <N,3,H,W>"
            raise TypeError(f"For '{owner}', the image must be {layout}, but got shape {image.shape}.")
        return axis


class RgbToHsv(_Channels):
    """RGB values from 0 to 1 to hue, saturation and value.

    >>> import numpy as np
    >>> RgbToHsv(is_hwc=True)(np.array([[[0.0, 1.0, 0.0]]])).round(2)
    array([[[0.33, 1. , 1. ]]])
    """

    def run(self, image: Any) -> np.ndarray:  # type: ignore[override]
        return colour.rgb_to_hsv(image, self.axis(image))


class HsvToRgb(_Channels):
    """Hue, saturation and value from 0 to 1 to RGB.

    >>> import numpy as np
    >>> HsvToRgb(is_hwc=True)(np.array([[[0.0, 1.0, 1.0]]]))
    array([[[1., 0., 0.]]])
    """

    def run(self, image: Any) -> np.ndarray:  # type: ignore[override]
        return colour.hsv_to_rgb(image, self.axis(image))


class RgbToBgr(_Channels):
    """Exchange red and blue.

    >>> import numpy as np
    >>> RgbToBgr(is_hwc=True)(np.array([[[1, 2, 3]]]))
    array([[[3, 2, 1]]])
    """

    def run(self, image: Any) -> np.ndarray:  # type: ignore[override]
        return np.ascontiguousarray(np.flip(image, self.axis(image)))
