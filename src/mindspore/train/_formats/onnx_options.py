"""What ``export`` takes for ONNX files alone: the version of the operator set, names, open sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindspore._engine.export.onnx.builder import NEWEST, OLDEST, OPSET
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown

NAMES = ("opset", "opset_version", "dynamic_axes", "input_names", "output_names")


def opset_of(options: Mapping[str, Any]) -> int:
    """The version of the operator set that was asked for."""
    given = [options[name] for name in ("opset", "opset_version") if options.get(name) is not None]
    if len({*map(repr, given)}) > 1:
        raise ValueError(
            f"For 'export', 'opset' and 'opset_version' mean the same, but got {given[0]!r} and {given[1]!r}."
        )
    version = given[0] if given else OPSET
    if isinstance(version, bool) or not isinstance(version, int) or not OLDEST <= version <= NEWEST:
        raise ValueError(f"For 'export', 'opset' must be an int from {OLDEST} to {NEWEST}, but got {shown(version)}.")
    return version


def names_of(options: Mapping[str, Any], key: str, usual: Sequence[str]) -> list[str]:
    """The names of inputs, as given or as the arguments have them."""
    given = options.get(key)
    if given is None:
        return list(usual)
    if (
        isinstance(given, str)
        or not isinstance(given, Sequence)
        or not all(isinstance(one, str) and one for one in given)
    ):
        raise TypeError(f"For 'export', '{key}' must be a list of names, but got {shown(given)}.")
    if len(given) != len(usual) or len({*given}) != len(given):
        raise ValueError(
            f"For 'export', '{key}' must have {len(usual)} different names, for {list(usual)}, but got {list(given)}."
        )
    return list(given)


def open_axes(
    options: Mapping[str, Any], inputs: Sequence[str], outputs: Sequence[str] | None
) -> dict[str, dict[int, str]]:
    """``dynamic_axes`` as {input: {axis: name of its size}}; those of outputs follow from them."""
    given = options.get("dynamic_axes") or {}
    if not isinstance(given, Mapping):
        raise TypeError(
            f"For 'export', 'dynamic_axes' must be a dict, {{input: {{axis: name}}}}, but got {shown(given)}."
        )
    found: dict[str, dict[int, str]] = {}
    for name, axes in given.items():
        if name not in inputs:
            if outputs is None or name in outputs or str(name).startswith("output"):
                continue
            raise ValueError(f"For 'export', 'dynamic_axes' must be of the inputs {list(inputs)}, but got {name!r}.")
        listed = dict(axes) if isinstance(axes, Mapping) else {axis: f"{name}_{axis}" for axis in axes}
        if not all(isinstance(axis, int) and isinstance(word, str) for axis, word in listed.items()):
            raise TypeError(
                f"For 'export', the 'dynamic_axes' of {name!r} must be {{axis: name}} or [axes], but got {shown(axes)}."
            )
        found[name] = listed
    return found


def opened(value: Any, axes: dict[int, str], name: str) -> Any:
    """An input with open sizes along these axes."""
    if not axes:
        return value
    if not isinstance(value, Tensor):
        raise TypeError(f"For 'export', 'dynamic_axes' names '{name}', which is no Tensor but {shown(value)}.")
    rank = len(value.shape)
    if not all(-rank <= axis < rank for axis in axes):
        raise ValueError(
            f"For 'export', the 'dynamic_axes' of '{name}' must be from {-rank} to {rank - 1}, but got {list(axes)}."
        )
    where = {axis % rank for axis in axes}
    sizes = [None if axis in where or size == -1 else size for axis, size in enumerate(value.shape)]
    return Tensor(shape=sizes, dtype=value.dtype)


def symbols_of(avals: Sequence[Any], names: Sequence[str], axes: Mapping[str, dict[int, str]]) -> dict[str, str]:
    """The names that a program gave to open sizes, by the symbol of the trace."""
    found: dict[str, str] = {}
    for name, aval in zip(names, avals):
        for axis, word in axes.get(name, {}).items():
            found.setdefault(str(aval.shape[axis]), word)
    return found
