"""Checks of inputs against their declarations: ``set_inputs`` where a graph was asked for, ``enable_dynamic``."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.pytree import unflatten
from mindspore._engine.tensor.tensor import Tensor

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled

_ANY_RANK = (-2,)


def examples_of(owner: Compiled) -> Any:
    """What was declared for a Cell or function: a tuple in the order of the arguments, or a dict by their names."""
    root = owner.roots[0]
    if owner.declared is not None:
        return owner.declared if isinstance(owner.declared, (tuple, list, dict)) else (owner.declared,)
    return getattr(root, "__dict__", {}).get("_example_inputs")


def pairs(owner: Compiled, examples: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Each example with the argument that it is for."""
    names = names_of(owner)
    if isinstance(examples, dict):
        given = dict(zip(names, args)) | kwargs
        return [(example, given[name]) for name, example in examples.items() if name in given]
    given = [*args, *[kwargs[name] for name in names[len(args) :] if name in kwargs]]
    return list(zip(examples, given))


def names_of(owner: Compiled) -> list[str]:
    """The names of the arguments, as the program has written them."""
    root = owner.roots[0]
    function = getattr(root, "construct", None) or owner.function
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def check(owner: Compiled, leaves: list[Any], description: Any) -> None:
    """Refuse a call whose inputs are not those that were declared."""
    examples = examples_of(owner)
    by_name = isinstance(owner.declared, dict)
    if not examples or not (by_name or owner.declared is None) or owner.is_faithful():
        return
    args, kwargs = unflatten(description, iter(leaves))
    who = "enable_dynamic" if by_name else "set_inputs"
    if not by_name:
        _check_count(examples, len(args) + len(kwargs), names_of(owner))
    lengths: dict[int, int] = {}
    for number, (example, argument) in enumerate(pairs(owner, examples, args, kwargs), 1):
        _compare(who, f"input {number}", example, argument, lengths)


def _check_count(examples: Sequence[Any], given: int, names: list[str]) -> None:
    if names and len(examples) > len(names):
        raise TypeError(
            f"For 'set_inputs', the inputs must be those of construct, {', '.join(names)}, but {len(examples)} were declared."
        )
    if given > len(examples):
        raise ValueError(
            f"For 'set_inputs', all inputs must be declared, but there are {len(examples)} of them, and the call passes {given}."
        )


def _compare(who: str, name: str, example: Any, argument: Any, lengths: dict[int, int]) -> None:
    if isinstance(example, (tuple, list)) and isinstance(argument, (tuple, list)):
        if len(example) != len(argument):
            raise ValueError(
                f"For '{who}', {name} must have {len(example)} elements, as declared, but got {len(argument)}."
            )
        for index, (one, other) in enumerate(zip(example, argument, strict=True)):
            _compare(who, f"element {index} of {name}", one, other, lengths)
    elif isinstance(example, Tensor) and isinstance(argument, Tensor):
        _compare_tensors(who, name, example, argument, lengths)
    elif isinstance(example, Tensor) or isinstance(argument, Tensor):
        raise TypeError(f"For '{who}', {name} must be {_kind(example)}, as declared, but got {_kind(argument)}.")
    elif not isinstance(example, dict) and example != argument:
        raise ValueError(f"For '{who}', {name} must be {example!r}, as declared, but got {argument!r}.")


def _kind(value: Any) -> str:
    return "a Tensor" if isinstance(value, Tensor) else f"{value!r}"


def _compare_tensors(who: str, name: str, example: Tensor, argument: Tensor, lengths: dict[int, int]) -> None:
    if example.dtype != argument.dtype:
        raise TypeError(
            f"For '{who}', {name} must be a Tensor of {example.dtype}, as declared, but got {argument.dtype}."
        )
    if example.shape == _ANY_RANK:
        return
    declared = example.symbolic_shape or list(example.shape)
    shown = f"the shape {argument.shape}, declared as {declared}"
    if len(example.shape) != len(argument.shape):
        raise ValueError(f"For '{who}', {name} must have {len(example.shape)} axes, but got {shown}.")
    for axis, (size, length) in enumerate(zip(declared, argument.shape, strict=True)):
        if isinstance(size, dict):
            said = _against(size, length, lengths)
        else:
            said = "" if size in (None, -1, length) else f"be {size}"
        if said:
            raise ValueError(f"For '{who}', axis {axis} of {name} must {said}, but got {length}: {shown}.")


def _against(symbol: dict[str, int], length: int, lengths: dict[int, int]) -> str:
    """What a length must be to fit its Symbol; None if it fits."""
    if length > symbol.get("max", length):
        return f"be at most {symbol['max']}"
    if length < symbol.get("min", 1):
        return f"be at least {symbol.get('min', 1)}"
    divisor, remainder = symbol.get("divisor", 1), symbol.get("remainder", 0)
    if divisor > 1 and ((length - remainder) % divisor or length < divisor):
        return f"be {divisor} * n{f' + {remainder}' if remainder else ''} with n > 0"
    if "id" in symbol and lengths.setdefault(symbol["id"], length) != length:
        return f"be {lengths[symbol['id']]}, as other axes of this Symbol are"
    return ""
