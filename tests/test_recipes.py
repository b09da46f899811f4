"""The programs in docs/recipes and docs/guide run: all recipes and every other page of the guide by default, all with
``-m heavy``."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).resolve().parents[1] / "docs"
RECIPES, GUIDE = (sorted((DOCUMENTS / folder).glob("*.md")) for folder in ("recipes", "guide"))
PROGRAMS = [
    pytest.param(program, id=f"{path.stem}-{number}", marks=[pytest.mark.heavy] if path in GUIDE[1::2] else [])
    for path in RECIPES + GUIDE
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_recipe_runs(program: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.py"  # a real file: graph mode reads the source of what it compiles
    path.write_text(program, encoding="utf-8")
    run = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_the_index_names_every_recipe() -> None:
    index = DOCUMENTS / "recipes" / "README.md"
    named = re.findall(r"\]\(([\w-]+\.md)\)", index.read_text(encoding="utf-8"))
    assert sorted(named) == [path.name for path in RECIPES if path != index] and len(named) >= 14
