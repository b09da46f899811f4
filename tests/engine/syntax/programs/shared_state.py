"""State that functions, methods and objects share while a Tensor decides: closure variables, slots, setters, sets.

Each is run as Python and compiled, see ``test_language.py``.
"""

import functools

from mindspore import Tensor, ops
from tests.engine.syntax.programs.cases import case

F, S = Tensor([1.0, 2.0, 3.0]), Tensor(2.0)


class Base:
    k = 1

    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return ("add", type(self).__name__)

    def __radd__(self, o):
        return ("radd", type(self).__name__)

    def __lt__(self, o):
        return "lt" + type(self).__name__

    def __gt__(self, o):
        return "gt" + type(self).__name__


class Sub1(Base):
    pass


class Sub2(Base):
    def __radd__(self, o):
        return ("radd2", type(self).__name__)


class WithProp:
    def __init__(self, v):
        self._v = v
        self.count = 0
        self.log = []

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, new):
        self._v = new
        self.count += 1
        self.log.append(1)


class WithSetattr:
    def __init__(self, v):
        self.v = v

    def __setattr__(self, n, v):
        object.__setattr__(self, "_" + n, v)

    def __getattr__(self, n):
        if n == "v":
            return self._v
        raise AttributeError(n)


class WithItems:
    def __init__(self):
        self.d = {}

    def __setitem__(self, k, v):
        self.d[k] = v

    def __getitem__(self, k):
        return self.d[k]

    def __delitem__(self, k):
        del self.d[k]


class WithSlots:
    __slots__ = ("a", "n")

    def __init__(self, a):
        self.a = a
        self.n = 0


@case(S)
def variable_of_a_closure_in_a_loop(x):
    acc = x * 0

    def f(y):
        nonlocal acc
        acc = acc + y

    while x < 20:
        f(x)
        x = x * 2
    return acc


@case(S)
def variable_of_a_closure_in_a_branch(x):
    acc = x * 0

    def f(y):
        nonlocal acc
        acc = acc + y

    if x > 1:
        f(x)
    else:
        f(-x)
    return acc


@case(S)
def variable_of_a_closure_in_nested_branches(x):
    acc = x * 0
    n = 0

    def f(y):
        nonlocal acc, n
        n += 1
        if y > 1:
            acc = acc + y
        else:
            acc = acc - y

    if x > 1:
        f(x)
        if x > 5:
            f(x)
    for i in range(3):
        if x > i:
            f(x * i)
    return acc, n


@case(S)
def variable_of_a_closure_in_a_container(x):
    acc = x * 0

    def f(y):
        nonlocal acc
        acc = acc + y

    fs = [f]
    d = {"a": f}
    while x < 20:
        fs[0](x)
        d["a"](1)
        x = x * 2
    return acc


@case(S)
def variable_of_a_callback(x):
    acc = x * 0

    def f(y):
        nonlocal acc
        acc = acc + y

    def helper(g, z):
        while z < 20:
            g(z)
            z = z * 2

    helper(f, x)
    return acc


@case(S)
def variable_of_a_partial(x):
    acc = x * 0

    def f(k, y):
        nonlocal acc
        acc = acc + y * k

    g = functools.partial(f, 3)
    if x > 1:
        g(x)
    return acc


@case(S)
def variable_of_a_method(x):
    acc = x * 0

    class C:
        def m(self, y):
            nonlocal acc
            acc = acc + y

    c = C()
    if x > 1:
        c.m(x)
    return acc


@case(S)
def variables_of_two_functions(x):
    a = x * 0

    def f():
        b = x

        def g():
            nonlocal a, b
            b = b * 2
            a = a + b

        if x > 1:
            g()
        else:
            b = b - 1
        return b

    r = f()
    return a, r


@case(S)
def variable_bound_within_a_condition(x):
    a = x

    def f():
        nonlocal a
        if (a := a * 2) > 3:
            return a
        return a - 1

    r = f()
    return a, r


@case(S)
def variable_that_stays(x):
    n = 3

    def f(y):
        nonlocal n
        if False:
            n = 4
        return y * n

    while x < 20:
        x = f(x)
    return [0] * n, x


@case(S)
def variable_assigned_on_both_sides(x):
    a = x * 0

    def f(y):
        nonlocal a
        a = a + y

    while x < 20:
        a = a + 1
        f(x)
        a = a * 2
        x = x * 2
    return a


@case(S)
def variable_of_a_generator(x):
    n = x * 0

    def g():
        nonlocal n
        for i in range(3):
            n = n + i
            yield n

    if x > 1:
        r = sum(g())
    else:
        r = x
    return n, r


@case(S)
def variable_of_an_expression(x):
    a = x

    def f():
        nonlocal a
        a = a + 10
        return a

    r = f() if x > 1 else x
    s = x > 1 and f() > 3
    return a, r, s


@case(S)
def named_in_a_loop_condition(x):
    n = 0
    while (y := x * 2) < 50 and n < 10:
        x = y
        n += 1
    return x, y, n


@case(S)
def named_in_a_condition_of_python(x):
    r = [x]
    while (k := len(r)) < 4:
        r.append(x * k)
    return r, k


@case(F)
def sets_returned(x):
    s = {1, 2}
    s.add(3)
    s.discard(1)
    t = set()
    t.update(s)
    return s, t, {"k": s}, [s]


@case(F)
def set_in_a_branch(x):
    s = {1}
    if x.sum() > 1:
        s.add(2)
    return sorted(s)


@case(F)
def list_in_a_method(x):
    log = []

    class C:
        def __init__(self, n):
            self.n = n

        def __enter__(self):
            log.append("in" + self.n)
            return self

        def __exit__(self, t, v, b):
            log.append("out" + self.n)

    with C("a") as a, C("b") as b:
        log.append(a.n + b.n)
    return log, x


@case(F)
def lists_as_long_as_a_number(x):
    k = int(x.max())
    return [0] * k, k * (1,), "a" * k, x[: k - 1]


@case(S)
def numbers_stay_numbers(x):
    n = int(x)
    f = float(x)
    return (
        round(f, 1),
        round(f),
        divmod(n, 3),
        divmod(7, n),
        not n,
        n and 3,
        n or 4,
        n > 1 and n < 5,
        (n == 2) and True,
        1 < n < 3,
        -n,
        +f,
        abs(f),
        n**2,
        2**n,
        n << 1,
        n in (1, 2),
        n in [5],
        min(n, 3),
        max(f, 5.0),
        sum([n, 1]),
        f // 1,
        n % 2,
        isinstance(n, int),
        isinstance(f, float),
        type(n) is int,
        bool(n),
        n is None,
    )


@case(F)
def variable_that_was_none(x):
    best = None

    def upd(v):
        nonlocal best
        best = v

    if x.sum() > 1:
        upd(x)
    else:
        upd(-x)
    return best


@case(F)
def variable_with_a_tuple(x):
    state = (x, 0)

    def f():
        nonlocal state
        h, n = state
        state = (h * 2, n + 1)

    while state[0].sum() < 100:
        f()
    return state


@case(F)
def reflected_operators(x):
    b, s, t = Base(x), Sub1(x), Sub2(x)
    return b + s, s + b, b + t, t + b, b + 1, 1 + b, s + t, t + s, b < s, s < b, b > t


@case(F)
def setter_in_a_branch(x):
    p = WithProp(x)
    if x.sum() > 1:
        p.v = p.v * 2
    return p.v, p.count


@case(F)
def setter_in_a_loop(x):
    class Q:
        def __init__(self, v):
            self._v = v
            self.n = 3

        @property
        def v(self):
            return self._v

        @v.setter
        def v(self, new):
            self._v = new

    p = Q(x)
    while p.v.sum() < 100:
        p.v = p.v * 2
    return p.v, [0] * p.n


@case(F)
def setattr_in_a_loop(x):
    p = WithSetattr(x)
    while p.v.sum() < 100:
        p.v = p.v * 2
    return p.v


@case(F)
def setitem_in_a_branch(x):
    p = WithItems()
    p["a"] = x
    if x.sum() > 1:
        p["a"] = p["a"] * 2
    else:
        p["a"] = -x
    return p["a"]


@case(F)
def setitem_in_a_loop(x):
    p = WithItems()
    p["a"] = x
    while p["a"].sum() < 100:
        p["a"] = p["a"] * 2
    return p["a"]


@case(F)
def slots_in_a_branch(x):
    p = WithSlots(x)
    if x.sum() > 1:
        p.a = p.a * 2
        p.n = 5
    return p.a, p.n


@case(F)
def slots_in_a_loop(x):
    p = WithSlots(x)
    while p.a.sum() < 100:
        p.a = p.a * 2
        p.n += 1
    return p.a, p.n


@case(F)
def object_of_a_closure(x):
    p = WithProp(x)

    def f():
        p._v = p._v * 2

    while p._v.sum() < 100:
        f()
    return p._v


@case(F)
def object_of_a_bound_method(x):
    class Acc:
        def __init__(self):
            self.s = 0.0
            self.n = 0

        def add(self, v):
            self.s = self.s + v
            self.n += 1
            return self

    a = Acc()
    add = a.add
    i = 0
    while i < x.sum():
        add(x.sum())
        i += 1
    return a.s, a.n


@case(F)
def variable_of_a_class(x):
    class C:
        total = 0

        @classmethod
        def add(cls, v):
            cls.total = cls.total + v

    if x.sum() > 1:
        C.add(x)
    C.add(x)
    return C.total


@case(F)
def branch_in_a_closure(x):
    acc = x * 0

    def f(y):
        nonlocal acc
        if y.sum() > 1:
            acc = acc + y
        else:
            acc = acc - y

    if x.sum() > 1:
        f(x)
    for i in range(3):
        if x[0] > i - 1:
            f(x * i)
    k = Tensor(0)
    while k < 3:
        f(x)
        k = k + 1
    return acc


@case(F)
def loop_in_a_closure(x):
    h = x

    def cell(y):
        nonlocal h
        h = ops.tanh(h + y)
        return h

    def run(n):
        i = Tensor(0)
        out = x * 0
        while i < n:
            out = out + cell(x)
            i += 1
        return out

    return run(Tensor(3)), h


@case(F)
def generator_in_a_loop(x):
    def g(v):
        for k in range(2):
            yield v * k

    s = x * 0
    while s.sum() < 50:
        for v in g(x):
            s = s + v
    return s


@case(F)
def context_in_a_loop(x):
    class C:
        def __init__(self):
            self.n = 0

        def __enter__(self):
            self.n += 1
            return self

        def __exit__(self, *a):
            return False

    c = C()
    while x.sum() < 50:
        with c as d:
            x = x * 2
    return x, c.n


@case(F)
def dict_changed_by_a_function_in_another(x):
    state = {"h": x}
    functions = {"step": lambda: state.update(h=state["h"] * 2)}
    while state["h"].sum() < 50:
        functions["step"]()
    return state


@case(F)
def list_held_by_an_object_too(x):
    class Holder:
        def __init__(self, held):
            self.held = held

        def add(self):
            self.held.append(1)

    listed = []
    holder = Holder(listed)
    if x.sum() > 1:
        holder.add()
    return len(listed), holder.held


# -- containers of before a branch inside what it leaves ----------------------------------------------------------------
LOW, HIGH = Tensor(1.0), Tensor(3.0)


def both_ways(function):
    """The program with a condition that holds, and with one that does not."""
    for name, args in (("then", (HIGH, LOW)), ("otherwise", (LOW, HIGH))):

        @functools.wraps(function)
        def program(*given, function=function):
            return function(*given)

        program.__name__ = f"{function.__name__}_{name}"
        case(*args)(program)
    return function


@both_ways
def list_returned_beside_a_tensor(x, y):
    kept = [x, y]
    if x > y:
        return kept, x
    kept[1] = y * 10
    return kept, y


@both_ways
def dict_returned_beside_a_tensor(x, y):
    kept = {"p": x}
    if x > y:
        kept["p"] = x + 1
        return kept, x
    return kept, y


@both_ways
def list_left_as_itself_or_anew(x, y):
    kept = [x, y]
    if x > y:
        kept[0] = x * 5
        left = kept
    else:
        left = [x, x]
    return left, kept


@both_ways
def list_left_inside_a_list_stays_itself(x, y):
    kept, left = [x, y], [y]
    if x > y:
        kept[0] = x * 5
        left = [kept, kept]
    else:
        left = [kept, kept]
    left[0][1] = x * 100
    return left, kept


@both_ways
def list_put_into_another_one(x, y):
    kept = [x, y]
    other = [kept, x]
    if x > y:
        kept[0] = x * 5
        other[1] = y
    kept[1] = y + 7
    return other, kept


@both_ways
def list_that_both_ways_extend(x, y):
    kept = [x]
    if x > y:
        kept.append(y)
        return kept, x
    kept.append(x)
    return kept, y


@both_ways
def list_given_by_a_function(x, y):
    kept = [x, y]

    def given():
        return kept

    if x > y:
        return given(), x
    kept[1] = y * 10
    return given(), y


@both_ways
def list_of_an_object_beside_its_attribute(x, y):
    base = Base(x)
    base.items = [x]
    if x > y:
        return base.items, base.v
    base.items[0] = y * 10
    base.v = y
    return base.items, base.v
