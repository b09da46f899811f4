"""Rotations, affine and perspective maps."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_bool, check_int
from mindspore.dataset.core.operation import Implementation
from mindspore.dataset.vision._implementation import checks
from mindspore.dataset.vision._implementation.base import ImageOperation, RandomImageOperation, pillow_fill
from mindspore.dataset.vision._implementation.geometry import (
    affine,
    affine_picture,
    perspective,
    perspective_picture,
    rotate,
)
from mindspore.dataset.vision._implementation.kinds import Inter, pillow_interpolation


def _center(owner: str, value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    if not isinstance(value, tuple) or len(value) != 2:
        raise ValueError(f"For '{owner}', the 'center' must be a tuple (x, y), but got {value!r}.")
    limit = float(checks.LARGEST_INT)
    return checks.number(owner, "center", value[0], -limit, limit), checks.number(
        owner, "center", value[1], -limit, limit
    )


class Rotate(ImageOperation):
    """Turn an image counter-clockwise by an angle in degrees.

    >>> import numpy as np
    >>> Rotate(90)(np.array([[1, 2], [3, 4]], np.uint8))
    array([[2, 4], [1, 3]], dtype=uint8)
    """

    masks = bool
    array_only = True
    ranks = tuple(range(2, 9))

    def __init__(
        self,
        degrees: float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ):
        self.degrees = checks.number(self.owner, "degrees", degrees) % 360
        self.resample = checks.member(self.owner, "resample", resample, Inter)
        self.expand = check_bool(self.owner, "expand", expand)
        self.center = _center(self.owner, center)
        self.fill_value = checks.fill(self.owner, fill_value)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim > 3:
            images = image.reshape(-1, *image.shape[-3:])
            turned = np.stack([self.array(picture) for picture in images])
            return turned.reshape(*image.shape[:-3], *turned.shape[1:])
        return rotate(self.owner, image, self.degrees, self.resample, self.expand, self.center, self.fill_value)


class RandomRotation(RandomImageOperation):
    """Turn an image by a random angle; a number d stands for angles from -d to d.

    >>> import numpy as np
    >>> RandomRotation((90, 90))(np.array([[1, 2], [3, 4]], np.uint8))
    array([[2, 4], [1, 3]], dtype=uint8)
    """

    masks = bool
    ranks = tuple(range(2, 9))

    def __init__(
        self,
        degrees: Any,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ):
        low, high = checks.degrees(self.owner, degrees)
        if checks.is_number(degrees):
            self.degrees = (-(high % 360), high % 360)
        elif high - low >= 360:
            self.degrees = (-180.0, 180.0)
        else:
            self.degrees = (low % 360, low % 360 + high - low)
        self.resample = checks.member(self.owner, "resample", resample, Inter)
        self.implementation = Implementation.PY if self.resample is Inter.ANTIALIAS else None
        self.expand = check_bool(self.owner, "expand", expand)
        self.center = _center(self.owner, center)
        self.fill_value = checks.fill(self.owner, fill_value)

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        turn = Rotate(random.uniform(*self.degrees), self.resample, self.expand, self.center, self.fill_value)
        return turn.array(image)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        angle = random.uniform(*self.degrees) % 360.0
        resampling = pillow_interpolation(self.owner, self.resample)
        if self.resample is Inter.ANTIALIAS and (angle % 90 or self.center is not None):
            raise ValueError(
                f"For '{self.owner}', Inter.ANTIALIAS turns by multiples of 90 degrees about the middle alone, but got "
                f"angle {angle} and center {self.center}."
            )
        fill = pillow_fill(self.fill_value, image)
        return image.rotate(angle, resampling, self.expand, self.center, fillcolor=fill)  # type: ignore[arg-type]


class Affine(ImageOperation):
    """Turn, move (by fractions of the size), scale and shear an image.

    >>> import numpy as np
    >>> Affine(0, (0.5, 0), 1.0, 0)(np.array([[1, 2]], np.uint8))
    array([[0, 1]], dtype=uint8)
    """

    masks = bool
    array_only = True

    def __init__(
        self,
        degrees: float,
        translate: Any,
        scale: float,
        shear: Any,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        owner = self.owner
        self.degrees = checks.number(owner, "degrees", degrees, -180, 180)
        across, down = checks.sequence(owner, "translate", translate, (2,))
        self.translate = tuple(checks.number(owner, "translate", share, -1, 1) for share in (across, down))
        self.scale = checks.positive(owner, "scale", scale)
        pair = (shear, 0.0) if checks.is_number(shear) else checks.sequence(owner, "shear", shear, (2,))
        self.shear = (
            checks.number(owner, "shear", pair[0], -180, 180),
            checks.number(owner, "shear", pair[1], -180, 180),
        )
        self.resample = checks.member(owner, "resample", resample, Inter)
        self.fill_value = checks.fill(owner, fill_value)

    def array(self, image: np.ndarray) -> np.ndarray:
        move = self.translate[0] * image.shape[1], self.translate[1] * image.shape[0]
        return affine(self.owner, image, self.degrees, move, self.scale, self.shear, self.resample, self.fill_value)


class RandomAffine(RandomImageOperation):
    """Turn, move, scale and shear an image by random amounts.

    >>> import numpy as np
    >>> RandomAffine(15, translate=(-0.1, 0.1, 0, 0))(np.zeros((4, 6, 3), np.uint8)).shape
    (4, 6, 3)
    """

    masks = bool

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        owner = self.owner
        self.degrees = checks.degrees(owner, degrees)
        limits = checks.sequence(owner, "translate", translate, (2, 4)) if translate is not None else (0.0, 0.0)
        self.translate = tuple(checks.number(owner, f"translate[{i}]", limit, -1, 1) for i, limit in enumerate(limits))
        self.scale = (1.0, 1.0) if scale is None else checks.scale_pair(owner, "scale", scale)
        self.shear = self._shear_limits(shear)
        self.resample = checks.member(owner, "resample", resample, Inter)
        self.implementation = Implementation.PY if self.resample is Inter.ANTIALIAS else None
        self.fill_value = checks.fill(owner, fill_value)

    def _shear_limits(self, shear: Any) -> tuple[float, float, float, float]:
        if shear is None:
            return 0.0, 0.0, 0.0, 0.0
        if checks.is_number(shear):
            limit = checks.positive(self.owner, "shear", shear)
            return -limit, limit, 0.0, 0.0
        limits = checks.sequence(self.owner, "shear", shear, (2, 4))
        down = limits[2:] or (0.0, 0.0)
        return *checks.ordered(self.owner, "shear", limits[:2]), *checks.ordered(self.owner, "shear", down)

    def _amounts(self, random: SampleRandom) -> tuple[float, float, tuple[float, float]]:
        shear = random.uniform(*self.shear[:2]), random.uniform(*self.shear[2:])
        return random.uniform(*self.degrees), random.uniform(*self.scale), shear

    def array(self, random: SampleRandom, image: np.ndarray) -> np.ndarray:
        degrees, scale, shear = self._amounts(random)
        down = self.translate[2:] or (0.0, 0.0)
        move = (
            random.uniform(*self.translate[:2]) * image.shape[1],
            random.uniform(*down) * image.shape[0],
        )
        return affine(self.owner, image, degrees, move, scale, shear, self.resample, self.fill_value)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        degrees, scale, shear = self._amounts(random)
        # for PIL images the first two numbers are the largest fractions across and down
        across, down = self.translate[0] * image.width, self.translate[1] * image.height
        move = round(random.uniform(-across, across)), round(random.uniform(-down, down))
        return affine_picture(self.owner, image, degrees, move, scale, shear, self.resample, self.fill_value)


class Perspective(ImageOperation):
    """Map an image so that four points go to four others.

    >>> import numpy as np
    >>> corners = [[0, 0], [1, 0], [1, 1], [0, 1]]
    >>> Perspective(corners, corners)(np.array([[1, 2], [3, 4]], np.uint8))
    array([[1, 2], [3, 4]], dtype=uint8)
    """

    masks = np.uint8

    def __init__(self, start_points: Any, end_points: Any, interpolation: Inter = Inter.BILINEAR):
        self.start_points = self._points("start_points", start_points)
        self.end_points = self._points("end_points", end_points)
        self.interpolation = checks.member(self.owner, "interpolation", interpolation, Inter)

    def _points(self, name: str, value: Any) -> list[list[int]]:
        points = []
        for i, point in enumerate(checks.sequence(self.owner, name, value, (4,))):
            pair = checks.sequence(self.owner, f"{name}[{i}]", point, (2,))
            points.append([check_int(self.owner, f"{name}[{i}]", number) for number in pair])
        return points

    def array(self, image: np.ndarray) -> np.ndarray:
        return perspective(self.owner, image, self.start_points, self.end_points, self.interpolation)

    def picture(self, image: Image.Image) -> Image.Image:
        return perspective_picture(self.owner, image, self.start_points, self.end_points, self.interpolation)


class RandomPerspective(RandomImageOperation):
    """Map the corners of a PIL image to random points near them, with a probability.

    >>> from PIL import Image
    >>> RandomPerspective(prob=1.0)(Image.new("RGB", (8, 6))).size
    (8, 6)
    """

    implementation = Implementation.PY
    picture_only = True

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC):
        self.distortion_scale = checks.number(self.owner, "distortion_scale", distortion_scale, 0.0, 1.0)
        self.prob = checks.probability(self.owner, prob)
        self.interpolation = checks.member(self.owner, "interpolation", interpolation, Inter)

    def picture(self, random: SampleRandom, image: Image.Image) -> Image.Image:
        if random.random() >= self.prob:
            return image
        right, low = image.width - 1, image.height - 1
        reach_x = int(image.width / 2 * self.distortion_scale)
        reach_y = int(image.height / 2 * self.distortion_scale)
        near_x, near_y = (0, reach_x), (0, reach_y)
        far_x, far_y = (right - reach_x, right), (low - reach_y, low)
        start = [(0, 0), (right, 0), (right, low), (0, low)]
        ranges = [(near_x, near_y), (far_x, near_y), (far_x, far_y), (near_x, far_y)]
        end = [(random.randint(*x), random.randint(*y)) for x, y in ranges]
        return perspective_picture(self.owner, image, start, end, self.interpolation)
