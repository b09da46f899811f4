"""Gradient primitives: operators that are the vjp of another declaration, with arguments in MindSpore's order.

    @gradient("AtanGrad")
    def atan_grad(x: Array, dout: Array):
        return pull(atan, dout, x)

They are operators like all others, with gradients of their own, but are declared when first asked for
(:mod:`mindspore._ops.gradients`), so that nobody else waits for them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._engine.base.kernel import pull_back
from mindspore._engine.operator.registry import GRADIENTS, Names, op

Body = Callable[..., Any]
_HOME = "mindspore.ops.operations._grad_ops"  # of classes that no other module documents


def gradient(
    primitive: Names, init: Sequence[str] = (), *, function: bool = False, **options: Any
) -> Callable[[Body], Body]:
    """Declare a gradient primitive.

    Args:
        primitive: name of the class, or several.
        init: the arguments that belong to the class's constructor, in its order.
        function: whether there is a function of the body's name, too.
        options: further ones of ``op``.
    """
    name = primitive if isinstance(primitive, str) else primitive[0]

    def declare(body: Body) -> Body:
        body.__doc__ = body.__doc__ or f"The gradient of ``{_forward_name(name)}``."
        function_form: Any = op(primitive=primitive, init=init, public=function, registry=GRADIENTS, **options)(body)
        for made in function_form.op.primitives:
            made.__module__ = _HOME
        return function_form

    return declare


def gradient_class(primitive: type) -> type:
    """Publish a gradient primitive that is a class written by hand, because it calls several operators."""
    primitive.__module__ = _HOME
    GRADIENTS.primitives[primitive.__name__] = primitive
    return primitive


def _forward_name(name: str) -> str:
    for mark in ("Backprop", "Grad"):
        before, found, _ = name.partition(mark)
        if found:
            return before
    return name


def forward_of(forward: Body, static: dict[str, Any]) -> Body:
    """The JAX function of a declared operator, or any other function, with ``static`` arguments filled in."""
    declared = getattr(forward, "op", None)
    if declared is None:
        return functools.partial(forward, **static) if static else forward
    return lambda *values: declared.body(*declared.complete(values, static))


def pull(forward: Body, cotangents: Any, *primals: Any, **static: Any) -> Any:
    """The vjp of ``forward`` at ``primals``: one gradient, or a tuple if there are several primals.

    Args:
        forward: a declared operator, or a function of arrays.
        cotangents: of the result, or a tuple with one per result; None where a result has none.
        primals: the arrays to differentiate by.
        static: further arguments of ``forward``.
    """
    body = forward_of(forward, static)
    seeds = cotangents if isinstance(cotangents, tuple) else (cotangents,)
    given = tuple(seed is not None for seed in seeds)

    def function(*values: Any) -> Any:
        results = body(*values)
        return tuple(results[: len(given)]) if isinstance(results, (tuple, list)) else results

    wanted = (True,) * len(primals)
    gradients = pull_back(function, primals, wanted, given, [seed for seed in seeds if seed is not None])
    return gradients[0] if len(primals) == 1 else gradients


def pull_from(forward: Body, shape: Any, cotangent: Any, **static: Any) -> Any:
    """The vjp of a linear function of an array of which only the shape is known."""
    return pull(forward, cotangent, jnp.zeros(shape, cotangent.dtype), **static)


def push(forward: Body, primals: tuple, tangents: tuple, **static: Any) -> Any:
    """The jvp of ``forward``: what flows back to a gradient's cotangent is the tangent of the forward result."""
    return jax.jvp(forward_of(forward, static), primals, tangents)[1]
