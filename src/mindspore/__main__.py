"""The command line: ``python -m mindspore info``, ``check``, ``cache`` and ``events``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import mindspore
from mindspore._engine.config import config
from mindspore._engine.runtime import cache_report, devices
from mindspore._kernels import library
from mindspore._utils.files.event_file import read_events
from mindspore.dataset.core import config as dataset_config
from mindspore.run_check import report

_PACKAGES = ("jax", "jaxlib", "numpy", "ml_dtypes", "pillow", "opencv-python-headless")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        return 0
    except (OSError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m mindspore", description="Mycelium: MindSpore's API, executed by XLA.")
    commands = parser.add_subparsers(required=True, metavar="command")
    info = commands.add_parser("info", help="versions, devices, threads, compile cache, settings")
    info.add_argument("--json", action="store_true", help="for programs")
    info.set_defaults(run=_info)
    check = commands.add_parser("check", help="whether the installation computes correctly")
    check.set_defaults(run=_check)
    cache = commands.add_parser("cache", help="the folder of compiled programs")
    cache.add_argument("action", nargs="?", choices=("show", "clear"), default="show", help="show (default) or clear")
    cache.set_defaults(run=_cache)
    events = commands.add_parser("events", help="the numbers in event files, without TensorBoard")
    events.add_argument("path", help="an event file, or a folder of them")
    events.add_argument("--tag", help="all values of one tag, instead of a table of tags")
    events.set_defaults(run=_events)
    return parser


# --- info ---------------------------------------------------------------------------------------------------------


def _info(options: argparse.Namespace) -> int:
    found = information()
    print(json.dumps(found, indent=2) if options.json else _as_text(found))
    return 0


def information() -> dict[str, Any]:
    """Facts about the installation for bug reports."""
    folder = config.cache_folder()
    held = cache_report.size(folder)
    return {
        "versions": {
            "mycelium": mindspore.mycelium_version,
            "MindSpore API": mindspore.__version__,
            "python": platform.python_version(),
            "system": platform.platform(),
            **{name: _version(name) for name in _PACKAGES},
        },
        "devices": _devices(),
        "kernels of our own": {"state": _kernels()},
        "threads": {
            "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
            "dataset workers": dataset_config.get_num_parallel_workers(),
        },
        "compile cache": {
            "folder": folder or "off",
            "entries": held.entries,
            "megabytes": round(held.bytes / 1e6, 1),
            "limit in megabytes": config.cache_limit.value,
        },
        "settings": {"mode": config.default_mode.value, **_settings()},
    }


def _kernels() -> str:
    library.configure(config.native_kernels.value, config.keep_memory.value, config.kernel_form.value)
    return library.status()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _settings() -> dict[str, str]:
    """The environment variables that are set, with what was understood."""
    options = [option for option in vars(config).values() if isinstance(option, config.Option)]
    return {"/".join(option.variables): str(option.value) for option in options if option.is_set}


def _devices() -> dict[str, list[str]]:
    chosen = devices.best_available()
    return {
        f"{name} (default)" if name == chosen else name: [str(device.device_kind) for device in devices.found(name)]
        for name in devices.available()
    }


def _as_text(found: dict[str, Any]) -> str:
    lines = []
    for title, entries in found.items():
        lines.append(title)
        width = max(map(len, entries), default=0)
        for name, value in entries.items():
            shown = ", ".join(value) if isinstance(value, list) else value
            lines.append(f"  {name.ljust(width)}  {shown}")
    return "\n".join(lines)


# --- check, cache, events -----------------------------------------------------------------------------------------


def _check(_: argparse.Namespace) -> int:
    return 0 if report() else 1


def _cache(options: argparse.Namespace) -> int:
    folder = config.cache_folder()
    if not folder:
        print("The compile cache is off.")
        return 0
    held = (cache_report.clear if options.action == "clear" else cache_report.size)(folder)
    summary = f"{held.entries} compiled programs, {held.bytes / 1e6:.1f} MB"
    print(f"Deleted {summary} from {folder}." if options.action == "clear" else f"{folder}: {summary}.")
    return 0


def _events(options: argparse.Namespace) -> int:
    values: dict[str, list[tuple[int, str, float | None]]] = {}
    for path in _event_files(options.path):
        for event in read_events(path):
            for value in event.values:
                values.setdefault(value.tag, []).append((event.step, value.kind, value.number))
    if options.tag is not None:
        if options.tag not in values:
            raise ValueError(f"There is no tag {options.tag!r} in {options.path}; there are {sorted(values)}.")
        for step, kind, number in values[options.tag]:
            print(step, kind if number is None else f"{number:.6g}")
        return 0
    rows = [("tag", "kind", "values", "last step", "last", "lowest", "highest")]
    rows += [_summary(tag, values[tag]) for tag in sorted(values)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    print("\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows))
    return 0


def _event_files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if "tfevents" in name
    )
    if not found:
        raise FileNotFoundError(f"There are no event files (names with 'tfevents') in {path}.")
    return found


def _summary(tag: str, values: list[tuple[int, str, float | None]]) -> tuple[str, ...]:
    step, kind, last = values[-1]
    numbers = [number for _, _, number in values if number is not None]
    figures = (f"{last:.6g}", f"{min(numbers):.6g}", f"{max(numbers):.6g}") if last is not None else ("", "", "")
    return (tag, kind, str(len(values)), str(step), *figures)


if __name__ == "__main__":
    sys.exit(main())
