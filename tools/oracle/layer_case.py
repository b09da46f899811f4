"""What a differential case of `mindspore.nn` is: how to build a Cell or an optimizer, and what goes into it.

As in `case.py` no values are held: they come from generators seeded by the case's name.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tools.oracle.case import FLOATS, INPUT_NAMES, Array


@dataclass(frozen=True)
class LayerCase:
    """One Cell, built after ``set_seed(1)`` and called once.

    Compared are its printed form, the names, shapes, dtypes and initial bits of its Parameters, then, after fixed noise
    was added to every floating Parameter (zeros and ones hide mistakes), the outputs, the Parameters that the call
    itself wrote, and the gradients of inputs and Parameters.

    build: statements separated by `;`, the last one an expression: the Cell.
    call: the call, of `net` and the inputs; by default `net(x, y, ...)`.
    train: whether `set_train()` comes first.
    initial_not_compared: why the initial values of the Parameters are left out.
    repr_not_compared: why the printed form is left out.
    The other fields are those of `Case`.
    """

    build: str
    inputs: dict[str, Array] = field(default_factory=dict)
    call: str = ""
    train: bool = False
    gradient: bool = True
    tolerance: float | None = None
    raises: bool | tuple[str, ...] = False
    eager_only: str = ""
    not_compared: str = ""
    gradient_not_compared: str = ""
    initial_not_compared: str = ""
    repr_not_compared: str = ""
    waiver: str = ""
    oracle_crash: str = ""

    @property
    def name(self) -> str:
        described = " ".join(f"{name}={array}" for name, array in self.inputs.items())
        options = (" train" if self.train else "") + (f" {self.call}" if self.call else "")
        return f"{self.build}{options} | {described}"

    @property
    def source(self) -> str:
        return self.build

    @property
    def seed(self) -> int:
        return zlib.crc32(self.name.encode())

    def draw(self) -> dict[str, np.ndarray]:
        random = np.random.RandomState(self.seed)
        return {name: array.draw(random) for name, array in self.inputs.items()}

    @property
    def differentiable(self) -> list[str]:
        return [name for name, array in self.inputs.items() if array.dtype in FLOATS]

    @property
    def call_source(self) -> str:
        return self.call or f"net({', '.join(self.inputs)})"


@dataclass(frozen=True)
class OptimizerCase:
    """Five steps of an optimizer on four small Parameters with fixed gradients.

    build: as in `LayerCase`; `params` is the list of the Parameters, `weight`, `bias`, `gamma` and `beta` are the four.
    Compared are the Parameters after every step, and names, shapes, dtypes and final values of the optimizer's state.
    """

    build: str
    dtype: str = "float32"
    gradient_dtype: str = ""
    steps: int = 5
    tolerance: float | None = None
    raises: bool | tuple[str, ...] = False
    not_compared: str = ""
    waiver: str = ""
    oracle_crash: str = ""

    SHAPES: ClassVar[dict[str, tuple[int, ...]]] = {"weight": (3, 2), "bias": (3,), "gamma": (2,), "beta": (2,)}
    PARAMETER_NAMES: ClassVar[dict[str, str]] = {
        "weight": "dense.weight",
        "bias": "dense.bias",
        "gamma": "norm.gamma",
        "beta": "norm.beta",
    }

    @property
    def name(self) -> str:
        dtypes = "" if self.dtype == "float32" else f" {self.dtype}"
        dtypes += f" gradients {self.gradient_dtype}" if self.gradient_dtype else ""
        return f"{self.build}{dtypes}" + (f" {self.steps} steps" if self.steps != 5 else "")

    @property
    def source(self) -> str:
        return self.build

    def draw(self) -> dict[str, np.ndarray]:
        """Initial values and the gradients of every step, by name; the same for all cases."""
        random = np.random.RandomState(7)
        values = {name: random.uniform(-1, 1, shape).astype("float32") for name, shape in self.SHAPES.items()}
        for step in range(self.steps):
            for name, shape in self.SHAPES.items():
                values[f"{name}_gradient_{step}"] = random.uniform(-1, 1, shape).astype("float32")
        return values


AnyLayerCase = LayerCase | OptimizerCase


def layer(build: str, *arrays: Array, **options: Any) -> LayerCase:
    """A case whose inputs are named x, y, z, w in order; options that are Arrays become further named inputs."""
    inputs = dict(zip(INPUT_NAMES, arrays, strict=False))
    inputs.update({name: value for name, value in options.items() if isinstance(value, Array)})
    return LayerCase(build, inputs, **{name: value for name, value in options.items() if not isinstance(value, Array)})


def layers(builds: str, *arrays: Array, **options: Any) -> list[LayerCase]:
    """Many Cells, one per line, over the same inputs."""
    return [layer(build.strip(), *arrays, **options) for build in builds.strip().splitlines()]


def optimizer(build: str, **options: Any) -> OptimizerCase:
    return OptimizerCase(build, **options)
