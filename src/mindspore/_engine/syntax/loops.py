"""Loops on a traced Tensor: `lax.while_loop`, with gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.kernel import Kernel, Mask, carry_mask
from mindspore._engine.base.mutation import MutationTarget
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.syntax.branches import Probe, as_condition, check_writes, conditional, put
from mindspore._engine.syntax.closure_snapshot import Frozen
from mindspore._engine.syntax.loop_carry import Carried
from mindspore._engine.syntax.loop_gradients import LoopGradients
from mindspore._engine.syntax.values import NO_VARIABLES, Variables, aval_of, blank
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import TensorFunction, TracedKernel, replaying
from mindspore._kernels import interrupt

_SNAPSHOTS = 64  # checkpoints of the carry for the backward pass; iterations in between are recomputed


class LoopKernel(TracedKernel):
    """`lax.while_loop`. The first ``carried`` operands are the carry, the very first its condition; the rest is invariant."""

    __slots__ = ("body", "carried")

    def __init__(self, body: TensorFunction, carried: int):
        self.body = TracedKernel("While", body)
        self.carried = carried
        super().__init__("While", lambda tensors: [])
        self.in_parts = True  # XLA updates the loop carry in place

    def on_arrays(self, *flat: Any) -> tuple:
        held, rest = tuple(flat[: self.carried]), flat[self.carried :]
        return interrupt.while_loop(lambda s: self.body.on_arrays(*s, *rest), held)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        return LoopGradKernel(self, wanted, given)


class LoopGradKernel(Kernel):
    """The vjp of a loop of dynamic length.

    One run counts the iterations, a second checkpoints evenly spaced carries; the backward loop recomputes each carry from the
    nearest checkpoint. Memory is bounded whatever the length.
    """

    __slots__ = ("given", "loop", "wanted")

    def __init__(self, loop: LoopKernel, wanted: Mask, given: Mask):
        self.loop, self.wanted, self.given = loop, wanted, given
        super().__init__("WhileGrad", self.on_arrays)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        loop = self.loop
        again = LoopGradients(loop.body, loop.carried, self.wanted, self.given, _SNAPSHOTS, LoopKernel)
        return TracedKernel(self.name, again).make_vjp(wanted, given)

    def on_arrays(self, *flat: Any) -> tuple:
        with replaying():
            return self._backward(*flat)

    def _backward(self, *flat: Any) -> tuple:
        loop, count = self.loop, len(self.wanted)
        inputs, seeds = flat[:count], iter(flat[count:])
        start, rest = tuple(inputs[: loop.carried]), inputs[loop.carried :]
        differentiated = carry_mask(start, inputs, self.wanted)
        cotangents = [next(seeds) if has else jnp.zeros_like(s) for s, has in zip(start, self.given, strict=True)]
        rest_wanted = self.wanted[loop.carried :]
        back = loop.body.vjp((*differentiated, *rest_wanted), differentiated)

        def step(s: tuple) -> tuple:
            return loop.body.on_arrays(*s, *rest)

        steps, kept, stride = _forward(start, step)
        sums = tuple(jnp.zeros_like(r) for r, want in zip(rest, rest_wanted, strict=True) if want)

        def backward(i: Any, carry: tuple) -> tuple:
            index = steps - 1 - i
            nearest = index // stride
            s = tuple(k[nearest] for k in kept)
            s = lax.fori_loop(nearest * stride, index, lambda _, t: step(t), s)
            cots, totals = carry
            seeds_now = [c for c, f in zip(cots, differentiated, strict=True) if f]
            found = iter(back.function(*s, *rest, *seeds_now))
            cots = tuple(next(found) if f else c for c, f in zip(cots, differentiated, strict=True))
            return cots, tuple(t + next(found) for t in totals)

        cots, totals = lax.fori_loop(0, steps, backward, (tuple(cotangents), sums))
        totals_left = iter(totals)
        pieces = [*cots, *[next(totals_left) if want else None for want in rest_wanted]]
        return tuple(p for p, want in zip(pieces, self.wanted, strict=True) if want)


def _with_count(count: Any, carry: tuple) -> tuple:
    return (carry[0], count, *carry[1:])


def _forward(start: tuple, step: Callable[[tuple], tuple]) -> tuple:
    """The number of iterations, evenly spaced checkpoints of the carry, and their stride."""
    counted = (start[0], jnp.int64(0), *start[1:])
    _, steps, *_ = interrupt.while_loop(lambda c: _with_count(c[1] + 1, step((c[0], *c[2:]))), counted)
    stride = jnp.maximum((steps + _SNAPSHOTS - 1) // _SNAPSHOTS, 1)
    room = tuple(jnp.zeros((_SNAPSHOTS, *s.shape), s.dtype) for s in start)

    def keep(i: Any, carry: tuple) -> tuple:
        s, kept = carry
        slot = jnp.where(i % stride == 0, i // stride, _SNAPSHOTS)  # out of range: dropped
        kept = tuple(k.at[slot].set(v, mode="drop") for k, v in zip(kept, s, strict=True))
        return step(s), kept

    _, kept = lax.fori_loop(0, steps, keep, (start, room))
    return steps, kept, stride


def traced_loop(
    condition: Tensor, test: Callable[[], Any], body: Callable[[], None], variables: Variables | None
) -> None:
    """Trace a loop from the current values of its variables. ``condition`` is the test before it."""
    variables = variables or NO_VARIABLES
    loop = _Loop(
        as_condition(condition), Frozen(test, body, variables.get, variables.set, variables=variables), variables
    )
    loop.settle()
    finals = loop.run()
    count = len(variables.names)
    variables.set(loop.frozen.originals_of(finals[:count]))
    put([loop.frozen.program_target(target) for target in loop.mutations], finals[count:])


class _Loop:
    """A loop while it is traced: its variables, then the attributes and containers it mutates."""

    def __init__(self, condition: Tensor, frozen: Frozen, variables: Variables):
        self.condition = condition
        self.frozen = frozen
        self.mutations: list[MutationTarget] = []
        self.probe: Probe | None = None
        _, _, get, _ = frozen.thaw()
        self.carried = [Carried(name, value) for name, value in zip(variables.names, get(), strict=True)]
        self.names = variables.names

    def step(self, supply: Any) -> list[Any]:
        """One iteration; the condition for the next one comes last."""
        test, body, get, set_ = self.frozen.thaw()
        values = [c.inside(supply) for c in self.carried]
        count = len(self.names)
        set_(tuple(values[:count]))
        put(self.mutations, values[count:])
        body()
        condition = as_condition(test())
        return [*get(), *[target.read() for target in self.mutations], condition]

    def settle(self) -> None:
        """Fixed point: trace the body until the avals of the carry are stable."""
        for _ in range(8):
            probe = Probe(lambda: self.step(iter([blank(aval) for c in self.carried for aval in c.avals])))
            if probe.error is not None:
                self._raise_if_entered(probe.error)
                return
            changed = [c.adapt(value) for c, value in zip(self.carried, probe.values[:-1], strict=True)]
            known = {target.key for target in self.mutations}
            mutations = [target for key, (target, _) in probe.mutations.items() if key not in known]
            new = [target for target in mutations if self.frozen.concerns(target)]
            self.mutations += new
            self.carried += [Carried(str(target), self.frozen.start_of(target)) for target in new]
            if not new and not any(changed):
                check_writes([probe], "a loop")
                self.probe = probe
                return
        raise GraphError("The variables of a loop on a Tensor condition do not settle on one shape and dtype.")

    def _raise_if_entered(self, error: Exception) -> None:
        """The body always raises: replace the loop by a conditional raise."""

        def fail() -> Sequence[Any]:
            raise error

        conditional(self.condition, [fail, tuple], [], self.frozen)

    def run(self) -> list[Any]:
        """The values after the loop."""
        if self.probe is None:
            return [c.value for c in self.carried]
        writes = self.probe.writes
        closure = [t for t in self.probe.reads if t not in set(writes)]
        starts = [tensor for c in self.carried for tensor in c.start()]
        count = len(starts) + 1
        if state.probing:
            for tensor in writes:
                tensor._become(blank(aval_of(tensor)[:2]))
            supply = iter([blank(aval) for c in self.carried for aval in c.avals])
            return [c.inside(supply) for c in self.carried]

        def stepped(tensors: list[Any]) -> list[Tensor]:
            with Scope(dict(zip([*writes, *closure], tensors[count:], strict=True))) as scope:
                *values, condition = self.step(iter(tensors[1:count]))
                outputs = [condition, *[t for c, v in zip(self.carried, values, strict=True) for t in c.after(v)]]
                for tensor in outputs:
                    scope.note_read(tensor)
                return [Tensor.linked(t._value, t._link) for t in (*outputs, *writes)]

        state.scope.root.loops = True  # type: ignore[union-attr]
        kernel = LoopKernel(stepped, count + len(writes))
        _, *results = run(kernel, [self.condition, *starts, *writes, *closure])
        supply = iter(results)
        finals = [c.inside(supply) for c in self.carried]
        for tensor in writes:
            tensor._become(next(supply))
        return finals
