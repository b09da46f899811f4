"""Who does not know the job's secret cannot join, end or disturb the job, whatever it says to the meeting point."""

import contextlib
import datetime
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from mindspore._engine.cluster import coordinator, heartbeat, rendezvous, secret
from mindspore._engine.cluster.coordinator import Coordinator, Timeouts
from mindspore._engine.config import config
from mindspore.communication import tcp_store
from mindspore.communication.tcp_store import TCPStore

PATIENT = Timeouts(meeting=30, silence=30, computation=30)
SECRET = "0123456789abcdef" * 4  # the same in every process that collects tests


def hello(**changes):
    return json.dumps({"rank": 1, "size": 2, "local_rank": 1, "node": "here", "hub": False} | changes)


class Peer:
    """A connection to the meeting point."""

    def __init__(self, hub):
        self.connection = socket.create_connection(hub.listener.getsockname(), timeout=10)
        self.lines = self.connection.makefile("rb")
        self.challenge = self.hear()["challenge"]

    def hear(self):
        return json.loads(self.lines.readline() or "null")

    def say(self, message):
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def prove(self, text, known=SECRET, role="member"):
        proof = secret.proof(known, role, self.challenge, "nonce", text)
        self.say({"hello": text, "challenge": "nonce", "proof": proof})


def join(hub, rank):
    peer = Peer(hub)
    peer.prove(hello(rank=rank, hub=rank == 0))
    return peer


@pytest.fixture(scope="module")
def job():
    """A job of two processes that have met, and go on whatever a test does."""
    hub = Coordinator(socket.create_server(("127.0.0.1", 0)), 2, PATIENT, SECRET)
    hub.start()
    members = [join(hub, 0), join(hub, 1)]
    assert [member.hear()["rank"] for member in members] == [0, 1]
    yield hub, members
    assert_unharmed(hub, members)


def assert_unharmed(hub, members):
    assert hub.is_alive() and hub.lost is None
    for member in members:
        member.connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            member.connection.recv(1, socket.MSG_PEEK)
        member.connection.settimeout(10)


def reset(peer):
    """Close with a reset instead of an end."""
    peer.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


DEEP = b"[" * 60_000
WORDS = {
    "nothing": b"",
    "a request of a browser": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "no JSON": b"{hello}\n",
    "half of a message": b'{"hello": ',
    "a number": b"5\n",
    "a list": b"[1, 2]\n",
    "null": b"null\n",
    "an empty message": b"{}\n",
    "nesting without end": DEEP + b"\n",
    "nested objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"\n",
    "zero bytes": b"\0" * 1000 + b"\n",
    "no text": bytes(range(256)) + b"\n",
    "a line without end": b"x" * 200_000,
    "many empty lines": b"\n" * 1000,
    "the end of a program": b'{"done": true}\n',
    "a failure": b'{"failed": "me", "hearsay": false}\n',
    "hearsay": b'{"failed": "me", "hearsay": true}\n',
    "waiting for all": b'{"waits": 1e9, "for": [0, 1], "at": "x"}\n',
    "an infinite wait": b'{"waits": 1e999, "for": [0], "at": ""}\n',
    "a huge number": b'{"waits": ' + b"9" * 5000 + b"}\n",
    "an old hello": hello().encode() + b"\n",
    "a hello without a proof": json.dumps({"hello": hello(), "challenge": "a"}).encode() + b"\n",
    "a proof that is a number": json.dumps({"hello": hello(), "challenge": "a", "proof": 0}).encode() + b"\n",
    "a proof of nothing": json.dumps({"hello": hello(), "challenge": "a", "proof": ""}).encode() + b"\n",
    "a proof that is no ASCII": json.dumps({"hello": hello(), "challenge": "a", "proof": "ä\ud800"}).encode() + b"\n",
    "a hello that is an object": json.dumps({"hello": {"rank": 0}, "challenge": "a", "proof": "b"}).encode() + b"\n",
    "a challenge that is a list": json.dumps({"hello": hello(), "challenge": [], "proof": "b"}).encode() + b"\n",
}


@pytest.mark.parametrize("ending", ["close", "reset"])
@pytest.mark.parametrize("words", WORDS)
def test_words_of_strangers_change_nothing(job, words, ending):
    hub, _ = job
    stranger = Peer(hub)
    with contextlib.suppress(OSError):  # closed in the middle already
        stranger.connection.sendall(WORDS[words])
    if ending == "reset":
        reset(stranger)
    stranger.lines.close()
    stranger.connection.close()
    assert hub.is_alive() and hub.lost is None


@pytest.mark.parametrize(
    ("known", "role", "answered"),
    [("wrong", "member", None), ("", "member", None), (SECRET, "hub", None), (SECRET[:-1], "member", None)],
)
def test_a_wrong_proof_is_refused_in_words(job, known, role, answered):
    hub, _ = job
    stranger = Peer(hub)
    stranger.prove(hello(), known, role)
    assert stranger.hear()["secret"] is False
    assert stranger.hear() is answered


def test_the_answer_to_one_challenge_does_not_fit_another(job):
    hub, _ = job
    first, second = Peer(hub), Peer(hub)
    assert first.challenge != second.challenge
    second.challenge = first.challenge
    second.prove(hello())
    assert second.hear()["secret"] is False


def test_a_process_of_the_user_that_comes_late_is_refused_and_ends_nothing(job):
    hub, _ = job
    late = join(hub, 1)
    assert "has the number 1 already" in late.hear()["refused"]


@pytest.mark.parametrize(
    "text",
    ["5", "{", hello(rank="1"), hello(size=None), hello(hub=1), hello(rank=True), json.dumps({"rank": 1})],
)
def test_a_damaged_introduction_ends_only_its_connection(job, text):
    hub, _ = job
    peer = Peer(hub)
    peer.prove(text)
    assert peer.hear() is None
    assert hub.is_alive()


def test_hundreds_of_silent_connections_do_not_keep_members_out():
    hub = Coordinator(socket.create_server(("127.0.0.1", 0)), 2, PATIENT, SECRET)
    hub.start()
    silent = [socket.create_connection(hub.listener.getsockname()) for _ in range(400)]
    members = [join(hub, 0), join(hub, 1)]
    assert [member.hear()["rank"] for member in members] == [0, 1]
    assert len(hub.strangers) <= coordinator._MOST_STRANGERS
    for connection in silent:
        connection.close()


def test_a_stranger_that_says_nothing_is_dismissed(monkeypatch):
    monkeypatch.setattr(coordinator, "_HANDSHAKE", 0.1)
    hub = Coordinator(socket.create_server(("127.0.0.1", 0)), 2, PATIENT, SECRET)
    hub.start()
    assert Peer(hub).hear() is None


def test_a_stranger_cannot_take_a_rank_before_the_job_has_met():
    hub = Coordinator(socket.create_server(("127.0.0.1", 0)), 2, PATIENT, SECRET)
    hub.start()
    thief = Peer(hub)
    thief.prove(hello(rank=1), "wrong")
    thief.hear()
    members = [join(hub, 0), join(hub, 1)]
    assert [member.hear()["rank"] for member in members] == [0, 1]


def test_a_member_that_talks_nonsense_is_lost_by_name():
    hub = Coordinator(socket.create_server(("127.0.0.1", 0)), 2, PATIENT, SECRET)
    hub.start()
    first, second = join(hub, 0), join(hub, 1)
    assert [first.hear()["rank"], second.hear()["rank"]] == [0, 1]
    second.connection.sendall(b"nonsense\n")
    lost = first.hear()
    assert lost["lost"] == 1 and "no JSON" in lost["reason"]


def impostor(answers):
    """Something else that listens at the meeting point."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        connection, _ = listener.accept()
        for answer in answers:
            connection.sendall(answer)
            time.sleep(0.05)
        connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()


WELCOME = {"rank": 1, "local_rank": 1, "local_size": 2, "port": 1, "hub": 0, "machines": 1}


@pytest.mark.parametrize(
    "answer",
    [WELCOME, WELCOME | {"proof": "0" * 64}, WELCOME | {"proof": 5}, {"refused": "you", "proof": ""}],
)
def test_a_process_does_not_believe_a_meeting_point_without_the_secret(answer):
    address = impostor([b'{"challenge": "c"}\n', json.dumps(answer).encode() + b"\n"])
    connection = socket.create_connection(address)
    with pytest.raises(coordinator.ProtocolError, match="does not know the secret"):
        heartbeat._introduce(connection, rendezvous.Membership(1, 2, 1, 2), "127.0.0.1", False, 5, SECRET)


@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 400\r\n\r\n", b"x" * 100_000, b"[" * 50_000 + b"\n"])
def test_an_answer_of_something_else_is_an_error_and_no_crash(words):
    connection = socket.create_connection(impostor([words]))
    with pytest.raises((OSError, ValueError)):
        heartbeat._introduce(connection, rendezvous.Membership(1, 2, 1, 2), "127.0.0.1", False, 5, SECRET)


# -- where the secret comes from ----------------------------------------------------------------------------------------
@pytest.fixture
def home(tmp_path, monkeypatch):
    for option, value in (
        (config.job_secret, ""),
        (config.job_secret_file, ""),
        (config.xdg_config_home, str(tmp_path)),
    ):
        monkeypatch.setattr(option, "value", value)
    return tmp_path / "mycelium" / "job-secret"


def test_the_users_secret_is_made_once_and_readable_by_nobody_else(home):
    first = secret.of_user()
    assert len(first) == 64 and secret.of_user() == first == home.read_text()
    assert home.stat().st_mode & 0o777 == 0o600
    assert os.listdir(home.parent) == ["job-secret"]


@pytest.mark.parametrize(("mode", "text"), [(0o644, "x" * 64), (0o620, "x" * 64), (0o600, "short")])
def test_a_secret_that_others_know_is_refused(home, mode, text):
    home.parent.mkdir()
    home.write_text(text)
    home.chmod(mode)
    with pytest.raises(RuntimeError, match="job-secret"):
        secret.of_user()


def test_a_secret_behind_a_link_is_refused(home, tmp_path):
    home.parent.mkdir()
    (tmp_path / "other").write_text("x" * 64)
    home.symlink_to(tmp_path / "other")
    with pytest.raises(OSError):
        secret.of_user()


def test_the_environment_comes_first(home, monkeypatch):
    monkeypatch.setattr(config.job_secret, "value", "given")
    assert secret.of_user() == "given" and not home.exists()


def test_a_meeting_point_on_this_machine_listens_there_alone():
    with heartbeat._listen("127.0.0.1", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
    with heartbeat._listen("localhost", 0) as listener:
        assert listener.getsockname()[0] in ("127.0.0.1", "::1")


@pytest.mark.heavy
def test_jobs_of_one_machine_open_no_other_interface(tmp_path):
    """A real job: everything it listens at, jax's coordinator and Gloo included, is on the loopback interface."""
    program = tmp_path / "program.py"
    program.write_text(
        "import mindspore as ms, numpy as np\n"
        "from mindspore import ops, Tensor\n"
        "from mindspore.communication import init, get_rank\n"
        "init()\n"
        "ops.AllReduce()(Tensor(np.ones(3, np.float32))).asnumpy()\n"
        "import os\n"
        "own = {os.readlink(f'/proc/self/fd/{fd}') for fd in os.listdir('/proc/self/fd') if os.path.islink(f'/proc/self/fd/{fd}')}\n"
        "for table in ('tcp', 'tcp6'):\n"
        "    for line in open(f'/proc/self/net/{table}').read().splitlines()[1:]:\n"
        "        words = line.split()\n"
        "        if words[3] == '0A' and f'socket:[{words[9]}]' in own:\n"
        "            print('LISTENS', words[1].split(':')[0])\n"
    )
    out = subprocess.run(
        [sys.executable, "-m", "mindspore.parallel.cluster.run", "--worker_num=2", "--local_worker_num=2", "--join=True",
         f"--log_dir={tmp_path / 'log'}", str(program)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    text = out.stdout + "".join(path.read_text() for path in (tmp_path / "log").glob("*"))
    found = {line.split()[1] for line in text.splitlines() if line.startswith("LISTENS")}
    assert found and found <= {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}, (
        found
    )


# -- tables that processes share ---------------------------------------------------------------------------------------
@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(secret, "of_user", lambda: "s" * 64)
    store = TCPStore("127.0.0.1", 0, is_master=True, timeout=datetime.timedelta(seconds=5))
    yield store
    store._server.shutdown()
    store._server.server_close()


SET = b'{"action": "set", "key": "name", "value": "AAAA"}\n'


@pytest.mark.parametrize(
    "said", [b"", SET, b"0" * 64 + b"\n" + SET, b"x" * 100_000, b"\n\n", b"\xff\xfe\n" + SET, b"[" * 10_000 + b"\n"]
)
def test_strangers_neither_read_nor_write_a_table(table, said):
    table.set("name", "value")
    with socket.create_connection(("127.0.0.1", table.port), 5) as stranger:
        assert len(stranger.recv(256).strip()) == 64  # a challenge
        with contextlib.suppress(OSError):
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
            assert stranger.recv(256) == b""
    assert table.get("name") == b"value"


def test_a_table_is_for_those_with_the_same_secret(table, monkeypatch):
    kept = TCPStore("127.0.0.1", table.port, timeout=datetime.timedelta(seconds=5))
    kept.set("word", "text")
    with pytest.raises(ValueError, match="does not allow that"):
        kept.add("word", 1)
    monkeypatch.setattr(tcp_store.secret, "agrees", lambda given, expected: False)  # what another secret leads to
    with pytest.raises(RuntimeError, match="knows another secret"):
        kept.get("word")
