"""Slices that are read and written at indices, by a kernel in whole programs: as XLA reads and writes them, in every form and dtype."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import mindspore as ms
from mindspore import Tensor, mint, ops
from mindspore._kernels import library, rewriting
from mindspore._kernels.indices import bounds, slices
from mindspore._kernels.primitive import portable

pytestmark = pytest.mark.skipif(not library.active(), reason="there are no kernels")
DTYPES = [np.float32, np.float16, ml_dtypes.bfloat16, np.float64, np.int64, np.int32, np.int8, np.bool_, np.complex64]


@pytest.fixture
def calls(monkeypatch):
    """The targets of the custom calls that are put into programs."""
    found = []
    call = slices._call
    monkeypatch.setattr(
        slices, "_call", lambda target, *rest, **more: (found.append(target), call(target, *rest, **more))[1]
    )
    return found


def numbers(*shape, dtype=np.float32):
    return (np.random.RandomState(sum(shape)).randn(*shape) * 50).astype(dtype)


def indices(low, high, *shape, dtype=np.int64):
    return np.random.RandomState(high).randint(low, high, shape).astype(dtype)


def both(function, *arrays):
    """What a program gives with the kernels and without."""
    lowered = jax.jit(function).lower(*arrays)
    return np.asarray(rewriting.compiled(lowered)(*arrays)), np.asarray(
        jax.jit(function).lower(*arrays).compile()(*arrays)
    )


READS = {
    "rows": lambda x, i: jnp.take(x, i, 0, mode="fill", fill_value=0),
    "rows, clamped": lambda x, i: jnp.take(x, i, 0, mode="clip"),
    "columns": lambda x, i: jnp.take(x, i, 1, mode="fill", fill_value=0),
    "the middle": lambda x, i: jnp.take(x.reshape(16, 10, 41), i % 20, 1, mode="fill", fill_value=0),
    "elements": lambda x, i: x.at[jnp.tile(i, 20), jnp.tile(i % 43, 20)].get(mode="fill", fill_value=0),
    "along an axis": lambda x, i: jnp.take_along_axis(
        x, jnp.broadcast_to(i, (160, i.size)), 1, mode="fill", fill_value=0
    ),
    "by rows of a batch": lambda x, i: jax.vmap(lambda x, i: x.at[i].get(mode="fill", fill_value=0))(
        x.reshape(4, 40, 41), i[:200].reshape(4, 50)
    ),
    "parts of rows": lambda x, i: jax.vmap(lambda start: lax.dynamic_slice(x, (start, start), (1, 30)))(i % 170),
}


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize("form", READS)
def test_what_is_read(calls, form, dtype):
    found, expected = both(READS[form], numbers(160, 41, dtype=dtype), indices(-50, 200, 300))
    np.testing.assert_array_equal(found, expected)
    assert len(calls) == 1


WRITES = {
    "rows": lambda x, i: x.at[i],
    "columns": lambda x, i: x.at[:, i % 60],
    "elements": lambda x, i: x.at[i, i % 45],
    "the middle": lambda x, i: x.reshape(16, 10, 41).at[:, i % 13],
}
HOW = {"set": DTYPES, "add": [np.float32, np.float64, np.int32, np.int64, ml_dtypes.bfloat16, np.float16],
       "max": [np.float32, np.float64, np.int32], "min": [np.float32, np.int64]}  # fmt: skip


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("form", WRITES)
def test_what_is_written(calls, form, how):
    for dtype in HOW[how]:
        x, i = numbers(160, 41, dtype=dtype), indices(-50, 200, 5000)
        moved = jax.eval_shape(lambda x, i: WRITES[form](x, i).get(), x, i)
        y = numbers(*moved.shape, dtype=dtype)
        found, expected = both(lambda x, i, y: getattr(WRITES[form](x, i), how)(y, mode="drop"), x, i, y)
        if how == "add" and np.dtype(dtype).itemsize == 2:  # XLA may round these once
            np.testing.assert_allclose(found.astype(np.float32), expected.astype(np.float32), 0.1, 10)
        else:
            np.testing.assert_array_equal(found, expected)
    assert len(calls) == len(HOW[how])


def test_nan_wins(calls):
    x, i = numbers(100), indices(0, 100, 5000)
    y = numbers(5000)
    y[::700], x[::30] = np.nan, np.nan
    for how in ("max", "min"):
        np.testing.assert_array_equal(*both(lambda x, i, y, how=how: getattr(x.at[i], how)(y), x, i, y))
    assert len(calls) == 2


def test_operands_that_are_read_again_keep_their_values():
    x, i, y = numbers(200, 41), indices(0, 200, 300), numbers(300, 41)
    found = ms.jit(lambda x, i, y: (mint.index_add(x, 0, i, y), x * 2))(Tensor(x), Tensor(i), Tensor(y))
    expected = x.copy()
    np.add.at(expected, i, y)
    np.testing.assert_allclose(found[0].asnumpy(), expected, 1e-4)
    np.testing.assert_array_equal(found[1].asnumpy(), x * 2)


def test_gradients_of_what_is_read_and_written(calls):
    x, i, y = numbers(300, 20), indices(-300, 300, 500), numbers(500, 20)
    step = ms.value_and_grad(
        lambda x, i, y: (ops.gather(x, i, 0) * y).sum() + (mint.index_add(x, 0, abs(i), y) ** 2).sum(), (0, 2)
    )
    with_kernels = ms.jit(step)(Tensor(x), Tensor(i), Tensor(y))[1]
    assert "mycelium_write_slices" in calls and any("read" in target for target in calls)
    with portable():
        without = ms.jit(lambda x, i, y: step(x, i, y))(Tensor(x), Tensor(i), Tensor(y))[1]
    for one, other in zip(with_kernels, without, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-3)


def test_few_elements_stay(calls):
    both(READS["rows"], numbers(160, 41), indices(0, 160, 30))
    assert calls == []


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("axes", [1, 2, 3, 5])
def test_the_index_farthest_outside(axes, dtype):
    firsts = (0, -7, -40, 0, -3)[:axes]
    for change in (0, 999, -999):
        i = indices(0, 30, 4000, axes, dtype=dtype)
        i[1717] += change
        expected = bounds.Farthest(firsts).plain(jnp.asarray(i))[0]
        found = jax.jit(lambda i: bounds.farthest(i, firsts))(i)
        np.testing.assert_array_equal(found, expected)
    assert bounds.Farthest(firsts).custom_call([jax.ShapeDtypeStruct((4000, axes), dtype)], []) == "mycelium_farthest"


def test_indices_outside_are_errors_still():
    x, i = Tensor(numbers(100, 30)), indices(0, 30, 100, 200)
    i[77, 3] = 30
    with pytest.raises(RuntimeError, match=r"but got 30"):
        ms.jit(lambda x, i: mint.gather(x, 1, i))(x, Tensor(i)).asnumpy()


def test_a_large_argument_is_written_in_place_by_xla(calls):
    x, i, y = numbers(20_000, 8), indices(0, 20_000, 1000), numbers(1000, 8)
    both(lambda x, i, y: x.at[i].set(y), x, i, y)
    assert calls == []
    both(lambda i, y: jnp.zeros((20_000, 8)).at[i].set(y), i, y)
    assert calls == [slices.WRITE]
