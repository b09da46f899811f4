"""Image transforms give what real MindSpore gave: uint8 results bit for bit, others within rounding."""

import pathlib

import cv2
import numpy as np
import pytest

import mindspore.dataset.vision as vision
from tools.oracle import record_vision

RECORDED = np.load(pathlib.Path(__file__).parents[1] / "data" / "dataset_vision.npz")
AVX2 = 11  # OpenCV's number
NAMES = {"vision": vision} | {key[5:]: RECORDED[key] for key in RECORDED if key.startswith("file ")}


def recorded(key):
    """What real MindSpore gave on a processor of this kind; OpenCV, which it uses too, rounds twice without AVX2."""
    other = key + record_vision.WITHOUT_AVX2
    return RECORDED[key if cv2.checkHardwareSupport(AVX2) or other not in RECORDED else other]


@pytest.mark.parametrize("case", record_vision.lines(record_vision.CASES))
def test_results_are_those_of_real_mindspore(case):
    results = record_vision.answers(case, NAMES)
    assert f"{len(results)} {case}" not in RECORDED
    for i, result in enumerate(results):
        expected = recorded(f"{i} {case}")
        assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
        if expected.dtype.kind == "f":
            np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-5)
        else:
            np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("case", ["Rescale(1 / 255, -0.1307)", "Normalize([12.0], [5.0])", "ToTensor()"])
def test_float_results_of_bytes_have_the_same_bits_too(case):
    call = f"vision.{case}(rgb)"
    np.testing.assert_array_equal(record_vision.answers(call, NAMES)[0], RECORDED[f"0 {call}"])


@pytest.mark.parametrize("position", range(len(RECORDED["refusals"])))
def test_errors_have_the_class_of_real_mindspore(position):
    case = record_vision.lines(record_vision.REFUSED)[position]
    expected = str(RECORDED["refusals"][position])
    if expected == "nothing":
        record_vision.answers(case, NAMES)
        return
    assert record_vision.refusal(case, NAMES) == expected
