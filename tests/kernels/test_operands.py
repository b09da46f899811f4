"""A kernel of our own that is called with operands that do not fit, as a crafted file might, refuses them."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mindspore._kernels import library

FAR = (-(1 << 40), 1 << 40)  # no attribute may be such a number
MORE = 7  # than any stride: a size changed by so much has another number of windows
NATIVE = Path(library.__file__).parent / "native"


@dataclasses.dataclass(frozen=True)
class Call:
    """A custom call: its shapes and the numbers of its one attribute."""

    target: str
    operands: list[tuple[int, ...]]
    results: list[tuple[int, ...]]
    attribute: str = "none"
    numbers: tuple[int, ...] = ()

    def line(self, values: str) -> str:
        shapes = (
            f"{len(side)} {' '.join(' '.join(map(str, (len(shape), *shape))) for shape in side)}"
            for side in (self.operands, self.results)
        )
        numbers = " ".join(str(int(number)) for number in (len(self.numbers), *self.numbers))
        return f"{self.target} {values} {' '.join(shapes)} {self.attribute} {numbers}"


def convolutions(rng: np.random.RandomState, most: int) -> list[Call]:
    """A convolution with random sizes, and its gradients."""
    kernel, dilation, stride = rng.randint(1, 5, 2), rng.randint(1, 3, 2), rng.randint(1, 4, 2)
    before, after = rng.randint(-1, 4, 2), rng.randint(-1, 4, 2)
    reach = (kernel - 1) * dilation + 1
    lengths = np.maximum(rng.randint(2, 16, 2), reach - before - after)
    groups = int(rng.choice([1, 1, 2, 3]))
    into, out = rng.randint(1, most) * groups, rng.randint(1, most) * groups
    if rng.rand() < 0.25:  # every channel on its own
        groups = into = out = rng.randint(2, 2 * most)
    places = (lengths + before + after - reach) // stride + 1
    batch = int(rng.randint(1, 4))
    x, y = (batch, into, *lengths), (batch, out, *places)
    weights = (out, into // groups, *kernel)
    given = ("geometry", (*stride, *before, *dilation, groups, *after))
    return [
        Call("mycelium_convolution", [x, weights], [y], *given),
        Call("mycelium_convolution_input", [y, weights], [x], *given),
        Call("mycelium_convolution_weights", [x, y], [weights], *given),
    ]


def poolings(rng: np.random.RandomState, most: int) -> list[Call]:
    kernel, stride = rng.randint(1, 5, 2), rng.randint(1, 4, 2)
    before, after = rng.randint(0, 3, 2), rng.randint(0, 3, 2)
    lengths = np.maximum(rng.randint(1, 16, 2), kernel - before - after)
    batch, channels = int(rng.randint(1, 4)), int(rng.randint(1, 2 * most))
    x = (batch, channels, *lengths)
    y = (batch, channels, *((lengths + before + after - kernel) // stride + 1))
    given = ("windows", (*kernel, *stride, *before, *after))
    return [
        call
        for relu in ("", "_relu")
        for call in (
            Call(f"mycelium_max_pool{relu}", [x], [y], *given),
            Call(f"mycelium_max_pool_gradient{relu}", [x, y], [x], *given),
        )
    ] + [
        Call("mycelium_channel_moments", [x], [(channels,)] * 2),
        Call("mycelium_channel_sums", [x, (channels,), x], [(channels,)] * 2),
    ]


def products(rng: np.random.RandomState, most: int) -> list[Call]:
    rows, columns, depth = (int(size) for size in rng.randint(1, 5 * most, 3))
    leading = tuple(int(size) for size in rng.randint(1, 4, rng.randint(0, 3)))
    turned = [bool(rng.randint(2)), bool(rng.randint(2))]
    x, y = (depth, rows) if turned[0] else (rows, depth), (columns, depth) if turned[1] else (depth, columns)
    shared = (columns, depth) if turned[1] else (depth, columns)
    return [
        Call("mycelium_product", [(*leading, *x), (*leading, *y)], [(*leading, rows, columns)], "form", (*turned, 0)),
        Call("mycelium_product", [(2, *leading, rows, depth), shared], [(2, *leading, rows, columns)], "form",
             (0, turned[1], 0)),
        Call("mycelium_product", [(*leading, depth, rows), (*leading, depth, columns)], [(rows, columns)], "form",
             (1, 0, 1)),
    ]  # fmt: skip


def recurrences(rng: np.random.RandomState, most: int) -> list[Call]:
    kind, keep, reverse = int(rng.randint(4)), bool(rng.randint(2)), bool(rng.randint(2))
    steps, batch, hidden = (int(size) for size in rng.randint(2, most, 3))
    gates = (1, 1, 3, 4)[kind] * hidden
    state, shares, none = (batch, hidden), (steps, batch, gates), (1, 1, 1)
    memory = state if kind == 3 else (1, 1)
    extra = (2 * steps, batch, hidden) if kind > 1 else none
    weights, outputs = (gates, hidden), (steps, batch, hidden)
    return [
        Call("mycelium_recurrent", [shares, state, memory, (batch,), weights, (gates,)],
             [outputs, state, memory, *((shares, extra) if keep else (none, none))], "cell", (kind, reverse, keep)),
        Call("mycelium_recurrent_gradient", [shares, extra, (batch,), weights, outputs, state, memory],
             [shares, shares if kind == 2 else none, state, memory], "cell", (kind, reverse, 1)),
    ]  # fmt: skip


def fitting(seed: int, most: int = 12) -> Iterator[Call]:
    """A call of every kernel."""
    for calls in (convolutions, poolings, products, recurrences):
        yield from calls(np.random.RandomState(seed), most)


def misfits(call: Call) -> Iterator[Call]:
    """The call with one size, one rank or one number changed so that it cannot fit."""
    for side in ("operands", "results"):
        shapes = getattr(call, side)
        for place, shape in enumerate(shapes):
            longer = [(*shape[:axis], size + MORE, *shape[axis + 1 :]) for axis, size in enumerate(shape)]
            if call.target == "mycelium_channel_moments" and side == "operands":
                longer = longer[1:2]  # of any number of pixels
            empty = [(0, *shape[1:])] if side == "operands" else []  # XLA leaves out a call without a result
            for other in (*longer, *empty, shape[:-1], (*shape, 1)):
                yield dataclasses.replace(call, **{side: [*shapes[:place], other, *shapes[place + 1 :]]})
    for place in range(len(call.numbers)):
        for far in FAR:
            changed = (*call.numbers[:place], far, *call.numbers[place + 1 :])
            yield dataclasses.replace(call, numbers=changed)
    if call.numbers:
        yield dataclasses.replace(call, numbers=call.numbers[:-1])
        yield dataclasses.replace(call, numbers=(*call.numbers, 0))


PROGRAM = """
import json, sys
import jax, numpy as np
from mindspore._kernels import library
assert library.active()
for target, operands, results, attribute, numbers in json.load(sys.stdin):
    shapes = [jax.ShapeDtypeStruct(shape, np.float32) for shape in results]
    call = jax.ffi.ffi_call(target, shapes)
    given = {} if attribute == "none" else {attribute: np.array(numbers, np.int64)}
    try:
        jax.block_until_ready(jax.jit(lambda *x: call(*x, **given))(*(np.ones(shape, np.float32) for shape in operands)))
        print("done")
    except Exception as error:
        print("refused:", str(error).replace(chr(10), " "))
"""


def through_jax(calls: list[Call]) -> list[str]:
    given = json.dumps([dataclasses.astuple(call) for call in calls], default=int)
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.skipif(not library.active(), reason="the C++ part is not there")
def test_operands_that_do_not_fit_are_refused():
    calls = list(fitting(3, 4))
    assert {call.target for call in calls} == set(library._TARGETS)
    wrong = [one for call in calls for one in list(misfits(call))[::7]]
    answers = through_jax([*calls, *wrong])
    assert answers[: len(calls)] == ["done"] * len(calls)
    for call, answer in zip(wrong, answers[len(calls) :], strict=True):
        assert answer.startswith("refused: INVALID_ARGUMENT") and f"For '{call.target}', the" in answer, (call, answer)
