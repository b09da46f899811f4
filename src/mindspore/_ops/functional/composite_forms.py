"""What MindSpore's own composites are made of, for programs that reach for them: ``C.hyper_add``, ``C._Grad``, ..."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mindspore._engine.operator.registry import register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import ones_like
from mindspore._engine.transforms.gradients import GradOperation, grad, value_and_grad
from mindspore._engine.transforms.vmap import vmap
from mindspore._ops.functional.composite import HyperMap


class _Vmap:
    """The object form of :func:`vmap`: ``_Vmap()(fn, in_axes, out_axes)``."""

    def __call__(self, fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
        return vmap(fn, in_axes, out_axes)


class _Grad:
    """The object form of all gradients: ``_Grad(...)(fn, weights, grad_position)``.

    Args:
        get_all, get_by_list, sens_param: as for :class:`GradOperation`.
        get_by_position: gradients of the inputs at ``grad_position`` instead.
        has_aux, get_value, return_ids: as for :func:`grad` and :func:`value_and_grad`.
        merge_forward: how MindSpore compiles it; of no use here.
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False,
                 get_by_position: bool = False, has_aux: bool = False, get_value: bool = False, return_ids: bool = False,
                 merge_forward: bool = False):  # fmt: skip
        self.operation = GradOperation(get_all, get_by_list, sens_param)
        self.by_position = get_by_position or has_aux or get_value or return_ids
        self.options = {"has_aux": has_aux, "return_ids": return_ids, "sens_param": sens_param}
        self.get_value = get_value

    def __call__(self, fn: Any, weights: Any = None, grad_position: Any = 0) -> Callable[..., Any]:
        if not self.by_position:
            return self.operation(fn, weights)
        of_weights = weights if self.operation.get_by_list else None
        return (value_and_grad if self.get_value else grad)(fn, grad_position, of_weights, **self.options)


def hyper_add(x: Any, y: Any) -> Any:
    """The sums of corresponding leaves of nested tuples.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.hyper_add((1, (2, 3)), (10, (20, 30)))
        (11, (22, 33))
    """
    return HyperMap(operator.add)(x, y)


def augassign_add(x: Any, y: Any) -> Any:
    """What ``x += y`` makes of x, without changing it; ``augassign_sub`` and the others likewise.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.augassign_add(2, 3)
        5
    """
    return x + y


def augassign_sub(x: Any, y: Any) -> Any:
    """What ``x -= y`` makes of x.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.augassign_sub(3, 2)
        1
    """
    return x - y


def augassign_mul(x: Any, y: Any) -> Any:
    """What ``x *= y`` makes of x.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.augassign_mul(3, 2)
        6
    """
    return x * y


def augassign_div(x: Any, y: Any) -> Any:
    """What ``x /= y`` makes of x.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.augassign_div(3, 2)
        1.5
    """
    return x / y


def augassign_floordiv(x: Any, y: Any) -> Any:
    """What ``x //= y`` makes of x.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.augassign_floordiv(7, 2)
        3
    """
    return x // y


def augassign_mod(x: Any, y: Any) -> Any:
    """What ``x %= y`` makes of x.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.augassign_mod(7, 4)
        3
    """
    return x % y


def iter_converter(x: Iterable[Any]) -> Sequence[Any]:
    """What a loop goes through: the elements of a sequence or Tensor, the keys of a dict.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.iter_converter({"a": 1})
        ('a',)
    """
    return x if isinstance(x, (tuple, list)) else tuple(x)


def ms_hasnext(x: Sequence[Any]) -> bool:
    """Whether anything is left to go through.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.ms_hasnext((1, 2)), C.ms_hasnext(())
        (True, False)
    """
    return len(x) > 0


def ms_next(x: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """The first element, and what is left after it.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.ms_next((1, 2, 3))
        (1, (2, 3))
    """
    if not len(x):
        raise ValueError("For 'ms_next', the sequence must not be empty.")
    return x[0], x[1:]


def _ones_like_for_grad(x: Any) -> Any:
    """Ones in the form of a value: where a backward pass starts.

    Examples:
        >>> from mindspore.ops.composite import _ones_like_for_grad
        >>> _ones_like_for_grad((2.5, 3))
        (1, 1)
    """
    return HyperMap(lambda leaf: ones_like(leaf) if isinstance(leaf, Tensor) else 1)(x)


for _function in (
    hyper_add, augassign_add, augassign_sub, augassign_mul, augassign_div, augassign_floordiv, augassign_mod,
    iter_converter, ms_hasnext, ms_next,
):  # fmt: skip
    register_function(_function)
