"""The library of the widest vectors that the processor has is chosen; 16 lanes compute what 8 lanes do."""

from __future__ import annotations

import importlib.machinery
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from jaxlib import __file__ as jaxlib_file

from mindspore._kernels import library

HERE = Path(__file__).parent
NATIVE = Path(library.__file__).parent / "native"
AVX2 = {"avx2", "fma", "f16c"}
AVX512 = AVX2 | {"avx512f", "avx512dq", "avx512bw", "avx512vl"}
on_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors have one form")

# Runs the tests of the kernels with another library than the one that would be chosen.
_WITH_LIBRARY = """
import sys
from pathlib import Path
import pytest
from mindspore._kernels import library
library._chosen = lambda: (Path(sys.argv[1]), "")
assert library.status() == "active", library.status()
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not heavy", *sys.argv[2:]]))
"""


@on_x86
@pytest.mark.parametrize(
    ("features", "form", "expected"),
    [
        (AVX512, "", "_native_avx512"),
        (AVX512, "avx2", "_native"),
        (AVX512 - {"avx512vl"}, "", "_native"),
        (AVX2, "", "_native"),
        (AVX2, "avx512", "this processor lacks avx512f, avx512dq, avx512bw, avx512vl"),
        ({"fma", "f16c"}, "", "this processor lacks avx2"),
    ],
)
def test_the_widest_form_that_the_processor_can_run_is_chosen(monkeypatch, features, form, expected):
    monkeypatch.setattr(library, "_processor_features", lambda: features)
    monkeypatch.setattr(library, "_built", lambda name: Path(name))
    monkeypatch.setattr(library, "_form", form)
    path, problem = library._chosen()
    assert (problem if path is None else path.name) == expected


@on_x86
def test_a_form_that_was_not_built_is_passed_over(monkeypatch):
    monkeypatch.setattr(library, "_processor_features", lambda: AVX512)
    monkeypatch.setattr(library, "_built", lambda name: Path(name) if name == "_native" else None)
    monkeypatch.setattr(library, "_form", "")
    assert library._chosen() == (Path("_native"), "")
    monkeypatch.setattr(library, "_built", lambda name: None)
    assert library._chosen() == (None, "not built (no C++ compiler at installation)")


@on_x86
@pytest.mark.heavy
def test_kernels_with_16_lanes_pass_the_same_tests(tmp_path):
    """The compiler splits vectors of 16 floats where the processor has 8: the same program as with AVX-512, slower."""
    built = tmp_path / f"_native16{importlib.machinery.EXTENSION_SUFFIXES[0]}"
    include = Path(jaxlib_file).parent / "include"
    sources = sorted(map(str, NATIVE.glob("*.cc")))
    flags = [
        "-O2",
        "-std=c++17",
        "-w",
        "-shared",
        "-fPIC",
        "-mavx2",
        "-mfma",
        "-mf16c",
        "-DMYCELIUM_LANES=16",
        f"-I{include}",
    ]
    subprocess.run(["g++", *flags, *sources, "-o", str(built)], check=True)
    tests = [str(HERE / f"test_{name}.py") for name in ("kernels", "product_kernels", "recurrent_kernels", "reduction_kernels", "sorting_kernels", "volumes")]  # fmt: skip
    subprocess.run([sys.executable, "-c", _WITH_LIBRARY, str(built), *tests], check=True, cwd=HERE.parents[1])
