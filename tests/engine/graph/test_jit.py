"""jit and ms_function: how they are applied, what goes in and out, and when they compile."""

import itertools
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore._engine.graph import recompile
from mindspore._engine.graph.compiled import Compiled
from tests.engine.modes import check_same


@pytest.fixture(autouse=True, params=["graph", "pynative"])
def mode(request):
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    yield request.param
    ms.set_context(mode=ms.GRAPH_MODE)


def t(*values):
    return Tensor(np.array(values[0] if len(values) == 1 else values, np.float32))


def compilations(function):
    return function.compiled.compilations


# -- ways to apply it -------------------------------------------------------------------------------------------------------
def test_every_signature_of_every_version():
    def f(x):
        return x * 2 if x > 0 else x

    signature = (Tensor(np.zeros((), np.float32)),)
    forms = [
        ms.jit(f), ms.jit()(f), ms.jit(fn=f), ms.jit(function=f), ms.jit(mode="PSJit")(f), ms.jit(f, mode="PIJit"),
        ms.jit(input_signature=signature)(f), ms.jit(f, input_signature=signature), ms.jit(hash_args=())(f),
        ms.jit(jit_config=ms.JitConfig(jit_level="O1"))(f), ms.jit(f, compile_once=True),
        ms.jit(capture_mode="ast")(f), ms.jit(capture_mode="bytecode")(f), ms.jit(capture_mode="trace")(f),
        ms.jit(f, jit_level="O2", dynamic=1, fullgraph=True, backend="ms_backend"), ms.jit(f, debug_level="RELEASE"),
        ms.ms_function(f), ms.ms_function()(f), ms.ms_function(fn=f), ms.ms_function(f, None, signature),
        ms.ms_function(obj=None, input_signature=signature)(f), ms.ms_function(f, hash_args=(1,)),
        ms.common.api.ms_function(f), ms.common.api.jit(f),
    ]  # fmt: skip
    for form in forms:
        assert float(form(t(3.0))) == 6.0
        assert float(form(t(-3.0))) == -3.0


def test_bad_options_are_refused():
    for options in ({"capture_mode": "other"}, {"mode": "other"}, {"dynamic": 7}):
        with pytest.raises(ValueError, match=next(iter(options))):
            ms.jit(**options)(lambda x: x)
    with pytest.raises(TypeError, match="function, method or Cell"):
        ms.jit(3)


def _element(x):
    x[1] = 7.0
    return x * 1


def _part(x):
    part = x[:2]
    part[0] = 7.0
    return x + part.sum()


def _list(x):
    x[0] = x[1] * 2
    del x[1]
    return x


def _dict(x):
    x["new"] = x.pop("old") + 1
    return x


def _view(x):
    return x.keys(), x.items()


def _text(x):
    print("it is", x)
    return x + 1


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize(
    "options", [{"capture_mode": "bytecode"}, {"capture_mode": "trace"}, {"mode": "PIJit"}], ids=str
)
@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (_element, lambda: t(1.0, 2.0, 3.0)), (_part, lambda: t(1.0, 2.0, 3.0)), (_list, lambda: [t(1.0), t(2.0)]),
        (_dict, lambda: {"old": t(1.0)}), (_view, lambda: {"a": 1}), (_text, lambda: t(1.0, 2.0)),
    ],
    ids=["element", "part", "list", "dict", "view", "text"],
)  # fmt: skip
def test_what_is_captured_as_bytecode_does_what_python_does(options, function, argument, capfd):
    there, here = argument(), argument()
    expected = str(function(there)), str(there), capfd.readouterr().out
    jitted = ms.jit(function, **options)
    assert (str(jitted(here)), str(here), capfd.readouterr().out) == expected
    assert type(jitted({"a": 1})) is type(function({"a": 1})) if function is _view else True


def test_bytecode_as_a_full_graph_is_refused_what_a_graph_cannot_hold():
    with pytest.raises(Exception, match="needs the value of a Tensor"):
        ms.jit(lambda x: x.asnumpy(), capture_mode="bytecode", fullgraph=True)(t(1.0))


class Methods(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(t(2.0), name="w")

    @ms.jit
    def construct(self, x):
        if x > 0:
            return x * self.w
        return x

    @ms.ms_function
    def method(self, x, scale=3):
        return x * self.w * scale if x > 0 else x

    @ms.jit()
    def other(self, x):
        self.w = self.w + x
        return self.method(x)

    @staticmethod
    @ms.jit
    def static(x):
        return x + 1 if x > 0 else x


class Plain:
    def __init__(self, factor):
        self.factor = factor

    @ms.jit
    def scaled(self, x):
        return x * self.factor if x > 0 else x

    @classmethod
    def made(cls, x):
        return cls(2).scaled(x)


def test_on_methods():
    net = Methods()
    assert float(net(t(3.0))) == 6.0
    assert float(net.method(t(3.0))) == 18.0
    assert float(net.method(t(3.0), scale=1)) == 6.0
    assert float(net.static(t(3.0))) == 4.0
    assert float(Methods.static(t(-3.0))) == -3.0
    assert float(net.other(t(1.0))) == 9.0
    assert float(net.w) == 3.0
    assert float(Plain(5).scaled(t(2.0))) == 10.0
    assert float(Plain(7).scaled(t(2.0))) == 14.0
    assert float(Plain.made(t(2.0))) == 4.0


def test_methods_of_two_objects_have_graphs_of_their_own():
    first, second = Methods(), Methods()
    second.w.set_data(t(10.0))
    assert float(first(t(1.0))) == 2.0
    assert float(second(t(1.0))) == 10.0


class Doubling(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = Parameter(t(0.0), name="calls", requires_grad=False)

    def construct(self, x):
        self.calls = self.calls + 1
        return x * 2 if x > 0 else x


def test_on_cells_and_cell_classes():
    net = ms.jit(Doubling())
    assert isinstance(net, Doubling)
    assert float(net(t(3.0))) == 6.0
    assert float(net(t(-3.0))) == -3.0
    assert float(net.calls) == 2.0
    jitted_class = ms.jit(type("Other", (Doubling,), {"construct": Doubling.construct}))
    assert float(jitted_class()(t(3.0))) == 6.0


def test_nested_jit_is_part_of_the_outer_graph():
    @ms.jit
    def inner(x):
        return x * 2 if x > 0 else x

    @ms.jit
    def outer(x):
        return inner(x) + inner(x - 5)

    assert float(outer(t(3.0))) == 4.0
    assert compilations(outer) == 1
    assert compilations(inner) == 0


def test_jit_keeps_name_and_documentation():
    @ms.jit
    def documented(x):
        """What it does."""
        return x

    assert documented.__name__ == "documented"
    assert documented.__doc__ == "What it does."


# -- gradients ----------------------------------------------------------------------------------------------------------------
def test_jit_inside_grad_and_grad_inside_jit():
    def f(x):
        return x * x * x if x > 0 else x

    @ms.jit
    def slope(x):
        return ms.grad(f)(x)

    @ms.jit
    def slope_of_jit(x):
        return ms.grad(ms.jit(f))(x) * 2

    assert float(ms.grad(ms.jit(f))(t(2.0))) == 12.0
    assert float(slope(t(2.0))) == 12.0
    assert float(slope(t(-2.0))) == 1.0
    assert float(slope_of_jit(t(2.0))) == 24.0
    assert float(ms.grad(slope)(t(2.0))) == 12.0


def test_train_step_under_jit():
    weight = Parameter(t(1.0, 2.0), name="weight")
    weights = ParameterTuple([weight])

    def loss(x, y):
        return ((x * weight - y) ** 2).sum()

    gradient = ms.value_and_grad(loss, None, weights)

    @ms.jit
    def step(x, y):
        value, grads = gradient(x, y)
        for parameter, g in zip(weights, grads, strict=True):
            ops.assign_sub(parameter, 0.1 * g)
        return value

    losses = [float(step(t(1.0, 1.0), t(3.0, 3.0))) for _ in range(4)]
    assert losses[0] == pytest.approx(5.0)
    assert all(a > b for a, b in itertools.pairwise(losses))
    assert compilations(step) == 1


# -- what goes in and out -------------------------------------------------------------------------------------------------------
def test_arguments_and_results_of_every_kind():
    @ms.jit
    def f(x, pair, table, nothing=None, *rest, flag=True, **named):
        assert nothing is None
        total = x + pair[0] * pair[1] + table["a"]
        for r in rest:
            total = total + r
        return {"total": total, "pair": (pair[1], [x, None]), "text": "abc", "number": 3, "flag": flag, **named}

    result = f(t(1.0), (t(2.0), 3), {"a": t(4.0), "b": "unused"}, None, t(10.0), k=t(5.0))
    check_same(
        {"total": t(21.0), "pair": (3, [t(1.0), None]), "text": "abc", "number": 3, "flag": True, "k": t(5.0)},
        result,
        "",
    )


def test_results_that_are_constants():
    @ms.jit
    def constants(x):
        return 1, "two", None, [3.5, (4,)], x.shape, x.dtype, Tensor(7)

    one, two, none, nested, shape, dtype, seven = constants(t(1.0, 2.0))
    assert (one, two, none, nested, shape) == (1, "two", None, [3.5, (4,)], (2,))
    assert dtype == ms.float32
    assert int(seven) == 7

    @ms.jit
    def nothing(x):
        x + 1

    assert nothing(t(1.0)) is None


def test_the_same_tensor_twice_and_inputs_as_results():
    @ms.jit
    def f(x):
        y = x * 2
        return y, y, x, [x]

    x = t(1.0, 2.0)
    first, second, same, nested = f(x)
    first[0] = 100.0
    assert second.asnumpy().tolist() == [2.0, 4.0]
    same[0] = 50.0
    assert x.asnumpy().tolist() == [1.0, 2.0]
    assert nested[0].asnumpy().tolist() == [1.0, 2.0]


def test_a_parameter_as_result_is_its_value_then():
    weight = Parameter(t(1.0), name="weight")

    @ms.jit
    def f(x):
        before = weight + 0
        ops.assign(weight, x)
        return before, weight

    before, after = f(t(5.0))
    assert float(before) == 1.0
    assert float(after) == 5.0
    f(t(6.0))
    assert float(after) == 5.0
    assert float(weight) == 6.0


def test_a_parameter_as_argument():
    first, second = Parameter(t(1.0), name="a"), Parameter(t(2.0), name="b")

    @ms.jit
    def f(parameter, x):
        ops.assign_add(parameter, x)
        return parameter * 10

    assert float(f(first, t(5.0))) == 60.0
    assert float(f(second, t(5.0))) == 70.0
    assert float(f(first, t(1.0))) == 70.0
    assert (float(first), float(second)) == (7.0, 7.0)


def test_numpy_arrays_as_arguments():
    @ms.jit
    def f(x):
        return x * 2

    assert f(np.ones(2, np.float32)).asnumpy().tolist() == [2.0, 2.0]
    assert f(np.full(2, 3, np.float32)).asnumpy().tolist() == [6.0, 6.0]
    assert compilations(f) == 1


def test_mutable_makes_numbers_inputs():
    @ms.jit
    def f(x, values):
        return x + values[0] * values[1]

    for a in range(4):
        assert float(f(t(1.0), ms.mutable((a, 2)))) == 1.0 + 2 * a
    assert compilations(f) <= 2


def test_constexpr_is_evaluated_while_compiling():
    seen = []

    @ops.constexpr
    def table(n):
        seen.append(n)
        return [i * i for i in range(n) if i % 2]

    @ms.jit
    def f(x):
        for value in table(6):
            x = x + value
        return x

    assert float(f(t(0.0))) == 35.0
    assert float(f(t(1.0))) == 36.0
    assert set(seen) == {6}


# -- when it compiles -----------------------------------------------------------------------------------------------------------
def test_once_per_signature():
    @ms.jit
    def f(x):
        return x * 2

    for shape in ((2,), (3,), (2,), (3,)):
        f(Tensor(np.ones(shape), ms.float32))
    assert compilations(f) == 2
    f(Tensor(np.ones(2), ms.int32))
    assert compilations(f) == 3


def test_numbers_do_not_compile_again_for_every_value():
    @ms.jit
    def f(x, n, rate):
        return x * n + rate

    for n in range(8):
        assert float(f(t(1.0), n, n / 2)) == n * 1.5
    assert compilations(f) <= 3


def test_numbers_the_program_needs_as_constants():
    @ms.jit
    def f(x, n):
        total = x
        for i in range(n):
            total = total + i
        return total

    for n in (3, 4, 5, 3, 4, 5):
        assert float(f(t(0.0), n)) == sum(range(n))
    assert compilations(f) <= 4

    @ms.jit
    def shaped(x, n):
        return ops.zeros((n, 2), ms.float32) + x

    assert [shaped(t(1.0), n).shape for n in (1, 2, 3)] == [(1, 2), (2, 2), (3, 2)]


def test_a_number_in_a_condition():
    @ms.jit
    def f(x, n):
        if n > 2:
            return x * n
        return x - n

    assert [float(f(t(10.0), n)) for n in (1, 2, 3, 4)] == [9.0, 8.0, 30.0, 40.0]


def test_booleans_strings_and_none_are_constants():
    @ms.jit
    def f(x, flag, name, extra):
        if flag:
            x = x + 1
        if name == "double":
            x = x * 2
        return x if extra is None else x + extra

    assert float(f(t(1.0), True, "double", None)) == 4.0
    assert float(f(t(1.0), False, "double", None)) == 2.0
    assert float(f(t(1.0), True, "single", t(5.0))) == 7.0
    assert float(f(t(1.0), True, "double", None)) == 4.0
    assert compilations(f) == 3


class Flagged(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(t(2.0), name="w")
        self.factor = 3

    def construct(self, x):
        if self.training:
            return x * self.w
        return x * self.factor


def test_switching_train_and_eval_finds_the_graph_again(mode):
    net = ms.jit(Flagged()) if mode == "pynative" else Flagged()
    for _ in range(2):
        assert float(net.set_train()(t(1.0))) == 2.0
        assert float(net.set_train(False)(t(1.0))) == 3.0
    assert _graphs_of(net).compilations == 2


def test_a_changed_attribute_compiles_again(mode):
    net = ms.jit(Flagged()) if mode == "pynative" else Flagged()
    assert float(net(t(1.0))) == 3.0
    net.factor = 5
    assert float(net(t(1.0))) == 5.0
    net.factor = 3
    assert float(net(t(1.0))) == 3.0
    assert _graphs_of(net).compilations == 2
    net.note = "not read by construct"
    assert float(net(t(1.0))) == 3.0
    assert _graphs_of(net).compilations == 2


def test_a_parameter_of_another_shape(mode):
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(t(2.0, 3.0), name="w")

        def construct(self, x):
            return (x * self.w).sum()

    net = ms.jit(Scaled()) if mode == "pynative" else Scaled()
    assert float(net(t(1.0))) == 5.0
    net.w.set_data(t(1.0, 1.0, 1.0), slice_shape=True)
    assert float(net(t(1.0))) == 3.0


def _graphs_of(net):
    """The compiled form of a Cell, wherever it is kept."""
    kept = [v for member in net.__dict__.values() for v in (member.values() if isinstance(member, dict) else [member])]
    (found,) = [v for v in kept if isinstance(v, Compiled)]
    return found


def test_threads_may_call_the_same_function():
    weight = Parameter(t(2.0), name="weight")

    @ms.jit
    def f(x):
        if x.sum() > 0:
            return (x * weight).sum()
        return x.sum()

    results = {}

    def work(n):
        for size in range(1, 5):
            results[n, size] = float(f(Tensor(np.full(size, n), ms.float32)))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {(n, size): 2.0 * n * size for n in range(1, 5) for size in range(1, 5)}
    assert float(weight) == 2.0


# -- explanations ---------------------------------------------------------------------------------------------------------------
@pytest.fixture
def explained(monkeypatch):
    lines = []
    monkeypatch.setattr(recompile.log, "warning", lambda text, *args: lines.append(text % args if args else text))
    recompile.explain_recompiles()
    yield lines
    recompile.explain_recompiles(False)


def test_recompilations_are_explained(explained):
    @ms.jit
    def func(x, n="a", *more):
        return x

    func(t(1.0, 2.0))
    func(t(1.0, 2.0, 3.0))
    func(Tensor([1, 2, 3]))
    func(Tensor([1, 2, 3]), "b")
    func(Tensor([1, 2, 3]), "b", t(1.0))
    first, shape, dtype, scalar, number = explained
    assert "'func'" in first
    assert "first time" in first
    assert "(2,)" in shape
    assert "(3,)" in shape
    assert "float32" in dtype.lower()
    assert "int64" in dtype.lower()
    assert "number or nesting" in scalar or "'b'" in scalar
    assert "number or nesting" in number


def test_recompilations_of_cells_are_explained(explained, mode):
    net = ms.jit(Flagged()) if mode == "pynative" else Flagged()
    net(t(1.0))
    net.set_train()
    net(t(1.0))
    net.set_train(False)
    net.factor = 7
    net(t(1.0))
    _, training, attribute = explained
    assert "training" in training
    assert "factor" in attribute


# -- switches -------------------------------------------------------------------------------------------------------------------
def test_ms_jit_0_runs_plain_python(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import mindspore as ms\nfrom mindspore import Tensor\nimport numpy as np\n"
        "@ms.jit\ndef f(x):\n    return x.asnumpy() * 2\n"
        "print(type(f(Tensor(np.ones(2, np.float32)))).__name__)\n"
    )
    source = os.path.dirname(os.path.dirname(ms.__file__))
    environment = {**os.environ, "MS_JIT": "0", "PYTHONPATH": source}
    done = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "ndarray"


def test_save_graphs_writes_files(tmp_path):
    ms.set_context(save_graphs=2, save_graphs_path=str(tmp_path))
    try:

        @ms.jit
        def saved_function(x):
            return x * 2 if x > 0 else x

        saved_function(t(1.0))
    finally:
        ms.set_context(save_graphs=0, save_graphs_path=".")
    names = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert any("saved_function" in name and "jaxpr" in name for name in names)
    assert any("saved_function" in name and "stablehlo" in name for name in names)


def test_numbers_that_vary_pass_through_branches_and_loops():
    @ms.jit
    def f(x, rate, n):
        if x > 0:
            rate = rate * 0.5
            n = n + 1
        i = Tensor(0)
        while i < 2:
            rate = rate + n
            i = i + 1
        return x * rate

    for n in range(6):
        for value in (2.0, -2.0):
            rate, count = ((n / 4 * 0.5), n + 1) if value > 0 else (n / 4, n)
            assert float(f(t(value), n / 4, n)) == pytest.approx(value * (rate + 2 * count))
    assert compilations(f) <= 3


def test_what_mutable_marks_stays_a_number_or_container_of_python(mode):
    number = ms.mutable(3)
    assert (
        isinstance(number, int) and not isinstance(number, Tensor) and repr(number) == "3" and {3: "a"}[number] == "a"
    )
    assert type(number + 1) is int and isinstance(ms.mutable(2.5), float) and ms.mutable(True) is True
    assert ms.mutable((1, 2)) == (1, 2) and ms.mutable([1]) == [1] and ms.mutable({"a": 1}) == {"a": 1}
    assert number.__ms_mutable__ and not number.__ms_dynamic_len__ and ms.mutable((1, 2), True).__ms_dynamic_len__
    assert np.array_equal((number * t([1.0, 2.0])).asnumpy(), [3, 6]) and ops.zeros((number,)).shape == (3,)
    with pytest.raises(TypeError, match="'dynamic_len' is True, but got int"):
        ms.mutable(3, True)

    @ms.jit
    def f(a):
        return isinstance(a, int), a + 1, a > 2

    assert f(ms.mutable(3)) == (True, 4, True) and f(ms.mutable(1)) == (True, 2, False)
    assert type(f(ms.mutable(5))[1]) is int


def test_all_gradients_leave_out_containers_that_are_not_mutable(mode):
    def f(a, b):
        return (a[0] * b + a[1]).sum()

    x, y, b = t([1.0, 2.0]), t([3.0, 4.0]), t([5.0, 6.0])
    gradients = ops.GradOperation(get_all=True)(f)
    for fixed in ((x, y), [x, y], (x, 3.0)):
        (found,) = gradients(fixed, b)
        assert np.array_equal(found.asnumpy(), [1, 2])
    pair, found = gradients(ms.mutable((x, y)), b)
    assert type(pair) is tuple and np.array_equal(pair[0].asnumpy(), [5, 6]) and np.array_equal(found.asnumpy(), [1, 2])
    assert type(gradients(ms.mutable([x, y]), b)[0]) is list
    assert gradients(ms.mutable((x, 3.0)), b)[0][1] == 0.0
