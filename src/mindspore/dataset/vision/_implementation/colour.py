"""Colour changes of arrays and PIL images."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset.core.lookup import looked_up
from mindspore.dataset.vision._implementation.kinds import without_ipp

_VALUES = np.arange(256, dtype=np.float32)
_SMOOTHING = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) * np.float32(1 / 13.0)
_SMOOTHING[1, 1] = np.float32(5.0) / np.float32(13.0)


def brightness(image: np.ndarray, factor: float) -> np.ndarray:
    """Every value multiplied by a factor."""
    if image.dtype == np.uint8:
        return looked_up(image, np.rint(_VALUES * np.float32(factor)).clip(0, 255).astype(np.uint8))
    product = image * np.float32(factor)
    if image.dtype.kind not in "iu":
        return product.astype(image.dtype)
    limits = np.iinfo(image.dtype)
    return np.rint(product).clip(limits.min, limits.max).astype(image.dtype)


def _gray(image: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)


def blend(image: np.ndarray, other: np.ndarray, factor: float) -> np.ndarray:
    """``factor`` parts of an image and the rest of another."""
    weight = float(np.float32(factor))
    return cv2.addWeighted(other, 1.0 - weight, image, weight, 0.0)


def contrast(image: np.ndarray, factor: float) -> np.ndarray:
    """The image blended with its mean brightness."""
    mean = cv2.mean(_gray(image))[0]
    return blend(image, np.full_like(image, mean if image.dtype.kind == "f" else int(mean + 0.5)), factor)


def saturation(image: np.ndarray, factor: float) -> np.ndarray:
    """The image blended with its gray picture."""
    return blend(image, cv2.cvtColor(_gray(image), cv2.COLOR_GRAY2RGB), factor)


def colour(image: np.ndarray, factor: float) -> np.ndarray:
    """As saturation, with RandomColor's order of the sum."""
    weight = float(np.float32(factor))
    gray = cv2.cvtColor(_gray(image), cv2.COLOR_GRAY2RGB)
    return cv2.addWeighted(image, weight, gray, 1.0 - weight, 0.0)


def hue(image: np.ndarray, factor: float) -> np.ndarray:
    """Every hue turned by a fraction of the circle."""
    with without_ipp():
        hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV_FULL)
        hsv[:, :, 0] += np.uint8(int(np.float32(factor) * np.float32(255)) & 255)
        return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB_FULL)


def hue_picture(image: Image.Image, factor: float) -> Image.Image:
    """Every hue of a PIL image turned by a fraction of the circle."""
    if image.mode in ("L", "1", "I", "F"):
        return image
    angle, chroma, value = image.convert("HSV").split()
    turned = np.asarray(angle) + np.uint8(int(factor * 255) & 255)
    return Image.merge("HSV", (Image.fromarray(turned), chroma, value)).convert(image.mode)


def gamma(image: np.ndarray, exponent: float, gain: float) -> np.ndarray:
    """gain * value ** exponent, for values scaled to [0, 1]."""
    if image.dtype.kind == "f":
        powers = _powers(image.astype(np.float32) * np.float32(gain), exponent)
        return powers.clip(0.0, 1.0)
    scaled = _powers(_VALUES / np.float32(255), exponent).astype(np.float64)
    table = np.floor(np.minimum(scaled * (255.0 + 1 - 1e-3) * float(np.float32(gain)), 255.0))
    return looked_up(image, table.astype(np.uint8)).astype(image.dtype, copy=False)


def _powers(values: np.ndarray, exponent: float) -> np.ndarray:
    """Powers in float32, rounded from float64: NumPy's in float32 differ in the last bit between processors."""
    return np.power(values.astype(np.float64), float(np.float32(exponent))).astype(np.float32)


def gamma_picture(image: Image.Image, exponent: float, gain: float) -> Image.Image:
    """The same for a PIL image of one or three bands; others stay as they are."""
    bands = len(image.getbands())
    table = [int((255 + 1 - 1e-3) * gain * (value / 255.0) ** exponent) for value in range(256)]
    return image.point(table * bands) if bands in (1, 3) else image


def sharpness(image: np.ndarray, factor: float) -> np.ndarray:
    """The image blended with its smoothed form; the outermost pixels stay."""
    smooth = cv2.filter2D(image, -1, _SMOOTHING).reshape(image.shape)
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        smooth[edge] = image[edge]
    weight = float(np.float32(factor))
    return cv2.addWeighted(image, weight, smooth, 1.0 - weight, 0.0).reshape(image.shape)


def _limits(counts: np.ndarray, cutoff: float) -> tuple[int, int]:
    """The least and the largest value once ``cutoff`` percent of the pixels are left out at either end."""
    counts = counts.copy()
    number = int(np.float32(cutoff) / 100.0 * counts.sum())
    for order in (range(256), range(255, -1, -1)):
        rest = number
        for value in order:
            if rest <= counts[value]:
                counts[value] -= rest
                break
            rest -= counts[value]
            counts[value] = 0
    present = np.flatnonzero(counts)
    return (int(present[0]), int(present[-1])) if len(present) else (0, 0)


def auto_contrast(image: np.ndarray, cutoff: float, ignore: Sequence[int]) -> np.ndarray:
    """Each channel stretched over all values."""
    if image.dtype.kind not in "bu" and (image.dtype.kind != "i" or image.min() < 0):
        raise RuntimeError(
            f"AutoContrast: Unsupported format or combination of formats: pixels must be integers from 0 to 255, but got {image.dtype}. "
            "Convert the image to uint8 first."
        )
    channels = 1 if image.ndim == 2 else image.shape[2]
    tables = []
    for channel in range(channels):
        if image.dtype == np.uint8:
            counts = cv2.calcHist([image], [channel], None, [256], [0, 256])[:, 0].astype(np.int64)
        else:
            counts = np.bincount(image.reshape(-1, channels)[:, channel], minlength=256)
        counts[list(ignore)] = 0
        low, high = _limits(counts, cutoff)
        if high <= low:
            tables.append(_VALUES.astype(np.uint8))
            continue
        scale = np.float32(255.0 / (high - low))
        tables.append((_VALUES * scale + np.float32(-low) * scale).clip(0, 255).astype(np.uint8))
    return looked_up(image, np.ascontiguousarray(np.stack(tables, axis=1)))


def equalize(image: np.ndarray) -> np.ndarray:
    """Each channel with its histogram spread evenly."""
    if image.ndim == 2:
        return cv2.equalizeHist(image)
    return cv2.merge([cv2.equalizeHist(channel) for channel in cv2.split(image)]).reshape(image.shape)


def posterize(image: np.ndarray, bits: int) -> np.ndarray:
    """Every value with its highest bits alone."""
    return image & np.array((255 << (8 - bits)) & 255, np.uint8).astype(image.dtype)


def inverted(image: np.ndarray) -> np.ndarray:
    """255 minus every value, at most what integers of its type can hold."""
    if image.dtype.kind not in "iu" or image.dtype == np.uint8:
        return 255 - image
    limits = np.iinfo(image.dtype)
    return (255 - image.astype(np.int64)).clip(limits.min, limits.max).astype(image.dtype)


def solarize(image: np.ndarray, low: float, high: float) -> np.ndarray:
    """Values from low to high turned over; if they are equal, all from there on."""
    if image.dtype == np.uint8 and image.size > _VALUES.size:
        return looked_up(image, solarize(_VALUES.astype(np.uint8), low, high))
    chosen = image >= low if low == high else (image >= low) & (image <= high)
    return np.where(chosen, inverted(image), image).astype(image.dtype)


def rgb_to_hsv(rgb: np.ndarray, axis: int) -> np.ndarray:
    """Hue, saturation and value, for channels along an axis."""
    red, green, blue = np.moveaxis(rgb, axis, 0).astype(np.float64)
    largest, smallest = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    spread = largest - smallest
    divisor = np.where(spread == 0, 1.0, spread)
    to_red, to_green, to_blue = ((largest - channel) / divisor for channel in (red, green, blue))
    sector = np.where(
        red == largest,
        to_blue - to_green,
        np.where(green == largest, 2.0 + to_red - to_blue, 4.0 + to_green - to_red),
    )
    gray = spread == 0
    angle = np.where(gray, 0.0, (sector / 6.0) % 1.0)
    chroma = np.where(gray, 0.0, spread / np.where(gray, 1.0, largest))
    return np.stack([angle, chroma, largest], axis=axis)


def hsv_to_rgb(hsv: np.ndarray, axis: int) -> np.ndarray:
    """Red, green and blue, for channels along an axis."""
    angle, chroma, value = np.moveaxis(hsv, axis, 0).astype(np.float64)
    whole = np.trunc(angle * 6.0)
    part = angle * 6.0 - whole
    least = value * (1.0 - chroma)
    falling = value * (1.0 - chroma * part)
    rising = value * (1.0 - chroma * (1.0 - part))
    sector = whole.astype(np.int64) % 6
    red = np.choose(sector, [value, falling, least, least, rising, value])
    green = np.choose(sector, [rising, value, value, falling, least, least])
    blue = np.choose(sector, [least, least, rising, value, value, falling])
    channels = [np.where(chroma == 0.0, value, channel) for channel in (red, green, blue)]
    return np.stack(channels, axis=axis)
