"""``mindspore.common.jit_config``: options of a compilation."""

from mindspore._engine.graph.jit import JitConfig

__all__ = ["JitConfig"]
