"""The coordinator of a job, a thread of process 0: assigns ranks, and broadcasts the loss of a process.

Every process keeps a TCP connection to it (``heartbeat.py``). A process that disconnects, misses its heartbeats, or does not
arrive at a collective that the others wait in is reported to all.

Whoever connects gets a challenge, and is a member once it has answered with a proof that it knows the job's secret
(``secret.py``). Until then nothing it says or does counts: it is logged and disconnected.
"""

from __future__ import annotations

import contextlib
import json
import math
import selectors
import socket
import threading
import time
from typing import Any, NamedTuple

from mindspore._engine.cluster import secret
from mindspore._utils import log

_TICK = 0.25  # seconds between timeout checks
_HEARSAY = 2.0  # seconds to wait for the root cause when a process reports a secondary failure
_LONGEST_LINE = 1 << 16
_SEND_TIMEOUT = 2.0  # seconds that a process which does not read can hold the thread
_HANDSHAKE = 10.0  # seconds to prove membership
_MOST_STRANGERS = 256  # connections without a proof; the oldest goes first
_HELLO = {"rank": int, "size": int, "local_rank": int, "node": str, "hub": bool}

Message = dict[str, Any]


class ProtocolError(ValueError):
    """What came is not from a process of this job."""


def decode(line: bytes) -> Message:
    """One message, as it comes from the network."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ProtocolError("it is no JSON") from None
    if not isinstance(message, dict):
        raise ProtocolError("it is no message")
    return message


class Timeouts(NamedTuple):
    """Timeouts in seconds: rendezvous, missing heartbeats, missing arrival at a collective."""

    meeting: float
    silence: float
    computation: float


class _Member:
    """The coordinator's record of one process."""

    def __init__(self, connection: socket.socket, node: str):
        self.connection = connection
        connection.settimeout(_SEND_TIMEOUT)
        self.address = self.node = node
        self.unread = b""
        self.challenge = secret.fresh()
        self.proof = ""  # of the coordinator's own knowledge, for this process
        self.since = time.monotonic()
        self.rank = self.local_rank = -1
        self.is_host = False  # the process that this thread runs in
        self.heard = self.busy = time.monotonic()  # times of the last message and of the last collective
        self.is_done = self.is_gone = False
        self.hearsay: tuple[float, str] | None = None  # secondary failure: (time, reason)
        self.waits: float = 0  # seconds blocked in a collective
        self.waits_for: list[int] = []
        self.at = ""  # the source line of its main thread

    def send(self, message: Message) -> None:
        with contextlib.suppress(OSError):  # a disconnect is detected by the reader, a full buffer by its silence
            self.connection.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> list[Message] | None:
        """Decode the received messages; None after a disconnect."""
        try:
            found = self.connection.recv(_LONGEST_LINE)
        except OSError:
            return None
        *lines, self.unread = (self.unread + found).split(b"\n")
        if len(self.unread) > _LONGEST_LINE:
            raise ProtocolError("a line does not end")
        return [decode(line) for line in lines] if found else None


class Coordinator(threading.Thread):
    """The coordinator thread of ``size`` processes."""

    def __init__(self, listener: socket.socket, size: int, patience: Timeouts, job_secret: str):
        super().__init__(name="mindspore-hub", daemon=True)
        self.listener, self.size, self.patience, self.secret = listener, size, patience, job_secret
        self.selector = selectors.DefaultSelector()
        self.strangers: list[_Member] = []  # connected, without a proof yet
        self.members: list[_Member] = []
        self.have_met = False
        self.lost: Message | None = None
        self.deadline = time.monotonic() + patience.meeting

    def run(self) -> None:
        self.selector.register(self.listener, selectors.EVENT_READ)
        while True:
            for key, _ in self.selector.select(_TICK):
                if key.data is None:
                    self._accept()
                elif key.data in self.strangers:
                    self._hear_stranger(key.data)
                elif not key.data.is_gone:
                    self._hear(key.data)
            self._dismiss_silent_strangers()
            if not self.have_met:
                self._check_rendezvous()
            elif self.lost is None:
                self._check_liveness()

    def close(self) -> None:
        """Close this process's end of all sockets, after a fork."""
        for connection in (self.listener, *(member.connection for member in [*self.strangers, *self.members])):
            connection.close()

    # -- rendezvous ---------------------------------------------------------------------------------------------------
    def _accept(self) -> None:
        try:
            connection, (host, *_) = self.listener.accept()
        except OSError:
            return
        stranger = _Member(connection, host)
        self.strangers.append(stranger)
        self.selector.register(connection, selectors.EVENT_READ, stranger)
        stranger.send({"challenge": stranger.challenge})
        if len(self.strangers) > _MOST_STRANGERS:
            self._dismiss(self.strangers[0], "too many connect without proving to be of the job")

    def _hear_stranger(self, stranger: _Member) -> None:
        """Take a stranger's first words: a proof that it belongs to the job, or the end of its connection."""
        try:
            messages = stranger.receive()
            if messages is None:
                self._drop(stranger)
                return
            for message in messages:
                self._introduce(stranger, self._proven(stranger, message))
        except ProtocolError as error:
            self._dismiss(stranger, str(error))

    def _proven(self, stranger: _Member, message: Message) -> Message:
        """The hello of a process that knows the secret."""
        if stranger not in self.strangers:
            raise ProtocolError("it introduces itself twice")
        text, nonce = message.get("hello"), message.get("challenge")
        if not isinstance(text, str) or not isinstance(nonce, str):
            raise ProtocolError("it does not introduce itself")
        expected = secret.proof(self.secret, "member", stranger.challenge, nonce, text)
        if not secret.agrees(message.get("proof"), expected):
            stranger.send({"refused": "it does not know the secret of the job", "secret": False})
            raise ProtocolError("it does not know the secret of the job")
        hello = decode(text.encode())
        if any(type(hello.get(name)) is not kind for name, kind in _HELLO.items()):
            raise ProtocolError("its introduction is incomplete")
        stranger.proof = secret.proof(self.secret, "hub", nonce, stranger.challenge)
        return hello

    def _dismiss(self, stranger: _Member, reason: str) -> None:
        log.info("%s", f"A connection from {stranger.address} is not of the job and was closed: {reason}.")
        self._drop(stranger)

    def _dismiss_silent_strangers(self) -> None:
        now = time.monotonic()
        for stranger in [stranger for stranger in self.strangers if now - stranger.since > _HANDSHAKE]:
            self._dismiss(stranger, f"it said nothing for {_HANDSHAKE:g} s")

    def _introduce(self, member: _Member, hello: Message) -> None:
        rank, size = hello["rank"], hello["size"]
        problem = ""
        if size != self.size:
            problem = f"it was started for a job of {size} processes, but process 0 for one of {self.size}"
        elif self.have_met or (rank >= 0 and any(other.rank == rank for other in self.members)):
            problem = (
                f"another process has the number {rank} already. Two jobs that one script starts in one folder need an "
                "MS_SCHED_PORT each"
            )
        elif not -1 <= rank < size:
            problem = f"it says that it has the number {rank}"
        if problem:
            member.send({"refused": problem, "proof": member.proof})
            self._drop(member)
            return
        self.strangers.remove(member)
        member.rank, member.local_rank = rank, hello["local_rank"]
        member.node += f" {hello['node']}"
        member.is_host = hello["hub"]
        self.members.append(member)
        if len(self.members) == self.size:
            self._welcome()

    def _welcome(self) -> None:
        """All have connected: assign missing ranks host by host, the coordinator's first."""
        host = next((member for member in self.members if member.is_host), self.members[0])
        order = list(dict.fromkeys([host.node, *(member.node for member in self.members)]))
        if any(member.rank < 0 for member in self.members):
            self.members.sort(
                key=lambda member: (order.index(member.node), member.local_rank)
            )  # stable: then by arrival
            for rank, member in enumerate(self.members):
                member.rank = rank
        port, machines = _free_port(), len({member.address for member in self.members})
        for member in self.members:
            mates = [other for other in self.members if other.node == member.node]
            member.heard = member.busy = time.monotonic()
            local = {"local_rank": mates.index(member), "local_size": len(mates)}
            shared = {"port": port, "hub": host.rank, "machines": machines, "proof": member.proof}
            member.send({"rank": member.rank, **local, **shared})
        self.have_met = True

    def _check_rendezvous(self) -> None:
        if time.monotonic() < self.deadline:
            return
        present = sorted(member.rank for member in self.members)
        missing = sorted(set(range(self.size)) - set(present)) if -1 not in present else []
        who = f"process {_listed(missing)}" if missing else f"{self.size - len(present)} of them"
        self._give_up(f"after {self.patience.meeting:g} s {who} had not come")

    def _give_up(self, problem: str) -> None:
        for member in list(self.members):
            member.send({"refused": problem, "proof": member.proof})
            self._drop(member)
        self.deadline = float("inf")

    # -- liveness -----------------------------------------------------------------------------------------------------
    def _hear(self, member: _Member) -> None:
        try:
            messages = member.receive()
            if messages is None:
                self._part(member)
                return
            member.heard = time.monotonic()
            for message in messages:
                self._take(member, message)
        except ProtocolError as error:
            self._part(member, f"said something that no process of a job says: {error}")

    def _take(self, member: _Member, message: Message) -> None:
        if "waits" in message:
            member.waits, member.waits_for, member.at = _waiting(message)
            member.busy = member.heard if member.waits else member.busy
        elif "failed" in message and message.get("hearsay"):
            member.hearsay = (time.monotonic(), str(message["failed"]))
        elif "failed" in message:
            self._lose(member, str(message["failed"]))
        elif "done" in message:
            self._finish(member)

    def _finish(self, member: _Member) -> None:
        member.is_done = True
        if all(other.is_done for other in self.members):
            for other in self.members:
                other.send({"over": True})

    def _part(self, member: _Member, reason: str = "") -> None:
        """Handle a member's disconnect."""
        self._drop(member)
        member.is_gone = True
        if not self.have_met:
            name = f"process {member.rank}" if member.rank >= 0 else "one of them"
            self._give_up(f"{name} came, and ended before the others were there")
        elif not member.is_done and member.hearsay is None:
            self._lose(member, reason or "was ended from outside or crashed: its connection was closed without a word")

    def _drop(self, member: _Member) -> None:
        self.selector.unregister(member.connection)
        member.connection.close()
        if member in self.strangers:
            self.strangers.remove(member)
        if member in self.members and not self.have_met:
            self.members.remove(member)

    def _lose(self, member: _Member, reason: str) -> None:
        if self.lost is not None or not self.have_met:
            return
        self.lost = {"lost": member.rank, "reason": reason}
        for other in self.members:
            if not other.is_gone:
                other.send(self.lost)

    def _check_liveness(self) -> None:
        now, patience = time.monotonic(), self.patience
        for member in self.members:
            if member.hearsay is not None and now - member.hearsay[0] > _HEARSAY:
                return self._lose(member, member.hearsay[1])
            if not member.is_gone and not member.is_done and now - member.heard > patience.silence:
                return self._lose(
                    member, f"has not answered for {patience.silence:g} s: it is stopped, or its machine is"
                )
            for absent in self._members(member.waits_for):
                late = min(member.waits, now - absent.busy)
                if absent.is_done and late > patience.silence:
                    return self._lose(absent, "has ended its program while others still compute with it")
                if not absent.is_gone and late > patience.computation:
                    return self._lose(
                        absent,
                        f"has not come to what the others compute with it for {patience.computation:g} s; it is at {absent.at}",
                    )
        return None

    def _members(self, ranks: list[int]) -> list[_Member]:
        return [member for member in self.members if member.rank in ranks]


def _waiting(message: Message) -> tuple[float, list[int], str]:
    """How long a process waits, for which others, and where it is."""
    seconds, ranks = message["waits"], message.get("for")
    if type(seconds) not in (int, float) or not math.isfinite(seconds) or not isinstance(ranks, list):
        raise ProtocolError("it waits for nothing that exists")
    return seconds, [rank for rank in ranks if type(rank) is int], str(message.get("at", ""))


def _listed(ranks: list[int]) -> str:
    return ", ".join(map(str, ranks))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]
