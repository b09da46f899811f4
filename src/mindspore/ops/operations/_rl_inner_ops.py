"""Primitive classes of reinforcement learning: replay buffers behind a handle, queues of Tensors, discounted returns."""

from mindspore._ops.reinforcement.buffers import BatchAssign, DiscountedReturn
from mindspore._ops.reinforcement.replay_buffers import (
    PriorityReplayBufferCreate,
    PriorityReplayBufferDestroy,
    PriorityReplayBufferPush,
    PriorityReplayBufferSample,
    PriorityReplayBufferUpdate,
    ReservoirReplayBufferCreate,
    ReservoirReplayBufferDestroy,
    ReservoirReplayBufferPush,
    ReservoirReplayBufferSample,
)
from mindspore._ops.reinforcement.tensor_queues import (
    TensorsQueueClear,
    TensorsQueueClose,
    TensorsQueueCreate,
    TensorsQueueGet,
    TensorsQueuePut,
    TensorsQueueSize,
)
from mindspore.ops._extended import operation

__all__ = [
    "BatchAssign",
    "DiscountedReturn",
    "PriorityReplayBufferCreate",
    "PriorityReplayBufferDestroy",
    "PriorityReplayBufferPush",
    "PriorityReplayBufferSample",
    "PriorityReplayBufferUpdate",
    "ReservoirReplayBufferCreate",
    "ReservoirReplayBufferDestroy",
    "ReservoirReplayBufferPush",
    "ReservoirReplayBufferSample",
    "TensorsQueueClear",
    "TensorsQueueClose",
    "TensorsQueueCreate",
    "TensorsQueueGet",
    "TensorsQueuePut",
    "TensorsQueueSize",
]


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return operation(name)
