"""What ships around the source: the digits, the demo and the pinned versions."""

import gzip
import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from PIL import Image

from demo.mnist_sample import FOLDER, read_digits, read_idx

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Of the leading digits in the original files, as raw bytes.
ORIGINAL_PIXELS = {
    "train": "2e49afdffc567fd5f9f306a04e2bafced2432146ae04f4b9a58b25505ba05b2e",
    "test": "df444787d999dd3af3cacedb8feeb744f04b8b3303b18a61cff27a0ffc9b5b4c",
}


@pytest.mark.parametrize(("part", "count"), [("train", 10_000), ("test", 2_000)])
def test_the_sample_holds_the_original_digits(part: str, count: int) -> None:
    images, labels = read_digits(part)
    assert images.shape == (count, 28, 28)
    assert labels.shape == (count,)
    assert hashlib.sha256(images.tobytes() + labels.tobytes()).hexdigest() == ORIGINAL_PIXELS[part]


@pytest.mark.parametrize("part", ["train", "test"])
def test_the_classes_of_the_sample_are_about_equally_frequent(part: str) -> None:
    _, labels = read_digits(part)
    shares = np.bincount(labels, minlength=10) / len(labels)
    assert shares.min() > 0.08
    assert shares.max() < 0.12


def test_the_sample_is_small_and_names_its_licence() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 3_000_000
    assert "CC BY-SA 3.0" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_a_file_of_another_format_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "images.gz"
    path.write_bytes(gzip.compress(b"not digits"))
    with pytest.raises(ValueError, match=r"images\.gz is not an idx file of bytes: it begins with 6e 6f 74 20"):
        read_idx(path)


@pytest.mark.parametrize("mode", ["graph", pytest.param("pynative", marks=pytest.mark.heavy)])
def test_the_demo_learns_in_both_modes(mode: str, tmp_path: Path) -> None:
    options = ["--digits=2000", "--epochs=2", f"--mode={mode}", f"--output={tmp_path}"]
    command = [sys.executable, str(ROOT / "demo" / "train_mnist.py"), *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    accuracy = re.search(r"Test accuracy of the network reloaded from .*: ([\d.]+)%", run.stdout)
    assert accuracy is not None
    assert float(accuracy[1]) > 70  # a tenth would be guessing
    assert "\r" not in run.stdout + run.stderr
    with Image.open(tmp_path / "digits_and_loss.png") as picture:
        assert picture.width > 700
    assert list((tmp_path / "checkpoints").glob("lenet-2_63.ckpt"))


def pinned_versions() -> dict[str, str]:
    files = [ROOT / "requirements" / name for name in ("ci.txt", "docs.txt")]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}


@pytest.mark.parametrize(
    "text",
    [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"], *PROJECT["optional-dependencies"]["docs"]],
)
def test_every_dependency_is_pinned_within_its_range(text: str) -> None:
    requirement = Requirement(text)
    assert requirement.specifier.contains(pinned_versions()[canonicalize_name(requirement.name)])
