"""Programs made at random: containers in containers, filled, changed and cut in any order; `name_execute` runs them."""

from __future__ import annotations

import random

_BLOCKS = """
class Plain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight()

class Deep(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([Plain(), Plain()])
        self.a = Plain()

class Wide(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(nn.ReLU(), Plain())
        self.w = weight("own")
"""
_CELLS = ("Plain()", "Plain()", "Deep()", "Wide()", "nn.ReLU()", "nn.CellList([Plain()])", "nn.SequentialCell(Plain(), Deep())",
          "shared")  # fmt: skip
_KEYS = ("a", "b", "w", "blocks", "0", "1")


def program(seed: int) -> str:
    """The source of one program."""
    chosen = random.Random(seed)
    kind = chosen.choice(("CellList", "CellList", "SequentialCell", "CellDict"))
    steps = [_step(chosen, kind) for _ in range(chosen.randint(2, 6))]
    inside = chosen.randint(0, len(steps))
    lines = [
        "class Net(nn.Cell):",
        "    def __init__(self, shared):",
        "        super().__init__()",
        f"        layers = self.layers = nn.{kind}({_start(chosen, kind)})",
        *(f"        {step}" for step in steps[:inside]),
        "class Outer(nn.Cell):",
        "    def __init__(self, shared):",
        "        super().__init__()",
        "        self.first = Plain()",
        "        self.net = Net(shared)",
        "shared = Plain()",
        f"net = {chosen.choice(('Net', 'Outer'))}(shared)",
        "layers = net.layers if type(net) is Net else net.net.layers",
        *steps[inside:],
    ]
    return _BLOCKS + "\n".join(lines)


def _start(chosen: random.Random, kind: str) -> str:
    cells = [_cell(chosen, kind) for _ in range(chosen.randint(0, 3))]
    if kind == "CellDict":
        return "{" + ", ".join(f"{key!r}: {cell}" for key, cell in zip(_KEYS, cells)) + "}"
    return f"[{', '.join(cells)}]" if cells else ""


def _cell(chosen: random.Random, kind: str) -> str:
    cell = chosen.choice(_CELLS)
    return "Plain()" if kind == "CellDict" and cell.startswith("nn.") and cell != "nn.ReLU()" else cell


def _step(chosen: random.Random, kind: str) -> str:
    """A change of the container; one that does not apply is left out when it runs."""
    cell, other = _cell(chosen, kind), _cell(chosen, kind)
    place, key = chosen.randint(-1, 2), chosen.choice(_KEYS)
    within = f"if len(layers) > {place if place >= 0 else 0}: "
    if kind == "CellDict":
        return chosen.choice((
            f"layers[{key!r}] = {cell}", f"layers.update({{{key!r}: {cell}, 'z': {other}}})",
            f"if {key!r} in layers: layers.pop({key!r})", f"if {key!r} in layers: del layers[{key!r}]",
        ))  # fmt: skip
    common = (f"layers.append({cell})", f"{within}layers[{place}] = {cell}", f"{within}del layers[{place}]")
    if kind == "SequentialCell":
        return chosen.choice((*common, "del layers[1:2]"))
    more = (f"layers.extend([{cell}, {other}])", f"{within}layers.insert({place}, {cell})", "del layers[1:2]")
    return chosen.choice((*common, *more))
