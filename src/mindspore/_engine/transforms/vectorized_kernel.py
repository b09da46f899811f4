"""VectorizedKernel: a kernel batched over an axis with ``jax.vmap``.

Its vjp is the vjp of the body, batched in turn, so that the tape's own rules apply inside. The cotangent of an unmapped input
is the sum over the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._engine.base import jax_errors
from mindspore._engine.base.kernel import Kernel, Mask
from mindspore._engine.execution.index_bounds import first_failure
from mindspore._engine.tracing.traced_kernel import TracedKernel

# Batching of an array besides along an axis (an int). SHARED: unmapped. FIRST: the first
# element has it, the others zeros. SUM (results only): summed over the batch. FAILURE (results only): the first
# nonzero check code of the batch.
SHARED, FIRST, SUM, FAILURE = None, "first", "sum", "failure"
Batching = int | str | None
_RESULT = {SHARED: SUM, FIRST: FIRST}  # batching of an input -> that of its cotangent
_SEED = {SHARED: FIRST, FIRST: FIRST, SUM: SHARED}  # batching of a result -> that of its cotangent


class VectorizedKernel(TracedKernel):
    """The ``body`` mapped over the batch; each array is batched as its Batching says.

    ``refuse(i)`` makes the error for result ``i`` if it was declared unmapped but depends on a mapped input.
    """

    __slots__ = ("body", "inputs", "refuse", "results", "size")

    def __init__(self, body: Kernel, size: int, inputs: Sequence[Batching], results: Sequence[Batching],
                 refuse: Callable[[int], Exception] | None = None):  # fmt: skip
        self.body, self.size, self.refuse = body, size, refuse
        self.inputs, self.results = tuple(inputs), tuple(results)
        super().__init__(body.name, lambda tensors: [])

    def on_arrays(self, *flat: Any) -> tuple:
        arrays = [self._spread(x) if batching == FIRST else x for x, batching in zip(flat, self.inputs, strict=True)]
        axes = tuple(0 if batching == FIRST else batching for batching in self.inputs)
        wanted = tuple(0 if batching in (FIRST, SUM, FAILURE) else batching for batching in self.results)
        found = self._mapped(axes, wanted)(*arrays)
        return tuple(_reduced(x, batching) for x, batching in zip(found, self.results, strict=True))

    def _mapped(self, axes: tuple, wanted: tuple) -> Any:
        mapped = jax.vmap(self.body.function, axes, wanted, axis_size=self.size)

        def call(*arrays: Any) -> Any:
            try:
                return mapped(*arrays)
            except ValueError as error:
                if jax_errors.is_ordered_callback(error):
                    raise _host_call() from None
                if self.refuse is None or not jax_errors.is_batched_output(error):
                    raise
                raise self.refuse(self._culprit(axes, wanted, arrays)) from None

        return call

    def _culprit(self, axes: tuple, wanted: tuple, arrays: Sequence[Any]) -> int:
        """The first result declared unmapped that is batched."""
        for index in [i for i, axis in enumerate(wanted) if axis is SHARED]:
            alone = tuple(SHARED if i == index else 0 for i in range(len(wanted)))
            try:
                jax.eval_shape(jax.vmap(self.body.function, axes, alone, axis_size=self.size), *arrays)
            except ValueError:
                return index
        return wanted.index(SHARED)

    def _spread(self, x: Any) -> Any:
        return jnp.zeros((self.size, *x.shape), x.dtype).at[0].set(x)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        seeds = [_SEED.get(batching, batching) for batching, has in zip(self.results, given, strict=True) if has]
        results = [_RESULT.get(batching, batching) for batching, want in zip(self.inputs, wanted, strict=True) if want]
        return VectorizedKernel(self.body.vjp(wanted, given), self.size, [*self.inputs, *seeds], results)


def _reduced(x: Any, batching: Batching) -> Any:
    if batching == SUM:
        return x.sum(0, dtype=x.dtype)
    if batching == FAILURE:
        return first_failure(x)
    return x[0] if batching == FIRST else x


def _host_call() -> Exception:
    return RuntimeError(
        "For 'vmap', the 'fn' must not call Python functions on the host one after the other, as ops.Custom with "
        "func_type='pyfunc' and a stateful ops.PyFunc do. Use ops.PyFunc(..., stateful=False), which is called for every "
        "element, or ops.Custom with func_type='jax'."
    )
