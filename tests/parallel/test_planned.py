"""Open ends of training with a plan: wrappers, collectives on whole Tensors, checkpoints that one process saves."""

import os
import socket
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

import jax
import numpy as np
import pytest
from jax import lax

import mindspore as ms
from mindspore import nn
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.process_program import CollectiveKernel, along, group_rank
from mindspore._engine.operator.sharding import Plan
from mindspore._engine.parallel import shard_service, sharding_file
from mindspore._engine.parallel.shard_exchange import Exchange, KeptShards, _joins_all
from mindspore._engine.runtime import mesh
from mindspore.parallel import set_op_strategy_config
from tests.parallel.launching import PROGRAMS, environment, start_by_hand
from tests.parallel.programs import saving


@pytest.mark.heavy
def test_wrappers_and_settings_on_eight_devices():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", ""]
    ended = subprocess.run(
        [*command, str(Path(__file__).parent / "on_eight_devices_more.py")],
        env=environment(XLA_FLAGS=f"{os.environ['XLA_FLAGS']} --xla_force_host_platform_device_count=8"),
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
        stdin=subprocess.DEVNULL,
    )
    assert ended.returncode == 0, ended.stdout[-4000:]


@pytest.mark.parametrize(
    ("mode", "path", "text"),
    [
        ("SAVE", "here.json", "must be an absolute path"),
        ("SAVE", "/tmp/here.txt", "must be .json"),
        ("load", "/tmp/here.json", "must be 'SAVE' or 'LOAD'"),
    ],
)
def test_a_file_or_mode_that_cannot_be_is_refused(mode, path, text):
    with pytest.raises(KeyError, match=text):
        set_op_strategy_config(mode, path)


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"devices": 4}', '{"devices": "4", "parameters": {}}', "[" * 100_000, "\udcff"]
)
def test_a_file_of_shardings_that_is_none_is_named(tmp_path, monkeypatch, text):
    path = tmp_path / "strategy.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    monkeypatch.setattr(sharding_file, "_path", str(path))
    with pytest.raises(ValueError, match=r"strategy.json was not written with mode='SAVE'"):
        sharding_file._read()


# -- collectives on whole Tensors ------------------------------------------------------------------------------------------
@pytest.fixture
def planned():
    state.plan = Plan(mesh.Grid(jax.devices()[:1]))
    yield
    state.plan = None


COLLECTIVES = {
    "sum": (lambda x: lax.psum(x, **along()), [3, 6], [3, 3]),
    "maximum": (lambda x: lax.pmax(x, **along()), [1, 2], None),
    "gathered": (lambda x: lax.all_gather(x, **along(), tiled=True), [1, 2, 1, 2, 1, 2], [3, 3]),
    "broadcast": (lambda x: lax.psum(jax.numpy.where(group_rank() == 1, x, 0), **along()), [1, 2], [1, 1]),
}


@pytest.mark.parametrize("name", COLLECTIVES)
def test_in_a_planned_graph_all_processes_pass_the_same_whole_tensor(planned, name):
    function, expected, gradient = COLLECTIVES[name]
    kernel = CollectiveKernel(name, function, (0, 1, 2))
    value = np.array([1.0, 2.0], np.float32)
    result = kernel.function(value)
    assert np.asarray(result).tolist() == expected
    if gradient is not None:
        (found,) = kernel.vjp((True,), (True,)).function(jax.numpy.asarray(value), jax.numpy.ones_like(result))
        assert found.tolist() == gradient


def test_parts_of_their_own_are_refused_in_a_planned_graph(planned):
    kernel = CollectiveKernel("ReduceScatter", lambda x: lax.psum_scatter(x, **along(), tiled=True), (0, 1))
    with pytest.raises(ValueError, match="For 'ReduceScatter', every process gets a part of its own, but in the modes"):
        kernel.function(np.ones(4, np.float32))


# -- shards, for whoever asks -----------------------------------------------------------------------------------------------
TOKEN = b"t" * shard_service.TOKEN
LIKE = np.empty((2, 3), np.float32)


@pytest.fixture
def exchange():
    found = Exchange()
    listener = socket.create_server(("127.0.0.1", 0))
    found.peers = {0: shard_service.Peer(0, listener.getsockname()[:2], TOKEN)}
    threading.Thread(target=shard_service.serve, args=(listener, TOKEN, found.shard), daemon=True).start()
    yield found
    found.peers[0]._close()


def numbers(more=0):
    return jax.numpy.arange(6, dtype=np.float32).reshape(2, 3) + more


def test_a_shard_is_given_as_long_as_it_lives(exchange):
    device = jax.devices()[0].id
    first, second = numbers(), numbers(1)
    exchange.note(0, [first])
    exchange.note(0, [second])
    ask = exchange.peers[0].ask
    assert ask((0, 0, 0, device), LIKE).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert ask((0, 1, 0, device), LIKE).sum() == 21
    del first
    assert ask((0, 0, 0, device), LIKE) is None
    assert list(exchange.keys) == [id(second)]
    with pytest.raises(OSError, match="no shard of 4 bytes, but one of 24"):
        ask((0, 1, 0, device), np.empty(1, np.float32))


def test_who_asks_early_waits_for_the_call(exchange, monkeypatch):
    monkeypatch.setattr(shard_service, "_SIGN_OF_LIFE", 0.02)
    kept = numbers()
    threading.Timer(0.1, exchange.note, (3, [kept])).start()
    assert exchange.peers[0].ask((3, 0, 0, jax.devices()[0].id), LIKE).sum() == 15


def test_strangers_get_no_shard_and_keep_no_thread(exchange, monkeypatch):
    monkeypatch.setattr(shard_service, "_STRANGER", 0.1)
    kept = numbers()
    exchange.note(0, [kept])
    stranger = shard_service.Peer(0, exchange.peers[0].address, b"x" * shard_service.TOKEN)
    with pytest.raises(OSError, match="the connection was closed"):
        stranger.ask((0, 0, 0, 0), LIKE)
    with socket.create_connection(exchange.peers[0].address, timeout=5) as silent:
        assert len(silent.recv(64)) == shard_service.TOKEN
        assert silent.recv(1) == b""  # disconnected
    assert exchange.peers[0].ask((0, 0, 0, jax.devices()[0].id), LIKE).sum() == 15


def test_results_are_kept_until_those_of_the_next_call_are_ready():
    class Pending:
        ready = False

        def is_ready(self):
            return self.ready

    kept = KeptShards.__new__(KeptShards)
    kept.calls = deque([Pending()] for _ in range(3))
    kept.begin()
    assert len(kept.calls) == 3
    kept.calls[1][0].ready = True
    kept.begin()
    assert len(kept.calls) == 2


@pytest.mark.parametrize(
    ("groups", "joins"),
    [("{{0,1,2,3}}", True), ("[1,4]<=[4]", True), ("{}", True), ("{{0,1},{2,3}}", False), ("[2,2]<=[4]", False)],
)
def test_a_program_joins_all_if_one_collective_does(groups, joins):
    line = f"%x = f32[4]{{0}} all-reduce(%y), channel_id=1, replica_groups={groups}, use_global_device_ids=true"
    assert _joins_all(line, 4) is joins
    assert not _joins_all("%x = f32[4]{0} add(%y, %z)", 4)


@pytest.mark.heavy
def test_one_process_alone_saves_divided_states(tmp_path):
    started = start_by_hand(PROGRAMS / "saving.py", (0, 1), 2, tmp_path)
    codes = [one.wait(120) for one in started]
    assert codes == [0, 0], (tmp_path / "log_0.txt").read_text()[-2000:]
    ms.set_context(mode=ms.GRAPH_MODE)
    net, optimizer = saving.network()
    model = ms.Model(net, nn.MSELoss(), optimizer)
    model.train(saving.EPOCHS, saving.rows(), dataset_sink_mode=False)
    expected = {one.name: one.asnumpy() for one in model.train_network.get_parameters()}
    assert len(list(tmp_path.glob("own-*.ckpt"))) == 8
    for name in ("last.ckpt", "own-2_4.ckpt"):
        found = ms.load_checkpoint(str(tmp_path / name))
        for each, value in expected.items():
            np.testing.assert_allclose(found[each].asnumpy(), value, rtol=1e-4, atol=1e-6, err_msg=each)
    np.testing.assert_allclose(np.load(tmp_path / "moment.npy"), expected["moment1.0.weight"], rtol=1e-4, atol=1e-6)
    assert np.load(tmp_path / "held.npy").tolist() == [4, 6]
