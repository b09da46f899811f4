"""Borders, rotations, affine and perspective maps of arrays and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageOps

from mindspore.dataset.vision._implementation.base import pillow_fill, with_channels
from mindspore.dataset.vision._implementation.homography import back_to_source
from mindspore.dataset.vision._implementation.kinds import (
    Border,
    Inter,
    opencv_border,
    opencv_interpolation,
    pillow_interpolation,
)

Fill = tuple[int, int, int]


def pad(image: np.ndarray, sides: tuple[int, int, int, int], fill: Fill, border: Border) -> np.ndarray:
    """An array with a border of (left, top, right, bottom) pixels."""
    left, top, right, bottom = sides
    padded = cv2.copyMakeBorder(image, top, bottom, left, right, opencv_border(border), value=fill)
    return with_channels(padded, image)


def pad_picture(image: Image.Image, sides: tuple[int, int, int, int], fill: Fill, border: Border) -> Image.Image:
    """A PIL image with a border of (left, top, right, bottom) pixels."""
    left, top, right, bottom = sides
    palette = image.getpalette() if image.mode == "P" else None
    if border is Border.CONSTANT:
        padded = ImageOps.expand(image, border=sides, fill=fill[0] if palette else pillow_fill(fill, image))
    else:
        pixels = np.asarray(image)
        widths = [(top, bottom), (left, right), (0, 0)][: pixels.ndim]
        padded = Image.fromarray(np.pad(pixels, widths, border.value))
    if palette:
        padded.putpalette(palette)
    return padded


def rotate(
    owner: str,
    image: np.ndarray,
    degrees: float,
    inter: Inter,
    expand: bool,
    center: Sequence[float] | None,
    fill: Fill,
) -> np.ndarray:
    """An array turned counter-clockwise about a point, by default its middle."""
    height, width = image.shape[:2]
    # OpenCV keeps the point and the angle in float32
    middle = tuple(float(np.float32(coordinate)) for coordinate in (center or ((width - 1) / 2, (height - 1) / 2)))
    degrees = float(np.float32(degrees))
    matrix = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    shape = (width, height)
    if expand:
        corners = cv2.boxPoints((middle, (float(width), float(height)), degrees))
        extent = corners.max(axis=0) - corners.min(axis=0)
        matrix[:, 2] += extent / 2.0 - np.array([width, height]) / 2.0
        shape = tuple(int(length) for length in np.rint(extent))
    number = opencv_interpolation(owner, inter)
    # MindSpore hands the colour of a rotation over in the order blue, green, red
    turned = cv2.warpAffine(image, matrix, shape, flags=number, borderMode=cv2.BORDER_CONSTANT, borderValue=fill[::-1])
    return with_channels(turned, image)


def _affine_matrix(
    shape: tuple[int, ...],
    degrees: float,
    translate: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
) -> np.ndarray:
    """The map of a turn, a scaling, shears and a move, about the middle: float32 all along, as MindSpore's."""
    single = np.float32
    turn, across, down = (single(math.radians(single(angle))) for angle in (degrees, *shear))
    along = turn - down
    cosine, sine = single(math.cos(along)), single(math.sin(along))
    shrink, slope, factor = single(math.cos(down)), single(math.tan(across)), single(scale)
    # rotation times shear along y times shear along x
    map_x = factor * cosine / shrink, factor * (-cosine * slope / shrink - single(math.sin(turn)))
    map_y = factor * sine / shrink, factor * (-sine * slope / shrink + single(math.cos(turn)))
    middle_x, middle_y = single((shape[1] - 1) / 2), single((shape[0] - 1) / 2)
    shift_x = (single(1) - map_x[0]) * middle_x - map_x[1] * middle_y + single(translate[0])
    shift_y = (single(1) - map_y[1]) * middle_y - map_y[0] * middle_x + single(translate[1])
    return np.array([[*map_x, shift_x], [*map_y, shift_y]], single)


def affine(
    owner: str,
    image: np.ndarray,
    degrees: float,
    translate: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
    inter: Inter,
    fill: Fill,
) -> np.ndarray:
    """An array turned clockwise, sheared, scaled and moved (by pixels), about its middle."""
    matrix = _affine_matrix(image.shape, degrees, translate, scale, shear)
    number = opencv_interpolation(owner, inter)
    moved = cv2.warpAffine(
        image, matrix, image.shape[1::-1], flags=number, borderMode=cv2.BORDER_CONSTANT, borderValue=fill
    )
    return with_channels(moved, image)


def affine_picture(
    owner: str,
    image: Image.Image,
    degrees: float,
    translate: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
    inter: Inter,
    fill: Fill,
) -> Image.Image:
    """A PIL image turned, sheared, scaled and moved (by pixels), about its middle."""
    turn = math.radians(degrees)
    first, second = turn + math.radians(shear[0]), turn + math.radians(shear[1])
    # Pillow wants the map from the result back to the source
    factor = 1.0 / scale / math.cos(first - second)
    back_x = [factor * math.cos(first), factor * math.sin(first)]
    back_y = [-factor * math.sin(second), factor * math.cos(second)]
    middle = [image.width * 0.5 + 0.5, image.height * 0.5 + 0.5]
    away = [-middle[0] - translate[0], -middle[1] - translate[1]]
    shift_x = back_x[0] * away[0] + back_x[1] * away[1] + middle[0]
    shift_y = back_y[0] * away[0] + back_y[1] * away[1] + middle[1]
    return image.transform(
        image.size,
        Image.Transform.AFFINE,
        [*back_x, shift_x, *back_y, shift_y],
        pillow_interpolation(owner, inter),
        fillcolor=pillow_fill(fill, image),
    )


def perspective(owner: str, image: np.ndarray, start: Any, end: Any, inter: Inter) -> np.ndarray:
    """An array mapped so that four points go to four others."""
    matrix = cv2.getPerspectiveTransform(np.array(start, np.float32), np.array(end, np.float32))
    number = opencv_interpolation(owner, inter)
    mapped = cv2.warpPerspective(image, matrix, image.shape[1::-1], flags=number)
    return with_channels(mapped, image)


def perspective_picture(owner: str, image: Image.Image, start: Any, end: Any, inter: Inter) -> Image.Image:
    """A PIL image mapped so that four points go to four others."""
    coefficients = back_to_source(start, end)
    return image.transform(image.size, Image.Transform.PERSPECTIVE, coefficients, pillow_interpolation(owner, inter))
