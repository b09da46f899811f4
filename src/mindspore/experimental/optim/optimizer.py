"""Optimizer: Parameters in groups, each with settings that may change at any time."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base import version_counter
from mindspore._engine.base.dtype import float32, int32
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_float_range, check_type, shown
from mindspore.nn._hints import CELL_HINTS
from mindspore.nn.cell.lists import why_empty
from mindspore.nn.optim._compiled import CompiledCell
from mindspore.nn.optim._hints import STEP_HINTS

__all__ = ["Optimizer"]


class ParameterGroup(dict):
    """The settings of a group. The learning rate stays the same Parameter; another setting means another graph."""

    def __init__(self, owner: Optimizer, settings: dict[str, Any]):
        super().__init__(settings)
        self._owner = weakref.ref(owner)

    def __setitem__(self, key: str, value: Any) -> None:
        present = self.get(key)
        if key == "lr" and isinstance(present, Parameter):
            if value is not present:
                present.set_data(value if isinstance(value, Tensor) else float(value))
            return
        super().__setitem__(key, value)
        owner = self._owner()
        if owner is not None and not (type(present) is type(value) and present == value):
            owner.__dict__["_cell_version"] += 1
            version_counter.note()


class Optimizer(CompiledCell):
    """Base of the optimizers in ``experimental.optim``.

    Called with the gradients of ``parameters``, in their order, it updates them. Settings are read from ``param_groups``:
    ``optimizer.param_groups[0]["lr"] = 0.01`` takes effect at the next call, the learning rate without another compilation.

    Args:
        params: Parameters, or dicts with the key 'params' and settings for this group alone.
        defaults: the settings of groups that do not say otherwise; 'lr' must be among them.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> from mindspore.experimental import optim
        >>> class Descent(optim.Optimizer):
        ...     def __init__(self, params, lr):
        ...         super().__init__(params, {"lr": lr})
        ...     def construct(self, gradients):
        ...         for group, lr in zip(self.param_groups, self.lrs):
        ...             for parameter, gradient in zip(group["params"], gradients):
        ...                 ops.assign_sub(parameter, gradient * lr)
        ...         return True
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> Descent([w], 0.5)((Tensor([1.0, 1.0]),))
        True
        >>> print(w.value())
        [0.5 1.5]
    """

    _attribute_hints: ClassVar = {**CELL_HINTS, **STEP_HINTS}

    def __init__(self, params: Any, defaults: dict[str, Any]):
        super().__init__(auto_prefix=False)
        self.defaults = defaults
        self.state: dict[Any, Any] = {}
        self.param_groups: list[ParameterGroup] = []
        self.lrs: list[Parameter] = []
        self.group_start_id = [0]
        self.parameters = ParameterTuple(())
        self._slots: dict[str, tuple[str, Any]] = {}
        self.op_cast = ops.cast
        self.map_, self.hyper_map = ops.Map(), ops.HyperMap()
        for group in self._listed(params):
            self.add_param_group(group)

    def _listed(self, params: Any) -> list[dict[str, Any]]:
        owner = type(self).__name__
        if params is None:
            raise ValueError(f"For '{owner}', the argument params can not be None.")
        wrong = isinstance(params, (Parameter, dict, str)) or not isinstance(params, Iterable)
        given: list[Any] = [] if wrong else list(params)
        if not wrong and not given:
            raise ValueError(f"For '{owner}', the argument params must not be empty.{why_empty(params)}")
        if given and all(isinstance(item, dict) for item in given):
            return given
        if wrong or not all(isinstance(item, Parameter) for item in given):
            raise TypeError(
                f"For '{owner}', the 'params' must be Parameters or dicts with the key 'params', all of one kind, but got "
                f"{shown(params)}."
            )
        return [{"params": given}]

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add Parameters with settings of their own.

        Examples:
            >>> from mindspore import Parameter, Tensor
            >>> from mindspore.experimental import optim
            >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.1)
            >>> optimizer.add_param_group({"params": Parameter(Tensor([2.0]), name="v"), "lr": 0.2})
            >>> [one.name for one in optimizer.parameters]
            ['w', 'v']
        """
        owner = type(self).__name__
        check_type(owner, "param_group", param_group, dict)
        if "params" not in param_group:
            raise KeyError(f"For '{owner}', the group has no 'params': write {{'params': [...], ...}}.")
        given = param_group["params"]
        members = [given] if isinstance(given, Parameter) else list(given)
        for member in members:
            check_type(owner, "params", member, Parameter)
        if len({id(parameter) for parameter in (*self.parameters, *members)}) < len(self.parameters) + len(members):
            raise ValueError(
                f"For '{owner}', some parameters appear in more than one parameter group, or twice in one."
            )
        given_first = {**param_group, "params": members}
        settings = {**given_first, **{name: value for name, value in self.defaults.items() if name not in given_first}}
        number = check_float_range(owner, "lr", _number(settings["lr"]), 0.0, float("inf"))
        rate = Parameter(Tensor(number, float32), name=f"learning_rate_group_{len(self.param_groups)}")
        check_float_range(owner, "weight_decay", settings.get("weight_decay", 0.0), 0.0, float("inf"))
        self.param_groups = [*self.param_groups, ParameterGroup(self, {**settings, "lr": rate})]
        self.lrs = [*self.lrs, rate]
        self.group_start_id = [*self.group_start_id, self.group_start_id[-1] + len(members)]
        self.parameters = ParameterTuple((*self.parameters, *members))
        for name, (prefix, init) in self._slots.items():
            more = ParameterTuple(members).clone(prefix, init)
            setattr(self, name, ParameterTuple((*getattr(self, name), *more)))

    def _keep(self, prefix: str, init: Any = "zeros") -> ParameterTuple:
        """State that every Parameter has, also those added later; kept in the attribute ``prefix``."""
        self._slots = {**self._slots, prefix: (prefix, init)}
        states = self.parameters.clone(prefix, init)
        setattr(self, prefix, states)
        return states

    def _keep_step(self, name: str) -> None:
        """The number of calls so far; a subclass with a `construct` of its own counts with `assignadd`."""
        setattr(self, name, Parameter(Tensor(0, int32), name=name))
        self.increase_tensor, self.assignadd = Tensor(1, int32), ops.AssignAdd()
        self._step_name = name

    def _next_step(self) -> Parameter:
        step = getattr(self, self._step_name)
        ops.assign_add(step, 1)
        return step

    def _by_group(self, gradients: Any, *states: ParameterTuple, decayed: bool = True) -> list[tuple]:
        """Per group: its settings, its learning rate, and a tuple (parameter, gradient, *states) per Parameter."""
        if not isinstance(gradients, (tuple, list)) or len(gradients) != len(self.parameters):
            count = len(gradients) if isinstance(gradients, (tuple, list)) else shown(gradients)
            raise ValueError(
                f"For '{type(self).__name__}', there must be one gradient per Parameter, in the same order: it has "
                f"{len(self.parameters)} Parameters, but got {count}."
            )
        found = []
        for index, (group, rate) in enumerate(zip(self.param_groups, self.lrs)):
            start, end = self.group_start_id[index : index + 2]
            decay = group.get("weight_decay", 0.0) if decayed else 0.0
            ready = []
            for parameter, gradient in zip(self.parameters[start:end], gradients[start:end]):
                gradient = -gradient if group.get("maximize") else gradient
                ready.append(gradient + decay * parameter if decay else gradient)
            members = list(zip(self.parameters[start:end], ready, *(state[start:end] for state in states)))
            found.append((group, rate, members))
        return found

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for index, group in enumerate(self.param_groups):
            lines += [f"Parameter Group {index}"]
            shown_values = {**group, "lr": str(group["lr"].asnumpy()[()])}
            lines += [f"    {key}: {shown_values[key]}" for key in sorted(shown_values) if key != "params"]
            lines += [""]
        return "\n".join([*lines[:-1], ")"])


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, Tensor) else value
