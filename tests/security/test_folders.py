"""What is executed or trusted comes from folders of this user alone."""

import marshal
import os
import zlib

import jax
import pytest

from mindspore._engine.cluster import rendezvous
from mindspore._engine.runtime import compile_cache
from mindspore._engine.syntax import disk_cache
from mindspore._utils import log
from mindspore._utils.folders import why_not_private


@pytest.fixture
def warnings(monkeypatch):
    said = []
    monkeypatch.setattr(log, "once", lambda key, text, level=log.WARNING: said.append((level, text)))
    return said


@pytest.fixture
def cache(monkeypatch):
    """jax's settings are put back."""
    names = ("jax_compilation_cache_dir", "jax_enable_compilation_cache")
    before = {name: getattr(jax.config, name) for name in names}
    monkeypatch.setattr(compile_cache, "_given", compile_cache._given)
    yield
    for name, value in before.items():
        jax.config.update(name, value)
    compile_cache.jax_cache.reset_cache()


def test_a_folder_of_ours_is_private(tmp_path):
    assert why_not_private(str(tmp_path)) is None


def test_a_folder_that_others_can_write_to_is_not(tmp_path):
    for mode, reason in ((0o770, "others can write to it"), (0o707, "others can write to it")):
        tmp_path.chmod(mode)
        assert why_not_private(str(tmp_path)) == reason


def test_a_link_and_a_folder_that_others_can_replace_are_not(tmp_path):
    inner = tmp_path / "open" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "link").symlink_to(inner)
    assert why_not_private(str(tmp_path / "link")) == "it is a symbolic link"
    (tmp_path / "open").chmod(0o777)
    assert why_not_private(str(inner)) == f"others can replace it, as they can write to {tmp_path / 'open'}"
    (tmp_path / "open").chmod(0o1777)
    assert why_not_private(str(inner)) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_not(tmp_path):
    os.chown(tmp_path, 12345, -1)
    assert "belongs to the user 12345" in why_not_private(str(tmp_path))


def test_compiled_programs_of_an_open_folder_are_not_used(tmp_path, warnings, cache):
    folder = tmp_path / compile_cache._environment_name()
    folder.mkdir()
    folder.chmod(0o777)
    compile_cache.enable(str(tmp_path))
    assert compile_cache.folder() is None
    ((level, text),) = warnings
    assert level == log.WARNING and "others can write to it" in text and "MYCELIUM_CACHE_DIR" in text
    folder.chmod(0o700)
    compile_cache.enable(str(tmp_path))
    assert compile_cache.folder() == str(folder)


def test_an_entry_that_was_changed_is_dropped_though_its_size_is_the_same(tmp_path):
    entry = tmp_path / "program-cache"
    entry.write_bytes(zlib.compress(os.urandom(999)))
    assert compile_cache.drop_broken_entries(str(tmp_path)) == []
    content = bytearray(entry.read_bytes())
    content[500] ^= 1
    entry.write_bytes(content)
    assert compile_cache.drop_broken_entries(str(tmp_path)) == ["program-cache"]


def test_a_rewritten_function_is_decoded_only_with_its_digest(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "folder", lambda: str(tmp_path))
    code = compile("x = 1", "program.py", "exec")
    disk_cache.store(code, code)
    assert disk_cache.load(code) == code
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(zlib.compress(marshal.dumps(compile("x = 2", "other.py", "exec"))))
    assert disk_cache.load(code) is None


def test_processes_do_not_meet_in_a_folder_that_is_not_theirs(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.mkdir()
    monkeypatch.setattr(rendezvous.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / f"mycelium-{os.getuid()}").symlink_to(victim)
    folder = rendezvous._folder()
    assert folder == str(tmp_path / "home" / ".cache" / "mycelium" / "processes")
    os.chmod(folder, 0o777)
    with pytest.raises(RuntimeError, match=r"there is none.*symbolic link.*others can write"):
        rendezvous._folder()
