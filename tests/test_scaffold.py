"""The project in examples/scaffold: its configuration, its programs, its scripts."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCAFFOLD = Path(__file__).resolve().parents[1] / "examples" / "scaffold"


def yaml_file():
    spec = importlib.util.spec_from_file_location("yaml_file", SCAFFOLD / "src" / "model_utils" / "yaml_file.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lr: 0.1\nepochs: 3\nlr: 0.2\n", "line 3, key 'lr': it was given before, in line 1."),
        ("epochs: 3\nlr: 1e-3\n", "line 2, key 'lr': it is text, not a number: write 1.0e-3, or quote it."),
        ("lr: 1e3\n", "line 1, key 'lr': it is text, not a number: write 1.0e+3, or quote it."),
        ("a: 1\nb: [1, 2\nc: 3\n", "line 3: "),
        ("a: 1\n  b: 2\n", "line 2: mapping values are not allowed here"),
        ("- 1\n- 2\n", "line 1: expected lines of the form 'key: value'."),
        ("rate: 1.0\n---\nratee: 'speed'\n", "line 3, key 'ratee': it is explained here, but has no value in the first document. Did you mean 'rate'?"),
        ("x: 1\nmode: grap\n---\n{}\n---\nmode: [graph, pynative]\n", "line 2, key 'mode': 'grap' is not one of ['graph', 'pynative']. Did you mean 'graph'?"),
        ("a: 1\n---\na: b\n---\na: [1]\n---\nb: 1\n", "has 4 documents"),
        ("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", "line 5, key 'c': it was given before, in line 3."),
        ("a: 1\nb: !number 3\n", "line 2: could not determine a constructor for the tag '!number'"),
        ("a: 1\n? [b, c]\n: 2\n", "line 2: a key must be a word, not a list or a mapping."),
        ("a: 1\nb: \x07\n", "line 2: it has a character that YAML in UTF-8 does not allow."),
        ("a: 1\n\tb: 2\n", "line 2: found character '\\t' that cannot start any token"),
        ("a: 1\n---\na: 7\n", "line 3, key 'a': it is explained by 7, which is no text: quote it."),
        ("a: 1\n---\na: b\n---\na: 1\n", "line 5, key 'a': it is allowed 1 here: write a list, [1]."),
    ],
)  # fmt: skip
def test_a_mistake_in_a_configuration_is_located(text, message, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    module = yaml_file()
    with pytest.raises(module.ConfigError) as caught:
        module.read_documents(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def run(*command: object, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "bin").mkdir(exist_ok=True)
    for name, call in (("python", ""), ("msrun", " -m mindspore.parallel.cluster.run")):
        script = folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec {sys.executable}{call} "$@"\n')
        script.chmod(0o755)
    told = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    told["TMPDIR"] = str(folder)
    told["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"
    return subprocess.run(
        [*map(str, command)], cwd=folder, env=told, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_configuration_is_changed_by_the_command_line(tmp_path):
    program = (
        f"import sys; sys.path.insert(0, {str(SCAFFOLD)!r})\n"
        "from src.model_utils.config import config\n"
        "print(config.lr, config.smoke, config.context_mode, config.batch_size)\n"
        "config.epoch_sise\n"
    )
    (tmp_path / "program.py").write_text(program)
    ended = run("python", "program.py", "--lr=0.5", "--smoke", "--context_mode=pynative", folder=tmp_path)
    assert ended.stdout == "0.5 True pynative 32\n"
    assert "the configuration has no key 'epoch_sise'. Did you mean 'epoch_size'?" in ended.stderr
    wrong = run("python", "program.py", "--context_mode=grahp", folder=tmp_path)
    assert (wrong.returncode, "invalid choice: 'grahp'" in wrong.stderr) == (2, True)
    missing = run("python", "program.py", "--config_path=none.yaml", folder=tmp_path)
    assert (missing.returncode, missing.stderr) == (1, "configuration: there is no configuration file none.yaml. Is --config_path right?\n")  # fmt: skip


def test_a_copy_within_the_project_finds_the_configuration(tmp_path):
    copy = tmp_path / "scripts" / "train_parallel0"
    copy.mkdir(parents=True)
    shutil.copytree(SCAFFOLD / "src", copy / "src")
    shutil.copy(SCAFFOLD / "default_config.yaml", tmp_path)
    (copy / "program.py").write_text("from src.model_utils.config import config\nprint(config.config_path)\n")
    ended = run("python", copy / "program.py", "--config_path=", folder=tmp_path)
    assert ended.stdout == f"{tmp_path}/default_config.yaml\n", ended.stderr


def test_training_and_evaluation_run_alone(tmp_path):
    trained = run("python", SCAFFOLD / "train.py", "--smoke", f"--output_path={tmp_path}", folder=tmp_path)
    assert trained.returncode == 0, trained.stderr
    assert "run standalone!" in trained.stdout
    assert "trained 1 epochs of 16 steps as process 0 of 1" in trained.stdout
    checked = run("python", SCAFFOLD / "eval.py", "--smoke", f"--output_path={tmp_path}", folder=tmp_path)
    assert "result: {'top_1_accuracy'" in checked.stdout or "result: {'top_5_accuracy'" in checked.stdout, (
        checked.stderr
    )
    assert f"ckpt= {tmp_path}/checkpoint/rank_0/digits-1_16.ckpt" in checked.stdout


@pytest.mark.heavy
@pytest.mark.parametrize(
    "script", ["run_distribute_train.sh", "run_distribute_train_mpirun.sh", "run_distribute_train_processes.sh"]
)
def test_two_processes_train_by_every_script(script, tmp_path):
    project = tmp_path / "project"
    shutil.copytree(SCAFFOLD, project)
    data = importlib.util.spec_from_file_location("mnist_sample", SCAFFOLD.parents[1] / "demo" / "mnist_sample.py")
    module = importlib.util.module_from_spec(data)
    data.loader.exec_module(module)
    module.unpack(tmp_path / "mnist")
    options = ["--smoke", f"--data_path={tmp_path / 'mnist'}", f"--output_path={tmp_path / 'output'}"]
    ended = run("bash", project / "scripts" / script, 2, project / "default_config.yaml", *options, folder=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    written = ended.stdout + "".join(path.read_text() for path in project.glob("scripts/train_parallel*/log.txt"))
    for rank in (0, 1):
        assert f"trained 1 epochs of 8 steps as process {rank} of 2" in written
        assert list((tmp_path / "output" / "checkpoint" / f"rank_{rank}").glob("*.ckpt"))


@pytest.mark.heavy
def test_a_trained_network_is_exported(tmp_path):
    run("python", SCAFFOLD / "train.py", "--smoke", f"--output_path={tmp_path}", folder=tmp_path)
    ended = run("python", SCAFFOLD / "export.py", f"--output_path={tmp_path}", folder=tmp_path)
    assert f"written: {tmp_path}/digits.mindir" in ended.stdout, ended.stderr
    assert (tmp_path / "digits.mindir").stat().st_size > 1000
