"""VectorizedKernel: a function of Tensors run for every element along an axis at once (``jax.vmap``).

Its gradient is the gradient of the function, vectorized in turn: so the tape's own rules hold inside. What enters
unmapped gets the sum of the gradients of all elements.
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

# How an array enters or leaves besides along an axis (an int). SHARED: the same for all elements. FIRST: the first
# element alone has or gets it, the others zeros. SUM (results only): the sum over all elements. FAILURE (results only): what
# the checks of all elements say.
SHARED, FIRST, SUM, FAILURE = None, "first", "sum", "failure"
Place = int | str | None
_RESULT = {SHARED: SUM, FIRST: FIRST}  # how the gradient of what entered this way leaves
_SEED = {SHARED: FIRST, FIRST: FIRST, SUM: SHARED}  # how the gradient of what left this way enters


class VectorizedKernel(TracedKernel):
    """The ``body`` for every element; each array enters and leaves as its Place says.

    ``refuse(i)`` makes the error for result ``i`` when it was to be shared, but depends on what is mapped.
    """

    __slots__ = ("body", "places", "refuse", "results", "size")

    def __init__(self, body: Kernel, size: int, places: Sequence[Place], results: Sequence[Place],
                 refuse: Callable[[int], Exception] | None = None):  # fmt: skip
        self.body, self.size, self.refuse = body, size, refuse
        self.places, self.results = tuple(places), tuple(results)
        super().__init__(body.name, lambda tensors: [])

    def on_arrays(self, *flat: Any) -> tuple:
        arrays = [self._spread(x) if place == FIRST else x for x, place in zip(flat, self.places, strict=True)]
        axes = tuple(0 if place == FIRST else place for place in self.places)
        wanted = tuple(0 if place in (FIRST, SUM, FAILURE) else place for place in self.results)
        found = self._mapped(axes, wanted)(*arrays)
        return tuple(_gathered(x, place) for x, place in zip(found, self.results, strict=True))

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
        """Which of the results that were to be shared is not."""
        for index in [i for i, place in enumerate(wanted) if place is SHARED]:
            alone = tuple(SHARED if i == index else 0 for i in range(len(wanted)))
            try:
                jax.eval_shape(jax.vmap(self.body.function, axes, alone, axis_size=self.size), *arrays)
            except ValueError:
                return index
        return wanted.index(SHARED)

    def _spread(self, x: Any) -> Any:
        return jnp.zeros((self.size, *x.shape), x.dtype).at[0].set(x)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        seeds = [_SEED.get(place, place) for place, has in zip(self.results, given, strict=True) if has]
        results = [_RESULT.get(place, place) for place, want in zip(self.places, wanted, strict=True) if want]
        return VectorizedKernel(self.body.vjp(wanted, given), self.size, [*self.places, *seeds], results)


def _gathered(x: Any, place: Place) -> Any:
    if place == SUM:
        return x.sum(0, dtype=x.dtype)
    if place == FAILURE:
        return first_failure(x)
    return x[0] if place == FIRST else x


def _host_call() -> Exception:
    return RuntimeError(
        "For 'vmap', the 'fn' must not call Python functions on the host one after the other, as ops.Custom with "
        "func_type='pyfunc' and a stateful ops.PyFunc do. Use ops.PyFunc(..., stateful=False), which is called for every "
        "element, or ops.Custom with func_type='jax'."
    )
