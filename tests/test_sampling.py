"""The default run's sample: the same in every worker, another one at each commit, and complete over time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mindspore._engine.operator.registry import OPS
from tests import sampling


@pytest.fixture
def commit(monkeypatch):
    def pretend(seed: str, changed: str = "") -> None:
        monkeypatch.setenv(sampling.SEED, seed)
        monkeypatch.setenv(sampling.CHANGED, changed)
        sampling.seed.cache_clear(), sampling.changed.cache_clear()

    yield pretend
    monkeypatch.undo()
    sampling.seed.cache_clear(), sampling.changed.cache_clear()


def test_every_operator_has_its_turn_within_some_commits(commit):
    waiting = set(OPS)
    for number in range(60):
        commit(f"commit {number}")
        waiting -= {name for name in OPS if sampling.share(name, 4) == 0}
    assert not waiting


def test_a_share_is_about_its_part(commit):
    commit("1a29b58")
    assert 0.18 < sum(sampling.share(name, 4) == 0 for name in OPS) / len(OPS) < 0.32


def test_slices_begin_elsewhere_and_are_never_empty(commit):
    seen = set()
    for number in range(40):
        commit(f"commit {number}")
        seen.update(sampling.every(4, range(20)))
        assert len(sampling.every(4, range(20))) == 5 and len(sampling.every(300, range(2))) == 1
        assert sampling.every(1, "abc") == ["a", "b", "c"] and sampling.every(3, []) == []
    assert seen == set(range(20))


def test_changed_families_are_always_looked_at(commit):
    modules = sampling.modules_of(["src/mindspore/_ops/math/special.py", "src/mindspore/_ops/README.md", "README.md"])
    assert modules == {"mindspore._ops.math.special"}
    commit("any", " ".join(sampling.with_families(modules)))
    assert sampling.is_changed("mindspore._ops.math.special")
    assert sampling.is_changed("mindspore._ops.math.elementary")  # the same family
    assert not sampling.is_changed("mindspore._ops.linalg.matrix")
    assert sampling.is_changed("mindspore._ops.math.special.erf")  # an example in a docstring


def test_a_change_of_many_families_looks_at_its_modules(commit):
    files = [f"src/mindspore/_ops/{family}/shape.py" for family in ("array", "math", "nn", "image")]
    commit("any", " ".join(sampling.with_families(sampling.modules_of(files))))
    assert sampling.is_changed("mindspore._ops.nn.shape") and not sampling.is_changed("mindspore._ops.nn.other")


def test_without_git_the_version_decides(monkeypatch, commit):
    monkeypatch.delenv(sampling.SEED, raising=False)
    monkeypatch.delenv(sampling.CHANGED, raising=False)
    sampling.seed.cache_clear(), sampling.changed.cache_clear()
    monkeypatch.setenv("PATH", "")
    assert sampling.seed() == sampling.mindspore.__version__ and sampling.changed() == frozenset()


def test_the_header_says_how_to_repeat_it():
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "tests/test_sampling.py"]
    done = subprocess.run(
        asked, cwd=sampling.ROOT, env={**os.environ, sampling.SEED: "feed"}, capture_output=True, text=True
    )
    assert "MYCELIUM_TEST_SAMPLE=feed" in done.stdout
