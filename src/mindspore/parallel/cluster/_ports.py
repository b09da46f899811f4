"""Ports and addresses of this machine."""

from __future__ import annotations

import random
import socket

_OUT_OF_THE_WAY = range(20000, 30000)  # below those that systems hand out to outgoing connections


def is_free(port: int) -> bool:
    """Whether a process of this machine could listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what an ended job left behind does not count
        try:
            probe.bind(("", port))
        except OSError:
            return False
        return True


def any_free_port() -> int:
    """A free port. Jobs started at the same time get different ports."""
    for port in random.SystemRandom().sample(_OUT_OF_THE_WAY, 200):
        if is_free(port):
            return port
    raise OSError("no free port found between 20000 and 30000.")


def own_address() -> str:
    """An address of this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
