"""When and how functions become graphs: ``jit``, ``ms_function`` and the calls graph mode compiles by itself."""

from __future__ import annotations

import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar, overload

from mindspore._engine.base.mutable_values import marked
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.graph import breaks
from mindspore._engine.graph.compiled import Compiled
from mindspore._engine.runtime import context
from mindspore._engine.runtime.context_keys import STRICT
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.capture import identity_of
from mindspore._utils.checks import check_bool, check_int, check_one_of

_LEVELS = ("O0", "O1", "O2", "O3")
_SYNTAX_LEVELS = ["STRICT", "COMPATIBLE", "LAX"]  # the first two never run as Python; COMPATIBLE is from 2.0
_KEPT = 256  # compiled functions per owner, or without one; the oldest goes first
_functions: OrderedDict[Any, tuple[Compiled, tuple]] = OrderedDict()


def compiles_now() -> bool:
    """Whether a Cell or gradient called here is compiled as a whole."""
    asked = context.state.mode == context.GRAPH_MODE or state.piecewise > 0
    return asked and state.scope is None and config.jit_enabled.value


class GraphStore(dict):
    """The compiled functions of one object, kept in the object so that they go with it. Copies start empty."""

    is_cache_of_graphs = True

    def __deepcopy__(self, memo: dict) -> GraphStore:
        return GraphStore()

    def __copy__(self) -> GraphStore:
        return GraphStore()

    def __reduce__(self) -> tuple:
        return (GraphStore, ())


def store_of(owner: Any) -> Any:
    """Where the compiled functions of a Cell, a method's object or a free function are kept."""
    owner = getattr(owner, "__self__", owner)
    members = getattr(owner, "__dict__", None)
    if members is None or inspect.isfunction(owner) or inspect.ismodule(owner) or inspect.isclass(owner):
        return _functions
    return members.setdefault("_compiled_functions", GraphStore())


def call_compiled(
    function: Callable[..., Any],
    args: tuple,
    kwargs: dict,
    identity: Any,
    roots: tuple,
    name: str | None = None,
    falls_back: bool = True,
) -> Any:
    """Run a function as a graph; calls with an equal identity share the graphs. The first root owns them.

    ``falls_back``: whether the function can run as Python where a graph cannot hold it.
    """
    store = store_of(roots[0])
    found = store.get(identity)
    if found is None:
        # Holding the roots keeps the ids inside the identity from being used again.
        found = store[identity] = (Compiled(function, roots, name), roots)
        found[0].falls_back, found[0].traces_once = falls_back, not falls_back
        if len(store) > _KEPT:
            store.pop(next(iter(store)))
    elif store is _functions:
        _functions.move_to_end(identity)
    return found[0](args, kwargs)


_Kind = TypeVar("_Kind")
Function = TypeVar("Function", bound=Callable[..., Any])  # a compiled function is called like the function

_DECLARED = "_declared_inputs"


@overload
def jit(function: Function, **options: Any) -> Function: ...
@overload
def jit(function: None = None, **options: Any) -> Callable[[Function], Function]: ...
def jit(function: Any = None, *, mode: str = "PSJit", input_signature: Any = None, hash_args: Any = None,
        jit_config: Any = None, compile_once: bool = False, capture_mode: str = "ast", jit_level: str = "O0",
        dynamic: int = 0, fullgraph: bool = False, backend: str = "", fn: Any = None, obj: Any = None,
        **options: Any) -> Any:  # fmt: skip
    """Compile a function, method or Cell into a graph; use it bare or with arguments, in either mode.

    The function is traced once. Where it needs the value of a Tensor it runs as Python, with a notice that names the line,
    and what it calls is compiled; with ``fullgraph`` or the ``jit_syntax_level`` STRICT that is an error.

    With the ``capture_mode`` "bytecode" or "trace", or the ``mode`` "PIJit", the function does what it does in Python, at every call:
    arguments that it changes are changed, ``print`` writes as Python does. Where a graph would not, it runs as Python.

    The other arguments exist for programs of all versions; how a graph is built does not depend on them.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> @ms.jit
        ... def double(x):
        ...     return x + x
        >>> print(double(Tensor([1.0, 2.0])))
        [2. 4.]
    """
    function = function if function is not None else fn
    _check_options(capture_mode, mode, dynamic, jit_level, fullgraph)
    strict = fullgraph or is_strict(jit_config) or _means_strict(options.get("jit_syntax_level"))
    as_python = capture_mode != "ast" or mode == "PIJit"
    if function is None:
        return functools.partial(
            _wrap, hash_args=hash_args, strict=strict, declared=input_signature, as_python=as_python
        )
    return _wrap(function, hash_args, strict, input_signature, as_python)


def is_strict(jit_config: Any) -> bool:
    """Whether a JitConfig, or the dict of one, asks for graphs without Python in them."""
    options = getattr(jit_config, "jit_config_dict", jit_config)
    return isinstance(options, dict) and _means_strict(options.get("jit_syntax_level"))


def _means_strict(level: Any) -> bool:
    return level == STRICT if isinstance(level, int) else isinstance(level, str) and level.upper() in _SYNTAX_LEVELS[:2]


@overload
def ms_function(fn: Function, *arguments: Any, **options: Any) -> Function: ...
@overload
def ms_function(fn: None = None, *arguments: Any, **options: Any) -> Callable[[Function], Function]: ...
def ms_function(fn: Any = None, obj: Any = None, input_signature: Any = None, hash_args: Any = None,
                jit_config: Any = None) -> Any:  # fmt: skip
    """The name of :func:`jit` before 2.0.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> @ms.ms_function
        ... def twice(x):
        ...     return x + x
        >>> print(twice(Tensor([1.0, 2.0])))
        [2. 4.]
    """
    if fn is None:
        return functools.partial(_wrap, hash_args=hash_args, strict=is_strict(jit_config), declared=input_signature)
    return _wrap(fn, hash_args, is_strict(jit_config), input_signature)


def _check_options(capture_mode: str, mode: str, dynamic: int, jit_level: str, fullgraph: bool) -> None:
    check_one_of("jit", "capture_mode", capture_mode, ("ast", "bytecode", "trace"))
    check_one_of("jit", "mode", mode, ("PSJit", "PIJit"))
    check_int("jit", "dynamic", dynamic, 0, 1)
    check_one_of("jit", "jit_level", jit_level, _LEVELS)
    check_bool("jit", "fullgraph", fullgraph)


def _wrap(
    function: Any, hash_args: Any = None, strict: bool = False, declared: Any = None, as_python: bool = False
) -> Any:
    if hasattr(function, "construct") and hasattr(function, "get_parameters"):
        return _jitted_cell(function, strict, as_python)
    if isinstance(function, JitFunction):
        return function
    if not callable(function):
        raise TypeError(f"For 'jit', the 'function' must be a function, method or Cell, but got {function!r}.")
    jitted = JitFunction(function, hash_args, strict, as_python)
    jitted.declare(declared if declared is not None else getattr(function, _DECLARED, None))
    return jitted


def mark_declared(function: Any, examples: dict[str, Any]) -> None:
    """Note what was declared of the inputs of a function that is not under ``jit`` yet."""
    setattr(function, _DECLARED, examples)


def _jitted_cell(cell: Any, strict: bool = False, as_python: bool = False) -> Any:
    """A Cell (or Cell class) whose construct is compiled in both modes."""
    owner: Any = cell if inspect.isclass(cell) else type(cell)
    if isinstance(owner.construct, JitFunction):
        return cell
    if inspect.isclass(cell):
        owner.construct = JitFunction(owner.construct, None, strict, as_python)
    else:
        jitted = JitFunction(owner.construct, None, strict, as_python)
        members = {"construct": jitted, "__doc__": owner.__doc__, "__module__": owner.__module__}
        object.__setattr__(
            cell, "__class__", type(owner.__name__, (owner,), members)
        )  # a Cell takes it for an attribute
    return cell


class JitFunction:
    """A function that runs as a compiled graph. Inside another graph it is simply part of it."""

    def __init__(
        self, function: Callable[..., Any], hash_args: Any = None, strict: bool = False, as_python: bool = False
    ):
        functools.update_wrapper(self, function)
        self.function = function
        self.hash_args = hash_args
        self.strict = strict
        self.as_python = as_python  # every call does what it does in Python
        self.compiled = _prepared(Compiled(function), self)

    def declare(self, examples: Any) -> None:
        """Tensors with open axes in place of arguments: in their order, or by their names."""
        self.compiled.declared = examples

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(None, args, kwargs)

    def _call(self, instance: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        function = self.function if instance is None else functools.partial(self.function, instance)
        if state.scope is not None:
            return self._traced(args if instance is None else (instance, *args), kwargs)
        if not config.jit_enabled.value:
            return function(*args, **kwargs)
        if instance is None:
            return self.compiled(args, kwargs)
        return _compiled_method(self, instance)(args, kwargs)

    def _traced(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """As part of another graph; what it does besides computing happens once, as in a graph of its own."""
        root = state.scope.root  # type: ignore[union-attr]
        faithful, root.faithful = root.faithful, root.faithful and self.as_python
        try:
            return invoke.invoke(self.function, args, kwargs)
        except Exception:
            breaks.on_the_way(self.function)
            raise
        finally:
            root.faithful = faithful

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else BoundJitFunction(self, instance)

    @property
    def identity(self) -> Any:
        return ("jit", identity_of(self.function))

    def __repr__(self) -> str:
        return f"<jit of {self.function!r}>"


class BoundJitFunction:
    """A jitted method of one object."""

    def __init__(self, jitted: JitFunction, instance: Any):
        self.jitted = jitted
        self.__self__ = instance
        self.__name__ = getattr(jitted.function, "__name__", "jit")
        self.__wrapped__ = jitted.function.__get__(instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.jitted._call(self.__self__, args, kwargs)

    @property
    def identity(self) -> Any:
        return ("jit", id(self.__self__), identity_of(self.jitted.function))


def _compiled_method(jitted: JitFunction, instance: Any) -> Compiled:
    """The graphs of a method belong to its object and go with it."""
    store = store_of(instance)
    found = store.get(jitted)
    if found is None:
        method = jitted.function.__get__(instance)
        found = Compiled(method, (instance, method), jitted.function.__name__)
        found.declared = jitted.compiled.declared
        store[jitted] = _prepared(found, jitted)
    return found


def _prepared(compiled: Compiled, jitted: JitFunction) -> Compiled:
    compiled.traces_once, compiled.follows_python, compiled.strict = (
        not jitted.as_python,
        jitted.as_python,
        jitted.strict,
    )
    return compiled


def jit_class(cls: type[_Kind]) -> type[_Kind]:
    """Mark a plain class as usable inside graphs. Every class is, here; kept for programs that mark theirs.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor
        >>> @mindspore.jit_class
        ... class Scale:
        ...     def __init__(self, factor):
        ...         self.factor = factor
        ...     def __call__(self, x):
        ...         return x * self.factor
        >>> @mindspore.jit
        ... def double(x):
        ...     return Scale(2)(x)
        >>> print(double(Tensor([1.0, 2.0])))
        [2. 4.]
    """
    if not inspect.isclass(cls):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls!r}.")
    return cls


ms_class = jit_class


def constexpr(fn: Any = None, get_instance: bool = True, name: str | None = None, reuse_result: bool = True,
              check: bool = True) -> Any:  # fmt: skip
    """A function of constants that is evaluated while the graph is built.

    Examples:
        >>> import mindspore
        >>> @mindspore.constexpr
        ... def rows(shape):
        ...     return shape[0]
        >>> print(rows((3, 4)))
        3
    """
    if fn is None:
        return functools.partial(constexpr, get_instance=get_instance, name=name)
    fn.runs_at_compile_time = True
    return fn


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Mark a number, a container or a Tensor as something that changes from call to call.

    The result is still an int, a float, a tuple, a list or a dict. Numbers that change become inputs of graphs by themselves; of
    containers the mark says that ``GradOperation(get_all=True)`` gives gradients for the Tensors in them.

    Args:
        input_data: what is marked.
        dynamic_len: whether the length of a tuple or list changes, too.

    Examples:
        >>> import mindspore as ms
        >>> print(ms.mutable((1, 2.5)), ms.mutable(3) + 1, isinstance(ms.mutable(3), int))
        (1, 2.5) 4 True
    """
    check_bool("mutable", "dynamic_len", dynamic_len)
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        got = type(input_data).__name__
        raise TypeError(
            f"For 'mutable', the 'input_data' must be a list or tuple where 'dynamic_len' is True, but got {got}."
        )
    if isinstance(input_data, (Tensor, bool)):
        return input_data
    result = marked(input_data, dynamic_len)
    if result is None:
        raise TypeError(
            f"For 'mutable', the 'input_data' must be a number, Tensor, tuple, list or dict, but got {input_data!r}."
        )
    return result


class JitConfig:
    """Compilation options of other back ends, kept readable.

    Examples:
        >>> import mindspore
        >>> from mindspore import nn, ops
        >>> config = mindspore.JitConfig(jit_level="O1")
        >>> net = nn.Dense(2, 1)
        >>> net.set_jit_config(config)
        >>> print(net(ops.ones((3, 2))).shape)
        (3, 1)
    """

    def __init__(self, jit_level: str = "", exc_mode: str = "auto", jit_syntax_level: str = "", debug_level: str = "RELEASE",
                 infer_boost: str = "off", **kwargs: Any):  # fmt: skip
        if jit_level not in ("", *_LEVELS):
            raise ValueError(
                f"For 'JitConfig', the 'jit_level' must be one of ['O0', 'O1', 'O2', 'O3'], but got {jit_level!r}."
            )
        for name, value, allowed in (("exc_mode", exc_mode, ["auto", "sink", "no_sink"]), ("debug_level", debug_level, ["RELEASE", "DEBUG"]),
                                     ("jit_syntax_level", jit_syntax_level, _SYNTAX_LEVELS), ("infer_boost", infer_boost, ["on", "off"])):  # fmt: skip
            if value not in allowed and not (name == "jit_syntax_level" and value == ""):
                raise ValueError(f"For 'JitConfig', the '{name}' must be one of {allowed}, but got {value!r}.")
        self.jit_config_dict = {"jit_level": jit_level, "exc_mode": exc_mode, "jit_syntax_level": jit_syntax_level,
                                "debug_level": debug_level, "infer_boost": infer_boost, **kwargs}  # fmt: skip
