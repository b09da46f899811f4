"""A table of keys and values that processes share over TCP."""

from __future__ import annotations

import base64
import datetime
import json
import socket
import socketserver
import sys
import threading
import time
from typing import Any

from mindspore._engine.cluster import secret
from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_int, check_str, shown

__all__ = ["TCPStore"]


_LONGEST_PROOF, _LONGEST_REQUEST = 1 << 8, 1 << 30  # bytes of a line
_PATIENCE = 10  # seconds for the lines of a connection


class _Answer(socketserver.StreamRequestHandler):
    """A challenge, its proof, then one line of JSON in and one out."""

    timeout = _PATIENCE

    def handle(self) -> None:
        challenge = secret.fresh()
        self.wfile.write(challenge.encode() + b"\n")
        given = self.rfile.readline(_LONGEST_PROOF).decode(errors="replace").strip()
        if not secret.agrees(given, secret.proof(secret.of_user(), "store", challenge)):
            log.info("An unauthenticated client at %s was rejected by a TCPStore.", self.client_address[0])
            return
        request = json.loads(self.rfile.readline(_LONGEST_REQUEST))
        try:
            answer = [True, self.server.answer(**request)]  # type: ignore[attr-defined]
        except (TypeError, ValueError) as error:
            answer = [False, str(error)]
        self.wfile.write(json.dumps(answer).encode() + b"\n")


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = allow_reuse_address = True

    def __init__(self, address: tuple[str, int]):
        super().__init__(address, _Answer)
        self.values: dict[str, str] = {}
        self.lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever disconnects, is silent or talks nonsense: no matter for the program."""
        log.info("A connection of %s to a TCPStore failed: %s.", client_address[0], sys.exc_info()[1])

    def answer(self, action: str, key: str, value: Any = None) -> Any:
        with self.lock:
            if action == "set":
                self.values[key] = value
            elif action == "add":
                self.values[key] = _text(str(int(_data(self.values[key])) + value if key in self.values else value))
            elif action == "delete":
                return self.values.pop(key, None) is not None
            return self.values.get(key)


def _text(value: str | bytes) -> str:
    return base64.b64encode(value.encode() if isinstance(value, str) else value).decode()


def _data(text: str) -> bytes:
    return base64.b64decode(text)


class TCPStore:
    """A table that one process keeps and all of the job can read and write: they know each other by its secret.

    Args:
        host_name: where the process is that keeps it.
        port: its port; 0 for a free one, which ``port`` then says.
        world_size: how many processes use it; None if that is not known.
        is_master: whether this process keeps it.
        timeout: how long ``get`` waits for a key, and a process for the one that keeps the table.
        wait_for_workers, multi_tenant, master_listen_fd, use_libuv: kept for programs that give them.

    Examples:
        >>> from mindspore.mint.distributed.distributed import TCPStore
        >>> store = TCPStore("127.0.0.1", 0, is_master=True)
        >>> store.set("name", "value")
        >>> store.get("name"), store.add("count", 2), store.add("count", 3), store.delete_key("name")
        (b'value', 2, 5, True)
    """

    def __init__(self, host_name: str, port: int, world_size: int | None = None, is_master: bool = False,
                 timeout: datetime.timedelta = datetime.timedelta(seconds=300), wait_for_workers: bool = True,
                 multi_tenant: bool = False, master_listen_fd: int | None = None, use_libuv: bool = True):  # fmt: skip
        self.host_name = check_str("TCPStore", "host_name", host_name, allow_empty=False)
        self.port = check_int("TCPStore", "port", port, 0, 65535)
        if not isinstance(timeout, datetime.timedelta):
            raise TypeError(f"For 'TCPStore', the 'timeout' must be a datetime.timedelta, but got {shown(timeout)}.")
        self.world_size, self.timeout = world_size, timeout
        if check_bool("TCPStore", "is_master", is_master):
            self._server = _Server((host_name, port))
            self.port = self._server.server_address[1]
            threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def set(self, key: str, value: str | bytes) -> None:
        """Put a value under a key."""
        self._ask("set", key, _text(value))

    def get(self, key: str) -> bytes:
        """The value under a key; waits for it."""
        end = time.monotonic() + self.timeout.total_seconds()
        while (found := self._ask("get", key)) is None:
            if time.monotonic() > end:
                raise ValueError(f"For 'TCPStore.get', no process set the key {key!r} within {self.timeout}.")
            time.sleep(0.01)
        return _data(found)

    def add(self, key: str, amount: int) -> int:
        """Add to the number under a key, which is 0 at first; returns the sum."""
        return int(_data(self._ask("add", key, check_int("TCPStore.add", "amount", amount))))

    def delete_key(self, key: str) -> bool:
        """Remove a key; whether it was there."""
        return self._ask("delete", key)

    def _ask(self, action: str, key: str, value: Any = None) -> Any:
        check_str(f"TCPStore.{action}", "key", key, allow_empty=False)
        request = json.dumps({"action": action, "key": key, "value": value}).encode() + b"\n"
        end = time.monotonic() + self.timeout.total_seconds()
        while True:
            try:
                with socket.create_connection((self.host_name, self.port), self.timeout.total_seconds()) as line:
                    return self._answer(line, request)
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _answer(self, line: socket.socket, request: bytes) -> Any:
        words = line.makefile()
        proof = secret.proof(secret.of_user(), "store", words.readline().strip())
        line.sendall(proof.encode() + b"\n" + request)
        answer = words.readline()
        if not answer:
            raise RuntimeError(
                f"For 'TCPStore', the process that keeps the table at {self.host_name}:{self.port} has not answered: it has ended, or "
                "knows another secret. Set the same MYCELIUM_JOB_SECRET for all processes."
            )
        done, value = json.loads(answer)
        if not done:
            raise ValueError(f"For 'TCPStore', the value under the key does not allow that: {value}.")
        return value
