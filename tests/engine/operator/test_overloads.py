"""Functions of several forms: the types of the arguments decide, and are looked at once."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore._engine.operator import overloads
from mindspore._engine.operator.overloads import hands_on, overloaded

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


@pytest.fixture
def asked(monkeypatch):
    """The forms that were compared with a call."""
    found, takes = [], overloads.Form.takes

    def noted(self, args, kwargs):
        found.append(self.function.__name__)
        return takes(self, args, kwargs)

    monkeypatch.setattr(overloads.Form, "takes", noted)
    return found


def by_number(value: int, *, twice: bool = False):
    return ("number", value, twice)


def by_text(value: str):
    return ("text", value)


def by_tensor(value: Tensor, other: Tensor | None = None):
    return ("tensor", other is not None)


def test_calls_with_the_same_types_look_for_their_form_once(asked):
    function = overloaded("function", by_number, by_text, by_tensor)
    assert [function(1), function(2), function("a"), function(3), function(X), function(X, X)] == [
        ("number", 1, False), ("number", 2, False), ("text", "a"), ("number", 3, False), ("tensor", False), ("tensor", True)
    ]  # fmt: skip
    assert asked == ["by_number", *["by_number", "by_text"], *["by_number", "by_text", "by_tensor"] * 2]
    asked.clear()
    assert (function("b"), function(4), function(X, X)) == (("text", "b"), ("number", 4, False), ("tensor", True))
    assert asked == []


def test_names_of_keywords_and_their_types_are_part_of_the_call(asked):
    function = overloaded("function", by_number, by_text)
    assert function(1, twice=True) == ("number", 1, True)
    assert function(value="a") == ("text", "a")
    assert function(value=2) == ("number", 2, False)
    for wrong in ({"twice": 1}, {"thrice": True}):
        with pytest.raises(TypeError, match="For 'function', the arguments must be"):
            function(1, **wrong)
    assert function(1, twice=False) == ("number", 1, False)


def test_what_is_remembered_does_not_grow_without_end():
    function = overloaded("function", by_number, by_tensor)
    for number in range(3 * overloads._REMEMBERED):
        kind = type(f"Number{number}", (int,), {})
        assert function(kind(number)) == ("number", number, False)
    (known,) = [
        cell.cell_contents
        for cell in function.__closure__
        if isinstance(cell.cell_contents, dict) and cell.cell_contents
    ]
    assert len(known) <= overloads._REMEMBERED


def test_positional_arguments_go_where_a_form_hands_them_on():
    @hands_on(lambda *given: ("direct", given))
    def form(value, more=1):
        return "form"

    function = overloaded("function", form)
    assert function(2) == ("direct", (2,))
    assert function(2, more=3) == "form"


def test_methods_of_tensors_give_what_their_functions_give(mode):
    np.testing.assert_array_equal(X.sum().asnumpy(), 15)
    np.testing.assert_array_equal(X.sum(0).asnumpy(), [3, 5, 7])
    np.testing.assert_array_equal(X.sum(1, True).asnumpy(), [[3], [12]])
    np.testing.assert_array_equal(X.sum(axis=1, initial=1).asnumpy(), [4, 13])
    assert X.sum(dtype=ms.int32).dtype == ms.int32
    assert X.reshape(3, -1).shape == X.reshape((3, -1)).shape == (3, 2)
    np.testing.assert_array_equal(X.sub(X, alpha=2).asnumpy(), -X.asnumpy())
    np.testing.assert_array_equal(X.sub(1).asnumpy(), X.asnumpy() - 1)
    np.testing.assert_array_equal(X.max().asnumpy(), 5)
