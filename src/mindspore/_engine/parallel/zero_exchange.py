"""Point-to-point fetch of state shards: a checkpoint that a single process saves needs the shards of all.

An all-gather is a collective and would block on the processes that do not save. Instead every process serves its shards from
a thread. A shard is addressed by program id, call number and result index; the results of the last two calls are kept, and
``DividedStates`` bounds how far a process runs ahead, so the addressed result exists.
"""

from __future__ import annotations

import secrets
import socket
import struct
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax import lax

from mindspore._engine.base.errors import LostProcess
from mindspore._engine.cluster import process_group
from mindspore._engine.execution import process_program
from mindspore._engine.execution.process_program import Ranks, Together
from mindspore._engine.runtime import mesh

_KEPT = 2  # results kept per program, in calls
_PATIENCE = 120.0  # seconds for a process to reach a call that a peer has finished
_TOKEN = 16  # bytes of the shared secret that authenticates requests
_QUESTION, _ANSWER = (
    struct.Struct("!qqq"),
    struct.Struct("!q"),
)  # request: program, call, index; response: payload length


class Exchange:
    """The state shards this process serves, and a client for those of its peers."""

    def __init__(self) -> None:
        self.results: dict[tuple[int, int], Sequence[Any]] = {}  # (program, call) -> sharded results
        self.changed = threading.Condition()
        self.addresses: dict[int, tuple[str, int]] = {}  # rank -> (host, port)
        self.token = b""

    # -- rendezvous -----------------------------------------------------------------------------------------------------
    def meet(self, ranks: Ranks) -> None:
        """All-gather the server addresses of these processes; a collective."""
        if set(ranks) <= set(self.addresses):
            return
        alone = process_group.here().local_size == process_group.size()
        listener = socket.create_server(("127.0.0.1" if alone else "", 0))
        address = "127.0.0.1" if alone else _own_address()
        own = [*socket.inet_aton(address), *divmod(listener.getsockname()[1], 256), *secrets.token_bytes(_TOKEN)]
        row = np.array(own, np.int32)

        def function(numbers: Any) -> tuple:
            return (lax.all_gather(numbers, process_program.AXIS),)

        program = Together(process_program.traced(function, [row], ranks).lower().compile(), ranks)
        table = np.asarray(program(row)[0])
        for rank, numbers in zip(ranks, table, strict=True):
            where = socket.inet_ntoa(bytes(numbers[:4].tolist()))
            self.addresses[rank] = (where, int(numbers[4]) * 256 + int(numbers[5]))
        self.token = bytes(table[0, 6:].tolist())
        threading.Thread(target=self._serve, args=(listener,), name="parts of states", daemon=True).start()

    # -- server ---------------------------------------------------------------------------------------------------------
    def keep(self, program: int, call: int, arrays: Sequence[Any]) -> None:
        """Keep the results of a call for peers, and free older ones."""
        with self.changed:
            self.results[program, call] = arrays
            self.results.pop((program, call - _KEPT), None)
            self.changed.notify_all()

    def _serve(self, listener: socket.socket) -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(_PATIENCE)
            try:
                asked = _received(connection, _TOKEN + _QUESTION.size)
                if not secrets.compare_digest(asked[:_TOKEN], self.token):
                    return
                program, call, index = _QUESTION.unpack(asked[_TOKEN:])
                with self.changed:
                    self.changed.wait_for(lambda: (program, call) in self.results, _PATIENCE)
                    arrays = self.results.get((program, call))
                if arrays is None:
                    connection.sendall(_ANSWER.pack(-1))
                    return
                part = np.ascontiguousarray(arrays[index].addressable_data(0))
                connection.sendall(_ANSWER.pack(part.nbytes))
                connection.sendall(part.view(np.uint8).data if part.nbytes else b"")
            except OSError:  # the client disconnected
                return

    # -- client ---------------------------------------------------------------------------------------------------------
    def whole(self, value: Any) -> np.ndarray | None:
        """The full array of which this process holds a shard; None if it is not one of the kept results."""
        key = self._key_of(value)
        if key is None:
            return None
        result = np.empty(value.shape, value.dtype)
        local = {shard.device: shard.data for shard in value.addressable_shards}
        for device, index in value.sharding.devices_indices_map(value.shape).items():
            target = result[index]
            part = local.get(device)
            result[index] = self._fetched(device.process_index, key, target) if part is None else np.asarray(part)
        return result

    def _key_of(self, value: Any) -> tuple[int, int, int] | None:
        for (program, call), arrays in list(self.results.items()):
            for index, array in enumerate(arrays):
                if array is value:
                    return program, call, index
        return None

    def _fetched(self, rank: int, key: tuple[int, int, int], target: np.ndarray) -> np.ndarray:
        try:
            with socket.create_connection(self.addresses[rank], timeout=_PATIENCE) as connection:
                connection.sendall(self.token + _QUESTION.pack(*key))
                (length,) = _ANSWER.unpack(_received(connection, _ANSWER.size))
                if length != target.nbytes:
                    raise OSError(f"it has no part of {target.nbytes} bytes")
                return np.frombuffer(_received(connection, length), target.dtype).reshape(target.shape)
        except OSError as error:
            raise LostProcess(f"Process {rank} did not give its part of a divided state: {error}") from None


def _received(connection: socket.socket, length: int) -> bytes:
    chunks = bytearray()
    while len(chunks) < length:
        chunk = connection.recv(min(1 << 20, length - len(chunks)))
        if not chunk:
            raise OSError("the connection was closed")
        chunks += chunk
    return bytes(chunks)


def _own_address() -> str:
    """This host's outward address; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return probe.getsockname()[0]


exchange = Exchange()
mesh.add_shard_source(exchange.whole)
