"""Damaged files of every format that is read: an answer that names the file; no crash, hang, growth over 1 GB or code that runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]


def fuzzed(folder, count, *names, timeout=600):
    """What became of so many damaged files of each format."""
    command = [sys.executable, "-m", "tests.security.fuzzing", str(folder), str(count), *names]
    environment = os.environ | {"MALLOC_ARENA_MAX": "2"}  # the heaps of threads would count before they are used
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout, check=False
    )
    at = (folder / "current").read_text() if (folder / "current").exists() else "nothing yet"
    assert done.returncode == 0, f"it ended with {done.returncode} at {at}: {done.stderr[-2000:]}"
    return json.loads(done.stdout.splitlines()[-1])


def check(found):
    wrong = {name: counts["wrong"][:5] for name, counts in found.items() if counts["wrong"]}
    assert not wrong, json.dumps(wrong, indent=1)


def test_damaged_files_of_every_format_get_an_answer(tmp_path):
    found = fuzzed(tmp_path, 20)
    check(found)
    assert set(found) == set(FORMATS) and sum("refused" in counts for counts in found.values()) > 30


@pytest.mark.heavy
@pytest.mark.parametrize("name", FORMATS)
def test_ten_thousand_damaged_files_of_a_format_get_an_answer(tmp_path, name):
    check(fuzzed(tmp_path, 10_000, name, timeout=3600))
