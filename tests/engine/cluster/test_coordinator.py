"""The meeting point of a job, asked over real connections by stand-ins for its processes."""

import json
import socket
import time

import pytest

from mindspore._engine.cluster import secret
from mindspore._engine.cluster.coordinator import Coordinator, Timeouts

SOON = Timeouts(meeting=0.6, silence=0.6, computation=1.0)
SECRET = "0123456789abcdef" * 4
PATIENT = Timeouts(meeting=30, silence=30, computation=30)


class Process:
    """Says what a process would say."""

    def __init__(
        self, hub: Coordinator, rank: int, size: int, *, local_rank: int = -1, node: str = "a", is_hub: bool = False
    ):
        self.connection = socket.create_connection(hub.listener.getsockname(), timeout=10)
        self.lines = self.connection.makefile("rb")
        hello = json.dumps({"rank": rank, "size": size, "local_rank": local_rank, "node": node, "hub": is_hub})
        proof = secret.proof(SECRET, "member", self.hear()["challenge"], "mine", hello)
        self.say({"hello": hello, "challenge": "mine", "proof": proof})

    def say(self, message: dict) -> None:
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def hear(self) -> dict:
        return json.loads(self.lines.readline())

    def waits(self, seconds: float, at: str = "") -> None:
        self.say({"waits": seconds, "for": [0, 1] if seconds else [], "at": at})


def hub_of(size: int, patience: Timeouts = PATIENT) -> Coordinator:
    hub = Coordinator(socket.create_server(("127.0.0.1", 0)), size, patience, SECRET)
    hub.start()
    return hub


def met(patience: Timeouts = PATIENT) -> tuple[Process, Process]:
    """Two processes that have met."""
    hub = hub_of(2, patience)
    first, second = Process(hub, 0, 2, is_hub=True), Process(hub, 1, 2)
    assert (first.hear()["rank"], second.hear()["rank"]) == (0, 1)
    return first, second


def test_processes_without_numbers_are_numbered_machine_by_machine():
    hub = hub_of(4)
    told = [("b", 1, False), ("a", 1, True), ("b", 0, False), ("a", 0, False)]
    processes = []
    for node, local_rank, is_hub in told:
        processes.append(Process(hub, -1, 4, local_rank=local_rank, node=node, is_hub=is_hub))
        time.sleep(0.05)
    welcomes = [process.hear() for process in processes]
    assert [one["rank"] for one in welcomes] == [3, 1, 2, 0]
    assert [(one["local_rank"], one["local_size"]) for one in welcomes] == [(1, 2), (1, 2), (0, 2), (0, 2)]
    assert {one["hub"] for one in welcomes} == {1}


def test_a_process_that_does_not_belong_is_refused():
    hub = hub_of(2)
    first = Process(hub, 0, 2, is_hub=True)
    time.sleep(0.1)
    assert "has the number 0 already" in Process(hub, 0, 2).hear()["refused"]
    assert "started for a job of 4 processes, but process 0 for one of 2" in Process(hub, 1, 4).hear()["refused"]
    with socket.create_connection(hub.listener.getsockname()) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n")
        second = Process(hub, 1, 2)
        assert (first.hear()["rank"], second.hear()["rank"]) == (0, 1)


def test_who_is_missing_is_said_when_time_is_up():
    hub = hub_of(4, SOON)
    first = Process(hub, 0, 4, is_hub=True)
    third = Process(hub, 2, 4)
    for process in (first, third):
        assert process.hear()["refused"] == "after 0.6 s process 1, 3 had not come"


def test_a_process_that_is_gone_before_all_have_met_ends_the_meeting():
    hub = hub_of(3)
    first, second = Process(hub, 0, 3, is_hub=True), Process(hub, 1, 3)
    time.sleep(0.1)
    second.lines.close()
    second.connection.close()
    assert first.hear()["refused"] == "process 1 came, and ended before the others were there"


def test_the_reason_a_process_gives_reaches_all():
    first, second = met()
    second.say({"failed": "failed: ValueError: mine", "hearsay": False})
    assert first.hear() == second.hear() == {"lost": 1, "reason": "failed: ValueError: mine"}


def test_what_a_process_knows_from_others_only_is_not_taken_for_the_cause():
    first, second = met()
    first.say({"failed": "failed: LostProcess", "hearsay": True})
    time.sleep(0.1)
    second.lines.close()
    second.connection.close()
    lost = first.hear()
    assert lost["lost"] == 1 and "was ended from outside" in lost["reason"]


def test_all_hear_when_every_program_has_ended():
    first, second = met()
    first.say({"done": True})
    second.say({"done": True})
    assert first.hear() == second.hear() == {"over": True}


@pytest.mark.parametrize(
    ("of_second", "reason"),
    [
        (lambda process: None, "has not answered for 0.6 s: it is stopped, or its machine is"),
        (lambda process: process.say({"done": True}), "has ended its program while others still compute with it"),
        (lambda process: process.waits(0, "train.py:7"), "compute with it for 1 s; it is at train.py:7"),
    ],
)
def test_a_process_that_does_not_come_is_named(of_second, reason):
    first, second = met(SOON)
    first.connection.settimeout(0.1)
    began = time.monotonic()
    while True:
        assert time.monotonic() - began < 5
        first.waits(time.monotonic() - began + 0.01)
        of_second(second)
        try:
            lost = first.hear()
            break
        except OSError:
            first.lines = first.connection.makefile("rb")
    assert lost["lost"] == 1
    assert reason in lost["reason"]


def test_processes_that_compute_for_long_are_left_alone():
    first, second = met(SOON)
    first.connection.settimeout(0.1)
    for _ in range(12):
        first.waits(5)
        second.waits(5)
        with pytest.raises(OSError):
            first.hear()
        first.lines = first.connection.makefile("rb")
