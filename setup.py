"""Builds the kernels of our own, the programs of the host and the reader of TFRecord files. Where that fails, for lack of a
C++ compiler, the package installs all the same."""

import importlib.util
import platform
from pathlib import Path

from setuptools import Extension, setup

NATIVE = "src/mindspore/_kernels/native"
FILES = "src/mindspore/_utils/files/native"
# Libraries and what they assume of the processor: the sources are built once for each, and the widest one that the processor
# can run is chosen when it is loaded (_kernels/library.py).
_AVX2 = ["-mavx2", "-mfma", "-mf16c"]
FORMS = {
    "x86_64": {"_native": _AVX2, "_native_avx512": [*_AVX2, "-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl"]},
}


def extensions() -> list[Extension]:
    reader = Extension(
        "mindspore._utils.files._native",
        sources=sorted(str(path) for path in Path(FILES).glob("*.cc")),
        extra_compile_args=["-O3", "-std=c++17", "-g0", "-w"],
        language="c++",
        optional=True,
    )
    numpy = importlib.util.find_spec("numpy")
    extensions = [reader] if numpy is None or numpy.origin is None else [reader, _programs(Path(numpy.origin).parent)]
    engine = importlib.util.find_spec("jaxlib")
    if engine is None or engine.origin is None:
        return extensions
    include = str(Path(engine.origin).parent / "include")
    return [
        *extensions,
        _elementwise(include),
        *(_kernels(name, flags, include) for name, flags in FORMS.get(platform.machine(), {"_native": []}).items()),
    ]


def _programs(numpy: Path) -> Extension:
    """Programs of the host: loops of NumPy's, so for every processor."""
    return Extension(
        "mindspore._kernels._native_programs",
        sources=sorted(str(path) for path in Path(NATIVE, "programs").glob("*.cc")),
        depends=sorted(str(path) for path in Path(NATIVE, "programs").glob("*.h")),
        include_dirs=[str(numpy / "_core" / "include")],
        extra_compile_args=["-O3", "-std=c++17", "-g0", "-w"],
        language="c++",
        optional=True,
    )


def _elementwise(include: str) -> Extension:
    """Programs of elementwise steps inside XLA's: each loop has a form for every processor in one library."""
    return Extension(
        "mindspore._kernels._native_elementwise",
        sources=[f"{NATIVE}/elementwise/elementwise.cc"],
        depends=sorted(str(path) for path in Path(NATIVE).glob("*.h")),
        include_dirs=[include],
        extra_compile_args=[
            "-O3",
            "-std=c++17",
            "-g0",
            "-w",
            "-ffp-contract=off",
            "-fno-math-errno",
            "-fno-trapping-math",
        ],
        language="c++",
        optional=True,
    )


def _kernels(name: str, flags: list[str], include: str) -> Extension:
    """One form of the kernels."""
    return Extension(
        f"mindspore._kernels.{name}",
        sources=sorted(str(path) for path in Path(NATIVE).glob("*.cc")),
        depends=sorted(str(path) for path in Path(NATIVE).glob("*.h")),
        include_dirs=[include],
        extra_compile_args=["-O3", "-std=c++17", "-g0", "-w", *flags],
        language="c++",
        optional=True,
    )


setup(ext_modules=extensions())  # one after the other: their objects have the same names
