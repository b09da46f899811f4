"""What real MindSpore makes of sound: ``python -m tools.oracle.record_audio tests/data/dataset_audio.npz``.

Every line of ``CASES`` is a call whose result is certain; ``REFUSED`` are calls that must fail.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tools.oracle.record_vision import lines

CASES = """
audio.AllpassBiquad(16000, 1000.0)(wave)
audio.AllpassBiquad(16000, 1000.0, 0.3)(double)
audio.BandBiquad(16000, 1000.0)(wave)
audio.BandBiquad(16000, 1000.0, 0.5, True)(double)
audio.BandpassBiquad(16000, 1000.0)(wave)
audio.BandpassBiquad(16000, 1000.0, 0.5, True)(double)
audio.BandrejectBiquad(16000, 1000.0)(wave)
audio.BandrejectBiquad(16000, 1000.0, 0.4)(double)
audio.BassBiquad(16000, 10.0)(wave)
audio.BassBiquad(44100, -6, 300, 0.5)(double)
audio.TrebleBiquad(16000, 10.0)(wave)
audio.TrebleBiquad(44100, -6, 2000, 0.5)(double)
audio.EqualizerBiquad(16000, 1000.0, 6.0)(wave)
audio.EqualizerBiquad(44100, 200, -4, 0.3)(double)
audio.HighpassBiquad(16000, 500.0)(wave)
audio.HighpassBiquad(44100, 500, 0.3)(double)
audio.LowpassBiquad(16000, 500.0)(wave)
audio.LowpassBiquad(-16000, 500.0)(wave)
audio.LowpassBiquad(44100, 500, 0.3)(double)
audio.LowpassBiquad(44100, 500, 0.3)(wave[0])
audio.LowpassBiquad(44100, 500, 0.3)(cube)
audio.DeemphBiquad(44100)(wave)
audio.DeemphBiquad(48000)(double)
audio.RiaaBiquad(44100)(wave)
audio.RiaaBiquad(48000)(wave)
audio.RiaaBiquad(88200)(wave)
audio.RiaaBiquad(96000)(double)
audio.Biquad(0.01, 0.02, 0.13, 1, 0.12, 0.3)(wave)
audio.Biquad(0.01, 0.02, 0.13, 2, 0.12, 0.3)(double)
audio.LFilter([1.0, 0.1, 0.3], [0.4, 0.2, 0.9])(wave)
audio.LFilter([1.0, 0.1, 0.3], [0.4, 0.2, 0.9], False)(double)
audio.LFilter([2.0, 0.1, 0.3], [0.4, 0.2, 0.9], clamp=False)(wave)
audio.Filtfilt([1.0, 0.1, 0.3], [0.4, 0.2, 0.9])(wave)
audio.Filtfilt([1.0, 0.1, 0.3], [0.4, 0.2, 0.9], False)(double)
audio.Contrast()(wave)
audio.Contrast(20)(double)
audio.Contrast(100.0)(double)
audio.Gain()(integers)
audio.DCShift(0.5)(wave)
audio.DCShift(0.5, 0.05)(wave)
audio.DCShift(-0.5, 0.1)(wave)
audio.DCShift(-0.3, 0.02)(double)
audio.DCShift(1.5, 0.02)(wave)
audio.Dither()(wave)
audio.Dither(noise_shaping=True)(wave)
audio.Dither(audio.DensityFunction.TPDF, True)(double)
audio.Dither()(cube)
audio.Fade(30, 20)(wave)
audio.Fade(30, 20, audio.FadeShape.QUARTER_SINE)(wave)
audio.Fade(30, 20, audio.FadeShape.HALF_SINE)(double)
audio.Fade(30, 20, audio.FadeShape.LOGARITHMIC)(wave)
audio.Fade(30, 20, audio.FadeShape.EXPONENTIAL)(wave)
audio.Fade(1, 1)(integers)
audio.Fade()(wave)
audio.Gain()(wave)
audio.Gain(-6.5)(double)
audio.Vol(0.3)(wave)
audio.Vol(30.0)(wave)
audio.Vol(3.0, audio.GainType.DB)(wave)
audio.Vol(2, audio.GainType.POWER)(double)
audio.MuLawEncoding()(wave)
audio.MuLawEncoding(100)(double)
audio.MuLawDecoding()(codes)
audio.MuLawDecoding(100)(codes.astype(np.float32))
audio.Overdrive()(wave)
audio.Overdrive(5, 70)(double)
audio.Flanger(44100)(wave)
audio.Flanger(16000, 5.0, 3.0, 30.0, 50.0, 2.0, 40.0)(wave)
audio.Flanger(16000, 5.0, 3.0, -30.0, 50.0, 2.0, 40.0, audio.Modulation.TRIANGULAR)(double)
audio.Flanger(16000, 5.0, 3.0, 30.0, 50.0, 2.0, 40.0, interpolation=audio.Interpolation.QUADRATIC)(wave)
audio.Phaser(44100)(wave)
audio.Phaser(16000, 0.5, 0.8, 2.0, 0.3, 1.0, False)(double)
audio.AmplitudeToDB()(power)
audio.AmplitudeToDB(audio.ScaleType.MAGNITUDE, 2.0, 1e-5, 20.0)(power)
audio.AmplitudeToDB(top_db=1.0)(np.stack([power, power * 100]))
audio.DBToAmplitude(1.0, 1.0)(wave)
audio.DBToAmplitude(0.5, 0.5)(double)
audio.Angle()(spectrum)
audio.Angle()(spectrum[0].astype(np.float64))
audio.ComplexNorm()(spectrum)
audio.ComplexNorm(2.0)(spectrum.astype(np.float64))
audio.ComplexNorm(0.5)(spectrum[0, 0])
audio.ComplexNorm(2.0)(spectrum_integers)
audio.Magphase()(spectrum)
audio.Magphase(2.0)(spectrum.astype(np.float64))
audio.ComputeDeltas()(power)
audio.ComputeDeltas(7, audio.BorderType.REFLECT)(power)
audio.ComputeDeltas(3, audio.BorderType.CONSTANT)(power.astype(np.float64))
audio.ComputeDeltas(4, audio.BorderType.SYMMETRIC)(power)
audio.SlidingWindowCmn()(power)
audio.SlidingWindowCmn(8, 3)(power)
audio.SlidingWindowCmn(8, 3, True)(power)
audio.SlidingWindowCmn(8, 3, True, True)(power)
audio.SlidingWindowCmn(8, 3, False, True)(power.astype(np.float64))
audio.SlidingWindowCmn(30, 3, True, True)(power[0])
audio.DetectPitchFrequency(4000, win_length=5, freq_high=1500)(long)
audio.DetectPitchFrequency(4000, 0.005, 7, 90, 1200)(long.astype(np.float64))
audio.MaskAlongAxis(2, 3, 0.5, 1)(power)
audio.MaskAlongAxis(0, 5, 7, 2)(power)
audio.MaskAlongAxis(0, 5, 7.0, 2)(np.stack([power, power]))
audio.FrequencyMasking(False, 3, 1)(power)
audio.FrequencyMasking(freq_mask_param=3, mask_start=2, mask_value=1.5)(power.astype(np.float64))
audio.TimeMasking(False, 3, 1)(power)
audio.TimeMasking(time_mask_param=3, mask_start=2, mask_value=1.5)(power)
audio.MaskAlongAxisIID(0, 2.0, 1)(power)
audio.Spectrogram(64)(wave)
audio.Spectrogram(400)(wave)
audio.Spectrogram(32, onesided=False, normalized=True)(wave)
audio.Spectrogram(64, 40, 16, 5, power=1.0)(double)
audio.Spectrogram(64, 40, 16, 5, audio.WindowType.HAMMING, 3.0, True)(wave)
audio.Spectrogram(64, 40, 16, window=audio.WindowType.BLACKMAN, center=False)(wave)
audio.Spectrogram(64, 40, 16, window=audio.WindowType.BARTLETT, pad_mode=audio.BorderType.EDGE)(wave)
audio.Spectrogram(64, 40, 16, window=audio.WindowType.KAISER, pad_mode=audio.BorderType.CONSTANT)(wave)
audio.Spectrogram(64, 40, 16, pad_mode=audio.BorderType.SYMMETRIC, onesided=False)(wave)
audio.Spectrogram(64, 41, 16, power=0.0)(wave)
audio.Spectrogram(63, 41, 16, power=0)(wave[0])
audio.InverseSpectrogram(None, 16)(spectrum)
audio.InverseSpectrogram(50, 16)(spectrum)
audio.InverseSpectrogram(120, 16, 12, 5)(spectrum)
audio.InverseSpectrogram(None, 16, window=audio.WindowType.HAMMING, center=False)(spectrum)
audio.SpectralCentroid(16000, 64)(wave)
audio.SpectralCentroid(44100, 64, 40, 16, 5, audio.WindowType.HAMMING)(double)
audio.MelScale(8, 4000, n_stft=9)(power)
audio.MelScale(8, 4000, 20.0, 1500.0, 9, audio.NormType.SLANEY, audio.MelType.SLANEY)(power.astype(np.float64))
audio.MelScale(8, 4000, n_stft=9, norm=audio.NormType.SLANEY)(power[0])
audio.MelSpectrogram(4000, 64, n_mels=10)(wave)
audio.MelSpectrogram(4000, 64, 50, 20, 30.0, 1800.0, 5, 10, audio.WindowType.HAMMING, 1.5, True)(wave)
audio.MelSpectrogram(4000, 64, n_mels=10, norm=audio.NormType.SLANEY, mel_scale=audio.MelType.SLANEY)(wave)
audio.MelSpectrogram(4000, 64, n_mels=10, center=False)(wave)
audio.MFCC(4000, 12, melkwargs=mel_arguments)(wave)
audio.LFCC(4000, 20, 12, speckwargs=spectrum_arguments)(wave)
audio.MFCC(4000, 12, norm=audio.NormMode.NONE, log_mels=True, melkwargs=mel_arguments)(wave)
audio.LFCC(4000, 20, 12, 10.0, 1900.0, 2, audio.NormMode.NONE, True, spectrum_arguments)(wave)
audio.InverseSpectrogram(None, 16, 12, 5, 0, audio.WindowType.HAMMING, True)(spectrum)
audio.GriffinLim(16, 5, rand_init=False)(power)
audio.GriffinLim(16, 3, 12, 5, audio.WindowType.HAMMING, 1.0, 0.5, 62, False)(power.astype(np.float64))
audio.PhaseVocoder(1.3, advance)(spectrum)
audio.PhaseVocoder(0.7, advance.astype(np.float64))(spectrum[0].astype(np.float64))
audio.PhaseVocoder(2.0, advance.astype(np.float64))(spectrum.astype(np.float64))
audio.TimeStretch(8, 9, 1.3)(spectrum)
audio.TimeStretch(n_freq=9, fixed_rate=0.7)(spectrum.astype(np.float64))
audio.TimeStretch(n_freq=9)(spectrum)
audio.PitchShift(4000, 4, n_fft=64)(wave)
audio.PitchShift(4000, -3, 24, 64, 50, 20, audio.WindowType.HAMMING)(double)
audio.Resample()(wave)
audio.Resample(16000, 8000)(wave)
audio.Resample(4000, 6000, audio.ResampleMethod.KAISER_WINDOW)(double)
audio.Resample(48, 44, lowpass_filter_width=3, rolloff=0.8)(wave)
audio.Resample(48, 44, audio.ResampleMethod.KAISER_WINDOW, 3, 0.8, 7.0)(wave)
audio.Resample(2.0, 3.0)(wave[0])
audio.Vad(1000)(loud * 0)
audio.create_dct(5, 8)
audio.create_dct(5, 8, audio.NormMode.ORTHO)
audio.linear_fbanks(20, 0.0, 2000.0, 8, 4000)
audio.linear_fbanks(20, 100, 1500, 8, 4000)
audio.melscale_fbanks(20, 0.0, 2000.0, 8, 4000)
audio.melscale_fbanks(20, 50, 1500.0, 8, 4000, audio.NormType.SLANEY, audio.MelType.SLANEY)
"""


REFUSED = """
audio.AllpassBiquad(44100, 200.0)(integers)
audio.AllpassBiquad(0, 200.0)
audio.AllpassBiquad(44100.5, 200.0)
audio.AllpassBiquad(44100, "200")
audio.AllpassBiquad(44100, 200.0, 1.5)
audio.AllpassBiquad(44100, 200.0, 0)
audio.AllpassBiquad(44100, 200.0)([1.0, 2.0])
audio.AllpassBiquad(44100, 200.0)(np.float32(3.0))
audio.AllpassBiquad(44100)
audio.AllpassBiquad(44100, 200.0, P=3)
audio.BandBiquad(44100, 200.0, 0.7, 1)
audio.BandpassBiquad(44100, 200.0, 0.7, "yes")
audio.BassBiquad(44100, "a")
audio.DeemphBiquad(16000)
audio.DeemphBiquad(44100.0)
audio.RiaaBiquad(16000)
audio.Biquad(1, 1, 1, 0, 1, 1)
audio.Biquad("1", 1, 1, 1, 1, 1)
audio.LFilter([1.0, 0.1], [0.4])
audio.LFilter(1.0, [0.4])
audio.LFilter([1.0, "a"], [0.4, 0.5])
audio.LFilter([1.0, 0.1], [0.4, 0.5], 1)
audio.LFilter([2.0, 0.1, 0.3], [0.4, 0.2, 0.9], clamp=False)(integers)
audio.Filtfilt([1.0, 0.1], [0.4])
audio.Contrast(101)
audio.Contrast("a")
audio.DCShift(2.1)
audio.DCShift(1.0, "a")
audio.Dither("TPDF")
audio.Dither(audio.DensityFunction.TPDF, 1)
audio.Fade(30, 200, audio.FadeShape.EXPONENTIAL)(wave)
audio.Fade(-1)
audio.Fade(1.5)
audio.Fade(1, 1, "linear")
audio.Gain("a")
audio.Vol(-1.0)
audio.Vol(0, audio.GainType.POWER)
audio.Vol(1.0, "db")
audio.MuLawEncoding(0)
audio.MuLawEncoding("a")
audio.MuLawDecoding(1.5)
audio.Overdrive(101)
audio.Overdrive(10, -1)
audio.Flanger(0)
audio.Flanger(44100, 31)
audio.Flanger(44100, 0, 11)
audio.Flanger(44100, regen=96)
audio.Flanger(44100, width=101)
audio.Flanger(44100, speed=0)
audio.Flanger(44100, phase=101)
audio.Flanger(44100, modulation="sinusoidal")
audio.Flanger(44100)(wave[0])
audio.Flanger(44100)(np.zeros((5, 9), np.float32))
audio.Phaser(44100, 1.5)
audio.Phaser(44100, delay_ms=6)
audio.Phaser(44100, decay=1)
audio.Phaser(44100, mod_speed=3)
audio.Phaser(44100, sinusoidal=1)
audio.AmplitudeToDB("power")
audio.AmplitudeToDB(ref_value=0)
audio.AmplitudeToDB(amin=-1)
audio.AmplitudeToDB(top_db=None)
audio.AmplitudeToDB()(wave[0])
audio.DBToAmplitude("a", 1)
audio.DBToAmplitude(1, None)
audio.Angle()(wave)
audio.ComplexNorm(-1)
audio.ComplexNorm()(power)
audio.Magphase(-1.0)
audio.ComputeDeltas(2)
audio.ComputeDeltas(5, "edge")
audio.ComputeDeltas()(wave[0])
audio.SlidingWindowCmn(5, 5, 1)
audio.SlidingWindowCmn()(wave[0])
audio.DetectPitchFrequency(0)
audio.DetectPitchFrequency(4000, 0)
audio.DetectPitchFrequency(4000, freq_low="a")
audio.MaskAlongAxis(-1, 5, 1, 1)
audio.MaskAlongAxis(1, 0, 1, 1)
audio.MaskAlongAxis(1, 5, 1, 0)
audio.MaskAlongAxis(5, 30, 1, 2)(power)
audio.MaskAlongAxis(30, 3, 1, 2)(power)
audio.MaskAlongAxisIID(-1, 1, 1)
audio.MaskAlongAxisIID(5, 1, 3)
audio.MaskAlongAxisIID(50, 1, 1)(power)
audio.FrequencyMasking(1)
audio.FrequencyMasking(False, -1)
audio.FrequencyMasking(False, 1, 1, -1.0)
audio.FrequencyMasking(False, 30)(power)
audio.FrequencyMasking(False, 3, 30)(power)
audio.TimeMasking(True, 30)(power)
audio.Spectrogram(0)
audio.Spectrogram(16, 17)
audio.Spectrogram(16, 10, 0)
audio.Spectrogram(16, window="hann")
audio.Spectrogram(16, power=-1)
audio.Spectrogram(16, pad=-1)
audio.InverseSpectrogram(-1)
audio.InverseSpectrogram(None, 16, 17)
audio.InverseSpectrogram(None, 32)(spectrum)
audio.SpectralCentroid(-1)
audio.SpectralCentroid(16000, 16, 17)
audio.MelScale(0)
audio.MelScale(8, f_min=10000.0)
audio.MelScale(8, f_min=100.0, f_max=50.0)
audio.MelScale(8, norm="none")
audio.MelScale(8)(power)
audio.MelSpectrogram(16000, 16, 17)
audio.MelSpectrogram(mel_scale="htk")
audio.MelSpectrogram(f_min=9000.0)
audio.InverseMelScale(0)
audio.InverseMelScale(9, sgdargs={"sgd_lr": 1})
audio.InverseMelScale(9, sgdargs={"sgd_lr": -1, "sgd_momentum": 1})
audio.InverseMelScale(9, max_iter=0)
audio.MFCC(-1)
audio.MFCC(dct_type=3)
audio.MFCC(norm="ortho")
audio.MFCC(log_mels=1)
audio.MFCC(melkwargs=3)
audio.LFCC(n_filter=0)
audio.LFCC(dct_type=1)
audio.LFCC(speckwargs=[1])
audio.GriffinLim(0)
audio.GriffinLim(16, 0)
audio.GriffinLim(16, 3, 17)
audio.GriffinLim(16, power=0)
audio.GriffinLim(32)(power)
audio.PhaseVocoder(0, advance)
audio.PhaseVocoder(1.0, [[1.0]])
audio.PhaseVocoder(1.3, advance[:5])(spectrum)
audio.TimeStretch(0)
audio.TimeStretch(8, 9, -1.0)
audio.PitchShift(4000, 1.5)
audio.PitchShift(4000, 4, 0)
audio.PitchShift(4000, 4, 12, 16, 17)
audio.Resample(0, 1)
audio.Resample(1, -1)
audio.Resample(1, 1, "kaiser_window")
audio.Resample(1, 1, rolloff=1.5)
audio.Resample(1, 1, lowpass_filter_width=0)
audio.Vad(0)
audio.Vad(1000, "a")
audio.Vad(1000, noise_up_time=0.001)
audio.Vad(1000, hp_lifter_freq=-1.0)
audio.create_dct(0, 5)
audio.create_dct(5, 5, "none")
audio.linear_fbanks(5, 3.0, 1.0, 5, 10)
audio.melscale_fbanks(5, 0.0, -1.0, 5, 10)
audio.melscale_fbanks(5, 0.0, 1.0, 5, 10, "slaney")
"""


def inputs(audio: Any) -> dict[str, Any]:
    """The sounds that the calls name."""
    spectrum_arguments = {
        "n_fft": 64,
        "win_length": 50,
        "hop_length": 30,
        "pad": 0,
        "power": 2.0,
        "window": audio.WindowType.HANN,
        "normalized": False,
        "center": True,
        "pad_mode": audio.BorderType.REFLECT,
        "onesided": True,
    }
    mel_arguments = {
        **spectrum_arguments,
        "n_mels": 16,
        "f_min": 0.0,
        "f_max": 2000.0,
        "norm": audio.NormType.NONE,
        "mel_scale": audio.MelType.HTK,
    }
    random = np.random.default_rng(7)
    time = np.arange(160) / 16
    double = np.stack([0.6 * np.sin(time * 3), 0.5 * np.cos(time * 7)]) + random.normal(0, 0.1, (2, 160))
    seconds = np.arange(1200) / 4000
    silence = random.normal(0, 0.001, (2, 1500))
    silence[:, 700:1200] += 0.8 * np.sin(np.arange(500) * 0.9)
    return {
        "np": np,
        "spectrum_arguments": spectrum_arguments,
        "mel_arguments": mel_arguments,
        "double": double,
        "wave": double.astype(np.float32),
        "half": double.astype(np.float16),
        "cube": np.stack([double, double[::-1] * 0.5]).astype(np.float32),
        "integers": (double * 1000).astype(np.int16),
        "codes": random.integers(0, 100, (2, 30)).astype(np.int32),
        "long": (np.sin(seconds * 1500) + random.normal(0, 0.1, (2, 1200))).astype(np.float32),
        "loud": silence.astype(np.float32),
        "power": random.uniform(0.01, 2, (2, 9, 13)).astype(np.float32),
        "spectrum": random.normal(0, 1, (2, 9, 13, 2)).astype(np.float32),
        "spectrum_integers": random.integers(-9, 9, (9, 13, 2)),
        "advance": np.linspace(0, np.pi * 4, 9, dtype=np.float32)[:, None],
    }


def answers(case: str, audio: Any) -> list[np.ndarray]:
    """The arrays that a call returns."""
    result = eval(case, {"audio": audio, **inputs(audio)})
    return [np.asarray(one) for one in (result if isinstance(result, tuple) else (result,))]


def refusal(case: str, audio: Any) -> str:
    """The class of the error that a call raises."""
    try:
        eval(case, {"audio": audio, **inputs(audio)})
    except Exception as error:
        return type(error).__name__
    return "nothing"


def main(audio: Any) -> None:
    """Record everything; what is not exact in 32 bits anyway is kept in 32."""
    recorded: dict[str, np.ndarray] = {}
    for case in lines(CASES):
        recorded |= {f"{i} {case}": result for i, result in enumerate(answers(case, audio))}
    recorded["refusals"] = np.array([refusal(case, audio) for case in lines(REFUSED)])
    np.savez_compressed(sys.argv[1], **recorded)


if __name__ == "__main__":
    import mindspore.dataset.audio

    main(mindspore.dataset.audio)
