"""What the default run looks at closely: a share that moves with the commit, and the operators that were just changed.

``make test-all`` checks everything. The default run takes a share of it, another one at each commit, so that every operator
has its turn. ``MYCELIUM_TEST_SAMPLE=<commit>``, as printed in pytest's header, repeats the choice of a run.
"""

from __future__ import annotations

import functools
import os
import subprocess
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import mindspore

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[1]
SEED = "MYCELIUM_TEST_SAMPLE"
CHANGED = "MYCELIUM_TEST_CHANGED"  # set for the workers of a run, so that a commit in between changes nothing
FOLDERS = ("src/mindspore/_ops/", "src/mindspore/ops/", "src/mindspore/numpy/")
MOST_FAMILIES = 3  # of a change whose whole families are checked; beyond that, the changed modules
MOST_MODULES = 30  # of a change that is looked at; beyond that it is a re-layout, for `make test-all`


def git(*arguments: str) -> str:
    """What git prints; empty without git, in a source archive, or where the history is too short."""
    try:
        found = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()


@functools.cache
def seed() -> str:
    """The commit, or the version where there is none."""
    return os.environ.setdefault(SEED, git("rev-parse", "--short=12", "HEAD") or mindspore.__version__)


@functools.cache
def changed() -> frozenset[str]:
    """Modules and families of operators that changed since the merge base, or since the last commit."""
    if CHANGED not in os.environ:
        os.environ[CHANGED] = " ".join(sorted(_changed()))
    return frozenset(os.environ[CHANGED].split())


def _changed() -> set[str]:
    head, merge_base = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "origin/main")
    for base in ([] if merge_base in ("", head) else [merge_base]) + ["HEAD~1", "HEAD"]:
        files = git("diff", "--name-only", base) + "\n" + git("ls-files", "--others", "--exclude-standard", *FOLDERS)
        if len(modules := modules_of(files.split())) <= MOST_MODULES:
            return with_families(modules)
    return set()


def modules_of(files: Sequence[str]) -> set[str]:
    """["src/mindspore/_ops/math/special.py", "README.md"] -> {"mindspore._ops.math.special"}."""
    return {
        file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for file in files
        if file.startswith(FOLDERS) and file.endswith(".py")
    }


def with_families(modules: set[str]) -> set[str]:
    """With the packages they belong to, unless these are many."""
    families = {module.rpartition(".")[0] for module in modules if module.count(".") == 3}
    return modules | families if len(families) <= MOST_FAMILIES else modules


def is_changed(module: str) -> bool:
    """Whether the module, or the family it belongs to, was just changed."""
    return module in changed() or any(module.startswith(other + ".") for other in changed())


def number() -> int:
    """The seed as a number."""
    return zlib.crc32(seed().encode())


def share(name: str, parts: int) -> int:
    """Which of so many equal shares a name belongs to at this commit."""
    return (zlib.crc32(name.encode()) + number()) % parts


def every(step: int, things: Sequence[T]) -> list[T]:
    """Every so many-th of them, beginning elsewhere at each commit."""
    return list(things[number() % min(step, len(things) or 1) :: step])
