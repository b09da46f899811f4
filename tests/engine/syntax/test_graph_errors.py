"""With the syntax level STRICT, what cannot be compiled says where and why, and what to write instead; nothing is changed by a
failed attempt."""

import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


@pytest.fixture(autouse=True)
def _mode():
    ms.set_context(mode=ms.GRAPH_MODE, jit_syntax_level=ms.STRICT)
    yield
    ms.set_context(mode=ms.GRAPH_MODE)


def t(*values):
    return Tensor(np.array(values[0] if len(values) == 1 else values, np.float32))


def line_of(text):
    """The number of the line in this file that holds the text (and nothing of this call)."""
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line and "line_of" not in line)


def failing(function, *args):
    with pytest.raises(Exception) as caught:
        function(*args)
    return caught.value


# -- joins ----------------------------------------------------------------------------------------------------------------
def test_different_dtypes_name_the_variable():
    @ms.jit
    def f(x):
        if x > 0:
            result = x
        else:
            result = Tensor(1)
        return result

    error = failing(f, t(1.0))
    assert isinstance(error, TypeError)
    assert "Cannot join" in str(error)
    assert "'result'" in str(error)
    assert "Float32" in str(error)
    assert "Int64" in str(error)


def test_a_number_that_would_lose_its_fraction_is_refused():
    @ms.jit
    def f(x, n):
        if x > 0:
            n = 1.5
        return n

    error = failing(f, t(1.0), Tensor(3))
    assert isinstance(error, TypeError)
    assert "'n'" in str(error)
    assert "1.5" in str(error)


def test_different_shapes_name_the_variable():
    @ms.jit
    def f(x):
        y = x
        if x.sum() > 0:
            y = ops.concat([x, x])
        return y

    error = failing(f, t(1.0, 2.0))
    assert isinstance(error, ValueError)
    assert "'y'" in str(error)
    assert "(4,)" in str(error)
    assert "(2,)" in str(error)


def test_different_forms_name_the_variable():
    @ms.jit
    def f(x):
        if x > 0:
            pair = (x, x)
        else:
            pair = x
        return pair

    error = failing(f, t(1.0))
    assert "'pair'" in str(error)


def test_return_values_that_do_not_fit():
    @ms.jit
    def f(x):
        if x > 0:
            return x
        return "negative"

    assert "the return value" in str(failing(f, t(1.0)))


def test_missing_return_under_a_condition():
    @ms.jit
    def f(x):
        if x > 0:
            return x

    error = failing(f, t(1.0))
    assert "returns a value only when" in str(error)


def test_variable_of_one_branch_is_an_error_only_when_used():
    @ms.jit
    def unused(x):
        if x > 0:
            only_here = x * 2
            x = only_here
        return x

    @ms.jit
    def used(x):
        if x > 0:
            only_here = x * 2
        return only_here

    assert float(unused(t(3.0))) == 6.0
    error = failing(used, t(3.0))
    assert isinstance(error, UnboundLocalError)
    assert "'only_here' is not defined in the false branch" in str(error)


def test_variable_used_before_assignment():
    @ms.jit
    def f(x):
        if x.ndim > 5:
            y = x
        return y

    assert isinstance(failing(f, t(1.0)), UnboundLocalError)


def test_deleted_variable():
    @ms.jit
    def f(x):
        y = x
        del y
        return y

    assert isinstance(failing(f, t(1.0)), UnboundLocalError)


# -- loops ------------------------------------------------------------------------------------------------------------------
def test_a_list_that_grows_in_a_traced_loop():
    @ms.jit
    def f(x):
        found = []
        while x < 10:
            found.append(x)
            x = x + 1
        return found

    error = failing(f, t(1.0))
    assert "cannot grow" in str(error)
    assert "list" in str(error)


def test_a_list_that_differs_between_branches():
    @ms.jit
    def f(x):
        found = [x]
        if x > 0:
            found.append(x)
        return found

    error = failing(f, t(1.0))
    assert "Cannot join" in str(error)
    assert "list" in str(error)


def test_a_dtype_that_changes_in_a_loop():
    @ms.jit
    def f(x):
        i = Tensor(0)
        while i < 3:
            i = i + x
        return i

    error = failing(f, t(1.0))
    assert isinstance(error, TypeError)
    assert "'i'" in str(error)


def test_a_shape_that_changes_in_a_loop():
    @ms.jit
    def f(x):
        while x.sum() < 10:
            x = ops.concat([x, x])
        return x

    error = failing(f, t(1.0, 2.0))
    assert "'x'" in str(error)


def test_second_gradient_through_a_loop_is_compiled():
    def f(x, w):
        y = x
        while y.sum() < 50:
            y = y * x + w
        return (y * y).sum()

    both = ms.grad(lambda x, w: ms.grad(f)(x, w).sum(), (0, 1))
    by_x, by_w = both(t(1.0, 2.0, 3.0), t(0.5, 1.0, 1.5))
    np.testing.assert_allclose(by_x.asnumpy(), [125.5, 5038.0, 50395.5], rtol=1e-5)
    np.testing.assert_allclose(by_w.asnumpy(), [48.0, 748.0, 4488.0], rtol=1e-5)


# -- values that are not known ------------------------------------------------------------------------------------------------
def test_asnumpy_names_the_line_and_a_way_out():
    @ms.jit
    def f(x):
        y = x + 1
        return y.asnumpy()  # here asnumpy

    error = failing(f, t(1.0))
    assert "asnumpy" in str(error)
    assert "What to write instead" in str(error)
    assert f'test_graph_errors.py", line {line_of("# here asnumpy")}, in f' in str(error)


def test_python_numbers_of_tensors_are_refused_where_a_constant_is_needed():
    @ms.jit
    def f(x):
        return ops.zeros((int(x), 2), ms.float32)  # here zeros

    error = failing(f, t(2.0))
    assert f"line {line_of('# here zeros')}" in str(error)


def test_numpy_functions_on_tensors():
    @ms.jit
    def f(x):
        return np.sum(np.asarray(x))  # here numpy

    error = failing(f, t(1.0, 2.0))
    assert "mindspore.ops" in str(error)
    assert f"line {line_of('# here numpy')}" in str(error)


def test_tolist_and_the_number_as_an_index():
    @ms.jit
    def tolist(x):
        return x.tolist()

    @ms.jit
    def index(x):
        return [1, 2][int(x)]

    for function in (tolist, index):
        assert "needs the value of a Tensor" in str(failing(function, t(1.0)))


def test_comprehension_that_filters_by_a_tensor():
    @ms.jit
    def f(x):
        return [v for v in (x, -x) if v > 0]  # here filter

    error = failing(f, t(1.0))
    assert f"line {line_of('# here filter')}" in str(error)


def test_range_of_a_tensor_outside_a_for_statement():
    @ms.jit
    def f(x):
        return [i for i in range(x.astype(ms.int32))]  # noqa: C416

    assert "for" in str(failing(f, t(3.0)))


def test_condition_of_several_elements():
    @ms.jit
    def f(x):
        if x > 0:
            x = x + 1
        return x

    error = failing(f, t(1.0, 2.0))
    assert isinstance(error, ValueError)
    assert ".any() or .all()" in str(error)


def test_if_in_code_whose_source_cannot_be_read():
    namespace = {}
    exec("def f(x):\n    if x > 0:\n        return x\n    return -x\n\ndef g(x):\n    return x * 2\n", namespace)
    assert float(ms.jit(namespace["g"])(t(2.0))) == 4.0
    error = failing(ms.jit(namespace["f"]), t(1.0))
    assert "code the compiler can read" in str(error)


# -- the path -----------------------------------------------------------------------------------------------------------------
class Deep(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            for _ in range(2):
                x = self.helper(x)  # here helper
        return x

    def helper(self, x):
        y = ops.matmul(x, x)
        return y + x.bad_name  # here bad


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.deep = Deep()

    def construct(self, x):
        x = x * 2
        return self.deep(x)  # here deep


def test_the_path_shows_the_innermost_line_of_every_function():
    error = failing(Outer(), Tensor(np.ones((2, 2)), ms.float32))
    assert isinstance(error, AttributeError)
    path = re.findall(r'File ".*test_graph_errors.py", line (\d+), in (\w+)\n    (.*)', str(error))
    wanted = [("construct", "# here deep"), ("construct", "# here helper"), ("helper", "# here bad")]
    assert [(int(line), name) for line, name, _ in path] == [(line_of(mark), name) for name, mark in wanted]
    assert "While compiling 'Outer'" in str(error)


def test_tracebacks_name_the_user_file_and_function():
    caught = []

    @ms.jit
    def f(x):
        for _ in range(1):
            try:
                if x.ndim == 0:
                    raise KeyError("k")  # here raise
            except KeyError as error:
                trace = error.__traceback__
                while trace is not None:
                    code = trace.tb_frame.f_code
                    caught.append((code.co_filename, code.co_name, trace.tb_lineno))
                    trace = trace.tb_next
                frames = tuple(caught)
        names = {name for file, name, _ in frames if file == __file__}
        lines = [line for file, _, line in frames if file == __file__]
        assert names == {"f"}
        assert line_of("# here raise") in lines
        return x

    f(t(1.0))


def test_unknown_name():
    @ms.jit
    def f(x):
        return zzz + x

    error = failing(f, t(1.0))
    assert isinstance(error, NameError)
    assert "zzz" in str(error)


# -- raise and assert -------------------------------------------------------------------------------------------------------------
def test_raise_with_a_constant_condition():
    class Net(nn.Cell):
        def construct(self, x):
            if x.ndim != 2:
                raise ValueError(f"expected 2 dimensions, got {x.ndim}")
            return x

    error = failing(Net(), t(1.0))
    assert type(error) is ValueError
    assert str(error).startswith("expected 2 dimensions, got 0")


class Refusing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = Parameter(t(0.0), name="calls", requires_grad=False)

    def construct(self, x):
        self.calls = self.calls + 1
        if x > 5:
            raise ValueError(f"too large: {x}")
        return x * 2


def test_raise_under_a_tensor_condition_happens_when_the_graph_runs():
    net = Refusing()
    assert float(net(t(2.0))) == 4.0
    with pytest.raises(ValueError, match=r"^too large: 7\.0$"):
        net(t(7.0))
    assert float(net.calls) == 1.0  # the failed call changed nothing
    assert float(net(t(3.0))) == 6.0


def test_raise_under_a_condition_inside_gradients_and_loops():
    @ms.jit
    def f(x):
        while x < 10:
            x = x * 2
            if x == 8:
                raise RuntimeError(f"hit {x:.1f}")
        return x

    assert float(ms.grad(f)(t(3.0))) == 4.0
    with pytest.raises(RuntimeError, match=r"^hit 8\.0$"):
        ms.grad(f)(t(2.0))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(RuntimeError, match=r"^hit 8\.0$"):
        ms.grad(f)(t(1.0))


def test_every_branch_may_raise():
    @ms.jit
    def f(x):
        if x > 5:
            raise ValueError("large")
        elif x > 0:
            raise KeyError("small")
        return x

    with pytest.raises(ValueError, match="large"):
        f(t(7.0))
    with pytest.raises(KeyError, match="small"):
        f(t(3.0))
    assert float(f(t(-1.0))) == -1.0


def test_assert_under_a_tensor_condition():
    @ms.jit
    def f(x):
        assert x > 0, f"must be positive, but is {x}"
        return x

    assert float(f(t(2.0))) == 2.0
    with pytest.raises(AssertionError, match=r"^must be positive, but is -2\.0$"):
        f(t(-2.0))


def test_assert_with_a_constant_condition():
    @ms.jit
    def f(x):
        assert x.ndim == 1, "needs a vector"
        return x

    with pytest.raises(AssertionError, match=r"^needs a vector"):
        f(t(2.0))


# -- a failed attempt changes nothing ----------------------------------------------------------------------------------------------
class Failing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(t(1.0), name="w")
        self.mode = "bad"
        self.seen = []
        self.table = {}

    def construct(self, x):
        self.w = self.w + 1
        self.seen.append(x)
        self.table["x"] = x
        if x > 0:
            ops.assign(self.w, x)
            if self.mode == "bad":
                x = x.no_such_thing
        return x * self.w


def test_an_error_in_the_middle_of_a_trace_leaves_everything_as_it_was():
    net = Failing()
    for _ in range(2):
        assert isinstance(failing(net, t(2.0)), AttributeError)
        assert float(net.w) == 1.0
        assert (net.seen, net.table) == ([], {})
    assert isinstance(failing(ms.grad(net, None, net.trainable_params()), t(2.0)), AttributeError)
    assert float(net.w) == 1.0
    net.mode = "good"
    assert float(net(t(2.0))) == 4.0
    assert float(net.w) == 2.0
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert float(ops.add(net.w, net.w)) == 4.0


# -- recursion ----------------------------------------------------------------------------------------------------------------------
def count_down(x, n):
    if n == 0:
        return x
    return count_down(x + 1, n - 1)


def test_deep_recursion_names_max_call_depth():
    assert float(ms.jit(count_down)(t(0.0), 900)) == 900.0
    before = ms.get_context("max_call_depth")
    ms.set_context(max_call_depth=20)
    try:
        error = failing(ms.jit(count_down), t(0.0), 50)
        assert isinstance(error, RuntimeError)
        assert "max_call_depth" in str(error)
        assert "20" in str(error)
    finally:
        ms.set_context(max_call_depth=before)


def test_endless_recursion_names_max_call_depth():
    @ms.jit
    def endless(x):
        return forever(x)

    error = failing(endless, t(1.0))
    assert isinstance(error, RuntimeError)
    assert "max_call_depth" in str(error)


def test_recursion_of_an_inner_function_is_counted_too():
    @ms.jit
    def inside(x, n):
        def again(n, x):
            return x if n == 0 else again(n - 1, x + 1)

        return again(n, x)

    assert float(inside(t(0.0), 90)) == 90.0
    before = ms.get_context("max_call_depth")
    ms.set_context(max_call_depth=100)
    try:
        error = failing(inside, t(0.0), 100_000)
        assert isinstance(error, RuntimeError)
        assert "max_call_depth" in str(error)
    finally:
        ms.set_context(max_call_depth=before)


def forever(x):
    if x > 0:
        return forever(x - 1)
    return x


# -- types ----------------------------------------------------------------------------------------------------------------
MISTAKES = {  # what Python raises, and MindSpore's graphs
    "1 / (x.ndim - 1)": (ZeroDivisionError, ValueError),
    "{'a': x}['b']": (KeyError, ValueError),
    "x.ndim(x)": (TypeError, ValueError),
    "list(map(3, [x]))": (TypeError, ValueError),
    "(lambda a: a)(x, b=1)": (TypeError, RuntimeError),
    "nn.ReLU()(x, foo=3)": (TypeError, RuntimeError),
    "ops.Add()(x, z=1)": (TypeError, RuntimeError),
    "ops.relu(x, False, 3)": (TypeError, RuntimeError),
    "range(1, 2, 3, 4)": (TypeError, RuntimeError),
    "list(range(1, 2, x.ndim - 1))": (ValueError, RuntimeError),
    "len(x.ndim)": (TypeError, AttributeError),
    "nn.Cell[0]": (TypeError, AttributeError),
    "[x][x.ndim / 2]": (TypeError, IndexError),
    "(lambda pair: [a for a, b, c in [pair]])((x, x))": (ValueError, IndexError),
    "'ab'[5]": (IndexError, RuntimeError),
    "{} < {'a': x}": (TypeError, RuntimeError),
    "x[0.5:]": (IndexError, TypeError),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_has_the_type_of_python_and_of_graphs(mistake, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(f"from mindspore import nn, ops\ndef program(x):\n    return {mistake}\n")
    program = {}
    exec(compile(file.read_text(), str(file), "exec"), program)
    error = failing(ms.jit(program["program"]), t(1.0, 2.0))
    assert all(isinstance(error, kind) for kind in MISTAKES[mistake])
    assert f'File "{file}", line 3' in "\n".join([str(error), *getattr(error, "__notes__", ())])


def test_an_error_that_the_program_raises_has_its_type_alone():
    @ms.jit
    def program(x):
        raise KeyError("k")

    assert type(failing(program, t(1.0))) is KeyError
