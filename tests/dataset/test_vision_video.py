"""Video files. Shapes, times and refusals are real MindSpore's for the same files."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from mindspore.dataset.vision import video


@pytest.fixture(params=["avi", "mp4"])
def film(request, tmp_path):
    """Six frames of growing brightness, ten in a second; red above, blue below."""
    path = str(tmp_path / f"film.{request.param}")
    kind = {"avi": "MJPG", "mp4": "mp4v"}[request.param]
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*kind), 10, (32, 24))
    for number in range(6):
        frame = np.zeros((24, 32, 3), np.uint8)
        frame[:12, :, 2] = frame[12:, :, 0] = number * 40
        writer.write(frame)
    writer.release()
    return path


def brightness(frames):
    return np.round(frames[:, 2, :, 0].mean(1) / 40).astype(int).tolist()


def test_all_frames_come_in_rgb(film):
    frames, sound, about = video.read_video(film)
    assert frames.shape == (6, 24, 32, 3)
    assert frames.dtype == np.uint8
    assert brightness(frames) == [0, 1, 2, 3, 4, 5]
    assert frames[5, 2, :, 2].mean() < 20 < 150 < frames[5, 20, :, 2].mean()
    assert (sound.shape, sound.dtype) == ((1, 0), np.float32)
    assert about == {"video_fps": 10.0}


def test_a_part_is_chosen_by_seconds_or_ticks(film):
    assert brightness(video.read_video(film, 0.1, 0.3, "sec")[0]) == [1, 2, 3]
    step = 1024 if film.endswith("mp4") else 1
    assert brightness(video.read_video(film, 2 * step, 3 * step)[0]) == [2, 3]
    assert video.read_video(film, 1000 * step)[0].shape == (0, 24, 32, 3)


def test_times_are_in_seconds_or_ticks_of_the_file(film):
    step = 1024 if film.endswith("mp4") else 1
    assert video.read_video_timestamps(film) == ([number * step for number in range(6)], 10.0)
    seconds, rate = video.read_video_timestamps(film, "sec")
    np.testing.assert_allclose(seconds, np.arange(6) / 10, atol=1e-6)
    assert rate == 10.0


def test_bytes_are_decoded(film):
    frames, sound = video.DecodeVideo()(np.fromfile(film, np.uint8))
    assert brightness(frames) == [0, 1, 2, 3, 4, 5]
    assert sound.shape == (1, 0)


def test_frames_are_picked_by_number(film):
    decoder = video.VideoDecoder(film)
    expected = {"width": 32, "height": 24, "duration_seconds": 0.6, "num_frames": 6, "average_fps": 10.0}
    assert decoder.metadata == expected
    assert brightness(decoder.get_frames_at([4, 0, 4])) == [4, 0, 4]
    with pytest.raises(ValueError, match=r"must be in range \[0, 5\], but got 6"):
        decoder.get_frames_at([6])


@pytest.mark.parametrize(("arguments", "message"), [
    ((-1,), "'start_pts' must be at least 0"),
    ((5, 3), "'end_pts' must not be less than 'start_pts'"),
    ((0, None, "x"), "'pts_unit' must be 'pts' or 'sec'"),
])  # fmt: skip
def test_wrong_times_are_refused(film, arguments, message):
    with pytest.raises(ValueError, match=message):
        video.read_video(film, *arguments)


def test_files_that_are_no_videos_are_told(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        video.read_video(str(tmp_path / "missing.mp4"))
    (tmp_path / "broken.mp4").write_bytes(b"no video")
    with pytest.raises(RuntimeError, match=r"broken\.mp4' is no video"):
        video.read_video_timestamps(str(tmp_path / "broken.mp4"))
    with pytest.raises(RuntimeError, match="no video"):
        video.DecodeVideo()(np.zeros(100, np.uint8))
    with pytest.raises(RuntimeError, match="bytes of a file"):
        video.DecodeVideo()(np.zeros((2, 2), np.uint8))
