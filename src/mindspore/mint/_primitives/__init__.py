"""The functions of ``mint`` as primitives, under the names MindSpore generates: ``mindspore.ops.auto_generate`` shows them.

A table ``FORMS`` in every module says the function of every primitive; parameters behind ``*`` belong to the constructor.
"""

from __future__ import annotations

import functools

from mindspore._engine.operator.function_primitive import function_primitive
from mindspore.mint._primitives import (
    arithmetic,
    arranging,
    drawing,
    exchange,
    experts,
    fused,
    hardware,
    in_place,
    layers,
    losses,
    making,
    quantized,
    reductions,
    scalars,
    spectral,
    updates,
)

_MODULES = (
    arithmetic, arranging, drawing, exchange, experts, fused, hardware, in_place, layers, losses, making, quantized,
    reductions, scalars, spectral, updates,
)  # fmt: skip
FORMS = {name: function for module in _MODULES for name, function in module.FORMS.items()}


@functools.cache
def primitive(name: str) -> type:
    """The class of a primitive."""
    return function_primitive(name, FORMS[name])
