"""The "mindspore" logger: MindSpore's line format on stderr, pointing at the user's own line.

>>> from mindspore._utils import log
>>> log.once("doctest", "said a single time", log.DEBUG)
True
>>> log.once("doctest", "said a single time", log.DEBUG)
False
"""

from __future__ import annotations

import logging
import os
import sys
import time
import warnings
from typing import Any

from mindspore._utils.folders import PACKAGE

DEBUG, INFO, WARNING, ERROR, CRITICAL = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL

# position in the tuple = value of GLOG_v
LEVELS = (DEBUG, INFO, WARNING, ERROR, CRITICAL)

_said: set[Any] = set()


class _Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        whole, fraction = divmod(record.created, 1)
        milli, micro = divmod(int(fraction * 1_000_000), 1000)
        stamp = f"{time.strftime('%Y-%m-%d-%H:%M:%S', time.localtime(whole))}.{milli:03d}.{micro:03d}"
        origin = f"ME({record.process}:{record.thread},{record.processName})"
        text = f"[{record.levelname}] {origin}:{stamp} [{record.pathname}:{record.lineno}] {record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


class _StderrHandler(logging.StreamHandler):
    """Writes to whatever ``sys.stderr`` is at that moment, so that redirected output is honoured."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self):
        return sys.stderr


class _Logger(logging.Logger):
    """Names the first line outside this package as the origin of a message."""

    def findCaller(self, stack_info: bool = False, stacklevel: int = 1) -> tuple[str, int, str, str | None]:
        frame = sys._getframe(1)
        last = frame
        while frame is not None:
            name = frame.f_code.co_filename
            if name != logging.__file__ and not name.startswith((PACKAGE, "<frozen ")):
                break
            last, frame = frame, frame.f_back
        found = frame or last
        return _short_path(found.f_code.co_filename), found.f_lineno, found.f_code.co_name, None


def _short_path(path: str) -> str:
    return "mindspore/" + path[len(PACKAGE) :] if path.startswith(PACKAGE) else path


def _make_logger() -> logging.Logger:
    before = logging.getLoggerClass()
    logging.setLoggerClass(_Logger)
    try:
        made = logging.getLogger("mindspore")
    finally:
        logging.setLoggerClass(before)
    made.propagate = False
    made.setLevel(WARNING)
    handler = _StderrHandler()
    handler.setFormatter(_Formatter())
    made.addHandler(handler)
    return made


logger = _make_logger()


def configure(level: int, folder: str = "", rank: int = 0) -> None:
    """Set the level (0 to 4, as GLOG_v) and, when ``folder`` is given, write to a file below it instead of stderr."""
    logger.setLevel(LEVELS[level])
    if folder:
        rank_folder = os.path.join(folder, f"rank_{rank}", "logs")
        os.makedirs(rank_folder, exist_ok=True)
        handler = logging.FileHandler(os.path.join(rank_folder, f"mindspore.log.{os.getpid()}"), delay=True)
        handler.setFormatter(_Formatter())
        for old in list(logger.handlers):
            logger.removeHandler(old)
            old.close()
        logger.addHandler(handler)


def level_number() -> int:
    """The current level as GLOG_v counts it: 0 DEBUG to 4 CRITICAL."""
    return next((number for number, level in enumerate(LEVELS) if logger.level <= level), 4)


def debug(message: str, *arguments: Any, **options: Any) -> None:
    """Log at DEBUG; ``arguments`` are filled in with ``%`` as in the logging module.

    Examples:
        >>> from mindspore import log
        >>> log.debug("loss %f", 0.5)
    """
    logger.debug(message, *arguments, **options)


def info(message: str, *arguments: Any, **options: Any) -> None:
    """Log at INFO.

    Examples:
        >>> from mindspore import log
        >>> log.info("epoch %d", 3)
    """
    logger.info(message, *arguments, **options)


def warning(message: str, *arguments: Any, **options: Any) -> None:
    """Log at WARNING.

    Examples:
        >>> from mindspore import log
        >>> log.warning("%d samples were skipped", 3)
    """
    logger.warning(message, *arguments, **options)


def error(message: str, *arguments: Any, **options: Any) -> None:
    """Log at ERROR.

    Examples:
        >>> from mindspore import log
        >>> log.error("no file %s", "a.ckpt")
    """
    logger.error(message, *arguments, **options)


def critical(message: str, *arguments: Any, **options: Any) -> None:
    """Log at CRITICAL.

    Examples:
        >>> from mindspore import log
        >>> log.critical("the disk is full")
    """
    logger.critical(message, *arguments, **options)


def warning_at(file: str, line: int, text: str) -> None:
    """Log at WARNING for a line of the program that another thread is at."""
    if logger.isEnabledFor(WARNING):
        logger.handle(logger.makeRecord(logger.name, WARNING, _short_path(file), line, "%s", (text,), None))


def once(key: Any, text: str, level: int = WARNING) -> bool:
    """Say ``text`` the first time ``key`` is seen in this process; return whether it was said now."""
    if key in _said:
        return False
    _said.add(key)
    logger.log(level, "%s", text)
    return True


def advise(key: Any, text: str) -> None:
    """Tell the user, once, something about the program, in Python's own form: with its file and line, and its filters."""
    if key in _said or not logger.isEnabledFor(WARNING):
        return
    _said.add(key)
    file, line, _, _ = logger.findCaller()
    warnings.warn_explicit(text, UserWarning, file, line)
