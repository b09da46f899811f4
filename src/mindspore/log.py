"""Logging as programs use it: ``mindspore.log.warning("...")``, level chosen by the variable GLOG_v.

>>> from mindspore import log
>>> log.get_level() in ("0", "1", "2", "3", "4")
True
"""

from __future__ import annotations

import functools
import logging as logging  # programs reach Python's own through here: mindspore.log.logging
from typing import Any

from mindspore._engine.config import config
from mindspore._utils.documented import claim as _claim
from mindspore._utils.log import DEBUG, critical, debug, error, info, level_number, logger, once, warning

__all__ = ["critical", "debug", "error", "get_level", "get_log_config", "info", "warning"]


def get_level() -> str:
    """The level in force as GLOG_v spells it: "0" DEBUG, "1" INFO, "2" WARNING, "3" ERROR, "4" CRITICAL.

    Examples:
        >>> import mindspore
        >>> print(mindspore.get_level() in ("0", "1", "2", "3", "4"))
        True
    """
    return str(level_number())


def get_log_config() -> dict[str, str]:
    """The logging settings, by the names of their environment variables.

    >>> sorted(get_log_config())[-2:]
    ['GLOG_logtostderr', 'GLOG_v']
    """
    to_file = not config.log_to_stderr.value
    settings = {"GLOG_v": get_level(), "GLOG_logtostderr": "0" if to_file else "1"}
    return {**settings, "GLOG_log_dir": config.log_dir.value} if to_file else settings


def _get_logger() -> logging.Logger:
    """The logger that everything here writes to."""
    return logger


class _LogActionOnce:
    """A decorator of functions that log: of what they warn of under one key, the first is written.

    Examples:
        >>> from mindspore import log
        >>> warn = log._LogActionOnce(log, key="here")(lambda text: log.info(text))
        >>> warn("said"), warn("not said again")
        (None, None)
    """

    def __init__(self, logger: Any, key: Any, no_warning: bool = False):
        self.logger, self.key, self.no_warning = logger, key, no_warning

    def __call__(self, func: Any) -> Any:
        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if self.no_warning or not once(("_LogActionOnce", self.key), f"{func.__name__} under {self.key}", DEBUG):
                return None
            return func(*args, **kwargs)

        return wrapper


_claim(__name__)
