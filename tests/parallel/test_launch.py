"""Several real processes: the values they compute together, and what happens when one fails."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mindspore.parallel.cluster import run
from tests.parallel.launching import PROGRAMS, environment, msrun, msrun_command, start_by_hand
from tests.parallel.programs import training


def wait_for(paths: list[Path], seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not all(path.exists() for path in paths):
        assert time.monotonic() < deadline, f"none of {[str(path) for path in paths if not path.exists()]}"
        time.sleep(0.05)


def test_collectives_give_every_process_its_part(tmp_path):
    ended = msrun("--worker_num=2", f"--log_dir={tmp_path}", "--join=True", PROGRAMS / "collectives.py", tmp_path)
    assert ended.returncode == 0, ended.stderr
    first, second = (json.loads((tmp_path / f"found_{rank}.json").read_text()) for rank in (0, 1))
    assert (first.pop("place"), second.pop("place")) == ([0, 2, 0, 2], [1, 2, 1, 2])
    a, b = [0, 1, 2, 3], [10, 11, 12, 13]
    total = [10, 12, 14, 16]
    assert first == {
        "all_reduce": [total, b, [0, 11, 24, 39]],
        "all_reduce_later": [total],
        "all_gather": [a + b],
        "reduce_scatter": [total[:2]],
        "broadcast": [b],
        "reduce": [a],
        "gather": [[0]],
        "scatter": [b[:2]],
        "send": [a],
        "exchanged": [b],
        "batch": [a, b],
        "all_to_all": [[0], [10]],
        "all_to_all_single": [[0, 1, 10, 11]],
        "all_to_all_v_c": [[0, 10]],
        "group_of_one": [a],
        "gradient": [sum(total), [3] * 4],  # what each process made of the sum comes back to all
        "gradient_of_jit": [[4] * 4],
    }
    assert second == {
        **first,
        "reduce_scatter": [total[2:]],
        "reduce": [total],
        "gather": [a + b],
        "scatter": [b[2:]],
        "exchanged": [a],
        "batch": [b, a],
        "all_to_all": [[1, 2, 3], [11, 12, 13]],
        "all_to_all_single": [[2, 3, 12, 13]],
        "all_to_all_v_c": [[1, 2, 3, 11, 12, 13]],
        "group_of_one": [b],
        "gradient": [2 * sum(total), [3] * 4],
    }


def check_weights(folder: Path) -> None:
    found = [np.load(folder / f"weights_{rank}.npz") for rank in (0, 1)]
    for place, way in enumerate(training.WAYS):
        for number, expected in enumerate(training.final_weights(*way, shards=1, shard=0)):
            for one in found:
                np.testing.assert_allclose(one[f"{place}_{number}"], expected, rtol=1e-5, atol=1e-6)


def test_training_by_hand_started_processes_equals_training_alone(tmp_path):
    processes = start_by_hand(PROGRAMS / "training.py", (0, 1), 2, tmp_path)
    codes = [process.wait(60) for process in processes]
    assert codes == [0, 0], (tmp_path / "log_1.txt").read_text()
    check_weights(tmp_path)


@pytest.mark.heavy
def test_training_under_mpirun_equals_training_alone(tmp_path):
    assert shutil.which("mpirun"), "OpenMPI is needed for this test"
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", sys.executable]
    ended = subprocess.run([*command, PROGRAMS / "training.py", tmp_path], env=environment(), timeout=120, check=False)
    assert ended.returncode == 0
    check_weights(tmp_path)


def test_a_killed_process_ends_the_others_within_seconds(tmp_path):
    processes = start_by_hand(PROGRAMS / "waiting.py", (0, 1), 2, tmp_path)
    try:
        wait_for([tmp_path / "ready_0", tmp_path / "ready_1"])
        processes[1].kill()
        killed = time.monotonic()
        assert processes[0].wait(30) != 0
        assert time.monotonic() - killed < 25
        assert "Process 1 was ended from outside or crashed" in (tmp_path / "log_0.txt").read_text()
    finally:
        for process in processes:
            process.kill()


@pytest.mark.heavy
def test_msrun_shows_who_was_killed_and_ends_the_others(tmp_path):
    command = msrun_command("--worker_num=2", f"--log_dir={tmp_path}", "--join=True", PROGRAMS / "waiting.py", tmp_path)
    launcher = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for([tmp_path / "ready_0", tmp_path / "ready_1"])
    pids = [int((tmp_path / f"ready_{rank}").read_text()) for rank in (0, 1)]
    os.kill(pids[1], signal.SIGKILL)
    killed = time.monotonic()
    _, errors = launcher.communicate(timeout=30)
    assert time.monotonic() - killed < 10
    assert launcher.returncode == 128 + signal.SIGKILL
    assert errors.startswith("msrun: process 1 was ended by SIGKILL; the others are ended.")
    assert "together [2.]" in errors
    assert not Path(f"/proc/{pids[0]}").exists()


def test_a_missing_process_is_reported_after_the_time_out(tmp_path):
    (waiting,) = start_by_hand(PROGRAMS / "waiting.py", (1,), 2, tmp_path, MS_TOPO_TIMEOUT="2")
    assert waiting.wait(40) != 0
    assert "Process 1 of 2 waited 2 s for process 0" in (tmp_path / "log_1.txt").read_text()


@pytest.mark.heavy
def test_two_machines_meet_at_the_address_of_the_first(tmp_path):
    port = run.any_free_port()
    shared = [
        "--worker_num=2",
        "--local_worker_num=1",
        "--master_addr=127.0.0.2",
        f"--master_port={port}",
        "--join=True",
    ]
    program = tmp_path / "program.py"
    program.write_text(
        "from mindspore.communication import *\ninit()\n"
        "print('place', get_rank(), get_group_size(), get_local_rank(), get_local_rank_size())\n"
    )
    nodes = []
    for node in (0, 1):
        command = msrun_command(*shared, f"--node_rank={node}", f"--log_dir={tmp_path / str(node)}", program)
        nodes.append(
            subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
    outputs = [node.communicate(timeout=60)[0] for node in nodes]
    assert [node.returncode for node in nodes] == [0, 0], outputs
    assert "place 0 2 0 1" in outputs[0]
    assert "place 1 2 0 1" in (tmp_path / "1" / "worker_1.log").read_text()


def test_an_error_in_one_process_ends_the_others_in_words(tmp_path):
    processes = start_by_hand(PROGRAMS / "raising.py", [0, 1], 2, tmp_path)
    assert [process.wait(40) for process in processes] == [1, 1]
    assert "my own problem" in (tmp_path / "log_1.txt").read_text()
    assert "The processes of the job cannot go on together" in (tmp_path / "log_0.txt").read_text()


def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        (process,) = start_by_hand(
            PROGRAMS / "raising.py", [0], 2, tmp_path, MS_SCHED_HOST="127.0.0.1", MS_SCHED_PORT=port
        )
        assert process.wait(40) == 1
    assert f"cannot listen at 127.0.0.1:{port}" in (tmp_path / "log_0.txt").read_text()


def test_a_process_that_does_not_know_its_number_says_so():
    command = [sys.executable, str(PROGRAMS / "raising.py")]
    ended = subprocess.run(
        command, env=environment(RANK_SIZE="2"), capture_output=True, text=True, check=False, timeout=40
    )
    assert ended.returncode == 1
    assert "nothing says which one this is. Set RANK_ID or MS_NODE_ID" in ended.stderr


def test_a_mode_that_would_leave_every_process_alone_is_refused(tmp_path):
    processes = start_by_hand(PROGRAMS / "planned.py", [0, 1], 2, tmp_path)
    assert [process.wait(40) for process in processes] == [1, 1]
    for rank in (0, 1):
        assert "divides the work of 2 processes in graphs only" in (tmp_path / f"log_{rank}.txt").read_text()
