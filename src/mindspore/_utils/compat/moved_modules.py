"""Modules under the private paths of earlier versions, for pickles that name them.

A class says the documented module it belongs to (``documented.py``), so new pickles never name these paths.
"""

from __future__ import annotations

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from mindspore._utils.compat import private_paths
from mindspore._utils.folders import PACKAGE

_GATHERED = ("nn.layer", "dataset.vision")  # their private modules stand in `_implementation`, without the underscore
_ROOMS = ("_engine", "_ops")  # their modules stand in one of the rooms, most under the same name
_RENAMED = {
    "_engine.compiler": "_engine.graph.jit",
    "_engine.lazy": "_engine.tensor.deferred_init",
    "_ops.counted": "_ops.array.dynamic_shape",
    "_ops.counted_forms": "_ops.array.dynamic_shape_primitives",
    "dataset.engine._annotated_images": "dataset._sources.image.annotated",
    "dataset.engine._captions": "dataset._sources.image.captions",
    "dataset.engine._cifar": "dataset._sources.image.cifar",
    "dataset.engine._class_folders": "dataset._sources.image.class_folders",
    "dataset.engine._coco": "dataset._sources.image.coco",
    "dataset.engine._csv_files": "dataset._sources.formats.csv",
    "dataset.engine._faces": "dataset._sources.image.faces",
    "dataset.engine._image_arrays": "dataset._sources.image.arrays",
    "dataset.engine._image_folders": "dataset._sources.image.folders",
    "dataset.engine._mindrecords": "dataset._sources.formats.mindrecord",
    "dataset.engine._mnist": "dataset._sources.image.mnist",
    "dataset.engine._objects": "dataset._sources.image.objects",
    "dataset.engine._speech": "dataset._sources.audio.speech",
    "dataset.engine._text_folders": "dataset._sources.text.folders",
    "dataset.engine._text_lines": "dataset._sources.text.lines",
    "dataset.engine._text_pairs": "dataset._sources.text.pairs",
    "dataset.engine._text_tables": "dataset._sources.text.tables",
    "dataset.engine._tf_records": "dataset._sources.formats.tfrecord",
    "dataset.engine._translations": "dataset._sources.text.translations",
    "dataset.engine.batches": "dataset._pipeline.batches",
    "dataset.engine.schema": "dataset._pipeline.schema",
    "dataset.engine.sources": "dataset._sources.random_access",
    "dataset.engine.transfer": "dataset._pipeline.transfer",
}

_PRIVATE = {  # private modules of MindSpore that libraries import, and whose names stand in one module here
    "common._register_for_recompute": "common.recompute",
    "common._register_for_tensor": "ops._registries",
    "common.no_inline": "common.lazy_inline",
    "ops._register_for_op": "ops._registries",
    "scipy.optimize._bfgs": "scipy.optimize",
    "scipy.optimize._lbfgs": "scipy.optimize",
    "train.callback._dataset_graph": "train.callback",
    "train.parallel_utils": "context",  # of 1.0
}


class MovedModules(MetaPathFinder):
    """Finds a module that was moved; asked last, for names that nobody else knows."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        present = present_name(fullname.removeprefix("mindspore.")) if fullname.startswith("mindspore.") else None
        return None if present is None else spec_from_loader(fullname, _Alias(f"mindspore.{present}"))


class _Alias(Loader):
    """An empty module that looks every name up in another module."""

    def __init__(self, present: str):
        self.present = present

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        source = importlib.import_module(self.present)
        vars(module)["__getattr__"] = lambda name: getattr(source, name)
        private_paths.extend(module)


def present_name(old: str) -> str | None:
    """Where the module is now, by its old path below the package; None if it was no module that could be pickled from.

    >>> present_name("nn.layer._dense"), present_name("_engine.parameter")
    ('nn.layer._implementation.dense', '_engine.tensor.parameter')
    """
    if old in _RENAMED or old in _PRIVATE:
        return _RENAMED.get(old) or _PRIVATE[old]
    package, _, name = old.rpartition(".")
    if package in _GATHERED and name.startswith("_"):
        present = f"{package}._implementation.{name[1:]}"
        return present if Path(PACKAGE, *present.split(".")).with_suffix(".py").exists() else None
    if package in _ROOMS:
        for room in Path(PACKAGE, package).iterdir():
            if (room / f"{name}.py").exists():
                return f"{package}.{room.name}.{name}"
    return None


def install() -> None:
    """Have moved modules found from now on."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
