"""Complex numbers: their parts, length and angle, and making them from these."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Axis
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import as_float, check_broadcast, normal_axes
from mindspore._ops.declaring.requirements import (
    require,
    require_float,
    require_form,
    require_rank_from,
    require_same_dtype,
)

_SAMPLE = np.array([[1 + 2j, -3 + 0.5j], [0 - 1j, 2 + 0j]], np.complex64)


def _parts(first: str, x: Any, second: str, y: Any) -> tuple[Any, Any]:
    """Two real arrays in a common dtype wide enough for the parts of complex numbers, broadcast together."""
    require_same_dtype(**{first: x, second: y})
    text = f"the '{first}' and '{second}' must have dtype Float32 or Float64, but got {x.dtype}. Convert with astype()."
    require(x.dtype in (jnp.float32, jnp.float64), text, TypeError)
    shape = check_broadcast(x, y)
    return jnp.broadcast_to(x, shape), jnp.broadcast_to(y, shape)


@op(primitive="Complex", public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=lambda x, y: x + 1j * y)])  # fmt: skip
def complex_of_parts(real: Array, imag: Array):
    """Complex numbers from their real and imaginary parts.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Complex()(Tensor([1.0]), Tensor([2.0])))
        [1.+2.j]
    """
    return jax.lax.complex(*_parts("real", real, "imag", imag))


@op(primitive="Real", method="real", old={"input": ("x",)},
    test=lambda t: [t.case(_SAMPLE, expect=np.real), t.case(t.normal(2, 3), expect=np.real)])  # fmt: skip
def real(input: Array):
    """The real part; real numbers are their own.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.real(Tensor([1 + 2j, 3 - 1j])))
        [1. 3.]
    """
    return jnp.real(input)


@op(primitive="Imag", method="imag", old={"input": ("x",)},
    test=lambda t: [t.case(_SAMPLE, expect=np.imag), t.case(t.normal(2, 3), expect=np.imag)])  # fmt: skip
def imag(input: Array):
    """The imaginary part; 0 for real numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.imag(Tensor([1 + 2j, 3 - 1j])))
        [ 2. -1.]
    """
    return jnp.imag(input)


@op(primitive="Conj", method="conj", old={"input": ("x",)},
    test=lambda t: [t.case(_SAMPLE, expect=np.conj), t.case(t.normal(2, 3), expect=np.conj)])  # fmt: skip
def conj(input: Array):
    """The numbers with the opposite imaginary part; real numbers stay as they are.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.conj(Tensor([1 + 2j])))
        [1.-2.j]
    """
    return jnp.conj(input) if jnp.iscomplexobj(input) else input


@op(primitive="Angle", method="angle",
    test=lambda t: [t.case(_SAMPLE, expect=np.angle), t.case(t.normal(2, 3), expect=np.angle)])  # fmt: skip
def angle(input: Array):
    """The angle of complex numbers in radians; of real numbers 0, and pi where they are negative.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.angle(Tensor([1 + 1j, -2 + 0j])).asnumpy().round(4))
        [0.7854 3.1416]
    """
    if jnp.iscomplexobj(input):
        return jnp.angle(input)
    x = as_float(input)
    return jnp.where(jnp.isnan(x), x, jnp.where(jnp.signbit(x), np.pi, 0).astype(x.dtype))


@op(primitive="Polar",
    test=lambda t: [t.case(t.positive(2, 3), t.normal(2, 3),
                           expect=lambda r, a: (r * np.exp(1j * a)).astype(np.complex64))])  # fmt: skip
def polar(abs: Array, angle: Array):
    """Complex numbers from their lengths and their angles in radians.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.polar(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        [1.+0.j 2.+0.j]
    """
    require(
        abs.shape == angle.shape,
        f"the 'abs' and 'angle' must have the same shape, but got {abs.shape} and {angle.shape}.",
    )
    length, turn = _parts("abs", abs, "angle", angle)
    return jax.lax.complex(length * jnp.cos(turn), length * jnp.sin(turn))


@op(primitive="ComplexAbs", public=False, test=lambda t: [t.case(_SAMPLE, expect=np.abs)])
def complex_abs(x: Array):
    """The lengths of complex numbers.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ComplexAbs()(Tensor([3 + 4j], mindspore.complex64)))
        [5.]
    """
    require(jnp.iscomplexobj(x), f"the 'x' must hold complex numbers, but got dtype {x.dtype}.", TypeError)
    return jnp.abs(x)


@op(test=lambda t: [t.case(_SAMPLE, expect=lambda x: np.stack([x.real, x.imag], -1))])
def view_as_real(input: Array):
    """Complex numbers as pairs: the last axis of the result holds the real and the imaginary part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.view_as_real(Tensor([1 + 2j, 3 - 1j])))
        [[ 1.  2.]
         [ 3. -1.]]
    """
    require(jnp.iscomplexobj(input), f"the 'input' must hold complex numbers, but got dtype {input.dtype}.", TypeError)
    return jnp.stack([input.real, input.imag], axis=-1)


@op(method="adjoint", old={"x": ("input",)},
    test=lambda t: [t.case(_SAMPLE, expect=lambda x: x.conj().T),
                    t.case(t.normal(2, 3, 4), expect=lambda x: x.swapaxes(1, 2))])  # fmt: skip
def adjoint(x: Array):
    """Matrices transposed and conjugated: the last two axes are swapped.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.adjoint(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 3.]
         [2. 4.]]
    """
    require_rank_from("x", x, 2)
    return jnp.conj(x.swapaxes(-1, -2)) if jnp.iscomplexobj(x) else x.swapaxes(-1, -2)


@op(primitive="ConjugateTranspose", public=False,
    test=lambda t: [t.case(_SAMPLE, (1, 0), expect=lambda x, perm: x.conj().T),
                    t.case(t.normal(2, 3, 4), (2, 0, 1), expect=np.transpose)])  # fmt: skip
def conjugate_transpose(x: Array, perm: Axis):
    """The axes in another order, complex numbers conjugated.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.ConjugateTranspose()(Tensor([[1 + 1j, 2 + 0j]], mindspore.complex64), (1, 0)))
        [[1.-1.j]
         [2.-0.j]]
    """
    axes = normal_axes(perm, x.ndim, "perm")
    text = f"the 'perm' must name each of the {x.ndim} axes once, but got {perm}."
    require_form(len(axes) == x.ndim and (perm != () or not x.ndim), text)
    turned = x.transpose(axes)
    return jnp.conj(turned) if jnp.iscomplexobj(x) else turned


@op(primitive="Eps",
    test=lambda t: [t.case(t.normal(2, 3), grad=False,
                           expect=lambda x: np.full(x.shape, np.finfo(x.dtype).eps))])  # fmt: skip
@accepts("f", "x")
def eps(x: Array):
    """The distance from 1 to the next larger number of this dtype, for every element.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ops.eps(Tensor([4.0, 9.0], ms.float16)))
        [0.000977 0.000977]
    """
    require_float("x", x)
    return jnp.full(x.shape, jnp.finfo(x.dtype).eps, x.dtype)
