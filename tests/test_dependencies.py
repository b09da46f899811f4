"""What the source imports is what the package asks for: a fresh install has no more than that."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import mindspore as ms

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "mindspore"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {"cv2": "opencv-python-headless", "PIL": "pillow"}  # where the import has another name
IMPORTED_BY_JAX = {"flatbuffers"}  # by jax.export, without being one of its own dependencies
IMPORTERS = {"import_module", "_import_module", "find_spec", "__import__", "submodule", "_submodule", "deferred"}
NAMED = re.compile(r"""f?["'](?:\{__name__\}|(?P<written>[\w.]+))|__name__$""")  # by a text, or the package that asks
# These import what their callers name, and those are looked at, or modules of this package that have moved.
ASKED = {
    SOURCE / "_utils" / name
    for name in (
        "submodules.py",
        "deferred.py",
        "compat/moved_modules.py",
        "compat/private_paths.py",
        "compat/stand_ins.py",
    )
}
ASKED |= {SOURCE / folder / "_elsewhere.py" for folder in ("ops", "_c_expression")}  # or that a table of theirs names


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """Names of modules in import statements, and in calls that import by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and node.args and called(node.func) in IMPORTERS:
            for text in texts_of(node.args[0], tree):
                named = NAMED.match(text)
                assert named, f"line {node.lineno}: the package must be plain to see in {text}"
                yield named["written"] or "mindspore"


def texts_of(argument: ast.expr, tree: ast.AST) -> list[str]:
    """What is written for an argument; where it is the variable of a loop over a list of texts, those."""
    name = ast.unparse(argument)
    loops = [one for one in ast.walk(tree) if isinstance(one, ast.For) and ast.unparse(one.target) == name]
    lists = [one.iter.elts for one in loops if isinstance(one.iter, (ast.Tuple, ast.List))]
    return [ast.unparse(one) for elements in lists for one in elements] or [name]


def called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def distributions_used() -> dict[str, set[str]]:
    """The distributions that the source imports from, each with the files that do."""
    found: dict[str, set[str]] = {}
    for path in set(SOURCE.rglob("*.py")) - ASKED:
        for module in imported_modules(ast.parse(path.read_text(encoding="utf-8"))):
            top = module.partition(".")[0]
            if top != "mindspore" and top not in sys.stdlib_module_names:
                name = canonicalize_name(DISTRIBUTIONS.get(top, top))
                found.setdefault(name, set()).add(str(path.relative_to(SOURCE)))
    return found


def names_of(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


EXTRAS = {
    name: extra
    for extra, requirements in PROJECT["optional-dependencies"].items()
    if extra
    not in ("dev", "docs", "gpu", "jax", "all")  # for the site, another device, recipes, and the others together
    for name in names_of(requirements)
}


def test_everything_imported_is_declared_and_everything_declared_is_imported() -> None:
    used, declared = distributions_used(), names_of(PROJECT["dependencies"])
    assert {name: files for name, files in used.items() if name not in declared | EXTRAS.keys()} == {}
    assert declared | EXTRAS.keys() == used.keys() | IMPORTED_BY_JAX


@pytest.mark.parametrize("distribution", sorted(EXTRAS))
def test_files_that_import_an_extra_say_how_to_install_it(distribution: str) -> None:
    for file in distributions_used()[distribution]:
        text = (SOURCE / file).read_text(encoding="utf-8")
        assert f"mycelium[{EXTRAS[distribution]}]" in text, file
        assert not re.search(rf"^(import|from) {distribution}\b", text, re.MULTILINE), f"{file} imports it at once"


def test_an_import_by_a_name_that_is_computed_is_noticed() -> None:
    with pytest.raises(AssertionError, match="line 1"):
        list(imported_modules(ast.parse("importlib.import_module(name)")))
    assert list(imported_modules(ast.parse("importlib.import_module(f'onnx.{name}')"))) == ["onnx."]
    loop = "for name in ('onnx', 'mindspore.nn'):\n    importlib.import_module(name)"
    assert list(imported_modules(ast.parse(loop))) == ["onnx", "mindspore.nn"]


def test_the_distribution_called_mindspore_has_the_version_of_the_api() -> None:
    assert importlib.metadata.version("mindspore") == ms.__version__
    assert importlib.metadata.requires("mindspore") == ["mycelium<0.2,>=0.1"]
    assert not [one for one in importlib.metadata.files("mindspore") or [] if one.suffix == ".py"]


@pytest.mark.heavy
def test_another_version_of_that_distribution_can_be_built(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(tmp_path),
        str(ROOT / "shim"),
    ]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "MINDSPORE_SHIM_VERSION": "2.6.0"}
    subprocess.run([*command, "--no-build-isolation"], env=environment, check=True)
    assert [path.name for path in tmp_path.glob("*.whl")] == ["mindspore-2.6.0-py3-none-any.whl"]
