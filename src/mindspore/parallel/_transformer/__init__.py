"""Transformers by the path of MindSpore 1.6 to 2.4; they are those of ``mindspore.nn.transformer``."""

from mindspore.nn import transformer as _transformer
from mindspore.nn.transformer import *  # noqa: F403

__all__: list[str] = []
__all__ += _transformer.__all__
