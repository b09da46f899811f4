"""The client of the coordinator: one TCP connection per process, from rendezvous to exit.

It delivers the assigned rank and the address of jax's coordinator, sends heartbeats, and is notified at once when a peer is
lost, whatever the main thread is doing: computing, writing a file, blocked in a collective.
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

from mindspore._engine.cluster import rendezvous, secret
from mindspore._engine.cluster.coordinator import Coordinator, Message, ProtocolError, Timeouts, decode
from mindspore._engine.config import config
from mindspore._utils.folders import PACKAGE

_HEARTBEAT = 1.0  # seconds between heartbeats
_RETRY_INTERVAL = 0.05
_LONGEST_ANSWER = 1 << 16
_ENDING_JOB = (
    5.0  # seconds of retries when a connection is closed without an answer: a previous job may be shutting down
)
_GRACE = 3.0  # seconds for the program to raise by itself, with a traceback, after a peer was lost
_LONG_GRACE = 30.0  # seconds for its exception handlers: they may save a checkpoint


class Heartbeat(threading.Thread):
    """The heartbeat thread and its connection."""

    def __init__(self, connection: socket.socket, assigned: rendezvous.Membership, coordinator: str, welcome: Message):
        super().__init__(name="mindspore-lifeline", daemon=True)
        self.connection, self.assigned, self.coordinator = connection, assigned, coordinator
        self.hub_rank, self.machines = welcome["hub"], welcome["machines"]
        self.owner = os.getpid()
        self.unread = b""
        self.pending: tuple[Any, Sequence[int]] = (None, ())  # last dispatched collective computation: (result, ranks)
        self.waiting = (None, 0.0)  # the unready result at the last heartbeat, and since when
        self.lost: tuple[int, str] | None = None
        self.is_over = self.was_raised = False
        self.changed = threading.Condition()

    # -- called by the main thread --------------------------------------------------------------------------------------
    def note(self, result: Any, ranks: Sequence[int]) -> None:
        """Record a computation with these ranks (all if empty), pending until ``result`` is ready."""
        self.pending = (result, ranks)

    def fail(self, reason: str, hearsay: bool) -> None:
        """Report that this process fails; ``hearsay`` if only because a peer did."""
        self._send({"failed": reason, "hearsay": hearsay})
        if not hearsay:
            self.who_is_lost(1.0)  # until the coordinator, perhaps a thread of this process, has broadcast it
            time.sleep(_RETRY_INTERVAL)

    def who_is_lost(self, seconds: float = 2.0) -> str:
        """Wait up to ``seconds`` for the name of the lost process; empty if none becomes known."""
        with self.changed:
            self.changed.wait_for(lambda: self.lost is not None, seconds)
            self.was_raised = True
        return self.in_words()

    def in_words(self) -> str:
        """The message about the lost process."""
        return f"Process {self.lost[0]} {self.lost[1].rstrip('.')}." if self.lost else ""

    def part(self) -> bool:
        """Exit barrier: wait until all processes are done; False if one was lost before."""
        self._send({"done": True})
        with self.changed:
            self.changed.wait_for(lambda: self.is_over or self.lost is not None)
        return self.is_over

    def own_address(self) -> str:
        """This host's address as the peers see it."""
        return self.connection.getsockname()[0]

    def coordinator_bind_address(self) -> str | None:
        """Where jax's coordinator, in process 0, listens: at the interface that the processes met at."""
        host = self.connection.getpeername()[0]
        port = self.coordinator.rpartition(":")[2]
        return None if self.assigned.rank else f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def is_own(self) -> bool:
        """Whether this is the process that opened the connection, not a fork."""
        return os.getpid() == self.owner

    # -- the thread -----------------------------------------------------------------------------------------------------
    def run(self) -> None:
        next_heartbeat, ends = 0.0, float("inf")
        while True:
            now = time.monotonic()
            if now >= next_heartbeat:
                self._send(self._heartbeat(now))
                next_heartbeat = now + _HEARTBEAT
            if now >= ends + (_LONG_GRACE if self.was_raised else 0):
                self._end()
            ready, _, _ = select.select([self.connection], [], [], _HEARTBEAT / 4)
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
        try:
            messages = [decode(line) for line in lines]
        except ProtocolError:
            found, messages = b"", []
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
        if not found and not self.is_over:  # disconnected from the coordinator
            time.sleep(_GRACE + (_LONG_GRACE if self.was_raised else 0))
            self._end()
        return bool(found)

    def _end(self) -> None:
        if self.lost is not None and self.lost[0] != self.assigned.rank:
            print(f"{self.in_words()} Process {self.assigned.rank} cannot go on without it and ends.", file=sys.stderr)
        else:
            print(f"{self.in_words()} The others wait for it no longer, so it ends.", file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)

    def _heartbeat(self, now: float) -> Message:
        result, ranks = self.pending
        if _is_ready(result):
            self.waiting = (None, 0.0)
            return {"waits": 0, "for": [], "at": _own_line()}
        if self.waiting[0] is not result:
            self.waiting = (result, now - 0.001)
        return {"waits": now - self.waiting[1], "for": list(ranks or range(self.assigned.size)), "at": ""}

    def _send(self, message: Message) -> None:
        if not self.is_own():
            return
        with contextlib.suppress(OSError):  # a disconnect is detected by the reader
            self.connection.sendall(json.dumps(message).encode() + b"\n")


def _is_ready(result: Any) -> bool:
    if type(result) is object:  # sentinel: still being dispatched
        return False
    try:
        return result is None or result.is_ready()
    except RuntimeError:  # donated to the next computation
        return True


def _own_line() -> str:
    """The source line of the user's program that the main thread is at."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and (
        frame.f_code.co_filename.startswith(PACKAGE) or "site-packages" in frame.f_code.co_filename
    ):
        frame = frame.f_back
    return "an unknown line" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


# -- rendezvous ---------------------------------------------------------------------------------------------------------
def join_job(membership: rendezvous.Membership) -> Heartbeat:
    """Rendezvous with the other processes; returns once all have connected."""
    patience = Timeouts(config.meeting_timeout.value, config.silence_timeout.value, config.computation_timeout.value)
    address = rendezvous.address(membership)
    listener = None
    if address is None and membership.rank == 0:
        listener = _listen("127.0.0.1", 0)
        job_secret = secret.fresh()
        address = rendezvous.publish(membership, listener.getsockname()[1], job_secret)
    elif address is None:
        address, job_secret = rendezvous.find(membership)
    else:
        job_secret = secret.of_user()
        listener = _listen_as_first(membership, address) if membership.rank <= 0 else None
    if listener is not None:
        hub = Coordinator(listener, membership.size, patience, job_secret)
        hub.start()
        os.register_at_fork(after_in_child=hub.close)  # a forked child must not keep the connections open
    host, _, port = address.rpartition(":")
    try:
        line = _enter((host, int(port)), membership, listener is not None, patience.meeting, job_secret)
    finally:
        rendezvous.unpublish(membership)
    os.register_at_fork(after_in_child=line.connection.close)
    line.start()
    return line


def _listen(host: str, port: int) -> socket.socket:
    """Bind the address itself, so that only its interface is open.

    All interfaces are open where a name means another address here than elsewhere: 127.0.1.1, or that of a router.
    """
    family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    found = str(address[0])
    everywhere = "" if family == socket.AF_INET else "::"
    is_loopback = found.startswith("127.") or found == "::1"
    named_loopback = host.strip("[]") in ("localhost", found)
    try:
        return _bound(family, everywhere if is_loopback and not named_loopback else found, port)
    except OSError as error:
        if error.errno != errno.EADDRNOTAVAIL:
            raise
        return _bound(family, everywhere, port)


def _bound(family: int, address: str, port: int) -> socket.socket:
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(1024)
    except OSError:
        listener.close()
        raise
    return listener


def _listen_as_first(membership: rendezvous.Membership, address: str) -> socket.socket | None:
    """Bind the rendezvous port as process 0; without assigned ranks, the first process on that host wins."""
    host, _, port = address.rpartition(":")
    if membership.rank < 0 and not rendezvous.is_here(host):
        return None
    try:
        return _listen(host, int(port))
    except OSError as error:
        if membership.rank < 0 and error.errno == errno.EADDRINUSE:
            return None
        raise RuntimeError(
            f"Process 0 cannot listen at {address}, where the processes of the job are to meet: {error.strerror}. Choose "
            "another port (MS_SCHED_PORT, or --master_port of msrun)."
        ) from None


def _connect(host: str, port: int, membership: rendezvous.Membership, seconds: float) -> socket.socket:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection((host.strip("[]"), port), timeout=max(seconds, 1.0))
        except OSError as error:
            if time.monotonic() > deadline:
                raise RuntimeError(
                    f"For 'init', {rendezvous.name(membership)} waited {seconds:g} s for process 0 at {host}:{port} and did not reach it: "
                    f"{error}. Has it failed? Is the address right?"
                ) from None
        time.sleep(_RETRY_INTERVAL)


def _enter(
    address: tuple[str, int], membership: rendezvous.Membership, is_hub: bool, seconds: float, job_secret: str
) -> Heartbeat:
    """Connect until a coordinator answers: the port may still be held by a previous job that is shutting down."""
    host, port = address
    deadline = time.monotonic() + seconds
    unanswered_since = 0.0
    while True:
        connection = _connect(host, port, membership, deadline - time.monotonic())
        try:
            return _introduce(connection, membership, host, is_hub, seconds, job_secret)
        except (OSError, ValueError) as error:
            connection.close()
            unanswered_since = unanswered_since or time.monotonic()
            if time.monotonic() - unanswered_since > _ENDING_JOB:
                raise RuntimeError(
                    f"For 'init', {rendezvous.name(membership)} could not meet the others: what listens at {host}:{port} is no process of "
                    f"their job, or has ended ({error})."
                ) from None
        time.sleep(_RETRY_INTERVAL)


def _introduce(
    connection: socket.socket,
    membership: rendezvous.Membership,
    host: str,
    is_hub: bool,
    seconds: float,
    job_secret: str,
) -> Heartbeat:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.settimeout(seconds + 5)  # the coordinator reports the missing ranks before that
    challenge, own = str(decode(_line_of(connection)).get("challenge")), secret.fresh()
    node = f"{socket.gethostname()} {os.getppid() if config.local_rank.is_set else ''}"
    hello = json.dumps({**membership._asdict(), "node": node, "hub": is_hub})
    proof = secret.proof(job_secret, "member", challenge, own, hello)
    connection.sendall(json.dumps({"hello": hello, "challenge": own, "proof": proof}).encode() + b"\n")
    answer = decode(_line_of(connection))
    _check_answer(answer, membership, secret.proof(job_secret, "hub", own, challenge))
    connection.settimeout(None)
    rank, local_rank, local_size = answer["rank"], membership.local_rank, membership.local_size
    if membership.rank < 0 and not config.local_rank.is_set:
        local_rank, local_size = answer["local_rank"], answer["local_size"]
    assigned = rendezvous.Membership(rank, membership.size, local_rank, local_size)
    return Heartbeat(connection, assigned, f"{host}:{answer['port']}", answer)


def _check_answer(answer: Message, membership: rendezvous.Membership, proof: str) -> None:
    """Whether the coordinator knows the secret too, and takes this process in."""
    if answer.get("secret") is False:
        raise RuntimeError(
            f"For 'init', {rendezvous.name(membership)} could not meet the others: it has another secret than process 0. Start all "
            "processes as the same user; on machines that do not share a home folder, set MYCELIUM_JOB_SECRET to the same "
            "text for all of them, or copy the file ~/.config/mycelium/job-secret."
        )
    if not secret.agrees(answer.get("proof"), proof):
        raise ProtocolError("it does not know the secret of the job")
    if "refused" in answer:
        raise RuntimeError(f"For 'init', {rendezvous.name(membership)} could not meet the others: {answer['refused']}.")


def _line_of(connection: socket.socket) -> bytes:
    """Read one line byte by byte: what follows belongs to the heartbeat thread."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte or len(line) > _LONGEST_ANSWER:
            raise ConnectionResetError("no answer")
        line += byte
    return line
