"""Parameter: a named Tensor that a network owns."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore._engine import changes
from mindspore._engine import dtype as dtypes
from mindspore._engine.dtype import DType
from mindspore._engine.lazy import initializer
from mindspore._engine.tensor import Tensor

_PLACEHOLDER = "Parameter"
_counter = itertools.count()
# The order in which set_data converts without being asked: from earlier to later only.
_WIDTH = {d: rank for rank, d in enumerate(
    (dtypes.bool_, dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64,
     dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64))}  # fmt: skip


class Parameter(Tensor):
    """A Tensor with a name that Cells register, optimizers update and checkpoints store.

    Args:
        default_input: initial value: a Tensor (also a lazy one from ``initializer``), number, list or NumPy array.
        name: without one, the name of the attribute it is assigned to.
        requires_grad: whether ``trainable_params`` lists it.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> w
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
        >>> print(w * 2)
        [2. 4.]
    """

    def __init__(self, default_input: Any, name: str | None = None, requires_grad: bool = True,
                 layerwise_parallel: bool = False, parallel_optimizer: bool = True, storage_format: str = "",
                 device: str | None = None):  # fmt: skip
        _check_input(default_input)
        lazy = default_input.init if isinstance(default_input, Tensor) and default_input.has_init else None
        if lazy is not None:
            super().__init__(shape=default_input.shape, dtype=default_input.dtype, init=lazy)
            self.init_data()
            default_input._value = self._value  # one draw serves the lazy tensor and the parameter
        elif isinstance(default_input, int):
            super().__init__(default_input, dtypes.int32)
        else:
            super().__init__(default_input)
        self._link = None
        # A Parameter outlives the trace that made it: it is state of the program, not a value of the graph.
        self._birth, self._made_in = None, self._birth
        self._name = _checked_name(name)
        self._given_name = self._name
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        self.storage_format = storage_format
        self.unique = False
        self.sliced = False
        self.is_param_ps = False
        self.init_in_server = False
        self.cache_enable = False
        self.inited_param: Parameter | None = None
        self.comm_fusion = 1
        self.parallel_optimizer_comm_recompute = False

    # -- name and flags -------------------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, value: str | None) -> None:
        self._name = _checked_name(value)

    @property
    def has_placeholder_name(self) -> bool:
        """Whether the name was made up and gives way to the attribute's name."""
        return self._name.split("#")[0] == _PLACEHOLDER

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"The argument `requires_grad` must be bool type, but got {type(value).__name__}.")
        if value != self.__dict__.get("_requires_grad"):
            self._requires_grad = value
            changes.note()

    @property
    def layerwise_parallel(self) -> bool:
        return self._layerwise_parallel

    @layerwise_parallel.setter
    def layerwise_parallel(self, value: bool) -> None:
        self._layerwise_parallel = _checked_flag("layerwise_parallel", value)

    @property
    def parallel_optimizer(self) -> bool:
        return self._parallel_optimizer

    @parallel_optimizer.setter
    def parallel_optimizer(self, value: bool) -> None:
        self._parallel_optimizer = _checked_flag("parallel_optimizer", value)

    @property
    def param_info(self) -> Parameter:
        return self

    @property
    def key(self) -> int:
        return id(self)

    # -- value ----------------------------------------------------------------------------------------------------
    @property
    def data(self) -> Parameter:
        return self

    @data.setter
    def data(self, value: Any) -> None:
        self.set_data(value)

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Replace the value; dtype and shape stay unless ``slice_shape`` allows another shape."""
        if isinstance(data, bool) or not isinstance(data, (Tensor, int, float, np.ndarray)):
            raise TypeError(
                f"For 'set_data', the 'data' must be a Tensor, int or float, but got {data!r} of type {type(data).__name__}."
            )
        number = isinstance(data, (int, float))
        tensor = data if isinstance(data, Tensor) else Tensor(data)
        tensor.init_data()
        if tensor.shape != self.shape and not slice_shape and not (number and self.size == 1):
            raise ValueError(
                f"Can not change the shape of Parameter which has been initialized. Current shape is {self.shape}, and "
                f"incoming is {tensor.shape}. Use parameter.assign_value(...) or slice_shape=True to change it anyway."
            )
        if not number and _WIDTH.get(tensor.dtype, 99) > _WIDTH.get(self.dtype, 99):
            raise TypeError(
                "Incoming Parameter dtype can not be converted to current dtype implicitly. Current dtype is "
                f"{self.dtype}, and incoming is {tensor.dtype}. Use .set_dtype(xxx) to convert, or data.astype({self.dtype!r})."
            )
        converted = tensor if tensor.dtype == self.dtype else tensor.astype(self.dtype)
        if number and converted.shape != self.shape:
            converted = converted.reshape(self.shape)
        converted._read()
        self._set(converted._value, None)
        return self

    def clone(self, init: Any = "same") -> Parameter:
        """A copy with the same name; ``init`` other than 'same' gives it new data (initializer, name, number, Tensor)."""
        if isinstance(init, str) and init == "same":
            source: Any = Tensor.wrap(self._read())
        else:
            source = initializer(init, self.shape, self.dtype)
        copied = Parameter(source, self.name, self.requires_grad, self.layerwise_parallel, self.parallel_optimizer)
        copied.inited_param = self.inited_param
        copied.comm_fusion = self.comm_fusion
        return copied

    def init_data(self, *args: Any, **kwargs: Any) -> Parameter:
        super().init_data(*args, **kwargs)
        return self

    # -- text and copies ------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return (
            f"Parameter (name={self._name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self._requires_grad})"
        )

    def __str__(self) -> str:
        return self.__repr__()

    def _repr_html_(self) -> str:
        return f"<p>Parameter <b>{self._name}</b></p>" + super()._repr_html_()

    def __deepcopy__(self, memo: dict) -> Parameter:
        copied = self.clone()
        memo[id(self)] = copied
        return copied

    def __copy__(self) -> Parameter:
        return self.clone()

    def __reduce__(self) -> tuple:
        array = self._host("Pickling a Parameter", "return it first.")
        return (_rebuild, (array, self._name, self._requires_grad, self._layerwise_parallel))

    __hash__ = Tensor.__hash__


class ParameterTuple(tuple):
    """A tuple of Parameters with names that differ.

    Examples:
        >>> from mindspore import Parameter, ParameterTuple, Tensor
        >>> weights = ParameterTuple([Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")])
        >>> [p.name for p in weights.clone("moments")]
        ['moments.a', 'moments.b']
    """

    def __new__(cls, iterable: Iterable[Parameter]) -> ParameterTuple:
        members = tuple(iterable)
        seen: dict[str, Parameter] = {}
        for member in members:
            if not isinstance(member, Parameter):
                raise TypeError(
                    f"For 'ParameterTuple', every element must be a Parameter, but got {member!r} of type {type(member).__name__}."
                )
            if seen.setdefault(member.name, member) is not member:
                raise ValueError(
                    f"For 'ParameterTuple', there are two parameters and the name '{member.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
        return tuple.__new__(cls, members)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """Copies named ``prefix.name``."""
        if not isinstance(prefix, str):
            raise TypeError(f"For 'ParameterTuple.clone', the 'prefix' must be a str, but got {type(prefix).__name__}.")
        copies = []
        for member in self:
            copied = member.clone(init)
            copied.name = f"{prefix}.{member.name}"
            copies.append(copied)
        return ParameterTuple(copies)


def _check_input(value: Any) -> None:
    if isinstance(value, bool):
        raise ValueError("For 'Parameter', the 'default_input' must not be a bool; write Tensor(True) instead.")
    if not isinstance(value, (Tensor, int, float, np.ndarray, np.generic, list, tuple)):
        raise TypeError(
            "For 'Parameter', the 'default_input' must be one of Tensor, int, float, numpy.ndarray or list, but got "
            f"{value!r} of type {type(value).__name__}."
        )


def _checked_name(name: str | None) -> str:
    if name is None:
        return f"{_PLACEHOLDER}#{next(_counter)}"
    if not isinstance(name, str):
        raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name).__name__}.")
    name = name.strip()
    if len(name) > 1024:
        raise ValueError(f"The length of the Parameter's name must be at most 1024, but got {len(name)}.")
    return name or f"{_PLACEHOLDER}#{next(_counter)}"


def _checked_flag(flag: str, value: bool) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"The argument `{flag}` must be bool type, but got {type(value).__name__}.")
    return value


def _rebuild(array: np.ndarray, name: str, requires_grad: bool, layerwise_parallel: bool) -> Parameter:
    return Parameter(Tensor(array), name, requires_grad, layerwise_parallel)


def is_trainable_dtype(dtype: DType) -> bool:
    """Whether a gradient makes sense for this dtype."""
    return dtype.is_floating or dtype.is_complex
