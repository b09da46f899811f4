"""Enumerations that audio transforms take, and the tables they multiply spectra by.

>>> from mindspore.dataset.audio import utils
>>> utils.melscale_fbanks(201, 0.0, 8000.0, 10, 16000).shape
(201, 10)
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from mindspore.dataset.core.checks import check_float_range, check_positive_int, check_type

__all__ = [
    "BorderType",
    "DensityFunction",
    "FadeShape",
    "GainType",
    "Interpolation",
    "MelType",
    "Modulation",
    "NormMode",
    "NormType",
    "ResampleMethod",
    "ScaleType",
    "WindowType",
    "create_dct",
    "linear_fbanks",
    "melscale_fbanks",
]

LARGEST = float(np.finfo(np.float32).max)


class BorderType(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """How a signal goes on beyond its ends.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> wave = np.array([[1.0, 2.0, 4.0]], np.float32)
        >>> audio.ComputeDeltas(3, audio.BorderType.EDGE)(wave).tolist()
        [[0.5, 1.5, 1.0]]
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """How the noise of dithering is distributed: triangular, rectangular or like Gauss's bell.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> audio.Dither(audio.DensityFunction.TPDF)(np.zeros((1, 3), np.float32)).shape
        (1, 3)
    """

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """The curve along which a sound comes or goes.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> audio.Fade(2, 2, audio.FadeShape.LINEAR)(np.ones(4, np.float32)).tolist()
        [0.0, 1.0, 1.0, 0.0]
    """

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """What the number of a gain counts.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> audio.Vol(0.5, audio.GainType.AMPLITUDE)(np.ones(2, np.float32)).tolist()
        [0.5, 0.5]
    """

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """How a value between two samples is found.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> wave = np.ones((1, 4), np.float32)
        >>> audio.Flanger(16000, interpolation=audio.Interpolation.LINEAR)(wave).shape
        (1, 4)
    """

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """The formula of the mel scale.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> audio.MelScale(4, 16000, n_stft=6, mel_type=audio.MelType.SLANEY)(np.ones((6, 2), np.float32)).shape
        (4, 2)
    """

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """The wave that moves a delay.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> wave = np.ones((1, 4), np.float32)
        >>> audio.Flanger(16000, modulation=audio.Modulation.TRIANGULAR)(wave).shape
        (1, 4)
    """

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """How a cosine transform is scaled.

    Examples:
        >>> from mindspore.dataset import audio
        >>> audio.create_dct(2, 3, audio.NormMode.ORTHO).shape
        (3, 2)
    """

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """Whether the filters of a mel scale have equal areas.

    Examples:
        >>> from mindspore.dataset import audio
        >>> audio.melscale_fbanks(5, 0.0, 50.0, 3, 100, audio.NormType.SLANEY).shape
        (5, 3)
    """

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """The window over the sinc function that resampling uses.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> wave = np.ones((1, 6), np.float32)
        >>> audio.Resample(3, 1, resample_method=audio.ResampleMethod.KAISER_WINDOW)(wave).shape
        (1, 2)
    """

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """What a spectrum holds.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> audio.AmplitudeToDB(audio.ScaleType.POWER)(np.array([[1.0, 10.0]], np.float32)).tolist()
        [[0.0, 10.0]]
    """

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, Enum):  # noqa: UP042 (its text is MindSpore's)
    """The curve that a frame of sound is multiplied by.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import audio
        >>> wave = np.ones((1, 16), np.float32)
        >>> audio.Spectrogram(n_fft=8, window=audio.WindowType.HAMMING)(wave).shape
        (1, 5, 5)
    """

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> np.ndarray:
    """The matrix <n_mels, n_mfcc> of a cosine transform of type 2.

    >>> create_dct(1, 2).tolist()
    [[2.0], [2.0]]
    """
    check_positive_int("create_dct", "n_mfcc", n_mfcc)
    check_positive_int("create_dct", "n_mels", n_mels)
    check_type("create_dct", "norm", norm, NormMode)
    return cosines(n_mfcc, n_mels, norm).astype(np.float32)


def linear_fbanks(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> np.ndarray:
    """Triangular filters <n_freqs, n_filter> at equal distances.

    >>> linear_fbanks(5, 0.0, 4.0, 1, 8).ravel()[1:].tolist()
    [0.5, 1.0, 0.5, 0.0]
    """
    _check_filters("linear_fbanks", n_freqs, f_min, f_max, n_filter, sample_rate, "n_filter")
    return linear_filters(n_freqs, f_min, f_max, n_filter, sample_rate).astype(np.float32)


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> np.ndarray:
    """Triangular filters <n_freqs, n_mels> at equal distances of the mel scale.

    Examples:
        >>> from mindspore.dataset import audio
        >>> print(audio.melscale_fbanks(n_freqs=5, f_min=0.0, f_max=4000.0, n_mels=3, sample_rate=8000).shape)
        (5, 3)
    """
    _check_filters("melscale_fbanks", n_freqs, f_min, f_max, n_mels, sample_rate, "n_mels")
    check_type("melscale_fbanks", "norm", norm, NormType)
    check_type("melscale_fbanks", "mel_type", mel_type, MelType)
    return mel_filters(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float32)


def _check_filters(
    owner: str, n_freqs: int, f_min: float, f_max: float, count: int, sample_rate: int, count_name: str
) -> None:
    check_positive_int(owner, "n_freqs", n_freqs)
    check_float_range(owner, "f_min", f_min, 0.0, LARGEST)
    check_float_range(owner, "f_max", f_max, 0.0, LARGEST, include_low=False)
    if f_min > f_max:
        raise ValueError(f"For '{owner}', the 'f_min' must not be greater than 'f_max', but got {f_min} and {f_max}.")
    check_positive_int(owner, count_name, count)
    check_positive_int(owner, "sample_rate", sample_rate)


def cosines(n_mfcc: int, n_mels: int, norm: NormMode) -> np.ndarray:
    """``create_dct`` without checks, in float64."""
    table = np.cos(np.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc))
    if norm is NormMode.NONE:
        return table * 2
    table[:, 0] /= np.sqrt(2)
    return table * np.sqrt(2 / n_mels)


def linear_filters(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> np.ndarray:
    """``linear_fbanks`` without checks, in float64."""
    return _triangles(n_freqs, np.linspace(f_min, f_max, n_filter + 2), sample_rate)


def mel_filters(
    n_freqs: int, f_min: float, f_max: float, n_mels: int, sample_rate: int, norm: NormType, mel_type: MelType
) -> np.ndarray:
    """``melscale_fbanks`` without checks, in float64."""
    to_mel, to_hertz = _MEL_SCALES[mel_type]
    corners = to_hertz(np.linspace(to_mel(f_min), to_mel(f_max), n_mels + 2))
    filters = _triangles(n_freqs, corners, sample_rate)
    return filters * (2 / (corners[2:] - corners[:-2])) if norm is NormType.SLANEY else filters


def _triangles(n_freqs: int, corners: np.ndarray, sample_rate: int) -> np.ndarray:
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    widths = np.diff(corners)
    slopes = corners - frequencies[:, None]
    return np.maximum(0, np.minimum(-slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:]))


def _htk_mel(hertz: float) -> float:
    return 2595 * np.log10(1 + hertz / 700)


def _htk_hertz(mel: np.ndarray) -> np.ndarray:
    return 700 * (10 ** (mel / 2595) - 1)


# Slaney's scale is linear up to 1000 Hz, which is mel 15, and logarithmic above
_STEP = 200 / 3
_LOG_STEP = np.log(6.4) / 27


def _slaney_mel(hertz: float) -> float:
    return 15 + np.log(hertz / 1000) / _LOG_STEP if hertz >= 1000 else hertz / _STEP


def _slaney_hertz(mel: np.ndarray) -> np.ndarray:
    return np.where(mel >= 15, 1000 * np.exp(_LOG_STEP * (mel - 15)), mel * _STEP)


_MEL_SCALES = {MelType.HTK: (_htk_mel, _htk_hertz), MelType.SLANEY: (_slaney_mel, _slaney_hertz)}
