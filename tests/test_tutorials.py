"""The tutorials run, show what is stored in them, and are the same program in both languages: a fourth of them by default, all
with ``-m heavy``."""

import re
from pathlib import Path

import pytest

from tests import sampling
from tools import notebooks

ROOT = Path(__file__).resolve().parents[1]
NAMES = notebooks.names()
CHOSEN = sampling.every(4, NAMES)


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in CHOSEN else pytest.mark.heavy) for n in NAMES])
def test_a_tutorial_runs_and_shows_what_is_stored(name: str) -> None:
    stored, executed = notebooks.read(notebooks.ENGLISH, name), notebooks.execute(name)
    for before, after in zip(stored.cells, executed.cells, strict=True):
        if before.cell_type == "code" and "varies" not in before.metadata.get("tags", ()):
            assert notebooks.shown(after) == notebooks.shown(before), before.source


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_code_and_outputs(name: str) -> None:
    assert notebooks.problems(name) == []


@pytest.mark.parametrize("folder", [notebooks.ENGLISH, notebooks.CHINESE], ids=["english", "chinese"])
@pytest.mark.parametrize("name", NAMES)
def test_text_is_of_its_language_and_links_lead_to_files(name: str, folder: Path) -> None:
    cells = [cell.source for cell in notebooks.read(folder, name).cells if cell.cell_type == "markdown"]
    text = "\n".join(cells)
    chinese = len(re.findall(r"[\u4e00-\u9fff]", text))
    assert chinese > 200 if folder == notebooks.CHINESE else chinese == 0
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", text)
    assert [target for target in targets if not (folder / target).exists()] == []


@pytest.mark.parametrize("name", NAMES)
def test_outputs_tell_nothing_of_the_machine_they_were_made_on(name: str) -> None:
    outputs = [cell.outputs for cell in notebooks.read(notebooks.ENGLISH, name).cells if cell.cell_type == "code"]
    assert any(outputs), "run `python -m tools.notebooks`"
    assert not re.search(r"/(tmp|root|home|work|usr)/|ipykernel_\d", str(outputs))
