"""if, while and for on Tensor values: the same numbers and gradients in graphs as in Python."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from tests.engine.modes import agree, cells_agree, check_gradients


@pytest.fixture(autouse=True)
def _mode():
    yield
    ms.set_context(mode=ms.GRAPH_MODE)


def t(*values):
    return Tensor(np.array(values[0] if len(values) == 1 else values, np.float32))


SCALARS = [t(-7.0), t(-1.0), t(0.0), t(0.5), t(3.0), t(12.0)]


# -- if ---------------------------------------------------------------------------------------------------------------
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = x * x
    return y


def if_without_else(x):
    y = x + 1
    if x > 0:
        y = y * 3
    return y


def if_elif_else(x):
    if x > 5:
        y = x
    elif x > 0:
        y = x * 2
    elif x > -3:
        y = x * 3
    else:
        y = x * 4
    return y


def nested_if(x):
    y = x
    if x > -2:
        if x > 2:
            y = x * x
        else:
            y = x * 3
            if x > 0:
                y = y + 1
    return y


def several_variables(x):
    a, b = x, x + 1
    if x > 0:
        a, b = b * 2, a * 3
    else:
        b = a * b
    return a * 10 + b


def number_and_tensor(x):
    scale = 2
    if x > 0:
        scale = x
    return x * scale


def python_numbers(x):
    if x > 0:
        scale = 3
    else:
        scale = 0.5
    return x * scale


def early_return(x):
    if x > 5:
        return x * 2
    if x > 0:
        return x * 3
    return x * 4


def return_in_else(x):
    if x > 0:
        y = x * 2
    else:
        return x - 1
    return y + 1


def return_deep_inside(x):
    if x > -3:
        y = x + 1
        if x > 0:
            if x > 2:
                return x * 10
            y = y * 2
        x = x + y
    return x * 3


def return_tuples(x):
    if x > 0:
        return x, x * 2
    return x * 3, x


def conditional_expression(x):
    return (x * 2 if x > 0 else x * 3) + (1 if x > 2 else x)


def nested_conditional_expression(x):
    return x * 2 if x > 2 else (x * 3 if x > 0 else x * 4)


def logical(x):
    y = x
    if x > -2 and x < 2:
        y = y + 10
    if x > 4 or x < -4:
        y = y + 20
    if not x > 0:
        y = y + 40
    if not (x > 1 and x < 4) or x == 3:
        y = y * 2
    return y


def chained_comparison(x):
    y = x
    if -2 < x < 2:
        y = x + 10
    if 0 <= x < 3 <= x + 3:
        y = y * 2
    return y


def same_value_in_both_branches(x):
    y = x * 2
    z = 5
    if x > 0:
        z = 5
        w = y
    else:
        z = 5
        w = y
    return w * z


def constant_condition_beside_traced(x):
    use_square = True
    y = None
    if use_square:
        if x > 0:
            y = x * x
        else:
            y = x
    return y


def truth_of_a_number(x):
    if x:
        return x + 1
    return x - 1


def pass_and_ellipsis(x):
    if x > 0:
        pass
    else:
        ...
    return x * 2


BRANCHES = [
    if_else, if_without_else, if_elif_else, nested_if, several_variables, number_and_tensor, python_numbers, early_return,
    return_in_else, return_deep_inside, return_tuples, conditional_expression, nested_conditional_expression, logical,
    chained_comparison, same_value_in_both_branches, constant_condition_beside_traced, truth_of_a_number, pass_and_ellipsis,
]  # fmt: skip


@pytest.mark.parametrize("function", BRANCHES, ids=lambda f: f.__name__)
def test_branches(function):
    for x in SCALARS:
        agree(function, x)


def test_and_or_give_the_operand_that_decides():
    def either(x, y):
        return x or y

    def both(x, y):
        return x and y

    for x in (0.0, 2.0):
        agree(either, t(x), t(3.0))
        agree(both, t(x), t(3.0))


def test_membership_of_a_traced_value():
    def member(x, y):
        if x in (1, 2, 3):
            y = y * 2
        if x not in [2, 5]:
            y = y + 1
        if x in y:
            y = y * 3
        return y

    for x in (1, 2, 4):
        agree(member, Tensor(x), Tensor([1, 2, 3]), gradient=False)


# -- while ------------------------------------------------------------------------------------------------------------
def while_tensor(x):
    while x < 10:
        x = x * 2 + 1
    return x


def while_counter(x):
    i = 0
    limit = Tensor(3)
    while i < limit:
        x = x * 2 + i
        i += 1
    return x * i


def while_two_variables(x):
    a, b = x, x + 1
    while a < 20:
        a, b = b, a + b + 1
    return a * b


def while_break(x):
    while x < 100:
        x = x + 3
        if x > 8:
            break
        x = x * 1.5
    return x


def while_continue(x):
    total = x * 0
    i = x * 0
    while i < 6:
        i = i + 1
        if i == 3:
            continue
        total = total + i * x
    return total


def while_return(x):
    while x < 50:
        x = x + 2
        if x > 9:
            return x * 10
    return x * 3


def while_true_return(x):
    while True:
        x = x + 3
        if x > 9:
            return x * x


def while_else(x):
    while x < 10:
        x = x + 4
        if x == 7:
            break
    else:
        x = x * 100
    return x


def nested_while(x):
    i = Tensor(0)
    while i < 3:
        j = Tensor(0)
        while j < i:
            x = x * 1.5 + j
            j = j + 1
        i = i + 1
    return x


def value_first_set_in_the_loop(x):
    i = Tensor(0)
    while i < 2:
        y = x * (i + 1)
        i = i + 1
    return y + i


def accumulator_starts_as_python_number(x):
    total = 0
    i = Tensor(0)
    while i < 4:
        total = total + x * i
        i = i + 1
    return total


def condition_with_and(x):
    i = Tensor(0)
    while i < 5 and x < 20:
        x = x * 2 + 1
        i = i + 1
    return x * i


def loop_that_never_runs(x):
    i = Tensor(5)
    while i < 3:
        x = x * 2
        i = i + 1
    return x


LOOPS = [
    while_tensor, while_counter, while_two_variables, while_break, while_continue, while_return, while_true_return, while_else,
    nested_while, value_first_set_in_the_loop, accumulator_starts_as_python_number, condition_with_and, loop_that_never_runs,
]  # fmt: skip


@pytest.mark.parametrize("function", LOOPS, ids=lambda f: f.__name__)
def test_while_loops(function):
    for x in (t(0.5), t(3.0), t(12.0)):
        agree(function, x)


# -- for --------------------------------------------------------------------------------------------------------------
def for_range(x):
    for i in range(3):
        x = x * 2 + i
    return x


def for_range_of_tensor(x):
    n = x.astype(ms.int32) % 4 + 1
    total = x * 0
    for i in range(n):
        total = total + x * i
    return total


def for_range_of_tensor_with_start_and_step(x):
    n = x.astype(ms.int32) % 4 + 6
    total = x * 0
    for i in range(1, n, 2):
        total = total * 2 + x * i
    for i in range(n, 0, -3):
        total = total + i
    return total


def for_range_of_tensor_break(x):
    n = x.astype(ms.int32) % 4 + 6
    for i in range(n):
        x = x * 1.5
        if x > 20:
            break
    return x


def for_over_tensor_rows(x):
    table = ops.stack([x, x * 2, x * 3])
    total = x * 0
    for row in table:
        total = total * 2 + row
    return total


def for_zip_enumerate(x):
    weights = [1.0, 2.0, 3.0]
    parts = (x, x + 1, x + 2)
    for i, (part, weight) in enumerate(zip(parts, weights, strict=True)):
        x = x + part * weight * i
    return x


def for_break_on_tensor(x):
    for i in range(5):
        x = x + i
        if x > 6:
            break
    return x * i


def for_continue_on_tensor(x):
    total = x * 0
    for i in range(5):
        if x > i:
            continue
        total = total + x * i
        if total > 20:
            break
        total = total + 1
    return total


def for_return_on_tensor(x):
    for i in range(4):
        x = x + i
        if x > 8:
            return x * 100
        if x < -6:
            return x - i
    return x


def for_else(x):
    for i in range(4):
        if x > i * 3:
            break
        x = x + 0.5
    else:
        x = x * 1000
    return x


def for_with_if(x):
    for i in range(3):
        if x > i:
            x = x * 2
        else:
            x = x - 1
    return x


def nested_for_break(x):
    for _ in range(3):
        for j in range(3):
            if x > 4:
                break
            x = x + j
        x = x + 1
        if x > 9:
            break
    return x


def while_in_for_in_if(x):
    if x > 0:
        for i in range(2):
            while x < 10 * (i + 1):
                x = x * 2 + 1
    else:
        for _ in range(2):
            x = x - 1
            if x < -5:
                break
    return x


def for_inside_while(x):
    k = Tensor(0)
    while k < 2:
        for i in range(3):
            if x > 7:
                break
            x = x + i
        k = k + 1
    return x * k


FOR_LOOPS = [
    for_range, for_range_of_tensor, for_range_of_tensor_with_start_and_step, for_range_of_tensor_break, for_over_tensor_rows,
    for_zip_enumerate, for_break_on_tensor, for_continue_on_tensor, for_return_on_tensor, for_else, for_with_if,
    nested_for_break, while_in_for_in_if, for_inside_while,
]  # fmt: skip


@pytest.mark.parametrize("function", FOR_LOOPS, ids=lambda f: f.__name__)
def test_for_loops(function):
    for x in (t(-7.0), t(0.5), t(3.0), t(12.0)):
        agree(function, x)


def test_arrays_through_loops_and_branches():
    def power(x, w):
        i = Tensor(0)
        while i < 3:
            x = ops.tanh(ops.matmul(x, w))
            if x.sum() > 0:
                x = x * 2
            i = i + 1
        return x

    rng = np.random.default_rng(0)
    agree(power, Tensor(rng.standard_normal((2, 3)), ms.float32), Tensor(rng.standard_normal((3, 3)), ms.float32))


def test_long_loop_has_the_right_gradient():
    def decay(x, n):
        i = Tensor(0)
        while i < n:
            x = x * 0.99 + ops.sin(x) * 0.01
            i = i + 1
        return x

    check_gradients(decay, t(1.5, -0.3), Tensor(300))


def test_many_early_returns_compile_quickly():
    def ladder(x):
        if x > 12:
            return x * 12
        if x > 11:
            return x * 11
        if x > 10:
            return x * 10
        if x > 9:
            return x * 9
        if x > 8:
            return x * 8
        if x > 7:
            return x * 7
        if x > 6:
            return x * 6
        if x > 5:
            return x * 5
        if x > 4:
            return x * 4
        if x > 3:
            return x * 3
        if x > 2:
            return x * 2
        return x

    counted = []

    def counting(x):
        counted.append(1)
        return ladder(x)

    agree(ladder, t(7.5))
    ms.jit(counting)(t(3.5))
    assert len(counted) < 40


# -- gradients --------------------------------------------------------------------------------------------------------
def test_second_order_gradient_through_if():
    def f(x):
        if x > 0:
            y = x * x * x
        else:
            y = x * x
        return y

    def slope(x):
        return ms.grad(f)(x)

    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        assert ms.grad(slope)(t(2.0)).asnumpy() == pytest.approx(12.0)
        assert ms.grad(slope)(t(-2.0)).asnumpy() == pytest.approx(2.0)
        assert ms.grad(ms.grad(ms.jit(f)))(t(2.0)).asnumpy() == pytest.approx(12.0)


def test_second_order_gradient_through_unrolled_for():
    def f(x):
        for i in range(3):
            if x > i:
                x = x * x
        return x

    values = {}
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        values[mode] = ms.grad(ms.grad(f))(t(1.5)).asnumpy()
    assert values[0] == pytest.approx(values[1], rel=1e-5)


def test_grad_inside_a_branch():
    def f(x):
        return x * x * x

    def g(x):
        if x > 0:
            y = ms.grad(f)(x)
        else:
            y = f(x)
        return y

    for x in (t(2.0), t(-2.0)):
        agree(g, x)


def test_gradient_of_parameters_through_control_flow():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(t(1.5), name="w")
            self.b = Parameter(t(0.5), name="b")

        def construct(self, x):
            if x > 1:
                x = x * self.w
            else:
                x = x * self.b + self.w
            while x < 10:
                x = x * self.w + self.b
            for _ in range(2):
                if x < 30:
                    x = x + self.b
            return x

    seen = {}
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        net = Net()
        weights = net.trainable_params()
        for value in (0.5, 3.0):
            grads = ms.grad(net, None, weights)(t(value))
            closure = ms.value_and_grad(lambda x, net=net: net(x) * 2, 0, weights)(t(value))
            seen.setdefault(value, []).append(
                [g.asnumpy() for g in grads] + [closure[0].asnumpy(), closure[1][0].asnumpy()]
            )
    for first, second in seen.values():
        np.testing.assert_allclose(first, second, rtol=1e-5)


def test_gradients_pass_a_branch_that_an_integer_parameter_decides(mode):
    count, scale = Parameter(Tensor(2, ms.int32), name="count"), Parameter(t(3.0), name="scale")

    def forward(x):
        ops.assign_add(count, Tensor(1, ms.int32))
        return x * scale if count > 2 else x - scale

    gradients = ms.grad(forward, None, [count, scale])(t(5.0))
    assert [float(g.asnumpy()) for g in gradients] == [0.0, 5.0]


def test_gradient_is_zero_for_the_branch_not_taken():
    def f(x, y):
        if x > 0:
            z = x * 2
        else:
            z = y * 3
        return z

    for x in (1.0, -1.0):
        check_gradients(f, t(x), t(5.0))


# -- Parameters -------------------------------------------------------------------------------------------------------
class Assigning(nn.Cell):
    """Changes Parameters in every way there is, under Tensor conditions."""

    def __init__(self):
        super().__init__()
        self.total = Parameter(t(0.0), name="total", requires_grad=False)
        self.steps = Parameter(Tensor(0, ms.int32), name="steps", requires_grad=False)
        self.table = Parameter(t(0.0, 0.0, 0.0), name="table", requires_grad=False)
        self.assign_add = ops.AssignAdd()

    def construct(self, x):
        if x > 0:
            self.total = self.total + x
            self.assign_add(self.steps, Tensor(1, ms.int32))
            self.table[1] = x
        else:
            ops.assign(self.total, x)
            ops.assign_sub(self.table, t(1.0, 2.0, 3.0))
        i = Tensor(0)
        while i < 2:
            self.total = self.total * 2
            ops.assign_add(self.steps, Tensor(1, ms.int32))
            i = i + 1
        for j in range(3):
            if x > j:
                self.table[j] += 1.0
        return self.total + self.steps


def test_parameters_assigned_under_conditions():
    results = cells_agree(Assigning, (t(2.0),), (t(-3.0),), (t(1.0),))
    assert len(results) == 3


class Momentum(nn.Cell):
    """An optimizer: a Cell that assigns several Parameters."""

    def __init__(self, params):
        super().__init__()
        self.params = ms.ParameterTuple(params)
        self.moments = self.params.clone("moments", "zeros")
        self.step = Parameter(Tensor(0, ms.int32), name="step", requires_grad=False)

    def construct(self, gradients):
        self.step = self.step + 1
        for parameter, moment, gradient in zip(self.params, self.moments, gradients, strict=True):
            ops.assign(moment, moment * 0.9 + gradient)
            ops.assign(parameter, parameter - 0.1 * moment)
        return self.step


class Linear(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.arange(6).reshape(3, 2) / 10, ms.float32), name="weight")
        self.bias = Parameter(t(0.1, 0.2), name="bias")

    def construct(self, x):
        return ((ops.matmul(x, self.weight) + self.bias) ** 2).sum()


class TrainStep(nn.Cell):
    """The `if state: self.opt(grads)` of training wrappers with loss scaling."""

    def __init__(self):
        super().__init__()
        self.net = Linear()
        self.optimizer = Momentum(self.net.trainable_params())
        self.scale = Parameter(t(8.0), name="scale", requires_grad=False)
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, x):
        loss = self.net(x)
        gradients = self.grad(self.net, self.net.trainable_params())(x, self.scale)
        overflow = loss > 50
        if overflow:
            self.scale = self.scale / 2
        else:
            self.optimizer(tuple([g / self.scale for g in gradients]))
        return loss, overflow


def test_optimizer_call_inside_a_branch():
    small, large = Tensor(np.ones((2, 3)), ms.float32), Tensor(np.full((2, 3), 20.0), ms.float32)
    losses = cells_agree(TrainStep, (small,), (large,), (small,), (small,))
    assert [bool(overflow) for _, overflow in losses] == [False, True, False, False]


class MovingAverage(nn.Cell):
    """Like BatchNorm: statistics move while training."""

    def __init__(self):
        super().__init__()
        self.mean = Parameter(t(0.0), name="mean", requires_grad=False)
        self.gamma = Parameter(t(2.0), name="gamma")

    def construct(self, x):
        if self.training:
            average = x.mean()
            self.mean = self.mean * 0.9 + average * 0.1
        else:
            average = self.mean
        return (x - average) * self.gamma


def test_moving_statistics_inside_branches():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.norm = MovingAverage().set_train()

        def construct(self, x):
            if x.sum() > 0:
                y = self.norm(x)
            else:
                y = x * 2
            return y

    cells_agree(Net, (t(1.0, 2.0, 6.0),), (t(-1.0, -2.0, 0.5),), (t(4.0, 2.0, 6.0),))


def test_gradient_with_parameter_assignment_inside_a_branch():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(t(3.0), name="w")
            self.calls = Parameter(t(0.0), name="calls", requires_grad=False)

        def construct(self, x):
            if x > 0:
                self.calls = self.calls + 1
                y = x * self.w
            else:
                y = x
            return y * self.calls

    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        net = Net()
        value, (dx, dw) = ms.value_and_grad(net, 0, net.trainable_params()[:1])(t(2.0))
        assert value.asnumpy() == pytest.approx(6.0)
        assert dx.asnumpy() == pytest.approx(3.0)
        assert dw[0].asnumpy() == pytest.approx(2.0)
        assert net.calls.asnumpy() == pytest.approx(1.0)


def test_local_tensor_changed_in_place_under_a_condition():
    def f(x):
        y = x * 1
        if x.sum() > 0:
            y[0] = 10.0
        else:
            y[1:] = y[1:] * 2
        i = Tensor(0)
        while i < 2:
            y[i] = y[i] + i
            i = i + 1
        return y

    for x in (t(1.0, 2.0, 3.0), t(-1.0, -2.0, -3.0)):
        agree(f, x)


# -- random -----------------------------------------------------------------------------------------------------------
def random_uniform(shape):
    return ops.uniform(shape, t(0.0), t(1.0))


def test_random_numbers_in_branches_and_loops_advance():
    def f(x):
        total = x
        if x > 0:
            total = total + random_uniform((2,)).sum()
        i = Tensor(0)
        while i < 3:
            total = total * 2 + random_uniform((2,)).sum()
            i = i + 1
        return total

    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(3)
    compiled = ms.jit(f)
    first, second, skipped = compiled(t(1.0)), compiled(t(1.0)), compiled(t(-1.0))
    ms.set_seed(3)
    again = compiled(t(1.0))
    assert float(first) != float(second)
    assert float(first) == float(again)
    assert np.isfinite(float(skipped))


def test_random_condition_of_a_loop_is_drawn_anew_for_every_step():
    def f(x):
        while random_uniform(()) < 0.8:
            x = x + 1
        return x

    ms.set_seed(1)
    compiled = ms.jit(f)
    assert len({int(compiled(t(0.0))) for _ in range(20)}) > 2


# -- inside sub-Cells, methods, helper functions ------------------------------------------------------------------------
def helper(x, limit):
    if x > limit:
        return x - limit
    return helper_of_helper(x)


def helper_of_helper(x):
    while x < 5:
        x = x * 2 + 1
    return x


class Inner(nn.Cell):
    def construct(self, x, flag):
        if flag:
            return self.method(x)
        return helper(x, 3)

    def method(self, x):
        return x * 2 if x > 1 else x * 5

    @staticmethod
    def static(x):
        if x > 0:
            return x + 1
        return x

    @classmethod
    def of_class(cls, x):
        return cls.static(x) if x > 2 else x * 3


def test_control_flow_in_sub_cells_methods_and_functions():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def construct(self, x):
            y = self.inner(x, x > 2) + self.inner(x, True) + self.inner(x, flag=False)
            return y + self.inner.static(x) + Inner.of_class(y)

    cells_agree(Outer, (t(0.5),), (t(2.5),), (t(7.0),))


def test_while_loop_calls_a_sub_cell():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.norm = MovingAverage().set_train()

        def construct(self, x):
            i = Tensor(0)
            while i < 3:
                x = self.norm(x) + i
                i = i + 1
            return x

    cells_agree(Outer, (t(1.0, 2.0, 6.0),), (t(-1.0, -2.0, 0.5),))


# -- what changes between a construct and its gradient --------------------------------------------------------------------
def rebound_later(x):
    scale = x * 2
    if x > 0:
        y = x * scale
    else:
        y = x
    scale = x * 100
    return y * 1 + scale * 0


def loop_variable_moves_on(x):
    for i in range(2):
        while x < 10 * (i + 1):
            x = x * x + 1
        x = x * (x if x < i + 5 else 2)
    return x


def list_grows_later(x):
    factors = [x]
    y = x
    for _ in range(3):
        if y > 0:
            y = y * factors[-1]
        factors.append(y + 1)
    return y


def object_changes_later(x):
    class Box:
        pass

    box = Box()
    box.value = x * 3
    y = x * box.value if x > 0 else x
    box.value = x * 50
    box.other = 1
    return y


def temporary_reused(x):
    tmp = x + 1
    if x > 0:
        tmp = tmp * 2
        y = tmp * x
    else:
        tmp = tmp - 1
        y = tmp
    return y


LATER = [rebound_later, loop_variable_moves_on, list_grows_later, object_changes_later, temporary_reused]


@pytest.mark.parametrize("function", LATER, ids=lambda f: f.__name__)
def test_gradients_see_the_variables_of_their_time(function):
    for x in (t(-2.0), t(0.5), t(3.0)):
        agree(function, x)


# -- equality -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("other, equal", [(0.0, True), (1.0, False)])
def test_lists_of_tensors_are_equal_in_graphs_where_all_numbers_are(other, equal):
    @ms.jit
    def program(x, y):
        if [x, (x, 1)] == [x + y, (x, 1)]:
            return [x] == [x + y], (1, [x]) != (1, [x + y]), [x] == [x, x], [x + y] == [y]
        return [x] == [x + y], (1, [x]) != (1, [x + y]), [x] == (x,), [x + y] == [x + 3]

    assert program(t(1.0, 2.0), t(other)) == (equal, not equal, False, False)


def test_membership_among_tensors_of_several_numbers_is_refused_as_in_python():
    class Net(nn.Cell):
        def construct(self, x):
            return x in [x + 1]

    ms.context.reset_context()
    with pytest.raises(ValueError, match="one element"):
        Net()(t(1.0, 2.0))


class _Integers(nn.Cell):
    """Integers through a loop, with a choice in it."""

    def __init__(self):
        super().__init__()
        self.parts = nn.CellList([_Scaled(4), _Scaled(5), _Scaled(6)])

    def construct(self, x, index):
        out = x * x
        while index < 3:
            if index > 0:
                out = out + self.parts[index](x)
            index = index + 1
        return out


class _Scaled(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        return self.factor * x


@pytest.mark.parametrize("dtype", [ms.int32, ms.int64, ms.float32])
def test_gradients_of_integers_pass_through_loops(dtype):
    gradient = ms.jit(ms.grad(_Integers(), (0, 1)))(Tensor(10, dtype), Tensor(0, ms.int32))
    assert gradient[0] == 2 * 10 + 5 + 6
    assert gradient[0].dtype == dtype
    assert gradient[1] == 0


@pytest.mark.heavy
def test_second_gradients_of_integers_pass_through_loops():
    def f(x, n):
        out = x
        while n > 0:
            out = out * x
            n = n - 1
        return out

    assert ms.jit(ms.grad(ms.grad(f)))(Tensor(3), Tensor(2)) == 6 * 3
