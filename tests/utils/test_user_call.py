"""A refused call is shown as the user wrote it: the name, the types passed, and what may be passed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import mindspore as ms
from mindspore import Tensor, mint, nn, ops

X = Tensor([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: X.mean(dim="a"), "Called as mean(Tensor, dim=str); it takes mean("),
        (lambda: ops.reduce_mean(X, "a"), "Called as reduce_mean(Tensor, str)"),
        (lambda: ops.ReduceMean("a"), "Called as ReduceMean(str); it takes ReduceMean(keep_dims: bool = False)("),
        (lambda: ops.ReduceMean()(X, (0, "a")), "Called as ReduceMean(Tensor, tuple[int, str])"),
        (lambda: X.transpose(0, None), "Called as transpose("),
        (lambda: X.mul_("a"), "Called as mul_(Tensor, str)"),
        (lambda: mint.sum(X, dim="a"), "Called as sum("),
        (lambda: X.transpose(0, 1).narrow(0, "a", 1), "Called as narrow(Tensor, int, str, int)"),
        (lambda: ops.matmul(X, Tensor([1.0, 2.0, 3.0])).sum().asnumpy(), "Called as matmul(Tensor, Tensor)"),
        (lambda: X.mean(dim="a").sum()[0], "Called as mean(Tensor, dim=str); it takes mean("),
        (lambda: ops.relu(X, foo=1), "Called as relu(Tensor, foo=int); it takes relu(input: Tensor"),
        (lambda: X.reshape("a"), "Called as reshape(Tensor, str)"),
        (lambda: ops.broadcast_to(X, "a"), "Called as broadcast_to(Tensor, str)"),
        (lambda: ops.matmul(X, Tensor([1.0, 2.0, 3.0])), "Called as matmul(Tensor, Tensor)"),
    ],
)
def test_the_message_shows_the_call(call, words: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert words in str(caught.value)


def test_a_compiled_function_shows_the_same_call() -> None:
    @ms.jit
    def compiled(x):
        return (x + 1).mean(dim="a")

    with pytest.raises(TypeError) as caught:
        compiled(X)
    assert "Called as mean(Tensor, dim=str); it takes mean(" in str(caught.value)
    assert "While compiling 'compiled'" in str(caught.value)


def test_a_function_by_another_name_is_shown_by_its_own() -> None:
    renamed = ops.relu
    with pytest.raises(TypeError, match=r"Called as relu\(str\)"):
        renamed("a")


def test_operators_inside_a_layer_are_not_taken_for_the_users_call() -> None:
    with pytest.raises(Exception, match="For ") as caught:
        nn.Dense(3, 2)(X)
    assert "Called as" not in str(caught.value)


@pytest.mark.parametrize("run", [lambda function: function, ms.jit], ids=["eager", "compiled"])
def test_functions_of_operands_take_no_lists_but_three_operators_do(run) -> None:
    x = Tensor([1.0, 5.0])
    listed = [1, 2]
    for call in (lambda x: x + listed, lambda x: listed + x, lambda x: x - (1, 2), lambda x: x // [1, 2]):
        assert run(call)(x).shape == (2,)
    for call in (
        lambda x: ops.add(x, [1, 2]),
        lambda x: ops.Mul()(x, [1, 2]),
        lambda x: x * [1.0, 2.0],
        lambda x: x < [1, 2],
    ):
        with pytest.raises(TypeError, match=r"must be a Tensor or a number, but got .* of type list"):
            run(call)(x)


class _Own(nn.Momentum):
    """An optimizer of a program: its constructor calls that of the library's."""

    def __init__(self, rate):
        super().__init__([ms.Parameter(X, name="x")], rate, 0.9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nn.Adam([]), "Called as Adam(list); it takes Adam(params, learning_rate: float"),
        (
            lambda: nn.Momentum([ms.Parameter(X, name="x")], "a", 0.9),
            "it takes Momentum(params, learning_rate, momentum",
        ),
        (lambda: _Own("a"), "params, learning_rate, momentum"),
    ],
)
def test_an_optimizer_shows_what_its_constructor_takes(call, words: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert words in str(caught.value)
    assert "(self" not in str(caught.value)


def test_what_a_thread_of_python_calls_is_no_call_of_the_user():
    with ThreadPoolExecutor(1) as pool, pytest.raises(TypeError, match="'input' must be a Tensor") as refused:
        list(pool.map(ops.relu, ["a"]))
    assert "Called as" not in str(refused.value)
