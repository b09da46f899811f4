"""What is hidden in a checkpoint and how: read from ``target_modules`` or from an ``obf_config``.

An ``obf_config`` is a dict of three lists::

    {"obf_metadata_config": [{"name": "key", "shape": [1], "type": "random", "save_metadata": True, "metadata_op": "invert"}],
     "weight_obf_config": [{"target": "sub_net/fc/weight",
                            "weight_obf_ops": [{"name": "mul", "input_x": "weight", "input_y": "key"}]}],
     "network_obf_config": [{"module": "sub_net", "target": "fc", "insert_new_input": [{"name": "key"}],
                             "insert_ops": [{"name": "mul", "input_x": "fc", "input_y": "key"}]}]}

Random numbers by name; the Parameters they are multiplied with; the layers whose outputs are multiplied with what was kept.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from mindspore._utils.checks import shown

DEFAULT = "obf_metadata"
_KINDS = ("obf_metadata_config", "weight_obf_config", "network_obf_config")


class Metadata(NamedTuple):
    """Random numbers under a name."""

    name: str
    shape: tuple[int, ...] = (1,)
    is_inverted: bool = True  # whether what is kept undoes what the weights are multiplied with
    is_saved: bool = True


class ObfuscationPlan(NamedTuple):
    """What is done to weights and outputs."""

    metadata: list[Metadata]
    weights: list[tuple[str, str, str | None, tuple[str, ...]]]  # module, layer, Parameter or None for all, numbers
    outputs: list[tuple[str, str, tuple[str, ...]]]  # module, layer, numbers
    inputs: list[str]  # the numbers that the network is called with
    layers: int | None = None  # how many members of lists of Cells; None for all


def plan_of(target_modules: Any, config: Any) -> ObfuscationPlan:
    """The plan that either of the two describes."""
    return _from_modules(target_modules) if config is None else _from_config(config)


def _from_modules(given: Any) -> ObfuscationPlan:
    if not isinstance(given, list):
        raise TypeError(f"target_modules type should be list, but got {type(given)}.")
    if len(given) < 2:
        raise ValueError(
            f"target_modules should contain at least two string values, in the form of ['A/B/C', 'D1|D2'], but got {given}."
        )
    if not all(isinstance(text, str) for text in given):
        raise TypeError(f"The values of target_modules should be string, but got {shown(given)}.")
    path, targets = given[:2]
    if not targets:
        raise ValueError("target_modules[1] should be a non-empty string value, in the form of 'D1|D2'.")
    if not re.fullmatch(r"[A-Za-z0-9_/]*", path) or not re.fullmatch(r"[A-Za-z0-9_|]+", targets):
        raise ValueError(
            f"please check the input 'target_modules'{given}, it should be in the form of ['A/B/C', 'D1|D2']: letters, numbers, "
            "'_' and '/' in the first, letters, numbers, '_' and '|' in the second."
        )
    names = [name for name in targets.split("|") if name]
    return ObfuscationPlan([Metadata(DEFAULT)], [(path, name, None, (DEFAULT,)) for name in names],
                [(path, name, (DEFAULT,)) for name in names], [DEFAULT], _layers(given))  # fmt: skip


def _layers(given: list[str]) -> int | None:
    if len(given) < 3:
        return None
    found = re.fullmatch(r"obfuscate_layers:(all|\d+)", given[2])
    if found is None:
        raise ValueError(
            "The third value of target_modules should be in the format of 'obfuscate_layers:all' or 'obfuscate_layers:int', but "
            f"got {given[2]!r}."
        )
    return None if found[1] == "all" else int(found[1])


def _from_config(config: Any) -> ObfuscationPlan:
    if not isinstance(config, dict):
        raise TypeError(f"obf_config type should be dict, but got {type(config)}.")
    if not config or set(config) - set(_KINDS) or not config.get("obf_metadata_config"):
        raise ValueError(f"'obf_config' is empty or not valid, please check the input: its keys are {list(_KINDS)}.")
    metadata = [_metadata(entry) for entry in _listed(config, "obf_metadata_config")]
    known = {entry.name for entry in metadata}
    weights = []
    for entry in _listed(config, "weight_obf_config"):
        parts = _text(entry, "target").strip("/").split("/")
        if len(parts) < 2:
            raise ValueError(
                f"obf_config: the 'target' must be the path of a Parameter, 'A/B/weight', but got {entry['target']!r}."
            )
        weights.append(("/".join(parts[:-2]), parts[-2], parts[-1], _factors(entry, "weight_obf_ops", known)))
    outputs, inputs = [], []
    for entry in _listed(config, "network_obf_config"):
        outputs.append(
            (_text(entry, "module").strip("/"), _text(entry, "target"), _factors(entry, "insert_ops", known))
        )
        inputs += [_text(added, "name") for added in _listed(entry, "insert_new_input")]
    return ObfuscationPlan(metadata, weights, outputs, list(dict.fromkeys(inputs)) or [metadata[0].name])


def _metadata(entry: Any) -> Metadata:
    if entry.get("type", "random") != "random":
        raise ValueError(f"obf_config: the 'type' of metadata must be 'random', but got {entry['type']!r}.")
    operation = entry.get("metadata_op")
    if operation not in (None, "invert"):
        raise ValueError(f"obf_config: the 'metadata_op' must be 'invert' or left out, but got {operation!r}.")
    shape = entry.get("shape", [1])
    if not isinstance(shape, (list, tuple)):
        raise TypeError(f"obf_config[][]['shape'] type should be list, but got {type(shape)}.")
    return Metadata(_text(entry, "name"), tuple(shape), operation == "invert", bool(entry.get("save_metadata", True)))


def _factors(entry: dict[str, Any], name: str, known: set[str]) -> tuple[str, ...]:
    """The numbers that operations multiply with."""
    found = []
    for operation in _listed(entry, name):
        if _text(operation, "name") != "mul" or _text(operation, "input_y") not in known:
            raise ValueError(
                f"obf_config: an operation must be {{'name': 'mul', 'input_x': ..., 'input_y': one of {sorted(known)}}}, but got "
                f"{shown(operation)}."
            )
        found.append(operation["input_y"])
    return tuple(found)


def _listed(entry: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = entry.get(name, [])
    if not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        raise TypeError(f"obf_config[]['{name}'] type should be list of dicts, but got {shown(value)}.")
    return value


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        raise TypeError(f"obf_config[][]['{name}'] type should be str, but got {type(value)}.")
    return value
