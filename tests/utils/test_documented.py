"""Public classes and functions name MindSpore's documented modules, and everything that goes by the name still works."""

import contextlib
import functools
import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys
import typing
from collections import defaultdict
from pathlib import Path

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._utils.compat import private_paths
from mindspore._utils.documented import written_in
from mindspore._utils.documents.documented_modules import DOCUMENTED


@functools.cache
def public_things():
    """Every class and function of ours that a public package or module shows, with the places and names."""
    found = defaultdict(set)
    for module in public_modules("mindspore"):
        for name, thing in list(vars(module).items()):
            if (module.__name__, name) in private_paths.looked_up:
                continue
            known = inspect.isclass(thing) or inspect.isfunction(thing)
            if known and not name.startswith("_") and (thing.__module__ or "").startswith("mindspore."):
                found[thing].add((module.__name__, name))
    return found


def public_modules(name):
    module = importlib.import_module(name)
    yield module
    for one in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if not one.name.startswith("_") and one.name != "worker_main":
            yield from public_modules(f"{name}.{one.name}")


@functools.cache
def facts():
    """What MindSpore documents: (package, name) -> module."""
    return {
        (package, name): home
        for package, homes in DOCUMENTED.items()
        for home, names in homes.items()
        for name in names.split()
    }


# Modules of MindSpore that cannot be imported here, since their package is a module or has a function of that name.
WITHOUT_PLACE = {
    "mindspore.mint.optim.adam",
    "mindspore.mint.optim.adamw", "mindspore.mint.optim.fused_adamw", "mindspore.mint.optim.sgd",
    "mindspore.nn.sparse.sparse", "mindspore.parallel.parameter_broadcast", "mindspore.rewrite.node.node",
    "mindspore.rewrite.symbol_tree.symbol_tree", "mindspore.run_check.run_check",
    "mindspore.scipy.optimize.line_search", "mindspore.scipy.optimize.linear_sum_assignment",
    "mindspore.scipy.optimize.minimize", "mindspore.tools.stress_detect", "mindspore.utils.stress_detect",
}  # fmt: skip


def resolved(module, name):
    thing = importlib.import_module(module)
    for part in name.split("."):
        thing = getattr(thing, part, None)
    return thing


def test_public_things_name_the_documented_module():
    """One thing of ours may be several of MindSpore's: then it has the name of one of them."""
    wrong = []
    for thing, places in public_things().items():
        documented = {(facts()[place], place[1]) for place in places if place in facts()}
        documented = {one for one in documented if one[0] not in WITHOUT_PLACE}
        method = "." in thing.__qualname__  # mindspore.from_numpy is Tensor's
        if documented and not method and (thing.__module__, thing.__qualname__) not in documented:
            wrong.append((f"{thing.__module__}.{thing.__qualname__}", documented))
    assert not wrong
    assert len(public_things()) > 3000


def test_public_things_are_found_by_their_names():
    wrong = []
    for thing in public_things():
        found = resolved(thing.__module__, thing.__qualname__)
        if found is not thing:
            wrong.append((f"{thing.__module__}.{thing.__qualname__}", written_in(thing), found))
    assert not wrong


@pytest.mark.parametrize("package", ["mindspore", "nn", "ops", "dataset", "dataset.vision", "train", "numpy", "mint"])
def test_what_a_package_publishes_does_not_name_private_modules(package):
    """Classes; callbacks are in private modules in MindSpore too."""
    module = importlib.import_module("mindspore" if package == "mindspore" else f"mindspore.{package}")
    own = [one for one in vars(module).items() if not one[0].startswith("_") and inspect.isclass(one[1])]
    documented = set(facts().values())
    private = [name for name, one in own if "._" in one.__module__ and one.__module__ not in documented]
    assert [name for name in private if getattr(module, name).__name__ == name] == []


def test_well_known_names():
    assert Tensor.__module__ == "mindspore.common.tensor"
    assert Parameter.__module__ == "mindspore.common.parameter"
    assert repr(nn.Dense) == "<class 'mindspore.nn.layer.basic.Dense'>"
    assert ms.dataset.MnistDataset.__module__ == "mindspore.dataset.engine.datasets_vision"
    assert ops.MatMul.__module__ == "mindspore.ops.auto_generate.gen_ops_prim"
    assert ms.train.LossMonitor.__module__ == "mindspore.train.callback._loss_monitor"


def test_sources_of_classes_are_found():
    for thing in (Tensor, Parameter, nn.Dense, nn.Conv2d, nn.Cell, ms.dataset.MnistDataset, ms.train.Model):
        first = next(line for line in inspect.getsource(thing).splitlines() if line[0] not in "@) ")  # below decorators
        assert first.startswith(f"class {thing.__name__}")
    for thing in filter(inspect.isclass, public_things()):
        text = inspect.getsource(sys.modules[written_in(thing)])
        if f"\nclass {thing.__name__}" in text:
            assert inspect.getsource(thing) in text


def test_annotations_of_classes_are_understood_in_the_module_they_name():
    wrong = []
    for thing in filter(inspect.isclass, public_things()):
        if thing.__module__ != written_in(thing) and "__annotations__" in vars(thing):
            try:
                typing.get_type_hints(thing)
            except NameError as error:
                here = vars(sys.modules[written_in(thing)])
                with contextlib.suppress(NameError):  # of names for type checkers alone
                    typing.get_type_hints(thing, here)
                    wrong.append((thing, error))
    assert not wrong


def test_pickles_go_by_the_documented_name_and_old_ones_are_read():
    for thing in public_things():
        assert pickle.loads(pickle.dumps(thing)) is thing
    assert pickle.loads(b"cmindspore._engine.tensor\nTensor\n.") is Tensor
    assert pickle.loads(b"cmindspore.nn.layer._dense\nDense\n.") is nn.Dense
    assert pickle.loads(b"cmindspore._engine.parameter\nParameter\n.") is Parameter
    assert pickle.loads(b"cmindspore._engine.compiler\nJitConfig\n.") is ms.JitConfig
    assert pickle.loads(b"cmindspore.dataset.vision._resizing\nResize\n.") is ms.dataset.vision.Resize
    assert pickle.loads(b"cmindspore.dataset.engine._mnist\nMnistDataset\n.") is ms.dataset.MnistDataset
    assert b"mindspore.common.tensor" in pickle.dumps(Tensor)


def test_modules_of_one_name_with_a_function_leave_it_visible():
    importlib.import_module("mindspore.ops.function.grad.grad_func")
    assert inspect.isfunction(ops.function.grad)
    assert resolved("mindspore.ops.function.grad.grad_func", "grad") is ms.grad


def test_datasets_name_their_modules_without_loading_xla():
    code = (
        "import runpy, sys\n"
        "worker = runpy.run_path(sys.argv[1])\n"
        "worker['enter_package'](sys.argv[2])\n"
        "import pickle\n"
        "kinds = pickle.loads(bytes.fromhex(sys.argv[3]))\n"
        "print([kind.__module__ for kind in kinds], 'jax' in sys.modules)\n"
    )
    kinds = [ms.dataset.MnistDataset, ms.dataset.vision.HWC2CHW, ms.dataset.transforms.Compose, ms.dataset.text.Lookup]
    worker = str(Path(ms.__file__).parent / "dataset" / "_pipeline" / "worker_main.py")
    folder = inspect.getfile(ms).rpartition("/")[0]
    command = [sys.executable, "-c", code, worker, folder, pickle.dumps(kinds).hex()]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert answer.strip() == f"{[kind.__module__ for kind in kinds]} False"
