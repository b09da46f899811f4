"""The oldest versions that the dependencies allow; `make test-install` tries the newest."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.try_install import lowest_versions

ROOT = Path(__file__).resolve().parents[2]
DEPENDENCIES = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]


def test_every_range_has_a_lower_end() -> None:
    assert [re.split("[=>]", text)[0] for text in DEPENDENCIES] == [text.split("==")[0] for text in lowest_versions()]


@pytest.mark.heavy
def test_the_oldest_allowed_versions_work_and_give_the_recorded_results() -> None:
    command = [sys.executable, str(ROOT / "tools" / "try_install.py"), "--lowest"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "results as recorded from MindSpore" in run.stdout
