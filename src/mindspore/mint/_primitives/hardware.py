"""Operators of Ascend's memory and its fault detection, and those whose mathematics is not public: they say so when called."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

_MEMORY = (
    "it reads and writes the memory of another Ascend device directly; use the functions of mindspore.communication"
)
_FAULTS = "it detects or injects faults of Ascend hardware by rules that are not public"
_LAYOUT = "its input is in a format of Ascend's tools that is not public"
_INJECTION = (
    "input ele_pos cur_step seed offset start=0 steps=1 error_mode='cycle' flip_mode='bitflip' multiply_factor=0.0 bit_pos=0 "
    "flip_probability=0.0"
)
_TRANSFER = "target target_offset src src_offset size"


def _refused(parameters: str, reason: str) -> Callable[..., Any]:
    """A function of these parameters, written one after the other, that says why there is nothing to compute."""
    pairs = (word.partition("=") for word in parameters.split())
    made = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                              default=ast.literal_eval(text) if mark else inspect.Parameter.empty)
            for name, mark, text in pairs]  # fmt: skip
    signature = inspect.Signature(made)

    def form(*args: Any, **kwargs: Any) -> Any:
        signature.bind(*args, **kwargs)
        raise RuntimeError(f"For '{form.__name__}', there is nothing to compute here: {reason}.")

    form.__signature__ = signature  # type: ignore[attr-defined]
    form.__doc__ = f"Computes nothing here: {reason}."
    return form


FORMS = {
    "CreateSymmetricMemory": _refused("shape dtype group", _MEMORY),
    "GetMem": _refused(f"{_TRANSFER} target_pe=0 non_blocking=False", _MEMORY),
    "PutMem": _refused(f"{_TRANSFER} target_pe=0 non_blocking=False", _MEMORY),
    "PutMemSignal": _refused(
        f"{_TRANSFER} signal signal_offset signal_value signal_op='set' target_pe=0 non_blocking=False", _MEMORY
    ),
    "SignalOp": _refused("signal signal_offset signal_value signal_op='set' target_pe=0", _MEMORY),
    "SignalWaitUntil": _refused("depend_target signal signal_offset compare_value compare_op='eq'", _MEMORY),
    "GenerateEodMaskV2": _refused(_INJECTION, _FAULTS),
    "InsertGemV2InBackward": _refused(_INJECTION, _FAULTS),
    "SilentCheckV2": _refused(
        "val input_grad sfda step c_min_steps=7 c_thresh_l1=1000000.0 c_coeff_l1=100000.0 c_thresh_l2=10000.0 "
        "c_coeff_l2=5000.0 npu_asd_detect=1",
        _FAULTS,
    ),
    "SilentCheckV3": _refused(
        "val max avg input_grad step c_thresh_l1=1000000.0 c_thresh_l2=10000.0 beta1=0.0 npu_asd_detect=1", _FAULTS
    ),
    "AddRmsnormQuantV2": _refused(
        "x1 x2 gamma scale offset epsilon=1e-05", "how it quantizes is not public; use AddRmsNorm and QuantV2"
    ),
    "KvScaleCache": _refused("key_scale value_scale key_value_scale_cache batch_valid_length cache_mode", _LAYOUT),
    "MlaPreprocess": _refused(
        "input1 gamma1 beta1 quant_scale1 quant_offset1 wdqkv bias1 gamma2 beta2 quant_scale2 quant_offset2 gamma3 sin1 cos1 "
        "sin2 cos2 key_cache slot_mapping wuq bias2 slot_wuk de_scale1 de_scale2 ctkv_scale qnope_scale krope_cache "
        "param_cache_mode=0",
        _LAYOUT,
    ),
    "QuantLinearSparse": _refused("x weight deq_scale compress_idx bias", _LAYOUT),
    "TopPRouter": _refused(
        "input capacity expert_num drop_type=0 threshold=0.0 router_prob=0.0",
        "its rule for the 'threshold' is not public; use TopKRouter",
    ),
}
