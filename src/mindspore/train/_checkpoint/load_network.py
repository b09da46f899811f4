"""Values given to the Parameters of a network, by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_bool
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint.load_report import Row, described, table
from mindspore.train._formats.torch_names import TorchWeights, has_counterpart, reshaped, spellings


def load_param_into_net(
    net: Cell, parameter_dict: Any, strict_load: bool = False, remove_redundancy: bool = False
) -> tuple[list[str], list[str]]:
    """Give the Parameters of a network the values of a dict, by name.

    Names the dict lacks stay as they are, and are listed in a table. Where names in the dict have a prefix more, it is left
    out. Names of PyTorch weights are translated to the names here. Everything is checked before anything is
    changed.

    Args:
        net: the network.
        parameter_dict: Parameters by name, as ``load_checkpoint`` gives them.
        strict_load: whether names and dtypes must be the same; otherwise floats become floats, integers integers.
        remove_redundancy: for checkpoints of several devices that share their Parameters.

    Returns:
        The names of the network's Parameters that were not loaded, and the names of the dict that were not used.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> source, target = nn.Dense(2, 3), nn.Dense(2, 3)
        >>> ms.load_param_into_net(target, source.parameters_dict())
        ([], [])
    """
    given = checked_arguments(net, parameter_dict)
    check_bool("load_param_into_net", "strict_load", strict_load)
    check_bool("load_param_into_net", "remove_redundancy", remove_redundancy, ValueError)
    if remove_redundancy:
        raise refused(
            TypeError,
            "For 'load_param_into_net', 'remove_redundancy' can only be used where several devices share Parameters, but every "
            "process has whole ones here. Leave it out.",
        )
    net.init_parameters_data()
    targets = [parameter for parameter in net.get_parameters() if not parameter.name.startswith("accu_grads")]
    torch = isinstance(given, TorchWeights)
    found, direct = found_names([parameter.name for parameter in targets], given, strict_load, torch)
    planned = _planned(targets, found, given, strict_load)
    for target, value in planned:
        target.set_data(value, slice_shape=True)
    missing = [parameter for parameter in targets if parameter.name not in found]
    keys = set(found.values())
    used = keys if torch else set(direct)
    unused = [name for name in given if name not in used and not (torch and not has_counterpart(name))]
    _tell(missing, [name for name in unused if name not in keys], len(planned), given)
    if torch:
        given.report = _renamed(found, given)
        log.info("Weights of PyTorch were loaded:\n%s", given.report)
    return [parameter.name for parameter in missing], unused


def checked_arguments(net: Any, parameter_dict: Any) -> dict[str, Any]:
    if not isinstance(net, Cell):
        hint = " The network comes first, then the Parameters." if isinstance(parameter_dict, Cell) else ""
        raise refused(
            TypeError, f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}.{hint}"
        )
    if isinstance(parameter_dict, ParamDictFuture):
        parameter_dict = parameter_dict.result()
    if not isinstance(parameter_dict, dict):
        hint = " Read the file first: load_checkpoint(path)." if isinstance(parameter_dict, (str, os.PathLike)) else ""
        raise refused(
            TypeError,
            f"For 'load_param_into_net', the argument 'parameter_dict' should be a dict, but got {type(parameter_dict)}.{hint}",
        )
    for key, value in parameter_dict.items():
        if not isinstance(key, str) or not isinstance(value, (Parameter, str, list)):
            raise refused(
                TypeError,
                "For 'parameter_dict', the element in the argument 'parameter_dict' should be a 'str' and 'Parameter' , but "
                f"got {type(key)} and {type(value)}.",
            )
    return parameter_dict


class ParamDictFuture:
    """The Parameters of a file that is still being read; asked for anything, it waits for them.

    Examples:
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> with ThreadPoolExecutor() as executor:
        ...     future = ParamDictFuture(executor, executor.submit(dict, a=1))
        >>> future.result(), future["a"], "b" in future, list(future.items())
        ({'a': 1}, 1, False, [('a', 1)])
    """

    def __init__(self, executor: Any, param_dict_future: Any):
        self.executor = executor
        self.param_dict_future = param_dict_future

    def result(self) -> dict[str, Any]:
        """The dict, or the error that reading it gave."""
        loaded = self.param_dict_future.result()
        self.executor.shutdown()
        return loaded

    def __getattr__(self, name: str) -> Any:
        if name in ("keys", "values", "items", "get"):
            return getattr(self.result(), name)
        raise AttributeError(f"'ParamDictFuture' has no attribute '{name}'; its dict is what result() gives.")

    def __getitem__(self, name: str) -> Any:
        return self.result()[name]

    def __contains__(self, name: object) -> bool:
        return name in self.result()

    def __iter__(self) -> Any:
        return iter(self.result())

    def __len__(self) -> int:
        return len(self.result())


# -- finding ----------------------------------------------------------------------------------------------------------
def found_names(names: list[str], given: dict[str, Any], strict: bool, torch: bool) -> tuple[dict[str, str], list[str]]:
    """The key found for each name, and the names that are keys themselves."""
    spelled: Callable[[str], tuple[str, ...]] = spellings if torch else lambda name: (name,)
    found = _with_prefix(names, given, "", spelled)
    direct = list(found)
    missing = [name for name in names if name not in found]
    while missing and not strict:
        prefix = _common_prefix(missing, given, spelled, "." if torch else "")
        if not prefix:
            break
        if not torch:
            log.warning(
                "For 'load_param_into_net', the names in 'parameter_dict' start with '%s'; it is left out.", prefix
            )
        found |= _with_prefix(missing, given, prefix, spelled)
        missing = [name for name in missing if name not in found]
    return found, direct


def _with_prefix(
    names: Iterable[str], given: Any, prefix: str, spelled: Callable[[str], tuple[str, ...]]
) -> dict[str, str]:
    pairs = ((name, prefix + key) for name in names for key in reversed(spelled(name)) if prefix + key in given)
    return dict(pairs)  # the first spelling comes last and stays


def _common_prefix(missing: list[str], given: Any, spelled: Callable[[str], tuple[str, ...]], joint: str) -> str:
    """The prefix in the dict of the first missing name that the dict has with a prefix."""
    for name in missing:
        for ending in spelled(name):
            for key in given:
                if key.endswith(joint + ending):
                    return key[: -len(ending)]
    return ""


# -- fitting ----------------------------------------------------------------------------------------------------------
def _planned(
    targets: list[Parameter], found: dict[str, str], given: dict[str, Any], strict: bool
) -> list[tuple[Parameter, Tensor]]:
    """Each Parameter with its new value, or an error with all that do not fit."""
    planned, mismatched = [], []
    for target in targets:
        key = found.get(target.name)
        if key is None or isinstance(given[key], (str, list)):
            continue
        value = reshaped(given[key], target.shape) if isinstance(given, TorchWeights) else given[key]
        try:
            planned.append((target, fitting(target, value, strict)))
        except RuntimeError as error:
            mismatched.append((target, key, error))
    if mismatched:
        rows = [
            Row(parameter.name, "mismatched", described(parameter), described(given[key]))
            for parameter, key, _ in mismatched
        ]
        raise RuntimeError(f"{mismatched[0][2]} Nothing was loaded.\n{table(rows)}")
    return planned


def fitting(target: Parameter, value: Any, strict: bool) -> Tensor:
    """The value in the shape and dtype of the Parameter it is for, or an error in words."""
    if target.shape != value.shape:
        extra = value.shape[len(target.shape) :]
        if value.shape[: len(target.shape)] != target.shape or any(size != 1 for size in extra):
            raise RuntimeError(
                f"For 'load_param_into_net', {target.name} in the argument 'net' should have the same shape as {target.name} "
                f"in the argument 'parameter_dict'. But got its shape {target.shape} in the argument 'net' and shape "
                f"{value.shape} in the argument 'parameter_dict'. Check that the checkpoint belongs to this network."
            )
        value = value.reshape(target.shape)
    if target.dtype == value.dtype:
        return value.value() if isinstance(value, Parameter) else value
    if strict or _kind(target.dtype) != _kind(value.dtype):
        raise RuntimeError(
            f"For 'load_param_into_net', {target.name} in the argument 'net' should have the same type as {target.name} in the "
            f"argument 'parameter_dict'. but got its type {target.dtype} in the argument 'net' and type {value.dtype} in the "
            "argument 'parameter_dict'."
        )
    return value.astype(target.dtype)


def _kind(dtype: dtypes.DType) -> str:
    return "float" if dtype.is_floating else "int" if dtype.is_integer else str(dtype)


# -- telling ----------------------------------------------------------------------------------------------------------
def _tell(missing: list[Parameter], unused: list[str], loaded: int, given: dict[str, Any]) -> None:
    """Log a table of unmatched names; a warning only if the network lacks values."""
    rows = [Row(parameter.name, "missing", described(parameter), "-") for parameter in missing]
    rows += [Row(name, "unexpected", "-", described(given[name])) for name in unused]
    if not rows:
        return
    text = (
        f"For 'load_param_into_net', {loaded} Parameters were loaded, {len(missing)} of the network are not in "
        f"'parameter_dict' and keep their values, {len(unused)} in 'parameter_dict' are not in the network:\n{table(rows)}"
    )
    if missing:
        log.warning("%s", text)
    else:
        log.info("%s", text)


def _renamed(found: dict[str, str], given: dict[str, Any]) -> str:
    rows = [Row(name, "loaded", described(given[key]), key) for name, key in found.items()]
    return table(rows, len(rows))
