"""Primitive classes of replay buffers in Parameters."""

from mindspore._ops.reinforcement.buffers import BufferAppend, BufferGetItem, BufferSample

__all__ = ["BufferAppend", "BufferGetItem", "BufferSample"]
