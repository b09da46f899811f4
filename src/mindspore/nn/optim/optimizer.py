"""Optimizer: what all optimizers share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base import dtype
from mindspore._engine.execution.row_gradient import RowGradient, on_values
from mindspore._engine.runtime import context
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_rows import decayed_rows
from mindspore._ops.sparse.sparse_tensors import RowTensor
from mindspore._utils.checks import check_bool, check_float_range, check_one_of, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.nn._hints import CELL_HINTS
from mindspore.nn.cell import Cell
from mindspore.nn.layer.container import CellList
from mindspore.nn.optim._compiled import CompiledCell
from mindspore.nn.optim._groups import Member, listed, members_of
from mindspore.nn.optim._hints import OPTIMIZER_HINTS
from mindspore.nn.optim._schedules import _ConvertToCell, _IteratorLearningRate, check_decay, scaled_decay, to_rate

__all__ = ["Optimizer", "opt_init_args_register"]

_CENTRALIZED_CHANNELS = 16  # gradients are centralized when their second axis is a multiple of this


def opt_init_args_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorator of an optimizer's ``__init__`` that keeps its arguments.

    They are in ``init_params`` (a dict with 'params'), ``init_learning_rate`` and ``init_args`` (a dict of the rest).

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> optimizer = nn.Momentum([Parameter(Tensor([1.0]), name="w")], 0.1, momentum=0.9)
        >>> optimizer.init_learning_rate, optimizer.init_args["momentum"]
        (0.1, 0.9)
    """
    signature = inspect.signature(fn)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807 - error messages know constructors by this name
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError:
            fn(self, *args, **kwargs)  # raises the same error with the name of the class
            raise
        bound.apply_defaults()
        given = dict(bound.arguments)
        given.pop("self", None)
        members = {"init_params": {"params": given.pop("params", None)},
                   "init_learning_rate": given.pop("learning_rate", None), "init_args": given}  # fmt: skip
        self.__dict__.update(members)
        fn(self, *args, **kwargs)

    __init__.__module__ = fn.__module__
    __init__.taken = signature  # type: ignore[attr-defined]  # libraries expect __init__ to take anything, readers to see this
    return __init__


class Optimizer(CompiledCell):
    """Base of all optimizers: keeps the Parameters, their learning rates and weight decays.

    An optimizer is called with the gradients of its ``parameters``, in their order, and updates them. One call runs as one
    compiled graph in both modes; setting the learning rate (``ops.assign(optimizer.learning_rate, 0.01)``) takes effect
    without another compilation.

    For a custom optimizer define ``construct(self, gradients)``: use ``decay_weight``, ``gradients_centralization``,
    ``scale_grad`` and ``get_lr``, and add 1 to ``global_step``.

    Args:
        learning_rate: a number, a table (list or 1-d Tensor) with a rate per step, or a LearningRateSchedule. After the end
            of a table its last rate stays.
        parameters: Parameters, or dicts with the keys 'params' and, for this group alone, 'lr', 'weight_decay',
            'grad_centralization'; a dict with the single key 'order_params' decides the order of the Parameters.
        weight_decay: a number of at least 0, or a Cell that is called with the step. Without groups it spares Parameters
            with 'beta' or 'gamma' in their names.
        loss_scale: by how much gradients are too large.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn, ops
        >>> class Descent(nn.Optimizer):
        ...     def construct(self, gradients):
        ...         for parameter, gradient in zip(self.parameters, self.scale_grad(gradients)):
        ...             ops.assign_sub(parameter, gradient * self.get_lr())
        ...         self.assignadd(self.global_step, self.global_step_increase_tensor)
        ...         return True
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> Descent(0.5, [w])((Tensor([1.0, 1.0]),))
        True
        >>> print(w.value())
        [0.5 1.5]
    """

    _support_parallel_optimizer = False
    _attribute_hints: ClassVar = {**CELL_HINTS, **OPTIMIZER_HINTS}
    learning_rate: Any
    weight_decay: Any
    _given_decay: Any  # as numbers and Cells, not yet times the loss scale

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        init = vars(cls).get("__init__")
        if init is not None:
            taken = getattr(init, "taken", None) or inspect.signature(init)
            cls.__signature__ = taken.replace(parameters=[*taken.parameters.values()][1:])

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0):
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        given = listed(owner, parameters)
        weight_decay = check_decay(owner, weight_decay)
        loss_scale = check_float_range(owner, "loss_scale", loss_scale, 0.0, float("inf"), include_low=False)
        rate = to_rate(owner, learning_rate, "learning_rate")
        self.is_group = isinstance(given[0], dict)
        self.is_group_lr = self.is_group and any("lr" in group for group in given)
        if self.is_group:
            members, ordered = members_of(owner, given, rate, weight_decay)
        else:
            members, ordered = [Member(parameter, rate, weight_decay, False) for parameter in given], False
        self.is_group_params_ordered = ordered
        self._init_common(loss_scale)
        self._init_rates(rate, members)
        self._given_decay = tuple(member.weight_decay for member in members) if self.is_group else weight_decay
        self._init_decays(members)
        if self.is_group:
            self.group_params = [member.parameter for member in members]
            self.group_lr = [member.rate for member in members]
            self.group_weight_decay = [member.weight_decay for member in members]
            self.group_grad_centralization = [member.centralized for member in members]
            self.grad_centralization_flags = tuple(self.group_grad_centralization)
        self.grad_centralization = self.is_group and any(self.group_grad_centralization)
        self.parameters = self._parameters = ParameterTuple(member.parameter for member in members)
        self.param_length = len(self.parameters)
        self.optim_filter = (True,) * self.param_length

    def _init_common(self, loss_scale: float) -> None:
        """What ``construct`` of optimizers computes with."""
        self.loss_scale = loss_scale
        self.need_scale = loss_scale != 1.0
        self.reciprocal_scale = Tensor(1.0 / loss_scale, dtype.float32)
        self.global_step = Parameter(Tensor([0], dtype.int32), name="global_step")
        self.global_step_increase_tensor = Tensor([1], dtype.int32)
        self.assignadd = ops.AssignAdd()
        self.map_, self.map_reverse = ops.Map(), ops.Map(None, True)
        self.hyper_map, self.hyper_map_reverse = ops.HyperMap(), ops.HyperMap(None, True)
        self.use_parallel = False
        self.param_rank = None
        self.skip_auto_parallel_compile = True
        self.enable_tuple_broaden = True
        self._unique = True
        self._target = context.state.device_target

    def _init_rates(self, rate: Any, members: list[Member]) -> None:
        rates: list[Any] = [member.rate for member in members] if self.is_group_lr else [rate]
        self.dynamic_lr = any(isinstance(source, Cell) for source in rates)
        if not self.is_group_lr:
            self.learning_rate = rate
        elif self.dynamic_lr:
            cells = {id(source): source if isinstance(source, Cell) else _ConvertToCell(source) for source in rates}
            for member in members:
                member.rate = cells[id(member.rate)]
            self.learning_rate = CellList([cells[id(source)] for source in rates], auto_prefix=False)
        else:
            self.learning_rate = ParameterTuple(rates)

    def _init_decays(self, members: list[Member]) -> None:
        self.weight_decay = self._decay_for(self.loss_scale)
        dynamic = tuple(isinstance(member.weight_decay, Cell) for member in members)
        self.dynamic_weight_decay = any(dynamic)
        if self.is_group:
            self.dynamic_decay_flags: Any = dynamic
            self.decay_flags = tuple(flag or member.weight_decay > 0 for flag, member in zip(dynamic, members))
            self.exec_weight_decay = any(self.decay_flags)
        else:
            self.dynamic_decay_flags = self.dynamic_weight_decay
            names = [member.parameter.name for member in members]
            self.decay_flags = tuple("beta" not in name and "gamma" not in name for name in names)
            self.exec_weight_decay = self.dynamic_weight_decay or self._given_decay > 0

    def _decay_for(self, loss_scale: float) -> Any:
        """The weight decay, or that of each Parameter in groups, for gradients that are ``loss_scale`` times too large."""
        if not self.is_group:
            return scaled_decay(self._given_decay, loss_scale)
        return tuple(scaled_decay(decay, loss_scale) for decay in self._given_decay)

    # -- the call -----------------------------------------------------------------------------------------------------
    def _calls_the_program(self) -> bool:
        decays = self._given_decay if isinstance(self._given_decay, tuple) else (self._given_decay,)
        own = all(type(decay).__module__.startswith("mindspore.") for decay in decays if isinstance(decay, Cell))
        return super()._calls_the_program() or not own

    def _cell_construct(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        before = self.global_step._value
        result = super()._cell_construct(args, kwargs)
        if self.dynamic_lr and self.global_step._value is before:
            # Optimizers written for MindSpore 1.x leave this to get_lr, which did it there.
            self.assignadd(self.global_step, self.global_step_increase_tensor)
        return result

    def _begin(self, gradients: Any) -> tuple[tuple, tuple]:
        """Gradients ready for the rule, and the learning rate of each Parameter; the step counts from here on."""
        gradients = self.flatten_gradients(self._one_per_parameter(gradients))
        gradients = self.scale_grad(self.gradients_centralization(self.decay_weight(gradients)))
        return gradients, self._next_rates()

    def _next_rates(self) -> tuple[Any, ...]:
        """The learning rate of each Parameter at this step, which ends here."""
        rates = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        return tuple(rates) if self.is_group_lr else (rates,) * self.param_length

    def _one_per_parameter(self, gradients: Any) -> tuple[Any, ...]:
        if not isinstance(gradients, (tuple, list)):
            hint = " Call it first: gradients = grad_fn(x, y)." if callable(gradients) else ""
            raise refused(
                TypeError,
                f"For '{type(self).__name__}', the gradients must be a tuple of Tensors, one per Parameter, but got "
                f"{shown(gradients)}.{hint}",
            )
        if len(gradients) == 2 and isinstance(gradients[0], Tensor) and isinstance(gradients[1], (tuple, list)):
            raise refused(
                TypeError,
                f"For '{type(self).__name__}', the gradients must be a tuple of Tensors, one per Parameter, but got a Tensor and a "
                "tuple. value_and_grad returns both: loss, gradients = grad_fn(x, y); optimizer(gradients).",
            )
        if len(gradients) != self.param_length:
            raise RuntimeError(
                f"For '{type(self).__name__}', there must be one gradient per Parameter, in the same order: it has "
                f"{self.param_length} Parameters, but got {len(gradients)} gradients."
            )
        return tuple(
            RowGradient.made(gradient.indices, gradient.values, gradient.dense_shape[0])
            if isinstance(gradient, RowTensor)
            else gradient
            for gradient in gradients
        )

    def _done(self) -> tuple[bool, ...]:
        return (True,) * self.param_length

    # -- what construct is made of ------------------------------------------------------------------------------------
    def flatten_gradients(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients; Parameters are never flattened together here."""
        return gradients

    def decay_weight(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """Gradients plus ``weight_decay * parameter``, where the decay applies."""
        if not self.exec_weight_decay:
            return gradients
        return tuple(
            decayed(gradient, parameter, decay) if flag else gradient
            for gradient, parameter, decay, flag in zip(
                gradients, self.parameters, self._each_decay(), self.decay_flags
            )
        )

    def _each_decay(self) -> tuple[Any, ...]:
        decay = self.get_weight_decay()
        return decay if self.is_group else (decay,) * self.param_length

    def _applied_decays(self) -> tuple[Any, ...]:
        """The weight decay of each Parameter, 0 where it does not apply."""
        return tuple(decay if flag else 0.0 for decay, flag in zip(self._each_decay(), self.decay_flags))

    def gradients_centralization(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """Gradients of groups with 'grad_centralization' minus their mean over all axes but the first."""
        if not self.grad_centralization:
            return gradients
        return tuple(
            on_values(centralized, g) if flag else g for g, flag in zip(gradients, self.grad_centralization_flags)
        )

    def scale_grad(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """Gradients divided by the loss scale."""
        if not self.need_scale:
            return gradients
        return tuple(on_values(lambda g: (g * self.reciprocal_scale).astype(g.dtype), each) for each in gradients)

    def _grad_sparse_indices_deduplicate(self, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients; sparse updates add rows of the same number up themselves."""
        return gradients

    def get_weight_decay(self) -> Any:
        """The weight decay of this step, times the loss scale; with groups a tuple with an entry per Parameter."""
        if not self.dynamic_weight_decay:
            return self.weight_decay
        if not self.is_group:
            return self.weight_decay(self.global_step)
        return tuple(decay(self.global_step) if isinstance(decay, Cell) else decay for decay in self.weight_decay)

    def get_lr(self) -> Tensor | tuple[Tensor, ...]:
        """The learning rate of this step; a tuple with an entry per Parameter when groups have their own."""
        if not self.dynamic_lr:
            return self.learning_rate
        if not self.is_group_lr:
            return ops.reshape(self.learning_rate(self.global_step), ())
        cells = {id(rate): rate for rate in self.learning_rate}
        rates = {key: ops.reshape(cell(self.global_step), ()) for key, cell in cells.items()}
        return tuple(rates[id(rate)] for rate in self.learning_rate)

    def _is_dynamic_lr_or_weight_decay(self) -> bool:
        """Whether the learning rate or the weight decay changes from step to step."""
        return self.dynamic_lr or self.dynamic_weight_decay

    def get_lr_parameter(self, param: Any) -> Any:
        """Where the learning rate of a Parameter comes from: a Parameter, or a schedule; a list of them for a list.

        Examples:
            >>> from mindspore import Parameter, Tensor, nn
            >>> w = Parameter(Tensor([1.0]), name="w")
            >>> nn.SGD([w], 0.1).get_lr_parameter(w)
            Parameter (name=learning_rate, shape=(), dtype=Float32, requires_grad=True)
        """
        if isinstance(param, (list, tuple)):
            return [self.get_lr_parameter(parameter) for parameter in param]
        check_type("get_lr_parameter", "param", param, (Parameter, list))
        for index, own in enumerate(self.parameters):
            if own is param:
                source = list(self.learning_rate)[index] if self.is_group_lr else self.learning_rate
                held = isinstance(source, (_ConvertToCell, _IteratorLearningRate))
                return source.learning_rate if held else source
        raise refused(
            ValueError,
            f"For 'get_lr_parameter', the parameter {param.name} is not in optimizer, please check whether the argument 'param' is "
            f"correct: {type(self).__name__} has {[parameter.name for parameter in self.parameters][:5]}...",
        )

    def broadcast_params(self, optim_result: Any) -> tuple[Any, ...]:
        """The Parameters; every device holds them all."""
        return tuple(self.parameters)

    # -- settings for other back ends -----------------------------------------------------------------------------------
    @property
    def unique(self) -> bool:
        """Whether rows of sparse gradients are joined before the update."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        self.__dict__["_unique"] = check_bool("Optimizer", "unique", value)

    @property
    def target(self) -> str:
        """The device that other back ends update the Parameters on; here always the device that holds them."""
        return self._target

    @target.setter
    def target(self, value: str) -> None:
        self._set_base_target(value)

    def _set_base_target(self, value: str) -> None:
        check_type("Optimizer", "target", value, str)
        self.__dict__["_target"] = check_one_of("Optimizer", "target", value, ("CPU", "Ascend", "GPU"))


def decayed(gradient: Tensor, parameter: Parameter, decay: Any) -> Tensor:
    """The gradient plus ``decay * parameter``, of its rows alone where it is made of rows."""
    if gradient.__class__ is RowGradient:
        rows, values = decayed_rows(parameter, gradient.indices, gradient.values, decay)  # type: ignore[attr-defined]
        return RowGradient.made(rows, values, parameter.shape[0])
    return gradient + parameter * decay


def centralized(gradient: Tensor) -> Tensor:
    if gradient.ndim < 2 or gradient.shape[1] % _CENTRALIZED_CHANNELS:
        return gradient
    return gradient - ops.mean(gradient, tuple(range(1, gradient.ndim)), True)
