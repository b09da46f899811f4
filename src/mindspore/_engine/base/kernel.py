"""Kernel: a pure function of arrays with its jitted form and its vjps.

An operator specialised to its static arguments, a compiled graph and a control-flow construct are all kernels. The tape
records kernels; the vjp of a kernel is again a kernel, so that gradients of any order are recorded like any operator.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxpr_as_fun

from mindspore._engine.base.convert import convert

Mask = tuple[bool, ...]


_SIGNATURE = inspect.Signature([inspect.Parameter("flat", inspect.Parameter.VAR_POSITIONAL)])


class Kernel:
    """A pure function of flat array arguments that returns one array or a tuple of arrays."""

    __slots__ = ("_kept", "_vjps", "calls", "forms", "function", "in_parts", "jitted", "loops", "name", "open_forms", "passes",
                 "pointwise", "rows")  # fmt: skip

    def __init__(self, name: str, function: Callable[..., Any], loops: bool = False):
        self.name = name
        self.function = function
        self.loops = loops  # has a loop, whose recomputation XLA's CSE does not eliminate
        self.pointwise = False  # one formula for every shape: traced once for all of them, outside of graphs
        self.in_parts = False  # result is an input with some elements replaced (in place)
        self.passes = False  # a conversion to integers or truth values, through which gradients pass all the same
        # From the inputs the numbers of rows of the first one, a table, that are the result: its gradient is of those rows.
        self.rows: Callable[..., Any] | None = None
        # inline: equations appear flat in a trace, and the cached jaxpr avoids retracing the body.
        self.jitted = jax.jit(_named(function, name), inline=True)
        self.calls: Any = None  # the forms that the C++ part calls by itself (``execution/dispatch.py``)
        self.forms: dict[tuple, Any] = {}  # by signature: programs of the tier below XLA (``interpreter/choice.py``)
        self.open_forms: dict[
            tuple, Any
        ] = {}  # what is known of calls that differ in sizes (``interpreter/open_form.py``)
        self._vjps: dict[tuple[Mask, Mask], Kernel] = {}
        self._kept: dict[Mask, tuple[Any, Any]] = {}

    def forget_forms(self) -> None:
        """Count calls anew."""
        self.forms.clear()
        self.calls = None

    def vjp(self, wanted: Mask, given: Mask) -> Kernel:
        """The kernel ``(*inputs, *cotangents) -> gradients``.

        ``wanted`` marks the inputs to differentiate, ``given`` the outputs that have a cotangent.
        """
        found = self._vjps.get((wanted, given))
        if found is None:
            found = self._vjps[wanted, given] = self.make_vjp(wanted, given)
        return found

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        def backward(*flat: Any) -> tuple:
            count = len(wanted)
            if self.passes:
                return _passed_through(flat[:count], wanted, flat[count:])
            return pull_back(self.as_traced, flat[:count], wanted, given, flat[count:])

        return Kernel(f"{self.name}Grad", backward)

    def row_vjp(self) -> Kernel:
        """For a lookup: the kernel ``(*inputs, cotangent) -> numbers of rows, their gradients``."""
        key = ((True,), ())
        found = self._vjps.get(key)
        if found is None:
            rows: Any = self.rows

            def backward(*flat: Any) -> tuple:
                table, cotangent = flat[0], flat[-1]
                return rows(*flat[:-1]).reshape(-1), cotangent.reshape(-1, *table.shape[1:]).astype(table.dtype)

            found = self._vjps[key] = Kernel(f"{self.name}Grad", backward)
        return found

    def keeping(self, wanted: Mask) -> tuple[Any, Any]:
        """Forward as ``(*inputs) -> (result, residuals)``, and backward as ``(residuals, cotangents) -> gradients``.

        Together they compute everything once, whereas ``vjp`` recomputes the forward pass and relies on XLA's CSE.
        """
        if wanted not in self._kept:

            def forward(*flat: Any) -> tuple:
                def of_wanted(*values: Any) -> Any:
                    supply = iter(values)
                    return self.function(*[next(supply) if want else x for x, want in zip(flat, wanted, strict=True)])

                return jax.vjp(of_wanted, *[x for x, want in zip(flat, wanted, strict=True) if want])

            def backward(pull: Any, cotangents: Any) -> tuple:
                return pull(cotangents)

            self._kept[wanted] = (
                jax.jit(_named(forward, self.name), inline=True),
                jax.jit(_named(backward, f"{self.name}Grad"), inline=True),
            )
        return self._kept[wanted]

    def as_traced(self, *flat: Any) -> Any:
        """This kernel from its cached jaxpr: differentiating that is several times faster than the function."""
        traced = self.jitted.trace(*flat)
        return jax.tree.unflatten(traced.out_tree, jaxpr_as_fun(traced.jaxpr)(*flat))

    def __repr__(self) -> str:
        return f"Kernel({self.name})"


def _named(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def call(*flat: Any) -> Any:
        results = function(*flat)
        for result in results if isinstance(results, (tuple, list)) else (results,):
            check_size(getattr(result, "shape", ()), getattr(result, "dtype", None))
        return results

    call.__name__ = call.__qualname__ = name
    call.__signature__ = _SIGNATURE  # type: ignore[attr-defined]  # JAX asks at every trace
    return call


def check_size(shape: Sequence[Any], dtype: Any) -> None:
    """Reject absurdly large shapes: XLA aborts the process on them, or overflows."""
    if any(not isinstance(length, int) for length in shape):  # symbolic dimensions, during export
        return
    count = math.prod(shape)
    if count * getattr(dtype, "itemsize", 1) >= _MOST_BYTES:
        kind = ValueError if count >= _MOST_ELEMENTS else RuntimeError
        raise kind(
            f"the 'shape' of the result must have less than 2**56 bytes, but got {tuple(shape)}: {count} elements."
        )


_MOST_ELEMENTS, _MOST_BYTES = 2**64, 2**56  # leave headroom for XLA's own arithmetic

gradient_sum = Kernel("GradientSum", lambda a, b: a + b)  # accumulates cotangents

_inexact: dict[Any, bool] = {}  # cached: queried for every recorded value


def is_inexact(dtype: Any) -> bool:
    """Whether values of this dtype are differentiable."""
    known = _inexact.get(dtype)
    if known is None:
        known = _inexact[dtype] = bool(jnp.issubdtype(dtype, jnp.inexact))
    return known


def carry_mask(carried: Sequence[Any], inputs: Sequence[Any], wanted: Mask) -> Mask:
    """Which values that a loop carries are differentiated: integers only where the gradient of an integer is wanted."""
    integers = any(want and jnp.issubdtype(x.dtype, jnp.integer) for x, want in zip(inputs, wanted, strict=True))
    return tuple([is_inexact(x.dtype) or (integers and jnp.issubdtype(x.dtype, jnp.integer)) for x in carried])


def as_float(value: Any) -> Any:
    """Integers as float64, which holds every int32 exactly."""
    return value if is_inexact(value.dtype) else value.astype(jnp.float64)


def pull_back(function: Callable[..., Any], inputs: Sequence, wanted: Mask, given: Mask, cotangents: Sequence) -> tuple:
    """Gradients of ``function`` for the ``wanted`` inputs, each in its input's dtype.

    MindSpore differentiates integer inputs too: the function is differentiated at their floating-point values; if it is
    only defined on integers (an index, say) the gradient is zero.
    """
    chosen = [x for x, want in zip(inputs, wanted, strict=True) if want]

    def of_chosen(*values: Any) -> tuple:
        supply = iter(values)
        outputs = function(*[next(supply) if want else x for x, want in zip(inputs, wanted, strict=True)])
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        return tuple(o for o, has in zip(outputs, given, strict=True) if has)

    floats = [as_float(x) for x in chosen]
    try:
        outputs, pull = jax.vjp(of_chosen, *floats)
        if not all(is_inexact(o.dtype) for o in outputs):
            raise TypeError("integer outputs carry no gradient")
    except (TypeError, IndexError, ValueError):  # cast to float they may change meaning: labels, probabilities
        if all(is_inexact(x.dtype) for x in chosen):
            raise
        return _integers_as_constants(of_chosen, chosen, cotangents)
    gradients = pull(tuple(c.astype(o.dtype) for c, o in zip(cotangents, outputs, strict=True)))
    return tuple(g.astype(x.dtype) for g, x in zip(gradients, chosen, strict=True))


def _passed_through(inputs: Sequence, wanted: Mask, cotangents: Sequence) -> tuple:
    """Gradients of a conversion: the first input gets the cotangent in its dtype, as if nothing had been rounded."""
    chosen = [(number, x) for number, (x, want) in enumerate(zip(inputs, wanted, strict=True)) if want]
    return tuple([jnp.zeros_like(x) if number else convert(cotangents[0], x.dtype) for number, x in chosen])


def _integers_as_constants(of_chosen: Callable[..., tuple], chosen: Sequence, cotangents: Sequence) -> tuple:
    """Gradients with zeros for integer inputs that the function cannot take as floats."""
    inexact = [is_inexact(x.dtype) for x in chosen]
    if inexact.count(False) > 1:  # of a table of integers and an index, the table can be floats
        inexact = [flag or _can_be_float(of_chosen, chosen, number) for number, flag in enumerate(inexact)]
    floats = [as_float(x) for x, flag in zip(chosen, inexact, strict=True) if flag]

    def of_floats(*values: Any) -> tuple:
        supply = iter(values)
        return of_chosen(*[next(supply) if flag else x for x, flag in zip(chosen, inexact, strict=True)])

    outputs, pull = jax.vjp(of_floats, *floats)
    seeds = tuple(c.astype(o.dtype) if is_inexact(o.dtype) else _float0(o) for c, o in zip(cotangents, outputs))
    gradients = iter(pull(seeds))
    return tuple(
        next(gradients).astype(x.dtype) if flag else jnp.zeros_like(x) for x, flag in zip(chosen, inexact, strict=True)
    )


def _can_be_float(function: Callable[..., tuple], inputs: Sequence, number: int) -> bool:
    """Whether a function takes floats in the place of one integer input, and makes floats of them."""
    values = [as_float(x) if index == number else x for index, x in enumerate(inputs)]
    try:
        return all(is_inexact(output.dtype) for output in jax.eval_shape(function, *values))
    except (TypeError, IndexError, ValueError):
        return False


def _float0(output: Any) -> Any:
    return np.zeros(output.shape, jax.dtypes.float0)
