"""The checks that programs import from ``mindspore._checkparam``, in the spellings of all versions."""

import pytest

import mindspore as ms
from mindspore import _checkparam as checks
from mindspore import nn
from mindspore._checkparam import Rel, Validator
from mindspore._extends import cell_attr_register


@pytest.mark.parametrize(
    ("check", "error", "text"),
    [
        (lambda: checks.check_positive_int(0, "a", "Net"), ValueError, "For 'Net', the 'a' must be int and must > 0, but got '0' with type 'int'."),
        (lambda: checks.check_positive_int(0, "a"), ValueError, "The 'a' must be int and must > 0, but got '0' with type 'int'."),
        (lambda: checks.check_positive_int(0), ValueError, "The input value must be int and must > 0"),
        (lambda: checks.check_positive_int(True, "a", "Net"), TypeError, "For 'Net', the 'a' must be int"),
        (lambda: checks.check_positive_int("x", "a", "Net"), TypeError, "For 'Net', the 'a' must be int"),
        (lambda: checks.check_equal_int(1, 2, "a", "Net"), ValueError, "must be int and must = 2, but got '1'"),
        (lambda: checks.check_float_range(2.0, 0.0, 1.0, checks.INC_LEFT, "p", "Net"), ValueError, "For 'Net', the 'p' must be in range of [0.0, 1.0), but got 2.0 with type 'float'."),
        (lambda: checks.check_float_range(1, 0.0, 1.0, checks.INC_BOTH, "p", "Net"), TypeError, "'p' must be float"),
        (lambda: checks.check_float_range(float("nan"), 0.0, 1.0, checks.INC_BOTH, "p", "Net"), ValueError, "but got nan"),
        (lambda: checks.check_int_range(2, 0, 1, Rel.INC_BOTH, "p", "Net"), ValueError, "in range of [0, 1], but got 2 with type 'int'."),
        (lambda: checks.check_number_range(2, 0, 1, Rel.INC_BOTH, int, "a", "Net"), ValueError, "For 'Net', the 'a' must be in range of [0, 1]"),
        (lambda: checks.check_bool(1, "b", "Net"), TypeError, "For 'Net', the 'b' must be a bool, but got int."),
        (lambda: checks.check_string("z", ["a", "b"], "s", "Net"), ValueError, "For 'Net', the 's' must be str and must be in '['a', 'b']', but got 'z'."),
        (lambda: checks.check_value_type("v", 1, [str, float], "Net"), TypeError, "For 'Net', the type of 'v' should be one of '['str', 'float']', but got type 'int'."),
        (lambda: checks.check_value_type("v", True, [int], "Net"), TypeError, "should be 'int', but got type 'bool'."),
        (lambda: checks.check_positive_float(-1.0, "a", "Net"), ValueError, "must be float and must > 0, but got '-1.0'"),
        (lambda: checks.check_non_negative_float(-1.0, "a", "Net"), ValueError, "must be float and must >= 0"),
        (lambda: checks.check_subclass("a", int, [float], "Net"), TypeError, "the element of 'a' must be <class 'float'>, but got <class 'int'>."),
        (lambda: checks.check_type_name("a", ms.int32, [ms.float32], "Net"), TypeError, "For 'Net', the 'a' should be Float32, but got 'Int32'."),
        (lambda: checks.check("a", 2, "b", 3, Rel.EQ, "Net"), ValueError, "For 'Net', the 'a' should be = b: 3, but got 2."),
        (lambda: checks.check_number("a", 2, 3, Rel.GE, "Net"), ValueError, "For 'Net', the argument 'a' must >= 3, but got 2."),
        (lambda: checks.check_is_float("x", "a", "Net"), TypeError, "'a' must be float"),
        (lambda: checks.check_str_by_regular("a b"), ValueError, "'a b' is illegal"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named(check, error, text):
    with pytest.raises(error) as caught:
        check()
    assert text in str(caught.value)


def test_a_right_value_is_returned():
    assert checks.check_positive_int(3, "a", "Net") == 3
    assert checks.check_float_range(0.5, 0.0, 1.0, Rel.INC_NEITHER, "p", "Net") == 0.5
    assert checks.check_float_range(0.5, 0.0, 1.0, Rel.INC_NEITHER, arg_name="p", prim_name="Net") == 0.5
    assert checks.check_int_range(0, 0, 1, Rel.INC_LEFT) == 0
    assert checks.check_string("a", ["a"], "s", "Net") == "a"
    assert checks.check_value_type("v", None, [type(None), int]) is None
    assert checks.check_type_name("a", ms.float32, [ms.float32], "Net") == ms.float32
    checks.check_subclass("a", bool, int, "Net")
    checks.check_subclass("a", ms.float32, ms.number, "Net")


def test_the_orders_of_1_0_are_understood():
    assert Validator.check_bool("flag", True) is True
    assert Validator.check_integer("a", 3, 0, Rel.GT, "Net") == 3
    assert Validator.check_int_range("a", 3, 0, 5, Rel.INC_BOTH, "Net") == 3
    assert Validator.check_number_range("a", 0.5, 0, 1, Rel.INC_BOTH, "Net") == 0.5
    assert Validator.check_string("s", "a", ["a", "b"], "Net") == "a"
    assert Validator.check_float_positive("a", 0.5, "Net") == 0.5
    assert Validator.check_float_legal_value("a", 0.5, "Net") == 0.5
    with pytest.raises(ValueError, match="For 'Net', the 'a' must be in range of"):
        Validator.check_int_range("a", 6, 0, 5, Rel.INC_BOTH, "Net")
    with pytest.raises(ValueError, match="legal float"):
        Validator.check_float_legal_value("a", float("inf"), "Net")


def test_relations_are_the_numbers_of_2_x():
    assert (Rel.EQ, Rel.INC_LEFT, checks.INC_BOTH, checks.NOT_IN) == (1, 8, 10, 12)


def test_every_check_of_the_validator_is_also_a_function():
    names = [name for name in vars(Validator) if name.startswith("check")]
    assert len(names) > 25
    assert all(getattr(checks, name) is getattr(Validator, name) for name in names)


def test_a_cell_remembers_how_it_was_made():
    class Net(nn.Cell):
        @cell_attr_register
        def __init__(self, depth, width=3):
            super().__init__()
            self.depth = depth

    assert Net(2).cell_init_args == "Net{'depth': 2, 'width': 3}"
    assert Net(depth=4).depth == 4


def test_the_class_of_checks_has_all_that_the_module_has():
    for name in dir(checks):
        if not name.startswith("__"):
            assert hasattr(Validator, name)
    assert Validator.check("n", 2, "expected", 2, rel=Validator.EQ) == 2
    assert not hasattr(Validator, "check_nothing_of_the_kind")
