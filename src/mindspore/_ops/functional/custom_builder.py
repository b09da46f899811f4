"""Extension modules built from C++ sources: ``ops.CustomOpBuilder``."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sysconfig
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from mindspore._ops.functional.custom_sources import HEADERS, cache_folder, compiler
from mindspore._utils.checks import shown

_BACKENDS = (None, "CPU", "Ascend")


class CustomOpBuilder:
    """Builds C++ sources into a Python module, with the compiler of the machine.

    The sources are those of any extension module, ``PYBIND11_MODULE(MS_EXTENSION_NAME, m)`` or ``PyInit_<name>``. With
    ``#include "ms_extension/api.h"`` their functions take and return ``ms::Tensor``, alone, in vectors or optional, and
    ``ms::pynative::PyboostRunner`` is there. Such functions run in PyNative mode and have no gradient of their own;
    :class:`mindspore.ops.Custom` makes operators of functions on arrays, which work in graphs. pybind11 is used where it
    is installed; without it, functions of Tensors, numbers, texts and vectors of these can be bound.

    Args:
        name: the name of the module.
        sources: a file, or several.
        backend: "CPU" or None.
        include_paths: more folders with headers.
        cflags, ldflags: more options of the compiler and the linker.
        kwargs: ``build_dir``, the folder of what is built; by default one of this name below ``MS_COMPILER_CACHE_PATH``,
            "./kernel_meta" if that is not set.

    Examples:
        >>> from mindspore import ops
        >>> ops.CustomOpBuilder("doubling", "doubling.cpp", backend="CPU").get_sources()
        ['doubling.cpp']
    """

    def __init__(self, name: str, sources: str | Sequence[str], backend: str | None = None,
                 include_paths: str | Sequence[str] | None = None, cflags: str | None = None,
                 ldflags: str | None = None, **kwargs: Any):  # fmt: skip
        if not isinstance(name, str):
            raise TypeError(f"For 'CustomOpBuilder', the 'name' must be of type str, but got {shown(name)}.")
        if backend not in _BACKENDS:
            raise ValueError(f"For 'CustomOpBuilder', the 'backend' must be 'CPU' or 'Ascend', but got {backend!r}.")
        if backend == "Ascend" or kwargs.get("enable_atb") or kwargs.get("enable_asdsip"):
            raise ValueError(
                "For 'CustomOpBuilder', the 'backend' must be 'CPU' here, but got one for Ascend devices: there are none."
            )
        self.name, self.backend = name, backend
        self.source = _listed("sources", sources)
        self.include_paths = _listed("include_paths", include_paths or ())
        self.cflags, self.ldflags = _text("cflags", cflags), _text("ldflags", ldflags)
        self.build_dir = kwargs.get("build_dir")

    def get_sources(self) -> list[str]:
        """The source files."""
        return list(self.source)

    def get_include_paths(self) -> list[str]:
        """The folders of headers: the user's, this library's, Python's, and pybind11's where it is installed."""
        found = importlib.util.find_spec("pybind11")
        beside = [os.path.join(location, "include") for location in (found and found.submodule_search_locations) or ()]
        return [*self.include_paths, HEADERS, sysconfig.get_paths()["include"], *beside]

    def get_cflags(self) -> list[str]:
        """The options of the compiler."""
        return [
            f"-DMS_EXTENSION_NAME={self.name}",
            "-std=c++17",
            "-fPIC",
            "-O2",
            "-fvisibility=hidden",
            *(self.cflags or "").split(),
        ]

    def get_ldflags(self) -> list[str]:
        """The options of the linker."""
        return ["-shared", *(self.ldflags or "").split()]

    def build(self) -> str:
        """Compile and link; returns the path of the module."""
        for source in self.get_sources():
            if not os.path.isfile(source):
                raise FileNotFoundError(f"For 'CustomOpBuilder', the source does not exist: {source!r}.")
        folder = self._get_build_directory()
        os.makedirs(folder, exist_ok=True)
        target = os.path.join(folder, f"{self.name}{sysconfig.get_config_var('EXT_SUFFIX')}")
        includes = [f"-I{path}" for path in self.get_include_paths()]
        command = [
            compiler("CustomOpBuilder"),
            *self.get_cflags(),
            *includes,
            *self.get_sources(),
            "-o",
            target,
            *self.get_ldflags(),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            headers = (
                ""
                if "pybind11" not in done.stderr
                else " pybind11's headers come with: pip install 'mycelium[custom]'."
            )
            raise RuntimeError(
                f"For 'CustomOpBuilder', the sources of '{self.name}' do not compile.{headers}\n{done.stderr}"
            )
        return target

    def load(self) -> ModuleType:
        """Build, and import the module."""
        spec = importlib.util.spec_from_file_location(self.name, self.build())
        if spec is None or spec.loader is None:
            raise RuntimeError(f"For 'CustomOpBuilder', '{self.name}' was built but cannot be imported.")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def _get_build_directory(self) -> str:
        return os.path.realpath(self.build_dir or os.path.join(cache_folder(), self.name))


def _listed(name: str, value: Any) -> list[str]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, str) for one in listed):
        raise TypeError(f"For 'CustomOpBuilder', the '{name}' must be a str or a list of them, but got {shown(value)}.")
    return list(listed)


def _text(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"For 'CustomOpBuilder', the '{name}' must be of type str, but got {shown(value)}.")
    return value
