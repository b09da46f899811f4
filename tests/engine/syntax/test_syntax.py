"""The Python that construct and jitted functions may be written in, the same in graphs as outside."""

import ast
import functools
import math
from collections import namedtuple

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from tests.engine.modes import agree, cells_agree

LIMIT = 3
counter = 0


@pytest.fixture(autouse=True)
def _mode():
    yield
    ms.set_context(mode=ms.GRAPH_MODE)


def t(*values):
    return Tensor(np.array(values[0] if len(values) == 1 else values, np.float32))


# -- functions ----------------------------------------------------------------------------------------------------------
def arguments_of_all_kinds(x):
    def inner(a, /, b, *rest, c=2, **named):
        total = a + b * c
        for value in rest:
            total = total + value
        for name, value in named.items():
            total = total + value * len(name)
        return total

    values = (x, x * 2)
    options = {"d": x, "ee": 2}
    return inner(x, 1) + inner(x, *values, c=3) + inner(x, b=x, **options) + inner(*values, 5, c=x)


def default_arguments(x, scale=2, *, shift=1):
    def inner(y, power=scale):
        return y**power + shift

    return inner(x) + inner(x, 3) if x > 0 else inner(x, power=1)


def lambdas(x):
    double = lambda v: v * 2  # noqa: E731
    pick = lambda v: v if v > 0 else -v  # noqa: E731
    both = [lambda v: v + 1, lambda v: v * 10]
    return pick(double(x)) + both[0](x) + both[1](x) + (lambda v, k=3: v * k)(x)


def closures(x):
    scale = 2

    def times(y):
        return y * scale + x

    def outer(y):
        if y > 0:
            return times(y)
        return times(-y)

    scale = 3
    return outer(x)


def nonlocal_variables(x):
    total = x * 0

    def add(y):
        nonlocal total
        if y > 1:
            total = total + y
        return total

    add(x)
    add(x * 2)
    return total


def recursion(x, depth=4):
    if depth == 0:
        return x
    return recursion(x * 2, depth - 1) if x > 0 else recursion(x - 1, depth - 1)


def partials_and_maps(x):
    def scaled(a, factor, offset=0):
        if a > 0:
            return a * factor + offset
        return a

    triple = functools.partial(scaled, factor=3)
    mapped = list(map(triple, [x, x + 1]))
    kept = list(filter(lambda v: v is not None, [x, None, x]))
    total = functools.reduce(lambda a, b: a + b if a > b else a * b, mapped)
    return total + sum(kept) + functools.partial(scaled, x)(2, offset=1)


def one_liner(x):
    return x * 2 if x > 0 else x  # noqa: E704


def decorated(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        return result * 2 if result > 0 else result

    return wrapper


@decorated
def with_decorator(x):
    if x > 2:
        return x - 2
    return x + 2


def several_lambdas_on_a_line(x):
    first, second = (lambda v: v + 1 if v > 0 else v), (lambda v: v * 5 if v > 0 else v * 7)
    return first(x) + second(x)


FUNCTIONS = [
    arguments_of_all_kinds, default_arguments, lambdas, closures, nonlocal_variables, recursion, partials_and_maps, one_liner,
    with_decorator, several_lambdas_on_a_line,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions(function):
    for x in (t(-2.0), t(0.5), t(3.0)):
        agree(function, x)


def test_lambdas_as_the_compiled_function():
    pair = (lambda x: x + 1 if x > 0 else x * 10, lambda x: x - 1 if x > 0 else x * 20)
    nested = lambda x: (lambda y: y * 2 if y > x else y)(x + 1)  # noqa: E731
    for function in (*pair, nested):
        for x in (t(-2.0), t(3.0)):
            agree(function, x)


# -- containers -----------------------------------------------------------------------------------------------------------
def lists(x):
    values = [x, x * 2]
    values.append(x * 3)
    values.extend([x * 4, x * 5])
    values.insert(0, x * 6)
    last = values.pop()
    values.reverse()
    values[1] = values[1] * 7
    values[0] += 1
    del values[2]
    total = last
    for i, value in enumerate(values):
        total = total + value * i
    copied = values + [x]
    copied.clear()
    return total, len(values), len(copied), values[-1], values[::2]


def dicts(x):
    table = {"a": x, "b": x * 2}
    table["c"] = x * 3
    table.update(d=x * 4)
    removed = table.pop("b")
    table.setdefault("e", x * 5)
    total = removed
    for index, (key, value) in enumerate(table.items()):
        total = total + value * index if key in ("c", "d") else total
    return total, table, list(table.keys()), table.get("zzz", 7)


def comprehensions(x):
    rows = [x * i for i in range(4) if i != 2]
    table = {i: row + 1 for i, row in enumerate(rows)}
    nested = [a * b for a in rows for b in (1, 2)]
    chosen = [row if row > 2 else -row for row in rows]
    return sum(rows), table[1], sum(nested), sum(chosen), sum(r * 2 for r in rows), max(len(rows), 2)


def unpacking(x):
    first, *rest = (x, x * 2, x * 3)
    a, (b, c) = x, (x + 1, x + 2)
    *start, last = rest
    merged = [*rest, first]
    joined = {**{"k": a}, "m": b}
    first, last = last, first
    return first, last, len(start), merged[-1] + joined["k"] + joined["m"] + c


def tuples_and_slices(x):
    shape = (2, 3) + (4,)
    head, tail = shape[:2], shape[-1]
    y = ops.zeros(head, ms.float32) + x
    return y[0], y[..., -1], y[:, None, 1:].sum(), tail, head * 2, x is None, 3 in shape


Pair = namedtuple("Pair", ["left", "right"])


def named_tuples(x):
    pair = Pair(x, x * 2)
    if x > 0:
        pair = Pair(x + 1, pair.right)
    else:
        pair = pair._replace(left=x * 5)
    return pair.left, pair.right


def containers_changed_in_branches(x):
    values, table = [x, x], {"k": x}
    if x > 0:
        values[0] = x * 2
        values.append(x * 3)
        table["k"] = table["k"] + 1
    else:
        values.append(x)
        table["k"] = x * 7
    if x > 1:
        values[2] += 1
        (values, table)[0][1] = x * 9
    return sum(values), table["k"], values


def containers_changed_in_loops(x):
    values, table = [x, x * 2], {"total": 0}
    i = Tensor(0)
    while i < 3:
        values[0] = values[0] + values[1]
        values.reverse()
        table["total"] = table["total"] + values[0]
        i = i + 1
    return values, table


def list_in_a_helper_function(x):
    def collect(into, value):
        if value > 0:
            into.append(value)
        else:
            into.append(-value)
        return into

    found = []
    for i in range(3):
        collect(found, x - i)
    return found


def grown_list_read_in_a_branch(x):
    seen = []
    for i in range(3):
        if x > i:
            y = seen[-1] * 2 if seen else x
        else:
            y = x + len(seen)
        seen.append(y)
    return ops.stack(seen)


CONTAINERS = [
    lists, dicts, comprehensions, unpacking, tuples_and_slices, named_tuples, containers_changed_in_branches,
    containers_changed_in_loops, list_in_a_helper_function, grown_list_read_in_a_branch,
]  # fmt: skip


@pytest.mark.parametrize("function", CONTAINERS, ids=lambda f: f.__name__)
def test_containers(function):
    for x in (t(-2.0), t(0.5), t(3.0)):
        agree(function, x, gradient=function is grown_list_read_in_a_branch)


def test_gradients_of_values_kept_in_containers():
    def f(x):
        values, table = [x, x * 2], {"a": x}
        if x > 0:
            values[0] = values[0] * values[1]
            table["a"] = values[0] * 3
        return values[0] + table["a"] * values[1]

    for x in (t(-2.0), t(3.0)):
        agree(f, x)


# -- statements -----------------------------------------------------------------------------------------------------------
def with_statement(x):
    class Manager:
        depth = 0

        def __enter__(self):
            Manager.depth += 1
            return 5

        def __exit__(self, *error):
            Manager.depth -= 1
            return False

    with Manager() as five, Manager():
        if x > 0:
            x = x * five
    return x * (Manager.depth + 1)


def try_except(x):
    try:
        scale = {"a": 1}["b"]
    except KeyError as error:
        scale = len(str(error))
        if x > 0:
            scale = scale + x
    else:
        scale = 100
    finally:
        x = x + 1
    return x * scale


def try_return(x):
    for i in range(3):
        try:
            if i == 1:
                raise IndexError(i)
            if x > 2:
                return x * 10
        except IndexError:
            continue
        finally:
            x = x + 1
    return x


def delete(x):
    y, z = x * 2, x
    del z
    if x > 0:
        z = x * 3
    else:
        z = x
    items = [1, 2]
    del items[0]
    return y * z * len(items)


def global_variable(x):
    global counter
    counter = counter + 1
    return x * LIMIT


def assertions(x):
    assert x is not None, "never"
    assert x > -100, f"too small: {x}"
    assert isinstance(x, Tensor)
    return x


def walrus(x):
    if (y := x * 2) is not None and (n := 3) > 2:
        x = x + y * n
    return [z := x + 1, z * 2]


def match_statement(x):
    mode = ("scale", 3)
    match mode:
        case ("shift", by):
            x = x + by
        case ("scale", by) if by > 2:
            if x > 0:
                x = x * by
            else:
                return x - by
        case _:
            x = x * 0
    return x


def set_literal(x):
    names = {"a", "b"}
    names.add("c")
    chosen = {n for n in names if n != "a"}
    return x * len(chosen) if "b" in chosen else x


def generators(x):
    def numbers(n):
        for i in range(n):
            yield i

    total = x * 0
    for i in numbers(3):
        if x > i:
            total = total + i * x
    return total + sum(v * 2 for v in (x, x))


def imports(x):
    import math as m  # noqa: PLC0415

    return x * m.pi + math.floor(2.5)


def annotated(x: Tensor) -> Tensor:
    y: int = 2
    z: Tensor
    if x > 0:
        y: float = 3.5
        z = x
    else:
        z = x * 2
    return y * z


def augmented(x):
    y = x * 1
    if x > 0:
        y += 1
        y *= 3
        y -= x
        y /= 2
        y **= 2
    return y


def string_operations(x):
    name = f"{'a' * 2}-{LIMIT:>3}-{x.shape}"
    return x * len(name) + (1 if name.startswith("aa") else 0) + len("%s %d" % ("a", 3)) + len("{}".format(5))


def shadowed_builtin(x):
    print, max = (lambda *v: None), (lambda a, b: a * b)
    print(x)
    return max(x, x)


def chained_assignment(x):
    a = b = x
    if x > 0:
        a = b = a + 1
    return a * b


def return_nothing_then_something(x):
    result = no_return(x)
    return x if result is None else result


def no_return(x):
    if LIMIT > 100:
        return x


def del_and_reassign_in_loop(x):
    for i in range(3):
        part = x * i
        if part > 1:
            x = x + part
        del part
    return x


STATEMENTS = [
    with_statement, try_except, try_return, delete, global_variable, assertions, walrus, match_statement, set_literal,
    generators, imports, annotated, augmented, string_operations, shadowed_builtin, chained_assignment,
    return_nothing_then_something, del_and_reassign_in_loop,
]  # fmt: skip


@pytest.mark.parametrize("function", STATEMENTS, ids=lambda f: f.__name__)
def test_statements(function):
    for x in (t(-2.0), t(0.5), t(3.0)):
        agree(function, x)


# -- builtins ---------------------------------------------------------------------------------------------------------------
def builtin_functions(x):
    y = int(x) + float(x) + abs(x) + max(x, 1.0) + min(x, x * 2, 0.5) + pow(x, 2)
    y = y + sum([x, x]) + len([x]) + len(x.shape) + round(2.6) + divmod(7, 2)[1]
    y = y + all([x > -5, x < 5, True]) + any([x > 10, x > 1])
    y = y + bool(x > 0) + sorted([3, 1, 2])[0] + list(reversed([1, 2]))[0]
    y = y + (1 if hasattr(x, "shape") else 0) + getattr(x, "nothing", 4) + (2 if type(x) is Tensor else 3)
    y = y + (5 if callable(builtin_functions) else 6) + len(tuple(range(3))) + (1 if isinstance(3, (int, str)) else 0)
    return y


def truth_of_python_values(x):
    y = x
    for value in (None, 0, "", [], (), {}, 1, "a", [0]):
        if value:
            y = y + 1
        elif not value and value is not None:
            y = y * 2
    return y


def attributes_by_name(x):
    class Holder:
        pass

    holder = Holder()
    setattr(holder, "value", x)  # noqa: B010
    if x > 0:
        holder.value = holder.value * 2
        setattr(holder, "value", holder.value + 1)  # noqa: B010
    return getattr(holder, "value")  # noqa: B009


@pytest.mark.parametrize(
    "function", [builtin_functions, truth_of_python_values, attributes_by_name], ids=lambda f: f.__name__
)
def test_builtins(function):
    for x in (t(-2.0), t(0.5), t(3.0)):
        agree(function, x, gradient=False)


# -- Cells ------------------------------------------------------------------------------------------------------------------
class Private(nn.Cell):
    """Names with two underscores, as model code uses them."""

    __factor = 2

    def __init__(self):
        super().__init__()
        self.__weight = Parameter(t(3.0), name="weight")
        self.__limit = 1.0

    def construct(self, x):
        __local = x * self.__factor
        if x > self.__limit:
            return self.__scaled(__local, 1)
        return __local

    def __scaled(self, x, __bias=0):
        if x > 100:
            return x
        return x * self.__weight + __bias


class Base(nn.Cell):
    def construct(self, x):
        if x > 0:
            return x * 2
        return x * 3


class Derived(Base):
    def construct(self, x):
        y = super().construct(x)
        if y > 1:
            y = super().construct(y)
        return y + super(Derived, self).construct(x)


class WithProperty(nn.Cell):
    def __init__(self, include_top):
        super().__init__()
        self.include_top = include_top
        if include_top:
            self.top = Base()
        self.parts = [Base(), Derived()]
        self.table = {"a": Base(), "b": Derived()}

    @property
    def scale(self):
        return 2 if self.include_top else 3

    def construct(self, x, mode="a", extra=None):
        if self.include_top:
            x = self.top(x)
        if extra is not None:
            x = x + extra
        for part in self.parts:
            x = part(x)
        return self.table[mode](x) * self.scale


class Varying(nn.Cell):
    def construct(self, *inputs, scale=1, **more):
        total = inputs[0] * scale
        for value in inputs[1:]:
            if value > total:
                total = total + value
        for value in more.values():
            total = total * value
        return total


def test_private_names():
    cells_agree(Private, (t(0.5),), (t(2.0),), (t(70.0),))


def test_super_calls():
    cells_agree(Derived, (t(-0.5),), (t(2.0),))


def test_constant_conditions_prune_and_lists_of_cells_are_called():
    for include_top in (True, False):
        cells_agree(
            lambda include_top=include_top: WithProperty(include_top), (t(2.0),), (t(-2.0), "b"), (t(2.0), "b", t(1.0))
        )


def test_variable_and_keyword_arguments_of_construct():
    results = []
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        net = Varying()
        results.append([net(t(1.0)), net(t(1.0), t(3.0), scale=2), net(t(1.0), t(0.5), t(4.0), a=t(2.0), b=3)])
    assert [float(r) for r in results[0]] == [float(r) for r in results[1]] == [1.0, 5.0, 30.0]


@ms.jit_class
class Counter:
    """A plain class used inside graphs."""

    def __init__(self, start):
        self.value = start

    def add(self, x):
        if x > 0:
            self.value = self.value + x
        else:
            self.value = self.value - x
        return self

    def __call__(self, x):
        return self.value * x if x > 1 else self.value


def test_plain_classes_inside_graphs():
    def f(x):
        counter = Counter(x * 0)
        counter.add(x).add(x * 2)
        i = Tensor(0)
        while i < 2:
            counter.add(x)
            i = i + 1
        return counter(x)

    for x in (t(-2.0), t(3.0)):
        agree(f, x)


# -- print --------------------------------------------------------------------------------------------------------------------
def test_print_runs_at_every_execution(capfd):
    @ms.jit
    def f(x):
        print("value:", x)
        if x > 0:
            print(f"positive {x}")
        i = Tensor(0)
        while i < 2:
            print("step", i)
            i = i + 1
        return x

    f(t(2.0))
    f(t(-3.0))
    lines = capfd.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("pos")] == ["positive 2.0"]
    assert lines.count("value:") == 2
    assert lines.count("step") == 4
    assert lines.index("positive 2.0") < lines.index("step")


def test_print_is_not_repeated_by_the_gradient(capfd):
    @ms.jit
    def f(x):
        if x > 0:
            print("inside")
            x = x * x
        return x

    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.grad(f)(t(2.0))
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.grad(lambda x: f(x) * 2)(t(2.0))
    assert capfd.readouterr().out.split() == ["inside", "inside"]


def test_f_strings_of_constants_are_made_at_trace_time():
    @ms.jit
    def f(x):
        name = f"{x.shape}-{x.dtype}-{3:04d}-{'a'!r}"
        return x * len(name)

    assert float(f(t(1.0))) == len("()-Float32-0003-'a'")


# -- conversion -----------------------------------------------------------------------------------------------------------------
def test_rewriting_leaves_no_files_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    @ms.jit
    def f(x):
        return x if x > 0 else -x

    f(t(-1.0))
    assert list(tmp_path.iterdir()) == []


def test_rewriting_does_not_touch_the_function():
    def f(x):
        if x > 0:
            return x
        return -x

    code = f.__code__
    assert float(ms.jit(f)(t(-2.0))) == 2.0
    assert f.__code__ is code
    assert f(t(-2.0)).asnumpy() == 2.0


def test_eager_calls_of_functions_defined_in_a_graph():
    kept = []

    @ms.jit
    def f(x):
        def inner(y):
            if y > 0:
                return y * 2
            return y

        if not kept:
            kept.append(inner)
        return inner(x)

    assert float(f(t(1.0))) == 2.0
    assert [float(kept[0](t(3.0))), len(kept)] == [6.0, 1]  # a change of what was made outside runs as Python


def test_links_that_others_hang_on_a_syntax_tree_are_not_followed():
    """IPython, having shown an error, leaves ``parent`` on trees of which Python shares some nodes with every other."""
    tree = ast.parse("def shown(x):\n    return x\n")
    for parent in ast.walk(tree):
        for child in ast.iter_child_nodes(parent):
            child.parent = parent
    try:

        @ms.jit
        def doubled(x):
            if x.sum() > 0:
                return x * 2
            return x

        assert doubled(Tensor([1.0])).asnumpy().tolist() == [2.0]
    finally:
        for node in ast.walk(tree):
            node.__dict__.pop("parent", None)


def test_print_of_what_graphs_do_not_know_is_that_of_python(capfd):
    constant = np.array([2, 4])

    @ms.jit
    def f(x):
        print("sum:", constant + 1)
        print("mixed", x, 3, constant)
        print("a", x, sep="|", end="!\n")
        return x

    f(t([1.0]))
    f(t([2.0]))
    once = ["sum: [3 5]", "mixed [{0}.] 3 [2 4]", "a|[{0}.]!"]
    assert capfd.readouterr().out.splitlines() == [line.format(value) for value in (1, 2) for line in once]
