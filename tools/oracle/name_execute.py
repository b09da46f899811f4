"""Run a program that builds Cells, on any MindSpore, and describe what it built: names, order, shapes."""

from __future__ import annotations

import re
from typing import Any

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops


def programs(text: str) -> dict[str, str]:
    """The programs of a text: each starts with a line ``## title``."""
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {title.strip(): source.strip("\n") for title, source in zip(parts[1::2], parts[2::2])}


def execute(source: str) -> dict[str, Any]:
    """What the program built: of ``net`` everything, and what it put into ``seen``; or how it failed."""
    seen: list[Any] = []
    scope: dict[str, Any] = {"ms": ms, "nn": nn, "ops": ops, "Parameter": Parameter, "Tensor": Tensor, "seen": seen}
    scope.update(ParameterTuple=ParameterTuple, fails=fails, names=names, dense=lambda: nn.Dense(1, 1))
    scope.update(weight=lambda name=None, size=1: Parameter(Tensor([0.0] * size, ms.float32), name=name))
    try:
        exec(compile(source, "<program>", "exec"), scope)
    except Exception as error:
        return {"error": [type(error).__name__, str(error)], "seen": plain(seen)}
    described = describe(scope["net"]) if "net" in scope else {}
    return {**described, "seen": plain(seen)}


def describe(net: Any) -> dict[str, Any]:
    """Parameters with their paths, names, shapes and flags, and all Cells, in order."""
    return {
        "parameters": [
            [path, one.name, list(one.shape), one.requires_grad] for path, one in net.parameters_and_names()
        ],
        "cells": [[path, type(cell).__name__] for path, cell in net.cells_and_names()],
    }


def names(cells: Any) -> list[str]:
    """The names of the Parameters of a Cell, or of a list of Parameters."""
    return [one.name for one in (cells.get_parameters() if hasattr(cells, "get_parameters") else cells)]


def fails(action: Any) -> str:
    """The type of error an action raises."""
    try:
        action()
    except Exception as error:
        return type(error).__name__
    return "nothing"


def plain(value: Any) -> Any:
    """Numbers, words and lists of them, as JSON gives them back; names made up by a counter without it."""
    if isinstance(value, dict):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"^Parameter#?\d*$", "Parameter", value)
    return value if value is None or isinstance(value, (bool, int, float)) else type(value).__name__
