"""Operators of Ascend's memory and its fault detection, and those whose mathematics is not public: they say so when called."""

from __future__ import annotations

from typing import Any


def _refuse(name: str, reason: str) -> Any:
    raise RuntimeError(f"For '{name}', there is nothing to compute here: {reason}.")


_MEMORY = (
    "it reads and writes the memory of another Ascend device directly; use the functions of mindspore.communication"
)
_FAULTS = "it detects or injects faults of Ascend hardware by rules that are not public"
_LAYOUT = "its input is in a format of Ascend's tools that is not public"

FORMS = {
    "CreateSymmetricMemory": lambda shape, dtype, group: _refuse("CreateSymmetricMemory", _MEMORY),
    "GetMem": lambda target, target_offset, src, src_offset, size, target_pe=0, non_blocking=False: (
        _refuse("GetMem", _MEMORY)
    ),
    "PutMem": lambda target, target_offset, src, src_offset, size, target_pe=0, non_blocking=False: (
        _refuse("PutMem", _MEMORY)
    ),
    "PutMemSignal": lambda target, target_offset, src, src_offset, size, signal, signal_offset, signal_value, signal_op="set", target_pe=0, non_blocking=False: (
        _refuse("PutMemSignal", _MEMORY)
    ),
    "SignalOp": lambda signal, signal_offset, signal_value, signal_op="set", target_pe=0: _refuse("SignalOp", _MEMORY),
    "SignalWaitUntil": lambda depend_target, signal, signal_offset, compare_value, compare_op="eq": (
        _refuse("SignalWaitUntil", _MEMORY)
    ),
    "GenerateEodMaskV2": lambda input, ele_pos, cur_step, seed, offset, start=0, steps=1, error_mode="cycle", flip_mode="bitflip", multiply_factor=0.0, bit_pos=0, flip_probability=0.0: (
        _refuse("GenerateEodMaskV2", _FAULTS)
    ),
    "InsertGemV2InBackward": lambda input, ele_pos, cur_step, seed, offset, start=0, steps=1, error_mode="cycle", flip_mode="bitflip", multiply_factor=0.0, bit_pos=0, flip_probability=0.0: (
        _refuse("InsertGemV2InBackward", _FAULTS)
    ),
    "SilentCheckV2": lambda val, input_grad, sfda, step, c_min_steps=7, c_thresh_l1=1000000.0, c_coeff_l1=100000.0, c_thresh_l2=10000.0, c_coeff_l2=5000.0, npu_asd_detect=1: (
        _refuse("SilentCheckV2", _FAULTS)
    ),
    "SilentCheckV3": lambda val, max, avg, input_grad, step, c_thresh_l1=1000000.0, c_thresh_l2=10000.0, beta1=0.0, npu_asd_detect=1: (
        _refuse("SilentCheckV3", _FAULTS)
    ),
    "AddRmsnormQuantV2": lambda x1, x2, gamma, scale, offset, epsilon=1e-05: (
        _refuse("AddRmsNormQuantV2", "how it quantizes is not public; use AddRmsNorm and QuantV2")
    ),
    "KvScaleCache": lambda key_scale, value_scale, key_value_scale_cache, batch_valid_length, cache_mode: (
        _refuse("KvScaleCache", _LAYOUT)
    ),
    "MlaPreprocess": lambda input1, gamma1, beta1, quant_scale1, quant_offset1, wdqkv, bias1, gamma2, beta2, quant_scale2, quant_offset2, gamma3, sin1, cos1, sin2, cos2, key_cache, slot_mapping, wuq, bias2, slot_wuk, de_scale1, de_scale2, ctkv_scale, qnope_scale, krope_cache, param_cache_mode=0: (
        _refuse("MlaPreprocess", _LAYOUT)
    ),
    "QuantLinearSparse": lambda x, weight, deq_scale, compress_idx, bias: _refuse("QuantLinearSparse", _LAYOUT),
    "TopPRouter": lambda input, capacity, expert_num, drop_type=0, threshold=0.0, router_prob=0.0: (
        _refuse("TopPRouter", "its rule for the 'threshold' is not public; use TopKRouter")
    ),
}  # fmt: skip
