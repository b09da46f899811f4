"""Names of ``_c_expression`` that stand in other modules, which are loaded when the name is asked for."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from mindspore._utils.checks import unknown_attribute

_MODULES = {
    "mindspore.common.sparse_tensor": "COOTensor CSRTensor RowTensor",
    "mindspore.ops.primitive": "Primitive",
    "mindspore.ops.composite": "HyperMap Map MultitypeFuncGraph GradOperation Shard",
    "mindspore.ops.signature": "Signature",
    "mindspore._engine.execution.generators": "Generator",
    "mindspore._engine.transforms.pynative_executor": "PyNativeExecutor",
    "mindspore._engine.autodiff.free_tape": "run_backward",
    "mindspore._engine.tensor.buffers": "frombuffer",
    "mindspore.hal.stream": "Stream communication_stream current_stream default_stream set_cur_stream synchronize",
    "mindspore.hal.event": "Event",
    "mindspore.hal.contiguous_tensors_handle": "combine_tensor_list_contiguous slice_by_padding_shape slice_by_tensor_index",
    "mindspore.runtime.limits": "get_device_limit get_stream_limit reset_stream_limit set_device_limit set_stream_limit",
    "mindspore.utils.detection": "get_sdc_detect_result sdc_detect_start sdc_detect_stop stress_detect",
    "mindspore.graph.extension": "CustomPassType register_custom_backend register_custom_pass",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
_RENAMED = {
    "signature_dtype": ("mindspore.ops.signature", "sig_dtype"),
    "signature_kind": ("mindspore.ops.signature", "sig_kind"),
    "signature_rw": ("mindspore.ops.signature", "sig_rw"),
    "GeneratorImpl": ("mindspore._engine.execution.generators", "Generator"),
    "FunctionBase": ("mindspore._engine.autodiff.grad_function", "Function"),
    "StoragePy": ("mindspore._ops.methods.tensor_memory", "UntypedStorage"),
    "np_dtypes": ("mindspore.common.np_dtype", ""),
    "_swap_tensor_impl": ("mindspore._engine.tensor.buffers", "swap_tensors"),
    "_empty_cache": ("mindspore.hal.memory", "empty_cache"),
    "_memory_stats": ("mindspore.hal.memory", "memory_stats"),
    "_reset_max_mem_allocated": ("mindspore.hal.memory", "reset_max_memory_allocated"),
    "_reset_max_mem_reserved": ("mindspore.hal.memory", "reset_max_memory_reserved"),
    "_tree_flatten": ("mindspore.utils._pytree", "tree_flatten"),
    "_tree_leaves": ("mindspore.utils._pytree", "tree_leaves"),
    "_tree_map": ("mindspore.utils._pytree", "tree_map"),
    "_tree_structure": ("mindspore.utils._pytree", "tree_structure"),
    "_tree_unflatten": ("mindspore.utils._pytree", "tree_unflatten"),
    "load_mindir": ("mindspore.train.serialization", "load"),
}
_INSTANCE = re.compile(r"_(\w+)_instance")  # _add_instance: the function of several forms


def find(name: str) -> Any:
    """What ``_c_expression`` calls ``name``; AttributeError if nothing here is called so."""
    if name in _RENAMED:
        module, own = _RENAMED[name]
        return getattr(import_module(module), own) if own else import_module(module)
    plain = name.removesuffix("_")  # Primitive_ is the class below Primitive
    if plain in _HOMES:
        return getattr(import_module(_HOMES[plain]), plain)
    instance = _INSTANCE.fullmatch(name)
    if instance is not None:
        return getattr(import_module("mindspore.ops.functional_overload"), instance[1])
    if name.startswith("pyboost_"):
        return getattr(import_module("mindspore.ops.auto_generate.gen_ops_prim"), name)
    raise unknown_attribute("mindspore._c_expression", name, [*_HOMES, *_RENAMED], {})
