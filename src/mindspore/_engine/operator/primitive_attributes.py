"""Attributes of Primitives: what programs and libraries set on an operator, and ask it for."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

Shared = TypeVar("Shared", bound="PrimitiveAttributes")


class PrimitiveAttributes:
    """The attribute part of Primitive. Split off for readability; not used on its own."""

    name: str
    attrs: dict[str, Any]  # in the printed form
    init_attrs: dict[str, Any]  # those of the constructor
    instance_name: str | None

    def add_prim_attr(self: Shared, name: str, value: Any) -> Shared:
        """Set an attribute; hints for other back ends have no effect here."""
        self.__dict__[name] = value
        self.attrs[name] = value
        return self

    def del_prim_attr(self: Shared, name: str) -> Shared:
        self.__dict__.pop(name, None)
        self.attrs.pop(name, None)
        return self

    def _set_prim_arg(self: Shared, name: str, value: Any) -> Shared:
        """Set an argument of the constructor, as primitives that libraries write for MindSpore 2.3 and later do."""
        self.__dict__[name] = value
        self.attrs[name] = value
        return self

    def _set_prim_arg_with_handler(self: Shared, name: str, value: Any, arg_handler: Any) -> Shared:
        """The same, of what a function makes of the value; None stays None."""
        return self._set_prim_arg(name, None if value is None else arg_handler(type(self).__name__, name, value))

    def add_attr(self, name: str, value: Any) -> None:
        """Set an attribute that the printed form does not show.

        Examples:
            >>> from mindspore import ops
            >>> relu = ops.ReLU()
            >>> relu.add_attr("group", 2)
            >>> relu, relu.group, relu.get_attr_dict()
            (Prim[ReLU], 2, {'group': 2})
        """
        self.__dict__[name] = value
        self.__dict__.setdefault("_hidden_attrs", {})[name] = value

    def del_attr(self, name: str) -> None:
        """Take away an attribute that was added."""
        self.__dict__.get("_hidden_attrs", {}).pop(name, None)
        self.del_prim_attr(name)

    def get_attr_dict(self) -> dict[str, Any]:
        """The attributes that were added after the construction."""
        added = {name: value for name, value in self.attrs.items() if name not in self.init_attrs}
        return {**self.__dict__.get("_hidden_attrs", {}), **added}

    def set_user_data(self, key: str, value: Any) -> None:
        """Keep anything with the operator.

        Examples:
            >>> from mindspore import ops
            >>> relu = ops.ReLU()
            >>> relu.set_user_data("seen", [1])
            >>> relu.get_user_data("seen")
            [1]
        """
        self.__dict__.setdefault("_user_data", {})[key] = value

    def get_user_data(self, key: str) -> Any:
        """What ``set_user_data`` kept."""
        kept = self.__dict__.get("_user_data", {})
        if key not in kept:
            raise RuntimeError(
                f"For 'Primitive.get_user_data', the 'key' must be one that set_user_data was given for {self.name}, "
                f"{list(kept)}, but got {key!r}."
            )
        return kept[key]

    __primitive_flag__ = True  # what libraries tell operators by
    update_parameter = False  # whether it writes Parameters, for compilers that ask
    prim_type: Any = 1  # builtin, see mindspore.ops.primitive.prim_type

    def set_prim_type(self, t: Any) -> None:
        """Note where its form and computation come from, see :class:`mindspore.ops.primitive.prim_type`."""
        self.prim_type = t

    def set_instance_name(self, s: str) -> None:
        """Name this operator."""
        self.instance_name = s

    def set_prim_instance_name(self: Shared, instance_name: str) -> Shared:
        self.instance_name = instance_name
        return self

    def set_device(self: Shared, device_target: str) -> Shared:
        return self.add_prim_attr("primitive_target", device_target)

    def set_stage(self: Shared, stage: int) -> Shared:
        return self.add_prim_attr("stage", stage)

    def recompute(self: Shared, mode: bool = True) -> Shared:
        return self.add_prim_attr("recompute", mode)

    def _offload(self: Shared, backward_prefetch: str | int = "Auto") -> Shared:
        """Ask for the operator's results to wait for the backward pass on the host; XLA decides where they wait here."""
        return self.add_prim_attr("offload", True).add_prim_attr("backward_prefetch", backward_prefetch)

    # -- what the compiler of other back ends is told: the graph itself says it here --------------------------------------
    def set_const_prim(self, value: bool = False) -> None:
        """Whether the result is a constant: XLA folds constants by itself."""
        self.__dict__["_const_prim"] = value

    def set_const_input_indexes(self, indexes: list[int]) -> None:
        """Which inputs are constants: whatever is no Tensor is one."""
        self.__dict__["_const_inputs"] = list(indexes)

    def set_inplace_prim(self, value: bool = False) -> None:
        """Whether the result takes the memory of an input: XLA decides by itself."""
        self.__dict__["_inplace_prim"] = value

    def set_signatures(self, signatures: Any) -> None:
        """Signatures for type promotion: operators of ours promote by their declarations."""
        self.__dict__["_signatures"] = tuple(signatures)

    def clone(self: Shared) -> Shared:
        """A Primitive like this one, with attributes of its own.

        Examples:
            >>> from mindspore import ops
            >>> first = ops.ReLU()
            >>> second = first.clone().add_prim_attr("stage", 1)
            >>> first, second
            (Prim[ReLU], Prim[ReLU]<stage=1>)
        """
        return self._clone()

    def set_label(self, label: str, value: Any) -> None:
        """Keep a value with the operator by the name of a label."""
        self.__dict__.setdefault("_labels", {})[label] = value

    def has_label(self, label: str) -> bool:
        """Whether there is a label of that name."""
        return label in self.__dict__.get("_labels", {})

    def get_label(self, label: str) -> Any:
        """The value of a label."""
        return self.__dict__.get("_labels", {})[label]

    def check_elim(self, *args: Any) -> tuple[bool, Any]:
        """Whether the operator can be left out for these inputs, and what it gives then: XLA simplifies by itself."""
        return False, None

    def _clone(self: Shared) -> Shared:
        """A Primitive like this one, with attributes of its own."""
        clone = copy.copy(self)
        for name in ("attrs", "init_attrs", "_hidden_attrs", "_user_data", "_labels"):
            if name in clone.__dict__:
                clone.__dict__[name] = dict(clone.__dict__[name])
        return clone
