"""while on a traced Tensor: one XLA loop, with gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.dispatch import run
from mindspore._engine.failures import GraphError
from mindspore._engine.kernel import Kernel, Mask, is_inexact
from mindspore._engine.scope import Scope
from mindspore._engine.structure import flatten
from mindspore._engine.syntax.branches import Probe, _is_undefined
from mindspore._engine.syntax.values import aval_of, is_number, rebuild, same_object, to_tensor
from mindspore._engine.tensor import Tensor
from mindspore._engine.traced import TensorFunction, TracedKernel

_SNAPSHOTS = 64  # states kept for the backward pass; between them steps are computed again


class LoopKernel(TracedKernel):
    """lax.while_loop. The first ``carried`` inputs are the loop's state, the others stay."""

    __slots__ = ("body", "carried", "test")

    def __init__(self, test: TensorFunction, body: TensorFunction, carried: int):
        self.test = TracedKernel("While", test)
        self.body = TracedKernel("While", body)
        self.carried = carried
        super().__init__("While", lambda tensors: [])

    def on_arrays(self, *flat: Any) -> tuple:
        state, rest = tuple(flat[: self.carried]), flat[self.carried :]
        return lax.while_loop(
            lambda s: self.test.on_arrays(*s, *rest)[0], lambda s: self.body.on_arrays(*s, *rest), state
        )

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        return LoopGradKernel(self, wanted, given)


class LoopGradKernel(Kernel):
    """Backward through a loop whose length is known only at run time.

    One run counts the steps, a second keeps evenly spaced states; going back, the state before each step is computed
    from the nearest kept one. Memory stays bounded whatever the length.
    """

    __slots__ = ("back", "floats", "given", "loop", "wanted")

    def __init__(self, loop: LoopKernel, wanted: Mask, given: Mask):
        self.loop, self.wanted, self.given = loop, wanted, given
        super().__init__("WhileGrad", self.on_arrays)

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        raise GraphError(
            "The second gradient through a `while` loop on a Tensor condition cannot be compiled. Use a `for` loop over a "
            "range with a Python number of steps, or run this part in PyNative mode."
        )

    def on_arrays(self, *flat: Any) -> tuple:
        loop, count = self.loop, len(self.wanted)
        inputs, seeds = flat[:count], iter(flat[count:])
        state, rest = tuple(inputs[: loop.carried]), inputs[loop.carried :]
        floats = tuple(is_inexact(s.dtype) for s in state)
        cotangents = [next(seeds) if has else jnp.zeros_like(s) for s, has in zip(state, self.given, strict=True)]
        rest_wanted = self.wanted[loop.carried :]
        back = loop.body.vjp((*floats, *rest_wanted), floats)

        def step(s: tuple) -> tuple:
            return loop.body.on_arrays(*s, *rest)

        steps, kept, stride = self._forward(state, rest, step)
        sums = tuple(jnp.zeros_like(r) for r, want in zip(rest, rest_wanted, strict=True) if want)

        def backward(i: Any, carry: tuple) -> tuple:
            index = steps - 1 - i
            start = index // stride
            s = tuple(k[start] for k in kept)
            s = lax.fori_loop(start * stride, index, lambda _, t: step(t), s)
            cots, totals = carry
            seeds_now = [c for c, f in zip(cots, floats, strict=True) if f]
            found = iter(back.function(*s, *rest, *seeds_now))
            cots = tuple(next(found) if f else c for c, f in zip(cots, floats, strict=True))
            return cots, tuple(t + next(found) for t in totals)

        cots, totals = lax.fori_loop(0, steps, backward, (tuple(cotangents), sums))
        totals_left = iter(totals)
        pieces = [*cots, *[next(totals_left) if want else None for want in rest_wanted]]
        return tuple(p for p, want in zip(pieces, self.wanted, strict=True) if want)

    def _forward(self, state: tuple, rest: Any, step: Callable[[tuple], tuple]) -> tuple:
        def test(s: tuple) -> Any:
            return self.loop.test.on_arrays(*s, *rest)[0]

        steps, _ = lax.while_loop(lambda c: test(c[1]), lambda c: (c[0] + 1, step(c[1])), (jnp.int64(0), state))
        stride = jnp.maximum((steps + _SNAPSHOTS - 1) // _SNAPSHOTS, 1)
        room = tuple(jnp.zeros((_SNAPSHOTS, *s.shape), s.dtype) for s in state)

        def keep(i: Any, carry: tuple) -> tuple:
            s, kept = carry
            place = jnp.where(i % stride == 0, i // stride, _SNAPSHOTS)  # out of range: dropped
            kept = tuple(k.at[place].set(v, mode="drop") for k, v in zip(kept, s, strict=True))
            return step(s), kept

        _, kept = lax.fori_loop(0, steps, keep, (state, room))
        return steps, kept, stride


def traced_while(test: Callable[[], Any], body: Callable[[], None], get_state: Callable[[], tuple],
                 set_state: Callable[[tuple], None], names: Sequence[str]) -> None:  # fmt: skip
    """Run a while loop as one XLA loop, starting from the present values of the variables."""
    variables = [_Variable(name, value) for name, value in zip(names, get_state(), strict=True)]
    probe = _settle(variables, test, body, get_state, set_state)
    # What loop code reads from outside goes in; what it writes is part of the loop's state.
    writes = probe.writes
    closure = [t for t in probe.reads if t not in set(writes)]
    starts = [tensor for v in variables for tensor in v.start()]
    carried = len(starts) + len(writes)

    def inside(code: Callable[[], list[Tensor]]) -> TensorFunction:
        def function(tensors: list[Any]) -> list[Tensor]:
            supply = iter(tensors[: len(starts)])
            with Scope(dict(zip([*writes, *closure], tensors[len(starts) :], strict=True))) as scope:
                set_state(tuple(v.inside(supply) for v in variables))
                outputs = code()
                for tensor in outputs:
                    scope.note_read(tensor)
                return [Tensor.linked(t._value, t._link) for t in outputs]

        return function

    def stepped() -> list[Tensor]:
        body()
        values = [tensor for v, value in zip(variables, get_state(), strict=True) for tensor in v.after(value)]
        return [*values, *writes]

    kernel = LoopKernel(inside(lambda: [as_condition(test())]), inside(stepped), carried)
    results = iter(run(kernel, [*starts, *writes, *closure]))
    finals = tuple(v.inside(results) for v in variables)
    for tensor in writes:
        tensor._become(next(results))
    set_state(finals)


def as_condition(value: Any) -> Tensor:
    """A loop or branch condition as a 0-d bool Tensor."""
    if not isinstance(value, Tensor):
        return Tensor.wrap(jnp.asarray(bool(value)))
    if value.size != 1:
        raise ValueError(f"A condition must be a Tensor of one element, but got shape {value.shape}. Use .any() or .all().")
    return to_tensor(value.reshape(()) if value.shape else value, jnp.bool_.dtype)


def _settle(variables: list[_Variable], test: Callable[[], Any], body: Callable[[], None], get_state: Callable[[], tuple],
            set_state: Callable[[tuple], None]) -> Probe:  # fmt: skip
    """Trace the body until every variable has found its dtype."""
    before = get_state()
    for _ in range(4):

        def once() -> Sequence[Any]:
            set_state(tuple(v.inside(iter([Tensor.wrap(jnp.zeros(s, d)) for s, d in v.avals])) for v in variables))
            test()
            body()
            return get_state()

        try:
            probe = Probe(once)
        finally:
            set_state(before)
        if not any([v.adapt(value) for v, value in zip(variables, probe.values, strict=True)]):
            return probe
    raise GraphError("The variables of a `while` loop on a Tensor condition do not settle on one dtype and shape.")


class _Variable:
    """A variable of the loop: its number leaves are carried, everything else must not change."""

    def __init__(self, name: str, value: Any):
        self.name = name
        self.value = value
        self.free = _is_undefined(value)
        leaves, self.description = flatten(value)
        self.leaves = leaves
        self.carried = [] if self.free else [is_number(leaf) for leaf in leaves]
        self.avals = [aval_of(leaf)[:2] for leaf, c in zip(leaves, self.carried) if c]
        self.weak = [aval_of(leaf)[2] for leaf, c in zip(leaves, self.carried) if c]

    def start(self) -> list[Tensor]:
        """The values before the first step."""
        if self.free:
            return [Tensor.wrap(jnp.zeros(shape, dtype)) for shape, dtype in self.avals]
        numbers = [leaf for leaf, c in zip(self.leaves, self.carried, strict=True) if c]
        return [to_tensor(x, dtype) for x, (_, dtype) in zip(numbers, self.avals, strict=True)]

    def inside(self, supply: Any) -> Any:
        """The variable with carried leaves from the supply."""
        if self.free and not self.carried:
            return self.value
        return rebuild(self.description, [next(supply) if c else x for x, c in zip(self.leaves, self.carried, strict=True)])

    def after(self, value: Any) -> list[Tensor]:
        """The carried leaves at the end of a step."""
        numbers = [leaf for leaf, c in zip(flatten(value)[0], self.carried, strict=True) if c]
        return [to_tensor(x, dtype) for x, (_, dtype) in zip(numbers, self.avals, strict=True)]

    def adapt(self, value: Any) -> bool:
        """Look at the value after a step; True when the plan had to change."""
        if self.free:
            if _is_undefined(value):
                return False
            leaves, description = flatten(value)
            if self.carried:
                return False
            self.leaves, self.description = leaves, description
            self.carried = [is_number(leaf) for leaf in leaves]
            self.avals = [aval_of(leaf)[:2] for leaf, c in zip(leaves, self.carried) if c]
            self.weak = [False] * len(self.avals)
            return True
        leaves, description = flatten(value)
        if description != self.description:
            raise GraphError(
                f"The variable '{self.name}' changes its form inside a `while` loop on a Tensor condition: from "
                f"{self.value!r} to {value!r}. Lists cannot grow there; use a Tensor of fixed size."
            )
        return self._adapt_leaves(leaves)

    def _adapt_leaves(self, leaves: list[Any]) -> bool:
        changed, slot = False, 0
        for old, new, carried in zip(self.leaves, leaves, self.carried, strict=True):
            if not carried:
                if not same_object([old, new]):
                    raise GraphError(
                        f"The variable '{self.name}' changes from {old!r} to {new!r} inside a `while` loop on a Tensor "
                        "condition. Only Tensors and numbers can change there."
                    )
                continue
            shape, dtype, weak = aval_of(new)
            known_shape, known = self.avals[slot]
            if shape != known_shape or (dtype != known and not weak):
                if not self.weak[slot] or shape != known_shape:
                    raise TypeError(
                        f"The variable '{self.name}' has shape {known_shape} and dtype {known} before a `while` loop on a "
                        f"Tensor condition, and {shape}, {dtype} after a step. They must stay the same; convert it before "
                        "the loop."
                    )
                self.avals[slot], changed = (shape, dtype), True
            elif weak and dtype != known and jnp.promote_types(dtype, known) == dtype and self.weak[slot]:
                self.avals[slot], changed = (shape, dtype), True
            slot += 1
        return changed


