"""Exchange of memory with other libraries, dry runs, checks of the hardware."""

from typing import TYPE_CHECKING

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore._utils.documented import claim as _claim
from mindspore.utils import dryrun
from mindspore.utils.detection import (
    get_sdc_detect_result,
    sdc_detect_start,
    sdc_detect_stop,
    stress_detect,
)
from mindspore.utils.dlpack import from_dlpack, to_dlpack
from mindspore.utils.ms_dispatch import MsDispatchMode
from mindspore.utils.runtime_execution_order_check import comm_exec_order_check, runtime_execution_order_check
from mindspore.utils.utils import ExitByRequest, RSCPluginHandle, TFTCommValue, _tft_handler

__all__ = [
    "ExitByRequest",
    "MsDispatchMode",
    "RSCPluginHandle",
    "TFTCommValue",
    "_tft_handler",
    "comm_exec_order_check",
    "dryrun",
    "from_dlpack",
    "get_sdc_detect_result",
    "runtime_execution_order_check",
    "sdc_detect_start",
    "sdc_detect_stop",
    "stress_detect",
    "to_dlpack",
]

_HINTS = {
    "_reuse_data_ptr": "XLA owns the memory of Tensors: write Tensor.set_data or Tensor.assign_value.",
}

if not TYPE_CHECKING:  # to a type checker an unknown name stays an error

    def __getattr__(name: str) -> object:
        raise _unknown_attribute("mindspore.utils", name, __all__, _HINTS)


_claim(__name__)
