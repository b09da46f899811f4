"""``mindspore.ops.auto_generate.cpp_create_prim_instance_helper``: defaults and effects of the primitives, by name.

>>> from mindspore.ops.auto_generate.cpp_create_prim_instance_helper import op_args_default_value, op_labels
>>> op_args_default_value["SumExt"], op_labels["InplaceExp"]
({'dim': None, 'keepdim': False, 'dtype': None}, {'side_effect_mem': True})
"""

from mindspore.ops.auto_generate._flat import defaults
from mindspore.ops.auto_generate._names import forms, primitive

_STORING = ("Assign", "Inplace", "DistComm", "Copy", "SetData")  # beginnings of operators that change their inputs


def __getattr__(name: str) -> object:
    if name == "op_args_default_value":
        return {one: found for one in forms().FORMS if (found := defaults(primitive(one)))}
    if name == "op_labels":
        return {one: {"side_effect_mem": True} for one in forms().FORMS if one.startswith(_STORING)}
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
