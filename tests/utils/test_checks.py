"""The argument checks accept what they say and refuse the rest with MindSpore's kind of message."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore._utils import checks


@pytest.mark.parametrize(
    ("check", "good"),
    [
        (lambda v: checks.check_type("F", "x", v, (int, str)), "a"),
        (lambda v: checks.check_type("F", "x", v, (int, bool)), True),
        (lambda v: checks.check_bool("F", "x", v), False),
        (lambda v: checks.check_str("F", "x", v), ""),
        (lambda v: checks.check_callable("F", "x", v), len),
        (lambda v: checks.check_int("F", "x", v, -1, 3), -1),
        (lambda v: checks.check_int("F", "x", v, -1, 3), 3),
        (lambda v: checks.check_positive_int("F", "x", v), 1),
        (lambda v: checks.check_non_negative_int("F", "x", v), 0),
        (lambda v: checks.check_float_range("F", "x", v, 0.0, 1.0), 1.0),
        (lambda v: checks.check_one_of("F", "x", v, ("a", "b")), "b"),
    ],
)
def test_a_good_value_is_returned(check, good):
    assert check(good) == good


@pytest.mark.parametrize(
    ("check", "bad", "error", "text"),
    [
        (lambda v: checks.check_type("F", "x", v, int), True, TypeError, "must be 'int', but got True (type 'bool')"),
        (lambda v: checks.check_type("F", "x", v, (int, str)), 1.5, TypeError, "must be one of 'int' or 'str'"),
        (lambda v: checks.check_bool("F", "x", v), 1, TypeError, "must be 'bool', but got 1"),
        (lambda v: checks.check_str("F", "x", v, allow_empty=False), "", ValueError, "non-empty string"),
        (lambda v: checks.check_callable("F", "x", v), 3, TypeError, "callable"),
        (lambda v: checks.check_int("F", "x", v), True, TypeError, "must be an int"),
        (lambda v: checks.check_int("F", "x", v), 1.0, TypeError, "must be an int"),
        (lambda v: checks.check_int("F", "x", v, 0, 5), 6, ValueError, "must be in range [0, 5], but got 6"),
        (lambda v: checks.check_int("F", "x", v, high=5), 6, ValueError, "less than or equal to 5"),
        (lambda v: checks.check_positive_int("F", "x", v), 0, ValueError, "greater than or equal to 1, but got 0"),
        (lambda v: checks.check_float_range("F", "x", v, 0, 1, include_high=False), 1.0, ValueError, "[0, 1)"),
        (lambda v: checks.check_float_range("F", "x", v, 0, 1), float("nan"), ValueError, "but got nan"),
        (lambda v: checks.check_float_range("F", "x", v, 0, 1), "0.5", TypeError, "must be a float"),
        (lambda v: checks.check_one_of("F", "x", v, ("mean", "sum")), "man", ValueError, "Did you mean 'mean'?"),
        (lambda v: checks.check_one_of("F", "x", v, (0, 1)), True, TypeError, "one of [0, 1], but got True"),
    ],
)
def test_a_bad_value_is_refused_with_owner_name_and_value(check, bad, error, text):
    with pytest.raises(error) as caught:
        check(bad)
    assert str(caught.value).startswith("For 'F', the 'x' must be ")
    assert text in str(caught.value)


def test_numpy_integers_become_python_integers():
    number = checks.check_int("F", "x", np.int64(4))
    assert type(number) is int
    assert number == 4


def test_a_big_value_does_not_fill_the_message():
    with pytest.raises(TypeError) as caught:
        checks.check_int("F", "x", np.zeros((500, 500)))
    assert "ndarray" in str(caught.value)
    assert len(str(caught.value)) < 120
    with pytest.raises(TypeError) as caught:
        checks.check_int("F", "x", list(range(10_000)))
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(("word", "near"), [("Conv2D", "Conv2d"), ("relu", "ReLU"), ("zzz", None), (3, None)])
def test_nearest_name(word, near):
    assert checks.nearest_name(word, ["Conv1d", "Conv2d", "ReLU", "Dense"]) == near


def test_unknown_attribute_prefers_a_written_hint_and_else_the_nearest_name():
    names = ["Dense", "_Dense"]
    hinted = checks.unknown_attribute("mindspore.nn", "Linear", names, {"Linear": "Use nn.Dense."})
    assert isinstance(hinted, AttributeError)
    assert str(hinted) == "module 'mindspore.nn' has no attribute 'Linear'. Use nn.Dense."
    assert str(checks.unknown_attribute("m", "Dens", names)).endswith("Did you mean 'Dense'?")
    assert str(checks.unknown_attribute("m", "__path__", names)) == "module 'm' has no attribute '__path__'."
