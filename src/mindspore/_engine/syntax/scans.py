"""Loops of static length over stacked values: `lax.scan`, with gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.kernel import Kernel, Mask, carry_mask
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.syntax.branches import Probe, check_writes
from mindspore._engine.syntax.closure_snapshot import Frozen
from mindspore._engine.syntax.loop_carry import Carried
from mindspore._engine.syntax.values import aval_of, blank, rebuild
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import TensorFunction, TracedKernel, replaying

Step = Callable[[Any, list[Tensor]], tuple[Any, Any]]  # (carry, rows of this iteration) -> (carry, result)


class ScanKernel(TracedKernel):
    """`lax.scan`. Operands: the carry, the stacked values, then the loop invariants."""

    __slots__ = ("body", "carried", "length", "stacked")

    def __init__(self, body: TensorFunction, carried: int, stacked: int, length: int):
        self.body = TracedKernel("Scan", body)
        self.carried, self.stacked, self.length = carried, stacked, length
        super().__init__("Scan", lambda tensors: [])
        self.in_parts = True  # XLA updates the loop carry in place

    def parts(self, flat: Sequence[Any]) -> tuple[tuple, tuple, tuple]:
        """Split operands into carry, stacked values and invariants."""
        rows = self.carried + self.stacked
        return tuple(flat[: self.carried]), tuple(flat[self.carried : rows]), tuple(flat[rows:])

    def on_arrays(self, *flat: Any) -> tuple:
        start, rows, rest = self.parts(flat)

        def step(held: tuple, row: tuple) -> tuple[tuple, tuple]:
            found = self.body.on_arrays(*held, *row, *rest)
            return found[: self.carried], found[self.carried :]

        held, results = lax.scan(step, start, rows, self.length)
        return (*held, *results)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        return ScanGradKernel(self, wanted, given)


class ScanGradKernel(Kernel):
    """The vjp of a scan: the carries before all iterations are saved, then scanned in reverse."""

    __slots__ = ("given", "scan", "wanted")

    def __init__(self, scan: ScanKernel, wanted: Mask, given: Mask):
        self.scan, self.wanted, self.given = scan, wanted, given
        super().__init__("ScanGrad", self.on_arrays)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        raise GraphError(
            "The second gradient through 'Scan' with unroll=False cannot be compiled. Leave unroll=True, or run this part in "
            "PyNative mode."
        )

    def on_arrays(self, *flat: Any) -> tuple:
        with replaying():
            return self._backward(*flat)

    def _backward(self, *flat: Any) -> tuple:
        scan, count = self.scan, len(self.wanted)
        start, rows, rest = scan.parts(flat[:count])
        _, rows_wanted, rest_wanted = scan.parts(self.wanted)
        differentiated = carry_mask(start, flat[:count], self.wanted)
        seeds = iter(flat[count:])
        cotangents = [next(seeds) if has else jnp.zeros_like(s) for s, has in zip(start, self.given)]
        of_results = tuple(seeds)
        back = scan.body.vjp(
            (*differentiated, *rows_wanted, *rest_wanted), (*differentiated, *self.given[scan.carried :])
        )

        def forward(held: tuple, row: tuple) -> tuple[tuple, tuple]:
            return scan.body.on_arrays(*held, *row, *rest)[: scan.carried], held

        _, kept = lax.scan(forward, start, rows, scan.length)
        sums = tuple(jnp.zeros_like(x) for x, want in zip(rest, rest_wanted, strict=True) if want)

        def backward(carry: tuple, row: tuple) -> tuple[tuple, tuple]:
            (cots, totals), (held, values, seeds_now) = carry, row
            of_state = [c for c, want in zip(cots, differentiated, strict=True) if want]
            found = iter(back.function(*held, *values, *rest, *of_state, *seeds_now))
            cots = tuple(next(found) if want else c for c, want in zip(cots, differentiated, strict=True))
            of_rows = tuple(next(found) for want in rows_wanted if want)
            return (cots, tuple(total + next(found) for total in totals)), of_rows

        (cots, totals), of_rows = lax.scan(
            backward, (tuple(cotangents), sums), (kept, rows, of_results), scan.length, reverse=True
        )
        of_start = [c for c, want in zip(cots, self.wanted) if want]
        return (*of_start, *of_rows, *totals)


def traced_scan(step: Step, init: Any, stacked: Sequence[Tensor], length: int) -> tuple[Any, Any] | None:
    """The last carry and the stacked results; None for a body that must be unrolled."""
    scan = _Scan(Frozen(step), init, stacked, length)
    return scan.run() if scan.settle() else None


class _Scan:
    """A scan while it is traced."""

    def __init__(self, frozen: Frozen, init: Any, stacked: Sequence[Tensor], length: int):
        self.frozen, self.stacked, self.length = frozen, stacked, length
        self.carried = Carried("init", init)
        self.rows = [(shape[1:], dtype) for shape, dtype, _ in map(aval_of, stacked)]
        self.probe: Probe | None = None
        self.leaves: list[Any] = []  # leaves of a result
        self.description: Any = None

    def step(self, carry: Sequence[Any], rows: Sequence[Any]) -> list[Any]:
        (function,) = self.frozen.thaw()
        return list(function(self.carried.inside(iter(carry)), list(rows)))

    def settle(self) -> bool:
        """Fixed point of the carry's dtypes; return whether one traced body serves all iterations."""
        for _ in range(8):
            probe = Probe(
                lambda: self.step([blank(aval) for aval in self.carried.avals], [blank(a) for a in self.rows])
            )
            if probe.error is not None or any(self.frozen.concerns(target) for target, _ in probe.mutations.values()):
                return False
            if not self.carried.adapt(probe.values[0]):
                check_writes([probe], "a loop")
                self.probe = probe
                self.leaves, self.description = flatten(probe.values[1])
                return all(leaf is None or isinstance(leaf, Tensor) for leaf in self.leaves)
        return False

    def run(self) -> tuple[Any, Any]:
        writes = self.probe.writes if self.probe is not None else []
        reads = self.probe.reads if self.probe is not None else []
        closure = [tensor for tensor in reads if tensor not in set(writes)]
        starts = self.carried.start()
        count, rows = len(starts), len(self.stacked)
        results = [leaf for leaf in self.leaves if leaf is not None]
        if state.probing:
            for tensor in writes:
                tensor._become(blank(aval_of(tensor)[:2]))
            made = [blank(((self.length, *shape), dtype)) for shape, dtype, _ in map(aval_of, results)]
            return self.carried.inside(iter([blank(aval) for aval in self.carried.avals])), self._collected(made)

        def stepped(tensors: list[Any]) -> list[Tensor]:
            held, written = tensors[:count], tensors[count : count + len(writes)]
            given, rest = tensors[count + len(writes) :][:rows], tensors[count + len(writes) + rows :]
            with Scope(dict(zip([*writes, *closure], [*written, *rest], strict=True))) as scope:
                carry, result = self.step(held, given)
                collected = [leaf for leaf in flatten(result)[0] if leaf is not None]
                outputs = [*self.carried.after(carry), *writes, *collected]
                for tensor in outputs:
                    scope.note_read(tensor)
                return [Tensor.linked(tensor._value, tensor._link) for tensor in outputs]

        kernel = ScanKernel(stepped, count + len(writes), rows, self.length)
        found = list(run(kernel, [*starts, *writes, *self.stacked, *closure]))
        for tensor, value in zip(writes, found[count:]):
            tensor._become(value)
        return self.carried.inside(iter(found[:count])), self._collected(found[count + len(writes) :])

    def _collected(self, made: Sequence[Tensor]) -> Any:
        """A result with the stacked values of all iterations."""
        supply = iter(made)
        return rebuild(self.description, [None if leaf is None else next(supply) for leaf in self.leaves])
