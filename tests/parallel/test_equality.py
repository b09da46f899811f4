"""Any number of processes, under any launcher and in any mode, train LeNet to what one process reaches with the whole batch."""

import json
import re

import numpy as np
import pytest

from demo.mnist_sample import unpack
from tests.parallel.jobs import MPICH, Running
from tests.parallel.launching import PROGRAMS
from tests.parallel.programs import lenet

LAUNCHERS = ["by hand", "msrun", "mpirun", *(["mpich"] if MPICH else [])]


@pytest.mark.heavy
@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_losses_equal_those_of_one_process_with_the_whole_batch(launcher, size, tmp_path):
    unpack(tmp_path / "mnist")
    with Running(launcher, size, tmp_path, PROGRAMS / "lenet.py", "compare") as job:
        assert not any(job.wait(300)), job.text()
    found = [json.loads((tmp_path / f"curves_{rank}.json").read_text()) for rank in range(size)]
    alone = {(mode, sink): lenet.curve(tmp_path, mode, sink) for mode, sink, _ in lenet.WAYS}
    largest = 0.0
    for place, (mode, sink, _) in enumerate(lenet.WAYS):
        losses, weights = alone[mode, sink]
        together = np.mean([one[place][0] for one in found], axis=0)
        np.testing.assert_allclose(together, losses, rtol=1e-5)
        largest = max(largest, float(np.max(np.abs(together - losses))))
        for one in found:
            np.testing.assert_allclose(one[place][1], weights, rtol=1e-5)
    print(f"{launcher}, {size} processes: largest difference of a loss {largest:.1e}")


@pytest.mark.heavy
def test_a_step_is_one_program_with_all_gradients_in_one_message(tmp_path):
    unpack(tmp_path / "mnist")
    told = {
        "XLA_FLAGS": f"--xla_dump_to={tmp_path / 'hlo'} --xla_dump_hlo_as_text",
        "MYCELIUM_CACHE_DIR": "off",
        "EPOCHS": "1",
    }
    with Running("by hand", 2, tmp_path, PROGRAMS / "lenet.py", "resume", **told) as job:
        assert not any(job.wait(120)), job.text()
    texts = [path.read_text() for path in (tmp_path / "hlo").glob("*cpu_after_optimizations.txt")]
    steps = [text for text in texts if re.search(r" all-reduce\(", text)]
    assert steps
    for text in steps:
        (message,) = re.findall(r"= \((.*?)\) all-reduce\(", text)
        assert (
            len(re.findall(r"f32\[", message)) == 8
        )  # the weights of two convolutions; of three dense layers, with biases
        assert "all-reduce-start" not in text
