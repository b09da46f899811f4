"""``mindspore.recompute``: compute a part of the forward pass again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mindspore._engine.autodiff.checkpointing import recomputed
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_callable
from mindspore._utils.refusals import WrongObject, refused

__all__ = ["_RecomputeCell", "_check_input_args_validate", "_padding_input_grads", "recompute", "recompute_registry"]


class RecomputeRegistry:
    """Holds the function that makes, of a Cell, one whose backward pass computes it again."""

    recompute_generator: Callable[..., Any] | None = None

    def register(self, fn: Callable[..., Any]) -> None:
        """Put another function in its place."""
        if isinstance(fn, type):
            raise TypeError(f"For 'register', the 'fn' must be a function, but got the class {fn.__name__}.")
        self.recompute_generator = check_callable("register", "fn", fn)

    def get(self) -> Callable[..., Any] | None:
        """The function."""
        return self.recompute_generator


Result = TypeVar("Result")
recompute_registry = RecomputeRegistry()


def recompute(block: Callable[..., Result], *args: Any, use_reentrant: bool = True, output_recompute: bool = False,
              early_stop: bool = True, context_fn: Any = None, **kwargs: Any) -> Result:  # fmt: skip
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
    if use_reentrant and context_fn is not None:
        raise refused(ValueError, "For 'recompute', the 'context_fn' needs use_reentrant=False, but got True.")
    parameters = getattr(block, "get_parameters", None)
    if parameters is None or isinstance(block, type):
        raise TypeError(
            "Recompute function now only support block which inherited from Cell: for 'recompute', the 'block' must be a "
            f"Cell, but got {type(block).__name__}. Write the function as the construct of a Cell."
        )
    return recomputed(block, args, kwargs, list(parameters()))


class _RecomputeCell:
    """A Cell whose calls keep nothing for their gradients but the inputs."""

    def __init__(self, block: Callable[..., Any]):
        self.net = block

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return recompute(self.net, *args, **kwargs)


def _padding_input_grads(args: Any, input_grads: list[Any]) -> None:
    """Put None into a list of gradients for each input that is no Tensor."""
    tensors = sum(isinstance(one, Tensor) for one in args)
    if tensors != len(input_grads):
        raise ValueError(
            "For '_padding_input_grads', the 'input_grads' must have one gradient for each Tensor among 'args', which are "
            f"{tensors}, but got {len(input_grads)}."
        )
    for index, one in enumerate(args):
        if not isinstance(one, Tensor):
            input_grads.insert(index, None)


def _check_input_args_validate(block: Any, args: Any, kwargs: Any = None) -> None:
    """Nothing is wrong with any input: lists and tuples of Tensors are differentiated too."""
    if not callable(block):
        raise refused(WrongObject, f"For 'recompute', the 'block' must be a Cell, but got {type(block).__name__}.")


def _recompute_generator(block: Callable[..., Any]) -> _RecomputeCell:
    return _RecomputeCell(block)


recompute_registry.register(_recompute_generator)
