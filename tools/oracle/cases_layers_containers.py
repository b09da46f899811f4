"""Containers."""

from __future__ import annotations

from tools.oracle.case import f32
from tools.oracle.layer_case import AnyLayerCase, layer

CASES: list[AnyLayerCase] = [
    layer("nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))", f32(2, 3)),
    layer("nn.SequentialCell([nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU()])", f32(2, 2, 4, 4), train=True),
    layer("nn.CellList([nn.Dense(3, 4), nn.SequentialCell(nn.ReLU(), nn.Dense(4, 2))])"),
    layer("nn.CellDict({'a': nn.Dense(3, 4), 'b': nn.ReLU()})"),
    layer("nn.SequentialCell()", f32(2, 3)),
    layer("nn.SequentialCell(nn.Dense(3, 4), 3)", raises=True),
]
