"""Values are taken apart into leaves and put together again."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Parameter, Tensor
from mindspore._engine.base import pytree
from mindspore._engine.tensor.parameter import ParameterTuple

X = Tensor(np.ones(2, np.float32))


@pytest.mark.parametrize(
    "value",
    [
        (),
        [],
        (1, None, "text", 2.5, True),
        [X, (X, [1, X]), {"b": X, "a": (2, X)}],
        (X,) * 60,
        {"one": [X] * 3},
        (X, np.ones(2)),
        ((), (X,), []),
    ],
    ids=str,
)
def test_what_is_put_together_is_what_was_taken_apart(value):
    leaves, description = pytree.flatten(value)
    hash(description)
    made = pytree.unflatten(description, iter(leaves))
    assert repr(made) == repr(value) and type(made) is type(value)
    again, same = pytree.flatten(made)
    assert same == description and all(a is b for a, b in zip(again, leaves, strict=True))


def test_leaves_come_one_after_the_other():
    leaves, description = pytree.flatten([(1, 2), 3, [4, (5, 6)]])
    assert leaves == [1, 2, 3, 4, 5, 6]
    assert pytree.unflatten(description, iter("abcdef")) == [("a", "b"), "c", ["d", ("e", "f")]]


def test_a_tuple_of_tensors_is_described_at_once(monkeypatch):
    """Gradients of many Parameters are such tuples, in every step."""
    called = []
    describe = pytree._describe
    monkeypatch.setattr(pytree, "_describe", lambda *given: (called.append(1), describe(*given))[1])
    weight = Parameter(X, name="weight")
    leaves, description = pytree.flatten((X, weight) * 50)
    assert len(leaves) == 100 and leaves[1] is weight and description == (tuple, (pytree.LEAF,) * 100)
    pytree.flatten(([X] * 50, (X,) * 50))
    assert len(called) == 4


def test_tuples_of_parameters_and_derived_classes_keep_their_kind():
    weights = ParameterTuple([Parameter(X, name=name) for name in "ab"])
    _, description = pytree.flatten(weights)
    assert description[0] is ParameterTuple

    class Number(int):
        pass

    leaves, _ = pytree.flatten((Number(3),))
    assert type(leaves[0]) is Number
