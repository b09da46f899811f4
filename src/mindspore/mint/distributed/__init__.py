"""Communication between processes by PyTorch's names: results are stored in Tensors that are given.

On a single process, which is a world of size 1, every collective is the identity.

>>> from mindspore import Tensor
>>> from mindspore.mint import distributed
>>> x = Tensor([1.0])
>>> distributed.all_reduce(x)
>>> print(x)
[1.]
"""

from mindspore._utils.documented import claim as _claim
from mindspore.communication import in_place
from mindspore.communication.in_place import *  # noqa: F403

__all__: list[str] = []
__all__ += in_place.__all__

_claim(__name__)
