"""What an AOT library gets beside its inputs: attributes, workspace, and a place for data of its own.

A library that wants them has ``<name>Init``, and ``<name>InferShape`` if it says the output's shape itself; both get an
``AotExtra`` of ``custom_aot_extra.h``. The object behind it is C++ (``include/aot_extra.cc``), compiled when first needed.
"""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Mapping, Sequence
from typing import Any

from mindspore._ops.functional.custom_sources import HEADERS, compiled

_MOST = 64  # outputs, axes, workspaces


class Extra:
    """The attributes of an operator, as its library sees them."""

    def __init__(self, library: str, attributes: Mapping[str, Any]):
        self._support = _support(library)
        self.pointer = ctypes.c_void_p(self._support.mycelium_aot_new())
        for name, value in attributes.items():
            self._set(name.encode(), value)

    def _set(self, name: bytes, value: Any) -> None:
        if isinstance(value, str):
            self._support.mycelium_aot_text(self.pointer, name, value.encode())
            return
        listed = list(value) if isinstance(value, (tuple, list)) else [value]
        rows = listed if listed and isinstance(listed[0], (tuple, list)) else [listed]
        for row in rows:
            if not all(isinstance(number, (bool, int, float)) for number in row):
                return  # what a library cannot ask for
            count = len(row)
            integers = (ctypes.c_int64 * count)(*[int(number) for number in row])
            self._support.mycelium_aot_row(
                self.pointer, name, (ctypes.c_double * count)(*row), integers, ctypes.c_int64(count)
            )

    def initialize(self, function: Any, described: Sequence[Any]) -> list[int]:
        """Call the library's Init on (ndims, shapes, dtypes); returns the sizes of the workspaces it asks for, in bytes."""
        code = self._support.mycelium_aot_init(function, *described, self.pointer)
        if code != 0:
            raise RuntimeError(f"For 'Custom', the library's Init must return 0, but it {self._why(code)}.")
        sizes = (ctypes.c_int64 * _MOST)()
        return list(sizes[: self._support.mycelium_aot_workspace(self.pointer, sizes, _MOST)])

    def inferred(self, function: Any, several: bool, ndims: Any, shapes: Any) -> list[list[int]]:
        """The shapes of the outputs, by the library's InferShape."""
        count = self._support.mycelium_aot_infer(function, int(several), ndims, shapes, self.pointer)
        if count < 0:
            raise RuntimeError(f"For 'Custom', the library's InferShape {self._why(count)}.")
        sizes = (ctypes.c_int64 * _MOST)()
        return [
            list(sizes[: self._support.mycelium_aot_shape(self.pointer, index, sizes, _MOST)]) for index in range(count)
        ]

    def inferred_types(self, function: Any, several: bool, count: int, dtypes: Any) -> list[str]:
        """The names of the outputs' dtypes, by the library's InferType."""
        found = self._support.mycelium_aot_infer_types(function, int(several), count, dtypes, self.pointer)
        if found < 0:
            raise RuntimeError(f"For 'Custom', the library's InferType {self._why(found)}.")
        return [self._support.mycelium_aot_type(self.pointer, index).decode() for index in range(found)]

    def _why(self, code: int) -> str:
        return f"failed: {self._support.mycelium_aot_failure().decode()}" if code == -1 else f"returned {code}"


@functools.cache
def _support(library: str) -> Any:
    """The C++ side, compiled with the header and the ABI of the library."""
    with open(library, "rb") as file:
        text = file.read()
    old = b"_ZNSs" in text and b"__cxx11" not in text
    flags = ("-D_GLIBCXX_USE_CXX11_ABI=0",) if old else ()
    path = compiled(os.path.join(HEADERS, "aot_extra.cc"), os.path.dirname(library), *flags)
    support = ctypes.CDLL(path)
    support.mycelium_aot_new.restype = ctypes.c_void_p
    support.mycelium_aot_failure.restype = ctypes.c_char_p
    support.mycelium_aot_type.restype = ctypes.c_char_p
    return support
