"""The secret of a job, and the proof of knowing it: without it nobody joins, ends or disturbs the job.

The secret comes, in this order, from ``MYCELIUM_JOB_SECRET`` (``msrun`` makes one for a job on one machine), from the record
that process 0 leaves in this user's private folder, or from a file of the user's that is made once and read by nobody else. It
never crosses the network: each side sends a random challenge, and the other answers with an HMAC of both.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat

from mindspore._engine.config import config

LENGTH = 32  # bytes, of secrets and challenges


def fresh() -> str:
    """A new secret or challenge, as text."""
    return secrets.token_hex(LENGTH)


def proof(secret: str, role: str, *parts: str) -> str:
    """What only a process that knows the secret can say.

    >>> proof("s", "member", "a", "b") == proof("s", "member", "a", "b") != proof("s", "hub", "a", "b")
    True
    """
    text = "\0".join([role, *parts]).encode()
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


def agrees(given: object, expected: str) -> bool:
    """Whether a proof is right, compared in constant time."""
    return isinstance(given, str) and hmac.compare_digest(given.encode(errors="replace"), expected.encode())


def of_user() -> str:
    """The secret that the launcher gave to this job, or else the user's own."""
    given = config.job_secret.value
    return given or _content(_path())


def _path() -> str:
    """The user's file. Several machines share it with the home folder; otherwise it is copied, or the variable is set."""
    chosen = config.job_secret_file.value
    if chosen:
        return os.path.expanduser(chosen)
    return os.path.join(os.path.expanduser(config.xdg_config_home.value or "~/.config"), "mycelium", "job-secret")


def _content(path: str) -> str:
    with contextlib.suppress(FileNotFoundError):
        return _read(path)
    os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "w", encoding="ascii") as file:
            file.write(fresh())
        with contextlib.suppress(FileExistsError):  # another process was faster: all read the same
            os.link(draft, path)
    finally:
        os.unlink(draft)
    return _read(path)


def _read(path: str) -> str:
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8") as file:
        found = os.fstat(file.fileno())
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
            raise RuntimeError(
                f"The file {path}, with the secret that the processes of a job know each other by, must be readable by this user "
                f"alone, but it belongs to the user {found.st_uid} and has the mode {stat.S_IMODE(found.st_mode):o}. Delete it, and "
                "a new one is made; or set MYCELIUM_JOB_SECRET for all processes."
            )
        text = file.read(4096).strip()
    if len(text) < LENGTH:
        raise RuntimeError(
            f"The file {path} must hold a secret of at least {LENGTH} characters, but has {len(text)}. Delete it, and a new one is made."
        )
    return text
