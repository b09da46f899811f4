"""What a program may pass as the parameters of an optimizer: Parameters, or groups of them with settings of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindspore._engine.tensor.parameter import Parameter
from mindspore._utils.checks import shown, suggestion
from mindspore._utils.refusals import refused
from mindspore.nn.cell.lists import why_empty
from mindspore.nn.optim._schedules import Rate, _IteratorLearningRate, check_decay, to_rate

_KEYS = ("params", "lr", "weight_decay", "order_params", "grad_centralization")


class Member:
    """A Parameter with the settings of its group."""

    __slots__ = ("centralized", "parameter", "rate", "weight_decay")

    def __init__(self, parameter: Parameter, rate: Rate, weight_decay: Any, centralized: bool):
        self.parameter = parameter
        self.rate = rate
        self.weight_decay = weight_decay
        self.centralized = centralized


def listed(owner: str, parameters: Any) -> list[Any]:
    """The elements of the argument: all of them Parameters, or all of them dicts."""
    if parameters is None:
        raise refused(ValueError, f"For '{owner}', the argument parameters can not be None.")
    wrong = isinstance(parameters, (Parameter, dict, str)) or not isinstance(parameters, Iterable)
    found = [] if wrong else list(parameters)
    if not wrong and not found:
        raise refused(ValueError, f"For '{owner}', the argument parameters must not be empty.{why_empty(parameters)}")
    if wrong or not any(all(isinstance(item, kind) for item in found) for kind in (Parameter, dict)):
        got = shown(parameters) if wrong else ", ".join(dict.fromkeys(type(item).__name__ for item in found))
        raise refused(
            TypeError,
            f"For '{owner}', all elements of the argument 'parameters' must be 'Parameter' or 'dict', and of one kind, but got "
            f"{got}. Write net.trainable_params(), or a list of dicts with the key 'params'.",
        )
    return found


def members_of(owner: str, groups: list[dict], rate: Rate, weight_decay: Any) -> tuple[list[Member], bool]:
    """The Parameters of all groups in the order of updates, and whether 'order_params' decided it."""
    members: dict[int, Member] = {}
    order = None
    for index, group in enumerate(groups):
        _check_keys(owner, group)
        if "order_params" in group:
            order = _listed_order(owner, group)
            continue
        own_rate = to_rate(owner, group["lr"], f"learning_rate_group_{index}") if "lr" in group else rate
        own_decay = check_decay(owner, group["weight_decay"]) if "weight_decay" in group else weight_decay
        centralized = group.get("grad_centralization", False)
        if not isinstance(centralized, bool):
            raise refused(
                TypeError, f"For '{owner}', the 'grad_centralization' must be a bool, but got {shown(centralized)}."
            )
        for parameter in _listed_members(owner, group, index):
            if id(parameter) in members:
                raise RuntimeError(
                    f"For '{owner}', the {parameter.name} parameter already exists: it is in two groups, or twice in one. "
                    "Every Parameter belongs to one group."
                )
            members[id(parameter)] = Member(parameter, own_rate, own_decay, centralized)
    _check_tables(owner, [member.rate for member in members.values()])
    if order is None:
        return list(members.values()), False
    if sorted(map(id, order)) != sorted(members):
        raise refused(
            ValueError,
            f"For '{owner}', the length of order parameters must be the same as the length of group parameters, and both must "
            f"name the same Parameters once, but got order parameters' length {len(order)}, group parameters' length "
            f"{len(members)}.",
        )
    return [members[id(parameter)] for parameter in order], True


def _check_tables(owner: str, rates: list[Rate]) -> None:
    """Tables of rates per step must be equally long, or the groups would end at different steps."""
    lengths = {rate.learning_rate.shape[0] for rate in rates if isinstance(rate, _IteratorLearningRate)}
    if len(lengths) > 1:
        raise refused(
            ValueError,
            f"For '{owner}', the tables of 'lr' in the groups, and of 'learning_rate', must have the same length, but got "
            f"{sorted(lengths)}.",
        )


def _check_keys(owner: str, group: dict) -> None:
    unknown = [key for key in group if key not in _KEYS]
    if unknown:
        raise KeyError(
            f"For '{owner}', the key in group params must be one of in {list(_KEYS)}, but got {unknown}."
            f"{suggestion(unknown[0], _KEYS)}"
        )


def _listed_order(owner: str, group: dict) -> list[Parameter]:
    if len(group) > 1:
        raise refused(
            ValueError,
            f"For '{owner}', the order params dict in group parameters should only include the 'order_params' key, but got "
            f"{list(group)}.",
        )
    return list(group["order_params"])


def _listed_members(owner: str, group: dict, index: int) -> list[Parameter]:
    if "params" not in group:
        raise KeyError(f"For '{owner}', group {index} has no 'params': write {{'params': [...], ...}}.")
    found = group["params"]
    found = [found] if isinstance(found, Parameter) else list(found)
    if not found:
        why = why_empty(group["params"])
        raise refused(
            ValueError,
            f"For '{owner}', the argument group `params` must not be empty, but that of group {index} is.{why}",
        )
    for parameter in found:
        if not isinstance(parameter, Parameter):
            raise refused(
                TypeError,
                f"For '{owner}', the element in group parameters must be Parameter type, but got {shown(parameter)} in group "
                f"{index}.",
            )
    return found
