"""Saving Parameters to files and loading them back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from mindspore._engine.runtime.mesh import is_elsewhere, own_shard
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_type, shown
from mindspore._utils.files import atomic_file, encryption
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint import background_save
from mindspore.train._checkpoint.load_network import ParamDictFuture, load_param_into_net
from mindspore.train._formats import ckpt, safetensors, torch_file
from mindspore.train._formats.ckpt import CorruptFile, Entry
from mindspore.train._formats.torch_names import TorchWeights

_TORCH_SUFFIXES = (".pth", ".pt", ".bin")
_SUFFIXES = ("ckpt", "safetensors", *_TORCH_SUFFIXES)
_SAVE_OPTIONS = ("incremental", "global_step_num", "remove_redundancy")


# -- saving -----------------------------------------------------------------------------------------------------------
def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: str,
    integrated_save: bool = True,
    async_save: bool | str = False,
    append_dict: dict[str, Any] | None = None,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    format: str = "ckpt",
    **kwargs: Any,
) -> None:
    """Write Parameters to a file that every MindSpore reads.

    The file appears whole or not at all: an old file of the same name stays until the new file is complete.

    Args:
        save_obj: a Cell; a list of Parameters or of dicts with 'name' and 'data'; or a dict of Parameters by name.
        ckpt_file_name: the suffix of the format is added where it is missing.
        integrated_save: whether Parameters that several processes have parts of are saved whole, for which all of them
            must save. Otherwise a file has the parts of its process: see ``load_distributed_checkpoint``.
        async_save: whether a thread (True, 'thread') or a process ('process') writes the file while the program goes on.
        append_dict: further values to store: numbers, bools, text, Tensors.
        enc_key: 16, 24 or 32 bytes that encrypt the file; needs ``pip install mycelium[encryption]``.
        enc_mode: 'AES-GCM', 'AES-CBC' or 'SM4-CBC'.
        choice_func: tells by its name whether a Parameter is saved.
        crc_check: whether a checksum is added.
        format: 'ckpt' or 'safetensors'.
        kwargs: ``remove_redundancy``, ``incremental`` and ``global_step_num``, as MindSpore has them.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path, append_dict={"epoch": 4})
        >>> list(ms.load_checkpoint(path))
        ['weight', 'bias', 'epoch']
    """
    path = _path_to_save(ckpt_file_name, format)
    check_bool("save_checkpoint", "integrated_save", integrated_save)
    background = _background_kind(async_save)
    _check_file_options("save_checkpoint", "enc", enc_key, enc_mode, crc_check, format)
    metadata = _save_options(kwargs)
    named = [
        (name, parameter) for name, parameter in listed_parameters(save_obj) if choice_func is None or choice_func(name)
    ]
    # Each stage of a pipeline saves the Parameters it holds.
    own = [(name, parameter) for name, parameter in named if not is_elsewhere(parameter)]
    entries = [Entry(name, _saved(name, parameter, integrated_save)) for name, parameter in own]
    entries += [Entry(name, _appended(name, value)) for name, value in _checked_append_dict(append_dict).items()]
    entries = list({entry.name: entry for entry in entries}.values())
    if background:  # the program may change its Parameters before they are written
        entries = [Entry(name, value if isinstance(value, str) else np.array(value)) for name, value in entries]
    chunks = encoded(entries, format, enc_key, enc_mode, crc_check, metadata)
    background_save.finish()
    if background:
        background_save.start(path, chunks, background)
    else:
        atomic_file.write(path, chunks)


def _path_to_save(name: Any, format: Any) -> str:
    if not isinstance(name, str):
        raise refused(
            TypeError, f"For 'save_checkpoint', the parameter 'ckpt_file_name' must be string, but got {shown(name)}."
        )
    if format not in ("ckpt", "safetensors"):
        raise refused(
            ValueError, f"For 'save_checkpoint', the format must be 'safetensors' or 'ckpt', but got {format}."
        )
    if not name:
        raise IsADirectoryError(
            "For 'save_checkpoint', the 'ckpt_file_name' is empty: give the name of a file, such as 'net.ckpt'."
        )
    given = os.path.abspath(name)
    path = given if name.endswith(format) else f"{given}.{format}"  # a name like net_ckpt is whole
    for folder in (given, path):
        if os.path.isdir(folder):
            raise IsADirectoryError(
                f"For 'save_checkpoint', the parameter 'ckpt_file_name': {folder} is a directory, it must be a file name. Write "
                f"{os.path.join(folder, f'net.{format}')!r}, say."
            )
    if not os.path.isdir(os.path.dirname(path)):
        raise FileNotFoundError(f"For 'save_checkpoint', the folder of {path} does not exist. Create it first.")
    return path


def _background_kind(async_save: Any) -> str:
    if not isinstance(async_save, (bool, str)):
        raise refused(
            TypeError,
            f"For 'save_checkpoint', the parameter 'async_save' must be bool or str, but got {shown(async_save)}.",
        )
    if async_save not in (True, False, "thread", "process"):
        raise refused(
            ValueError,
            "For 'save_checkpoint', the argument 'async_save' can only be 'process' or 'thread', but got "
            f"{async_save!r}.",
        )
    return async_save if isinstance(async_save, str) else "thread" if async_save else ""


def _check_file_options(owner: str, prefix: str, key: Any, mode: Any, crc_check: Any, format: str) -> None:
    encryption.check_key(owner, prefix, key, mode)
    check_bool(owner, "crc_check", crc_check, ValueError)
    if key is not None and format != "ckpt":
        raise refused(
            ValueError,
            f"For '{owner}', '{prefix}_key' encrypts files of format 'ckpt' alone, but got format '{format}'. Leave "
            f"'{prefix}_key' out.",
        )


def _save_options(options: dict[str, Any]) -> dict[str, str]:
    """What the options of several devices add to a file."""
    for name in options:
        if name not in _SAVE_OPTIONS:
            log.warning("For 'save_checkpoint', '%s' is no argument and changes nothing.", name)
    shared = options.get("remove_redundancy")
    check_type("save_checkpoint", "remove_redundancy", shared, (bool, type(None)))
    return {} if shared is None else {"remove_redundancy": str(shared)}


def encoded(
    entries: list[Entry], format: str, key: bytes | None, mode: str, crc_check: bool, metadata: dict[str, str]
) -> Iterable[bytes | memoryview]:
    if format == "safetensors":
        return safetensors.encode(entries, crc_check, metadata)
    chunks = ckpt.encode(entries, crc_check)
    return chunks if key is None else encryption.encrypted(chunks, key, mode)


def listed_parameters(save_obj: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(save_obj, Cell):
        save_obj.init_parameters_data()
        return [(parameter.name, parameter) for parameter in save_obj.get_parameters()]
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    if isinstance(save_obj, (list, tuple)):
        return [_listed(entry) for entry in save_obj]
    raise refused(
        TypeError,
        f"For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but got {type(save_obj)}.",
    )


def _listed(entry: Any) -> tuple[str, Tensor]:
    if isinstance(entry, Parameter):
        return entry.name, entry
    if isinstance(entry, dict) and isinstance(entry.get("name"), str) and isinstance(entry.get("data"), Tensor):
        return entry["name"], entry["data"]
    raise refused(
        TypeError,
        "For 'save_checkpoint', a list must hold Parameters, or dicts with 'name' (text) and 'data' (a Tensor), but got "
        f"{shown(entry)}.",
    )


def _saved(name: Any, value: Any, whole: bool = True) -> np.ndarray | str:
    if not isinstance(name, str):
        raise refused(
            TypeError, f"For 'save_checkpoint', the names of what is saved must be text, but got {shown(name)}."
        )
    if isinstance(value, np.ndarray):
        value = Tensor(value)
    if isinstance(value, Tensor):
        value.init_data()
        return value._host("Saving a Tensor", "return it first.") if whole else np.asarray(own_shard(value._read()))
    if isinstance(value, str):
        return value
    raise refused(
        WrongObject, f"For 'save_checkpoint', the value of '{name}' must be a Tensor, but got {shown(value)}."
    )


def _checked_append_dict(append_dict: Any) -> dict[str, Any]:
    if append_dict is not None and not isinstance(append_dict, dict):
        raise refused(
            TypeError, f"For 'save_checkpoint', the argument 'append_dict' must be dict, but got {shown(append_dict)}."
        )
    for name in append_dict or {}:
        if not isinstance(name, str):
            raise refused(
                TypeError, f"For 'save_checkpoint', the keys of 'append_dict' must be str, but got {shown(name)}."
            )
    return append_dict or {}


def _appended(name: str, value: Any) -> np.ndarray | str:
    if isinstance(value, (bool, int)):
        return np.array(value)
    if isinstance(value, float):
        return np.array(value, np.float32)
    if not isinstance(value, (str, Tensor)):
        raise refused(
            TypeError,
            f"For 'save_checkpoint', the value of '{name}' in 'append_dict' must be a number, a bool, text or a Tensor, but "
            f"got {shown(value)}.",
        )
    return _saved(name, value)


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written by a thread or a process.

    Examples:
        >>> import mindspore as ms
        >>> ms.train.serialization.async_ckpt_thread_status()
        False
    """
    return background_save.is_running()


# -- loading ----------------------------------------------------------------------------------------------------------
def load_checkpoint(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | Iterable[str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | Iterable[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    remove_redundancy: bool = False,
    format: str = "ckpt",
) -> dict[str, Any]:
    """Read a checkpoint: a dict of Parameters by name, in the order of the file.

    Besides MindSpore's files (.ckpt) it reads safetensors (.safetensors) and the weights that PyTorch saved (.pth, .pt,
    .bin), which ``load_param_into_net`` then gives to Parameters that have other names here. Nothing in a file is executed.

    Args:
        ckpt_file_name: the file.
        net: a Cell to load them into as well.
        strict_load: see :func:`load_param_into_net`.
        filter_prefix: names that start so are left out.
        dec_key: the key that the file was encrypted with.
        dec_mode: how it was encrypted: 'AES-GCM', 'AES-CBC' or 'SM4-CBC'.
        specify_prefix: only names that start so are taken.
        choice_func: tells by its name whether a Parameter is taken.
        crc_check: whether the file's checksum, if any, is verified.
        remove_redundancy: for checkpoints of several devices that share their Parameters.
        format: 'ckpt' or 'safetensors'; the suffix of the file must not contradict it.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> ms.load_checkpoint(path)["weight"]
        Parameter (name=weight, shape=(3, 2), dtype=Float32, requires_grad=True)
    """
    if net is not None:
        check_type("load_checkpoint", "net", net, Cell)
    left_out, wanted = _prefixes("filter_prefix", filter_prefix), _prefixes("specify_prefix", specify_prefix)
    path = _path_to_load(ckpt_file_name, format)
    _check_file_options("load_checkpoint", "dec", dec_key, dec_mode, crc_check, path.rpartition(".")[2])
    check_bool("load_checkpoint", "remove_redundancy", remove_redundancy, ValueError)
    names: list[str] = []
    with naming(path):
        entries, torch = _entries(path, dec_key, dec_mode, crc_check)
        loaded: dict[str, Any] = TorchWeights() if torch else {}
        for name, value in entries:
            names.append(name)
            if (left_out and name.startswith(left_out)) or (wanted and not name.startswith(wanted)):
                continue
            if choice_func is None or choice_func(name):
                loaded[name] = value if isinstance(value, str) else Parameter(Tensor(value), name=name)
    if not loaded:
        raise ValueError(
            f"The loaded parameter dict is empty after filter or specify: {path} holds {names[:5]}. Check 'filter_prefix' and "
            "'specify_prefix'."
        )
    if net is not None:
        load_param_into_net(net, loaded, strict_load, remove_redundancy)
    return loaded


def _entries(path: str, key: bytes | None, mode: str, crc_check: bool) -> tuple[Iterable[Entry], bool]:
    """What a file holds, and whether its names are PyTorch's."""
    data = atomic_file.contents(path)
    if path.endswith(_TORCH_SUFFIXES) or torch_file.is_archive(data):  # PyTorch's users call theirs .ckpt too
        return torch_file.decode(data, crc_check), True
    if path.endswith("safetensors"):
        entries, metadata = safetensors.decode(data, crc_check)
        return entries, metadata.get("format") == "pt"
    if key is not None:
        data = encryption.decrypted(data, key, mode)
    elif encryption.is_encrypted(data):
        raise encryption.WrongKey("it is encrypted")
    return ckpt.decode(ckpt.checked(data, crc_check)), False


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Errors of reading become errors that name the file."""
    try:
        yield
    except encryption.WrongKey as error:
        raise ValueError(
            f"Failed to read the checkpoint file {path}. The file may be encrypted or tempered with, please pass in the "
            f"correct 'dec_key' and 'dec_mode': {error}."
        ) from None
    except (CorruptFile, MemoryError) as error:
        reason = error if isinstance(error, CorruptFile) else "it asks for more memory than there is"
        raise ValueError(
            f"Failed to read the checkpoint file {path}. The file may be corrupted, and the content cannot be parsed: "
            f"{reason}."
        ) from None
    except OSError as error:
        raise ValueError(f"Failed to read the checkpoint file {path}: {error.strerror}.") from None


def _check_name(owner: str, name: Any) -> None:
    if not isinstance(name, str):
        raise refused(
            WrongObject, f"For '{owner}', the argument 'ckpt_file_name' must be string, but got {shown(name)}."
        )


def _path_to_load(name: Any, format: Any) -> str:
    _check_name("load_checkpoint", name)
    if format not in ("ckpt", "safetensors"):
        raise refused(
            ValueError, f"For 'load_checkpoint', the 'format' must be 'ckpt' or 'safetensors', but got {shown(format)}."
        )
    path = os.path.abspath(name)
    background_save.finish(path)
    if not path.endswith(_SUFFIXES) or (format == "safetensors" and not path.endswith("safetensors")):
        raise refused(
            ValueError,
            f"For 'load_checkpoint', the checkpoint file format must same with 'format': the file should end with "
            f"{format!r}{', .safetensors, .pth, .pt or .bin' if format == 'ckpt' else ''}, but got file_name:{name!r}, "
            f"format:{format!r}.",
        )
    if not os.path.isfile(path):
        raise refused(
            ValueError,
            f"For 'load_checkpoint', the checkpoint file: {path} does not exist, please check whether the 'ckpt_file_name' is "
            "correct.",
        )
    return path


def check_load_arguments(ckpt_file_name: Any, filter_prefix: Any) -> str:
    """The path of an existing file of a kind that can be loaded; an error for it or for an unusable prefix."""
    _prefixes("filter_prefix", filter_prefix)
    return _path_to_load(ckpt_file_name, "ckpt")


def _prefixes(name: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    listed = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else None
    if listed is None or not all(isinstance(item, str) for item in listed):
        raise refused(
            TypeError, f"For 'load_checkpoint', the '{name}' must be text or a list of texts, but got {shown(value)}."
        )
    if not listed or "" in listed:
        raise refused(ValueError, f"For 'load_checkpoint', the '{name}' must not be empty, but got {shown(value)}.")
    return listed


def load_checkpoint_async(
    ckpt_file_name: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | Iterable[str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | Iterable[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
) -> ParamDictFuture:
    """Read a checkpoint in a thread while the program goes on. ``result()`` gives what ``load_checkpoint`` gives.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> from mindspore.train.serialization import load_checkpoint_async
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> future = load_checkpoint_async(path)
        >>> ms.load_param_into_net(nn.Dense(2, 3), future.result())
        ([], [])
    """
    _check_name("load_checkpoint_async", ckpt_file_name)
    executor = ThreadPoolExecutor(1, thread_name_prefix="mindspore-load-checkpoint")
    arguments = (ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
    future = executor.submit(load_checkpoint, *arguments)
    executor.shutdown(wait=False)
    return ParamDictFuture(executor, future)
