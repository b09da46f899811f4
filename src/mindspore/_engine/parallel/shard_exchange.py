"""Point-to-point fetch of shards: whoever looks at a sharded array alone (a checkpoint, ``asnumpy``) asks the others for theirs.

An all-gather is a collective and would block on the processes that do not look. Instead every process serves its shards from
a thread. A shard is addressed by program number, call number, result index and device; numbers are equal on all processes,
which compile and call their common programs in the same order.

Parameters change from call to call, and a peer may be ahead. It keeps the sharded results of a call until those of the next are
ready: that call communicated with everybody, so everybody has begun it and asks for nothing older. A program that does not
communicate by itself is followed by a barrier.
"""

from __future__ import annotations

import functools
import itertools
import re
import secrets
import socket
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jax import lax

from mindspore._engine.base.errors import LostProcess
from mindspore._engine.cluster import process_group
from mindspore._engine.execution import process_program
from mindspore._engine.execution.process_program import Ranks, Together
from mindspore._engine.parallel.shard_service import TOKEN, Peer, serve
from mindspore._engine.runtime import mesh

_numbers = itertools.count()  # program numbers
_COLLECTIVE = re.compile(
    r" (?:all-reduce|all-gather|reduce-scatter|all-to-all)(?:-start)?\(.*?replica_groups=(\{\{[\d,]+\}\}|\{\}|\[1,\d+\])"
)  # with one group of devices


class ResultKey(NamedTuple):
    """Which array: the result of a call."""

    program: int
    call: int
    shard_index: int


class Exchange:
    """The arrays whose shards this process serves, and a client for those of its peers."""

    def __init__(self) -> None:
        self.calls: dict[int, int] = {}  # by program: how often it was called
        self.arrays: weakref.WeakValueDictionary[ResultKey, Any] = weakref.WeakValueDictionary()
        self.keys: dict[int, tuple[weakref.ref, ResultKey]] = {}  # by id of the array
        self.changed = threading.Condition()
        self.peers: dict[int, Peer] = {}  # by rank

    def meet(self, ranks: Ranks) -> None:
        """All-gather the server addresses of these processes; a collective."""
        if set(ranks) <= set(self.peers):
            return
        if not self.peers:
            mesh.shard_sources.append(self.whole)
        address = "127.0.0.1" if process_group.here().local_size == process_group.size() else _own_address()
        listener = socket.create_server((address, 0))
        own = [*socket.inet_aton(address), *divmod(listener.getsockname()[1], 256), *secrets.token_bytes(TOKEN)]
        table = np.asarray(_gathered(ranks)(np.array(own, np.int32))[0])
        token = bytes(table[0, 6:].tolist())
        for rank, numbers in zip(ranks, table, strict=True):
            where = socket.inet_ntoa(bytes(numbers[:4].tolist()))
            self.peers.setdefault(rank, Peer(rank, (where, int(numbers[4]) * 256 + int(numbers[5])), token))
        threading.Thread(target=serve, args=(listener, token, self.shard), name="shards", daemon=True).start()

    # -- server ---------------------------------------------------------------------------------------------------------
    def note(self, program: int, arrays: Sequence[Any]) -> None:
        """The results of the next call of a program: peers may ask for them as long as they live."""
        with self.changed:
            call = self.calls.get(program, 0)
            for index, array in enumerate(arrays):
                key = ResultKey(program, call, index)
                self.arrays[key] = array
                self.keys[id(array)] = (weakref.ref(array, functools.partial(self._forget, id(array))), key)
            self.calls[program] = call + 1
            self.changed.notify_all()

    def _forget(self, number: int, reference: weakref.ref) -> None:
        if self.keys.get(number, (None,))[0] is reference:
            del self.keys[number]

    def shard(self, program: int, call: int, index: int, device: int, patience: float) -> np.ndarray | bool | None:
        """A shard that this process holds; False if the call has not begun in time, None if the array is gone."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.calls.get(program, 0) > call, patience):
                return False
            array = self.arrays.get(ResultKey(program, call, index))
        parts = [] if array is None else [part.data for part in array.addressable_shards if part.device.id == device]
        return np.ascontiguousarray(parts[0]) if parts else None

    # -- client ---------------------------------------------------------------------------------------------------------
    def whole(self, value: Any) -> np.ndarray | None:
        """The full array of which this process holds a shard; None if it is no result of a common program."""
        known = self.keys.get(id(value))
        if known is None:
            return None
        result = np.empty(value.shape, value.dtype)
        held = {shard.device: shard.data for shard in value.addressable_shards}
        by_index = {}  # one of the devices that hold the same shard, if possible one of this process
        for device, index in value.sharding.devices_indices_map(value.shape).items():
            shard_index = str(index)
            if shard_index not in by_index or device in held:
                by_index[shard_index] = (device, index)
        for device, index in by_index.values():
            part = held.get(device)
            result[index] = self._fetched(device, known[1], result[index]) if part is None else np.asarray(part)
        return result

    def _fetched(self, device: Any, key: ResultKey, target: np.ndarray) -> np.ndarray:
        rank = device.process_index
        try:
            part = self.peers[rank].ask((key.program, key.call, key.shard_index, device.id), target)
        except OSError as error:
            raise LostProcess(
                process_group.who_is_lost() or f"Process {rank} did not give its shard of an array: {error}"
            ) from None
        if part is None:
            raise RuntimeError(
                f"An array is sharded over several processes, and process {rank} has let its shard go: it has gone on, or does "
                "not keep this value. Look at the Parameter itself before the next step, or on all processes."
            )
        return part


class KeptShards:
    """The sharded results of one program: the last ones, and those before while a peer may still ask for them."""

    def __init__(self, ranks: Ranks, program: Any = None, devices: int = 0):
        self.number = next(_numbers)
        self.calls: deque[list[Any]] = deque()
        exchange.meet(ranks)
        joins = program is not None and _joins_all(program.as_text(), devices or len(ranks))
        self.barrier = None if joins else _barrier(ranks)

    def begin(self) -> None:
        """Before a call: let go of what no peer asks for any more."""
        while len(self.calls) > 1 and all(array.is_ready() for array in self.calls[1]):
            self.calls.popleft()

    def keep(self, arrays: Sequence[Any]) -> None:
        """After a call."""
        exchange.note(self.number, arrays)
        self.calls.append([*arrays, *(self.barrier(np.int32(1)) if self.barrier else ())])


def _joins_all(text: str, count: int) -> bool:
    """Whether a program communicates among all devices at once, so that none can end it before all have begun it.

    >>> _joins_all("%a = f32[2] all-reduce(%b), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true", 2)
    True
    >>> _joins_all("%a = f32[2] all-gather(%b), channel_id=1, replica_groups=[2,2]<=[4], dimensions={0}", 4)
    False
    """
    return any(
        group == "{}" or group == f"[1,{count}]" or (group.startswith("{{") and group.count(",") == count - 1)
        for group in _COLLECTIVE.findall(text)
    )


@functools.cache
def _gathered(ranks: Ranks) -> Together:
    """An all-gather of rows."""
    row = np.zeros(6 + TOKEN, np.int32)
    traced = process_program.traced(lambda numbers: (lax.all_gather(numbers, process_program.AXIS),), [row], ranks)
    return Together(traced.lower().compile(), ranks)


@functools.cache
def _barrier(ranks: Ranks) -> Together:
    traced = process_program.traced(lambda one: (lax.psum(one, process_program.AXIS),), [np.int32(1)], ranks)
    return Together(traced.lower().compile(), ranks)


def _own_address() -> str:
    """This host's outward address; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        return probe.getsockname()[0]


exchange = Exchange()
