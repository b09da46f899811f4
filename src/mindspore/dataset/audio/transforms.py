"""Audio transforms, under MindSpore's names."""

from mindspore.dataset.audio._features import ComputeDeltas, DetectPitchFrequency, SlidingWindowCmn
from mindspore.dataset.audio._filters import (
    AllpassBiquad,
    BandBiquad,
    BandpassBiquad,
    BandrejectBiquad,
    BassBiquad,
    Biquad,
    DeemphBiquad,
    EqualizerBiquad,
    Filtfilt,
    HighpassBiquad,
    LFilter,
    LowpassBiquad,
    RiaaBiquad,
    TrebleBiquad,
)
from mindspore.dataset.audio._loudness import (
    AmplitudeToDB,
    Contrast,
    DBToAmplitude,
    DCShift,
    Dither,
    Fade,
    Gain,
    MuLawDecoding,
    MuLawEncoding,
    Overdrive,
    Vol,
)
from mindspore.dataset.audio._masking import FrequencyMasking, MaskAlongAxis, MaskAlongAxisIID, TimeMasking
from mindspore.dataset.audio._modulation import Flanger, Phaser
from mindspore.dataset.audio._phases import Angle, ComplexNorm, Magphase, PhaseVocoder, PitchShift, TimeStretch
from mindspore.dataset.audio._resampling import Resample
from mindspore.dataset.audio._scales import LFCC, MFCC, InverseMelScale, MelScale, MelSpectrogram
from mindspore.dataset.audio._spectrograms import GriffinLim, InverseSpectrogram, SpectralCentroid, Spectrogram
from mindspore.dataset.audio._vad import Vad
from mindspore.dataset.transforms._custom import AudioTensorOperation, Implementation, TensorOperation  # noqa: F401 - not public in the package, but of this module

__all__ = [
    "LFCC",
    "MFCC",
    "AllpassBiquad",
    "AmplitudeToDB",
    "Angle",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "ComplexNorm",
    "ComputeDeltas",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "DeemphBiquad",
    "DetectPitchFrequency",
    "Dither",
    "EqualizerBiquad",
    "Fade",
    "Filtfilt",
    "Flanger",
    "FrequencyMasking",
    "Gain",
    "GriffinLim",
    "HighpassBiquad",
    "InverseMelScale",
    "InverseSpectrogram",
    "LFilter",
    "LowpassBiquad",
    "Magphase",
    "MaskAlongAxis",
    "MaskAlongAxisIID",
    "MelScale",
    "MelSpectrogram",
    "MuLawDecoding",
    "MuLawEncoding",
    "Overdrive",
    "PhaseVocoder",
    "Phaser",
    "PitchShift",
    "Resample",
    "RiaaBiquad",
    "SlidingWindowCmn",
    "SpectralCentroid",
    "Spectrogram",
    "TimeMasking",
    "TimeStretch",
    "TrebleBiquad",
    "Vad",
    "Vol",
]
