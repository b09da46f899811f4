"""``mindspore.common.mutable``: arguments that do not become constants of a graph."""

from mindspore._engine.graph.jit import mutable

__all__ = ["mutable"]
