import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops


def parameter(values, dtype=ms.float32):
    return Parameter(Tensor(values, dtype), name="w")


def in_both_ways(function):
    return pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "graph"])(function)


@in_both_ways
def test_assign_replaces_the_value_and_returns_it(wrap):
    w = parameter([1.0, 2.0])

    def step(x):
        return ops.assign(w, x)

    returned = wrap(step)(Tensor([3.0, 4.0]))
    assert returned.asnumpy().tolist() == [3.0, 4.0]
    assert w.asnumpy().tolist() == [3.0, 4.0]
    assert isinstance(w, Parameter) and not isinstance(returned, Parameter)


@in_both_ways
def test_assign_add_and_sub_change_in_place_and_see_each_other(wrap):
    w = parameter([1.0, 2.0])

    def step(x):
        ops.assign_add(w, x)
        ops.AssignSub()(w, x * 3)
        return w + 0

    assert wrap(step)(Tensor([1.0, 10.0])).asnumpy().tolist() == [-1.0, -18.0]
    assert w.asnumpy().tolist() == [-1.0, -18.0]


def test_numbers_fill_the_parameter():
    w = parameter([1, 2], ms.int32)
    ops.assign_add(w, 5)
    assert w.asnumpy().tolist() == [6, 7]
    ops.Assign()(w, 0)
    assert w.asnumpy().tolist() == [0, 0] and w.dtype == ms.int32


@pytest.mark.parametrize("value", [Tensor([1, 2]), Tensor([1.0, 2.0], ms.float16)])
def test_values_take_the_dtype_of_the_parameter(value):
    w = parameter([0.0, 0.0])
    assert ops.assign(w, value).dtype == ms.float32
    assert ops.assign_add(w, value).dtype == ms.float32
    assert w.asnumpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("own", "given"), [(ms.float32, ms.float64), (ms.float16, ms.float32), (ms.int32, ms.float32), (ms.int32, ms.int64)]
)
@pytest.mark.parametrize(
    "write",
    [ops.assign, ops.assign_sub, lambda w, value: ops.scatter_add(w, Tensor([0, 1], ms.int32), value),
     lambda w, value: ops.scatter_nd_update(w, Tensor([[0], [1]]), value)],
)  # fmt: skip
def test_values_that_would_lose_digits_in_the_parameter_are_refused(write, own, given):
    w = parameter([1, 2], own)
    with pytest.raises(TypeError, match="without a loss"):
        write(w, Tensor([1, 2], given))
    assert w.asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("name", ["Assign", "AssignAdd", "AssignSub"])
def test_what_does_not_fit_is_refused_and_changes_nothing(name):
    write = getattr(ops, name)()
    w = parameter([1.0, 2.0])
    with pytest.raises(ValueError, match=f"For '{name}','value' must have the same shape as 'variable'"):
        write(w, Tensor([1.0, 2.0, 3.0]))
    with pytest.raises(TypeError, match=f"For '{name}', the 'value' must be a Tensor or a number, but got 'a'"):
        write(w, "a")
    with pytest.raises(TypeError, match=f"For '{name}', the 'variable' must be a Parameter"):
        write(3.0, w)
    assert w.asnumpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [Tensor([1.5, 2.5]), 1.5])
def test_a_fraction_does_not_get_lost_in_an_integer_parameter(value):
    w = parameter([1, 2], ms.int32)
    with pytest.raises(TypeError, match=r"value\.astype"):
        ops.assign(w, value)
    assert w.asnumpy().tolist() == [1, 2]


def test_changing_the_assigned_tensor_later_leaves_the_parameter_alone():
    w, x = parameter([1.0, 2.0]), Tensor([3.0, 4.0])
    ops.assign(w, x)
    ops.assign_add(x, 10)
    assert w.asnumpy().tolist() == [3.0, 4.0]


@pytest.mark.usefixtures("mode")
def test_an_assigned_value_gets_no_gradient():
    w = parameter([1.0, 2.0])

    def loss(x):
        ops.assign(w, x * x)
        return (w * 3).sum()

    assert ms.grad(loss)(Tensor([2.0, 5.0])).asnumpy().tolist() == [0.0, 0.0]
    assert w.asnumpy().tolist() == [4.0, 25.0]


@in_both_ways
def test_depend_returns_the_value_and_keeps_the_effect(wrap):
    w = parameter([1.0])

    def step(x):
        return ops.depend(x, ops.assign_add(w, x)), ops.Depend()(x, w)

    for result in wrap(step)(Tensor([2.0])):
        assert result.asnumpy().tolist() == [2.0]
    assert w.asnumpy().tolist() == [3.0]


def test_identity_is_the_same_object_and_Identity_a_tensor_of_its_own():
    x = Tensor([1.0])
    assert ops.identity(x) is x and ops.identity("a") == "a"
    copy = ops.Identity()(x)
    assert copy is not x and copy.asnumpy().tolist() == [1.0]
    with pytest.raises(TypeError, match="'Identity'"):
        ops.Identity()(1.0)


@pytest.mark.usefixtures("mode")
def test_stop_gradient_cuts_one_path_only():
    def product(x, y):
        return x * ops.stop_gradient(y) + y

    dx, dy = ms.grad(product, (0, 1))(Tensor(2.0), Tensor(3.0))
    assert (dx.asnumpy(), dy.asnumpy()) == (3.0, 1.0)


def test_stop_gradient_takes_nested_values():
    stopped = ops.stop_gradient((Tensor(1.0), [Tensor(2.0), 3]))
    assert isinstance(stopped, tuple) and stopped[1][1] == 3 and stopped[1][0].asnumpy() == 2.0
    assert ops.StopGradient()(Tensor(1.0)).asnumpy() == 1.0
