"""Tensor methods about where the elements are kept: bytes, storage, files; and flags that programs set or read."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.core import Tracer

from mindspore._engine.base import deferred_checks
from mindspore._engine.base.dtype import DType
from mindspore._engine.runtime import context
from mindspore._engine.tensor.initializer import Initializer
from mindspore._engine.tensor.members import attach, attach_functions
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._utils.checks import check_bool, check_one_of, check_str, check_type, shown


def _raw(tensor: Tensor, owner: str) -> bytes:
    return tensor._host(f"Tensor.{owner}()", "return the Tensor first.").tobytes()


def get_bytes(self: Tensor) -> bytes:
    """The elements as bytes, row by row.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> Tensor([1, 2], ms.int16).get_bytes()
        b'\\x01\\x00\\x02\\x00'
    """
    return _raw(self, "get_bytes")


def convert_bytes_to_tensor(bytes_data: bytes, shape: Any, dtype: DType) -> Tensor:
    """The Tensor whose ``get_bytes`` gave these bytes.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 2.0]])
        >>> print(Tensor.convert_bytes_to_tensor(x.get_bytes(), x.shape, x.dtype))
        [[1. 2.]]
    """
    check_type("convert_bytes_to_tensor", "bytes_data", bytes_data, (bytes, bytearray, memoryview))
    lengths = tuple(shape)
    wanted = int(np.prod(lengths, dtype=np.int64)) * dtype.np_dtype.itemsize
    if len(bytes_data) != wanted:
        raise ValueError(
            f"For 'convert_bytes_to_tensor', {wanted} bytes are needed for the shape {lengths} and dtype {dtype}, but got "
            f"{len(bytes_data)}."
        )
    return Tensor(np.frombuffer(bytes_data, dtype.np_dtype).reshape(lengths))


class UntypedStorage:
    """The memory of a single Tensor, counted in bytes. No two Tensors share theirs.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> x.untyped_storage().nbytes()
        8
    """

    def __init__(self, tensor: Tensor):
        self._tensor = tensor
        self._length = tensor.nbytes

    @property
    def device(self) -> str:
        """The kind of device."""
        return context.get_context("device_target")

    @property
    def dtype(self) -> DType:
        """The dtype of the Tensor the memory belongs to."""
        return self._tensor.dtype

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return self._tensor.data_ptr()

    def element_size(self) -> int:
        """The bytes of an element of memory: 1."""
        return 1

    def is_shared(self) -> bool:
        """Whether another process uses the same memory: never."""
        return False

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._length

    def size(self) -> int:
        """How many bytes there are."""
        return self._length

    def __len__(self) -> int:
        return self._length

    def resize_(self, size: int) -> UntypedStorage:
        """Keep this many bytes: what the Tensor reaches beyond them reads as 0."""
        check_type("UntypedStorage.resize_", "size", size, int)
        if size < 0:
            raise ValueError(f"For 'UntypedStorage.resize_', the 'size' must not be negative, but got {size}.")
        self._write(_raw(self._tensor, "untyped_storage")[:size])
        self._length = size
        return self

    def copy_(self, source: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Take over the bytes of another storage of the same size."""
        check_type("UntypedStorage.copy_", "source", source, UntypedStorage)
        if len(source) != len(self):
            raise ValueError(
                f"For 'UntypedStorage.copy_', both storages must have the same size, but got {len(self)} and {len(source)} bytes."
            )
        self._write(_raw(source._tensor, "untyped_storage"))
        return self

    def _write(self, data: bytes) -> None:
        tensor = self._tensor
        filled = data[: tensor.nbytes].ljust(tensor.nbytes, b"\0")
        tensor._become(convert_bytes_to_tensor(filled, tensor.shape, tensor.dtype))


def untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory of this Tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
        >>> _ = x.untyped_storage().copy_(y.untyped_storage())
        >>> print(x)
        [3. 4.]
    """
    if "_storage" not in self.__dict__:
        self._read()
        self.__dict__["_storage"] = UntypedStorage(self)
    return self.__dict__["_storage"]


class _InFile(Initializer):
    """The elements of a Tensor that were moved to a file."""

    def __init__(self, path: str):
        super().__init__()
        self.path = path

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = np.fromfile(self.path, arr.dtype).reshape(arr.shape)


class _Released(Initializer):
    """The elements of a Tensor that were given up."""

    def _initialize(self, arr: np.ndarray) -> None:
        raise RuntimeError(
            "The data of this Tensor was released with delete_(). Assign new data to it before using it."
        )


def _leave_memory(tensor: Tensor, source: Initializer, owner: str) -> None:
    if is_traced(tensor):
        raise RuntimeError(f"For 'Tensor.{owner}', the Tensor has no memory of its own in a compiled function.")
    tensor._lazy = (tensor.shape, tensor.dtype, source)
    tensor._value = tensor._link = None


def offload(self: Tensor, file_path: str) -> bool:
    """Move the elements to a file, from which they come back when they are used; True when it is done.

    Examples:
        >>> import os, tempfile
        >>> from mindspore import Tensor
        >>> x = Tensor([1.0, 2.0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     done = x.offload(os.path.join(folder, "x.data"))
        ...     print(done, x + 1)
        True [2. 3.]
    """
    path = os.path.abspath(check_str("Tensor.offload", "file_path", file_path, allow_empty=False))
    data = _raw(self, "offload")
    with open(path, "wb") as file:
        file.write(data)
    _leave_memory(self, _InFile(path), "offload")
    return True


def offload_file_path(self: Tensor) -> str:
    """The file the elements are in, '' when they are in memory.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).offload_file_path()
        ''
    """
    return self.init.path if self.has_init and isinstance(self.init, _InFile) else ""


def delete_(self: Tensor, non_blocking: bool = False) -> Tensor:
    """Give up the memory of this Tensor now; its shape stays known, its elements are gone.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0, 2.0]).delete_().shape
        (2,)
    """
    check_bool("Tensor.delete_", "non_blocking", non_blocking)
    self._read()
    _leave_memory(self, _Released(), "delete_")
    return self


def to_(self: Tensor, device: str | None = None, non_blocking: bool = False) -> Tensor:
    """This Tensor; XLA puts it on the device that uses it.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0]).to_("CPU"))
        [1.]
    """
    check_one_of("Tensor.to_", "device", device, ("Ascend", "CPU", "GPU", "TPU"))
    return self


def wait_pipeline(self: Tensor) -> None:
    """Wait until the elements are computed.

    Examples:
        >>> from mindspore import Tensor
        >>> (Tensor([1.0]) * 2).wait_pipeline()
    """
    value = self._read()
    if not isinstance(value, Tracer):
        jax.block_until_ready(value)
        deferred_checks.look()


def data_sync(self: Tensor, need_wait: bool = True) -> None:
    """Wait until the elements are computed, unless ``need_wait`` is False.

    Examples:
        >>> from mindspore import Tensor
        >>> (Tensor([1.0]) * 2).data_sync(True)
    """
    if check_bool("Tensor.data_sync", "need_wait", need_wait):
        wait_pipeline(self)


def index(self: Tensor, indices: tuple[Tensor, ...]) -> Tensor:
    """The elements at positions that Tensors give, one Tensor per axis: ``x[indices]``.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).index((Tensor([0, 1]), Tensor([1, 0]))))
        [2. 3.]
    """
    if not isinstance(indices, (tuple, list)) or not all(isinstance(index, Tensor) for index in indices):
        raise TypeError(f"For 'Tensor.index', the 'indices' must be a tuple of Tensors, but got {shown(indices)}.")
    return self[tuple(indices)]


# -- hooks and flags ---------------------------------------------------------------------------------------------------
def hooks(self: Tensor) -> list[Callable[..., Any]]:
    """The functions given to ``register_hook`` that are still there.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1.0])
        >>> handle = x.register_hook(print)
        >>> x.hooks()
        [<built-in function print>]
    """
    return list((self._hooks or {}).values())


def remove_hook(self: Tensor, handle_id: int) -> None:
    """Take away the hook whose handle has this number.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1.0])
        >>> x.remove_hook(x.register_hook(print).id)
        >>> x.hooks()
        []
    """
    if self._hooks:
        self._hooks.pop(handle_id, None)


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set ``requires_grad`` of a Parameter. Another Tensor is marked for ``run_backward``; ``grad`` takes it as an input.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> Parameter(Tensor([1.0]), name="w").requires_grad_(False)
        Parameter (name=w, shape=(1,), dtype=Float32, requires_grad=False)
    """
    flag = bool(check_type("requires_grad_", "requires_grad", requires_grad, (bool, int)))
    setattr(self, "requires_grad" if hasattr(type(self), "requires_grad") else "_requires_grad", flag)
    return self


def _requires(self: Tensor) -> bool:
    """Whether this Tensor was marked to require a gradient, or was recorded as computed from one that was."""
    return self.__dict__.get("_requires_grad", False) or (self._link is not None and self._link[0].tape is not None)


def _set_requires(self: Tensor, flag: bool) -> None:
    self.__dict__["_requires_grad"] = flag


def _is_leaf(self: Tensor) -> bool:
    """Whether this Tensor was not computed from others that require gradients."""
    return bool(self.__dict__.get("_requires_grad")) or not _requires(self)


def _make_subclass(cls: type[Tensor], data: Tensor) -> Any:
    """A Tensor of class ``cls`` that shares the value of ``data``, made without calling its ``__init__``.

    Examples:
        >>> from mindspore import Tensor
        >>> class Marked(Tensor):
        ...     pass
        >>> type(Tensor._make_subclass(Marked, Tensor([1.0]))).__name__
        'Marked'
    """
    if not (isinstance(cls, type) and issubclass(cls, Tensor)):
        raise TypeError(f"For '_make_subclass', the 'cls' must be a subclass of Tensor, but got {cls!r}.")
    made = object.__new__(cls)
    made._become(check_type("_make_subclass", "data", data, Tensor))
    return made


def set_const_arg(self: Tensor, const_arg: bool = True) -> Tensor:
    """Whether a graph takes this Tensor as a constant; returns the Tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).set_const_arg().const_arg
        True
    """
    self.const_arg = check_bool("set_const_arg", "const_arg", const_arg)
    return self


def set_init_flag(self: Tensor, flag: bool) -> None:
    """Remember whether the data was given to another back end.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1.0])
        >>> x.set_init_flag(True)
        >>> x.init_flag
        True
    """
    self.init_flag = check_bool("set_init_flag", "flag", flag)  # type: ignore[attr-defined]


def set_cast_dtype(self: Tensor, dtype: DType | None = None) -> None:
    """Remember a dtype that other back ends convert to on the way; nothing is converted here.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).set_cast_dtype(ms.float16)
    """
    self.__dict__["_cast_dtype"] = dtype


def is_shared(self: Tensor) -> bool:
    """Whether another process uses the same memory: never.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).is_shared()
        False
    """
    return False


def _init_finished(self: Tensor) -> bool:
    """Whether the data is there, and not still to be made by an initializer."""
    return not self.has_init


def _symbolic_shape(self: Tensor) -> list[Any] | None:
    """What is known of the lengths left open, where they were given as :class:`mindspore.Symbol`; else None."""
    return self.__dict__.get("_symbols")


attach_functions(
    get_bytes, untyped_storage, offload, offload_file_path, delete_, to_, wait_pipeline, data_sync, index, hooks,
    remove_hook, requires_grad_, set_const_arg, set_init_flag, set_cast_dtype, is_shared,
)  # fmt: skip
attach("storage", untyped_storage)
attach("assign_value_cpp", Tensor.assign_value)
attach("convert_bytes_to_tensor", staticmethod(convert_bytes_to_tensor))
attach("init_finished", property(_init_finished))
attach("symbolic_shape", property(_symbolic_shape))
attach("init_flag", False)
attach("delta_seed", 0)
attach("_requires_grad", property(_requires, _set_requires))
attach("_is_leaf", property(_is_leaf))
attach("_make_subclass", staticmethod(_make_subclass))
for _name in ("_grad", "param_info", "parent_tensor_", "index_of_parent_"):
    attach(_name, None)
