"""One declaration per operator.

    @op(primitive="ReduceMean", init=("keep_dims",), method="mean", test=lambda t: [...])
    def mean(x: Array, axis: Axis = None, keep_dims: bool = False):
        ...JAX code...

The function's signature is the functional form and its docstring the documentation. It also generates the Primitive class,
the Tensor method and operator, old names, and the registry-driven test. The annotations decide how each argument is
bound (``arguments.py``).
"""

from __future__ import annotations

import functools
import inspect
import itertools
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import native, run
from mindspore._engine.execution.views import view_of
from mindspore._engine.operator.arguments import (
    NUMBERS,
    Argument,
    ArrayArgument,
    ArraysArgument,
    OperandArgument,
    OptionalArgument,
    given_twice,
    parse_arguments,
    wrong_call,
)
from mindspore._engine.operator.sharding import LABEL_RULES, LabelRule
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.hints import OperatorHints
from mindspore._utils.user_call import READERS, UserCall

Names = str | Sequence[str]
OPS: dict[str, Op] = {}  # by name of the function
FUNCTIONS: dict[str, Callable[..., Any]] = {}  # every public function name, old ones included
OperatorHints.functions = FUNCTIONS
PRIMITIVES: dict[str, type] = {}  # every Primitive class name, old ones included


class Declarations(NamedTuple):
    """Operators by the names of their functions, and their two forms by public names."""

    ops: dict[str, Op]
    functions: dict[str, Callable[..., Any]]
    primitives: dict[str, type]


DECLARED = Declarations(OPS, FUNCTIONS, PRIMITIVES)
GRADIENTS = Declarations({}, {}, {})  # gradient primitives: declared when first asked for (``_ops/gradients``)
# Overrides for non-Tensor second operands: type -> handler(operator name, first, second), which may return NotImplemented.
OPERANDS: dict[type, Callable[[str, Any, Any], Any]] = {}


class Op:
    """A declared operator: its arguments, and the cache of kernels specialised from it."""

    __slots__ = ("arguments", "body", "bounds", "check", "defaults", "forms", "function", "in_parts", "kernels", "loops", "methods", "name", "names",
                 "outcome", "passes", "pointwise", "primitives", "rows", "takers", "test", "title")  # fmt: skip

    def __init__(self, body: Callable[..., Any], title: str):
        self.body = body
        self.name = body.__name__
        self.title = title  # name in error messages
        self.arguments: tuple[Argument, ...] = parse_arguments(body)
        self.defaults = tuple(a.default for a in self.arguments)
        self.takers = tuple((a.plain, a.take) for a in self.arguments)
        self.kernels: dict[tuple, Kernel] = {}
        self.names: tuple[str, ...] = (self.name,)
        self.methods: tuple[str, ...] = ()
        self.primitives: tuple[type, ...] = ()
        self.test: Callable[..., Any] | None = None
        self.check: Callable[..., None] | None = None
        self.bounds: Callable[..., None] | None = None
        self.outcome: Callable[..., None] | None = None
        self.in_parts = False
        self.passes: Callable[..., bool] | None = None
        self.loops = False
        self.pointwise = False
        self.rows: Callable[..., Any] | None = None
        self.function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 2 and type(args[1]) in OPERANDS:
            result = OPERANDS[type(args[1])](self.name, *args)
            if result is not NotImplemented:
                return result
        result = run(*self.select(args, kwargs))
        if self.bounds is not None:
            self.bounds(*self.complete(args, kwargs))
        if self.outcome is not None:
            self.outcome(result, *self.complete(args, kwargs))
        return result

    def select(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Kernel, list[Any]]:
        """The kernel specialised for the static arguments, and its operands."""
        if kwargs or len(args) != len(self.arguments):
            args = self.complete(args, kwargs)
        if self.check is not None and state.scope is None:
            self.check(*args)
        # Tensors are operands; everything else, list lengths included, is the kernel's cache key.
        inputs: list[Any] = []
        key: list[Any] = []
        for value, (plain, take) in zip(args, self.takers):
            if plain and isinstance(value, Tensor):
                inputs.append(value)
            else:
                take(value, inputs, key, self.title)
        chosen = tuple(key)
        kernel = self.kernels.get(chosen)
        if kernel is None:
            kernel = self.kernels[chosen] = Kernel(self.title, self.specialise(chosen), self.loops)
            kernel.in_parts, kernel.pointwise, kernel.rows = self.in_parts, self.pointwise, self.rows
            kernel.passes = self.passes is not None and self.passes(*args)
        return kernel, inputs

    def complete(self, args: tuple, kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments in declared order, defaults included."""
        values = [*args, *self.defaults[len(args) :]]
        if len(args) > len(self.arguments):
            raise wrong_call(self.title, self.arguments, args, kwargs)
        named: dict[int, str] = {}
        for name, value in kwargs.items():
            for index, argument in enumerate(self.arguments):
                if name == argument.name or name in argument.old_names:
                    if index < len(args) or index in named:
                        raise given_twice(self.title, name, named.get(index))
                    named[index] = name
                    values[index] = value
                    break
            else:
                raise wrong_call(self.title, self.arguments, args, kwargs)
        if any(value is inspect.Parameter.empty for value in values):
            raise wrong_call(self.title, self.arguments, args, kwargs)
        return tuple(values)

    def specialise(self, key: tuple) -> Callable[..., Any]:
        """The body as a function of flat arrays, closed over its static arguments."""

        def function(*flat: Any) -> Any:
            supply, statics = iter(flat), iter(key)
            values = [argument.give(supply, statics) for argument in self.arguments]
            return _strengthen(self.body(*values))

        function.declared = (self, key)  # type: ignore[attr-defined]
        return function


_SIMPLE = frozenset(
    {type(None), bool, int, float, str}
)  # hashable types whose equality, with the type, identifies an argument


def _entry(declared: Op, call: Callable[..., Any]) -> Callable[..., Any]:
    """The operator as a function, with a fast path for Tensors followed by simple static arguments; ``call`` takes the others."""
    first = list(itertools.takewhile(lambda argument: argument.plain, declared.arguments))
    count = len(first)
    rest = declared.arguments[count:]
    direct = {Tensor, Parameter, *(NUMBERS if all(isinstance(a, OperandArgument) for a in first) else ())}
    kernels: dict[tuple, Kernel] = {}  # (static values, their types) -> kernel
    at_once = None if native is None else native.OperatorCall("".join([_letter(a) for a in declared.arguments]))
    required = sum(a.default is inspect.Parameter.empty for a in declared.arguments)

    def function(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) < count:
            return call(*args, **kwargs)
        if at_once is not None:
            found = at_once(args)
            if found is not None:
                return found
        inputs, key = args, ()
        if len(args) != count:
            inputs, values = args[:count], args[count:]
            kinds = tuple(map(type, values))
            if not _SIMPLE.issuperset(kinds):
                return slowly(args)
            key = (values, kinds)
        for x in inputs:
            if x.__class__ not in direct:
                return call(*args)
        kernel = kernels.get(key)
        if kernel is None:
            kernel = kernels[key] = declared.select(args, kwargs)[0]
        if at_once is not None and not at_once.knows(args):
            at_once.remember(args, kernel)
        return run(kernel, inputs)

    def slowly(args: tuple) -> Any:
        """The call by Python; the C++ part makes it by itself when it comes again."""
        found = call(*args)
        if at_once is not None and state.scope is None and not at_once.knows(args):
            at_once.remember(args, declared.select(args, {})[0])
        return found

    def general(*args: Any, **kwargs: Any) -> Any:
        if kwargs or at_once is None or len(args) < required or state.scope is not None:
            return call(*args, **kwargs)
        if declared.check is not None:
            declared.check(*args, *declared.defaults[len(args) :])
        found = at_once(args)
        if found is None:
            found = slowly(args)
        elif declared.bounds is not None:
            declared.bounds(*args, *declared.defaults[len(args) :])
        return found

    READERS[function.__code__] = READERS[general.__code__] = _read_call
    checks = (declared.check, declared.bounds, declared.outcome)
    short = not any(checks) and not any(a.tensor for a in rest)
    return function if short else general


def _letter(argument: Argument) -> str:
    """The kind of an argument, for the C++ part (``OperatorCall``)."""
    if isinstance(argument, OperandArgument):
        return "o"
    if isinstance(argument, ArrayArgument):
        return "a"
    if isinstance(argument, ArraysArgument):
        return "l"
    return "t" if isinstance(argument, OptionalArgument) else "x"


def _read_call(variables: dict[str, Any]) -> UserCall:
    """The user's call, from the variables of an operator's function."""
    declared: Op = variables.get("declared") or variables["call"]
    names = (*declared.names, *declared.methods)
    return UserCall(names, variables["args"], variables["kwargs"], (f"({', '.join(map(str, declared.arguments))})",))


def _strengthen(result: Any) -> Any:
    """Drop weak types: results have a definite dtype, also if computed from Python scalars alone."""
    if isinstance(result, (tuple, list)):
        return tuple(_strengthen(r) for r in result)
    result = jnp.asarray(result)
    if jax.dtypes.result_type(result) == jnp.float64 and _is_weak(result):
        return lax.convert_element_type(result, jnp.float32)
    return lax.convert_element_type(result, result.dtype) if _is_weak(result) else result


def _is_weak(value: Any) -> bool:
    return bool(getattr(value, "weak_type", False))


def _as_tuple(names: Names | None) -> tuple[str, ...]:
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)


def op(*, primitive: Names | None = None, init: Sequence[str] = (), aliases: Names | None = None,
       method: Names | None = None, operator: str | None = None, reflected: str | None = None, public: bool = True,
       primitive_defaults: dict[str, Any] | None = None, call_order: Sequence[str] | None = None,
       old: Mapping[str, Names] | None = None, check: Callable[..., None] | None = None,
       bounds: Callable[..., None] | None = None, outcome: Callable[..., None] | None = None, in_parts: bool = False, loops: bool = False,
       passes: Callable[..., bool] | None = None,
       rows: Callable[..., Any] | None = None, view: Callable[..., Any] | None = None, sharding: LabelRule | None = None, registry: Declarations = DECLARED,
       test: Callable[..., Any] | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Declare an operator.

    Args:
        primitive: name of the Primitive class, or several (the first is the current one, the others old names).
        init: the arguments that belong to the Primitive's constructor, in its order.
        aliases: other names of the function.
        method: name(s) of the Tensor method; the tensor is the first argument.
        operator, reflected: Python's special methods, e.g. ``__add__`` and ``__radd__``.
        public: False when there is only a Primitive class, no function.
        primitive_defaults: where the class has other defaults than the function.
        call_order: where the class takes its call arguments in another order.
        old: other keyword names of arguments, e.g. ``{"input": ("x",)}``.
        check: validates eager argument values before every call, which the traced body cannot.
        bounds: checks indices and values, in both modes, with the functions of ``index_bounds.py`` and ``value_checks.py``.
        outcome: checks the result, its first argument, likewise: what only the computation can tell.
        in_parts: whether the result is the first input with some elements replaced, which XLA updates in place.
        loops: whether the body is a sequential loop, whose residuals are saved instead of rematerialised.
        passes: of a conversion: whether a call may give integers or truth values. MindSpore's gradients pass through these, too.
        rows: of a lookup in a table, the first argument: from all of them the numbers of the rows that are the result. Its
            gradient then keeps rows and numbers (``execution/row_gradient.py``).
        view: whose results share their elements with the first argument: the same in NumPy, of an array, the result's shape
            (of several results their shapes) and the other arguments (``execution/views.py``).
        sharding: labels the axes of inputs and outputs, for strategies; by default those of broadcasting (``sharding.py``).
        registry: where the operator and its forms are found.
        test: takes a sample maker, returns cases for the registry-driven test.
    """

    def declare(body: Callable[..., Any]) -> Callable[..., Any]:
        names = _as_tuple(primitive)
        declared = Op(body, names[0] if names else body.__name__)
        declared.test, declared.check, declared.loops = test, check, loops
        declared.bounds, declared.outcome, declared.in_parts, declared.rows = bounds, outcome, in_parts, rows
        declared.passes = passes
        for argument in declared.arguments:
            argument.old_names = _as_tuple((old or {}).get(argument.name))
        _add_first_names(declared)

        function = functools.wraps(body)(_entry(declared, declared))
        if view is not None:
            function = functools.wraps(body)(view_of(function, view, declared.complete))
        function.op = declared  # type: ignore[attr-defined]
        declared.function = function
        _register_names(declared, function, _as_tuple(aliases), public, registry)
        if sharding is not None:
            LABEL_RULES.update(dict.fromkeys(names, sharding))
        for class_name in names:
            from_op = make_primitive(declared, class_name, tuple(init), primitive_defaults or {}, call_order)
            registry.primitives[class_name] = from_op
            declared.primitives += (from_op,)
        _attach(declared, function, _as_tuple(method), operator, reflected)
        return function

    return declare


_FIRST_NAMES = ("input", "input_x", "x")


def _add_first_names(declared: Op) -> None:
    """Accept all names that MindSpore's versions gave the first argument: ``x``, ``input_x``, ``input``."""
    if declared.arguments and declared.arguments[0].name in _FIRST_NAMES:
        taken = {name for argument in declared.arguments for name in (argument.name, *argument.old_names)}
        declared.arguments[0].old_names += tuple(name for name in _FIRST_NAMES if name not in taken)


def register_function(function: Callable[..., Any], *, aliases: Names | None = None, method: Names | None = None,
                      primitive: type | None = None) -> Callable[..., Any]:  # fmt: skip
    """Publish a function that is not an operator itself but calls some (random numbers, data-dependent shapes)."""
    for name in (function.__name__, *_as_tuple(aliases)):
        FUNCTIONS[name] = function
    for name in _as_tuple(method):
        attach(name, function)
    if primitive is not None:
        PRIMITIVES[primitive.__name__] = primitive
    return function


def register_primitive(primitive: type, *old_names: str) -> type:
    """Publish a Primitive class written by hand. Usable as a class decorator."""
    if "__call__" in dir(primitive) and isinstance(primitive.__call__, types.FunctionType):
        count_inputs(primitive)
    for name in (primitive.__name__, *old_names):
        PRIMITIVES[name] = primitive
    return primitive


def _register_names(declared: Op, function: Callable[..., Any], aliases: tuple[str, ...], public: bool,
                    registry: Declarations) -> None:  # fmt: skip
    registry.ops[declared.name] = declared
    if public:
        declared.names += aliases
        for name in declared.names:
            registry.functions[name] = function
    else:
        declared.names = ()


def _attach(declared: Op, function: Callable[..., Any], methods: tuple[str, ...], operator: str | None,
            reflected: str | None) -> None:  # fmt: skip
    declared.methods = methods
    for name in methods:
        attach(name, function)
    if operator in _OF_LISTS:
        function = functools.wraps(function)(_entry(declared, _taking_lists(declared)))
    if operator:
        attach(operator, function)
    if reflected:
        if reflected == "__rpow__":
            function = functools.wraps(function)(_entry(declared, _taking_lists(declared)))

        def swapped(self: Any, other: Any) -> Any:
            return function(other, self)

        swapped.__name__ = swapped.__qualname__ = reflected
        attach(reflected, swapped)


_OF_LISTS = ("__add__", "__sub__", "__floordiv__")  # the functions of the same operators take no lists


def _of_list(values: Any, tensor: Tensor | None) -> Tensor:
    """A list beside a Tensor: in its dtype, as MindSpore takes it, unless fractions or imaginary parts would be lost."""
    made = Tensor(values)
    if tensor is None or _kind(made.dtype) > _kind(tensor.dtype):
        return made
    return made.astype(tensor.dtype)


def _kind(dtype: Any) -> int:
    """bool, whole numbers, floating point, complex: 0 to 3."""
    return 3 if dtype.is_complex else 2 if dtype.is_floating else 0 if dtype.np_dtype == np.bool_ else 1


def _taking_lists(declared: Op) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        tensor = next((one for one in args if isinstance(one, Tensor)), None)
        return declared(*(_of_list(one, tensor) if isinstance(one, (list, tuple)) else one for one in args))

    return call


from mindspore._engine.operator.primitive import count_inputs, make_primitive  # noqa: E402 - primitive.py builds on Op
