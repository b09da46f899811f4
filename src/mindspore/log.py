"""Logging as programs use it: ``mindspore.log.warning("...")``, level chosen by the variable GLOG_v.

>>> from mindspore import log
>>> log.get_level() in ("0", "1", "2", "3", "4")
True
"""

from __future__ import annotations

import logging as logging  # programs reach Python's own through here: mindspore.log.logging

from mindspore._engine.config import config
from mindspore._utils.documented import claim as _claim
from mindspore._utils.log import critical, debug, error, info, level_number, warning

__all__ = ["critical", "debug", "error", "get_level", "get_log_config", "info", "warning"]


def get_level() -> str:
    """The level in force as GLOG_v spells it: "0" DEBUG, "1" INFO, "2" WARNING, "3" ERROR, "4" CRITICAL."""
    return str(level_number())


def get_log_config() -> dict[str, str]:
    """The logging settings, by the names of their environment variables.

    >>> sorted(get_log_config())[-2:]
    ['GLOG_logtostderr', 'GLOG_v']
    """
    to_file = not config.log_to_stderr.value
    settings = {"GLOG_v": get_level(), "GLOG_logtostderr": "0" if to_file else "1"}
    return {**settings, "GLOG_log_dir": config.log_dir.value} if to_file else settings


_claim(__name__)
