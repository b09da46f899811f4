"""Single steps of mixed precision: what ``auto_mixed_precision`` does to Cells, for libraries that do it themselves."""

from __future__ import annotations

import functools
from typing import Any

from mindspore._c_expression import amp as strategies
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.autocast import Precision
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.refusals import refused
from mindspore.nn import BatchNorm1d, BatchNorm2d, BatchNorm3d
from mindspore.nn.cell import Cell
from mindspore.nn.cell.precision import set_mixed
from mindspore.nn.wrap.cell_wrapper import WithLossCell
from mindspore.train._amp_lists import operator_names

_LEVELS = {"O0": "AmpO0", "O1": "AmpO1", "O2": "AmpO2", "O3": "AmpO3", "auto": "AmpAuto"}


def checked_list(name: str, value: Any) -> list[type]:
    if not isinstance(value, list):
        raise TypeError(f"The type of {name} should be list, but got {type(value)}")
    for element in value:
        if not isinstance(element, type):
            raise TypeError(f"The element in {name} should be a class, but got {element}")
        if not issubclass(element, (Cell, Primitive)):
            raise TypeError(
                f"The subclass of element in {name} should be one of 'Cell' and 'Primitive', but got {element}"
            )
    return value


def lower_listed(network: Cell, classes: list[type], dtype: dtypes.DType) -> None:
    """Layers and operators of the list run in ``dtype`` and return float32."""
    layers = tuple(kind for kind in classes if issubclass(kind, Cell))
    names = operator_names([kind for kind in classes if not issubclass(kind, Cell)])
    for _, cell in network.cells_and_names():
        if isinstance(cell, layers) and cell._cell_dtype is None:
            set_mixed(cell, dtype, dtypes.float32)
    if network._cell_dtype is None:
        set_mixed(network, None, dtypes.float32, Precision(dtype, names, frozenset(), restore=True))


def lower_all_but(network: Cell, kept: tuple[type, ...], dtype: dtypes.DType) -> None:
    """Everything runs in ``dtype`` but the layers of these classes, which return ``dtype`` too."""
    _lower(network, kept, dtype)
    set_mixed(network, network._cell_dtype, dtypes.float32)


def _lower(cell: Cell, kept: tuple[type, ...], dtype: dtypes.DType) -> None:
    if cell._cell_dtype is not None:  # set by to_float
        return
    if isinstance(cell, kept):
        for _, inner in cell.cells_and_names():
            set_mixed(inner, dtypes.float32)
        set_mixed(cell, dtypes.float32, dtype)
        return
    for child in cell.cells():
        _lower(child, kept, dtype)
    set_mixed(cell, dtype)


# -- what libraries call ----------------------------------------------------------------------------------------------------
def _auto_black_list(network: Cell, black_list: Any, dtype: dtypes.DType) -> Cell:
    """Let everything run in ``dtype`` but layers of these classes; returns the network."""
    _lower(network, tuple(black_list), dtype)
    return network


def _auto_mixed_precision_rewrite(
    network: Cell, dtype: dtypes.DType, *, white_list: Any = None, black_list: Any = None
) -> Cell:
    """Let layers and operators of the white list, or all but those of the black list, run in ``dtype``; returns the network."""
    if (white_list is None) == (black_list is None):
        raise refused(
            ValueError,
            "For '_auto_mixed_precision_rewrite', one of 'white_list' and 'black_list' must be given, not both.",
        )
    if white_list is not None:
        lower_listed(network, checked_list("white_list", list(white_list)), dtype)
    else:
        lower_all_but(network, tuple(checked_list("black_list", list(black_list))), dtype)
    return network


def _do_keep_batchnorm_fp32(network: Cell) -> None:
    """Let batch normalization compute in float32 and return float16, whatever the network around it does."""
    for _, cell in network.cells_and_names():
        if isinstance(cell, (BatchNorm1d, BatchNorm2d, BatchNorm3d)):
            set_mixed(cell, dtypes.float32, dtypes.float16)


class _OutputTo(Cell):
    def __init__(self, backbone: Cell, dtype: dtypes.DType):
        super().__init__(auto_prefix=False)
        self._backbone, self.dtype = backbone, dtype
        set_mixed(self, None, dtype)
        if isinstance(backbone, Cell) and backbone.jit_config_dict:
            self._jit_config_dict = backbone.jit_config_dict

    def construct(self, *inputs: Any) -> Any:
        return self._backbone(*inputs)


class _OutputTo16(_OutputTo):
    """A network whose outputs are of half precision."""

    def __init__(self, backbone: Cell, dtype: dtypes.DType = dtypes.float16):
        super().__init__(backbone, dtype)


class _OutputTo32(_OutputTo):
    """A network whose outputs are float32."""

    def __init__(self, backbone: Cell):
        super().__init__(backbone, dtypes.float32)


def _add_loss_network(network: Cell, loss_fn: Cell, cast_model_type: dtypes.DType | None) -> Cell:
    """The network with its loss, which is computed in float32."""
    low = cast_model_type in (dtypes.float16, dtypes.bfloat16)
    return WithLossCell(_OutputTo32(network) if low else network, loss_fn)


def amp_cast(value: Any, dtype: dtypes.DType) -> Any:
    """A Tensor of floats in another dtype; everything else as it is."""
    return value.astype(dtype) if isinstance(value, Tensor) and value.dtype.is_floating else value


class AmpDecorator:
    """Operators follow a strategy of mixed precision, in a ``with`` block or in the functions this decorates.

    Args:
        amp_level: 'O0', 'O1', 'O2', 'O3' or 'auto', or a member of ``AmpLevel``.
        amp_dtype: float16 or bfloat16.
        white_list, black_list: pairs of a Primitive's name and the positions that are converted; [] for all.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> from mindspore.train.amp import AmpDecorator
        >>> x = Tensor([[1.0]])
        >>> with AmpDecorator("auto", ms.float16, [("MatMul", [])], []):
        ...     print(ops.matmul(x, x).dtype)
        Float16
    """

    def __init__(self, amp_level: Any, amp_dtype: dtypes.DType, white_list: Any, black_list: Any):
        self.amp_level = strategies.AmpLevel[_LEVELS[amp_level]] if isinstance(amp_level, str) else amp_level
        self.amp_dtype, self.white_list, self.black_list = amp_dtype, white_list, black_list

    def __enter__(self) -> AmpDecorator:
        strategies.push_amp_strategy(self.amp_level, self.amp_dtype, self.white_list, self.black_list)
        return self

    def __exit__(self, *_: object) -> None:
        strategies.pop_amp_strategy()

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return wrapper


def _set_amp_decorator(obj: Any, amp_level: Any, amp_dtype: dtypes.DType, white_list: Any, black_list: Any) -> Any:
    """Let a network's ``construct``, or a function, follow a strategy; returns it."""
    decorate = AmpDecorator(amp_level, amp_dtype, white_list, black_list)
    if not isinstance(obj, Cell):
        return decorate(obj)
    obj.construct = decorate(obj.construct)
    return obj
