"""This process's connection to the meeting point of its job (``hub``), from the first meeting until the program ends.

Over it a process learns its number and where XLA's own processes meet, says that it lives, and hears at once when another
one is lost, whatever it is doing itself: computing, writing a file, waiting for the one that is gone.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from mindspore._engine.cluster import rendezvous
from mindspore._engine.cluster.coordinator import Hub, Message, Patience
from mindspore._engine.config import config
from mindspore._utils.folders import PACKAGE

_PULSE = 1.0  # seconds
_KNOCK_EVERY = 0.05
_ENDING_JOB = 5.0  # seconds in which a connection that is closed without an answer is tried again
_GRACE = 3.0  # seconds for the program to fail by itself, with a traceback, once another process is lost
_LONG_GRACE = 30.0  # for what the program does about the error: it may save what it has


class Lifeline(threading.Thread):
    """The open connection."""

    def __init__(self, connection: socket.socket, place: rendezvous.Membership, coordinator: str, welcome: Message):
        super().__init__(name="mindspore-lifeline", daemon=True)
        self.connection, self.place, self.coordinator = connection, place, coordinator
        self.hub_rank, self.machines = welcome["hub"], welcome["machines"]
        self.owner = os.getpid()
        self.unread = b""
        self.pending: tuple[Any, Sequence[int]] = (None, ())  # what was last begun with others, and with whom
        self.waiting = (None, 0.0)  # that which was not ready at the last look, and since when
        self.lost: tuple[int, str] | None = None
        self.is_over = self.was_raised = False
        self.changed = threading.Condition()

    # -- what the program says ------------------------------------------------------------------------------------------
    def note(self, result: Any, ranks: Sequence[int]) -> None:
        """A computation with others, all if none are named, goes on until the result is ready."""
        self.pending = (result, ranks)

    def fail(self, reason: str, hearsay: bool) -> None:
        """Tell all that this process fails; ``hearsay`` if only because of another one."""
        self._send({"failed": reason, "hearsay": hearsay})
        if not hearsay:
            self.who_is_lost(1.0)  # the hub, which may be part of this process, has passed it on by then
            time.sleep(_KNOCK_EVERY)

    def who_is_lost(self, seconds: float = 2.0) -> str:
        """Which process is lost, in words; empty if that does not become known within so many seconds."""
        with self.changed:
            self.changed.wait_for(lambda: self.lost is not None, seconds)
            self.was_raised = True
        return self.in_words()

    def in_words(self) -> str:
        """What is known of a lost process."""
        return f"Process {self.lost[0]} {self.lost[1].rstrip('.')}." if self.lost else ""

    def part(self) -> bool:
        """Wait until all processes have ended their programs; False when one was lost before."""
        self._send({"done": True})
        with self.changed:
            self.changed.wait_for(lambda: self.is_over or self.lost is not None)
        return self.is_over

    def own_address(self) -> str:
        """The address of this machine that the others know."""
        return self.connection.getsockname()[0]

    def is_own(self) -> bool:
        """Whether this is the process that opened it, no child of that."""
        return os.getpid() == self.owner

    # -- the thread -----------------------------------------------------------------------------------------------------
    def run(self) -> None:
        next_pulse, ends = 0.0, float("inf")
        while True:
            now = time.monotonic()
            if now >= next_pulse:
                self._send(self._pulse(now))
                next_pulse = now + _PULSE
            if now >= ends + (_LONG_GRACE if self.was_raised else 0):
                self._end()
            ready, _, _ = select.select([self.connection], [], [], _PULSE / 4)
            if ready and not self._hear():
                return
            if self.lost is not None and ends == float("inf"):
                ends = time.monotonic() + _GRACE

    def _hear(self) -> bool:
        try:
            found = self.connection.recv(1 << 16)
        except OSError:
            found = b""
        *lines, self.unread = (self.unread + found).split(b"\n")
        messages = [json.loads(line) for line in lines]
        if not found:
            messages.append(
                {"lost": self.hub_rank, "reason": "was ended from outside or crashed: its connection was closed"}
            )
        with self.changed:
            for message in messages:
                self.is_over = self.is_over or "over" in message
                if "lost" in message and self.lost is None and not self.is_over:
                    self.lost = (message["lost"], message["reason"])
            self.changed.notify_all()
        if not found and not self.is_over:  # nothing more will be heard
            time.sleep(_GRACE + (_LONG_GRACE if self.was_raised else 0))
            self._end()
        return bool(found)

    def _end(self) -> None:
        if self.lost is not None and self.lost[0] != self.place.rank:
            print(f"{self.in_words()} Process {self.place.rank} cannot go on without it and ends.", file=sys.stderr)
        else:
            print(f"{self.in_words()} The others wait for it no longer, so it ends.", file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)

    def _pulse(self, now: float) -> Message:
        result, ranks = self.pending
        if _is_ready(result):
            self.waiting = (None, 0.0)
            return {"waits": 0, "for": [], "at": _own_line()}
        if self.waiting[0] is not result:
            self.waiting = (result, now - 0.001)
        return {"waits": now - self.waiting[1], "for": list(ranks or range(self.place.size)), "at": ""}

    def _send(self, message: Message) -> None:
        if not self.is_own():
            return
        with contextlib.suppress(OSError):  # if the other end is gone, reading says so
            self.connection.sendall(json.dumps(message).encode() + b"\n")


def _is_ready(result: Any) -> bool:
    if type(result) is object:  # being computed, in the middle of a call
        return False
    try:
        return result is None or result.is_ready()
    except RuntimeError:  # given away to the next computation, which is under way
        return True


def _own_line() -> str:
    """The line of the user's program that the main thread is at."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and (
        frame.f_code.co_filename.startswith(PACKAGE) or "site-packages" in frame.f_code.co_filename
    ):
        frame = frame.f_back
    return "an unknown line" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


# -- meeting ------------------------------------------------------------------------------------------------------------
def meet(told: rendezvous.Membership) -> Lifeline:
    """Meet the other processes; returns once all are there."""
    patience = Patience(config.meeting_timeout.value, config.silence_timeout.value, config.computation_timeout.value)
    where = rendezvous.address(told)
    listener = None
    if where is None and told.rank == 0:
        listener = _listen("127.0.0.1", 0)
        where = rendezvous.leave(told, listener.getsockname()[1])
    elif where is None:
        where = rendezvous.look(told)
    elif told.rank <= 0:
        listener = _first_here(told, where)
    if listener is not None:
        hub = Hub(listener, told.size, patience)
        hub.start()
        os.register_at_fork(
            after_in_child=hub.close
        )  # a child that outlives this process must not keep its connections
    host, _, port = where.rpartition(":")
    try:
        line = _enter(host, int(port), told, listener is not None, patience.meeting)
    finally:
        rendezvous.forget(told)
    os.register_at_fork(after_in_child=line.connection.close)
    line.start()
    return line


def _listen(host: str, port: int) -> socket.socket:
    """Listen at a loopback address only there, else at all addresses: a name may mean another one on this machine."""
    family, _, _, _, found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    everywhere = "" if family == socket.AF_INET else "::"
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((found[0] if host.startswith("127.") else everywhere, port))
        listener.listen(1024)
    except OSError:
        listener.close()
        raise
    return listener


def _first_here(told: rendezvous.Membership, where: str) -> socket.socket | None:
    """The listener of the first process; of those without a number, that is whoever comes first on that machine."""
    host, _, port = where.rpartition(":")
    if told.rank < 0 and not rendezvous.is_here(host):
        return None
    try:
        return _listen(host, int(port))
    except OSError as error:
        if told.rank < 0 and error.errno == errno.EADDRINUSE:
            return None
        raise RuntimeError(
            f"Process 0 cannot listen at {where}, where the processes of the job are to meet: {error.strerror}. Choose "
            "another port (MS_SCHED_PORT, or --master_port of msrun)."
        ) from None


def _knock(host: str, port: int, told: rendezvous.Membership, seconds: float) -> socket.socket:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection((host.strip("[]"), port), timeout=max(seconds, 1.0))
        except OSError as error:
            if time.monotonic() > deadline:
                raise RuntimeError(
                    f"For 'init', {rendezvous.name(told)} waited {seconds:g} s for process 0 at {host}:{port} and did not reach it: "
                    f"{error}. Has it failed? Is the address right?"
                ) from None
        time.sleep(_KNOCK_EVERY)


def _enter(host: str, port: int, told: rendezvous.Membership, is_hub: bool, seconds: float) -> Lifeline:
    """Knock until a hub answers: what is at the address at first may be left from a job that is just ending."""
    deadline = time.monotonic() + seconds
    without_answer = 0.0
    while True:
        connection = _knock(host, port, told, deadline - time.monotonic())
        try:
            return _introduce(connection, told, host, is_hub, seconds)
        except (OSError, ValueError) as error:
            connection.close()
            without_answer = without_answer or time.monotonic()
            if time.monotonic() - without_answer > _ENDING_JOB:
                raise RuntimeError(
                    f"For 'init', {rendezvous.name(told)} could not meet the others: what listens at {host}:{port} is no process of "
                    f"their job, or has ended ({error})."
                ) from None
        time.sleep(_KNOCK_EVERY)


def _introduce(
    connection: socket.socket, told: rendezvous.Membership, host: str, is_hub: bool, seconds: float
) -> Lifeline:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    node = f"{socket.gethostname()} {os.getppid() if config.local_rank.is_set else ''}"
    hello = {"rank": told.rank, "size": told.size, "local_rank": told.local_rank, "node": node, "hub": is_hub}
    connection.sendall(json.dumps(hello).encode() + b"\n")
    connection.settimeout(seconds + 5)  # the hub says who is missing before
    answer: Message = json.loads(_line_of(connection))
    if "refused" in answer:
        raise RuntimeError(f"For 'init', {rendezvous.name(told)} could not meet the others: {answer['refused']}.")
    connection.settimeout(None)
    rank, local_rank, local_size = answer["rank"], told.local_rank, told.local_size
    if told.rank < 0 and not config.local_rank.is_set:
        local_rank, local_size = answer["local_rank"], answer["local_size"]
    place = rendezvous.Membership(rank, told.size, local_rank, local_size)
    return Lifeline(connection, place, f"{host}:{answer['port']}", answer)


def _line_of(connection: socket.socket) -> bytes:
    """The first line, byte by byte: what follows it is for the thread."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            raise ConnectionResetError("no answer")
        line += byte
    return line
