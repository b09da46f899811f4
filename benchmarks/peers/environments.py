"""Environments for the peers, made once: a real MindSpore cannot live where this package is, PyTorch should not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = {
    "mindspore": ("mindspore==2.10.0", "numpy<2"),  # with numpy 2 even Tensor * Tensor dies
    "torch": ("torch==2.13.0", "numpy"),
}


class NotInstalledError(Exception):
    """A peer's environment could not be made; the text says why."""


def interpreter(peer: str) -> str:
    """The interpreter of the peer's environment, which is made if it is not there."""
    folder, wanted = _folder(peer), " ".join(REQUIREMENTS[peer])
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    stamp = folder / "installed"  # written last: an interrupted installation starts again
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"installing {wanted} into {folder} (once) ...", file=sys.stderr, flush=True)
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS[peer]])
        stamp.write_text(wanted)
    return str(python)


def version(python: str, package: str) -> str:
    """The version of a package in another environment."""
    question = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", question], capture_output=True, text=True).stdout.strip() or "unknown"


def _folder(peer: str) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "mycelium" / "bench" / peer


def _run(command: list[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    except OSError as error:
        raise NotInstalledError(str(error)) from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"status {done.returncode}"]
        raise NotInstalledError(said[-1])
