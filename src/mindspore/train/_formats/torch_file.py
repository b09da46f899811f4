"""Weights saved by PyTorch, read without PyTorch and without executing anything: the zip format and the legacy format before 1.6."""

from __future__ import annotations

import io
import math
import struct
import zipfile
import zlib
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from mindspore._utils.files.file_limit import TooLarge, check_unfolded
from mindspore._utils.files.pickle_reader import Name, RefusedPickle, UnknownName, no_storage, pairs, read
from mindspore.train._formats.ckpt import CorruptFile, Entry, shaped

_LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
_LEGACY_PROTOCOL = 1001
_LEGACY_START = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."
_LOCAL_HEADER = 30
_MOST_AXES = 32
_MOST_OVERLAPPING_BYTES = 64 * 2**20
# Where the weights are in a file that holds more than weights.
_WEIGHTS = ("state_dict", "model_state_dict", "model", "model_state", "net", "network", "module", "weights", "params")
_STORAGES: dict[str, Any] = {
    "Double": np.float64,
    "Float": np.float32,
    "Half": np.float16,
    "BFloat16": ml_dtypes.bfloat16,
    "Long": np.int64,
    "Int": np.int32,
    "Short": np.int16,
    "Char": np.int8,
    "Byte": np.uint8,
    "Bool": np.bool_,
    "ComplexFloat": np.complex64,
    "ComplexDouble": np.complex128,
}
_DTYPES = {
    "float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16,
    "int64": np.int64, "int32": np.int32, "int16": np.int16, "int8": np.int8, "uint8": np.uint8, "uint16": np.uint16,
    "uint32": np.uint32, "uint64": np.uint64, "bool": np.bool_, "complex64": np.complex64, "complex128": np.complex128,
}  # fmt: skip


class _Storage(NamedTuple):
    """A row of bytes that several tensors may share; its offset is known once the file has been read."""

    key: str
    dtype: np.dtype | None
    offset: int = 0


class _View(NamedTuple):
    """A tensor as a window on a storage."""

    storage: _Storage
    dtype: np.dtype
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


# -- the names in the pickle ------------------------------------------------------------------------------------------
def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *rest: Any) -> _View:
    """What ``_rebuild_tensor`` and ``_rebuild_tensor_v2`` stand for."""
    if not isinstance(storage, _Storage) or storage.dtype is None:
        raise RefusedPickle("a tensor has no storage")
    return _typed_tensor(storage, offset, shape, strides, None, None, _DTypeName("", storage.dtype))


def _typed_tensor(
    storage: Any, offset: Any, shape: Any, strides: Any, _: Any, __: Any, dtype: Any, *rest: Any
) -> _View:
    """What ``_rebuild_tensor_v3`` stands for."""
    fits = isinstance(shape, tuple) and isinstance(strides, tuple) and len(shape) <= _MOST_AXES
    sizes = (offset, *shape, *strides) if fits else (None,)
    if not all(type(size) is int and 0 <= size < 2**62 for size in sizes) or len(shape) != len(strides):
        raise RefusedPickle("a tensor has a shape that cannot be")
    if not isinstance(storage, _Storage) or not isinstance(dtype, _DTypeName) or dtype.dtype is None:
        raise RefusedPickle("a tensor has no storage")
    return _View(storage, dtype.dtype, offset, shape, strides)


def _parameter(data: Any, *rest: Any) -> _View:
    if not isinstance(data, _View):
        raise RefusedPickle("a parameter has no tensor")
    return data


def _ordered(items: Any = ()) -> dict[Any, Any]:
    """An OrderedDict or a Counter; the oldest files give its items as lists of two."""
    return dict(items) if isinstance(items, dict) else pairs([value for item in items for value in item])


def _shape(sizes: Any = ()) -> tuple[Any, ...]:
    return tuple(sizes)


class _DTypeName(Name):
    """A dtype as a name: of a storage, or PyTorch's own."""

    def __init__(self, path: str, dtype: Any):
        super().__init__(path)
        self.dtype: Any = np.dtype(dtype) if dtype is not None else None


def _names() -> dict[str, Name]:
    builders = {
        "torch._utils._rebuild_tensor": _tensor,
        "torch._utils._rebuild_tensor_v2": _tensor,
        "torch._utils._rebuild_tensor_v3": _typed_tensor,
        "torch._utils._rebuild_parameter": _parameter,
        "torch._utils._rebuild_parameter_with_state": _parameter,
        "torch._tensor._rebuild_from_type_v2": _subclass,
        "torch.nn.parameter.Parameter": _parameter,
        "collections.OrderedDict": _ordered,
        "collections.Counter": _ordered,
        "torch.Size": _shape,
        "torch.device": _device,
    }
    known: dict[str, Name] = {path: Name(path, build) for path, build in builders.items()}
    for name, dtype in _STORAGES.items():
        for module in ("torch", "torch.cuda", "torch.storage"):
            path = f"{module}.{name}Storage"
            known[path] = _DTypeName(path, dtype)
    for path in ("torch.storage.UntypedStorage", "torch.UntypedStorage"):
        known[path] = _DTypeName(path, None)
    for name, dtype in _DTYPES.items():
        known[f"torch.{name}"] = _DTypeName(f"torch.{name}", dtype)
    return known


def _subclass(build: Any, kind: Any, arguments: Any, state: Any) -> Any:
    """A tensor of a class of its own, such as a Parameter with attributes: the tensor alone."""
    if not isinstance(build, Name) or build.build is None or not isinstance(arguments, tuple):
        raise RefusedPickle("it calls something that cannot be called")
    return build.build(*arguments)


def _device(*description: Any) -> str:
    return str(description[0]) if description else ""


_NAMES = _names()


def _storage(identifier: Any) -> _Storage:
    if not isinstance(identifier, tuple) or len(identifier) < 5 or identifier[0] != "storage":
        raise RefusedPickle("it refers to data in an unknown way")
    _, kind, key, _, count, *view = identifier
    if not isinstance(kind, _DTypeName) or type(count) is not int or not isinstance(key, (str, int)):
        raise RefusedPickle("it refers to data in an unknown way")
    if not view or view[0] is None:
        return _Storage(str(key), kind.dtype)
    offset = view[0][1] if isinstance(view[0], tuple) and len(view[0]) == 3 else None
    if type(offset) is not int:
        raise RefusedPickle("it refers to data in an unknown way")
    return _Storage(str(key), kind.dtype, offset)


# -- the two forms of a file ------------------------------------------------------------------------------------------
def decode(data: memoryview, crc_check: bool = False) -> list[Entry]:
    """The tensors of a file by name; where it holds more than weights, those of the weights."""
    try:
        value, storages, order = _zipped(data, crc_check) if is_archive(data) else _legacy(data)
    except UnknownName as error:
        raise CorruptFile(f"{error}. Save weights alone: torch.save(net.state_dict(), file)") from None
    except RefusedPickle as error:
        raise CorruptFile(str(error)) from None
    weights = _weights(value)
    _check_total(weights, len(data))
    return [Entry(name, _array(name, view, storages, order)) for name, view in weights.items()]


def _check_total(weights: dict[str, _View], size: int) -> None:
    """A file may show its data several times over, but not without end: all tensors together count."""
    total = sum(math.prod(view.shape) * view.dtype.itemsize for view in weights.values())
    try:
        check_unfolded("what it shows, the same data many times over,", total, size)
    except TooLarge as error:
        raise CorruptFile(str(error).rstrip(".")) from None


def is_archive(data: memoryview) -> bool:
    """Whether a file begins as zip archives do."""
    return bytes(data[:4]) == b"PK\x03\x04"


def _weights(value: Any) -> dict[str, _View]:
    if isinstance(value, dict):  # of weights alone, no value is a dict
        value = next((value[key] for key in _WEIGHTS if isinstance(value.get(key), dict)), value)
    named = value if isinstance(value, dict) else {}
    weights = {name: view for name, view in named.items() if isinstance(name, str) and isinstance(view, _View)}
    if not weights:
        raise CorruptFile("it holds no tensors by name. Save the weights: torch.save(net.state_dict(), file)")
    return weights


def _zipped(data: memoryview, crc_check: bool) -> tuple[Any, dict[str, memoryview], str]:
    try:
        with zipfile.ZipFile(_Window(data)) as archive:
            members = {member.filename.partition("/")[2]: member for member in archive.infolist()}
        if sum(member.file_size for member in members.values()) > len(data):
            raise CorruptFile("the files in its zip archive overlap")
        parts = {name: _member(data, member, crc_check) for name, member in members.items() if _wanted(name)}
    except (zipfile.BadZipFile, NotImplementedError, struct.error, OSError, ValueError, OverflowError) as error:
        if isinstance(error, CorruptFile):
            raise
        raise CorruptFile(f"its zip archive is damaged ({error})") from None
    if "data.pkl" not in parts:
        raise CorruptFile("its zip archive has no 'data.pkl', which PyTorch's files have")
    order = ">" if bytes(parts.get("byteorder", b"")) == b"big" else "<"
    value = read(io.BytesIO(parts["data.pkl"]), _NAMES, _storage)
    return value, {name[len("data/") :]: part for name, part in parts.items() if name.startswith("data/")}, order


def _wanted(name: str) -> bool:
    return name in ("data.pkl", "byteorder") or name.startswith("data/")


class _Window(io.RawIOBase):
    """The bytes of a file as a stream, for the table at the end of an archive."""

    def __init__(self, data: memoryview):
        super().__init__()
        self.data, self.position = data, 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = 0) -> int:
        self.position = offset + (0, self.position, len(self.data))[whence]
        if self.position < 0:
            raise ValueError("an offset before the beginning")
        return self.position

    def read(self, size: int | None = -1) -> bytes:
        end = len(self.data) if size is None or size < 0 else min(self.position + size, len(self.data))
        found = bytes(self.data[self.position : end])
        self.position += len(found)
        return found


def _member(data: memoryview, member: zipfile.ZipInfo, crc_check: bool) -> memoryview:
    """The bytes of a file in the archive: PyTorch does not compress them, so they are there as they are."""
    start = member.header_offset
    header = data[start : start + _LOCAL_HEADER]
    if len(header) < _LOCAL_HEADER or bytes(header[:4]) != b"PK\x03\x04":
        raise CorruptFile("its zip archive is damaged")
    if member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1:
        raise CorruptFile(f"'{member.filename:.80}' in it is compressed or encrypted, which PyTorch's files are not")
    start += _LOCAL_HEADER + sum(struct.unpack("<HH", header[26:30]))
    content = data[start : start + member.file_size]
    if len(content) != member.file_size:
        raise CorruptFile(f"'{member.filename:.80}' in it is cut off")
    if crc_check and zlib.crc32(content) != member.CRC:
        raise CorruptFile(f"the crc check is failed: '{member.filename:.80}' in it does not match its checksum")
    return content


def _legacy(data: memoryview) -> tuple[Any, dict[str, memoryview], str]:
    if bytes(data[: len(_LEGACY_START)]) != _LEGACY_START:
        raise CorruptFile("it is neither a zip archive nor a file of PyTorch before 1.6")
    stream = _Window(data)
    magic, protocol, system = (read(stream, {}, no_storage) for _ in range(3))
    if magic != _LEGACY_MAGIC or protocol != _LEGACY_PROTOCOL or not isinstance(system, dict):
        raise CorruptFile("it is neither a zip archive nor a file of PyTorch before 1.6")
    itemsizes: dict[str, int] = {}

    def noted(identifier: Any) -> _Storage:
        storage = _storage(identifier)
        itemsizes[storage.key] = storage.dtype.itemsize if storage.dtype is not None else 1
        return storage

    value = read(stream, _NAMES, noted)
    keys = read(stream, {}, no_storage)
    storages: dict[str, memoryview] = {}
    for key in keys if isinstance(keys, list) else ():
        count = int.from_bytes(stream.read(8), "little")
        size = count * itemsizes.get(str(key), 1)
        if size > len(data) - stream.tell():
            raise CorruptFile("its data are cut off")
        storages[str(key)] = data[stream.tell() : stream.tell() + size]
        stream.seek(size, 1)
    return value, storages, "<" if system.get("little_endian", True) else ">"


def _array(name: str, view: _View, storages: dict[str, memoryview], order: str) -> np.ndarray:
    content = storages.get(view.storage.key)
    if content is None:
        raise CorruptFile(f"the data of '{name:.80}' are missing")
    dtype = view.dtype
    count = math.prod(view.shape)
    first = view.offset + view.storage.offset
    last = first + sum((size - 1) * stride for size, stride in zip(view.shape, view.strides)) if count else first - 1
    if len(view.shape) > _MOST_AXES or (last + 1) * dtype.itemsize > len(content):
        raise CorruptFile(f"'{name:.80}' needs more data than there are")
    if count * dtype.itemsize > max(len(content), _MOST_OVERLAPPING_BYTES):
        raise CorruptFile(f"'{name:.80}' shows the same data too many times over, in the shape {view.shape}")
    if count == 0:
        return shaped(name, np.zeros(0, dtype), view.shape)
    flat = np.frombuffer(content[first * dtype.itemsize : (last + 1) * dtype.itemsize], dtype)
    if order == ">":
        flat = flat.byteswap()
    return np.lib.stride_tricks.as_strided(flat, view.shape, [step * dtype.itemsize for step in view.strides])
