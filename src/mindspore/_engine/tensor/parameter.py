"""Parameter: a named Tensor that a network owns."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base import unsettled_writes, version_counter
from mindspore._engine.base.errors import explain
from mindspore._engine.base.pytree import register_leaf
from mindspore._engine.base.trace_state import state
from mindspore._engine.runtime.parallel_context import get_ps_context
from mindspore._engine.tensor.deferred_init import initializer
from mindspore._engine.tensor.hints import check_place
from mindspore._engine.tensor.parameter_info import ParamInfo
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.tensor_state import views
from mindspore._utils.checks import check_bool, check_non_negative_int, check_str, check_type

PLACEHOLDER = "Parameter"
_counter = itertools.count()
_SHARED_NAME = (
    "Parameters without a name are named after their attributes; a Cell names all of its own after their paths with "
    "update_parameters_name()."
)
_COPIED_FLAGS = ("key", "storage_format", "unique", "sliced", "is_param_ps", "init_in_server", "cache_enable", "inited_param",
                 "comm_fusion", "parallel_optimizer_comm_recompute")  # fmt: skip


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

    _is_state = True
    # flags for other back ends, which programs read and set
    sliced = False
    is_param_ps = False
    init_in_server = False
    cache_enable = False
    cache_shape: Sequence[int] = ()
    inited_param: Parameter | None = None
    parallel_optimizer_comm_recompute = False

    def __init__(self, default_input: Any, name: str | None = None, requires_grad: bool = True,
                 layerwise_parallel: bool = False, parallel_optimizer: bool = True, storage_format: str = "",
                 device: str | None = None):  # fmt: skip
        _check_input(default_input)
        lazy = default_input.init if isinstance(default_input, Tensor) and default_input.has_init else None
        if lazy is not None:
            super().__init__(shape=default_input.shape, dtype=default_input.dtype, init=lazy)
            if not state.delays_initial_values:
                self.init_data()
                default_input._value = self._value  # one draw serves the deferred tensor and the Parameter
        elif isinstance(default_input, int):
            super().__init__(default_input, dtypes.int32 if -(2**31) <= default_input < 2**31 else dtypes.int64)
        else:
            super().__init__(default_input)
        self._link = None
        # A Parameter outlives the trace that created it: it is program state, not a value of the graph.
        self._birth, self._made_in = None, self._birth
        self._name = _checked_name(name)
        check_str("Parameter", "storage_format", storage_format)
        if device is not None:
            check_place(device, "Parameter")
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        self.storage_format = storage_format
        self.unique = False  # type: ignore[method-assign]  # a flag, as in MindSpore; ops.unique is the operator
        self.is_init = False
        self.comm_fusion = 1

    # -- name and flags -------------------------------------------------------------------------------------------
    def _set(self, value: Any, link: Any = None) -> None:
        if state.scope is None:
            try:
                unsettled_writes.note(self, value)
            except jax.errors.JaxRuntimeError as error:
                raise explain(error, self.name, [value]) from None
        super()._set(value, link)

    def _is_trained(self) -> bool:
        return self.requires_grad and self.dtype.is_floating

    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, value: str | None) -> None:
        self._name = _checked_name(value)

    @property
    def has_placeholder_name(self) -> bool:
        """Whether the name was generated and is replaced by the attribute's name."""
        return self._name.split("#")[0] == PLACEHOLDER

    @property
    def requires_grad(self) -> bool:
        return self.__dict__["_requires_grad"]

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"The argument `requires_grad` must be bool type, but got {type(value).__name__}.")
        if value != self.__dict__.get("_requires_grad"):
            self.__dict__["_requires_grad"] = value
            version_counter.note()

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
    def comm_fusion(self) -> int:
        """Group of gradients that are all-reduced together; a hint for other back ends."""
        return self._comm_fusion

    @comm_fusion.setter
    def comm_fusion(self, value: int) -> None:
        self._comm_fusion = check_non_negative_int("Parameter", "comm_fusion", value)

    @property
    def is_init(self) -> bool:
        """Whether the data was transferred to other back ends; kept for old programs."""
        return self._is_init

    @is_init.setter
    def is_init(self, value: bool) -> None:
        self._is_init = value

    @property
    def param_info(self) -> ParamInfo:
        """Name and flags as an object of its own, for programs that pass it on."""
        found = self.__dict__.get("_param_info")
        if found is None:
            found = self.__dict__["_param_info"] = ParamInfo(self)
        return found

    @param_info.setter
    def param_info(self, info: ParamInfo) -> None:
        check_type("Parameter", "param_info", info, ParamInfo)
        for name in ("name", "requires_grad", "layerwise_parallel", "parallel_optimizer", "comm_fusion", "key"):
            setattr(self, name, getattr(info, name))
        self.__dict__["_param_info"] = None

    @property
    def key(self) -> int:
        """A user-defined key, -1 until it is set."""
        return self.__dict__.get("_key", -1)

    @key.setter
    def key(self, value: int) -> None:
        if not isinstance(value, int):
            raise TypeError(f"The argument `key` must be int type, but got {type(value).__name__}.")
        self._key = int(value)

    def add_pipeline_stage(self, stage: int) -> None:
        """Record a pipeline stage that uses this Parameter."""
        if isinstance(stage, bool) or not isinstance(stage, int) or stage < 0:
            raise TypeError(f"For 'add_pipeline_stage', the 'stage' must be an int of at least 0, but got {stage!r}.")
        self.__dict__.setdefault("_pipeline_stages", []).append(stage)

    # -- value ----------------------------------------------------------------------------------------------------
    @property
    def data(self) -> Tensor:
        """The value as a Tensor; writing to its elements writes to the Parameter."""
        shared = self.value()
        if state.scope is None:
            views.note(shared, self, ...)
        return shared

    @data.setter
    def data(self, value: Any) -> None:
        self.set_data(value)

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Replace the value by another one, in the Parameter's dtype; returns the Parameter. A Python float is no integer.

        Args:
            data: a Tensor (also a lazy one), NumPy array or number; converted to the Parameter's dtype.
            slice_shape: that the shape changes on purpose. It may change without, too: libraries enlarge embeddings so.

        Examples:
            >>> from mindspore import Parameter, Tensor
            >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
            >>> print(w.set_data(Tensor([3.0, 4.0])).value())
            [3. 4.]
        """
        if not isinstance(data, (Tensor, int, float, np.ndarray)):
            raise TypeError(
                f"For 'set_data', the 'data' must be a Tensor, int or float, but got {data!r} of type {type(data).__name__}."
            )
        if isinstance(data, float) and self.dtype.is_integer:
            raise TypeError(
                f"Incoming Parameter dtype can not be converted to current dtype implicitly. Current dtype is {self.dtype}, and "
                f"incoming is the number {data!r}. Write a Tensor, which is converted: Tensor({data!r})."
            )
        number = isinstance(data, (int, float))
        tensor = data if isinstance(data, Tensor) else Tensor(data)
        tensor.init_data()
        converted = tensor if tensor.dtype == self.dtype else tensor.astype(self.dtype)
        if number and self.size == 1:
            converted = converted.reshape(self.shape)
        converted._read()
        self._set(converted._value, self._link if converted.shape == self.shape else None)
        return self

    def clone(self, init: Any = "same") -> Parameter:
        """A copy with the same name; ``init`` other than 'same' gives it new data (initializer, name, number, Tensor)."""
        if isinstance(init, str) and init == "same":
            source: Any = Tensor.wrap(self._read())
        else:
            source = initializer(init, self.shape, self.dtype)
        copied = Parameter(source, self.name, self.requires_grad, self.layerwise_parallel, self.parallel_optimizer)
        for flag in _COPIED_FLAGS:
            setattr(copied, flag, getattr(self, flag))
        return copied

    def copy(self) -> Any:
        """A copy with the same name; where gradients are taken or a graph is traced, a Tensor that depends on this."""
        if state.tape is not None or state.scope is not None:
            return super().copy()
        return self.clone()

    def init_data(self, *args: Any, **kwargs: Any) -> Parameter:
        super().init_data(*args, **kwargs)
        return self

    # -- kept for programs of 1.x and 2.0 ---------------------------------------------------------------------------
    def set_param_ps(self, init_in_server: bool = False) -> None:
        """Mark the Parameter for a parameter server, which ``set_ps_context`` has to ask for; it stays where it is."""
        if not get_ps_context("enable_ps"):
            raise RuntimeError(
                "For 'Parameter.set_param_ps', a parameter server must be asked for: call set_ps_context(enable_ps=True) before."
            )
        self.is_param_ps = True
        self.init_in_server = self.param_info.init_in_server = check_bool(
            "Parameter.set_param_ps", "init_in_server", init_in_server
        )

    def set_param_fl(
        self, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True
    ) -> None:
        """Mark the Parameter for federated learning: whether a server gets it, sends it, and averages it."""
        if push_to_server:
            self.push_weight_to_server = True
        if pull_from_server:
            self.pull_weight_from_server = True
        if not requires_aggr:
            self.requires_aggr = self.param_info.requires_aggr = False

    # -- text and copies ------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return (
            f"Parameter (name={self._name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
        )

    def __str__(self) -> str:
        return self.__repr__()

    def _repr_html_(self) -> str | None:
        values = super()._repr_html_()
        return None if values is None else f"<p>Parameter <b>{html.escape(str(self._name))}</b></p>{values}"

    def __deepcopy__(self, memo: dict[Any, Any]) -> Parameter:
        copied = self.clone()
        memo[id(self)] = copied
        return copied

    def __copy__(self) -> Parameter:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        array = self._host("Pickling a Parameter", "return it first.")
        return (_rebuild, (array, self._name, self.requires_grad, self._layerwise_parallel))

    __hash__ = Tensor.__hash__


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters with names that differ.

    Examples:
        >>> from mindspore import Parameter, ParameterTuple, Tensor
        >>> weights = ParameterTuple([Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")])
        >>> [p.name for p in weights.clone("moments")]
        ['moments.a', 'moments.b']
    """

    def __new__(cls, iterable: Iterable[Parameter]) -> ParameterTuple:
        if not isinstance(iterable, Iterable):
            got = f"{iterable!r} of type {type(iterable).__name__}"
            raise TypeError(f"For 'ParameterTuple', the argument must be an iterable of Parameters, but got {got}.")
        members = tuple(iterable)
        seen: dict[str, Parameter] = {}
        for member in members:
            if not isinstance(member, Parameter):
                raise TypeError(
                    f"For 'ParameterTuple', every element must be a Parameter, but got {member!r} of type {type(member).__name__}."
                )
            if seen.setdefault(member.name, member) is not member:
                raise ValueError(
                    f"The value {member!r} , its name '{member.name}' already exists. Please set a unique name for the "
                    f"parameter. {_SHARED_NAME}"
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
    if isinstance(value, (bool, np.bool_)):
        raise ValueError("For 'Parameter', the 'default_input' must not be a bool; write Tensor(True) instead.")
    if not isinstance(value, (Tensor, int, float, np.ndarray, np.generic, list)):
        raise TypeError(
            "For 'Parameter', the 'default_input' must be one of Tensor, int, float, numpy.ndarray or list, but got "
            f"{value!r} of type {type(value).__name__}."
        )


def _checked_name(name: str | None) -> str:
    if name is None:
        return f"{PLACEHOLDER}#{next(_counter)}"
    if not isinstance(name, str):
        raise ValueError(
            f"The type of the Parameter's name should be 'string' or 'None', but got {type(name).__name__}."
        )
    name = name.strip()
    if len(name) > 1024:
        raise ValueError(f"The length of the Parameter's name must be at most 1024, but got {len(name)}.")
    return name or f"{PLACEHOLDER}#{next(_counter)}"


def _checked_flag(flag: str, value: bool) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"The argument `{flag}` must be bool type, but got {type(value).__name__}.")
    return value


def _rebuild(array: np.ndarray, name: str, requires_grad: bool, layerwise_parallel: bool) -> Parameter:
    return Parameter(Tensor(array), name, requires_grad, layerwise_parallel)


register_leaf(Parameter)
