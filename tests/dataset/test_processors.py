"""What real MindSpore gave comes on every processor: the recorded cases again, with vector units switched off."""

import os
import platform
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mindspore.dataset.vision._implementation.homography import back_to_source

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ["test_vision_recorded.py", "test_audio.py", "test_transforms.py"]
SETTINGS = {
    "a processor with AVX-512": {"OPENBLAS_CORETYPE": "SkylakeX", "OPENCV_IPP": "avx512"},
    "a processor with AVX2": {
        "OPENBLAS_CORETYPE": "Haswell",
        "OPENCV_CPU_DISABLE": "AVX512_SKX",
        "OPENCV_IPP": "avx2",
        "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR X86_V4",
    },
    "another maker's processor": {"OPENBLAS_CORETYPE": "Zen", "OPENCV_IPP": "disabled"},
    "an old processor": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "OPENCV_CPU_DISABLE": "AVX512_SKX,AVX2,FMA3,FP16,AVX",
        "OPENCV_IPP": "sse42",
    },
}


def usable(settings: dict[str, str]) -> bool:
    """Whether this machine can stand in for the other: code for units it lacks would end the process."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="ascii").split()
    except OSError:
        return False
    needed = {"SkylakeX": "avx512bw", "Haswell": "avx2", "Zen": "avx2"}.get(settings["OPENBLAS_CORETYPE"], "sse4_2")
    return platform.machine() == "x86_64" and needed in flags


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.heavy] if i else []) for i, name in enumerate(SETTINGS)],
)
def test_recorded_results_come_on(name: str) -> None:
    settings = SETTINGS[name]
    if not usable(settings):
        pytest.skip(f"this machine cannot compute as {name}")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line"]
    files = [f"tests/dataset/{file}" for file in RECORDED]
    run = subprocess.run(
        [*command, *files], env={**os.environ, **settings}, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]


def solved(rows: list[list[int]], known: list[int]) -> list[Fraction]:
    """The solution of a linear system, without rounding."""
    system = [[Fraction(one) for one in (*row, value)] for row, value in zip(rows, known, strict=True)]
    for column in range(len(system)):
        pivot = next(i for i in range(column, len(system)) if system[i][column])
        system[column], system[pivot] = system[pivot], system[column]
        system[column] = [one / system[column][column] for one in system[column]]
        for i, row in enumerate(system):
            if i != column:
                system[i] = [one - row[column] * other for one, other in zip(row, system[column], strict=True)]
    return [row[-1] for row in system]


@pytest.mark.parametrize("end", [[[2, 1], [20, 0], [21, 15], [1, 14]], [[0, 0], [10, 4], [11, 12], [0, 16]]])
def test_the_perspective_of_a_picture_is_right_to_the_last_bit(end: list[list[int]]) -> None:
    start = [[0, 0], [22, 0], [22, 16], [0, 16]]
    rows = []
    for (x, y), (old_x, old_y) in zip(end, start, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -old_x * x, -old_x * y], [0, 0, 0, x, y, 1, -old_y * x, -old_y * y]]
    exact = solved(rows, [one for point in start for one in point])
    assert back_to_source(start, end) == [float(one) for one in exact]


@pytest.mark.parametrize("points", [[[0, 0], [1, 1], [2, 2], [9, 3]], [[5, 5]] * 4])
def test_points_on_one_line_have_the_nearest_map(points: list[list[int]]) -> None:
    corners = [[0, 0], [9, 0], [9, 9], [0, 9]]
    assert np.isfinite(back_to_source(corners, points)).all() and np.isfinite(back_to_source(points, corners)).all()
