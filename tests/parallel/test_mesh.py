"""Graphs divided among the devices of a mesh: simulated ones in one process, and real processes."""

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import ops
from mindspore.parallel import Layout, unified_safetensors
from tests.parallel.launching import PROGRAMS, environment, start_by_hand
from tests.parallel.programs import divided


@pytest.mark.parametrize("which", ["not heavy", pytest.param("heavy", marks=pytest.mark.heavy)])
def test_graphs_divided_among_eight_devices(which):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", which]
    ended = subprocess.run(
        [*command, str(Path(__file__).parent / "on_eight_devices.py")],
        env=environment(XLA_FLAGS=f"{os.environ['XLA_FLAGS']} --xla_force_host_platform_device_count=8"),
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
        stdin=subprocess.DEVNULL,
    )
    assert ended.returncode == 0, ended.stdout[-4000:]


def finish(folder, processes):
    codes = [process.wait(180) for process in processes]
    assert codes == [0] * len(codes), (folder / "log_0.txt").read_text()[-3000:]


def found(folder, task, ranks):
    return [json.loads((folder / f"{task}_{rank}.json").read_text()) for rank in range(ranks)]


@pytest.mark.heavy
def test_processes_train_together_and_another_number_of_them_goes_on(tmp_path):
    alone = divided.losses(divided.training("lenet"), "lenet")
    finish(tmp_path, start_by_hand(PROGRAMS / "mesh_job.py", range(4), 4, tmp_path, arguments=("train", "2", "2")))
    for one in found(tmp_path, "train", 4):
        np.testing.assert_allclose(one["losses"], alone, rtol=1e-5)
        assert one["cut"] > 4
    parts = [ms.load_checkpoint(str(tmp_path / f"rank_{rank}" / "net.ckpt")) for rank in range(4)]
    whole = ms.load_checkpoint(str(tmp_path / "whole_3.ckpt"))
    assert [one["hidden"].shape for one in parts] == [(32, 8)] * 4 and whole["hidden"].shape == (32, 16)
    ms.transform_checkpoints(str(tmp_path), str(tmp_path / "joined"), "net", str(tmp_path / "strategy_4.json"), None)
    joined = ms.load_checkpoint(str(tmp_path / "joined" / "rank_0" / "net0.ckpt"))
    assert set(joined) == set(whole)
    for name, value in whole.items():
        np.testing.assert_array_equal(joined[name].asnumpy(), value.asnumpy(), err_msg=name)
    unified_safetensors(str(tmp_path), str(tmp_path / "strategy_4.json"), str(tmp_path / "unified"))
    unified = ms.load_checkpoint(str(tmp_path / "unified" / "part0.safetensors"), format="safetensors")
    np.testing.assert_array_equal(unified["moments.hidden"].asnumpy(), whole["moments.hidden"].asnumpy())
    finish(tmp_path, start_by_hand(PROGRAMS / "mesh_job.py", range(2), 2, tmp_path, arguments=("resume", "1", "2")))
    for one in found(tmp_path, "resume", 2):
        np.testing.assert_allclose(one["losses"], alone[2:], rtol=1e-5)
    for entire, parts in found(tmp_path, "states", 2):  # each process on its own data
        np.testing.assert_allclose(parts["weights"], entire["weights"], rtol=1e-4, atol=1e-6)
        assert (entire["held"], parts["held"]) == ([8], [4])


@pytest.mark.heavy
def test_a_transformer_of_four_processes_reaches_the_losses_of_one(tmp_path):
    alone = divided.losses(divided.training("language"), "language")
    finish(tmp_path, start_by_hand(PROGRAMS / "mesh_job.py", range(4), 4, tmp_path, arguments=("language", "2", "2")))
    for one in found(tmp_path, "language", 4):
        np.testing.assert_allclose(one["losses"], alone, rtol=1e-4)


@pytest.mark.parametrize(
    ("give", "error", "text"),
    [
        (lambda: ops.MatMul().shard([(2, 1), (1, 2)]), TypeError, "in_strategy must be tuple type"),
        (lambda: ops.MatMul().shard(((2, 1), [1, 2])), TypeError, "element of strategy must be tuple/Layout"),
        (lambda: ops.MatMul().shard(((2, 1.5), (1, 2))), TypeError, "must be int type, but got:<class 'float'>"),
        (lambda: ops.MatMul().shard(None, ((2, 1),)), ValueError, "need to set in_strategy, but got none"),
        (lambda: ops.MatMul().shard(((2, 1), (1, 2)), "a"), TypeError, "out_strategy must be tuple type"),
        (lambda: ops.MatMul().shard((Layout((2,), ("a",))("a"), (1,))), TypeError, "object of class Layout"),
    ],
)
def test_what_is_no_strategy_is_refused_at_once(give, error, text):
    with pytest.raises(error, match=text):
        give()


def test_a_copy_of_an_operator_keeps_its_strategy():
    product = ops.MatMul(transpose_b=True).shard(((2, 1), (1, 2)), ((2, 2),))
    for one in (copy.deepcopy(product), pickle.loads(pickle.dumps(product))):
        assert isinstance(one, ops.MatMul) and type(one) is type(product)
        assert (one.in_strategy, one.out_strategy, one.transpose_b) == (((2, 1), (1, 2)), ((2, 2),), True)
        assert one(ops.ones((2, 3)), ops.ones((2, 3))).asnumpy().tolist() == [[3.0, 3.0]] * 2
