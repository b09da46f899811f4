"""Pickles of arrays and plain values, as data sets are published, read without executing anything they name.

>>> import pickle
>>> read_arrays(pickle.dumps({"data": np.arange(3)}))
{'data': array([0, 1, 2])}
>>> read_arrays(pickle.dumps({"data": np.array([print])}))
Traceback (most recent call last):
...
mindspore._utils.files.pickle_reader.RefusedPickle: it has an array of the dtype 'O8', which is neither numbers nor text
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mindspore._utils.files.pickle_reader import Name, RefusedPickle, Stateful, no_storage, read

_DTYPE = re.compile(r"[<>=|]?([biufc]\d{1,2}|[SU]\d{1,9})")
_MOST_AXES = 32
_MOST_VALUES = 1_000_000  # a list may hold another one many times over: a small pickle can be a large value
_MODULES = ("numpy", "numpy.core.multiarray", "numpy._core.multiarray", "numpy.core.numeric", "numpy._core.numeric")


class _Dtype(Stateful):
    """A dtype whose byte order comes with its state."""

    def __init__(self, code: Any, *_: Any):
        code = _text(code)
        if _DTYPE.fullmatch(code) is None:
            raise RefusedPickle(f"it has an array of the dtype {code!r:.40}, which is neither numbers nor text")
        self.dtype = np.dtype(code)

    def set_state(self, state: Any) -> None:
        order: Any = _text(state[1])
        if order not in ("<", ">", "|", "=") or any(part is not None for part in state[2:5]):
            raise RefusedPickle("it has an array of a dtype with fields")
        self.dtype = self.dtype.newbyteorder(order)


class _Array(Stateful):
    """An array, which is made empty and gets its elements with its state."""

    def __init__(self, *_: Any):
        self.array = np.zeros(0)

    def set_state(self, state: Any) -> None:
        _, shape, dtype, fortran, content = state
        self.array = _elements(content, dtype, shape, "F" if fortran else "C")


class _Object(Stateful):
    """An instance of a class that the caller allows: its attributes."""

    def __init__(self, kind: type):
        self.kind = kind
        self.attributes: dict[str, Any] = {}

    def set_state(self, state: Any) -> None:
        if not isinstance(state, dict) or not all(isinstance(key, str) for key in state):
            raise RefusedPickle(f"its {self.kind.__name__} is damaged")
        self.attributes = state


def read_arrays(content: bytes, classes: Mapping[str, type] = {}) -> Any:
    """The value of a pickle of arrays, numbers, text, lists, tuples and dicts.

    Args:
        content: the pickle, of any Python; text of Python 2 is read as Latin-1.
        classes: further classes, by module and name, whose instances may be in it; they get their attributes only.

    Raises:
        RefusedPickle: it is damaged, or names anything else.
    """
    names = {path: Name(path, lambda kind=kind, *_: _Object(kind)) for path, kind in classes.items()}
    try:
        return _Plain().value(read(io.BytesIO(content), names | _NUMPY, no_storage))
    except RecursionError:
        raise RefusedPickle("its values are nested too deeply") from None


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _raw(content: Any) -> bytes:
    """Bytes, which Python 2 wrote as text."""
    return content.encode("latin-1") if isinstance(content, str) else content


def _encoded(text: str, encoding: str) -> bytes:
    """How Python 3 writes bytes for Python 2."""
    if encoding != "latin1":
        raise RefusedPickle(f"it asks for the encoding {encoding!r:.40}")
    return text.encode("latin-1")


def _elements(content: Any, dtype: Any, shape: Any, order: Any) -> np.ndarray:
    content = _raw(content)
    if not isinstance(dtype, _Dtype) or not isinstance(content, (bytes, bytearray)) or not isinstance(shape, tuple):
        raise RefusedPickle("an array in it is damaged")
    if len(shape) > _MOST_AXES or not all(type(size) is int and size < 2**62 for size in shape):
        raise RefusedPickle("an array in it has a shape that cannot be")
    if math.prod(shape) * dtype.dtype.itemsize != len(content) or min(shape, default=0) < 0 or order not in ("C", "F"):
        raise RefusedPickle(f"an array in it has the shape {shape!r:.60}, but {len(content)} bytes")
    return np.frombuffer(content, dtype.dtype).reshape(shape, order=order).copy()


def _scalar(dtype: Any, content: Any) -> Any:
    return _elements(content, dtype, (), "C")[()]


_BUILDERS: dict[str, Callable[..., Any] | None] = {
    "_reconstruct": _Array,
    "_frombuffer": _elements,
    "scalar": _scalar,
    "dtype": _Dtype,
    "ndarray": None,
}
_NUMPY = {f"{module}.{name}": Name(name, build) for module in _MODULES for name, build in _BUILDERS.items()}
_NUMPY["_codecs.encode"] = Name("encode", _encoded)


class _Plain:
    """The value with arrays and instances instead of what stands for them."""

    def __init__(self) -> None:
        self.count = 0

    def value(self, value: Any) -> Any:
        self.count += 1
        if self.count > _MOST_VALUES:
            raise RefusedPickle(f"it holds more than {_MOST_VALUES} values")
        if isinstance(value, _Array):
            return value.array
        if isinstance(value, _Object):
            found = object.__new__(value.kind)
            vars(found).update(self.value(value.attributes))
            return found
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.value, value))
        if isinstance(value, dict):
            return {key: self.value(part) for key, part in value.items()}
        if isinstance(value, (Name, _Dtype)):
            raise RefusedPickle("it holds a name as a value")
        return value
