"""A process that saves alone what all hold says so soon, instead of waiting in silence."""

import time
from pathlib import Path

import pytest

from mindspore.train._checkpoint import saved_together
from tests.parallel.jobs import Running, until

PROGRAM = Path(__file__).parent / "programs" / "saving_alone.py"


@pytest.mark.heavy
def test_saving_divided_parameters_alone_is_told_within_seconds(tmp_path):
    with Running("by hand", 2, tmp_path, PROGRAM) as job:
        until(lambda: "saving" in job.text(), 120, job.text)
        until(lambda: "all ranks must call save_checkpoint" in job.text(), 20, job.text)


def test_who_waits_says_for_whom(monkeypatch):
    said = []
    monkeypatch.setattr(saved_together, "PATIENCE", 0.01)
    monkeypatch.setattr(saved_together.log, "warning", lambda text, *rest: said.append(text % rest))
    told = pytest.raises(RuntimeError, match=r"lost\n.*'weight' \(one of 2\).*all ranks must")
    with told, saved_together.saved_by_all(["weight", "bias"]):
        while not said:
            time.sleep(0.01)
        raise RuntimeError("lost")
    assert "integrated_save=False" in said[0]
    with saved_together.saved_by_all([]):
        pass
