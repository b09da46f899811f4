"""What Model accepts: mistakes are found before the first step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.hints import keyword_hint
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell

ARGUMENTS = ("network", "loss_fn", "optimizer", "metrics", "eval_network", "eval_indexes", "amp_level", "boost_level")
OPTIONS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")


def _of_class(value: Any) -> str:
    return (
        f" The class was passed instead of an object: write {value.__name__}(...)." if isinstance(value, type) else ""
    )


def check_network(name: str, network: Any) -> Any:
    """A Cell."""
    if not isinstance(network, Cell):
        raise WrongObject(
            f"The type of '{name}' should be 'Cell', but got type '{type(network).__name__}'.{_of_class(network)}"
        )
    return network


def check_loss(loss_fn: Any) -> Any:
    """A Cell or function that compares outputs with labels, or None."""
    if loss_fn is not None and (not callable(loss_fn) or (isinstance(loss_fn, type) and issubclass(loss_fn, Cell))):
        hint = _of_class(loss_fn) or " Losses are Cells: nn.CrossEntropyLoss(), nn.MSELoss()." * isinstance(
            loss_fn, str
        )
        raise WrongObject(f"The 'loss_fn' of Model must be a Cell or a function, but got {shown(loss_fn)}.{hint}")
    return loss_fn


def check_optimizer(optimizer: Any) -> Any:
    """An Optimizer, a Cell that wraps an Optimizer, or None."""
    if optimizer is not None and not (isinstance(optimizer, Cell) and hasattr(optimizer, "parameters")):
        raise TypeError(
            "The type of 'optimizer' should be one of '['Optimizer', 'FreezeOpt', 'AdaSumByGradWrapCell', "
            f"'AdaSumByDeltaWeightWrapCell']', but got type '{type(optimizer).__name__}'."
            f"{_of_class(optimizer) or ' Write nn.Adam(net.trainable_params(), 0.001), and mind the order: Model(net, loss_fn, optimizer).'}"
        )
    return optimizer


def check_options(options: dict[str, Any]) -> None:
    """Only names that Model knows."""
    for name in options:
        if name not in OPTIONS:
            raise ValueError(
                f"The argument in 'kwargs' should be {' or '.join(map(repr, OPTIONS))}, but got '{name}'."
                f"{keyword_hint(name, ARGUMENTS)}"
            )


def check_indexes(indexes: Any) -> list[int] | None:
    """Indices of loss, output and label among the outputs of the evaluation network."""
    if indexes is not None and not (isinstance(indexes, list) and len(indexes) == 3):
        raise ValueError(
            "The argument 'eval_indexes' must be a list or None. If 'eval_indexes' is a list, length of it must be three. "
            f"But got 'eval_indexes' {indexes}"
        )
    return indexes


def check_flag(value: Any) -> bool:
    """A bool."""
    if not isinstance(value, bool):
        raise TypeError(f"The input value must be a bool, but got {type(value).__name__}.")
    return value


def check_epochs(owner: str, epoch: Any, initial_epoch: Any) -> None:
    """A positive number of epochs, and the smaller number of epochs already done."""
    for value, low, sign in ((epoch, 1, "> 0"), (initial_epoch, 0, ">= 0")):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(
                f"The input value must be int, but got '{type(value).__name__}'. The number of epochs comes first, then a dataset "
                f"with data and labels: write {owner.replace('M', 'm')}(10, dataset); arrays become one with "
                "mindspore.dataset.NumpySlicesDataset((x, y)).batch(32)."
            )
        if value < low:
            raise ValueError(f"The input value must be int and must {sign}, but got '{value}' with type 'int'.")
    if initial_epoch >= epoch:
        raise refused(
            ValueError,
            f"For '{owner}', the parameter 'epoch' must bigger than parameter 'initial_epoch', but got the parameter "
            f"'epoch' is {epoch}, 'initial_epoch' is {initial_epoch}.",
        )


def check_frequency(frequency: Any) -> Any:
    """When fit evaluates: every n epochs, or after the epochs in a list."""
    if isinstance(frequency, bool) or not isinstance(frequency, (int, list, tuple)):
        raise refused(
            TypeError,
            f"For 'Model.fit', the type of 'valid_frequency' must be a list or an integer, but got type {type(frequency)}.",
        )
    if isinstance(frequency, int) and frequency < 1:
        raise refused(
            ValueError, f"For 'Model.fit', the 'valid_frequency' must be greater than 0, but got {frequency}."
        )
    return frequency


def check_columns(name: str, row: Sequence[Any]) -> None:
    """A loss needs data and labels."""
    if len(row) != 2:
        raise ValueError(
            f"When 'loss_fn' is not None, '{name}' should return two elements, but got {len(row)}, please check the number of "
            f"elements returned by '{name}'"
        )


_PLAIN = (Tensor, int, float, str, type(None))


def check_predict_data(values: Sequence[Any]) -> None:
    """Tensors, numbers, text, and tuples, lists or dicts of them."""
    for value in values:
        if isinstance(value, dict):
            check_predict_data(list(value.values()))
        elif isinstance(value, (list, tuple)):
            check_predict_data(value)
        elif not isinstance(value, _PLAIN):
            kinds = "Tensor, None, int, float, str"
            raise TypeError(
                f"The types of input data must be in the Union({kinds}, tuple[{kinds}], list[{kinds}], dict[{kinds}]), "
                f"but got type {type(value).__name__}. Write model.predict(Tensor(...))."
            )
