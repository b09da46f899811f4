"""The programs in docs/recipes and docs/guide run: every other page by default, all with ``-m heavy``."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).resolve().parents[1] / "docs"
PAGES = [page for folder in ("recipes", "guide") for page in sorted((DOCUMENTS / folder).glob("*.md"))]
PROGRAMS = [
    pytest.param(program, id=f"{path.stem}-{number}", marks=[pytest.mark.heavy] if page % 2 else [])
    for page, path in enumerate(PAGES)
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_recipe_runs(program: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.py"  # a real file: graph mode reads the source of what it compiles
    path.write_text(program, encoding="utf-8")
    run = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
