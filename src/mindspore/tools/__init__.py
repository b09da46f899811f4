"""``mindspore.tools``: checks of the hardware, and dumps."""

from mindspore.common.dump import set_dump
from mindspore.utils.detection import get_sdc_detect_result, sdc_detect_start, sdc_detect_stop, stress_detect

__all__ = ["get_sdc_detect_result", "sdc_detect_start", "sdc_detect_stop", "set_dump", "stress_detect"]
