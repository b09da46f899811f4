"""Checkpoints turned into safetensors files and back."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mindspore._utils.checks import check_int, check_type
from mindspore._utils.files import atomic_file
from mindspore._utils.refusals import refused
from mindspore.train._formats import ckpt, safetensors
from mindspore.train._formats.ckpt import CorruptFile, Entry


def ckpt_to_safetensors(
    file_path: str,
    save_path: str | None = None,
    name_map: dict[str, str] | None = None,
    file_name_regex: str | None = None,
    processes_num: int = 1,
) -> None:
    """Write checkpoints as safetensors files of the same names.

    Args:
        file_path: a .ckpt file, or a folder with folders 'rank_0', 'rank_1', ... of them.
        save_path: the folder to write to; beside the originals when left out.
        name_map: new names for Parameters.
        file_name_regex: only files whose names match are taken.
        processes_num: how many files are written at the same time.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.serialization import ckpt_to_safetensors
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(ms.nn.Dense(2, 3), path)
        >>> ckpt_to_safetensors(path)
        >>> sorted(ms.load_checkpoint(path.replace(".ckpt", ".safetensors")))
        ['bias', 'weight']
    """
    names = _pairs("ckpt_to_safetensors", ".ckpt", ".safetensors", file_path, save_path, file_name_regex)
    _convert("ckpt_to_safetensors", names, name_map, processes_num, _to_safetensors)


def safetensors_to_ckpt(
    file_path: str,
    save_path: str | None = None,
    name_map: dict[str, str] | None = None,
    file_name_regex: str | None = None,
    processes_num: int = 1,
) -> None:
    """Write safetensors files as checkpoints of the same names; the arguments are those of ``ckpt_to_safetensors``.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.serialization import safetensors_to_ckpt
        >>> path = os.path.join(tempfile.mkdtemp(), "net.safetensors")
        >>> ms.save_checkpoint(ms.nn.Dense(2, 3), path, format="safetensors")
        >>> safetensors_to_ckpt(path)
        >>> sorted(ms.load_checkpoint(path.replace(".safetensors", ".ckpt")))
        ['bias', 'weight']
    """
    names = _pairs("safetensors_to_ckpt", ".safetensors", ".ckpt", file_path, save_path, file_name_regex)
    _convert("safetensors_to_ckpt", names, name_map, processes_num, _to_checkpoint)


def _pairs(owner: str, old: str, new: str, file_path: Any, save_path: Any, regex: str | None) -> list[tuple[str, str]]:
    """The files to read and to write."""
    if not isinstance(file_path, str) or not os.path.exists(file_path):
        raise refused(ValueError, f"For '{owner}', the input path must be a valid path or file, but got {file_path}.")
    if save_path is not None and (not isinstance(save_path, str) or os.path.splitext(save_path)[1]):
        raise refused(ValueError, f"For '{owner}', the save_path must be a directory, but got {save_path!r}.")
    found = list(_found(owner, file_path, old, regex))
    pairs = []
    for path in found:
        folder = os.path.dirname(path)
        if save_path is not None:
            inside = os.path.relpath(folder, file_path) if os.path.isdir(file_path) else "."
            folder = os.path.normpath(os.path.join(save_path, inside))
        pairs.append((path, os.path.abspath(os.path.join(folder, os.path.basename(path)[: -len(old)] + new))))
    return pairs


def _found(owner: str, file_path: str, suffix: str, regex: str | None) -> Iterator[str]:
    if os.path.isfile(file_path):
        if not file_path.endswith(suffix):
            raise refused(ValueError, f"For '{owner}', the input file must be a {suffix} file, but got {file_path}.")
        if regex is not None and not re.search(regex, file_path):
            raise refused(
                ValueError, f"For '{owner}', the input file does not match 'file_name_regex', {regex!r}: {file_path}."
            )
        yield file_path
        return
    folders = sorted(name for name in os.listdir(file_path) if name.startswith("rank"))
    if not folders:
        raise refused(ValueError, f"For '{owner}', no directories starting with 'rank' found in {file_path}.")
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(file_path, folder))):
            if name.endswith(suffix) and (regex is None or re.search(regex, name)):
                yield os.path.join(file_path, folder, name)


def _convert(owner: str, names: list[tuple[str, str]], name_map: Any, count: int, write: Callable[..., None]) -> None:
    if name_map is not None and not isinstance(name_map, dict):
        raise refused(ValueError, f"For '{owner}', the 'name_map' must be a dict, but got {type(name_map).__name__}.")
    check_type(owner, "processes_num", count, int)
    workers = check_int(owner, "processes_num", count, low=1)

    def convert(pair: tuple[str, str]) -> None:
        os.makedirs(os.path.dirname(pair[1]), exist_ok=True)
        try:
            write(*pair, name_map or {})
        except CorruptFile as error:
            raise refused(ValueError, f"For '{owner}', the file {pair[0]} cannot be read: {error}.") from None

    with ThreadPoolExecutor(workers) as executor:
        list(executor.map(convert, names))


def _to_safetensors(source: str, target: str, name_map: dict[str, str]) -> None:
    entries = ckpt.decode(ckpt.checked(atomic_file.contents(source), False))
    atomic_file.write(target, safetensors.encode(_renamed(entries, name_map)))


def _to_checkpoint(source: str, target: str, name_map: dict[str, str]) -> None:
    entries, _ = safetensors.decode(atomic_file.contents(source))
    atomic_file.write(target, ckpt.encode(_renamed(entries, name_map)))


def _renamed(entries: Iterable[Entry], name_map: dict[str, str]) -> Iterator[Entry]:
    return (Entry(name_map.get(name, name), value) for name, value in entries)
