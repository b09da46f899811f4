"""Video files: their frames, through OpenCV. It gives no access to the sound in them."""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from mindspore._utils import log
from mindspore.dataset.core.checks import check_type
from mindspore.dataset.core.operation import Operation

__all__ = ["DecodeVideo", "VideoDecoder", "read_video", "read_video_timestamps"]

_FIXED_TICKS = {".mkv": 1000.0, ".webm": 1000.0, ".ts": 90000.0, ".flv": 1000.0}  # in a second, by container


def _opened(owner: str, filename: Any) -> cv2.VideoCapture:
    check_type(owner, "filename", filename, str)
    if not os.path.exists(filename):
        raise ValueError(f"For '{owner}', the 'filename' must be a file, but '{filename}' does not exist.")
    capture = cv2.VideoCapture(filename)
    if not capture.isOpened():
        raise RuntimeError(f"{owner}: '{filename}' is no video that OpenCV can read.")
    return capture


def _frames(capture: cv2.VideoCapture) -> Iterator[tuple[float, np.ndarray]]:
    """The time of every frame in seconds, and its pixels in OpenCV's order."""
    while True:
        found, frame = capture.read()
        if not found:
            return
        yield capture.get(cv2.CAP_PROP_POS_MSEC) / 1000, frame


def _ticks(filename: str, frames_per_second: float) -> float:
    """How many ticks of a second the file counts time in."""
    extension = os.path.splitext(filename)[1].lower()
    if extension in (".mp4", ".mov", ".m4v"):
        with open(filename, "rb") as stream:
            found = _media_ticks(stream.read())
        return found or frames_per_second
    return _FIXED_TICKS.get(extension, frames_per_second)


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The boxes that an MP4 file, or a box of it, is made of: names and contents."""
    offset = 0
    while offset + 8 <= len(data):
        size, name = struct.unpack(">I4s", data[offset : offset + 8])
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", data[offset + 8 : offset + 16])[0], 16
        end = offset + size if size else len(data)
        yield name, data[offset + head : end]
        offset = max(end, offset + 8)


def _media_ticks(data: bytes) -> float:
    """The ticks in a second of the first track of pictures of an MP4 file, 0 if there is none."""
    movie = dict(_boxes(data)).get(b"moov", b"")
    for name, track in _boxes(movie):
        media = dict(_boxes(dict(_boxes(track)).get(b"mdia", b""))) if name == b"trak" else {}
        if media.get(b"hdlr", b"")[8:12] == b"vide":
            header = media[b"mdhd"]
            return float(struct.unpack(">I", header[20:24] if header[0] == 1 else header[12:16])[0])
    return 0.0


def _check_unit(owner: str, pts_unit: Any) -> None:
    check_type(owner, "pts_unit", pts_unit, str)
    if pts_unit not in ("pts", "sec"):
        raise ValueError(f"For '{owner}', the 'pts_unit' must be 'pts' or 'sec', but got '{pts_unit}'.")


def _stacked(frames: list[np.ndarray], capture: cv2.VideoCapture) -> np.ndarray:
    if frames:
        return np.stack([cv2.cvtColor(frame, cv2.COLOR_BGR2RGB) for frame in frames])
    shape = (int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)), int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)))
    return np.zeros((0, *shape, 3), np.uint8)


def _silence() -> np.ndarray:
    log.once("video without sound", "OpenCV reads the frames of videos alone: the sound is given as an empty array.")
    return np.zeros((1, 0), np.float32)


def read_video(
    filename: str, start_pts: float = 0, end_pts: float | None = None, pts_unit: str = "pts"
) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """The frames <T, H, W, C> of a video from one time to another, its sound and ``{"video_fps": ...}``.

    Times are in seconds ('sec') or in the ticks of the file ('pts'). The sound is empty: OpenCV cannot read it.

    Examples:
        >>> import os, tempfile
        >>> import cv2
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "a.avi")
        >>> writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, (16, 16))
        >>> for shade in (0, 100, 200):
        ...     writer.write(np.full((16, 16, 3), shade, np.uint8))
        >>> writer.release()
        >>> frames, _, about = vision.read_video(path)
        >>> frames.shape, about
        ((3, 16, 16, 3), {'video_fps': 10.0})
    """
    for name, value in (("start_pts", start_pts), ("end_pts", 0 if end_pts is None else end_pts)):
        check_type("read_video", name, value, (int, float))
    _check_unit("read_video", pts_unit)
    if start_pts < 0:
        raise ValueError(f"For 'read_video', the 'start_pts' must be at least 0, but got {start_pts}.")
    if end_pts is not None and end_pts < start_pts:
        raise ValueError(
            f"For 'read_video', the 'end_pts' must not be less than 'start_pts', but got {end_pts} and {start_pts}."
        )
    capture = _opened("read_video", filename)
    rate = capture.get(cv2.CAP_PROP_FPS)
    ticks = 1.0 if pts_unit == "sec" else _ticks(filename, rate)
    kept = []
    for seconds, frame in _frames(capture):
        time = round(seconds * ticks, 6)
        if end_pts is not None and time > end_pts:
            break
        if time >= start_pts:
            kept.append(frame)
    return _stacked(kept, capture), _silence(), {"video_fps": rate}


def read_video_timestamps(filename: str, pts_unit: str = "pts") -> tuple[list[Any], float]:
    """The times of all frames of a video, in seconds ('sec') or in the ticks of the file ('pts'), and frames in a second.

    Examples:
        >>> import os, tempfile
        >>> import cv2
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "a.avi")
        >>> writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, (16, 16))
        >>> for shade in (0, 100, 200):
        ...     writer.write(np.full((16, 16, 3), shade, np.uint8))
        >>> writer.release()
        >>> vision.read_video_timestamps(path, pts_unit="sec")
        ([0.0, 0.1, 0.2], 10.0)
    """
    _check_unit("read_video_timestamps", pts_unit)
    capture = _opened("read_video_timestamps", filename)
    rate = capture.get(cv2.CAP_PROP_FPS)
    times = [seconds for seconds, _ in _frames(capture)]
    if pts_unit == "pts":
        ticks = _ticks(filename, rate)
        return [round(seconds * ticks) for seconds in times], rate
    return times, rate


class DecodeVideo(Operation):
    """The frames <T, H, W, C> of the bytes of a video file, and its sound, which is empty: OpenCV cannot read it.

    Examples:
        >>> import os, tempfile
        >>> import cv2
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "a.avi")
        >>> writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, (16, 16))
        >>> for shade in (0, 100, 200):
        ...     writer.write(np.full((16, 16, 3), shade, np.uint8))
        >>> writer.release()
        >>> frames, _ = vision.DecodeVideo()(np.fromfile(path, np.uint8))
        >>> frames.shape
        (3, 16, 16, 3)
    """

    def run(self, data: Any) -> tuple[np.ndarray, np.ndarray]:
        if not isinstance(data, np.ndarray):
            raise TypeError(f"For 'DecodeVideo', the input must be a NumPy array, got {type(data)}.")
        if data.ndim != 1 or data.dtype != np.uint8:
            raise RuntimeError(
                f"DecodeVideo: the input must be the bytes of a file, <N> of uint8, but got {data.shape} of {data.dtype}."
            )
        with tempfile.NamedTemporaryFile(suffix=".video") as stream:  # OpenCV reads files only
            stream.write(data.tobytes())
            stream.flush()
            capture = cv2.VideoCapture(stream.name)
            if not capture.isOpened():
                raise RuntimeError("DecodeVideo: the bytes are no video that OpenCV can read.")
            return _stacked([frame for _, frame in _frames(capture)], capture), _silence()


class VideoDecoder:
    """A video file whose frames are picked by number.

    Args:
        source: the path of the file.

    Examples:
        >>> import os, tempfile
        >>> import cv2
        >>> import numpy as np
        >>> from mindspore.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "a.avi")
        >>> writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, (16, 16))
        >>> for shade in (0, 100, 200):
        ...     writer.write(np.full((16, 16, 3), shade, np.uint8))
        >>> writer.release()
        >>> decoder = vision.VideoDecoder(path)
        >>> len(decoder.get_frames_at([0, 2]))
        2
    """

    def __init__(self, source: str):
        self.source = source
        capture = _opened("VideoDecoder", source)
        rate, count = capture.get(cv2.CAP_PROP_FPS), int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self._metadata = {
            "width": int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            "height": int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            "duration_seconds": count / rate if rate else 0.0,
            "num_frames": count,
            "average_fps": rate,
        }

    @property
    def metadata(self) -> dict[str, Any]:
        """Width, height, duration in seconds, number of frames and frames in a second."""
        return dict(self._metadata)

    def get_frames_at(self, indices: list[int]) -> np.ndarray:
        """The frames <T, H, W, C> with these numbers, in this order."""
        check_type("get_frames_at", "indices", indices, list)
        count = self._metadata["num_frames"]
        for index in indices:
            check_type("get_frames_at", "indices", index, int)
            if not 0 <= index < count:
                raise ValueError(
                    f"For 'get_frames_at', the 'indices' must be in range [0, {count - 1}], but got {index}."
                )
        capture = _opened("VideoDecoder", self.source)
        wanted = set(indices)
        found: dict[int, np.ndarray] = {}
        # going through the file is exact, which jumping to a frame is not in every format
        for number, (_, frame) in enumerate(_frames(capture)):
            if number in wanted:
                found[number] = frame
            if len(found) == len(wanted):
                break
        missing = sorted(wanted - set(found))
        if missing:
            raise RuntimeError(f"VideoDecoder: the frames {missing} of '{self.source}' cannot be read.")
        return _stacked([found[index] for index in indices], capture)
