"""The steps of ``distributed_steps.py`` in plain JAX: one program over the devices of two processes, divided by XLA."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from benchmarks.peers.worker_loop import serve
from benchmarks.workloads import jax_lenet
from benchmarks.workloads.distributed_sizes import MLP, MOMENTUM, RATE, inputs


def mlp_weights(random: np.random.RandomState) -> list[Any]:
    return [
        (jnp.asarray(random.normal(0, 0.02, shape).astype(np.float32)), jnp.zeros(shape[1])) for shape in pairwise(MLP)
    ]


def mlp_predict(weights: list[Any], x: jax.Array) -> jax.Array:
    x = x.reshape(len(x), -1)
    for number, (matrix, bias) in enumerate(weights):
        x = (jax.nn.relu(x) if number else x) @ matrix + bias
    return x


NETWORKS = {"lenet": (jax_lenet.make_weights, jax_lenet.predict), "mlp": (mlp_weights, mlp_predict)}


def serve_step(name: str, batch: str, address: str, rank: str) -> None:
    jax.distributed.initialize(address, 2, int(rank))
    make_weights, predict = NETWORKS[name]

    def loss(weights: Any, x: jax.Array, labels: jax.Array) -> jax.Array:
        return -jnp.take_along_axis(jax.nn.log_softmax(predict(weights, x)), labels[:, None], 1).mean()

    def update(weights: Any, velocities: Any, x: jax.Array, labels: jax.Array) -> tuple[Any, Any, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(weights, x, labels)
        velocities = jax.tree.map(lambda v, g: MOMENTUM * v + g, velocities, gradients)
        return jax.tree.map(lambda w, v: w - RATE * v, weights, velocities), velocities, value

    mesh = Mesh(np.array(jax.devices()), ("data",))
    everywhere, divided = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))
    weights = jax.tree.map(np.asarray, make_weights(np.random.RandomState(1)))
    state = [jax.device_put(weights, everywhere), jax.device_put(jax.tree.map(np.zeros_like, weights), everywhere)]
    x, labels = (jax.make_array_from_process_local_data(divided, part) for part in inputs(name, int(batch), int(rank)))
    step = jax.jit(update, donate_argnums=(0, 1), out_shardings=everywhere)

    def call() -> jax.Array:
        *state[:], value = step(*state, x, labels)
        return value

    serve(call, jax.block_until_ready)


if __name__ == "__main__":
    serve_step(*sys.argv[1:])
