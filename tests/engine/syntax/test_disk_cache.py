"""Rewritten functions are found on disk by the next process."""

from __future__ import annotations

import types

import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore._engine.runtime import compile_cache
from mindspore._engine.syntax import disk_cache, rewriter


def larger(x, y):
    if x > y:
        return x * 2
    return sum([y + k for k in (1, 2)])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "folder", lambda: str(tmp_path))
    return tmp_path


def next_process(function, monkeypatch):
    """The function rewritten by a process that knows nothing but the folder, and cannot read any source."""
    monkeypatch.setattr(rewriter, "_codes", {})
    monkeypatch.setattr(rewriter, "definition_of", lambda function: (_ for _ in ()).throw(OSError("no source")))
    return rewriter.convert(function)


def test_the_next_process_needs_no_source(folder, monkeypatch):
    first = rewriter._rewritten_code(larger)
    assert isinstance(first, types.CodeType) and len(list(folder.iterdir())) == 1
    again = next_process(larger, monkeypatch)
    assert again is not larger and again.__code__.co_code == first.co_code
    assert again.__code__.co_name == "larger" and again.__code__.co_filename == __file__


def test_it_computes_the_same(folder, monkeypatch):
    rewriter._rewritten_code(larger)
    next_process(larger, monkeypatch)
    compiled = ms.jit(larger)
    assert (compiled(Tensor(3.0), Tensor(1.0)).asnumpy(), compiled(Tensor(1.0), Tensor(3.0)).asnumpy()) == (6, 9)


def test_another_function_on_the_same_lines_is_another_entry(folder):
    kinds = [types.FunctionType(compile(f"def f(x):\n    return x {sign} 1\n", "f.py", "exec").co_consts[0], {})
             for sign in "+-"]  # fmt: skip
    assert len({disk_cache._path(function.__code__) for function in kinds}) == 2


def test_a_damaged_entry_is_made_anew(folder, monkeypatch):
    rewriter._rewritten_code(larger)
    entry = next(folder.iterdir())
    for damage in (b"", entry.read_bytes()[:20], b"x" * 100):
        entry.write_bytes(damage)
        assert disk_cache.load(larger.__code__) is None
    rewriter._rewritten_code(larger)
    assert disk_cache.load(larger.__code__) is not None
    assert compile_cache.drop_broken_entries(str(folder)) == []


def test_without_a_folder_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(compile_cache, "folder", lambda: None)
    disk_cache.store(larger.__code__, larger.__code__)
    assert disk_cache.load(larger.__code__) is None
