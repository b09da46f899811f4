"""Images with the boxes, labels and masks of what is in them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["imshow_det_bbox"]

_ESCAPE = 27
_MASK_SHARE = 0.5  # of the colour of a mask in its pixels
Colour = tuple[int, int, int]


def imshow_det_bbox(image: np.ndarray, bboxes: np.ndarray, labels: np.ndarray, segm: np.ndarray | None = None,
                    class_names: Sequence[str] | Mapping[int, str] | None = None, score_threshold: float = 0,
                    bbox_color: Colour = (0, 255, 0), text_color: Colour = (203, 192, 255),
                    mask_color: Colour = (128, 0, 128), thickness: int = 2, font_size: float = 0.8, show: bool = True,
                    win_name: str = "win", wait_time: int = 2000, out_file: str | None = None) -> np.ndarray:  # fmt: skip
    """Draw boxes and labels, with scores where the boxes have them, on a copy of an image; needs opencv-python.

    Args:
        image: (H, W, C) or (C, H, W), RGB.
        bboxes: (N, 4), or (N, 5) with scores: x, y, width, height.
        labels: (N, 1).
        segm: masks of the boxes, (N, H, W).
        class_names: names of the labels, by position or key.
        score_threshold: boxes with a lower score are left out.
        bbox_color, text_color, mask_color: blue, green, red.
        thickness, font_size: of lines and of texts.
        show, win_name, wait_time: whether to open a window, its name, and how many milliseconds it waits for a key.
        out_file: where to write the picture.

    Returns:
        The picture, BGR.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset.utils import imshow_det_bbox
        >>> picture = imshow_det_bbox(np.zeros((8, 8, 3), np.uint8), np.array([[1, 1, 4, 4]]), np.array([[0]]), show=False,
        ...                           thickness=1)
        >>> picture[1, 1].tolist(), picture[7, 7].tolist()
        ([0, 255, 0], [0, 0, 0])
    """
    cv2 = _opencv()
    _check(image, bboxes, labels, segm, class_names)
    for name, colour in (("bbox_color", bbox_color), ("text_color", text_color), ("mask_color", mask_color)):
        _require(isinstance(colour, tuple) and len(colour) == 3, name, "a tuple (B, G, R)", colour)
    picture = image if image.shape[-1] in (1, 3) else np.moveaxis(image, 0, -1)
    picture = np.ascontiguousarray(np.repeat(picture, 3, -1) if picture.shape[-1] == 1 else picture[..., ::-1])
    for index, box in enumerate(bboxes):
        if len(box) == 5 and box[4] < score_threshold:
            continue
        if segm is not None:
            _shade(picture, segm[index].astype(bool), mask_color)
        x, y, width, height = (int(number) for number in box[:4])
        cv2.rectangle(picture, (x, y), (x + width, y + height), bbox_color, thickness=thickness)
        text = _text(int(labels[index, 0]), class_names) + (f"|{box[4]:.2f}" if len(box) == 5 else "")
        cv2.putText(picture, text, (x, y - 2), cv2.FONT_HERSHEY_COMPLEX, font_size, text_color)
    if show:
        _show(cv2, win_name, picture, wait_time)
    if out_file is not None:
        cv2.imwrite(out_file, picture)
    return picture


def _opencv() -> Any:
    try:
        return importlib.import_module("cv2")
    except ImportError:
        raise ImportError("For 'imshow_det_bbox', install opencv-python: pip install opencv-python.") from None


def _require(condition: bool, name: str, allowed: str, value: Any) -> None:
    if not condition:
        got = f"shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
        raise AssertionError(f"For 'imshow_det_bbox', the '{name}' must be {allowed}, but got {got}.")


def _check(image: Any, bboxes: Any, labels: Any, segm: Any, class_names: Any) -> None:
    is_array = (
        isinstance(image, np.ndarray) and image.ndim == 3 and (image.shape[0] in (1, 3) or image.shape[-1] in (1, 3))
    )
    _require(is_array, "image", "an array (H, W, C) or (C, H, W)", image)
    fits = isinstance(bboxes, np.ndarray) and bboxes.ndim == 2 and bboxes.shape[-1] in (4, 5)
    _require(fits, "bboxes", "an array (N, 4) or (N, 5)", bboxes)
    fits = isinstance(labels, np.ndarray) and labels.shape == (len(bboxes), 1)
    _require(fits, "labels", f"an array ({len(bboxes)}, 1), one label for every box", labels)
    fits = segm is None or (isinstance(segm, np.ndarray) and segm.ndim == 3 and len(segm) >= len(bboxes))
    _require(fits, "segm", f"an array (N, H, W) of at least {len(bboxes)} masks", segm)
    fits = class_names is None or isinstance(class_names, (list, tuple, dict))
    _require(fits, "class_names", "a list, tuple or dict", class_names)


def _text(label: int, names: Any) -> str:
    return f"class {label}" if names is None else str(names[label])


def _shade(picture: np.ndarray, mask: np.ndarray, colour: Colour) -> None:
    mixed = picture[mask] * (1 - _MASK_SHARE) + np.array(colour) * _MASK_SHARE
    picture[mask] = mixed.astype(picture.dtype)


def _show(cv2: Any, name: str, picture: np.ndarray, wait: int) -> None:
    """A window until a key is pressed or the time is over; Escape ends the program, as in MindSpore."""
    cv2.imshow(name, picture)
    if cv2.waitKey(wait) == _ESCAPE:
        cv2.destroyAllWindows()
        raise SystemExit(0)
