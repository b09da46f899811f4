"""Runs the tutorials and keeps both languages in step.

    python -m tools.notebooks [NAME ...]    run docs/tutorials/NAME.ipynb and store what the cells show; the Chinese
                                            notebook gets the same code cells and outputs, and keeps its own text
    python -m tools.notebooks --check       say where code or outputs of the two languages differ, run nothing

The English notebook is the source of the code. Both have the same cells in the same order; text cells differ in language
(tools/translations.py lists translations that are older than their text).
A cell tagged ``raises-exception`` shows an error on purpose; what a cell tagged ``varies`` shows is different in each run.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
ENGLISH, CHINESE = ROOT / "docs" / "tutorials", ROOT / "docs" / "zh" / "tutorials"
TIMEOUT = 240  # seconds for one cell
KERNEL_FILE = re.compile(r'[^\s"]*/ipykernel_\d+/\d+\.py')
LOG_PREFIX = re.compile(r"(?<=\[WARNING\] )ME\(\d+.*?\] ")  # process, thread and time
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def names() -> list[str]:
    """All tutorials, by the name of their file."""
    return sorted(path.stem for path in ENGLISH.glob("*.ipynb"))


def read(folder: Path, name: str) -> Any:
    return nbformat.read(folder / f"{name}.ipynb", as_version=4)


def write(notebook: Any, folder: Path, name: str) -> None:
    nbformat.validate(notebook)
    nbformat.write(notebook, folder / f"{name}.ipynb")


def execute(name: str) -> Any:
    """The English notebook with the outputs of this run; raises at the first cell that fails unasked."""
    notebook = read(ENGLISH, name)
    options = {"timeout": TIMEOUT, "kernel_name": "python3", "record_timing": False}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}  # this tree, wherever the kernel's folder is
    NotebookClient(notebook, resources={"metadata": {"path": str(ENGLISH)}}, **options).execute(env=environment)
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({"tags": tags} if (tags := cell.metadata.get("tags")) else {})
        for output in cell.get("outputs", ()):
            without_this_machine(output)
    return notebook


def without_this_machine(output: Any) -> None:
    """Drop the frames of an error and the kernel's file names: they are other ones elsewhere."""
    if output.output_type == "error":
        output.evalue = KERNEL_FILE.sub("<cell>", output.evalue)
        output.traceback = [f"{output.ename}: {output.evalue}"]
    if "text" in output:
        output.text = LOG_PREFIX.sub("", KERNEL_FILE.sub("<cell>", output.text))


def copy_code(source: Any, target: Any) -> None:
    """Give the translation the code cells of the original, with what they show."""
    kinds = [[cell.cell_type for cell in one.cells] for one in (source, target)]
    if kinds[0] != kinds[1]:
        raise ValueError(f"the translation must have the same cells in the same order, {kinds[0]}, but has {kinds[1]}.")
    target.cells = [
        cell if cell.cell_type == "code" else {**own, "id": cell.id} for cell, own in zip(source.cells, target.cells)
    ]
    target.cells = [nbformat.from_dict(cell) for cell in target.cells]
    target.metadata = nbformat.from_dict({**METADATA, "source_digest": target.metadata.get("source_digest", "")})


def problems(name: str) -> list[str]:
    """What is out of step between the two languages of a tutorial."""
    if not (CHINESE / f"{name}.ipynb").exists():
        return [f"{name}: has no Chinese notebook"]
    source, target = read(ENGLISH, name), read(CHINESE, name)
    found = []
    if [cell.cell_type for cell in source.cells] != [cell.cell_type for cell in target.cells]:
        found.append(f"{name}: the Chinese notebook has other cells than the English one")
    elif [cell for cell in source.cells if cell.cell_type == "code"] != [
        cell for cell in target.cells if cell.cell_type == "code"
    ]:
        found.append(f"{name}: code or outputs differ; run `python -m tools.notebooks {name}`")
    return found


def shown(cell: Any) -> str:
    """What a cell shows as text, with all numbers alike: they may differ in their last digits between machines."""
    texts = [
        output.get("text", "") + output.get("data", {}).get("text/plain", "") + output.get("ename", "")
        for output in cell.outputs
        if output.get("name") != "stderr"
    ]
    return " ".join(re.sub(r"[-+]?\d[\d.]*(e[-+]?\d+)?", "0", "".join(texts)).split())


def store(name: str) -> None:
    """Run a tutorial, and write it in both languages."""
    notebook = execute(name)
    write(notebook, ENGLISH, name)
    if (CHINESE / f"{name}.ipynb").exists():
        translation = read(CHINESE, name)
        copy_code(notebook, translation)
        write(translation, CHINESE, name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=names(), metavar="NAME")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        found = [problem for name in arguments.names for problem in problems(name)]
        print("\n".join(found) or f"{len(arguments.names)} tutorials are in step")
        return bool(found)
    for name in arguments.names:
        print(name, flush=True)
        store(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
