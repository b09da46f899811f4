"""``mindspore.ops._utils``: what Primitive classes check and convert their arguments with."""

from mindspore.ops._utils.utils import _parse_tcp_url_for_ipv4 as _parse_tcp_url_for_ipv4
from mindspore.ops._utils.utils import get_broadcast_shape as get_broadcast_shape
from mindspore.ops._utils.utils import get_concat_offset as get_concat_offset
