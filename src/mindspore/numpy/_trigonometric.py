"""Trigonometric and hyperbolic functions; integers of 8 and 16 bits and bool become float16, others float32."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.compat.old_names import old_names
from mindspore.numpy._inputs import ArrayLike, cast, floating
from mindspore.numpy.dtypes import float16


def sin(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The sine.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.sin([0.0, 0.5]))
        [0.         0.47942555]
    """
    return cast(ops.sin(floating(x, "sin", "x", small=float16)), dtype, "sin")


def cos(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The cosine.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cos([0.0, 0.5]))
        [1.         0.87758255]
    """
    return cast(ops.cos(floating(x, "cos", "x", small=float16)), dtype, "cos")


def tan(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The tangent.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tan([0.0, 0.5]))
        [0.        0.5463025]
    """
    return cast(ops.tan(floating(x, "tan", "x", small=float16)), dtype, "tan")


def arcsin(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The angle whose sine is given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arcsin([0.0, 1.0]))
        [0.        1.5707964]
    """
    return cast(ops.arcsin(floating(x, "arcsin", "x", small=float16)), dtype, "arcsin")


@old_names(x="input")
def arccos(input: ArrayLike, dtype: Any = None) -> Tensor:
    """The angle whose cosine is given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arccos([1.0, 0.0]))
        [0.        1.5707964]
    """
    return cast(ops.arccos(floating(input, "arccos", "input", small=float16)), dtype, "arccos")


def arctan(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The angle whose tangent is given.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arctan([0.0, 1.0]).round(4))
        [0.     0.7854]
    """
    return cast(ops.arctan(floating(x, "arctan", "x", small=float16)), dtype, "arctan")


def sinh(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The hyperbolic sine.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.sinh([0.0, 1.0]))
        [0.        1.1752012]
    """
    return cast(ops.sinh(floating(x, "sinh", "x", small=float16)), dtype, "sinh")


def cosh(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The hyperbolic cosine.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cosh([0.0, 1.0]).round(4))
        [1.     1.5431]
    """
    return cast(ops.cosh(floating(x, "cosh", "x", small=float16)), dtype, "cosh")


def tanh(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The hyperbolic tangent.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.tanh([0.0, 1.0]))
        [0.        0.7615942]
    """
    return cast(ops.tanh(floating(x, "tanh", "x", small=float16)), dtype, "tanh")


def arcsinh(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The inverse of the hyperbolic sine.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arcsinh([0.0, 1.0]).round(4))
        [0.     0.8814]
    """
    return cast(ops.arcsinh(floating(x, "arcsinh", "x", small=float16)), dtype, "arcsinh")


def arccosh(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The inverse of the hyperbolic cosine.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arccosh([1.0, 2.0]))
        [0.       1.316958]
    """
    return cast(ops.arccosh(floating(x, "arccosh", "x", small=float16)), dtype, "arccosh")


def arctanh(x: ArrayLike, dtype: Any = None) -> Tensor:
    """The inverse of the hyperbolic tangent.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.arctanh([0.0, 0.5]))
        [0.         0.54930615]
    """
    return cast(ops.arctanh(floating(x, "arctanh", "x", small=float16)), dtype, "arctanh")
