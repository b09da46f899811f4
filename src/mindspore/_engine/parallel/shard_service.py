"""The wire protocol of ``shard_exchange``: one connection per peer, questions of a fixed size, shards as they lie in memory.

The server sends a random challenge; every question carries an HMAC of it, so that nobody who does not know the token, which
the processes exchanged when they met, gets an answer or takes a thread for long.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

TOKEN = 16  # bytes of the token, and of a challenge
_QUESTION, _ANSWER = struct.Struct("!qqqq"), struct.Struct("!q")  # what is asked for; the length of what follows
_PROOF = hashlib.sha256().digest_size
_NOT_YET, _GONE = -1, -2
_PATIENCE = 120.0  # seconds without a sign of life
_SIGN_OF_LIFE = 5.0  # seconds after which a server that cannot answer yet says so
_STRANGER = 10.0  # seconds for the first question
_MOST = 256  # connections at a time

Question = tuple[int, int, int, int]
Lookup = Callable[[int, int, int, int, float], Any]  # a shard; False: not yet; None: gone


# -- server -------------------------------------------------------------------------------------------------------------------
def serve(listener: socket.socket, token: bytes, lookup: Lookup) -> None:
    """Answer connections for ever, each in a thread."""
    free = threading.BoundedSemaphore(_MOST)
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # no descriptor is free, or the peer has gone
            time.sleep(0.05)
            continue
        if not free.acquire(blocking=False):
            connection.close()
            continue
        threading.Thread(target=_converse, args=(connection, token, lookup, free), name="shards", daemon=True).start()


def _converse(connection: socket.socket, token: bytes, lookup: Lookup, free: threading.BoundedSemaphore) -> None:
    challenge = secrets.token_bytes(TOKEN)
    try:
        with connection, contextlib.suppress(OSError):  # the peer has gone
            connection.settimeout(_STRANGER)
            connection.sendall(challenge)
            while True:
                asked = _received(connection, bytearray(_QUESTION.size + _PROOF))
                if not hmac.compare_digest(bytes(asked[_QUESTION.size :]), _proof(token, challenge, asked)):
                    return
                connection.settimeout(None)
                _answer(connection, lookup, _QUESTION.unpack(asked[: _QUESTION.size]))
    finally:
        free.release()


def _answer(connection: socket.socket, lookup: Lookup, question: Question) -> None:
    try:
        while (part := lookup(*question, _SIGN_OF_LIFE)) is False:
            connection.sendall(_ANSWER.pack(_NOT_YET))
    except (
        RuntimeError,
        MemoryError,
        jax.errors.JaxRuntimeError,
    ):  # the computation has failed: its own error is in the log
        part = None
    if part is None:
        connection.sendall(_ANSWER.pack(_GONE))
        return
    connection.sendall(_ANSWER.pack(part.nbytes))
    connection.sendall(part.reshape(-1).view(np.uint8).data if part.nbytes else b"")


# -- client -------------------------------------------------------------------------------------------------------------------
class Peer:
    """Another process, as this one sees it."""

    def __init__(self, rank: int, address: tuple[str, int], token: bytes):
        self.rank, self.address, self.token = rank, address, token
        self.connection: socket.socket | None = None
        self.challenge = b""
        self.lock = threading.Lock()

    def ask(self, question: Question, like: np.ndarray) -> np.ndarray | None:
        """A shard of this shape and dtype; None if the peer has it no more."""
        with self.lock:
            try:
                return self._ask(question, like)
            except OSError:
                self._close()
                raise

    def _ask(self, question: Question, like: np.ndarray) -> np.ndarray | None:
        connection = self._connected()
        asked = _QUESTION.pack(*question)
        connection.sendall(asked + _proof(self.token, self.challenge, asked))
        length = _NOT_YET
        while length == _NOT_YET:
            (length,) = _ANSWER.unpack(_received(connection, bytearray(_ANSWER.size)))
        if length == _GONE:
            return None
        if length != like.nbytes:
            raise OSError(f"it has no shard of {like.nbytes} bytes, but one of {length}")
        part = np.empty(like.shape, like.dtype)
        _received(connection, part.reshape(-1).view(np.uint8).data if length else bytearray())
        return part

    def _connected(self) -> socket.socket:
        if self.connection is None:
            self.connection = socket.create_connection(self.address, timeout=_PATIENCE)
            self.challenge = bytes(_received(self.connection, bytearray(TOKEN)))
        return self.connection

    def _close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def _proof(token: bytes, challenge: bytes, asked: bytes | bytearray) -> bytes:
    return hmac.new(token, challenge + bytes(asked[: _QUESTION.size]), hashlib.sha256).digest()


def _received(connection: socket.socket, target: Any) -> Any:
    """Fill a buffer."""
    view = memoryview(target)
    while len(view):
        count = connection.recv_into(view)
        if not count:
            raise OSError("the connection was closed")
        view = view[count:]
    return target
