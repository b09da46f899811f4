"""``mindspore.ops.op_info_register``: descriptions of operators for MindSpore's own code generators."""

from mindspore._ops.functional.registration import (
    AiCPURegOp,
    AkgAscendRegOp,
    AkgGpuRegOp,
    AkgRegOp,
    CpuRegOp,
    CustomRegOp,
    DataType,
    RegOp,
    TBERegOp,
    custom_info_register,
    op_info_register,
)

__all__ = ["AiCPURegOp", "AkgAscendRegOp", "AkgGpuRegOp", "AkgRegOp", "CpuRegOp", "CustomRegOp", "DataType", "RegOp",
           "TBERegOp", "custom_info_register", "op_info_register"]  # fmt: skip
