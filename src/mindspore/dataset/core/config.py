"""Settings of all pipelines, published as ``mindspore.dataset.config``."""

from __future__ import annotations

import enum
import json
import os
import random
from typing import Any

import numpy as np

from mindspore._utils import checks, seeds
from mindspore.dataset.core.checks import check_int, check_one_of, check_type, check_workers, searchable, shown
from mindspore.dataset.core.operation import seed_calls

__all__ = [
    "ErrorSamplesMode",
    "get_auto_num_workers",
    "get_auto_offload",
    "get_autotune_interval",
    "get_callback_timeout",
    "get_debug_mode",
    "get_dynamic_shape",
    "get_enable_autotune",
    "get_enable_shared_mem",
    "get_enable_watchdog",
    "get_error_samples_mode",
    "get_fast_recovery",
    "get_iterator_mode",
    "get_monitor_sampling_interval",
    "get_multiprocessing_start_method",
    "get_multiprocessing_timeout_interval",
    "get_num_parallel_workers",
    "get_numa_enable",
    "get_prefetch_size",
    "get_seed",
    "get_video_backend",
    "load",
    "set_auto_num_workers",
    "set_auto_offload",
    "set_autotune_interval",
    "set_callback_timeout",
    "set_debug_mode",
    "set_dynamic_shape",
    "set_enable_autotune",
    "set_enable_shared_mem",
    "set_enable_watchdog",
    "set_error_samples_mode",
    "set_fast_recovery",
    "set_iterator_mode",
    "set_monitor_sampling_interval",
    "set_multiprocessing_start_method",
    "set_multiprocessing_timeout_interval",
    "set_num_parallel_workers",
    "set_numa_enable",
    "set_prefetch_size",
    "set_seed",
    "set_sending_batches",
    "set_video_backend",
]

UNSET_SEED = 5489  # this value means: another seed for every pipeline


class ErrorSamplesMode(enum.IntEnum):
    """What happens with samples that fail in a map.

    RETURN: the error is raised. REPLACE: samples that passed come a second time instead. SKIP: they are left out.

    Examples:
        >>> import mindspore.dataset as ds
        >>> def reciprocal(x):
        ...     if x == 0:
        ...         raise ValueError("no reciprocal")
        ...     return 1 / x
        >>> ds.config.set_error_samples_mode(ds.ErrorSamplesMode.SKIP)
        >>> dataset = ds.NumpySlicesDataset([1.0, 0.0, 2.0], ["x"], shuffle=False).map(reciprocal, ["x"])
        >>> [float(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        [1.0, 0.5]
        >>> ds.config.set_error_samples_mode(ds.ErrorSamplesMode.RETURN)
    """

    RETURN = 0
    REPLACE = 1
    SKIP = 2


class _Settings:
    """The values in force."""

    def __init__(self) -> None:
        self.seed = UNSET_SEED
        self.workers = min(8, os.cpu_count() or 1)
        self.prefetch = 16
        self.sending_batches = 0
        self.callback_timeout = 60
        self.video_backend = "CPU"
        self.timeout_interval = 300
        self.monitor_interval = 1000
        self.autotune_interval = 0
        self.autotune_file: str | None = None
        self.start_method = "spawn"
        self.error_samples_mode = ErrorSamplesMode.RETURN
        self.iterator_mode = {"do_copy": False, "parallel_convert": False}
        self.debug_hooks: list[Any] = []
        self.flags = {
            "auto_num_workers": False,
            "numa_enable": False,
            "enable_shared_mem": True,
            "auto_offload": False,
            "enable_autotune": False,
            "enable_watchdog": True,
            "dynamic_shape": False,
            "fast_recovery": True,
            "debug_mode": False,
        }


_settings = _Settings()


def set_seed(seed: int) -> None:
    """Let pipelines made from now on draw the same random numbers every time; seeds ``random`` and NumPy too.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.config.set_seed(7)
        >>> ds.config.get_seed()
        7
        >>> ds.config.set_seed(5489)
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed isn't of type int, but got {shown(seed)}.")
    if not 0 <= seed <= 2**32 - 1:
        raise ValueError("seed given is not within the required range [0, UINT32_MAX(4294967295)].")
    _take(seed)
    random.seed(seed)
    np.random.seed(seed)


def _take(seed: int) -> None:
    _settings.seed = seed % 2**32
    seed_calls(seed)


seeds.listen(_take)  # mindspore.set_seed seeds pipelines too


def get_seed() -> int:
    """The seed; 5489 when none was set.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.config.get_seed()
        5489
    """
    return _settings.seed


def has_seed() -> bool:
    """Whether the program chose a seed."""
    return _settings.seed != UNSET_SEED


def pipeline_seed() -> int:
    """The seed of a pipeline that starts now."""
    return random.SystemRandom().getrandbits(31) if not has_seed() else _settings.seed


def _whole(function: str, name: str, value: Any, low: int, called: str) -> int:
    """An int from ``low`` on; the words of MindSpore's configuration, which differ from those of its datasets, follow."""
    try:
        return checks.check_int(function, name, value, low, 2**31 - 1)
    except TypeError as error:
        if isinstance(value, int) and not isinstance(value, bool):
            raise
        raise searchable(error, f"{name} isn't of type int.") from None
    except ValueError as error:
        raise searchable(
            error, f"{called} given is not within the required range {'(' if low else '['}0, INT32_MAX(2147483647)]."
        ) from None


def set_num_parallel_workers(num: int) -> None:
    """The number of workers of nodes that do not say it themselves."""
    count = _whole("set_num_parallel_workers", "num", num, 1, "Number of parallel workers")
    try:
        _settings.workers = check_workers("set_num_parallel_workers", "num_parallel_workers", count)
    except ValueError as error:
        raise RuntimeError(str(error)) from None


def get_num_parallel_workers() -> int:
    """The number of workers of nodes that do not say it themselves."""
    return _settings.workers


def set_prefetch_size(size: int) -> None:
    """How many rows may wait for the consumer."""
    _settings.prefetch = _whole("set_prefetch_size", "size", size, 1, "size")


def get_prefetch_size() -> int:
    """How many rows may wait for the consumer."""
    return _settings.prefetch


def set_callback_timeout(timeout: int) -> None:
    """Seconds after which a waiting dataset callback gives up."""
    _settings.callback_timeout = _whole("set_callback_timeout", "timeout", timeout, 1, "Timeout")


def get_callback_timeout() -> int:
    """Seconds after which a waiting dataset callback gives up."""
    return _settings.callback_timeout


def set_multiprocessing_timeout_interval(interval: int) -> None:
    """Seconds between warnings about a worker process that does not answer."""
    _settings.timeout_interval = _whole("set_multiprocessing_timeout_interval", "interval", interval, 1, "Interval")


def get_multiprocessing_timeout_interval() -> int:
    """Seconds between warnings about a worker process that does not answer."""
    return _settings.timeout_interval


def set_monitor_sampling_interval(interval: int) -> None:
    """Milliseconds between samples of the performance monitor; kept for old programs."""
    _settings.monitor_interval = _whole("set_monitor_sampling_interval", "interval", interval, 1, "Interval")


def get_monitor_sampling_interval() -> int:
    """Milliseconds between samples of the performance monitor."""
    return _settings.monitor_interval


def set_autotune_interval(interval: int) -> None:
    """Steps between adjustments by the automatic tuning; pipelines here adjust themselves."""
    _settings.autotune_interval = _whole("set_autotune_interval", "interval", interval, 0, "Interval")


def get_autotune_interval() -> int:
    """Steps between adjustments by the automatic tuning."""
    return _settings.autotune_interval


def set_multiprocessing_start_method(start_method: str) -> None:
    """How worker processes start: 'fork' or 'spawn'. They are always fresh processes here."""
    check_type("set_multiprocessing_start_method", "start_method", start_method, str)
    _settings.start_method = check_one_of(
        "set_multiprocessing_start_method", "start_method", start_method, ("fork", "spawn")
    )


def get_multiprocessing_start_method() -> str:
    """How worker processes start."""
    return _settings.start_method


def set_error_samples_mode(error_samples_mode: ErrorSamplesMode) -> None:
    """Set what happens with samples that fail in a map of pipelines started from now on.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
        >>> data = ds.NumpySlicesDataset([1, 0, 2], "x", shuffle=False).map(lambda x: 2 // int(x), "x")
        >>> [int(row[0]) for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)]
        [2, 1]
        >>> ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)
    """
    if not isinstance(error_samples_mode, ErrorSamplesMode):
        raise TypeError(
            f"Argument error_samples_mode with value {error_samples_mode} is not of type [<enum 'ErrorSamplesMode'>], but got "
            f"{type(error_samples_mode)}. Write mindspore.dataset.config.ErrorSamplesMode.SKIP, REPLACE or RETURN."
        )
    _settings.error_samples_mode = error_samples_mode


def get_error_samples_mode() -> ErrorSamplesMode:
    """What happens with samples that fail."""
    return _settings.error_samples_mode


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """How rows are handed over; kept for programs that set it: rows are the program's own, and converted ahead of time."""
    for name, value in (("do_copy", do_copy), ("parallel_convert", parallel_convert)):
        if not isinstance(value, bool):
            raise TypeError(
                f"Argument {name} with value {value} is not of type [<class 'bool'>], but got {type(value)}."
            )
    _settings.iterator_mode = {"do_copy": do_copy, "parallel_convert": parallel_convert}


def get_iterator_mode() -> dict[str, bool]:
    """How rows are handed over, as it was set."""
    return dict(_settings.iterator_mode)


def load(file: str) -> None:
    """Take settings from a JSON file with the keys seed, numParallelWorkers, opConnectorSize, monitorSamplingInterval."""
    try:
        stream = open(check_type("load", "file", file, str), encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        raise RuntimeError(
            f"Invalid file, {file} does not exist or permission denied. For 'load', the 'file' must be a JSON file that can be read, "
            f"but got {file!r}: {error}."
        ) from error
    try:
        with stream:
            values = json.load(stream)
    except (ValueError, RecursionError) as error:
        raise RuntimeError(f"For 'load', the 'file' must hold JSON in UTF-8, but {file} does not: {error}.") from error
    if not isinstance(values, dict):
        raise RuntimeError(f"For 'load', the 'file' must hold an object of JSON, but {file} holds {shown(values)}.")
    setters = {
        "seed": set_seed,
        "numParallelWorkers": set_num_parallel_workers,
        "opConnectorSize": set_prefetch_size,
        "monitorSamplingInterval": set_monitor_sampling_interval,
    }
    for key, setter in setters.items():
        if key in values:
            try:
                setter(values[key])
            except (ValueError, TypeError) as error:
                raise type(error)(f"For 'load', '{key}' in {file} cannot be used: {error}") from None


def _set_flag(function: str, name: str, value: Any, words: str = "enable must be of type bool.") -> None:
    try:
        _settings.flags[name] = checks.check_bool(function, "enable", value)
    except TypeError as error:
        raise searchable(error, words) from None


def set_auto_num_workers(enable: bool) -> None:
    """Let the number of workers be chosen; pipelines here adjust themselves."""
    _set_flag("set_auto_num_workers", "auto_num_workers", enable)


def get_auto_num_workers() -> bool:
    """What was set."""
    return _settings.flags["auto_num_workers"]


def set_numa_enable(numa_enable: bool) -> None:
    """Kept for old programs: memory is placed by the operating system."""
    _set_flag("set_numa_enable", "numa_enable", numa_enable, "numa_enable must be a boolean dtype.")


def get_numa_enable() -> bool:
    """What was set."""
    return _settings.flags["numa_enable"]


def set_enable_shared_mem(enable: bool) -> None:
    """Whether worker processes return large arrays through shared memory."""
    _set_flag("set_enable_shared_mem", "enable_shared_mem", enable)


def get_enable_shared_mem() -> bool:
    """Whether worker processes return large arrays through shared memory."""
    return _settings.flags["enable_shared_mem"]


def set_auto_offload(offload: bool) -> None:
    """Kept for old programs: transforms run on the host."""
    _set_flag("set_auto_offload", "auto_offload", offload, "offload must be a bool dtype")


def get_auto_offload() -> bool:
    """What was set."""
    return _settings.flags["auto_offload"]


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Let pipelines be tuned. Those here adjust themselves; what is left to this is the file of the settings.

    Args:
        enable: whether.
        filepath_prefix: after its last row, a pipeline is written to ``filepath_prefix_RANK.json``, which
            :func:`mindspore.dataset.deserialize` reads; None for no file.

    Examples:
        >>> import os, tempfile
        >>> import mindspore.dataset as ds
        >>> folder = tempfile.mkdtemp()
        >>> ds.config.set_enable_autotune(True, os.path.join(folder, "tuned"))
        >>> rows = list(ds.NumpySlicesDataset([1, 2, 3]).batch(2).create_tuple_iterator(num_epochs=1))
        >>> ds.config.set_enable_autotune(False)
        >>> os.listdir(folder)
        ['tuned_0.json']
    """
    if enable is True and filepath_prefix is not None:
        if not isinstance(filepath_prefix, str):
            raise TypeError(f"json_filepath must be a str value but was: {shown(filepath_prefix)}.")
        if not filepath_prefix:
            raise RuntimeError("The value of json_filepath cannot be the empty string.")
        if os.path.isdir(filepath_prefix):
            raise RuntimeError(f"Invalid json_filepath parameter. <{filepath_prefix}> is a directory, not filename.")
        folder = os.path.dirname(filepath_prefix)
        if folder and not os.path.isdir(folder):
            raise RuntimeError(f"Invalid json_filepath parameter.  Directory <{folder}> does not exist.")
    _set_flag("set_enable_autotune", "enable_autotune", enable)
    _settings.autotune_file = filepath_prefix if enable else None


def autotune_file() -> str | None:
    """The beginning of the name of the file of settings; None for no file."""
    return _settings.autotune_file


def get_enable_autotune() -> bool:
    """What was set."""
    return _settings.flags["enable_autotune"]


def set_enable_watchdog(enable: bool) -> None:
    """Whether worker processes that die or hang are watched for."""
    _set_flag("set_enable_watchdog", "enable_watchdog", enable, "enable must be a boolean dtype.")


def get_enable_watchdog() -> bool:
    """Whether worker processes that die or hang are watched for."""
    return _settings.flags["enable_watchdog"]


def set_sending_batches(batch_num: int) -> None:
    """Kept for other back ends: how many batches are sent before the device waits; here it asks for each when it needs it.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.config.set_sending_batches(10)
    """
    _settings.sending_batches = check_int("set_sending_batches", "batch_num", batch_num)


def set_dynamic_shape(is_dynamic: bool) -> None:
    """Kept for old programs: shapes may always change."""
    _set_flag("set_dynamic_shape", "dynamic_shape", is_dynamic, "is_dynamic must be a boolean dtype.")


def get_dynamic_shape() -> bool:
    """What was set."""
    return _settings.flags["dynamic_shape"]


def set_fast_recovery(fast_recovery: bool) -> None:
    """Whether a resumed pipeline skips rows without computing them."""
    _set_flag("set_fast_recovery", "fast_recovery", fast_recovery, "fast_recovery must be a boolean dtype.")


def get_fast_recovery() -> bool:
    """Whether a resumed pipeline skips rows without computing them."""
    return _settings.flags["fast_recovery"]


def set_video_backend(backend: str) -> None:
    """What decodes videos, "CPU" or "Ascend"; the host does it for both.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.config.set_video_backend("CPU")
        >>> ds.config.get_video_backend()
        'CPU'
    """
    check_type("set_video_backend", "backend", backend, str)
    _settings.video_backend = check_one_of("set_video_backend", "backend", backend, ("CPU", "Ascend"))


def get_video_backend() -> str:
    """What decodes videos, "CPU" or "Ascend".

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.config.get_video_backend()
        'CPU'
    """
    return _settings.video_backend


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[Any] | None = None) -> None:
    """Run pipelines in the calling thread, one row at a time, for debuggers.

    Args:
        debug_hook_list: hooks of :mod:`mindspore.dataset.debug` that see what the operations of ``map`` get and give.
    """
    hooks = [] if debug_hook_list is None else debug_hook_list
    if not isinstance(hooks, list) or not all(callable(getattr(hook, "compute", None)) for hook in hooks):
        refusal = TypeError(
            f"For 'set_debug_mode', the 'debug_hook_list' must be a list of DebugHook objects, but got {shown(debug_hook_list)}."
        )
        listed = isinstance(hooks, list)
        raise searchable(
            refusal,
            "All items in debug_hook_list must be of type DebugHook." if listed else "debug_hook_list is not a list.",
        )
    _set_flag("set_debug_mode", "debug_mode", debug_mode_flag, "debug_mode_flag isn't of type boolean.")
    _settings.debug_hooks = hooks


def debug_hooks() -> list[Any]:
    """The hooks given to :func:`set_debug_mode`."""
    return _settings.debug_hooks


def get_debug_mode() -> bool:
    """Whether pipelines run in the calling thread."""
    return _settings.flags["debug_mode"]
