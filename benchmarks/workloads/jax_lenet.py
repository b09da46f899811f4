"""A LeNet-5 step in plain JAX: ``python jax_lenet.py NAME MODE SIZES``, with the arguments of ``steps.py``."""

from __future__ import annotations

import json
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from benchmarks.peers.worker_loop import serve

RATE, MOMENTUM = 0.01, 0.9
KERNELS = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5)}
DENSE = {"fc1": (400, 120), "fc2": (120, 84), "fc3": (84, 10)}


def make_weights(random: np.random.RandomState) -> dict[str, Any]:
    weights: dict[str, Any] = {
        name: jnp.asarray(random.normal(0, 0.1, shape).astype(np.float32)) for name, shape in KERNELS.items()
    }
    for name, shape in DENSE.items():
        weights[name] = jnp.asarray(random.normal(0, 0.02, shape).astype(np.float32)), jnp.zeros(shape[1])
    return weights


def predict(weights: dict[str, Any], x: jax.Array) -> jax.Array:
    for name in KERNELS:
        x = lax.conv_general_dilated(x, weights[name], (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))
        x = lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    x = x.reshape(len(x), -1)
    for name in DENSE:
        matrix, bias = weights[name]
        x = x @ matrix + bias
        x = x if name == "fc3" else jax.nn.relu(x)
    return x


def loss(weights: dict[str, Any], x: jax.Array, labels: jax.Array) -> jax.Array:
    return -jnp.take_along_axis(jax.nn.log_softmax(predict(weights, x)), labels[:, None], 1).mean()


def update(weights: Any, velocities: Any, x: jax.Array, labels: jax.Array) -> tuple[Any, Any, jax.Array]:
    value, gradients = jax.value_and_grad(loss)(weights, x, labels)
    velocities = jax.tree.map(lambda v, g: MOMENTUM * v + g, velocities, gradients)
    return jax.tree.map(lambda w, v: w - RATE * v, weights, velocities), velocities, value


def serve_step(name: str, mode: str, sizes: str) -> None:
    batch = json.loads(sizes)["batch"]
    random = np.random.RandomState(1)
    step = jax.jit(update, donate_argnums=(0, 1))
    weights = make_weights(random)
    state = [weights, jax.tree.map(jnp.zeros_like, weights)]
    x = jnp.asarray(random.rand(batch, 1, 32, 32).astype(np.float32))
    labels = jnp.asarray(random.randint(0, 10, batch).astype(np.int32))

    def call() -> jax.Array:
        *state[:], value = step(*state, x, labels)
        return value

    serve(call, jax.block_until_ready)


if __name__ == "__main__":
    serve_step(*sys.argv[1:])
