"""A kernel of our own that is called with operands that do not fit, as a crafted file might, refuses them."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jaxlib
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
        into, out = TYPES.get(self.target, f"{'f' * len(self.operands)} {'f' * len(self.results)}").split()
        return f"{self.target} {values} {into} {out} {' '.join(shapes)} {self.attribute} {numbers}"


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


def arrays(rng: np.random.RandomState, most: int) -> list[Call]:
    rows, length, inner, count = (int(size) for size in rng.randint(1, 3 * most, 4))
    x, table, places = (rows, length), (rows, length, inner), (rows, count, inner)
    some = (rows, int(rng.randint(1, length + 1)))
    flag = (int(rng.randint(2)),)
    return [
        Call("mycelium_sort", [x], [x, x], "descending", flag),
        Call("mycelium_top", [x], [some, some], "largest", flag),
        Call("mycelium_take_along", [table, places], [places], "wraps", flag),
        Call("mycelium_add_along", [places, places], [table], "wraps", flag),
        Call("mycelium_running_sum", [table], [table], "backward", flag),
        Call("mycelium_random_bits", [(2,)], [(length,)]),
        Call("mycelium_random_integers", [(2,), (), ()], [(length,)]),
        Call("mycelium_sum", [table], [(rows, inner)]),
        Call("mycelium_sum", [(rows, length)], [(rows,)]),
        Call("mycelium_fold", [table], [(rows, inner)], "kind", (int(rng.randint(3)),)),
        Call("mycelium_fold", [(rows, length)], [(rows,)], "kind", (int(rng.randint(3)),)),
        Call("mycelium_turn", [table], [(rows, inner, length)]),
        Call("mycelium_running_extreme", [table], [table, table], "largest", flag),
        Call("mycelium_linear_recurrence", [table, table], [table], "backward", flag),
        Call("mycelium_running_log_sum", [table], [table], "backward", flag),
        Call("mycelium_running_product", [table], [table], "backward", flag),
        Call(
            "mycelium_distances", [table, (rows, count, inner)], [(rows, length, count)], "norm", (int(rng.randint(3)),)
        ),
        Call("mycelium_wave", [(length,)], [(length,)], "kind", (int(rng.randint(3)),)),
        Call("mycelium_class_entropy", [table, (rows, inner)], [(rows, inner)] * 3),
        Call("mycelium_class_entropy_slopes", [table, *[(rows, inner)] * 5], [table]),
        Call("mycelium_integer_product", [table, (rows, inner, count)], [(rows, length, count)]),
        Call("mycelium_extreme", [table], [(rows, inner)], "largest", flag),
        Call("mycelium_draw", [x, (rows, count)], [(rows, count)]),
        Call("mycelium_remainder", [(length,), (length,)], [(length,)]),
        windows(rng, most),
        *slices(rng, most),
        *samplings(rng, most),
    ]


def slices(rng: np.random.RandomState, most: int) -> list[Call]:
    """Slices at indices of one axis of three, the same for each part or others; and how far indices are outside."""
    outer, length, run, count = (int(size) for size in rng.randint(2, most, 4))
    own, how = int(rng.randint(2)), int(rng.randint(4))
    x, y, rows = (outer * length * run,), (outer * count * run,), count * (outer if own else 1)
    form = (outer, length * run, run, own, how, length - 1, run)
    return [
        Call("mycelium_read_slices", [x, (rows, 1)], [y], "slices", form),
        Call("mycelium_read_slices_inside", [x, (rows, 1), (rows,)], [y], "slices", form),
        Call("mycelium_write_slices", [x, (rows, 1), y], [x], "slices", form),
        Call("mycelium_farthest", [(rows, 2)], [(2,)], "firsts", (0, -length)),
    ]


def samplings(rng: np.random.RandomState, most: int) -> list[Call]:
    """Images sampled between their pixels."""
    x = batch, channels, *_ = tuple(int(size) for size in rng.randint(1, most, 4))
    at = (batch, int(rng.randint(1, 3 * most)))
    y = (batch, channels, at[1])
    return [
        Call("mycelium_sample", [x, at, at], [y]),
        Call("mycelium_sample_spread", [y, at, at], [x]),
        Call("mycelium_sample_slopes", [x, at, at, y], [at, at]),
    ]


def windows(rng: np.random.RandomState, most: int) -> Call:
    """Windows that are lists of positions."""
    x = tuple(int(size) for size in rng.randint(1, most, 4))
    sizes = [(int(rng.randint(1, 4)), int(rng.randint(1, 4))) for _ in range(3)]
    lists = [(*size, *rng.randint(-1, length, size).ravel()) for size, length in zip(sizes, x[1:], strict=True)]
    y = (x[0], *(count for count, _ in sizes))
    return Call("mycelium_largest", [x], [y, y], "windows", tuple(int(number) for one in lists for number in one))


# Of the operands and the results; those that are not named are all float32.
TYPES = {
    "mycelium_sort": "l li", "mycelium_top": "f fi", "mycelium_take_along": "fl f",
    "mycelium_add_along": "fi f", "mycelium_random_bits": "u u", "mycelium_random_integers": "ulL l", "mycelium_sum": "l l",
    "mycelium_running_extreme": "f fi", "mycelium_largest": "f fi", "mycelium_integer_product": "ll l",
    "mycelium_extreme": "l l", "mycelium_draw": "fL i", "mycelium_class_entropy": "fi fff",
    "mycelium_class_entropy_slopes": "fiffff f", "mycelium_read_slices": "fl f", "mycelium_read_slices_inside": "flb f",
    "mycelium_write_slices": "flf f", "mycelium_farthest": "l l",
}  # fmt: skip
# Sizes that may be any number: (target, side, place, axis).
FREE = {
    ("mycelium_top", "operands", 0, 1), ("mycelium_take_along", "operands", 0, 1), ("mycelium_add_along", "results", 0, 1),
    ("mycelium_random_bits", "results", 0, 0), ("mycelium_random_integers", "results", 0, 0), ("mycelium_sum", "operands", 0, 1),
    ("mycelium_extreme", "operands", 0, 1), ("mycelium_fold", "operands", 0, 1), ("mycelium_class_entropy", "operands", 0, 1), ("mycelium_draw", "operands", 0, 1),
    ("mycelium_read_slices", "operands", 0, 0), ("mycelium_read_slices_inside", "operands", 0, 0), ("mycelium_farthest", "operands", 0, 0),
    *((f"mycelium_{name}", side, 0, axis) for axis in (2, 3)
      for name, side in (("sample", "operands"), ("sample_spread", "results"), ("sample_slopes", "operands"))),
    ("mycelium_largest", "operands", 0, 1), ("mycelium_largest", "operands", 0, 2), ("mycelium_largest", "operands", 0, 3),
}  # fmt: skip


def fitting(seed: int, most: int = 12) -> Iterator[Call]:
    """A call of every kernel."""
    for calls in (convolutions, poolings, products, recurrences, arrays):
        yield from calls(np.random.RandomState(seed), most)
    yield Call("mycelium_interrupt", [()], [()])


def misfits(call: Call) -> Iterator[Call]:
    """The call with one size, one rank or one number changed so that it cannot fit."""
    for side in ("operands", "results"):
        shapes = getattr(call, side)
        for place, shape in enumerate(shapes):
            longer = [
                (*shape[:axis], size + MORE, *shape[axis + 1 :])
                for axis, size in enumerate(shape)
                if (call.target, side, place, axis) not in FREE
            ]
            if call.target == "mycelium_channel_moments" and side == "operands":
                longer = longer[1:2]  # of any number of pixels
            empty = [(0, *shape[1:])] if side == "operands" else []  # XLA leaves out a call without a result
            shorter = [shape[:-1]] if shape else []
            for other in (*longer, *empty, *shorter, (*shape, 1)):
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
calls, types = json.load(sys.stdin)
kinds = {"b": np.bool_, "f": np.float32, "i": np.int32, "u": np.uint32, "l": np.int64, "L": np.uint64}
for target, operands, results, attribute, numbers in calls:
    into, out = types.get(target, f"{'f' * len(operands)} {'f' * len(results)}").split()
    shapes = [jax.ShapeDtypeStruct(shape, kinds[kind]) for shape, kind in zip(results, out, strict=True)]
    call = jax.ffi.ffi_call(target, shapes)
    given = {} if attribute == "none" else {attribute: np.array(numbers, np.int64)}
    try:
        jax.block_until_ready(jax.jit(lambda *x: call(*x, **given))(*(np.ones(shape, kinds[kind]) for shape, kind in zip(operands, into))))
        print("done")
    except Exception as error:
        print("refused:", str(error).replace(chr(10), " "))
"""


def through_jax(calls: list[Call]) -> list[str]:
    given = json.dumps([[dataclasses.astuple(call) for call in calls], TYPES], default=int)
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.skipif(not library.active(), reason="the C++ part is not there")
def test_operands_that_do_not_fit_are_refused():
    calls = list(fitting(3, 4))
    assert {call.target for call in calls} == set(library.TARGETS)
    wrong = [one for call in calls for one in list(misfits(call))[::7]]
    answers = through_jax([*calls, *wrong])
    assert answers[: len(calls)] == ["done"] * len(calls)
    for call, answer in zip(wrong, answers[len(calls) :], strict=True):
        assert answer.startswith("refused: INVALID_ARGUMENT") and f"For '{call.target}', the" in answer, (call, answer)


# -- under sanitizers: the kernels in a program of their own, without XLA ------------------------------------------------
def built(folder: Path, sanitizers: str) -> Path:
    """The driver with all kernels. Without AVX2: each read of part of a vector is checked then."""
    compiler, path = shutil.which("g++"), folder / "driver"
    sources = [*sorted(NATIVE.glob("*.cc")), Path(__file__).parent / "native" / "driver.cc"]
    flags = ["-O1", "-g", "-std=c++17", "-w", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-pthread"]
    if compiler is None:
        pytest.skip("there is no g++")
    include = Path(str(jaxlib.__file__)).parent / "include"
    done = subprocess.run(
        [compiler, *flags, f"-I{include}", *map(str, sources), "-o", str(path)], capture_output=True, text=True
    )
    if "cannot find" in done.stderr and "san" in done.stderr:
        pytest.skip(f"g++ has no library for -fsanitize={sanitizers}")
    assert done.returncode == 0, done.stderr[-2000:]
    return path


def through_driver(driver: Path, lines: list[str]) -> list[str]:
    done = subprocess.run([str(driver)], input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = done.stdout.splitlines()
    assert done.returncode == 0, f"{lines[min(len(answers), len(lines) - 1)]}\n{done.stderr[:4000]}"
    return answers


def mixed(calls: list[Call], others: list[Call], rng: np.random.RandomState) -> Iterator[Call]:
    """Calls whose operands, results and numbers come from either of two that fit."""
    for one, other in zip(calls, others, strict=True):
        operands, results, numbers = (
            [pair[rng.randint(2)] for pair in zip(getattr(one, part), getattr(other, part), strict=False)]
            for part in ("operands", "results", "numbers")
        )
        yield Call(one.target, operands, results, one.attribute, tuple(numbers))


LARGE = [  # enough for several threads, the last ones with more memory than there is
    Call("mycelium_convolution", [(4, 20, 24, 24), (40, 20, 3, 3)], [(4, 40, 24, 24)], "geometry", (1, 1, 1, 1, 1, 1, 1, 1, 1)),
    Call("mycelium_convolution_input", [(4, 40, 24, 24), (40, 20, 3, 3)], [(4, 20, 24, 24)], "geometry", (1, 1, 1, 1, 1, 1, 1, 1, 1)),
    Call("mycelium_convolution_weights", [(4, 20, 24, 24), (4, 40, 24, 24)], [(40, 20, 3, 3)], "geometry", (1, 1, 1, 1, 1, 1, 1, 1, 1)),
    Call("mycelium_convolution", [(4, 64, 40, 40), (64, 1, 3, 3)], [(4, 64, 20, 20)], "geometry", (2, 2, 1, 1, 1, 1, 64, 1, 1)),
    Call("mycelium_max_pool_gradient", [(8, 20, 60, 60), (8, 20, 30, 30)], [(8, 20, 60, 60)], "windows", (3, 3, 2, 2, 1, 1, 1, 1)),
    Call("mycelium_channel_moments", [(8, 24, 60, 60)], [(24,), (24,)]),
    Call("mycelium_product", [(200, 300), (300, 170)], [(200, 170)], "form", (0, 0, 0)),
    Call("mycelium_product", [(3, 600), (600, 900)], [(3, 900)], "form", (0, 0, 0)),
    Call("mycelium_product", [(2, 601), (903, 601)], [(2, 903)], "form", (0, 1, 0)),
    Call("mycelium_random_integers", [(2,), (), ()], [(300_000,)]),
    Call("mycelium_sum", [(30, 700, 64)], [(30, 64)]),
    Call("mycelium_distances", [(1, 300, 40), (1, 500, 40)], [(1, 300, 500)], "norm", (0,)),
    Call("mycelium_sort", [(30, 20_000)], [(30, 20_000)] * 2, "descending", (1,)),
    Call("mycelium_sort", [(300, 700)], [(300, 700)] * 2, "descending", (0,)),
    Call("mycelium_top", [(300, 2000)], [(300, 9)] * 2, "largest", (1,)),
    Call("mycelium_take_along", [(90, 50, 600), (90, 20, 600)], [(90, 20, 600)]),
    Call("mycelium_add_along", [(90, 400, 1), (90, 400, 1)], [(90, 700, 1)]),
    Call("mycelium_running_sum", [(50, 300, 40)], [(50, 300, 40)], "backward", (1,)),
    Call("mycelium_recurrent", [(9, 40, 160), (40, 40), (40, 40), (40,), (160, 40), (160,)],
         [(9, 40, 40), (40, 40), (40, 40), (9, 40, 160), (18, 40, 40)], "cell", (3, 0, 1)),
]  # fmt: skip
FAR_APART = (1, 1, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1, 0, 0)  # windows that reach over a million pixels of padding
TOO_LARGE = [
    Call("mycelium_convolution", [(1, 1, 4, 4), (1, 1, 2, 2)], [(1, 1, 4, 4)], "geometry", FAR_APART),
    Call("mycelium_convolution", [(1 << 14, 1, 4, 4), (4, 1, 2, 2)], [(1 << 14, 4, 4, 4)], "geometry", FAR_APART),
]


@pytest.mark.heavy
@pytest.mark.parametrize("sanitizers", ["address,undefined", "thread"])
def test_nothing_is_touched_that_is_not_theirs(sanitizers, tmp_path):
    driver, rounds = built(tmp_path, sanitizers), 400 if sanitizers != "thread" else 20
    right, wrong, random = [], [], []
    for seed in range(rounds):
        rng = np.random.RandomState(seed)
        most = int(rng.choice([3, 12, 40]))
        calls = list(fitting(seed, most))
        right += calls
        wrong += [
            one for call in calls for one in rng.permutation(np.array([*misfits(call), None]))[:4] if one is not None
        ]
        random += mixed(calls, list(fitting(seed + rounds, most)), rng)
    assert set(through_driver(driver, [call.line("usual") for call in right + LARGE])) == {"done"}
    assert set(through_driver(driver, [call.line("strange") for call in right])) == {"done"}
    refused = through_driver(driver, [call.line("usual") for call in wrong])
    assert all(
        answer.startswith(f"refused: For '{call.target}', the") for call, answer in zip(wrong, refused, strict=True)
    )
    answers = through_driver(driver, [call.line("usual") for call in random])
    assert {answer.split(":")[0] for answer in answers} == {"done", "refused"}
    answers = through_driver(driver, [call.line("usual") for call in TOO_LARGE])
    assert all("std::bad_alloc" in answer for answer in answers), answers
