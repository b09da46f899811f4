"""``mindspore.common.jit_config``: options of a compilation."""

from mindspore._engine.compiler import JitConfig

__all__ = ["JitConfig"]
