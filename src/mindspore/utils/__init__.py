"""Exchange of memory with other libraries, dry runs, checks of the hardware."""

from mindspore.utils import dryrun
from mindspore.utils.detection import (
    get_sdc_detect_result,
    sdc_detect_start,
    sdc_detect_stop,
    stress_detect,
)
from mindspore.utils.dlpack import from_dlpack, to_dlpack

__all__ = [
    "dryrun",
    "from_dlpack",
    "get_sdc_detect_result",
    "sdc_detect_start",
    "sdc_detect_stop",
    "stress_detect",
    "to_dlpack",
]
