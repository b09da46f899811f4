"""``if rank == 0:`` around whatever reads Parameters that processes share among themselves: the others need not join."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from tests.parallel.jobs import Running
from tests.parallel.programs import saving_alone

PROGRAM = Path(__file__).parent / "programs" / "saving_alone.py"


def check_files(folder):
    ms.set_context(mode=ms.GRAPH_MODE)
    net, step = saving_alone.training(1)
    for number, batch in enumerate(saving_alone.batches()):
        step(*map(Tensor, batch))
        found = ms.load_checkpoint(str(folder / f"step{number}.ckpt"))
        for parameter in step.get_parameters():
            np.testing.assert_allclose(found[parameter.name].asnumpy(), parameter.asnumpy(), rtol=1e-4, atol=1e-6)
        if number == 0:
            listed = ms.load_checkpoint(str(folder / "listed.ckpt"))
            assert set(listed) == {"inner", "outer"}
            assert ms.load_checkpoint(str(folder / "part.ckpt"))["inner"].shape[1] < saving_alone.WIDTH
        if number == 1:
            np.testing.assert_allclose(np.load(folder / "doubled.npy"), 2 * net.inner.asnumpy(), rtol=1e-4, atol=1e-6)
            assert set(np.load(folder / "copied.npz")) == {"inner", "outer"}
    np.testing.assert_allclose(np.load(folder / "last.npy"), net.outer.asnumpy(), rtol=1e-4, atol=1e-6)
    for number in range(6):
        assert (np.load(folder / f"total{number}.npy") == number + 1).all()
    assert len(list(folder.glob("own-*.ckpt"))) == saving_alone.STEPS
    last = ms.load_checkpoint(str(folder / "last.ckpt"))
    of_callback = ms.load_checkpoint(str(folder / f"own-1_{saving_alone.STEPS}.ckpt"))
    for name, value in last.items():
        assert np.array_equal(of_callback[name].asnumpy(), value.asnumpy())
    ms.load_param_into_net(net, last)
    batch = Tensor(saving_alone.batches()[0][0])
    graph = ms.nn.GraphCell(ms.load(str(folder / "net.mindir")))
    np.testing.assert_allclose(graph(batch).asnumpy(), net(batch).asnumpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("launcher", "size", "optimizer"),
    [
        ("by hand", 2, "whole"),
        pytest.param("mpirun", 4, "sharded", marks=pytest.mark.heavy),
        pytest.param("msrun", 4, "whole", marks=pytest.mark.heavy),
        pytest.param("mpirun", 2, "sharded", marks=pytest.mark.heavy),
    ],
)
def test_one_process_alone_looks_at_divided_parameters(tmp_path, launcher, size, optimizer):
    if launcher == "mpirun":
        assert shutil.which("mpirun"), "OpenMPI is needed for this test"
    with Running(launcher, size, tmp_path, PROGRAM, optimizer) as job:
        codes = job.wait(240)
        assert not any(codes), job.text()[-3000:]
    check_files(tmp_path)
