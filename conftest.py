"""What tests and the examples in docstrings share: a clean context, and both execution modes."""

from __future__ import annotations

import atexit
import doctest
import gc
import os
import resource
import shutil
import sys
import tempfile
import types
from collections.abc import Generator
from pathlib import Path

# Tests compile much and compute little: a third of the compiler's work is enough. Set before XLA starts, and for child
# processes.
os.environ.setdefault(
    "XLA_FLAGS",
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true --xla_cpu_use_fusion_emitters=false",
)

# What an earlier run has compiled must not spare this one a trace that a test looks at: the run has a cache of its own.
if "MYCELIUM_CACHE_DIR" not in os.environ:
    os.environ["MYCELIUM_CACHE_DIR"] = tempfile.mkdtemp(prefix="mycelium-tests-")
    atexit.register(shutil.rmtree, os.environ["MYCELIUM_CACHE_DIR"], ignore_errors=True)

import jax
import pytest

import mindspore as ms
from mindspore._ops.effects import printing
from mindspore._utils.documented import written_in
from mindspore.communication import release
from mindspore.train.summary import summary_record
from tests import example_data, sampling

collect_ignore = ["tests/parallel/programs"]  # started by tests, as programs of several processes
_SOURCE = Path(__file__).parent / "src" / "mindspore"
_MOST_RESIDENT = 4 * 2**30  # bytes of one process
gc.disable()  # while tests are collected: tens of thousands of objects, all of which stay
_belongs = doctest.DocTestFinder._from_module  # type: ignore[attr-defined]


def _from_module(finder, module, thing):
    """Examples are taken from the file a thing is written in, whichever module it names."""
    if module is not None and isinstance(thing, (type, types.FunctionType)) and written_in(thing) != thing.__module__:
        return written_in(thing) == module.__name__
    return _belongs(finder, module, thing)


doctest.DocTestFinder._from_module = _from_module  # type: ignore[attr-defined]


@pytest.fixture(autouse=True, scope="module")
def _bounded_memory():
    """What thousands of tests have compiled is dropped now and then."""
    yield
    if not os.path.exists("/proc/self/statm"):
        return
    with open("/proc/self/statm", encoding="ascii") as file:
        resident = int(file.read().split()[1]) * resource.getpagesize()
    if resident > _MOST_RESIDENT:
        jax.clear_caches()
        gc.collect()


@pytest.fixture(autouse=True)
def _clean_process():
    """Every test starts and ends with the default settings, outside of a job, and with nobody who listens to summaries."""
    yield
    ms.context.reset_auto_parallel_context()
    ms.context.reset_context()
    release()
    printing.remove_summary_sinks()
    summary_record.SUMMARY_TENSOR_CACHE.clear()
    if pipelines := sys.modules.get("mindspore.dataset.core.config"):
        pipelines._settings.__init__()


@pytest.fixture(scope="session")
def folder_of_examples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    example_data.make(folder)
    return folder


@pytest.fixture(autouse=True)
def _data_of_examples(request, monkeypatch):
    """Examples that read files find them below ``data``."""
    if '"data/' in getattr(getattr(request.node, "dtest", None), "docstring", ""):
        monkeypatch.chdir(request.getfixturevalue("folder_of_examples"))


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    """Run the test in both modes."""
    ms.set_context(mode=request.param)
    return request.param


def pytest_configure(config: pytest.Config) -> None:
    """Decide what this run looks at before worker processes start, which inherit it."""
    sampling.seed(), sampling.changed()


def pytest_report_header(config: pytest.Config) -> str:
    changed = ", ".join(sorted(name.removeprefix("mindspore.") for name in sampling.changed())) or "none"
    return f"sample of operators: {sampling.SEED}={sampling.seed()} (changed, so all of them: {changed})"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list, list]:
    """Examples are looked for only in files of the package that have some: importing the others takes seconds."""
    found = yield
    if file_path.is_relative_to(_SOURCE) and (file_path.name == "__init__.py" or b">>>" in file_path.read_bytes()):
        return found  # documentation of Primitive classes is generated, and appears in packages
    return [one for one in found if type(one).__name__ != "DoctestModule"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the examples of operators a sixth by default, others at each commit; all of them with ``-m heavy``."""
    for item in items:
        name = getattr(getattr(item, "dtest", None), "name", "")
        sampled = name.startswith(("mindspore._ops.", "mindspore.ops.", "mindspore.numpy."))
        if sampled and sampling.share(name, 6) and not sampling.is_changed(name):
            item.add_marker(pytest.mark.heavy)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """From here on collect garbage, rarely: what was compiled is kept, and looking through all of it takes a second."""
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000, 20, 50)
        gc.enable()
