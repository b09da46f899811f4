"""The project in examples/scaffold as a cloud job: files are copied before and after by a stand-in for ModelArts' library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCAFFOLD = Path(__file__).resolve().parents[1] / "examples" / "scaffold"
MOXING = """
import os, shutil, types
def copy_parallel(source, target):
    with open(os.environ["COPIES"], "a") as log:
        log.write(f"{source} -> {target}\\n")
    shutil.copytree(source, target, dirs_exist_ok=True)
file = types.SimpleNamespace(copy_parallel=copy_parallel)
"""
PROGRAM = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from src.model_utils.config import config
from src.model_utils.moxing_adapter import get_rank_id, moxing_wrapper
@moxing_wrapper(pre_process=lambda: print("before"), post_process=lambda: print("after"))
def work():
    from pathlib import Path
    text = (Path(config.data_path) / "digits.txt").read_text()
    (Path(config.output_path) / f"result_{get_rank_id()}.txt").write_text(f"{text} {config.device_num} {config.device_id}")
    return 7
print("result", work())
"""


def started(folder: Path, rank: int, *options: str) -> subprocess.Popen:
    told = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    told |= {"RANK_ID": str(rank), "DEVICE_ID": str(rank), "RANK_SIZE": "2", "COPIES": str(folder / "copies.txt")}
    told |= {"TMPDIR": str(folder), "JOB_ID": "job7"}
    command = [
        sys.executable,
        folder / "program.py",
        SCAFFOLD,
        "--enable_modelarts=True",
        f"--data_url={folder}/data_url",
    ]
    command += [
        f"--data_path={folder}/data",
        f"--output_path={folder}/output",
        f"--train_url={folder}/train_url",
        *options,
    ]
    return subprocess.Popen(
        list(map(str, command)), env=told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.heavy
def test_a_cloud_job_copies_its_files_once_for_all_processes(tmp_path):
    (tmp_path / "moxing.py").write_text(MOXING)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "data_url").mkdir()
    (tmp_path / "data_url" / "digits.txt").write_text("7 2 1 0")
    processes = [started(tmp_path, rank) for rank in (1, 0)]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert [out.split() for out, _ in outputs] == [["before", "after", "result", "7"]] * 2
    assert (tmp_path / "output" / "result_1.txt").read_text() == "7 2 1 0 2 1"
    copies = (tmp_path / "copies.txt").read_text().splitlines()
    assert copies == [f"{tmp_path}/data_url -> {tmp_path}/data", f"{tmp_path}/output -> {tmp_path}/train_url"]
    assert (tmp_path / "train_url" / "result_0.txt").exists()


@pytest.mark.heavy
def test_a_copy_that_fails_ends_the_processes_that_wait_for_it(tmp_path):
    (tmp_path / "moxing.py").write_text(MOXING)
    (tmp_path / "program.py").write_text(PROGRAM)
    processes = [started(tmp_path, rank) for rank in (1, 0)]
    (_, waiting), (_, failing) = (process.communicate(timeout=60) for process in processes)
    assert [process.returncode for process in processes] == [1, 1]
    assert "FileNotFoundError" in failing
    assert f"{tmp_path}/data_url was not copied to {tmp_path}/data: see the log of the first process" in waiting
