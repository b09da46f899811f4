"""Names of ``mindspore.ops`` that stand in other modules, which are loaded when the name is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "mindspore._ops.functional.compiler_parts": (
        "SliceGetItem array_reduce distribute embed env_get environ_add environ_create environ_get environ_set geswitch "
        "is_dynamic_sequence_element_unknown is_tensor_bool_cond make_map_parameter merge ref_to_embed"
    ),
    "mindspore._ops.functional.custom_builder": "CustomOpBuilder",
    "mindspore.communication.tcp_store": "TCPStore",
    "mindspore.ops._registries": "tensor_operator_registry",
    "mindspore.ops._utils": "arg_dtype_cast arg_handler",
    "mindspore.ops.auto_generate": (
        "DtypeToEnum Median TensorToTuple cpp_create_prim_instance_helper gen_extend_func gen_ops_def gen_ops_prim "
        "moe_distribute_combine moe_distribute_dispatch pyboost_inner_prim"
    ),
    "mindspore.ops.function": "kernel ms_kernel",
    "mindspore.ops.operations": "AdaptiveMaxPool2D Roll UniqueConsecutive array_ops linalg_ops other_ops",
    "mindspore.ops": "auto_generate",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def elsewhere(package: str, name: str) -> Any:
    """What a package calls ``name`` and another module has, or None."""
    if name == "P":
        return import_module("mindspore.ops.operations")
    home = _HOMES.get(name)
    if home is None or home == package:
        return None
    module = import_module(home)
    return getattr(module, name) if hasattr(module, name) else import_module(f"{home}.{name}")
