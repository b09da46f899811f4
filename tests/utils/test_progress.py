"""The progress line: quiet unless somebody watches and it takes long."""

import io

from mindspore._utils import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_is_written_where_nobody_watches(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert list(progress.progress([1, 2, 3], "work")) == [1, 2, 3] and stream.getvalue() == ""


def test_short_work_is_quiet_at_a_terminal_too(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    assert list(progress.progress([1, 2, 3], "work")) == [1, 2, 3] and stream.getvalue() == ""


def test_long_work_tells_how_far_it_is_and_ends_its_line(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    assert list(progress.progress(iter("ab"), "reading", total=2)) == ["a", "b"]
    text = stream.getvalue()
    assert "reading: 1 of 2 (50%)" in text and "reading: 2 of 2 (100%)" in text and text.endswith("\n")


def test_an_unknown_total_is_left_out():
    assert progress.line("rows", 10, None, 2.0) == "rows: 10, 5/s"
