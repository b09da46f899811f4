"""``mindspore.mint.distributed.distributed``: the same names under MindSpore's path."""

from mindspore.communication.in_place import *  # noqa: F403
from mindspore.communication.tcp_store import TCPStore as TCPStore
