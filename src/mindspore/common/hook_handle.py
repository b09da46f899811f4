"""``mindspore.common.hook_handle``: what registering a hook returns."""

from mindspore._engine.tracing.tensor_hooks import Handle as HookHandle
from mindspore._engine.tracing.tensor_hooks import Handle as _TensorHookHandle

__all__ = ["HookHandle", "_TensorHookHandle"]
