"""What layers draw their initial weights from when the program does not say."""

from __future__ import annotations

import math
from typing import Any

from mindspore._engine.config import config
from mindspore.common.initializer import HeUniform, Initializer, Uniform


def initial_weight(init: Any) -> Any:
    """``init``, or for None the distribution of the chosen MindSpore: uniform by fan-in (2.x), 'normal' (1.x).

    Examples:
        >>> from mindspore.nn.layer._implementation.initial import initial_weight
        >>> initial_weight("ones"), type(initial_weight(None)).__name__
        ('ones', 'HeUniform')
    """
    if init is not None:
        return init
    return "normal" if config.initial_weights.value == "1.x" else HeUniform(negative_slope=math.sqrt(5))


def initial_bias(init: Any, fan_in: int) -> Any:
    """``init``, or for None the distribution of the chosen MindSpore: uniform by fan-in (2.x), 'zeros' (1.x).

    Examples:
        >>> from mindspore.nn.layer._implementation.initial import initial_bias
        >>> initial_bias(None, 4).scale
        0.5
    """
    if init is not None:
        return init
    return "zeros" if config.initial_weights.value == "1.x" else Uniform(scale=1 / math.sqrt(fan_in))


def shown_init(init: Any) -> str:
    """An initializer as the printed form of a layer shows it.

    Examples:
        >>> from mindspore.nn.layer._implementation.initial import initial_weight, shown_init
        >>> shown_init("normal"), shown_init(initial_weight(None))
        ('normal', 'HeUniform')
    """
    return type(init).__name__ if isinstance(init, Initializer) else str(init)
