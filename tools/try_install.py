"""Builds the wheels, installs them without extras into a new environment elsewhere, and uses the package there.

    python tools/try_install.py [--lowest] [--keep FOLDER]

The Python that runs this is the one tried. Nothing of the project's folder is on its path there, and nothing but what the
wheel asks for is installed: what is missing from the dependencies is missing here too.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILT_FROM = ["pyproject.toml", "setup.py", "README.md", "LICENSE", "src", "shim"]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "_native*.so", "build")
RECORDED = [
    "dataset/test_vision_recorded.py",
    "dataset/test_audio.py",
    "dataset/test_transforms.py",
    "dataset/test_text.py",
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Step = tuple[str, list[str], str | None]  # what is tried, the command, and what it must print where that is known


class Environment:
    """A virtual environment in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.python = folder / "environment" / "bin" / "python"
        hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "XLA_FLAGS")
        self.variables = {name: value for name, value in os.environ.items() if name not in hidden}
        self.variables["MYCELIUM_CACHE_DIR"] = str(folder / "cache")

    def run(self, *command: str | Path, cwd: Path, **variables: str) -> str:
        """What a command prints; the end of the program, with its output, if it fails."""
        told = {**self.variables, **variables}
        run = subprocess.run(
            [str(one) for one in command], cwd=cwd, env=told, capture_output=True, text=True, check=False
        )
        if run.returncode != 0:
            sys.exit(f"\nfailed ({run.returncode}): {' '.join(map(str, command))}\n{run.stdout}\n{run.stderr}")
        return run.stdout

    def pip(self, *arguments: str | Path, **variables: str) -> None:
        pip = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        self.run(*pip, *arguments, cwd=self.folder, **variables)

    def install(self, lowest: bool) -> None:
        """The wheels, built from a copy, so that nothing left from an earlier build gets into them."""
        venv.create(self.folder / "environment", with_pip=True)
        source, tools, wheels = (self.folder / name for name in ("source", "tools", "wheels"))
        source.mkdir()
        for name in BUILT_FROM:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, source / name, **({"ignore": LEFT_OUT} if copy is shutil.copytree else {}))
        # jaxlib and NumPy are needed in any case, so they are installed once; what only the build needs stays apart
        setuptools, *libraries = project()["build-system"]["requires"]
        self.pip("install", *libraries)
        self.pip("install", "--target", tools, setuptools)
        build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels]
        self.pip(*build, source, source / "shim", PYTHONPATH=str(tools))
        shutil.rmtree(source)
        self.pip("install", *sorted(wheels.glob("*.whl")), *(lowest_versions() if lowest else []))

    def compare_with_records(self) -> None:
        """What real MindSpore gave, to the bit, with the versions of other packages that were installed."""
        copy = self.folder / "project"
        for name in ("tests", "tools"):
            shutil.copytree(ROOT / name, copy / name, ignore=LEFT_OUT)
        for name in ("conftest.py", "pyproject.toml"):
            shutil.copy(ROOT / name, copy)
        self.pip("install", "--target", self.folder / "pytest", "pytest")
        command = [self.python, "-m", "pytest", "--quiet", "--tb=short", "--override-ini=pythonpath=."]
        files = [f"tests/{file}" for file in RECORDED]
        self.run(*command, *files, cwd=copy, PYTHONPATH=str(self.folder / "pytest"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def lowest_versions() -> list[str]:
    """The lower end of every declared range, as requirements."""
    ends = [re.match(r"([\w.-]+)>=([\w.]+)", text) for text in project()["project"]["dependencies"]]
    return [f"{end[1]}=={end[2]}" for end in ends if end]


def programs_of(page: Path) -> Iterator[tuple[str, str]]:
    """The programs of a page that need no extra, each with a name. What needs one says so in the lines before it."""
    text = page.read_text(encoding="utf-8")
    for number, block in enumerate(BLOCK.finditer(text)):
        before = text[: block.start()].rpartition("\n## ")[2]
        needs_more = "mycelium[" in before or re.search(
            r"^(from|import) (safetensors|torch|onnx)\b", block[2], re.MULTILINE
        )
        if block[1] == "python" and not needs_more:
            yield f"{page.stem}, program {number + 1}", block[2]


def steps(environment: Environment) -> Iterator[Step]:
    """Everything that is tried."""
    python, folder = str(environment.python), environment.folder / "programs"
    shutil.copytree(ROOT / "demo", folder, ignore=LEFT_OUT)
    shutil.copytree(ROOT / "data", environment.folder / "data")
    shutil.copy(ROOT / "tests" / "install" / "first_hour.py", folder)
    yield "training, files, workers", [python, str(folder / "first_hour.py")], None
    asked = "import importlib.metadata as m, mindspore; print(m.version('mindspore') == mindspore.__version__)"
    yield "the version", [python, "-c", asked], "True\n"
    yield "run_check", [python, "-c", "import mindspore; mindspore.run_check()"], None
    yield "info", [python, "-m", "mindspore", "info"], None
    yield "msrun", [str(environment.python.with_name("msrun")), "--help"], None
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    shown = next(i for i, (language, _) in enumerate(blocks) if language == "python")
    programs = [("README", blocks[shown][1], blocks[shown + 1][1])]
    for page in sorted((ROOT / "docs" / "guide").glob("*.md")):
        programs += [(name, program, None) for name, program in programs_of(page)]
    for number, (name, program, printed) in enumerate(programs):
        path = folder / f"program_{number}.py"
        path.write_text(program, encoding="utf-8")
        yield name, [python, str(path)], printed


def tried(environment: Environment, step: Step) -> str:
    """One line that says that a step worked."""
    name, command, printed = step
    start = time.monotonic()
    with tempfile.TemporaryDirectory(dir=environment.folder) as here:
        output = environment.run(*command, cwd=Path(here))
    if printed is not None and output != printed:
        sys.exit(f"\n{name} printed\n{output}\nand not\n{printed}")
    return f"  {time.monotonic() - start:5.1f} s  {name}"


def timed(what: str, work: Callable[[], None]) -> None:
    start = time.monotonic()
    work()
    print(f"  {time.monotonic() - start:5.1f} s  {what}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lowest", action="store_true", help="the oldest versions that the dependencies allow")
    parser.add_argument("--keep", type=Path, help="an empty folder for the environment, which then stays")
    arguments = parser.parse_args()
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="mycelium-install-"))
    try:
        print(f"A fresh install, with Python {sys.version.split()[0]}:", flush=True)
        environment = Environment(folder.resolve())
        timed("build and install", lambda: environment.install(arguments.lowest))
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            for line in pool.map(lambda step: tried(environment, step), steps(environment)):
                print(line, flush=True)
        timed("results as recorded from MindSpore", environment.compare_with_records)
        print("A fresh install works.")
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
