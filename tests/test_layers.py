"""What import-linter cannot see of the layers: attributes set from elsewhere, deferred imports, the size of a room."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "mindspore"
FILES = sorted(PACKAGE.rglob("*.py"))
NAMES = [path.relative_to(PACKAGE).as_posix() for path in FILES]
ROOMS = sorted({path.parent for path in FILES})
MOST_FILES = 25  # of a room, its __init__.py not counted

# Every use of `deferred`: a cycle that is real. Add one only if the two modules cannot be put in order.
DEFERRED = {
    ("_engine/interpreter/choice.py", "mindspore._engine.interpreter.program"),  # loaded at the first eager call
    ("_engine/interpreter/choice.py", "mindspore._engine.interpreter.open_form"),  # at the first shape
    ("_engine/interpreter/elementwise.py", "scipy.special"),  # slow to load, rarely needed
    ("_engine/syntax/objects.py", "mindspore._engine.syntax.watching"),  # special methods call rewritten code
    ("_engine/tensor/tensor.py", "mindspore._engine.execution.dispatch"),  # Tensor([tensor, tensor]) stacks them
    ("_engine/tensor/tensor_state.py", "mindspore._engine.execution.views"),  # who shares the elements
    ("_engine/tensor/tensor.py", "mindspore._engine.tensor.traced_number"),  # a kind of Tensor: item() in a graph
    ("_engine/tracing/invoke.py", "mindspore._engine.syntax.python_calls"),  # loaded at the first trace
    ("_engine/syntax/python_calls.py", "mindspore._engine.syntax.rewriter"),  # rewritten code calls rewritten code
    ("_ops/functional/loops.py", "mindspore._engine.syntax.loops"),  # loaded at the first trace
    ("_ops/functional/loops.py", "mindspore._engine.syntax.scans"),
    ("nn/probability/toolbox/uncertainty_evaluation.py", "mindspore.train"),  # a tool that trains
    ("train/_formats/export.py", "mindspore.train._mindir.loaded"),  # loaded with the first file: traces branches
    ("train/_formats/export.py", "mindspore.train._mindir.writing"),
    ("train/_formats/export.py", "mindspore.train._onnx.loaded"),
}

# Rooms whose classes have names that no other class of these rooms has, or that no other class of the package has.
DISTINCT = ("_engine/", "_kernels/", "_ops/", "numpy/", "scipy/", "ops/", "mint/")
UNIQUE = ("_kernels/", "_ops/")
# MindSpore's own: an operator and a layer, distribution, initializer or transform of the same name.
NAMESAKES = {
    "Bernoulli", "Cauchy", "Dropout", "Gamma", "Poisson", "Range", "Slice", "TensorArray", "TruncatedNormal", "Unique",
}  # fmt: skip


@functools.cache
def tree_of(name: str) -> ast.Module:
    """Parsed when a test asks: collecting the tests must not wait for a thousand files."""
    return ast.parse((PACKAGE / name).read_text())


def trees() -> list[tuple[str, ast.Module]]:
    return [(name, tree_of(name)) for name in NAMES]


def imported_modules(tree: ast.Module) -> set[str]:
    """Names in a file that stand for modules of this package."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mindspore"):
            folder = PACKAGE.parent.joinpath(*node.module.split("."))
            for alias in node.names:
                if (folder / f"{alias.name}.py").exists() or (folder / alias.name).is_dir():
                    names.add(alias.asname or alias.name)
        elif isinstance(node, ast.Import):
            names |= {alias.asname for alias in node.names if alias.name.startswith("mindspore") and alias.asname}
    return names


def set_attributes(tree: ast.Module) -> list[tuple[str, int]]:
    """Dotted targets of assignments and of ``setattr``, with their lines."""
    found = []
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
            found.append((ast.unparse(node.args[0]), node.lineno))
        for target in targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                    found.append((part.value.id, node.lineno))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_module_sets_attributes_of_another(name):
    modules = imported_modules(tree_of(name))
    assert [where for where in set_attributes(tree_of(name)) if where[0] in modules] == []


def test_tensor_members_are_attached_in_one_way():
    setting = {name for name, tree in trees() if any(owner == "Tensor" for owner, _ in set_attributes(tree))}
    assert setting == {"_engine/tensor/members.py"}


def test_deferred_imports_are_the_listed_ones():
    found = set()
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "deferred":
                found.add((name, ast.literal_eval(node.args[0])))
    assert found == DEFERRED


def test_rooms_are_small_and_say_what_they_are_for():
    for room in ROOMS:
        if room == PACKAGE / "ops" / "operations":  # MindSpore's own module paths, generated
            continue
        files = [path for path in room.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= MOST_FILES, room
    for parent in ("_engine", "_ops"):
        for room in (PACKAGE / parent).iterdir():
            if (room / "__init__.py").exists():
                assert (room / "README.md").exists(), room


def classes_by_name() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(name)
    return found


def test_no_class_of_a_private_room_shares_its_name():
    shared = {name: files for name, files in classes_by_name().items() if len(files) > 1 and name not in NAMESAKES}
    assert {name: files for name, files in shared.items() if sum(file.startswith(DISTINCT) for file in files) > 1} == {}
    assert {name: files for name, files in shared.items() if any(file.startswith(UNIQUE) for file in files)} == {}


def test_listed_namesakes_are_still_two_classes():
    classes = classes_by_name()
    assert [name for name in sorted(NAMESAKES) if len(classes.get(name, ())) < 2] == []


def exported_names() -> dict[str, set[str]]:
    """The names in every ``__all__`` of a top-level package."""
    found: dict[str, set[str]] = {}
    for name, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                strings = [str(part.value) for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
                found.setdefault(name.split("/")[0], set()).update(strings)
    return found


def test_only_public_classes_of_public_packages_share_a_name():
    exported = exported_names()
    shared = {}
    for name, files in classes_by_name().items():
        files = [file for file in files if not file.startswith(DISTINCT)]
        if len(files) > 1 and not all(name in exported.get(file.split("/")[0], ()) for file in files):
            shared[name] = files
    assert shared == {}
