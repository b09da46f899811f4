"""Every operator, checked by what its declaration says: its forms agree, in both modes, with NumPy and with calculus.

What does not apply to an operator is said in its own declaration (``t.case(..., grad=False)``); there are no lists of
exceptions here.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore._engine.operator import arguments
from mindspore._engine.operator.registry import FUNCTIONS, OPS, PRIMITIVES, Op
from tests.ops.samples import Case, Samples, to_tensors
from tests.sampling import is_changed, share

MODES = {"graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}
CHECKED_ELEMENTS = 40  # of each input, in the numerical gradient
every_operator = pytest.mark.parametrize("op", [pytest.param(OPS[name], id=name) for name in sorted(OPS)])


def looked_at(name: str, part: int) -> bool:
    """What the default run looks at: another fourth of the operators at every commit, and what was just changed."""
    return share(name, 4) == part or is_changed(OPS[name].body.__module__)


def cases_of(op: Op) -> Sequence[Case]:
    return op.test(Samples(op.name)) if op.test is not None else ()


@contextlib.contextmanager
def mode(name: str) -> Iterator[None]:
    before = ms.get_context("mode")
    ms.set_context(mode=MODES[name])
    try:
        yield
    finally:
        ms.set_context(mode=before)


def flat(result: Any) -> list[Any]:
    return [one for part in result for one in flat(part)] if isinstance(result, (tuple, list)) else [result]


def assert_same(found: Any, wanted: Any, what: str, tolerance: float = 0.0) -> None:
    """Equal structure, shapes, dtypes and values; ``tolerance`` is relative and absolute."""
    found, wanted = flat(found), flat(wanted)
    assert len(found) == len(wanted), f"{what}: {len(found)} outputs instead of {len(wanted)}"
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype, f"{what}: {one.dtype} instead of {other.dtype}"
        np.testing.assert_allclose(as_array(one), as_array(other), tolerance, tolerance, err_msg=what)


def as_array(tensor: Any) -> np.ndarray:
    array = np.asarray(tensor)
    return array if array.dtype.kind in "biufc" else array.astype(np.float32)  # bfloat16 is no dtype of NumPy's own


# -- names -----------------------------------------------------------------------------------------------------------
@every_operator
def test_no_other_declaration_takes_its_names(op: Op):
    for name in op.names:
        assert FUNCTIONS[name] is op.function, f"the function {name} is declared twice"
    for primitive in op.primitives:
        assert PRIMITIVES[primitive.__name__] is primitive, f"the class {primitive.__name__} is declared twice"
    for name in op.methods:
        assert getattr(Tensor, name) is op.function, f"the method {name} is declared twice"


@every_operator
def test_all_forms_have_the_same_arguments(op: Op):
    declared = {p.name: p.default for p in inspect.signature(op.function).parameters.values()}
    assert [a.name for a in op.arguments] == list(declared)
    for primitive in op.primitives:
        taken = arguments_of(op, primitive)
        assert len(taken) == len(set(taken)) and set(taken) <= set(declared), f"{primitive.__name__} takes {taken}"
        for name in set(declared) - set(taken):
            assert declared[name] is not inspect.Parameter.empty, f"{primitive.__name__} cannot be given the '{name}'"
        assert inspect.signature(primitive) == inspect.signature(op.primitives[0])
    if op.methods:
        assert op.arguments[0].tensor, "a method's first argument is the Tensor itself"


def arguments_of(op: Op, primitive: Any) -> list[str]:
    """The arguments of a Primitive class: those of its constructor, then those of its call."""
    return [*inspect.signature(primitive).parameters, *[op.arguments[place].name for place in primitive.call_indices]]


@every_operator
def test_documentation_and_cases_exist(op: Op):
    document = op.body.__doc__ or ""
    assert document.strip(), "there is no docstring"
    if op.names:
        assert "Examples:" in document and ">>>" in document, "the docstring of a public function has no example"
    assert cases_of(op), "the declaration has no test case"


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_public_functions_have_an_example(name: str):
    document = FUNCTIONS[name].__doc__ or ""
    assert "Examples:" in document and ">>>" in document


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_primitive_classes_are_documented(name: str):
    assert (PRIMITIVES[name].__doc__ or "").strip()


# -- values ----------------------------------------------------------------------------------------------------------
@every_operator
def test_forms_modes_and_numpy_agree(op: Op):
    """The first case in PyNative mode, of every fourth operator in graph mode, too; everything: ``pytest -m heavy``."""
    check_forms(op, cases_of(op)[:1], compiled=looked_at(op.name, 1))


@pytest.mark.heavy
@every_operator
def test_forms_modes_and_numpy_agree_in_every_case(op: Op):
    check_forms(op, cases_of(op), compiled=1000)


def check_forms(op: Op, cases: Sequence[Case], compiled: int) -> None:
    for number, case in enumerate(cases):
        args, kwargs = to_arguments(op, case.args, case.kwargs)
        result = op.function(*args, **kwargs)
        for primitive in op.primitives:
            if takes_all(op, primitive, args, kwargs):
                assert_same(call_primitive(op, primitive, args, kwargs), result, f"the class {primitive.__name__}")
        for method in op.methods:
            if isinstance(args[0], Tensor):
                assert_same(getattr(args[0], method)(*args[1:], **kwargs), result, f"the method {method}")
        if number < compiled:
            assert_same(in_graph(op, args, kwargs), result, "the result in a graph", rounding(result))
        if case.expect is not None:
            check_reference(result, case.expect(*case.args, **case.kwargs), case.tolerance)


def to_arguments(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """Arrays as Tensors, or as lists where the operator wants the numbers themselves (a shape, an axis)."""
    is_tensor = {a.name: a.tensor for a in op.arguments}
    given = [to_tensors(one) if a.tensor else to_lists(one) for one, a in zip(args, op.arguments, strict=False)]
    named = {name: to_tensors(one) if is_tensor[name] else to_lists(one) for name, one in kwargs.items()}
    return tuple(given), named


def to_lists(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def named_values(op: Op, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    return dict(zip([a.name for a in op.arguments], op.complete(args, kwargs), strict=True))


def takes_all(op: Op, primitive: Any, args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether the class has every argument of this call that is not at its default."""
    taken = arguments_of(op, primitive)
    values = named_values(op, args, kwargs)
    return all(a.name in taken or values[a.name] is a.default for a in op.arguments)


def call_primitive(op: Op, primitive: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    values = named_values(op, args, kwargs)
    constructor = inspect.signature(primitive).parameters
    call = [values[op.arguments[place].name] for place in primitive.call_indices]
    return primitive(**{name: values[name] for name in constructor})(*call)


def in_graph(op: Op, args: tuple, kwargs: dict[str, Any]) -> Any:
    def call(*tensors):
        return op.function(*tensors, **kwargs)

    return ms.jit(call)(*args)


def rounding(result: Any) -> float:
    """How far results of one computation may be apart when it is compiled in two ways."""
    arrays = [as_array(one).dtype for one in flat(result)]
    widths = [kind.itemsize // (2 if kind.kind == "c" else 1) if kind.kind in "fc" else 8 for kind in arrays]
    return {2: 1e-2, 4: 1e-5}.get(min(widths, default=8), 1e-9)


def check_reference(result: Any, reference: Any, tolerance: float) -> None:
    reference = flat(reference)
    assert len(flat(result)) == len(reference), "NumPy's answer has another number of outputs"
    for one, other in zip(flat(result), reference, strict=True):
        allowed = max(tolerance, rounding(one))
        np.testing.assert_allclose(as_array(one), other, allowed, allowed, err_msg="differs from NumPy")


# -- gradients -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("op", [pytest.param(OPS[name], id=name) for name in sorted(OPS) if looked_at(name, 0)])
def test_gradient_is_the_slope(op: Op):
    """The first case of every fourth operator; all in both modes: ``pytest -m heavy``."""
    check_gradients(op, thorough=False)


@pytest.mark.heavy
@every_operator
def test_gradient_is_the_slope_in_both_modes(op: Op):
    check_gradients(op, thorough=True)


def check_gradients(op: Op, thorough: bool) -> None:
    cases = cases_of(op)
    for case in cases if thorough else cases[:1]:
        problem = Problem(op, case)
        if not case.positions or not problem.weights:  # integers carry no gradient
            continue
        numerical = [problem.slopes(position) for position in case.positions]
        for name in MODES if thorough else [list(MODES)[len(op.name) % 2]]:
            with mode(name):
                analytical = problem.gradients()
            for position, slopes, gradient in zip(case.positions, numerical, analytical, strict=True):
                assert_slopes(slopes, flat(gradient), f"{op.arguments[position].name} in {name} mode")


class Problem:
    """The floating-point outputs of a case, weighted and summed, as a function of its inputs in float64."""

    def __init__(self, op: Op, case: Case):
        self.op = op
        self.case = case
        self.args = [to_float64(a) for a in case.args]
        self.kwargs = to_arguments(op, (), to_float64(case.kwargs))[1]
        outputs = self.outputs(*self.tensors())
        random = np.random.default_rng(0)
        self.weights = [random.uniform(0.5, 1.5, one.shape).astype(as_array(one).dtype) for one in outputs]
        single = any(as_array(one).dtype != np.float64 for one in outputs)
        self.step, self.tolerance = (1e-2, 2e-2) if single else (1e-6, 1e-5)

    def outputs(self, *tensors: Any) -> tuple[Tensor, ...]:
        result = self.op.function(*tensors, **self.kwargs)
        results = result if isinstance(result, tuple) else (result,)
        return tuple([one for one in results if one.dtype.is_floating])

    def tensors(self) -> tuple:
        return to_arguments(self.op, self.args, {})[0]

    def gradients(self) -> tuple:
        seeds = tuple([Tensor(one) for one in self.weights])
        positions = self.case.positions
        if len(positions) == 1:
            return (ms.grad(self.outputs, positions[0], sens_param=True)(*self.tensors(), seeds),)
        return ms.grad(self.outputs, positions, sens_param=True)(*self.tensors(), seeds)

    def value(self) -> float:
        outputs = self.outputs(*self.tensors())
        return sum(float(np.sum(w * as_array(o), dtype=np.float64)) for w, o in zip(self.weights, outputs, strict=True))

    def slopes(self, position: int) -> list[tuple[int, np.ndarray, np.ndarray, float]]:
        """For every array of an argument: its number, which elements were moved, the slopes seen, the tolerance."""
        found = []
        argument = self.args[position]
        for number, array in enumerate(argument if isinstance(argument, (tuple, list)) else [argument]):
            elements = np.random.default_rng(number).permutation(array.size)[:CHECKED_ELEMENTS]
            slopes = np.array([self.slope(array.reshape(-1), element) for element in elements])
            found.append((number, elements, slopes, self.tolerance))
        return found

    def slope(self, elements: np.ndarray, index: int) -> float:
        """The central difference; ``elements`` is a view of the argument, moved and moved back."""
        start = elements[index]
        elements[index] = start + self.step
        above = self.value()
        elements[index] = start - self.step
        below = self.value()
        elements[index] = start
        return (above - below) / (2 * self.step)


def to_float64(value: Any) -> Any:
    """Copies of the arrays, those of floating point in float64."""
    if isinstance(value, np.ndarray):
        return np.array(value, np.float64 if value.dtype.kind == "f" else value.dtype)
    if isinstance(value, dict):
        return {name: to_float64(one) for name, one in value.items()}
    return type(value)(map(to_float64, value)) if isinstance(value, (tuple, list)) else value


def assert_slopes(slopes: list, gradients: list, what: str) -> None:
    for number, elements, wanted, tolerance in slopes:
        found = gradients[number].asnumpy().reshape(-1)[elements]
        np.testing.assert_allclose(found, wanted, tolerance, tolerance, err_msg=f"the gradient of {what}")


# -- errors ----------------------------------------------------------------------------------------------------------
WRONG = {
    arguments.ArrayArgument: "a text",
    arguments.OperandArgument: "a text",
    arguments.ArraysArgument: 3,
    arguments.IntArgument: "a text",
    arguments.FloatArgument: "a text",
    arguments.BoolArgument: "a text",
    arguments.StrArgument: 3.5,
    arguments.AxisArgument: "a text",
    arguments.ShapeArgument: "a text",
    arguments.DTypeArgument: 3.5,
}


@every_operator
def test_wrong_types_are_refused_by_name(op: Op):
    case = cases_of(op)[0]
    values = op.complete(*to_arguments(op, case.args, case.kwargs))
    for place, argument in enumerate(op.arguments):
        kind = type(argument.inner if isinstance(argument, arguments.OptionalArgument) else argument)
        if kind in WRONG:
            with pytest.raises(TypeError) as caught:
                op(*[WRONG[kind] if i == place else value for i, value in enumerate(values)])
            assert f"'{op.title}'" in str(caught.value) and f"'{argument.name}'" in str(caught.value)


# -- gradients of gradients ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode_name", MODES)
@pytest.mark.parametrize("name", ["exp", "log", "matmul", "mul", "sigmoid", "softmax", "sqrt", "tanh"])
def test_second_gradient_is_the_slope_of_the_first(name: str, mode_name: str):
    function = FUNCTIONS[name]
    others = [Tensor(np.array([[1.5, 0.5], [0.25, 2.0]]))] if name in ("matmul", "mul") else []
    weights = Tensor(np.array([[1.0, 2.0], [0.5, 1.5]]))

    def cubed(x):
        return function(x, *others) ** 3 * weights

    def first(x):
        return ms.grad(cubed)(x)

    point = np.array([[0.5, 1.25], [0.75, 1.5]])
    with mode(mode_name):
        second = ms.grad(first)(Tensor(point)).asnumpy()
        slopes = np.zeros_like(point)
        for index in np.ndindex(point.shape):
            moved = np.zeros_like(point)
            moved[index] = 1e-6
            ahead, behind = (first(Tensor(point + sign * moved)).asnumpy().sum() for sign in (1, -1))
            slopes[index] = (ahead - behind) / 2e-6
    np.testing.assert_allclose(second, slopes, 1e-5, 1e-5)
