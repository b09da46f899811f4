"""``mindspore.recompute``: compute a part of the forward pass again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.autodiff.checkpointing import recomputed

__all__ = ["recompute"]


def recompute(block: Callable[..., Any], *args: Any, use_reentrant: bool = True, output_recompute: bool = False,
              early_stop: bool = True, context_fn: Any = None, **kwargs: Any) -> Any:  # fmt: skip
    """Call a Cell so that nothing is kept for its gradient but its inputs: the backward pass computes it again.

    Args:
        block: the Cell.
        args, kwargs: what it is called with.
        use_reentrant, output_recompute, early_stop, context_fn: how MindSpore does it; the result is the same.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(ms.grad(lambda x: ms.recompute(nn.Sigmoid(), x))(Tensor(0.0)))
        0.25
    """
    parameters = getattr(block, "get_parameters", None)
    if parameters is None or isinstance(block, type):
        raise TypeError(
            "Recompute function now only support block which inherited from Cell: for 'recompute', the 'block' must be a "
            f"Cell, but got {type(block).__name__}. Write the function as the construct of a Cell."
        )
    return recomputed(block, args, kwargs, list(parameters()))
