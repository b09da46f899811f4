"""User stack frames of an error or of the current call."""

from __future__ import annotations

import functools
import linecache
import os
import sys
import types

from mindspore._engine.base.trace_state import state
from mindspore._utils.folders import PACKAGE

Frame = tuple[str, int, str, str]  # file, line, function, source

PARTS: set[types.CodeType] = set()  # code of generated closures, attributed to the enclosing function
UNREADABLE: dict[types.CodeType, str] = {}  # why the source of a function is unavailable
_SHOWN = 10  # frames shown at each end of a long stack
_GRAPH = os.path.join(PACKAGE, "_engine", "graph", "graph.py")
_LIBRARIES = (f"{os.sep}jax{os.sep}", f"{os.sep}jaxlib{os.sep}", f"{os.sep}threading.py", f"{os.sep}contextlib.py")


def user_frames(error: BaseException) -> list[Frame]:
    """The user's frames in an error's traceback: file, line, function, source; outermost first."""
    calls_made: list[tuple[types.CodeType, int]] = []
    trace = error.__traceback__
    while trace is not None:
        if not _is_internal(trace.tb_frame.f_code.co_filename):
            calls_made.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    return _shortened(_lines(calls_made))


def user_stack() -> tuple[list[Frame], list[str]]:
    """The user's frames inside the current graph, else the one that called it, and the Cells on the way."""
    calls_made: list[tuple[types.CodeType, int]] = []
    cells: list[str] = []
    inside = state.scope is not None
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and (inside or not calls_made):
        code = frame.f_code
        if code.co_name == "construct" and code.co_argcount and code not in PARTS:
            cells.append(type(frame.f_locals.get(code.co_varnames[0])).__name__)
        if not _is_internal(code.co_filename) and not code.co_filename.startswith(PACKAGE):
            calls_made.append((code, frame.f_lineno))
        inside = inside and not _begins_graph(code)
        frame = frame.f_back
    return _shortened(_lines(calls_made[::-1])), cells[::-1]


def _begins_graph(code: types.CodeType) -> bool:
    return code.co_name == "on_tensors" and code.co_filename == _GRAPH


def _lines(calls_made: list[tuple[types.CodeType, int]]) -> list[Frame]:
    frames: list[Frame] = []
    for code, line in calls_made:
        if code in PARTS and frames and frames[-1][2] == code.co_name:
            frames.pop()  # a construct's line is replaced by the line inside it
        frames.append((code.co_filename, line, code.co_name, _source_line(code, line)))
    return frames


def _source_line(code: types.CodeType, line: int) -> str:
    if code in UNREADABLE:
        return (
            f"(The compiler cannot read this function: {UNREADABLE[code]}. It needs the source for `if` and loops on "
            "Tensors: define it in a file or in a notebook's cell, and reload a file that was edited.)"
        )
    return linecache.getline(code.co_filename, line).strip()


def _shortened(frames: list[Frame]) -> list[Frame]:
    """Elide the middle of a deep stack."""
    left_out = len(frames) - 2 * _SHOWN
    if left_out <= 0:
        return frames
    file, line, name, text = frames[_SHOWN - 1]
    return [*frames[: _SHOWN - 1], (file, line, name, f"{text}\n  ... {left_out} more calls ..."), *frames[-_SHOWN:]]


@functools.cache
def _is_internal(path: str) -> bool:
    folders = ("mindspore/_engine/", "mindspore/_ops/", "mindspore/_utils/", "/jax/", "mindspore/nn/cell/")
    return path.startswith("<frozen") or any(folder in path.replace("\\", "/") for folder in folders)


def where_now() -> str:
    """The current user location, for the message of a deferred error."""
    frames, cells = user_stack()
    inside = f" (Cell {' > '.join(cells)})" if cells else ""
    lines = [f'  File "{file}", line {line}, in {function}\n    {source}' for file, line, function, source in frames]
    return f"\n\nWhile running{inside}:\n" + "\n".join(lines) if lines else inside


def calling_line() -> Frame | None:
    """File, line, function and source of the nearest user frame."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((PACKAGE, "<frozen")) and not any(part in file for part in _LIBRARIES):
            return file, frame.f_lineno, frame.f_code.co_name, linecache.getline(file, frame.f_lineno).strip()
        frame = frame.f_back
    return None


def users_lines(error: Exception) -> list[Frame]:
    """The user's frames of an error; if only ours are in it, the line that called them."""
    frames = user_frames(error)
    own = [frame for frame in frames if not frame[0].startswith(PACKAGE)]
    called = calling_line()
    return own or ([called] if called else frames)
