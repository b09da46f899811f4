"""Each error whose text we match is provoked, so that a release of JAX with other words is noticed."""

from __future__ import annotations

import subprocess
import sys

import jax
import jax.numpy as jnp
import pytest
from jax.experimental import io_callback

from mindspore._engine.base import jax_errors


def test_an_executable_called_with_another_shape():
    executable = jax.jit(lambda x: x + 1).lower(jnp.zeros(3)).compile()
    with pytest.raises(TypeError) as caught:
        executable(jnp.zeros(4))
    assert jax_errors.is_other_signature(caught.value)
    assert not jax_errors.is_other_signature(TypeError("unhashable type: 'list'"))


def test_an_ordered_callback_under_vmap():
    def printing(x):
        io_callback(lambda value: None, None, x, ordered=True)
        return x

    with pytest.raises(ValueError) as caught:
        jax.vmap(printing)(jnp.zeros(3))
    assert jax_errors.is_ordered_callback(caught.value)


def test_a_batched_result_where_none_is_said():
    with pytest.raises(ValueError) as caught:
        jax.vmap(lambda x: x, out_axes=None)(jnp.zeros(3))
    assert jax_errors.is_batched_output(caught.value)
    assert not jax_errors.is_ordered_callback(caught.value)


def test_a_symbolic_size_that_must_be_known():
    (size,) = jax.export.symbolic_shape("b")
    with pytest.raises(Exception) as caught:
        jax.jit(lambda x: jnp.zeros(3) + x).trace(jax.ShapeDtypeStruct((size,), jnp.float32))
    assert jax_errors.is_symbolic_size(caught.value) or jax_errors.is_about_shapes(str(caught.value))
    with pytest.raises(Exception) as caught:
        jax.jit(lambda x: x if x.shape[0] > 3 else -x).trace(jax.ShapeDtypeStruct((size,), jnp.float32))
    assert jax_errors.is_symbolic_size(caught.value)


def test_processes_that_meet_after_xla_has_started():
    program = (
        "import jax; jax.devices()\n"
        "try:\n    jax.distributed.initialize('127.0.0.1:1', 1, 0)\n"
        "except RuntimeError as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert jax_errors.is_started_already(RuntimeError(said))


def test_shapes_that_do_not_fit():
    for wrong in (lambda: jnp.zeros(3) + jnp.zeros(4), lambda: jax.lax.dot(jnp.zeros((2, 3)), jnp.zeros((2, 3)))):
        with pytest.raises((TypeError, ValueError)) as caught:
            wrong()
        assert jax_errors.is_about_shapes(str(caught.value))
        assert "-----" not in jax_errors.without_advice(caught.value)


def test_a_refused_dtype_is_told_with_what_is_taken():
    numbers = jnp.zeros(2, jnp.complex64)
    for wrong, taken in (
        (lambda: jax.lax.floor(numbers), "floating"),
        (lambda: jax.lax.rem(numbers, numbers), "integer, floating"),
    ):
        with pytest.raises(TypeError) as caught:
            wrong()
        assert jax_errors.refused_dtype(str(caught.value)) == ("complex64", taken)
    assert jax_errors.refused_dtype("shapes do not fit") == ("", "")
