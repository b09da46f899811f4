"""What functions compiled by ``jit`` return: MindSpore's answers for Python's values and containers."""

import runpy

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from tests.engine.modes import check_same


def t(*values):
    return Tensor(values[0] if len(values) == 1 else list(values), ms.float32)


def _plus(x, y):
    return x + y


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: (any(["", "a"]), all([0, 1]), any(()), all(())), (True, False, False, True)),
        (lambda x: any(Tensor(np.array([0, 1])).asnumpy()), True),
        (lambda x: map(_plus, (1, 2), (3, 4)), (4, 6)),
        (lambda x: zip((1, 2), (3, 4)), ((1, 3), (2, 4))),
        (lambda x: [zip((1, 2), (3, 4))], [((1, 3), (2, 4))]),
        (lambda x: {"a": range(0, 6, 2)}, {"a": (0, 2, 4)}),
        (lambda x: enumerate((7, 8), 3), ((3, 7), (4, 8))),
        (lambda x: (v * v for v in range(1, 5) if v % 2 == 0), [4, 16]),
        (lambda x: filter(lambda v: v > 1, [1, 2, 3]), [2, 3]),
        (lambda x: ({"a": 1}.keys(), {"a": 1}.values(), {"a": 1}.items()), (("a",), (1,), [("a", 1)])),
        (lambda x: (np.float32(3), np.int64(2)), (3.0, 2)),
        (lambda x: (int(x), float(x), bool(x)), (2, 2.5, True)),
        (
            lambda x: (int(x) + 1, 2 * float(x), -int(x), int(x) / 4, 7 // int(x), int(x) > 1),
            (3, 5.0, -2, 0.5, 3, True),
        ),
        (lambda x: x.item() * 2, 5.0),
        (lambda x: 1 if x > 0 else 2, 1),
        (lambda x: {"a": 1}.has_key("a"), True),
        (lambda x: [1, 2, 2].count(x - 0.5), 2),
    ],
)
def test_results_have_the_types_of_mindspores_graphs(function, expected):
    found = ms.jit(function)(t(2.5))
    assert found == expected
    assert _types(found) == _types(expected)


def _types(value):
    if isinstance(value, (tuple, list)):
        return type(value), [_types(item) for item in value]
    return type(value), [_types(item) for item in value.values()] if isinstance(value, dict) else []


def test_numbers_of_tensors_combine_with_tensors_as_numbers_do():
    @ms.jit
    def f(x):
        return (
            x.astype(ms.float16) * float(x.sum()),
            x + int(x[0]),
            isinstance(int(x[0]), int),
            isinstance(int(x[0]), Tensor),
        )

    half, sums, number, tensor = f(t(1.5, 2.0))
    assert half.dtype == ms.float16 and half.asnumpy().tolist() == [5.25, 7.0]
    assert sums.asnumpy().tolist() == [2.5, 3.0] and number is True and tensor is False


def test_no_gradient_passes_through_a_python_number(mode):
    def f(x):
        return x * float(x)

    assert float(ms.grad(f)(t(3.0))) == 3.0
    assert float(ms.jit(ms.grad(f))(t(3.0))) == 3.0


def test_numbers_that_a_loop_computes_are_numbers():
    @ms.jit
    def f(x):
        count, half = 0, 1.0
        while x > 1:
            x = x / 2
            count += 1
            half = half / 2
        return count, half, x

    count, half, x = f(t(9.0))
    assert (count, half) == (4, 0.0625) and type(count) is int and type(half) is float
    assert float(x) == 0.5625


# -- identity -----------------------------------------------------------------------------------------------------------
_LIST, _DICT = [1, 2], {"a": Tensor(1.0)}


@ms.jit
def _same(value):
    return value


def test_lists_and_dicts_that_come_in_and_go_out_are_the_same_objects():
    for given in ([1, 2], [Tensor(1), 2], {"a": Tensor(1)}, {"a": [1]}):
        assert _same(given) is given
        assert _same((3, given))[1] is given
    tensor = t(1.0)
    assert _same(tensor) is tensor
    assert ms.jit(lambda: _LIST)() is _LIST
    assert ms.jit(lambda: (_DICT, 1))()[0] is _DICT


def test_a_list_argument_that_is_changed_is_a_copy():
    @ms.jit
    def f(values):
        values.append(5)
        return values

    given = [1, 2]
    assert f(given) == [1, 2, 5]
    assert given == [1, 2]


@pytest.mark.parametrize("method", ["reverse()", "pop()", "pop(0)", "extend((7, 8))", "insert(1, 5)"])
@pytest.mark.parametrize("form", ["{}", "({}, 1)", "[0, {}]", "{{'a': {}}}"])
def test_methods_carried_out_in_place_change_the_callers_list(method, form, tmp_path):
    path = {"{}": "", "({}, 1)": "[0]", "[0, {}]": "[1]", "{{'a': {}}}": "['a']"}[form]
    source = f"def f(x, t):\n    values = x{path}\n    values.{method}\n    return t + 1, x, values\n"
    (tmp_path / "changing.py").write_text(source)
    f = runpy.run_path(str(tmp_path / "changing.py"))["f"]
    compiled = ms.jit(f)
    for _ in range(2):
        plain = [3, t(1.0), 2]
        given, expected = (eval(form.format("values"), {"values": list(plain)}) for _ in range(2))
        total, outer, inner = compiled(given, t(1.0))
        assert total == 2.0
        assert inner is eval(f"given{path}")
        check_same(given, outer, method)
        f(expected, t(1.0))
        check_same(expected, given, method)


def test_in_place_methods_follow_appending_only_in_the_copy():
    @ms.jit
    def f(values):
        values.pop()
        values.append(5)
        values.reverse()
        values.remove(5)
        values.insert(0, 7)
        return values

    given = [1, 2, 3]
    assert f(given) == [7, 2, 1]
    assert given == [1, 2]


def test_a_list_of_the_caller_that_changes_where_a_tensor_decides():
    @ms.jit
    def f(values, x):
        if x > 1:
            values.reverse()
        return x

    given = [1, 2]
    f(given, t(0.5))
    assert given == [1, 2]
    f(given, t(3.0))
    assert given == [2, 1]


def test_a_list_taken_out_of_a_list_is_a_copy():
    @ms.jit
    def f():
        outer = [[1, 2], 3]
        inner = outer[0]
        inner[0] = 9
        outer[0].append(7)
        return outer

    assert f() == [[1, 2, 7], 3]


@pytest.mark.parametrize("method", ["reverse()", "pop()", "extend([7])", "insert(0, 5)"])
def test_methods_carried_out_in_place_reach_the_list_that_a_list_was_taken_out_of(method, tmp_path):
    source = f"def f(x):\n    outer = ([3, x, 2], {{'a': [1]}})\n    inner = outer[0]\n    inner.{method}\n    return outer, inner\n"
    (tmp_path / "taken.py").write_text(source)
    f = runpy.run_path(str(tmp_path / "taken.py"))["f"]
    outer, inner = ms.jit(f)(1)
    assert (outer, inner) == f(1)
    inner[0] = 9
    assert outer[0] == f(1)[1]


def _contains(x, y):
    return x in (y, x), x in [y, "a"], 3 in x, 3 not in y


def _chained(x, y):
    return 4 > x > y, not x


def test_membership_and_truth_of_tensors_in_graphs():
    x, y = Tensor([[1, 2], [3, 4]]), Tensor([[1, 2], [5, 6]])
    first, second, third, fourth = ms.jit(_contains)(x, y)
    assert (bool(first), bool(second), third, fourth) == (True, False, True, True)
    assert isinstance(third, bool) and isinstance(fourth, bool)
    chained, negated = ms.jit(_chained)(Tensor([3]), Tensor([1]))
    assert chained.shape == negated.shape == (1,) and chained.asnumpy() == [True] and negated.asnumpy() == [False]


def _raises(x, error):
    if error == "key":
        raise KeyError("k")
    raise ValueError("a value", x)


def test_errors_of_the_program_keep_what_it_wrote():
    with pytest.raises(KeyError) as caught:
        ms.jit(_raises)(Tensor(1), "key")
    assert caught.value.args == ("k",) and "While compiling '_raises'" in caught.value.__notes__[-1]
    with pytest.raises(ValueError) as caught:
        ms.jit(_raises)(Tensor(7), "value")
    assert caught.value.args == ("a value", Tensor(7))


class _Writes(nn.Cell):
    def construct(self, x):
        x.add_(1)
        return x


class _Assigns(nn.Cell):
    def construct(self, x):
        x[0] = 7.0
        return x, x, [x * 2]


def test_without_a_mode_inputs_are_changed_and_returned_as_python_does():
    ms.context.reset_context()
    net, x = _Writes(), t(1.0, 2.0)
    for value in (2.0, 3.0):
        assert net(x) is x and float(x[0]) == value
    net, x = _Assigns(), t(1.0, 2.0)
    for _ in range(2):
        first, second, _ = net(x)
        assert first is x and second is x and x.asnumpy().tolist() == [7.0, 2.0]


class _Scalar(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(3, ms.float32), name="w")

    @ms.jit
    def construct(self, x):
        self.w = x
        return x


def test_construct_may_assign_a_number_to_a_parameter():
    net = _Scalar()
    assert net(1) == 1 and float(net.w) == 1.0


def test_partial_takes_keywords():
    assert ms.jit(lambda: ops.partial(_plus, x=2)(y=3))() == 5
    assert ops.partial(_plus, 2, y=4)() == 6
