"""dataset.audio against real MindSpore's answers, and what cannot be compared with them."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from mindspore.dataset import NumpySlicesDataset, audio
from mindspore.dataset.audio import transforms, utils
from mindspore.dataset.audio._scales import through
from mindspore.dataset.core.config import set_seed
from tools.oracle.record_audio import CASES, REFUSED, answers, inputs, refusal
from tools.oracle.record_vision import lines

ANSWERS = np.load(pathlib.Path(__file__).parents[1] / "data" / "dataset_audio.npz")


@pytest.mark.parametrize("case", lines(CASES))
def test_result_is_that_of_real_mindspore(case):
    for place, result in enumerate(answers(case, audio)):
        recorded = ANSWERS[f"{place} {case}"]
        assert result.dtype == recorded.dtype
        assert result.shape == recorded.shape
        # float32 sums in another order differ by a little of the largest value, not of each
        scale = np.abs(recorded).max() if recorded.size else 0
        np.testing.assert_allclose(
            result, recorded, rtol=1e-5, atol=(1e-5 if result.dtype == np.float64 else 2e-5) * scale
        )


@pytest.mark.parametrize(("case", "error"), list(zip(lines(REFUSED), ANSWERS["refusals"].tolist(), strict=True)))
def test_refusal_is_that_of_real_mindspore(case, error):
    assert refusal(case, audio) == error


def test_every_name_of_real_mindspore_exists_in_every_spelling():
    assert len(transforms.__all__) == 51
    assert all(getattr(audio, name) is getattr(transforms, name) for name in transforms.__all__)
    assert all(getattr(audio, name) is getattr(utils, name) for name in utils.__all__)
    assert str(audio.BorderType.EDGE) == "BorderType.EDGE"


def test_half_precision_is_filtered_in_full_and_given_back_in_half():
    names = inputs(audio)
    result = audio.LowpassBiquad(16000, 500.0)(names["half"])
    assert result.dtype == np.float16
    np.testing.assert_allclose(result, audio.LowpassBiquad(16000, 500.0)(names["half"].astype(np.float64)), atol=1e-3)


def test_both_halves_of_a_spectrum_make_the_sound_again():
    sound = inputs(audio)["double"]
    spectrum = audio.Spectrogram(32, power=0, onesided=False)(sound)
    np.testing.assert_allclose(audio.InverseSpectrogram(160, 32, onesided=False)(spectrum), sound, atol=1e-12)


@pytest.mark.parametrize("pad", [0, 7])
@pytest.mark.parametrize("normalized", [False, True])
def test_a_spectrum_makes_the_sound_again(pad, normalized):
    sound = inputs(audio)["double"]
    spectrum = audio.Spectrogram(32, 24, 6, pad, power=0, normalized=normalized)(sound)
    again = audio.InverseSpectrogram(160, 32, 24, 6, pad, normalized=normalized)(spectrum)
    np.testing.assert_allclose(again, sound, atol=1e-12)


def test_griffin_lim_finds_a_sound_of_these_magnitudes():
    set_seed(4)  # it starts from random phases, not all of which lead there in 60 steps
    sound = np.sin(np.arange(600) * 0.3)[None]
    magnitudes = audio.Spectrogram(64, hop_length=8)(sound)
    again = audio.GriffinLim(64, 60, hop_length=8, length=600)(magnitudes)
    assert again.shape == (1, 600)
    found = audio.Spectrogram(64, hop_length=8)(again)
    assert np.abs(np.sqrt(found) - np.sqrt(magnitudes)).mean() < 0.15 * np.sqrt(magnitudes).mean()


@pytest.mark.parametrize("length", [40, 70])
def test_griffin_lim_makes_any_length(length):
    power = inputs(audio)["power"]
    assert audio.GriffinLim(16, 3, 12, 5, length=length, rand_init=False)(power).shape == (2, length)


def test_the_inverse_of_the_mel_scale_gives_the_mel_spectrum_again():
    to_mel = audio.MelScale(6, 4000, n_stft=17)
    mel = to_mel(np.random.default_rng(1).uniform(0.5, 1, (2, 17, 5)))
    spectrum = audio.InverseMelScale(17, 6, 4000, max_iter=4000)(mel)
    assert spectrum.shape == (2, 17, 5)
    assert spectrum.min() >= 0
    np.testing.assert_allclose(to_mel(spectrum), mel, rtol=0.05)
    assert audio.InverseMelScale(17, 6, 4000, max_iter=1)(mel[0]).shape == (1, 17, 5)


def test_voice_detection_cuts_off_what_comes_before_the_voice():
    rate, random = 4000, np.random.default_rng(0)
    time = np.arange(12000) / rate
    sound = random.normal(0, 0.001, (1, 12000))
    sound[0, 6000:10000] += sum(0.3 * np.sin(2 * np.pi * 180 * i * time[6000:10000]) / i for i in range(1, 12))
    kept = audio.Vad(rate)(sound)
    assert 5000 < 12000 - kept.shape[1] < 6200
    np.testing.assert_array_equal(kept, sound[:, 12000 - kept.shape[1] :])


@pytest.mark.parametrize("density", list(audio.DensityFunction))
def test_dithering_stays_near_the_sound_on_steps_of_16_bits(density):
    sound = inputs(audio)["double"]
    result = audio.Dither(density)(sound)
    assert np.abs(result - sound).max() < 4e-4
    np.testing.assert_allclose(result * 2**15, np.round(result * 2**15), atol=1e-9)


@pytest.mark.parametrize(("make", "axis"), [
    (lambda: audio.MaskAlongAxisIID(5, 9.0, 1), 1),
    (lambda: audio.MaskAlongAxisIID(5, 9.0, 2), 2),
    (lambda: audio.FrequencyMasking(True, 5, mask_value=9.0), 1),
    (lambda: audio.TimeMasking(True, 5, mask_value=9.0), 2),
])  # fmt: skip
def test_a_random_mask_is_one_stretch_that_differs_from_call_to_call(make, axis):
    operation, power = make(), inputs(audio)["power"]
    widths = set()
    for _ in range(40):
        masked = np.moveaxis(operation(power) == 9.0, axis, -1)[0, 0]
        places = np.flatnonzero(masked)
        assert len(places) <= 5
        assert not len(places) or places[-1] - places[0] == len(places) - 1
        widths.add(len(places))
    assert len(widths) > 2


def test_arguments_of_the_spectrum_may_be_left_out():
    sound = inputs(audio)["wave"]
    assert audio.MFCC(4000, 12, melkwargs={"n_fft": 64, "n_mels": 16})(sound).shape == (2, 12, 6)
    assert audio.LFCC(4000, 20, 12, speckwargs={"n_fft": 64})(sound).shape == (2, 12, 6)


@pytest.mark.parametrize(("call", "message"), [
    ("audio.MFCC(n_mfcc=200)", "'n_mfcc' must not be greater than 'n_mels'"),
    ("audio.LFCC(n_lfcc=500)", "'n_lfcc' must not be greater than 'n_fft'"),
    ("audio.SlidingWindowCmn(0)", "For 'SlidingWindowCmn', the 'cmn_window' must be in range"),
    ("audio.PitchShift(0, 4)", "For 'PitchShift', the 'sample_rate' must be in range"),
    ("audio.Resample(1, 2, rolloff=0)", "For 'Resample', the 'rolloff' must be in range"),
    ("audio.Biquad(1, 1, 1, 0, 1, 1)", "For 'Biquad', the 'a0' must not be 0"),
    ("audio.Phaser(0, delay_ms=0.0)(np.zeros(3))", "less than one sample"),
    ("audio.Spectrogram(8, center=False)(np.zeros(3))", "too short for frames of n_fft = 8"),
    ("audio.MelScale(8, n_stft=9)(np.zeros((5, 3)))", "must have n_stft = 9 frequencies"),
    ("audio.Angle()(np.zeros((5, 3)))", "the input must have the shape <..., complex=2>"),
    ("audio.Flanger(16000)(np.zeros(3))", "the input must have the shape <..., freq, time>"),
])  # fmt: skip
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises((ValueError, RuntimeError)) as raised:
        eval(call)
    assert message in str(raised.value)


def test_rates_without_common_divisor_are_no_more_work():
    sound = np.sin(np.arange(5000) * 0.05)
    result = audio.Resample(16001, 15999)(sound)  # one kernel for each would be gigabytes
    assert result.shape == (5000,)
    np.testing.assert_allclose(result[100:-100], np.sin(np.arange(5000) * 16001 / 15999 * 0.05)[100:-100], atol=1e-3)


def test_transforms_run_in_a_pipeline_alike_with_any_number_of_workers():
    sounds = np.random.default_rng(0).normal(0, 0.1, (12, 64)).astype(np.float32)

    def rows(workers):
        set_seed(3)
        data = NumpySlicesDataset({"sound": sounds}, shuffle=False)
        steps = [audio.LowpassBiquad(16000, 2000.0), audio.Spectrogram(16), audio.TimeMasking(True, 5)]
        data = data.map(steps, ["sound"], num_parallel_workers=workers).batch(4)
        return np.concatenate([one["sound"] for one in data.create_dict_iterator(num_epochs=1, output_numpy=True)])

    one = rows(1)
    assert one.shape == (12, 9, 9)
    np.testing.assert_array_equal(one, rows(3))


def test_large_products_are_computed_in_parts():
    rng = np.random.default_rng(0)
    for frequencies, count, length in ((201, 128, 130), (1025, 300, 3)):
        filters, spectra = rng.random((frequencies, count)), rng.random((2, frequencies, length))
        np.testing.assert_allclose(through(filters, spectra), np.matmul(filters.T, spectra), rtol=1e-12)


@pytest.mark.parametrize(
    ("shift", "gain", "expected"),
    [
        (-0.4, None, [-1.0, -0.7, -0.1, 0.6]),
        (0.4, 0.0, [-0.6, 0.1, 0.7, 1.0]),
        (0.0, -0.4, [-1.0, -0.3, 0.3, 1.0]),
        (-1.5, -0.4, [0.9, 0.9, 0.9, -0.5]),
    ],
)
def test_a_shift_is_limited_by_a_gain_of_its_own_alone(shift, gain, expected):
    sound = np.array([-1.0, -0.3, 0.3, 1.0], np.float32)
    np.testing.assert_allclose(audio.DCShift(shift, gain)(sound), expected, rtol=1e-6)
