"""Graph breaks in jobs of several processes: the numbers of PyNative mode, in all processes and modes."""

import json

import numpy as np
import pytest

from tests.parallel.jobs import Running
from tests.parallel.launching import PROGRAMS


@pytest.mark.heavy
@pytest.mark.parametrize("launcher", ["msrun", "mpirun"])
def test_breaks_in_two_processes_give_the_numbers_of_pynative_mode(launcher, tmp_path):
    with Running(launcher, 2, tmp_path, PROGRAMS / "breaking.py") as job:
        assert not any(job.wait(250)), job.text()
    ranks = [json.loads((tmp_path / f"found_{rank}.json").read_text()) for rank in range(2)]
    for found in ranks:
        for way in ("data_parallel", "by_hand", "scaled", "both_sides", "semi_auto"):
            for mode in ("nothing", "graph"):
                for one, other in zip(found[f"{way} pynative"], found[f"{way} {mode}"], strict=True):
                    np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-6, err_msg=f"{way}, {mode}")
    for name, numbers in ranks[0].items():
        shared = numbers[2:] if name.split()[0] in ("data_parallel", "by_hand") else numbers[1:]
        if name.split()[0] in ("data_parallel", "by_hand", "scaled"):
            offset = len(numbers) - len(shared)
            for one, other in zip(shared, ranks[1][name][offset:], strict=True):
                np.testing.assert_allclose(other, one, rtol=1e-5, err_msg=f"weights of {name} in both processes")
