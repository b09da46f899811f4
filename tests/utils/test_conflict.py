"""A real MindSpore in the same environment is noticed before anything of ours is imported."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mindspore._utils import conflict
from mindspore._utils.conflict import refuse_mixed_installation

PACKAGE_FOLDER = Path(conflict.__file__).parents[1]


@pytest.fixture
def site_folder(tmp_path: Path) -> Path:
    """An installation folder that holds our package and some others."""
    folder = tmp_path / "lib" / "site-packages"
    for name in ("mindspore", "mycelium-0.1.0.dist-info", "numpy", "numpy-2.3.5.dist-info"):
        (folder / name).mkdir(parents=True)
    (folder / "mindspore" / "__init__.py").touch()
    return folder


def refuse(site_folder: Path, *more: Path) -> None:
    refuse_mixed_installation(str(site_folder / "mindspore"), [str(site_folder), *map(str, more)])


def test_our_package_alone_is_accepted(site_folder: Path) -> None:
    refuse(site_folder)


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        ("mindspore-2.10.0.dist-info", "mindspore 2.10.0"),
        ("mindspore_gpu-1.6.1.dist-info", "mindspore-gpu 1.6.1"),
        ("mindspore_ascend-1.1.0.dist-info", "mindspore-ascend 1.1.0"),
        ("mindspore_cpu-1.0.0.dist-info", "mindspore-cpu 1.0.0"),
        ("mindspore_dev-2.2.0.dev20230808.dist-info", "mindspore-dev 2.2.0.dev20230808"),
        ("MindSpore-1.2.0-py3.11.egg-info", "mindspore 1.2.0"),
    ],
)
def test_every_distribution_of_the_original_is_named_with_its_version(
    site_folder: Path, metadata: str, named: str
) -> None:
    (site_folder / metadata).mkdir()
    with pytest.raises(ImportError) as caught:
        refuse(site_folder)
    assert f"found {named} in {site_folder}" in str(caught.value)
    assert f"pip uninstall {named.split()[0]} " in str(caught.value)


@pytest.mark.parametrize(
    "other",
    ["mindspore_lite-2.3.0.dist-info", "mindspore_gl-0.2.dist-info", "mindspore-stubs", "mindsponge-1.0.dist-info"],
)
def test_packages_with_import_names_of_their_own_are_accepted(site_folder: Path, other: str) -> None:
    (site_folder / other).mkdir()
    refuse(site_folder)


def test_the_empty_distribution_that_answers_for_us_is_accepted(site_folder: Path) -> None:
    metadata = site_folder / "mindspore-2.10.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.4\nName: mindspore\nVersion: 2.10.0\nRequires-Dist: mycelium>=0.1\n")
    refuse(site_folder)
    metadata.write_text("Metadata-Version: 2.1\nName: mindspore\nVersion: 2.10.0\nRequires-Dist: numpy\n")
    with pytest.raises(ImportError, match=r"found mindspore 2\.10\.0"):
        refuse(site_folder)


def test_two_that_share_files_are_both_removed_before_ours_is_installed_again(site_folder: Path) -> None:
    (site_folder / "mindspore-2.10.0.dist-info").mkdir()
    with pytest.raises(ImportError, match="pip uninstall mindspore mycelium\nand install Mycelium again"):
        refuse(site_folder)


def test_an_original_elsewhere_on_the_path_is_noticed_and_ours_may_stay(site_folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "system" / "dist-packages"
    (elsewhere / "mindspore-2.10.0.dist-info").mkdir(parents=True)
    with pytest.raises(ImportError) as caught:
        refuse(site_folder, elsewhere)
    assert f"in {elsewhere}, Mycelium in {site_folder / 'mindspore'}" in str(caught.value)
    assert "pip uninstall mindspore\n" in str(caught.value)


def test_a_binary_of_the_original_among_our_files_is_noticed(site_folder: Path) -> None:
    (site_folder / "mindspore" / "_c_expression.cpython-311-x86_64-linux-gnu.so").touch()
    with pytest.raises(ImportError, match=r"contains '_c_expression.*\.so'"):
        refuse(site_folder)


def test_absent_folders_on_the_path_are_passed_over(site_folder: Path, tmp_path: Path) -> None:
    refuse(site_folder, tmp_path / "absent" / "site-packages", tmp_path / "python311.zip")


def test_importing_the_package_beside_an_original_fails_with_that_message(tmp_path: Path) -> None:
    original = tmp_path / "site-packages" / "mindspore-2.10.0.dist-info"
    original.mkdir(parents=True)
    path = os.pathsep.join([str(PACKAGE_FOLDER.parent), str(original.parent)])
    run = subprocess.run(
        [sys.executable, "-c", "import mindspore"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "ImportError: Mycelium and the original MindSpore are in the same environment" in run.stderr


def test_the_check_costs_well_under_a_millisecond() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        refuse_mixed_installation()
        return time.perf_counter() - start

    assert min(seconds() for _ in range(50)) < 0.001
