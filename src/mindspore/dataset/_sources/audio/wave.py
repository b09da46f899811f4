"""WAV files: the column waveform is float32, <1, samples>."""

from __future__ import annotations

import wave
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.table_source import Files

LARGEST = np.float32(32767)


def _read(path: str) -> tuple[bytes, int]:
    """The samples of a WAV file, 16 bits each, and how many there are in a second."""
    try:
        with wave.open(path, "rb") as stream:
            width, rate = stream.getsampwidth(), stream.getframerate()
            samples = stream.readframes(stream.getnframes())
    except (wave.Error, EOFError, OSError, RuntimeError, ArithmeticError, MemoryError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error) or "it ends too early"
        raise pipeline_error(
            f"Invalid file, failed to read the sound {path}: {reason}. Expected a WAV file with samples of 16 bits."
        ) from error
    if len(samples) % 2:
        raise pipeline_error(f"Invalid file, the sound {path} ends within a sample of 16 bits.")
    if width != 2:
        raise pipeline_error(f"Invalid file, {path} has {8 * width} bits per sample: only 16 are supported.")
    return samples, rate


def waveform(path: str) -> np.ndarray:
    """The samples of a WAV file, from -1 to 1."""
    return (np.frombuffer(_read(path)[0], "<i2") / LARGEST).astype(np.float32)[None]


def sample_rate(path: str) -> np.ndarray:
    """The samples in a second of a WAV file."""
    return np.array(_read(path)[1], np.int32)


def unsigned_rate(path: str) -> np.ndarray:
    """The same, uint32."""
    return sample_rate(path).astype(np.uint32)


def sounds(paths: list[str], rate: Any = sample_rate) -> dict[str, Any]:
    """The columns waveform and sample_rate of WAV files."""
    return {"waveform": Files(paths, waveform), "sample_rate": Files(paths, rate)}
