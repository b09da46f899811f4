"""The Python state that a trace may read, as a digest that is the same in every process where it is equal.

A graph kept on disk is found again by this digest, without a trace. So everything reachable from the traced function counts: code,
closures, globals, attributes, classes. Where something is met that cannot be described, such as an open file, or that may give
another answer each time, such as a clock, there is no digest (``NotPortable``) and the graph is traced.
"""

from __future__ import annotations

import collections
import enum
import functools
import hashlib
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.capture import referenced
from mindspore._engine.tracing.code_digest import add_code
from mindspore._engine.tracing.code_names import assigned_globals, attributes_in, globals_in, imports_in
from mindspore._engine.tracing.contents import is_library

_MOST_BYTES = 1 << 24  # of an array that is part of the digest
_PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None), type(...), range, slice, type(NotImplemented)))
# modules whose functions give the same answer every time
_PURE = frozenset((
    "mindspore", "jax", "jaxlib", "numpy", "scipy", "ml_dtypes", "math", "cmath", "operator", "functools", "itertools",
    "collections", "copy", "typing", "types", "abc", "builtins", "dataclasses", "enum", "numbers", "string", "re", "inspect",
    "contextlib", "warnings", "fractions", "decimal", "typing_extensions", "__future__",
))  # fmt: skip
_IMPURE = frozenset((
    "open", "input", "eval", "exec", "id", "hash", "globals", "locals", "compile", "__import__", "breakpoint",
))  # fmt: skip
_OF_CLASSES = frozenset((
    "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__abstractmethods__", "_abc_impl",
    "__slots__", "_mentioned_names", "__parameters__", "__orig_bases__", "__init__", "__new__", "__firstlineno__",
    "__static_attributes__", "__dataclass_params__",
))  # fmt: skip
_OF_TENSORS = frozenset((
    "_value", "_lazy", "_link", "_birth", "_made_in", "_hooks", "_hooked", "const_arg", "_is_init", "init_mode",
))  # fmt: skip


class NotPortable(Exception):
    """Something that a digest cannot stand for."""


class PortableState:
    """All that is reachable from some roots: its digest, and the Tensors, Cells and functions in the order they are met."""

    def __init__(self, roots: Iterable[Any]):
        self.tensors: list[Tensor] = []
        self.cells: list[Any] = []
        self.functions: list[Any] = []
        self.sha = hashlib.sha256()
        self.numbers: dict[int, int] = {}  # visited objects, by id
        self.alive: list[Any] = []
        self.kinds: set[type] = set()
        self.mentioned = {"construct", "bprop", "__call__"}  # names of attributes that the code reads
        self.opaque: dict[str, str] = {}  # attributes that cannot be described, with why
        try:
            self._add_kind(Parameter)  # with what a library on top has patched
            for root in roots:
                self.add(root)
        except RecursionError:
            raise NotPortable("it is nested too deeply") from None
        for name in self.opaque.keys() & self.mentioned:
            raise NotPortable(f"{name}: {self.opaque[name]}")

    @property
    def digest(self) -> str:
        return self.sha.hexdigest()

    def tag(self, *texts: str) -> None:
        self.sha.update("\0".join(texts).encode(errors="surrogatepass") + b"\1")

    def add(self, value: Any) -> None:
        """Describe a value and all that it holds."""
        kind = type(value)
        if kind in _PLAIN:
            self.tag(kind.__name__, repr(value))
            return
        known = self.numbers.get(id(value))
        if known is not None:
            self.tag("again", str(known))
            return
        self.numbers[id(value)] = len(self.numbers)
        self.alive.append(value)
        if getattr(kind, "is_cache_of_graphs", False):
            self.tag("graphs")
            return
        if getattr(kind, "has_portable_digest", False):
            self.tag("digest", value.portable_digest)
            return
        adder = _ADDERS.get(kind) or next((add for base, add in _BASES if issubclass(kind, base)), None)
        if adder is None:
            adder = PortableState._add_cell if hasattr(kind, "_enter_trace") else PortableState._add_object
        adder(self, value)

    # -- data ---------------------------------------------------------------------------------------------------------
    def _add_sequence(self, value: Any) -> None:
        self._add_kind(type(value))
        self.tag(str(len(value)))
        for item in value:
            self.add(item)
        self._add_fields(getattr(value, "__dict__", {}))

    def _add_dict(self, value: dict) -> None:
        self._add_kind(type(value))
        self.tag(str(len(value)))
        for key, item in value.items():
            self.add(key)
            self.add(item)
        self._add_fields(getattr(value, "__dict__", {}))

    def _add_set(self, value: Any) -> None:
        self._add_kind(type(value))
        if any(type(item) not in _PLAIN for item in value):
            raise NotPortable("a set of objects, whose order is another in every process")
        self.tag(*sorted(map(repr, value)))

    def _add_array(self, value: np.ndarray) -> None:
        if value.dtype.hasobject or value.nbytes > _MOST_BYTES:
            raise NotPortable("a large array, or one of objects")
        self.tag("array", str(value.dtype), repr(value.shape), hashlib.sha256(value.tobytes()).hexdigest())

    def _add_text(self, value: Any) -> None:
        self._add_kind(type(value))
        self.tag(str(value))

    def _add_enum(self, value: enum.Enum) -> None:
        self._add_kind(type(value))
        self.tag(value.name)

    def _add_tensor(self, value: Tensor) -> None:
        """A Tensor is an input of the graph: its value does not count, unless nobody captures it (``uncaptured``)."""
        self.tensors.append(value)
        if value._birth is not None:
            raise NotPortable("a Tensor of another trace")
        if value._hooks:
            raise NotPortable("a Tensor with hooks")
        if value._value is None and value._lazy is None:
            raise NotPortable("a Tensor that was never given elements")
        self._add_kind(type(value))
        self.tag(repr(value.shape), str(value.dtype))
        if isinstance(value, Parameter):
            self._add_fields({name: item for name, item in vars(value).items() if name not in _OF_TENSORS})

    # -- code ---------------------------------------------------------------------------------------------------------
    def _add_function(self, function: types.FunctionType) -> None:
        self.tag("function", str(function.__module__), function.__qualname__)
        library = is_library(function.__module__ or "")
        if library and not (function.__closure__ or function.__defaults__ or function.__kwdefaults__):
            return
        if library and "op" in vars(function):  # an operator: what it closes over are its kernels
            return
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            try:
                self.add(cell.cell_contents)
            except ValueError:
                self.tag("not assigned")
        if not library:
            if "runs_at_compile_time" in vars(function):
                _refuse_effects(function)
            self.functions.append(function)
            add_code(self.sha, function.__code__)
            self._add_fields({name: item for name, item in vars(function).items() if name != "__wrapped__"})
            self._add_globals(function)

    def _add_globals(self, function: types.FunctionType) -> None:
        code = function.__code__
        if assigned_globals(code):
            raise NotPortable(f"'{function.__qualname__}' assigns to a global variable")
        for module in imports_in(code):
            self._require_pure(module, f"'{function.__qualname__}' imports '{module}'")
        attributes = attributes_in(code)
        self.mentioned |= attributes
        for name in sorted(globals_in(code)):
            if name not in function.__globals__:
                if name in _IMPURE:
                    raise NotPortable(f"'{function.__qualname__}' calls {name}()")
                self.tag("builtin", name)
                continue
            self.tag(name)
            value = function.__globals__[name]
            if isinstance(value, types.ModuleType):
                self._add_module(value, attributes)
            else:
                self.add(value)

    def _add_module(self, module: types.ModuleType, attributes: frozenset[str]) -> None:
        """What code with these names of attributes may read of a module."""
        self.tag("module", module.__name__)
        library = is_library(module.__name__)
        if library:
            self._require_pure(module.__name__, f"the module '{module.__name__}'")
        if module.__name__.partition(".")[0] == "numpy" and "random" in attributes:
            raise NotPortable("NumPy's random numbers")
        for name in sorted(attributes & vars(module).keys()):
            value = vars(module)[name]
            if isinstance(value, types.ModuleType):
                if not library:
                    self.tag(name)
                    self._add_module(value, attributes)
            elif not library or _is_patched(value):
                self.tag(name)
                self.add(value)

    def _require_pure(self, module: str, what: str) -> None:
        if is_library(module) and (module.partition(".")[0] not in _PURE or module.startswith("numpy.random")):
            raise NotPortable(f"{what}, which may give another answer each time")

    def _add_builtin(self, function: Any) -> None:
        module = getattr(function, "__module__", None) or "builtins"
        self._require_pure(module, f"the function '{function.__qualname__}'")
        if not is_library(module):
            raise NotPortable(f"'{function.__qualname__}' of '{module}' has no source")
        self.tag("builtin", module, function.__qualname__)
        owner = getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, types.ModuleType):
            self.add(owner)

    def _add_kernel(self, kernel: Kernel) -> None:
        self.tag("kernel", kernel.name)
        self.add(kernel.function)

    def _add_method(self, method: types.MethodType) -> None:
        self.tag("method")
        self.add(method.__self__)
        self.add(method.__func__)

    def _add_partial(self, partial: functools.partial) -> None:
        self.tag("partial")
        self.add((partial.func, partial.args, partial.keywords))

    def _add_descriptor(self, descriptor: Any) -> None:
        self.tag(type(descriptor).__name__)
        for name in ("__func__", "func", "fget", "fset"):
            self.add(getattr(descriptor, name, None))

    def _add_module_value(self, module: types.ModuleType) -> None:
        raise NotPortable(f"the module '{module.__name__}' as a value")

    # -- classes and objects --------------------------------------------------------------------------------------------
    def _add_class(self, kind: type) -> None:
        """A class that the code names: it may make objects of it."""
        self._add_kind(kind)
        for base in kind.__mro__:
            if is_library(base.__module__):
                break
            for name in ("__init__", "__new__"):
                if name in vars(base):
                    self.add(vars(base)[name])

    def _add_kind(self, kind: type) -> None:
        """The class of an object: what its methods compute, apart from those that make it."""
        self.tag("class", kind.__module__, kind.__qualname__)
        if kind in self.kinds:
            return
        self.kinds.add(kind)
        for base in kind.__mro__[:-1]:
            own = vars(base)
            if is_library(base.__module__):
                self._add_fields({name: one for name, one in own.items() if _is_patched(one)})
            else:
                self._add_fields({name: one for name, one in own.items() if name not in _OF_CLASSES})

    def _add_cell(self, cell: Any) -> None:
        self.cells.append(cell)
        self._add_kind(type(cell))
        own = vars(cell)
        if own.get("_cell_held"):
            raise NotPortable(f"'{type(cell).__name__}' has assigned to its own attributes")
        fields = {name: item for name, item in own.items() if name not in type(cell)._not_in_digest}
        self._add_fields(fields, _runs_library_code(type(cell)))

    def _add_object(self, value: Any) -> None:
        kind = type(value)
        if isinstance(kind.__getattribute__, types.FunctionType):
            raise NotPortable(f"an object of '{kind.__qualname__}', whose own code gives its attributes")
        slots = [name for base in kind.__mro__ for name in _slots(base) if hasattr(value, name)]
        if not hasattr(value, "__dict__") and not slots:
            raise NotPortable(f"an object of '{kind.__module__}.{kind.__qualname__}'")
        if is_library(kind.__module__) and not kind.__module__.startswith("mindspore"):
            raise NotPortable(f"an object of '{kind.__module__}.{kind.__qualname__}'")
        self._add_kind(kind)
        fields = {name: getattr(value, name) for name in slots} | getattr(value, "__dict__", {})
        self._add_fields(fields, _runs_library_code(kind))

    def _add_fields(self, fields: dict[str, Any], read_by_library: bool = False) -> None:
        """Attributes by name. What cannot be described is allowed as long as no code mentions it; a library's code is not looked at."""
        for name, item in fields.items():
            self.tag(name)
            try:
                self.add(item)
            except NotPortable as error:
                if read_by_library:
                    raise
                self.opaque.setdefault(name, str(error))
                self.tag("opaque")


def _runs_library_code(kind: type) -> bool:
    """Whether methods of a library read an object's attributes: its code is not looked at for the names of them."""
    bases = [base for base in kind.__mro__[:-1] if is_library(base.__module__)]
    return any(base.__qualname__ != "Cell" for base in bases)


def _slots(kind: type) -> Iterable[str]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else [name for name in slots if name not in ("__dict__", "__weakref__")]


def _refuse_effects(function: types.FunctionType) -> None:
    """What runs while a graph is compiled is not traced: it may have effects on what it can change."""
    if any(isinstance(value, (list, dict, set)) for value in referenced(function)):
        raise NotPortable(f"'{function.__qualname__}' runs at compile time and holds lists or dicts")


def _is_patched(value: Any) -> bool:
    """Whether a name of a library stands for code of somebody else."""
    return isinstance(value, (types.FunctionType, type)) and not is_library(value.__module__ or "")


_ADDERS: dict[type, Any] = {
    tuple: PortableState._add_sequence, list: PortableState._add_sequence, dict: PortableState._add_dict,
    np.dtype: PortableState._add_text, types.FunctionType: PortableState._add_function,
    types.MethodType: PortableState._add_method, functools.partial: PortableState._add_partial,
}  # fmt: skip
_BASES: tuple[tuple[Any, Any], ...] = (
    (Tensor, PortableState._add_tensor), (Kernel, PortableState._add_kernel), (type, PortableState._add_class), (enum.Enum, PortableState._add_enum),
    ((tuple, list, collections.deque), PortableState._add_sequence), (dict, PortableState._add_dict),
    ((set, frozenset), PortableState._add_set), (np.ndarray, PortableState._add_array),
    ((np.generic, np.dtype, dtypes.DType), PortableState._add_text), (types.ModuleType, PortableState._add_module_value),
    ((types.BuiltinFunctionType, np.ufunc, types.MethodDescriptorType, types.WrapperDescriptorType), PortableState._add_builtin),
    ((staticmethod, classmethod, property, functools.cached_property), PortableState._add_descriptor),
)  # fmt: skip
