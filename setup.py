"""Builds the kernels of our own. Where that fails, for lack of a C++ compiler, the package installs all the same."""

import importlib.util
import platform
from pathlib import Path

from setuptools import Extension, setup

NATIVE = "src/mindspore/_kernels/native"
FLAGS = {"x86_64": ["-mavx2", "-mfma"]}  # a processor without these is told apart when the library is loaded


def extensions() -> list[Extension]:
    engine = importlib.util.find_spec("jaxlib")
    if engine is None or engine.origin is None:
        return []
    return [
        Extension(
            "mindspore._kernels._native",
            sources=sorted(str(path) for path in Path(NATIVE).glob("*.cc")),
            depends=sorted(str(path) for path in Path(NATIVE).glob("*.h")),
            include_dirs=[str(Path(engine.origin).parent / "include")],
            extra_compile_args=["-O3", "-std=c++17", "-g0", "-w", *FLAGS.get(platform.machine(), [])],
            language="c++",
            optional=True,
        )
    ]


setup(ext_modules=extensions())
