"""Checkpoints: Parameters saved to files and loaded back."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from mindspore._engine import dtype as dtypes
from mindspore._engine.parameter import Parameter
from mindspore._engine.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_bool, shown
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint_file import CorruptFile, Entry, read, write

__all__ = ["load_checkpoint", "load_param_into_net", "save_checkpoint"]

_SUFFIX = ".ckpt"
_writing: dict[str, threading.Thread] = {}


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: str,
    integrated_save: bool = True,
    async_save: bool = False,
    append_dict: dict[str, Any] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
) -> None:
    """Write Parameters to a file that every MindSpore reads.

    The file appears whole or not at all: an old one of the same name stays until the new one is complete.

    Args:
        save_obj: a Cell; a list of Parameters or of dicts with 'name' and 'data'; or a dict of Parameters by name.
        ckpt_file_name: '.ckpt' is added where it is missing.
        async_save: whether a thread writes the file while the program goes on.
        append_dict: further values to store: numbers, bools, text, Tensors.
        choice_func: tells by its name whether a Parameter is saved.
        crc_check: whether a checksum is added.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path, append_dict={"epoch": 4})
        >>> list(ms.load_checkpoint(path))
        ['weight', 'bias', 'epoch']
    """
    if not isinstance(ckpt_file_name, str):
        raise TypeError(
            f"For 'save_checkpoint', the parameter 'ckpt_file_name' must be string, but got {shown(ckpt_file_name)}."
        )
    check_bool("save_checkpoint", "integrated_save", integrated_save)
    check_bool("save_checkpoint", "async_save", async_save)
    path = os.path.abspath(ckpt_file_name if ckpt_file_name.endswith(_SUFFIX) else ckpt_file_name + _SUFFIX)
    if not os.path.isdir(os.path.dirname(path)):
        raise FileNotFoundError(f"For 'save_checkpoint', the folder of {path} does not exist. Create it first.")
    named = [(name, one) for name, one in _parameters(save_obj) if choice_func is None or choice_func(name)]
    entries = [Entry(name, _array(one)) for name, one in named]
    entries += [Entry(name, _appended(name, value)) for name, value in (append_dict or {}).items()]
    _wait_for(path)
    if not async_save:
        write(path, entries, crc_check)
        return
    thread = threading.Thread(target=write, args=(path, entries, crc_check), name="mindspore-checkpoint")
    _writing[path] = thread
    thread.start()


def _wait_for(path: str) -> None:
    """Files of the same name are written one after the other."""
    thread = _writing.pop(path, None)
    if thread is not None:
        thread.join()


def _parameters(save_obj: Any) -> Iterable[tuple[str, Tensor]]:
    if isinstance(save_obj, Cell):
        save_obj.init_parameters_data()
        return [(one.name, one) for one in save_obj.get_parameters()]
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    if isinstance(save_obj, (list, tuple)):
        return [_listed(one) for one in save_obj]
    raise TypeError(
        f"For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but got {type(save_obj)}."
    )


def _listed(one: Any) -> tuple[str, Tensor]:
    if isinstance(one, Parameter):
        return one.name, one
    if isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("data"), Tensor):
        return one["name"], one["data"]
    raise TypeError(
        "For 'save_checkpoint', a list must hold Parameters, or dicts with 'name' (text) and 'data' (a Tensor), but got "
        f"{shown(one)}."
    )


def _array(tensor: Any) -> np.ndarray:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'save_checkpoint', the values to save must be Tensors, but got {shown(tensor)}.")
    return np.asarray(tensor._read())


def _appended(name: str, value: Any) -> np.ndarray | str:
    if isinstance(value, str):
        return value
    if isinstance(value, Tensor):
        return _array(value)
    if isinstance(value, (bool, int)):
        return np.array(value)
    if isinstance(value, float):
        return np.array(value, np.float32)
    raise TypeError(
        f"For 'save_checkpoint', the value of '{name}' in 'append_dict' must be a number, a bool, text or a Tensor, but got "
        f"{shown(value)}."
    )


def load_checkpoint(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | Iterable[str] | None = None,
    specify_prefix: str | Iterable[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
) -> dict[str, Any]:
    """Read a checkpoint: a dict of Parameters by name, in the order of the file.

    Args:
        net: a Cell to load them into as well.
        strict_load: see :func:`load_param_into_net`.
        filter_prefix: names that start so are left out.
        specify_prefix: only names that start so are taken.
        choice_func: tells by its name whether a Parameter is taken.
        crc_check: whether the checksum, if the file has one, is compared.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> ms.load_checkpoint(path)["weight"]
        Parameter (name=weight, shape=(3, 2), dtype=Float32, requires_grad=True)
    """
    path = _checked_path(ckpt_file_name)
    try:
        entries = read(path, crc_check)
    except CorruptFile as error:
        raise ValueError(
            f"Failed to read the checkpoint file {path}. The file may be corrupted, and the content cannot be parsed: {error}."
        ) from None
    left_out, wanted = _prefixes("filter_prefix", filter_prefix), _prefixes("specify_prefix", specify_prefix)
    loaded: dict[str, Any] = {}
    for name, value in entries:
        if (left_out and name.startswith(left_out)) or (wanted and not name.startswith(wanted)):
            continue
        if choice_func is None or choice_func(name):
            loaded[name] = value if isinstance(value, str) else Parameter(Tensor(value), name=name)
    if not loaded:
        raise ValueError(
            f"The loaded parameter dict is empty after filter or specify: {path} holds {[name for name, _ in entries][:5]}. "
            "Check 'filter_prefix' and 'specify_prefix'."
        )
    if net is not None:
        load_param_into_net(net, {name: one for name, one in loaded.items() if isinstance(one, Parameter)}, strict_load)
    return loaded


def _checked_path(ckpt_file_name: Any) -> str:
    if not isinstance(ckpt_file_name, str):
        raise TypeError(
            f"For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got {shown(ckpt_file_name)}."
        )
    path = os.path.abspath(ckpt_file_name)
    _wait_for(path)
    if not path.endswith(_SUFFIX):
        raise ValueError(
            f"For 'load_checkpoint', the checkpoint file should end with '{_SUFFIX}', but got {ckpt_file_name!r}."
        )
    if not os.path.isfile(path):
        raise ValueError(
            f"For 'load_checkpoint', the checkpoint file: {path} does not exist, please check whether the 'ckpt_file_name' is "
            "correct."
        )
    return path


def _prefixes(name: str, value: Any) -> tuple[str, ...]:
    listed = () if value is None else (value,) if isinstance(value, str) else tuple(value)
    for one in listed:
        if not isinstance(one, str):
            raise TypeError(
                f"For 'load_checkpoint', the '{name}' must be text or a list of texts, but got {shown(one)}."
            )
    return listed


def load_param_into_net(
    net: Cell, parameter_dict: dict[str, Parameter], strict_load: bool = False
) -> tuple[list[str], list[str]]:
    """Give the Parameters of a network the values of a dict, by name.

    Names the dict lacks stay as they are; where all of its names have one prefix more, that is left out. Everything is
    checked before anything is changed.

    Args:
        strict_load: whether dtypes must be the same too; otherwise floats become floats, integers integers.

    Returns:
        The names of the network's Parameters that were not loaded, and the names of the dict that were not used.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> source, target = nn.Dense(2, 3), nn.Dense(2, 3)
        >>> ms.load_param_into_net(target, source.parameters_dict())
        ([], [])
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(
            f"For 'load_param_into_net', the argument 'parameter_dict' should be a dict, but got {type(parameter_dict)}."
        )
    check_bool("load_param_into_net", "strict_load", strict_load)
    for key, value in parameter_dict.items():
        if not isinstance(key, str) or not isinstance(value, (Parameter, str)):
            raise TypeError(
                "For 'parameter_dict', the element in the argument 'parameter_dict' should be a 'str' and 'Parameter' , but "
                f"got {type(key)} and {type(value)}."
            )
    net.init_parameters_data()
    targets = list(net.get_parameters())
    found = {one.name: parameter_dict.get(one.name) for one in targets}
    missing = [name for name, value in found.items() if value is None]
    used = {name for name, value in found.items() if value is not None}
    prefix = "" if strict_load or not missing else _common_prefix(missing, parameter_dict)
    if prefix:
        log.warning("The names in 'parameter_dict' start with '%s'; it is left out.", prefix)
        for name in missing:
            found[name] = parameter_dict.get(prefix + name)
    planned = [(one, _fitting(one, found[one.name], strict_load)) for one in targets if found[one.name] is not None]
    for target, value in planned:
        target.set_data(value)
    not_loaded = [one.name for one in targets if found[one.name] is None]
    if not_loaded:
        log.warning("%d Parameters of the network are not in 'parameter_dict': %s", len(not_loaded), not_loaded[:10])
    return not_loaded, [name for name in parameter_dict if name not in used]


def _common_prefix(missing: list[str], parameter_dict: dict[str, Any]) -> str:
    """What stands before the missing names in the dict, if it is the same for all that are there."""
    for name in missing:
        for key in parameter_dict:
            if key.endswith("." + name):
                return key[: -len(name)]
    return ""


def _fitting(target: Parameter, value: Any, strict: bool) -> Tensor:
    """The value in the dtype of the Parameter it is for, or an error in words."""
    if target.shape != value.shape:
        raise RuntimeError(
            f"For 'load_param_into_net', {target.name} in the argument 'net' should have the same shape as {target.name} in "
            f"the argument 'parameter_dict'. But got its shape {target.shape} in the argument 'net' and shape {value.shape} in "
            "the argument 'parameter_dict'. Check that the checkpoint belongs to this network."
        )
    if target.dtype == value.dtype:
        return value.value()
    alike = _kind(target.dtype) == _kind(value.dtype)
    if strict or not alike:
        raise RuntimeError(
            f"For 'load_param_into_net', {target.name} in the argument 'net' should have the same type as {target.name} in the "
            f"argument 'parameter_dict'. but got its type {target.dtype} in the argument 'net' and type {value.dtype} in the "
            "argument 'parameter_dict'."
        )
    return value.astype(target.dtype)


def _kind(dtype: dtypes.DType) -> str:
    return "float" if dtype.is_floating else "int" if dtype.is_integer else str(dtype)
