"""Functions of compiled libraries as operators: ``ops.Custom(func_type="aot")``.

The entry point is MindSpore's: ``int name(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,
void *stream, void *extra)``, with the inputs first and the outputs after them; 0 means success.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np


class LibraryFunction:
    """A function ``path/of/library.so:name``, which is looked for when it is first called."""

    def __init__(self, location: str):
        self.location = location
        self._found: dict[str, Any] = {}  # by the library's real path: the program may change its folder

    def __call__(self, arrays: Sequence[np.ndarray], forms: Sequence[jax.ShapeDtypeStruct]) -> list[np.ndarray]:
        """Run on inputs, and return outputs of the given forms."""
        library, function = self._function()
        inputs = [np.ascontiguousarray(array).reshape(array.shape) for array in arrays]  # which makes scalars vectors
        outputs = [np.empty(form.shape, form.dtype) for form in forms]
        code = function(*_described([*inputs, *outputs]), None, None)
        if code != 0:
            raise RuntimeError(
                f"For 'Custom', the function of '{self.location}' must return 0, but the return value from CPU AOT "
                f"kernel({library})'s function({self.location.rpartition(':')[2]}) is {code}: any other value is an error of "
                "its own."
            )
        return outputs

    def _function(self) -> tuple[str, Any]:
        path, _, name = self.location.rpartition(":")
        if not path or not name:
            raise RuntimeError(
                f"For 'Custom', the 'func' must be 'dir_path/file_name:func_name' on this device, but got '{self.location}': "
                "user defined function path is illegal. Compile the function with 'g++ --shared -fPIC -o name.so name.cc'."
            )
        library = os.path.realpath(path)
        if not os.path.isfile(library):
            raise RuntimeError(f"For 'Custom', couldn't find the AOT binary file: {path}. Looked for {library}.")
        if library not in self._found:
            self._found[library] = _loaded(library, name)
        return library, self._found[library]


def _loaded(library: str, name: str) -> Any:
    try:
        function = getattr(ctypes.CDLL(library), name)
    except (OSError, AttributeError) as error:
        raise RuntimeError(
            f"For 'Custom', error occurs when fetching function '{name}'. Error info: {error}. In C++ it must be declared "
            "'extern \"C\"'."
        ) from None
    function.restype = ctypes.c_int
    return function


def _described(arrays: Sequence[np.ndarray]) -> tuple[Any, ...]:
    """nparam, params, ndims, shapes and dtypes."""
    count = len(arrays)
    shapes = [(ctypes.c_int64 * max(array.ndim, 1))(*array.shape) for array in arrays]
    return (
        ctypes.c_int(count),
        (ctypes.c_void_p * count)(*[array.ctypes.data for array in arrays]),
        (ctypes.c_int * count)(*[array.ndim for array in arrays]),
        (ctypes.POINTER(ctypes.c_int64) * count)(*[ctypes.cast(s, ctypes.POINTER(ctypes.c_int64)) for s in shapes]),
        (ctypes.c_char_p * count)(*[array.dtype.name.encode() for array in arrays]),
    )
