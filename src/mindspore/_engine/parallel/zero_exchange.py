"""Parts of divided states, given to whichever process asks: a checkpoint that one process alone saves needs them all.

Gathering is a computation of all processes, and would wait forever for those that do not save. Instead every process
answers questions for its parts on a thread of its own. What is asked for is a result of a numbered call of a program that
all processes run; the last two calls are kept, and nobody is further ahead (``DividedStates`` waits), so it is there.
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

_KEPT = 2  # calls of each program
_PATIENCE = 120.0  # seconds for a process to reach a call that another one has finished
_TOKEN = 16  # bytes that only processes of this job know
_QUESTION, _ANSWER = struct.Struct("!qqq"), struct.Struct("!q")  # program, call, place; length of what follows


class Exchange:
    """What this process holds of divided states, and how to ask the others."""

    def __init__(self) -> None:
        self.results: dict[tuple[int, int], Sequence[Any]] = {}  # by program and call
        self.changed = threading.Condition()
        self.addresses: dict[int, tuple[str, int]] = {}  # by process
        self.token = b""

    # -- meeting --------------------------------------------------------------------------------------------------------
    def meet(self, ranks: Ranks) -> None:
        """Learn where the others answer; all of these processes do this together."""
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

    # -- keeping and answering ------------------------------------------------------------------------------------------
    def keep(self, program: int, call: int, arrays: Sequence[Any]) -> None:
        """Remember the results of a call, and forget older ones."""
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
                program, call, place = _QUESTION.unpack(asked[_TOKEN:])
                with self.changed:
                    self.changed.wait_for(lambda: (program, call) in self.results, _PATIENCE)
                    arrays = self.results.get((program, call))
                if arrays is None:
                    connection.sendall(_ANSWER.pack(-1))
                    return
                part = np.ascontiguousarray(arrays[place].addressable_data(0))
                connection.sendall(_ANSWER.pack(part.nbytes))
                connection.sendall(part.view(np.uint8).data if part.nbytes else b"")
            except OSError:  # whoever asked is gone
                return

    # -- asking ---------------------------------------------------------------------------------------------------------
    def whole(self, value: Any) -> np.ndarray | None:
        """All of an array of which this process holds a part; None if it is none that was kept."""
        told = self._told(value)
        if told is None:
            return None
        result = np.empty(value.shape, value.dtype)
        own = {shard.device: shard.data for shard in value.addressable_shards}
        for device, index in value.sharding.devices_indices_map(value.shape).items():
            target = result[index]
            part = own.get(device)
            result[index] = self._fetched(device.process_index, told, target) if part is None else np.asarray(part)
        return result

    def _told(self, value: Any) -> tuple[int, int, int] | None:
        for (program, call), arrays in list(self.results.items()):
            for place, one in enumerate(arrays):
                if one is value:
                    return program, call, place
        return None

    def _fetched(self, rank: int, told: tuple[int, int, int], target: np.ndarray) -> np.ndarray:
        try:
            with socket.create_connection(self.addresses[rank], timeout=_PATIENCE) as connection:
                connection.sendall(self.token + _QUESTION.pack(*told))
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
    """The address of this machine for others; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return probe.getsockname()[0]


exchange = Exchange()
mesh.add_part_source(exchange.whole)
