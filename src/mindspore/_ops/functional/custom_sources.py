"""C++ sources of ``ops.Custom(func_type="aot")`` and of its attributes, compiled once for each text."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess

HEADERS = os.path.join(os.path.dirname(__file__), "include")  # ms_extension/api.h, custom_aot_extra.h
SUFFIXES = (".cc", ".cpp")


def cache_folder() -> str:
    """Where what is compiled goes: ``MS_COMPILER_CACHE_PATH``, "./kernel_meta" if that is not set."""
    return os.path.realpath(os.environ.get("MS_COMPILER_CACHE_PATH", "./kernel_meta"))


def compiler(owner: str) -> str:
    """The C++ compiler of the machine."""
    found = shutil.which(os.environ.get("CXX", "g++"))
    if found is None:
        raise RuntimeError(f"For '{owner}', there must be a C++ compiler: install g++, or name one in CXX.")
    return found


def compiled(source: str, folder: str, *flags: str) -> str:
    """The library of a source whose headers are in a folder; one that was compiled before is used again."""
    with open(source, "rb") as file:
        text = file.read()
    header = os.path.join(folder, "custom_aot_extra.h")
    if os.path.isfile(header):
        with open(header, "rb") as file:
            text += file.read()
    key = hashlib.sha256(text + " ".join(flags).encode()).hexdigest()[:16]
    name = os.path.splitext(os.path.basename(source))[0]
    target = os.path.join(cache_folder(), f"{name}_{key}.so")
    if os.path.isfile(target):
        return target
    os.makedirs(cache_folder(), exist_ok=True)
    part = f"{target}.{os.getpid()}"
    options = ["-std=c++17", "-O2", "--shared", "-fPIC", *flags, f"-I{folder}", f"-I{HEADERS}"]
    done = subprocess.run(
        [compiler("Custom"), *options, source, "-o", part], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"For 'Custom', the source {source!r} does not compile.\n{done.stderr}")
    os.replace(part, target)
    return target
