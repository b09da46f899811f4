"""The files of a ModelCheckpoint: which there are, and which are removed."""

from __future__ import annotations

import os
import re

from mindspore._utils import log

__all__ = ["CheckpointManager", "free_prefix"]

_SUFFIXES = {"ckpt": ".ckpt", "safetensors": ".safetensors"}


def free_prefix(folder: str, prefix: str) -> str:
    """The prefix, or with the first number after it that no checkpoint in the folder has.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> for name in ("net-1_5.ckpt", "net_3-2_5.ckpt", "network-1_1.ckpt"):
    ...     open(os.path.join(folder, name), "w").close()
    >>> free_prefix(folder, "net"), free_prefix(folder, "other")
    ('net_4', 'other')
    """
    taken = re.compile(re.escape(prefix) + r"(?:_(\d+))?-.*\.(?:ckpt|safetensors)")
    matches = [taken.fullmatch(name) for name in os.listdir(folder)]
    numbers = [int(match[1] or 0) for match in matches if match]
    return f"{prefix}_{max(numbers) + 1}" if numbers else prefix


class CheckpointManager:
    """The checkpoints of a prefix in a folder, oldest first; nothing else is ever removed.

    Args:
        format: 'ckpt' or 'safetensors'.
    """

    def __init__(self, format: str = "ckpt"):
        self._suffix = _SUFFIXES[format]
        self._files: list[str] = []
        self._of_this_period: list[str] = []

    @property
    def ckpoint_filelist(self) -> list[str]:
        """The files, oldest first."""
        return self._files

    @property
    def ckpoint_num(self) -> int:
        """How many files there are."""
        return len(self._files)

    def update_ckpoint_filelist(self, directory: str, ckpt_prefix: str) -> None:
        """Look into the folder. A file is there only when it is complete."""
        own = re.compile(re.escape(ckpt_prefix) + r"-\d+_\d+" + re.escape(self._suffix))
        found = []
        for entry in os.scandir(directory):
            if own.fullmatch(entry.name) and entry.is_file():
                found.append((entry.stat().st_mtime_ns, _numbers(entry.name), entry.path))
        self._files = [path for _, _, path in sorted(found)]

    def remove_ckpoint_file(self, file_name: str) -> None:
        """Remove a file; a failure is a warning, because training goes on without it."""
        try:
            os.remove(file_name)
        except OSError as error:
            log.warning("The checkpoint %s could not be removed: %s", file_name, error)
        if file_name in self._files:
            self._files.remove(file_name)

    def remove_oldest_ckpoint_file(self) -> None:
        """Remove the oldest file."""
        self.remove_ckpoint_file(self._files[0])

    def keep_one_ckpoint_per_minutes(self, minutes: float, cur_time: float) -> None:
        """Of the files written within ``minutes`` before ``cur_time``, keep the oldest."""
        begin = cur_time - 60 * minutes
        recent = [path for path in self._files if os.path.getmtime(path) >= begin]
        for path in recent[1:]:
            self.remove_ckpoint_file(path)

    def keep_newest(self, count: int) -> None:
        """Remove the oldest files until no more than this many are left."""
        while len(self._files) > count:
            self.remove_oldest_ckpoint_file()

    def keep_newest_of_period(self, written: str, period_is_over: bool) -> None:
        """Keep one file per period: the newest of the current period, and the last of each earlier period."""
        if period_is_over:
            self._of_this_period = []
        self._of_this_period.append(written)
        # what is still being written by a thread does not replace a file that is there
        complete = [path for path in self._of_this_period if path in self._files]
        for path in complete[:-1]:
            self.remove_ckpoint_file(path)
            self._of_this_period.remove(path)


def _numbers(name: str) -> tuple[int, ...]:
    """Epoch and step in the name, for files of the same instant."""
    return tuple(int(number) for number in re.findall(r"\d+", name.rsplit("-", 1)[-1]))
