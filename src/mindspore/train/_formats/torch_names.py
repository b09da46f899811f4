"""PyTorch's names for Parameters that are called otherwise here."""

from __future__ import annotations

from typing import Any

_LAST_PART = {
    "gamma": ("weight",),
    "beta": ("bias",),
    "moving_mean": ("running_mean",),
    "moving_variance": ("running_var",),
    "mean": ("running_mean",),
    "variance": ("running_var",),
    "embedding_table": ("weight",),
    "a": ("weight",),
    "w": ("weight",),
}
_OTHER_PARTS = {"dense1": "linear1", "dense2": "linear2"}
_WITHOUT_COUNTERPART = "num_batches_tracked"


class TorchWeights(dict[str, Any]):
    """Parameters by the names that PyTorch gave them.

    Attributes:
        report: which went where in the last ``load_param_into_net``, as text.
    """

    report = ""

    def copy(self) -> TorchWeights:
        """The same Parameters in another dict."""
        return TorchWeights(self)


def spellings(name: str) -> tuple[str, ...]:
    """The names that a Parameter of ours may have in a file of PyTorch, its own first.

    >>> spellings("layer1.bn.moving_mean"), spellings("fc.weight")
    (('layer1.bn.moving_mean', 'layer1.bn.running_mean'), ('fc.weight',))
    """
    *path, last = name.split(".")
    path = [_OTHER_PARTS.get(part, part) for part in path]
    return tuple(dict.fromkeys([name, *(".".join([*path, ending]) for ending in (last, *_LAST_PART.get(last, ())))]))


def has_counterpart(name: str) -> bool:
    """Whether a name of PyTorch stands for something that networks here have too."""
    return name.rpartition(".")[2] != _WITHOUT_COUNTERPART


def reshaped(value: Any, shape: tuple[int, ...]) -> Any:
    """A value in the shape wanted where the two differ by sizes of 1 alone, as kernels of Conv1d do."""
    sizes, wanted = ([length for length in each if length != 1] for each in (value.shape, shape))
    return value.reshape(shape) if value.shape != shape and sizes == wanted else value
