"""Pipelines as JSON, in the form of real MindSpore, and back."""

from __future__ import annotations

import enum
import inspect
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.schema import Schema
from mindspore.dataset._sources.formats.mindrecord import MindDataset
from mindspore.dataset._sources.record_source import RecordFilesDataset
from mindspore.dataset.core import config
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.engine import datasets, samplers
from mindspore.dataset.engine.datasets import Dataset

__all__ = ["compare", "deserialize", "serialize", "show"]

Json = dict[str, Any]

# Nodes of one input that a few attributes describe: kind, class, key of the file -> argument.
_STEPS: list[tuple[str, type, dict[str, str]]] = [
    ("Shuffle", datasets.ShuffleDataset, {"buffer_size": "buffer_size"}),
    ("Repeat", datasets.RepeatDataset, {"count": "count"}),
    ("Take", datasets.TakeDataset, {"count": "count"}),
    ("Skip", datasets.SkipDataset, {"count": "count"}),
    ("Project", datasets.ProjectDataset, {"columns": "columns"}),
]
_SAMPLERS: dict[str, list[str]] = {
    "SequentialSampler": ["start_index", "num_samples"],
    "RandomSampler": ["replacement", "num_samples"],
    "DistributedSampler": ["num_shards", "shard_id", "shuffle", "num_samples", "offset"],
    "SubsetSampler": ["indices", "num_samples"],
    "SubsetRandomSampler": ["indices", "num_samples"],
    "WeightedRandomSampler": ["weights", "num_samples", "replacement"],
    "PKSampler": ["num_val", "shuffle", "num_samples"],
}


def serialize(dataset: Dataset, json_filepath: str = "") -> Json:
    """A pipeline as a dict, which is also written to a file if a path is given.

    Functions of the program cannot be written down; :func:`deserialize` refuses a pipeline that has them.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.serialize(ds.NumpySlicesDataset([1, 2, 3]).repeat(2))["op_type"]
        'Repeat'
    """
    check.text("json_filepath", json_filepath)
    tree = _node(dataset)
    if json_filepath:
        with open(json_filepath, "w", encoding="utf-8") as stream:
            json.dump(tree, stream, indent=2)
    return tree


def deserialize(input_dict: Json | None = None, json_filepath: str | None = None) -> Dataset | None:
    """The pipeline of a dict of :func:`serialize`, or of the file it wrote.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.TextFileDataset("data/lines/*.txt", shuffle=False).batch(2)
        >>> again = ds.deserialize(input_dict=ds.serialize(dataset))
        >>> ds.compare(dataset, again)
        True
    """
    if input_dict is not None:
        return _dataset(input_dict)
    if json_filepath is None:
        return None
    try:
        with open(json_filepath, encoding="utf-8") as stream:
            return _dataset(json.load(stream))
    except (RuntimeError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        kind = "" if isinstance(error, (RuntimeError, ValueError)) and str(error) else f"{type(error).__name__}: "
        raise RuntimeError(
            f"For 'deserialize', {json_filepath} must hold a pipeline as 'serialize' writes it: {kind}{error}"
        ) from error


def show(dataset: Dataset, indentation: int = 2) -> None:
    """Print a pipeline as JSON.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.show(ds.TextFileDataset("data/lines/*.txt", shuffle=False).batch(2))
        {
          "op_type": "Batch",
          "children": [
            {
              "op_type": "TextFileDataset",
              "children": [],
              "num_samples": null,
              "num_shards": 1,
              "shard_id": 0,
              "shuffle_files": false,
              "shuffle_global": false,
              "dataset_files": [
                "data/lines/a.txt",
                "data/lines/b.txt",
                "data/lines/c.txt"
              ],
              "connector_queue_size": 16,
              "num_parallel_workers": 2
            }
          ],
          "batch_size": 2,
          "drop_remainder": false,
          "input_columns": [],
          "output_columns": [],
          "connector_queue_size": 16,
          "num_parallel_workers": 2
        }
    """
    print(json.dumps(serialize(dataset), indent=indentation))


def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Whether two pipelines are the same.

    Examples:
        >>> import mindspore.dataset as ds
        >>> first, second, third = (ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).batch(n) for n in (1, 1, 2))
        >>> ds.compare(first, second), ds.compare(first, third)
        (True, False)
    """
    return serialize(pipeline1) == serialize(pipeline2)


# -- to JSON ------------------------------------------------------------------------------------------------------------
def _node(dataset: Dataset) -> Json:
    if not isinstance(dataset, Dataset):
        raise TypeError(f"A pipeline must be a dataset, but got {dataset!r} of type {type(dataset).__name__}.")
    children = [_node(child) for child in dataset.children]
    workers = {
        "connector_queue_size": config.get_prefetch_size(),
        "num_parallel_workers": dataset.num_parallel_workers or config.get_num_parallel_workers(),
    }
    for kind, owner, keys in _STEPS:
        if type(dataset) is owner:
            return {
                "op_type": kind,
                "children": children,
                **{key: getattr(dataset, name) for key, name in keys.items()},
            }
    if isinstance(dataset, datasets.RenameDataset):
        names = {"input_columns": list(dataset.columns), "output_columns": list(dataset.columns.values())}
        return {"op_type": "Rename", "children": children, **names}
    if isinstance(dataset, datasets.MapDataset):
        inputs = dataset.input_columns or []
        names = {"input_columns": inputs, "output_columns": dataset.output_columns or inputs}
        operations = [operation_tree(operation) for operation in dataset.operations]
        return {"op_type": "Map", "children": children, "callback": [], "operations": operations, **names, **workers}
    if isinstance(dataset, datasets.BatchDataset):
        size = dataset.batch_size if isinstance(dataset.batch_size, int) else 0
        names = {"input_columns": [], "output_columns": []}
        plain = {"batch_size": size, "drop_remainder": dataset.drop_remainder}
        return {"op_type": "Batch", "children": children, **plain, **names, **workers}
    if isinstance(dataset, (datasets.ZipDataset, datasets.ConcatDataset)):
        kind = "Zip" if isinstance(dataset, datasets.ZipDataset) else "Concat"
        return {"op_type": kind, "children": children, **workers}
    kind = type(dataset).__name__.removeprefix("_")
    sampler = getattr(dataset, "sampler", None)
    tree = {"op_type": kind, "children": children, **_arguments(dataset), **workers}
    if isinstance(dataset, MindDataset) and dataset.shuffle_within is not None:
        tree["shuffle_within"] = str(dataset.shuffle_within)
    return tree if sampler is None else {**tree, "sampler": _sampler(sampler)}


def _arguments(owner: Any) -> Json:
    """The arguments of an object that JSON can hold, by the names its constructor has for them."""
    found: Json = {}
    for name in inspect.signature(type(owner).__init__).parameters:
        if name in _NOT_ARGUMENTS or not hasattr(owner, name):
            continue
        value = _plain(getattr(owner, name))
        if value is not NotImplemented:
            found[name] = value
    if isinstance(owner, RecordFilesDataset):
        is_global = owner.shuffle_mode == samplers.Shuffle.GLOBAL
        found |= {
            "shuffle_files": is_global or owner.shuffle_mode == samplers.Shuffle.FILES,
            "shuffle_global": is_global,
        }
        if "dataset_dir" not in found:
            found["dataset_files"] = owner.files
    return found


_NOT_ARGUMENTS = {"self", "sampler", "cache", "num_parallel_workers", "source", "data", "decrypt", "padded_samples"}


def _plain(value: Any) -> Any:
    """A value of JSON, or NotImplemented."""
    if isinstance(value, enum.Enum) and not isinstance(value, samplers.Shuffle):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, Schema):
        return json.loads(value.to_json())
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        parts = [_plain(element) for element in value]
        return NotImplemented if any(part is NotImplemented for part in parts) else parts
    if isinstance(value, Operation):
        return operation_tree(value)
    if isinstance(value, dict):
        pairs = {str(key): _plain(item) for key, item in value.items()}
        return NotImplemented if any(pair is NotImplemented for pair in pairs.values()) else pairs
    return NotImplemented


def _sampler(sampler: Any) -> Json:
    kind = type(sampler).__name__
    names = _SAMPLERS.get(kind, [])
    values = {name: _plain(getattr(sampler, name)) for name in names}
    values["num_samples"] = sampler.num_samples or 0
    child = sampler.child_sampler
    return {"sampler_name": kind, **values, **({} if child is None else {"child_sampler": [_sampler(child)]})}


def operation_tree(operation: Any) -> Json:
    """An operation as a dict: where it comes from and what it was made with."""
    kind = getattr(operation, "__name__", type(operation).__name__)
    module = getattr(operation, "__module__", "")
    public = sys.modules.get(module.rpartition("._")[0])
    if getattr(public, kind, None) is type(operation):
        module = module.rpartition("._")[0]
    arguments = _constructor_arguments(operation) if module.startswith("mindspore.") else None
    if arguments is None:
        return {"tensor_op_name": kind, "python_module": module}
    return {"tensor_op_name": kind, "python_module": module, "tensor_op_params": arguments}


def _constructor_arguments(operation: Any) -> Json | None:
    """What an operation was made with, or None where it does not show all of it."""
    parameters = inspect.signature(type(operation).__init__).parameters
    if type(operation).__init__ is object.__init__:
        return {}
    names = [name for name in parameters if name != "self"]
    values = {name: _plain(getattr(operation, name)) for name in names if hasattr(operation, name)}
    return values if len(values) == len(names) and NotImplemented not in values.values() else None


# -- from JSON ----------------------------------------------------------------------------------------------------------
def _dataset(tree: Json) -> Dataset:
    if not isinstance(tree, dict) or "op_type" not in tree or not isinstance(tree.get("children"), list):
        raise ValueError(f"For 'deserialize', the 'input_dict' must be what 'serialize' gave, but got {tree!r}.")
    kind = tree["op_type"]
    children = [_dataset(child) for child in tree["children"]]
    for name, owner, keys in _STEPS:
        if kind == name:
            return owner(children[0], **{argument: tree[key] for key, argument in keys.items()})
    makers: dict[str, Callable[[], Dataset]] = {
        "Rename": lambda: children[0].rename(tree["input_columns"], tree["output_columns"]),
        "Batch": lambda: children[0].batch(tree["batch_size"], tree["drop_remainder"]),
        "Zip": lambda: datasets.zip(tuple(children)),
        "Concat": lambda: children[0].concat(children[1:]),
        "Map": lambda: children[0].map(
            [made_operation(operation) for operation in tree["operations"]],
            tree["input_columns"] or None,
            tree["output_columns"] or None,
        ),
    }
    return makers[kind]() if kind in makers else _source(kind, tree)


def _source(kind: str, tree: Json) -> Dataset:
    owner = getattr(sys.modules["mindspore.dataset"], str(kind), None)
    if not (inspect.isclass(owner) and issubclass(owner, Dataset)):
        raise pipeline_error(f"deserialize: there is no dataset '{kind}'.")
    parameters = inspect.signature(owner.__init__).parameters
    arguments = {name: value for name, value in tree.items() if name in parameters and name != "sampler"}
    missing = [
        name
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty and name not in (*arguments, "self")
    ]
    if missing:
        raise pipeline_error(
            f"deserialize: {kind} was made from Python objects ({', '.join(missing)}), which JSON cannot hold."
        )
    if isinstance(arguments.get("schema"), dict):
        schema = Schema()
        schema.from_json(arguments["schema"])
        arguments["schema"] = schema
    if "shuffle_global" in tree:
        by_file = samplers.Shuffle.FILES if tree["shuffle_files"] else False
        arguments["shuffle"] = samplers.Shuffle.GLOBAL if tree["shuffle_global"] else by_file
    elif tree.get("shuffle_within"):
        arguments["shuffle"] = samplers.Shuffle(tree["shuffle_within"])
    elif "sampler" in tree and "sampler" in parameters:
        arguments["sampler"] = _made_sampler(tree["sampler"])
    elif "sampler" in tree:
        arguments["shuffle"] = tree["sampler"]["sampler_name"] != "SequentialSampler"
    return owner(**arguments)


def _made_sampler(tree: Json) -> Any:
    kind = tree["sampler_name"]
    if kind not in _SAMPLERS:
        raise pipeline_error(f"deserialize: the sampler {kind} is a class of the program, which JSON cannot hold.")
    arguments = {name: tree[name] for name in _SAMPLERS[kind] if name in tree}
    arguments["num_samples"] = tree.get("num_samples") or None
    sampler = getattr(samplers, kind)(**arguments)
    for child in tree.get("child_sampler", []):
        sampler.add_child(_made_sampler(child))
    return sampler


def made_operation(tree: Json) -> Any:
    """The operation of a dict of :func:`operation_tree`."""
    module = tree.get("python_module", "")
    ours = isinstance(module, str) and module.startswith("mindspore.dataset.")
    owner: Any = getattr(sys.modules.get(module), str(tree["tensor_op_name"]), None) if ours else None
    if not _is_operation(owner) or "tensor_op_params" not in tree:
        raise pipeline_error(
            f"deserialize: the operation {tree['tensor_op_name']} is Python code, which JSON cannot hold."
        )
    return owner(**{name: _argument(value) for name, value in tree["tensor_op_params"].items()})


def _is_operation(owner: Any) -> bool:
    """Whether a file may name it: a transform of the package, and nothing else that its modules happen to import."""
    return inspect.isclass(owner) and issubclass(owner, Operation)


def _argument(value: Any) -> Any:
    """A value of JSON as an argument: the members of enumerations by their names, transforms within transforms."""
    if isinstance(value, list):
        return [_argument(one) for one in value]
    if isinstance(value, dict) and "tensor_op_name" in value:
        return made_operation(value)
    if isinstance(value, str) and value.count(".") == 1:
        owner, member = value.split(".")
        kind = getattr(sys.modules["mindspore.dataset.vision"], owner, None)
        return kind[member] if isinstance(kind, enum.EnumMeta) else value
    return value
