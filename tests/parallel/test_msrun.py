"""What msrun does with the processes it starts, whatever they compute."""

import ast
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mindspore.parallel import cluster
from mindspore.parallel.cluster import _cores, _ports, run
from tests.parallel.launching import environment, msrun, msrun_command

STUBBORN = """
import os, signal, subprocess, sys, time
rank = int(os.environ["RANK_ID"])
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
with open(f"{sys.argv[1]}/pids_{rank}.part", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(f"{sys.argv[1]}/pids_{rank}.part", f"{sys.argv[1]}/pids_{rank}")
while rank == 1 and not os.path.exists(f"{sys.argv[1]}/fail"):
    time.sleep(0.02)
if rank == 1:
    raise ValueError("the reason")
time.sleep(100)
"""


def started(folder: Path) -> tuple[subprocess.Popen, list[int]]:
    """Two processes with a child each, none of which ends when asked to."""
    program = folder / "stubborn.py"
    program.write_text(STUBBORN)
    command = msrun_command("--worker_num=2", f"--log_dir={folder}", "--join=True", program, folder)
    launcher = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    files = [folder / f"pids_{rank}" for rank in (0, 1)]
    deadline = time.monotonic() + 30
    while not all(file.exists() for file in files) and time.monotonic() < deadline:
        time.sleep(0.02)
    return launcher, [int(number) for file in files for number in file.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_the_first_failure_is_shown_and_ends_everything(tmp_path):
    launcher, pids = started(tmp_path)
    (tmp_path / "fail").touch()
    output, errors = launcher.communicate(timeout=20)
    assert launcher.returncode == 1
    assert errors.startswith(
        f"msrun: process 1 ended with exit code 1; the others are ended. The end of {tmp_path}/worker_1.log:"
    )
    assert errors.rstrip().endswith("ValueError: the reason")
    assert not any(map(is_running, pids))
    for rank in (0, 1):
        assert f"Start worker process with rank id:{rank}, log file:{tmp_path}/worker_{rank}.log. Environment variable [RANK_ID={rank}] is exported." in output  # fmt: skip


@pytest.mark.heavy
def test_ctrl_c_leaves_no_process_behind(tmp_path):
    launcher, pids = started(tmp_path)
    launcher.send_signal(signal.SIGINT)
    _, errors = launcher.communicate(timeout=20)
    assert launcher.returncode == 128 + signal.SIGINT
    assert errors == "msrun: SIGINT, all processes are ended.\n"
    assert not any(map(is_running, pids))


def test_the_processes_end_with_a_launcher_that_was_killed(tmp_path):
    launcher, pids = started(tmp_path)
    launcher.kill()
    launcher.communicate(timeout=20)
    deadline = time.monotonic() + 5
    while is_running(pids[0]) or is_running(pids[2]):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    for child in (pids[1], pids[3]):  # started by the processes, not by msrun
        os.kill(child, signal.SIGKILL)


def test_without_join_the_processes_go_on_alone(tmp_path):
    program = tmp_path / "program.py"
    names = [
        "MS_WORKER_NUM",
        "MS_SCHED_HOST",
        "MS_TOPO_TIMEOUT",
        "MS_ROLE",
        "MS_NODE_ID",
        "RANK_ID",
        "RANK_SIZE",
        "DEVICE_ID",
    ]
    program.write_text(
        "import json, os, sys\n"
        f"print(json.dumps([sys.argv[1:], {{name: os.environ[name] for name in {names}}}, sorted(os.sched_getaffinity(0))]))\n"
    )
    flags = ["--worker_num=2", f"--log_dir={tmp_path}/logs", "--worker_log_name=one", "--bind_core=True"]
    ended = msrun(*flags, program, "--worker_num=7")
    assert (ended.returncode, ended.stderr) == (0, "")
    logs = [tmp_path / "logs" / f"one_{rank}.log" for rank in (0, 1)]
    deadline = time.monotonic() + 20
    while not all(log.exists() and log.read_text().endswith("\n") for log in logs) and time.monotonic() < deadline:
        time.sleep(0.02)
    for rank, log in enumerate(logs):
        arguments, told, cores = json.loads(log.read_text())
        assert arguments == ["--worker_num=7"]
        values = ["2", "127.0.0.1", "600", "MS_WORKER", str(rank), str(rank), "2", str(rank)]
        assert told == dict(zip(names, values))
        assert cores == sorted(_cores.cores_by_worker(True, False, 2)[rank] or ())


# -- arguments ------------------------------------------------------------------------------------------------------------
def refusal(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        run.main(arguments)
    assert caught.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--worker_num=0", "x.py"], "must be at least 1, but got 0"),
        (["--master_port=80", "x.py"], "must be in range [1024, 65535], but got 80"),
        (["--join=yes", "x.py"], "must be True or False, but got 'yes'"),
        (["--worker_num=2", "--local_worker_num=3", "x.py"], "--local_worker_num (3) must not be more than --worker_num (2)."),
        (["--worker_num=4", "--local_worker_num=2", "--node_rank=2", "x.py"], "means the processes 4 to 5, but --worker_num is 4"),
        (["--worker_num=2", "there_is_no_such.py"], "there is no file 'there_is_no_such.py'"),
        (["--worker_num=2", "no_such_command"], "'no_such_command' is neither a .py file nor"),
        (["--worker_num=2", "--bind_core=some", "x.py"], "--bind_core must be True, False or a dict"),
        (["--worker_num=2", "--bind_core={'device5': ['0']}", "x.py"], "'device0' to 'device1'"),
        (["--worker_num=2", "--bind_core={'device0': ['5000']}", "x.py"], "to use the cores [5000], but this machine offers"),
        (["--worker_num=2", "--tail_worker_log=2", "x.py"], "--tail_worker_log must be a process, below 2, not 2"),
        ([], "task_script"),
    ],
)  # fmt: skip
def test_arguments_that_cannot_be_are_refused(arguments, text, capsys):
    assert text in refusal(capsys, *arguments)


def job(*arguments: str):
    return run._job(run._parser().parse_args(arguments))


def test_a_port_in_use_is_refused_when_asked_for_and_avoided_otherwise(tmp_path, capsys, monkeypatch):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        taken = listener.getsockname()[1]
        assert f"port {taken} of this machine, where process 0 would listen, is in use." in refusal(
            capsys, "--worker_num=2", f"--master_port={taken}", f"--log_dir={tmp_path}", "true"
        )
        monkeypatch.setattr(run, "_DEFAULT_PORT", taken)
        chosen = {
            worker.environment["MS_SCHED_PORT"]
            for worker in job("--worker_num=2", f"--log_dir={tmp_path}", "true").workers
        }
        assert len(chosen) == 1 and _ports.is_free(int(chosen.pop()))
        several = ["--worker_num=2", "--local_worker_num=1", f"--log_dir={tmp_path}"]
        assert "is in use" in refusal(capsys, *several, "--node_rank=0", "true")
        (elsewhere,) = job(
            *several, "--node_rank=1", "true"
        ).workers  # process 0, and so the port, is on another machine
        assert elsewhere.environment["MS_SCHED_PORT"] == str(taken)


def test_the_second_machine_continues_the_numbers(tmp_path):
    shared = ["--worker_num=4", "--local_worker_num=2", f"--log_dir={tmp_path}", "--master_addr=192.0.2.1"]
    workers = job(*shared, "--node_rank=1", "true").workers
    assert [worker.rank for worker in workers] == [2, 3]
    assert [worker.environment["DEVICE_ID"] for worker in workers] == ["0", "1"]
    assert {worker.environment["MS_SCHED_HOST"] for worker in workers} == {"192.0.2.1"}


def test_without_node_rank_the_processes_of_several_machines_are_numbered_when_they_meet(tmp_path, monkeypatch):
    monkeypatch.setenv("RANK_ID", "5")
    shared = ["--worker_num=4", "--local_worker_num=2", f"--log_dir={tmp_path}", "--master_addr=192.0.2.1"]
    for place, worker in enumerate(job(*shared, "true").workers):
        assert not {"RANK_ID", "MS_NODE_ID"} & set(worker.environment)
        assert worker.environment["MPI_LOCALRANKID"] == str(place)
        assert worker.name == f"process {place} of this machine"


def test_numbers_of_another_launcher_are_not_passed_on(tmp_path, monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "5")
    (worker,) = job("--worker_num=1", f"--log_dir={tmp_path}", "--cluster_time_out=-1", "true").workers
    assert "OMPI_COMM_WORLD_RANK" not in worker.environment
    assert int(worker.environment["MS_TOPO_TIMEOUT"]) > 10**6


def test_a_dry_run_is_one_process_that_compiles_alone(tmp_path):
    (worker,) = job("--worker_num=8", "--sim_level=0", "--sim_rank_id=3", f"--log_dir={tmp_path}", "true").workers
    assert worker.rank == 3
    told = {name: worker.environment[name] for name in ("MS_SIMULATION_LEVEL", "RANK_SIZE", "MS_DEV_PRECOMPILE_ONLY")}
    assert told == {"MS_SIMULATION_LEVEL": "0", "RANK_SIZE": "1", "MS_DEV_PRECOMPILE_ONLY": "1"}


def test_cores_are_shared_out_evenly():
    assert [sorted(share) for share in _cores._shares([0, 1, 2, 3, 4], 2)] == [[0, 1], [2, 3, 4]]
    assert [sorted(share) for share in _cores._shares([6, 7], 3)] == [[6], [7], [6]]
    every = sorted(os.sched_getaffinity(0))
    assert sorted(_cores.cores_by_worker(False, True, 1)[0] or ()) == every[: len(every)]
    assert _cores.cores_by_worker({"device1": [str(every[0])]}, False, 2) == [None, frozenset(every[:1])]


def test_the_launcher_itself_needs_the_standard_library_only():
    allowed = {"mindspore"} | set(sys.stdlib_module_names)
    for path in Path(cluster.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= allowed
            assert all(name.startswith("mindspore.parallel.cluster") for name in names if name.startswith("mindspore"))
