"""Tensor: a mutable handle on an immutable device array.

``_value`` is the array, or its tracer while a graph is traced. All computation goes through operators, which attach
themselves as methods when they are declared; this module is about the handle itself.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from mindspore._engine.base import deferred_checks
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.errors import needs_value
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.pytree import register_leaf
from mindspore._engine.base.trace_state import state
from mindspore._engine.interpreter import choice
from mindspore._engine.runtime import context
from mindspore._engine.runtime.mesh import gathered
from mindspore._engine.runtime.transfer import to_device
from mindspore._engine.tensor.hints import check_place, given_twice, missing_attribute
from mindspore._engine.tensor.host_arrays import copy_for_sharing, settled
from mindspore._engine.tensor.tensor_input import holds_tensors, lazy_parts, sequence_dtype, to_array
from mindspore._engine.tensor.tensor_state import TensorState
from mindspore._utils import tensor_text
from mindspore._utils.checks import check_bool
from mindspore._utils.deferred import deferred
from mindspore._utils.refusals import several
from mindspore._utils.symbol import Symbol

if TYPE_CHECKING:
    from mindspore._engine.execution.tape import Link

dispatch = deferred("mindspore._engine.execution.dispatch")  # deferred: dispatch imports Tensor
numbers = deferred("mindspore._engine.tensor.traced_number")  # the same
_stack = Kernel("Stack", lambda *tensors: jnp.stack(tensors))


class Tensor(TensorState):
    """An n-dimensional array of one dtype.

    Args:
        input_data: a number, (nested) list or tuple, NumPy array, or Tensor. Always copied.
        dtype: the dtype of the elements; by default that of ``input_data`` (Python floats give float32, ints int64).
        shape: with ``init``, the shape of a tensor whose data is made on first use.
        init: an initializer, see :mod:`mindspore.common.initializer`.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0, 2.0])
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
        >>> print(Tensor([[1, 2], [3, 4]]) * 2)
        [[2 4]
         [6 8]]
    """

    const_arg = False
    virtual_flag = False
    __array_priority__ = 0  # a NumPy left operand takes precedence, as in MindSpore

    def __init__(self, input_data: Any = None, dtype: DType | None = None, shape: Any = None, init: Any = None,
                 internal: bool = False, const_arg: bool = False, device: str | None = None):  # fmt: skip
        self.const_arg = const_arg
        if const_arg.__class__ is not bool:
            check_bool("Tensor", "const_arg", const_arg)
        if state.scope is not None:
            self._birth = state.scope
        if device is not None:
            check_place(device)
        if dtype is not None and (not isinstance(dtype, DType) or dtype.np_dtype is None):
            raise TypeError(
                f"For 'Tensor', the 'dtype' must be one of [{dtypes.allowed_names()}], but got {dtype!r} of type "
                f"{type(dtype).__name__}."
            )
        if isinstance(input_data, Tensor) and input_data._value is not None:
            source = input_data if dtype is None or dtype == input_data.dtype else input_data.astype(dtype)
            if state.scope is not None:
                state.scope.note_read(source)
            self._value, self._link = source._value, source._link
        elif isinstance(input_data, (list, tuple)) and holds_tensors(input_data):
            stacked = dispatch.run(_stack, [x if isinstance(x, Tensor) else Tensor(x) for x in input_data])
            by_default = dtypes.from_numpy(sequence_dtype(stacked.dtype.np_dtype))
            self.__init__(stacked, dtype or by_default, const_arg=const_arg)
        elif input_data is not None:
            if shape is not None or init is not None:
                raise given_twice(shape, init)
            array = to_array(input_data, dtype)
            # Strings stay on the host; so does a constant of a graph, whose value stays concrete in the trace.
            host = array.dtype.kind in "US" or state.scope is not None
            self._value = array if host else choice.placed(array)
        else:
            self._lazy = lazy_parts(shape, dtype, init)
            if isinstance(shape, (list, tuple)) and any(isinstance(length, Symbol) for length in shape):
                self._symbols = [size.to_dict() if isinstance(size, Symbol) else size for size in shape]
            if init is None and min(self._lazy[0], default=0) >= 0:
                self.init_data()

    @classmethod
    def wrap(cls, value: Any) -> Tensor:
        """Wrap a device array without copying or checking."""
        tensor = object.__new__(Tensor)
        tensor._value = value
        if state.scope is not None:
            tensor._birth = state.scope
        return tensor

    @classmethod
    def from_batch(cls, arrays: Sequence[np.ndarray]) -> list[Tensor]:
        """Transfer arrays, which the caller must not write to any more, to the device together."""
        if state.scope is not None:
            return [cls(array) for array in arrays]
        for array in arrays:
            dtypes.from_numpy(array.dtype)
        return [cls.wrap(value) for value in to_device(arrays)]

    @classmethod
    def linked(cls, value: Any, link: Link | None) -> Any:
        """A recorded input: a Tensor with this link on the tape, or a Python scalar."""
        if isinstance(value, (bool, int, float, complex)):
            return value
        tensor = cls.wrap(value)
        tensor._link = link
        return tensor

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """A Tensor with the data of a NumPy array.

        Examples:
            >>> import numpy as np
            >>> from mindspore import Tensor
            >>> print(Tensor.from_numpy(np.array([1.0, 2.0])))
            [1. 2.]
        """
        if not isinstance(array, np.ndarray):
            raise TypeError(f"For 'from_numpy', the 'array' must be a numpy.ndarray, but got {type(array).__name__}.")
        return Tensor(array)

    if not TYPE_CHECKING:  # keep unknown attributes an error for type checkers

        def __getattr__(self, name: str) -> Any:
            if (
                name == "grad" and "param_info" in self.__dict__
            ):  # a library's weight; it had one in MindSpore 2.3 and 2.4
                return self.__dict__.get("_grad")
            raise missing_attribute(self, name)

    # -- state --------------------------------------------------------------------------------------------------------
    def _read(self) -> Any:
        """The array, initialised now if it was deferred; recorded as a read while tracing."""
        if self._value is None:
            self.init_data()
        if state.scope is not None:
            state.scope.note_read(self)
        return self._value

    def _host(self, what: str, instead: str) -> np.ndarray:
        """The array on the host; an error while tracing."""
        value = self._value if self._value is not None else self.init_data()._value
        if isinstance(value, Tracer):
            raise needs_value(what, instead)
        try:
            array = np.asarray(settled(value))
        except RuntimeError:
            if getattr(value, "is_fully_addressable", True) or value.is_fully_replicated:
                raise  # the computation failed, or another pipeline stage holds it
            array = np.asarray(gathered(value))  # sharded over processes
        if deferred_checks.pending:
            deferred_checks.look()
        return array

    def _is_open(self) -> bool:
        """Whether it only describes an input with dynamic dimensions."""
        return self._value is None and self._lazy is not None and min(self._lazy[0], default=0) < 0

    @property
    def has_init(self) -> bool:
        """Whether initialization is still deferred."""
        return self._lazy is not None and self._value is None

    @property
    def init(self) -> Any:
        """The initializer of a lazy tensor; None once it has data."""
        return self._lazy[2] if self.has_init else None

    def init_data(self, slice_index: int | None = None, shape: Any = None, opt_shard_group: Any = None) -> Tensor:
        """Make the data of a lazy tensor now, in another shape if one is given; returns the tensor.

        Examples:
            >>> from mindspore.common.initializer import initializer
            >>> print(initializer("ones", (2,)).init_data())
            [1. 1.]
        """
        if self._value is None and self._lazy is not None:
            lazy_shape, dtype, init = self._lazy
            lazy_shape = lazy_shape if shape is None else tuple(shape)
            if -1 in lazy_shape:
                raise ValueError(
                    f"This Tensor has no data: its shape {lazy_shape} is open (None). It describes an input, for export and "
                    "set_inputs; to compute, give a Tensor with data."
                )
            array = np.zeros(lazy_shape, dtype.np_dtype) if init is None else init.materialise(lazy_shape, dtype)
            with jax.ensure_compile_time_eval():  # evaluate eagerly: an initial value is no part of the trace
                self._value = jax.device_put(array, context.current_device())
        return self

    def to_tensor(self, slice_index: int | None = None, shape: Any = None, opt_shard_group: Any = None) -> Tensor:
        """``init_data``, as 1.x also calls it.

        Raises:
            ValueError: the shape of the tensor is open.

        Examples:
            >>> from mindspore.common.initializer import initializer
            >>> print(initializer("ones", (2,)).to_tensor())
            [1. 1.]
        """
        return self.init_data(slice_index, shape, opt_shard_group)

    # -- attributes ---------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """The length of every axis.

        Examples:
            >>> from mindspore import ops
            >>> print(ops.ones((2, 3)).shape)
            (2, 3)
        """
        return self._value.shape if self._value is not None else self._lazy[0]

    @property
    def dtype(self) -> DType:
        """The type of the elements.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([1.0]).dtype)
            Float32
        """
        if self._value is None:
            return self._lazy[1]
        kind = self._value.dtype
        return dtypes.string if kind.kind in "US" else dtypes.from_numpy(kind)

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements there are."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self.dtype.np_dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """How many bytes lie between neighbours along every axis, rows one after the other."""
        strides, step = [], self.itemsize
        for length in reversed(self.shape):
            strides.append(step)
            step *= length
        return tuple(reversed(strides))

    @property
    def data(self) -> Tensor:
        """The Tensor itself, for programs that ask a Parameter and a Tensor alike."""
        return self

    @property
    def is_init(self) -> bool:
        """Whether the elements exist: False while an initializer is still to be run."""
        return not self.has_init

    def value(self) -> Tensor:
        """This tensor's value as a Tensor of its own.

        Examples:
            >>> from mindspore import Parameter, Tensor
            >>> print(Parameter(Tensor([1.0]), name="weight").value())
            [1.]
        """
        return _share(self)

    def dim(self) -> int:
        """The number of axes.

        Examples:
            >>> from mindspore import ops
            >>> print(ops.ones((2, 3)).dim())
            2
        """
        return self.ndim

    def numel(self) -> int:
        """The number of elements.

        Examples:
            >>> from mindspore import ops
            >>> print(ops.ones((2, 3)).numel())
            6
        """
        return self.size

    def nelement(self) -> int:
        """The number of elements.

        Examples:
            >>> from mindspore import ops
            >>> print(ops.ones((2, 3)).nelement())
            6
        """
        return self.size

    def element_size(self) -> int:
        """The number of bytes of an element.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([1.0, 2.0]).element_size())
            4
        """
        return self.itemsize

    # -- to Python and NumPy --------------------------------------------------------------------------------------
    def asnumpy(self) -> np.ndarray:
        """A NumPy array with this tensor's data. It may be written to.

        What is written to it changes a tensor that is small and on the host until it is written itself, as every tensor in
        MindSpore; arrays of devices are copied.

        Examples:
            >>> from mindspore import Tensor
            >>> x = Tensor([1.0, 2.0])
            >>> y = x.asnumpy()
            >>> y[0] = 11
            >>> print(x)
            [11.  2.]
        """
        array = self._host("Tensor.asnumpy()", "compute with operators of mindspore.ops, or return the Tensor.")
        if self._value.__class__ is not np.ndarray or state.scope is not None or array.dtype.kind in "USO":
            return np.array(array)
        shared = None if self._shared is None else self._shared()
        if shared is None or shared.base is not array.base:
            self._value = array = copy_for_sharing(array)
            shared = array[...]  # stays writable, while the tensor's own array is nobody's to write to
            array.setflags(write=False)
            self._shared = weakref.ref(shared)
        return shared

    def numpy(self) -> np.ndarray:
        """The elements as a NumPy array.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([1, 2]).numpy())
            [1 2]
        """
        return self.asnumpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self._host("Turning a Tensor into a NumPy array", "use operators of mindspore.ops instead of NumPy.")
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return np.array(array) if copy is not False else array

    def __dlpack__(self, **options: Any) -> Any:
        array = self._shareable()
        deferred_checks.wait()  # data leaves the framework: raise deferred check failures first
        return settled(array).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._shareable().__dlpack_device__()

    def _shareable(self) -> Any:
        """The array on the device; an error while tracing."""
        array = self._placed()
        if isinstance(array, Tracer):
            raise needs_value("Handing a Tensor to another library", "do it outside of the compiled function.")
        return array

    def _placed(self) -> Any:
        """The array on the device, where memory can be shared."""
        value = self._read()
        if value.__class__ is np.ndarray and state.scope is None:
            value = self._value = to_device((value,))[0]
        return value

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; a number for a scalar.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([[1, 2], [3, 4]]).tolist())
            [[1, 2], [3, 4]]
        """
        return self._host("Tensor.tolist()", "keep the Tensor, or return it from the function.").tolist()

    def item(self, index: Any = None) -> Any:
        """One element as a Python number; without an index the tensor must have just one.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([[1, 2], [3, 4]]).item(3))
            4
        """
        value = self._value
        if index is None and value.__class__ is np.ndarray and value.size == 1 and not deferred_checks.pending:
            return value.item()
        if index is not None:
            return self._host("Tensor.item()", "index the Tensor: x[i].").item(index)
        if is_traced(self) and self.size == 1:
            return numbers.as_number(self)
        return self._one("item()", "keep the 0-d Tensor.").item()

    def itemset(self, *args: Any) -> Tensor:
        """A copy with one element replaced: ``itemset(value)`` or ``itemset(index, value)``.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([1.0, 2.0]).itemset(1, 9.0))
            [1. 9.]
        """
        if not 1 <= len(args) <= 2:
            raise TypeError(f"For 'itemset', give a value, or an index and a value, but got {len(args)} arguments.")
        changed = self.copy()
        index = args[0] if len(args) == 2 else (0,) * self.ndim
        if isinstance(index, int) and self.ndim != 1:
            index = tuple(int(i) for i in np.unravel_index(index, self.shape))
        changed[index] = args[-1]
        return changed

    def _one(self, what: str, instead: str) -> np.ndarray:
        value = self._value
        if value.__class__ is np.ndarray and value.size == 1 and not deferred_checks.pending:
            return value.reshape(())
        if self.size != 1:
            raise ValueError(
                f"The tensor should have only one element, but got {self.size}, more than one element is ambiguous. "
                "Use .any() or .all(), or pick one element by index."
            )
        return self._host(what, instead).reshape(())

    def __bool__(self) -> bool:
        return bool(self._one("The truth of a Tensor", "`if`, `while`, `and`, `or`, `not` on Tensors are compiled when "
                              "they stand in code the compiler can read; in other places use ops.select or ops.where."))  # fmt: skip

    def __int__(self) -> int:
        return int(self._one("int(Tensor)", "tensor.astype(mindspore.int32), or pass a Python int."))

    def __float__(self) -> float:
        return float(self._one("float(Tensor)", "tensor.astype(mindspore.float32), or pass a Python float."))

    def __complex__(self) -> complex:
        return complex(self._one("complex(Tensor)", "tensor.astype(mindspore.complex64)."))

    def __index__(self) -> int:
        if not (self.dtype.is_integer or self.dtype == dtypes.bool_):
            text = f"Only integer tensors of one element can be an index, but got dtype {self.dtype}."
            raise several(ValueError, TypeError)(text)
        return int(self._one("Using a Tensor as a Python index", "ops.gather, or index with the Tensor itself: x[t]."))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Not support len of a 0-D tensor")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, element: Any) -> bool:
        equal = self == element
        return bool(equal.any()) if isinstance(equal, Tensor) else equal

    # -- text ---------------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        if isinstance(self._value, Tracer):
            dims = ", ".join(map(str, self.shape))
            return f"Tensor(shape=[{dims}], dtype={self.dtype}, value=<known when the graph runs>)"
        if self._is_open():
            return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value=\n)"
        if self.has_init:  # printing must not draw random numbers
            line = "\n" if self.ndim > 1 else ""
            return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={line}<uninitialized>)"
        return tensor_text.tensor_repr(self._host("", ""), self.dtype.name)

    def __str__(self) -> str:
        if isinstance(self._value, Tracer) or self.has_init:  # MindSpore's print shows that there is no data yet
            return Tensor.__repr__(self)
        return tensor_text.tensor_str(self._host("", ""))

    def _repr_html_(self) -> str | None:
        if isinstance(self._value, Tracer) or self.has_init:
            return None  # the repr says why
        return tensor_text.tensor_html(self._host("", ""), self.dtype.name)

    # -- copies -------------------------------------------------------------------------------------------------------
    def copy(self) -> Tensor:
        """A tensor with the same data that changes independently.

        Examples:
            >>> from mindspore import Tensor
            >>> x = Tensor([1.0])
            >>> y = x.copy()
            >>> y[0] = 5
            >>> print(x, y)
            [1.] [5.]
        """
        return _share(self)

    def __copy__(self) -> Tensor:
        return _share(self)

    def __deepcopy__(self, memo: dict[Any, Any]) -> Tensor:
        copied = _share(self)
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self._host("Pickling a Tensor", "return it first."),))

    __hash__ = object.__hash__

    # -- in place -----------------------------------------------------------------------------------------------------
    def assign_value(self, value: Tensor) -> Tensor:
        """Replace the data, the shape included.

        Examples:
            >>> from mindspore import Tensor
            >>> x = Tensor([1.0])
            >>> print(x.assign_value(Tensor([2.0])))
            [2.]
        """
        if not isinstance(value, Tensor):
            raise TypeError(f"For 'assign_value', the 'value' must be a Tensor, but got {type(value).__name__}.")
        value._read()
        self._write_elements(value)
        return self

    def set_dtype(self, dtype: DType) -> DType:
        """Convert in place; returns the dtype.

        Examples:
            >>> import mindspore
            >>> from mindspore import Tensor
            >>> print(Tensor([1.9]).set_dtype(mindspore.int32))
            Int32
        """
        self._become(self.astype(dtypes.to_dtype(dtype, "set_dtype")))
        return self.dtype

    def flush_from_cache(self) -> None:
        """Kept for old programs: there is no host cache to write back.

        Examples:
            >>> from mindspore import Tensor
            >>> print(Tensor([1.0]).flush_from_cache())
            None
        """


def _share(tensor: Tensor) -> Tensor:
    """Another handle on the same array."""
    shared = Tensor.wrap(tensor._read())
    shared._link = tensor._link
    return shared


def _rebuild(array: np.ndarray) -> Tensor:
    return Tensor(array)


def is_traced(value: Any) -> bool:
    """Whether the value is a Tensor that holds a tracer."""
    return isinstance(value, Tensor) and isinstance(value._value, Tracer)


register_leaf(Tensor)
