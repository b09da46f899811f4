"""A compiled call under a tape: a forward executable, which also returns residuals, and a backward executable.

Forward and backward are traced together, with cotangents as further inputs. What does not depend on a cotangent is the
forward pass; values used by both are residuals, except those that a few elementwise operations recompute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.extend.core import Literal

from mindspore._engine.base.kernel import Mask, is_inexact
from mindspore._engine.execution.backward import backward
from mindspore._engine.execution.tape import paused, recording
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.tensor_hooks import zeros_like
from mindspore._engine.tracing.traced_kernel import TensorFunction, replaying, watch
from mindspore._kernels import rewriting

# XLA fuses these into their users: recomputing them is cheaper than storing and loading residuals.
_CHEAP = {
    "abs", "add", "and", "broadcast_in_dim", "clamp", "convert_element_type", "copy", "div", "eq", "expand_dims", "ge", "gt",
    "integer_pow", "iota", "is_finite", "le", "lt", "max", "min", "mul", "ne", "neg", "not", "or", "reshape", "rsqrt", "select_n",
    "sign", "sqrt", "square", "squeeze", "stop_gradient", "sub", "transpose", "rev", "slice",
}  # fmt: skip


class KeptForward:
    """The two executables of a graph for some differentiated inputs."""

    def __init__(self, function: TensorFunction, values: Sequence[Any], wanted: Mask, out_avals: Sequence[tuple]):
        self.wanted = wanted
        self.given = tuple([is_inexact(dtype) for _, dtype in out_avals])
        seeds = [jax.ShapeDtypeStruct(*aval) for aval, has in zip(out_avals, self.given, strict=True) if has]
        traced = jax.jit(self._joint(function, len(values))).trace(*values, *seeds)
        self._split(traced.jaxpr, len(values), len(out_avals))

    def _joint(self, function: TensorFunction, count: int) -> Callable[..., list[Any]]:
        def joint(*flat: Any) -> list[Any]:
            tensors = [Tensor.linked(value, None) for value in flat]
            inputs, seeds = tensors[:count], tensors[count:]
            with paused(), Scope(), recording() as tape:
                leaves, arguments = [], list(inputs)
                for index, want in enumerate(self.wanted):
                    if want:
                        arguments[index], leaf = watch(tape, inputs[index])
                        leaves.append(leaf)
                outputs = list(function(arguments))
                carrying = [output for output, has in zip(outputs, self.given, strict=True) if has]
                links = [(tape.link_of(output), seed) for output, seed in zip(carrying, seeds, strict=True)]
                with replaying():
                    found = backward(tape, 0, [(link, seed) for link, seed in links if link is not None], leaves)
                chosen = [x for x, want in zip(inputs, self.wanted, strict=True) if want]
                gradients = [zeros_like(x) if g is None else g for g, x in zip(found, chosen, strict=True)]
                return [tensor._read() for tensor in (*outputs, *gradients)]

        return joint

    def _split(self, closed: Any, count: int, outputs: int) -> None:
        """Partition the equations of the joint trace; the two executables are compiled when first called."""
        jaxpr = closed.jaxpr
        constants = dict(zip(jaxpr.constvars, closed.consts, strict=True))
        made = {var: step for step in jaxpr.eqns for var in step.outvars}
        later: set[Any] = set(jaxpr.invars[count:])  # what depends on a cotangent
        for step in jaxpr.eqns:
            if any(not isinstance(v, Literal) and v in later for v in step.invars):
                later.update(step.outvars)
        results, gradients = jaxpr.outvars[:outputs], jaxpr.outvars[outputs:]
        kept: dict[Any, None] = {}  # in order

        def crosses(var: Any) -> bool:
            if var in later or var in constants or var not in made:
                return False
            if made[var].primitive.name in _CHEAP:
                return False
            kept[var] = None
            return True

        steps_back = needed_steps(jaxpr.eqns, gradients, made, stops=crosses)
        forward_outputs = [*results, *kept]
        steps_forward = needed_steps(jaxpr.eqns, forward_outputs, made)
        inputs, seeds = jaxpr.invars[:count], jaxpr.invars[count:]
        read = _read(steps_back, gradients)
        self.residual_inputs = [
            index for index, var in enumerate(inputs) if var in read
        ]  # inputs that the backward pass needs
        taken = [inputs[index] for index in self.residual_inputs]
        # Compiled for these shapes alone: a Parameter of another shape must be noticed, not computed with.
        self.forward = _lowered(steps_forward, inputs, constants, forward_outputs).compile()
        self.lowered = _lowered(steps_back, [*kept, *taken, *seeds], constants, gradients)
        self.backward: Any = None
        self.outputs = outputs

    def run(self, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The results, and what the way back needs."""
        found = self.forward(*values)
        return found[: self.outputs], [*found[self.outputs :], *[values[index] for index in self.residual_inputs]]

    def pull_back(self, residuals: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Any]:
        """The gradients of the wanted inputs."""
        if self.backward is None:
            self.backward, self.lowered = self.lowered.compile(), None
        return self.backward(*residuals, *[c for c, has in zip(cotangents, self.given, strict=True) if has])


def needed_steps(
    steps: Sequence[Any], outputs: Sequence[Any], made: dict, stops: Callable[[Any], bool] = lambda var: False
) -> list[Any]:
    """The equations that lead to the outputs, in order; a variable that ``stops`` is given from elsewhere."""
    wanted: set[int] = set()
    seen: set[Any] = set()
    pending = [var for var in outputs if not isinstance(var, Literal)]
    while pending:
        var = pending.pop()
        if var in seen:
            continue
        seen.add(var)
        step = made.get(var)
        if step is None or stops(var) or id(step) in wanted:
            continue
        wanted.add(id(step))
        pending += [v for v in step.invars if not isinstance(v, Literal)]
    return [step for step in steps if id(step) in wanted]


def _read(steps: Sequence[Any], outputs: Sequence[Any]) -> set[Any]:
    listed = [*[v for step in steps for v in step.invars], *outputs]
    return {v for v in listed if not isinstance(v, Literal)}


def _lowered(steps: Sequence[Any], inputs: Sequence[Any], constants: dict, outputs: Sequence[Any]) -> Any:
    lowered = jax.jit(program_of(steps, inputs, constants, outputs)).lower(*[var.aval for var in inputs])
    rewriting.rewrite(lowered)
    return lowered


def program_of(
    steps: Sequence[Any], inputs: Sequence[Any], constants: dict, outputs: Sequence[Any]
) -> Callable[..., list[Any]]:
    """The function that these equations are."""

    def program(*values: Any) -> list[Any]:
        known = dict(constants)
        known.update(zip(inputs, values, strict=True))

        def read(var: Any) -> Any:
            return var.val if isinstance(var, Literal) else known[var]

        for step in steps:
            found = step.primitive.bind(*map(read, step.invars), **step.primitive.get_bind_params(step.params))
            known.update(zip(step.outvars, found if step.primitive.multiple_results else [found], strict=True))
        return [read(var) for var in outputs]

    return program
