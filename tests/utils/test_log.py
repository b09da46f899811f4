"""Log lines look like MindSpore's, name the user's line, and obey the level."""

from __future__ import annotations

import inspect
import logging
import os
import re
import threading

import pytest

import mindspore.log as public
from mindspore._utils import log

LINE = re.compile(
    r"\[WARNING\] ME\((\d+):(\d+),MainProcess\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} \[(.+):(\d+)\] hello w\n"
)


@pytest.fixture(autouse=True)
def _level_and_handlers_restored(monkeypatch):
    level, handlers = log.logger.level, list(log.logger.handlers)
    monkeypatch.setattr(log, "_said", set())
    log.logger.setLevel(logging.WARNING)
    yield
    log.logger.setLevel(level)
    for extra in [one for one in log.logger.handlers if one not in handlers]:
        extra.close()
    log.logger.handlers[:] = handlers


def test_a_line_has_the_format_and_the_place_of_the_caller(capfd):
    line = inspect.currentframe().f_lineno + 1
    public.warning("hello %s", "w")
    found = LINE.fullmatch(capfd.readouterr().err)
    assert found
    assert found.groups() == (str(os.getpid()), str(threading.get_ident()), __file__, str(line))


def test_levels_below_the_chosen_one_are_silent(capfd):
    log.configure(3)
    assert public.get_level() == "3"
    public.warning("not this")
    public.error("this")
    public.critical("and this")
    err = capfd.readouterr().err
    assert "not this" not in err
    assert "[ERROR] ME(" in err
    assert "[CRITICAL] ME(" in err


def test_every_level_speaks_at_debug(capfd):
    log.configure(0)
    for name in ("debug", "info", "warning", "error", "critical"):
        getattr(public, name)(f"from {name}")
    err = capfd.readouterr().err
    assert re.findall(r"^\[(\w+)\]", err, re.M) == ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]


def test_once_speaks_a_single_time_per_key(capfd):
    assert log.once("a", "first")
    assert not log.once("a", "second")
    assert log.once("b", "100% other")
    err = capfd.readouterr().err
    assert "first" in err
    assert "second" not in err
    assert "100% other" in err


def test_a_folder_moves_the_lines_to_a_file_per_rank(tmp_path, capfd):
    log.configure(2, str(tmp_path), rank=3)
    public.warning("to the file")
    (written,) = (tmp_path / "rank_3" / "logs").iterdir()
    assert "to the file" in written.read_text()
    assert capfd.readouterr().err == ""


def test_exceptions_are_logged_with_their_traceback(capfd):
    try:
        raise KeyError("lost")
    except KeyError:
        public.error("failed", exc_info=True)
    assert "KeyError: 'lost'" in capfd.readouterr().err


def test_log_config_names_the_variables():
    assert public.get_log_config() == {"GLOG_v": "2", "GLOG_logtostderr": "1"}


def test_the_logger_is_the_one_logging_knows():
    assert logging.getLogger("mindspore") is log.logger
