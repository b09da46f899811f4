"""Functions of compiled libraries as operators: ``ops.Custom(func_type="aot")``.

The entry point is MindSpore's: ``int name(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,
void *stream, void *extra)``, with the inputs first, then the outputs, then the workspaces; 0 means success. Sources are
compiled first.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from mindspore._ops.functional.custom_extra import Extra
from mindspore._ops.functional.custom_sources import SUFFIXES, compiled


class LibraryFunction:
    """A function ``path/of/library.so:name`` or ``path/of/source.cc:name``, which is looked for when it is first called."""

    def __init__(self, location: str, attributes: Callable[[], Mapping[str, Any]] = dict):
        self.location = location
        self.attributes = attributes
        self._found: dict[str, _Functions] = {}  # by the library's real path: the program may change its folder

    def __call__(self, arrays: Sequence[np.ndarray], forms: Sequence[jax.ShapeDtypeStruct]) -> list[np.ndarray]:
        """Run on inputs, and return outputs of the given forms."""
        found = self._functions()
        inputs = [np.ascontiguousarray(array).reshape(array.shape) for array in arrays]  # which makes scalars vectors
        outputs = [np.empty(form.shape, form.dtype) for form in forms]
        extra, sizes = self._extra(found, [*inputs, *outputs])
        workspaces = [np.zeros(size, np.uint8) for size in sizes]
        code = found.compute(*_described([*inputs, *outputs, *workspaces]), None, extra and extra.pointer)
        if code != 0:
            raise RuntimeError(
                f"For 'Custom', the function of '{self.location}' must return 0, but the return value from CPU AOT "
                f"kernel({found.library})'s function({self.location.rpartition(':')[2]}) is {code}: any other value is an "
                "error of its own."
            )
        return outputs

    def inferred_shape(self, shapes: Sequence[Sequence[int]], several: bool) -> Any:
        """The output's shape (those of several) as the library's InferShape says; None without a library or one."""
        found = self._functions() if self._is_there() else None
        if found is None or found.infer_shape is None:
            return None
        _, _, ndims, sizes, _ = _described([np.broadcast_to(np.int8(0), shape) for shape in shapes])
        made = Extra(found.library, self.attributes()).inferred(found.infer_shape, several, ndims, sizes)
        return made if several else made[0]

    def inferred_type(self, names: Sequence[str], several: bool) -> Any:
        """The name of the output's dtype (those of several) as the library's InferType says; None without one."""
        found = self._functions() if self._is_there() else None
        if found is None or found.infer_type is None:
            return None
        given = (ctypes.c_char_p * len(names))(*[name.encode() for name in names])
        made = Extra(found.library, self.attributes()).inferred_types(found.infer_type, several, len(names), given)
        return tuple(made) if several else made[0]

    def _is_there(self) -> bool:
        return os.path.isfile(self.location.rpartition(":")[0])

    def _extra(self, found: _Functions, arrays: Sequence[np.ndarray]) -> tuple[Extra | None, list[int]]:
        """What Init made for such arrays."""
        if found.initialize is None:
            return None, []
        key = repr([(array.shape, array.dtype.name) for array in arrays])
        if key not in found.extras:
            extra = Extra(found.library, self.attributes())
            found.extras[key] = extra, extra.initialize(found.initialize, _described(arrays)[2:])
        return found.extras[key]

    def _functions(self) -> _Functions:
        path, _, name = self.location.rpartition(":")
        if not path or not name:
            raise RuntimeError(
                f"For 'Custom', the 'func' must be 'dir_path/file_name:func_name' on this device, but got '{self.location}': "
                "user defined function path is illegal. Compile the function with 'g++ --shared -fPIC -o name.so name.cc'."
            )
        given = os.path.realpath(path)
        if not os.path.isfile(given):
            raise RuntimeError(f"For 'Custom', couldn't find the AOT binary file: {path}. Looked for {given}.")
        if given not in self._found:
            is_source = given.endswith(SUFFIXES)
            library = compiled(given, os.path.dirname(given)) if is_source else given
            self._found[given] = _Functions(library, name)
        return self._found[given]


class _Functions:
    """The functions of a library that belong to one operator."""

    def __init__(self, library: str, name: str):
        self.library = library
        loaded, self.compute = _loaded(library, name)
        self.initialize = getattr(loaded, f"{name}Init", None)
        self.infer_shape = getattr(loaded, f"{name}InferShape", None)
        self.infer_type = getattr(loaded, f"{name}InferType", None)
        self.extras: dict[str, tuple[Extra, list[int]]] = {}


def _loaded(library: str, name: str) -> tuple[Any, Any]:
    try:
        loaded = ctypes.CDLL(library)
        function = getattr(loaded, name)
    except (OSError, AttributeError) as error:
        raise RuntimeError(
            f"For 'Custom', error occurs when fetching function '{name}'. Error info: {error}. In C++ it must be declared "
            "'extern \"C\"'."
        ) from None
    function.restype = ctypes.c_int
    return loaded, function


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
