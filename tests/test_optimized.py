"""What must always work also works with all of XLA's optimizations, which conftest.py lowers for every other test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_with_the_default_optimization_level():
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_tiny.py"]
    environment = {**os.environ, "XLA_FLAGS": ""}
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(asked, cwd=root, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
