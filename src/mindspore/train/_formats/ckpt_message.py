"""A checkpoint as the message that programs parse themselves, with the names of MindSpore's."""

from __future__ import annotations

from dataclasses import dataclass, field

from mindspore._utils.files import wire
from mindspore.train._formats.ckpt import CorruptFile, parsed


@dataclass
class TensorProto:
    """The shape, type and data of a value."""

    dims: list[int]
    tensor_type: str
    tensor_content: bytes


@dataclass
class CheckpointValue:
    """A value with its name."""

    tag: str
    tensor: TensorProto


@dataclass
class Checkpoint:
    """The values of a checkpoint file, piece by piece as they are in it.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.serialization import Checkpoint
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint([{"name": "x", "data": ms.Tensor([1.5])}], path)
        >>> message = Checkpoint()
        >>> size = message.ParseFromString(open(path, "rb").read())
        >>> [(one.tag, one.tensor.tensor_type, one.tensor.dims) for one in message.value]
        [('x', 'Float32', [1])]
    """

    value: list[CheckpointValue] = field(default_factory=list)

    def ParseFromString(self, serialized: bytes) -> int:
        """Take the values of a file; returns its size."""
        try:
            pieces = [parsed(content) for _, content in wire.fields(memoryview(serialized))]
        except (wire.WireError, CorruptFile, TypeError) as error:
            raise ValueError(f"The bytes are no checkpoint: {error}.") from None
        self.value = [CheckpointValue(name, TensorProto(dims, kind, bytes(data))) for name, dims, kind, data in pieces]
        return len(serialized)

    def SerializeToString(self) -> bytes:
        """The bytes of a file with these values."""
        return b"".join(_message(entry) for entry in self.value)


def _message(entry: CheckpointValue) -> bytes:
    sizes = b"".join(wire.number(1, size) for size in entry.tensor.dims)
    tensor = sizes + wire.field(2, entry.tensor.tensor_type.encode()) + wire.field(3, entry.tensor.tensor_content)
    return wire.field(1, wire.field(1, entry.tag.encode()) + wire.field(2, tensor))
