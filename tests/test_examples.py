"""The programs in examples run, and print what they are meant to show."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if 'if __name__ == "__main__"' in path.read_text("utf-8"))

# What must be in the output, as regular expressions.
SHOWN = {
    "callbacks_and_summaries": [
        r"epoch 1: mean loss \d\.\d+, \{'accuracy': [\d.]+, 'eval_loss': [\d.]+\}, rate is now 0\.002",
        r"history: \{'net_output': \d, 'accuracy': \d\}",
        r"accuracy of the best weights: 0\.\d+",
    ],
    "custom_training_cell": [r"by hand, epoch 2: loss [\d.]+, gradient [\d.]+", r"by Model, epoch 2: loss [\d.]+"],
    "custom_training_loop": [r"sinking: 4 calls of 4 steps, the same losses", r"data_sink: 4 calls .* the same losses"],
    "distributed_data_parallel": [r"processes: 1, all have the same weights: True", r"accuracy: 0\.\d+"],
    "export_and_serve": [
        r"exported: \['digits\.mindir', 'digits\.onnx'\]",
        r"predicted 256 images in batches of 64: \d+\.\d% right",
        r"the server says (\[.*\]) and the file says \1",
    ],
    "functional_training": [
        r"loss scale 1024",
        r"the best so far: saved",
        r"best\.ckpt is of epoch \d, accuracy 0\.\d+",
    ],
    "mixed_precision": [
        r"full precision: loss [\d.]+ to [\d.]+; weights are Float32",
        r"O2, dynamic scale: .*, [1-4] steps skipped, scale 262144.0 to (131072|65536|32768|16384).0; weights are Float32",
        r"the large layer gives Float16, the small one Float32",
    ],
    "pynative_and_graph": [
        r"both modes agree: True",
        r"hook in a function saw \[2\.0\] gradients are \[4\.0, 4\.0\]",
        r"bprop gives \[4\.0, 1\.0\]",
        r"an error: For 'matmul'",
        r"weights differ by less than 1e-4: True",
    ],
    "quick_start": [
        r"27\.0 in the middle",
        r"epoch: 2 step: 8, loss is \d",
        r"evaluation: accuracy 0\.\d+",
        r"prediction:",
    ],
    "resume_training": [
        r"killed after step 12 \(exit status -9\); left behind: \['backup\.ckpt'\]",
        r"started again: 16 of 24 steps were left; cleaned up: \[\]",
        r"bit for bit those of an uninterrupted training: True",
    ],
    "transfer_learning": [
        r"not in the file, so as initialized: \['fc3\.weight', 'fc3\.bias'\] not used: \[\]",
        r"changed: \['fc3\.weight', 'fc3\.bias'\]",
        r"accuracy of even or odd: 0\.\d+ before, 0\.\d+ after",
    ],
}


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_example_is_expected_to_show_something() -> None:
    assert list(SHOWN) == PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_shows_what_it_promises(name: str, tmp_path: Path) -> None:
    shown = run([sys.executable, str(FOLDER / f"{name}.py"), "--smoke"], tmp_path)
    assert [pattern for pattern in SHOWN[name] if not re.search(pattern, shown)] == [], shown


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_table_of_examples_names_every_example(name: str) -> None:
    assert f"[{name}.py]({name}.py)" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.heavy
def test_two_processes_train_one_network(tmp_path: Path) -> None:
    launcher = shutil.which("mpirun")
    assert launcher, "this test needs mpirun"
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    program = str(FOLDER / "distributed_data_parallel.py")
    shown = run([launcher, *as_root, "--oversubscribe", "-n", "2", sys.executable, program, "--smoke"], tmp_path)
    assert "epoch 1: 8 steps per process" in shown
    assert "processes: 2, all have the same weights: True" in shown
