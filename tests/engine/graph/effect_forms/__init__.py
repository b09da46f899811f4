"""Ways in which Python does more than compute: what networks may call."""

from tests.engine.graph.effect_forms import (
    attributes,
    changes,
    classes,
    functions,
    iteration,
    pure,
    special_methods,
    tensors,
    world,
)
from tests.engine.graph.effect_forms.forms import EFFECTS, PURE

__all__ = [
    "EFFECTS",
    "PURE",
    "attributes",
    "changes",
    "classes",
    "functions",
    "iteration",
    "pure",
    "special_methods",
    "tensors",
    "world",
]
