"""Looking for faulty hardware."""

from __future__ import annotations

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_one_of
from mindspore.common.tensor import Tensor

__all__ = ["get_sdc_detect_result", "sdc_detect_start", "sdc_detect_stop", "stress_detect"]

_SIZE = 64
_ROUNDS = 8


def _device_computes_rightly() -> bool:
    """Products of whole numbers, which are exact, computed by the device and compared with the host's."""
    generator = np.random.default_rng(0)
    for _ in range(_ROUNDS):
        x, y = (generator.integers(-8, 8, (_SIZE, _SIZE)).astype(np.float32) for _ in range(2))
        first, second = (ops.matmul(Tensor(x), Tensor(y)).asnumpy() for _ in range(2))
        if not (np.array_equal(first, x @ y) and np.array_equal(first, second)):
            return False
    return True


def stress_detect(detect_type: str = "aic") -> int:
    """Have the device compute what is known, and compare: 0 if all was right, 2 if not.

    Args:
        detect_type: 'aic', or 'hccs' for the links between devices, of which the same is asked.

    Examples:
        >>> from mindspore.utils import stress_detect
        >>> stress_detect()
        0
    """
    check_one_of("stress_detect", "detect_type", detect_type, ("aic", "hccs"))
    return 0 if _device_computes_rightly() else 2


_detecting = False
_corrupted = False


def sdc_detect_start() -> None:
    """Begin to look for results that are silently wrong; see :func:`get_sdc_detect_result`.

    Examples:
        >>> import mindspore as ms
        >>> ms.sdc_detect_start()
        >>> ms.get_sdc_detect_result()
        False
        >>> ms.sdc_detect_stop()
    """
    global _detecting, _corrupted
    _detecting, _corrupted = True, not _device_computes_rightly()


def sdc_detect_stop() -> None:
    """End what :func:`sdc_detect_start` began, with another look at the device.

    Examples:
        >>> import mindspore as ms
        >>> ms.sdc_detect_start()
        >>> ms.sdc_detect_stop()
        >>> ms.get_sdc_detect_result()
        False
    """
    global _detecting, _corrupted
    if _detecting:
        _corrupted = _corrupted or not _device_computes_rightly()
    _detecting = False


def get_sdc_detect_result() -> bool:
    """Whether the device computed wrongly since :func:`sdc_detect_start`, whenever it was asked to.

    Examples:
        >>> from mindspore.utils import get_sdc_detect_result, sdc_detect_start, sdc_detect_stop
        >>> sdc_detect_start()
        >>> get_sdc_detect_result()
        False
        >>> sdc_detect_stop()
    """
    global _corrupted
    if _detecting:
        _corrupted = _corrupted or not _device_computes_rightly()
    return _corrupted
