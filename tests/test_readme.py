"""The README keeps its promises: its examples print what it says, its commands and links exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAMS = [index for index, (language, _) in enumerate(BLOCKS) if language == "python"]


def test_the_readme_shows_a_program() -> None:
    assert PROGRAMS


@pytest.mark.parametrize("index", PROGRAMS)
def test_a_program_prints_the_text_block_after_it(index: int, tmp_path: Path) -> None:
    program = tmp_path / "example.py"  # a real file: graph mode reads the source of what it compiles
    program.write_text(BLOCKS[index][1], encoding="utf-8")
    run = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    language, expected = BLOCKS[index + 1]
    assert language == "text"
    assert run.stdout == expected


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/design/README.md", "docs/design/flow.md"])
def test_relative_links_lead_to_files(document: str) -> None:
    path = ROOT / document
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_make_command_is_a_target(document: str) -> None:
    named = set(
        re.findall(r"^make ([\w-]+)|`make ([\w-]+)`", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE)
    )
    targets = re.findall(r"^([\w-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {first or second for first, second in named} <= set(targets)


def test_continuous_integration_ends_with_the_test_command_of_the_readme() -> None:
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert commands[-1] == "make test"
    assert "make test" in README
