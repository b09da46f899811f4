"""Mixed precision: networks that compute in float16 or bfloat16 where it is safe.

Parameters stay as they are stored; a layer converts them, and its inputs, when it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.autocast import Precision
from mindspore._utils.checks import check_bool, check_one_of, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.cell.precision import set_mixed
from mindspore.nn.wrap.cell_wrapper import TrainOneStepCell, WithLossCell
from mindspore.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell
from mindspore.train._amp_lists import AMP_PRIM_ARG_TABLE as AMP_PRIM_ARG_TABLE
from mindspore.train._amp_lists import BLACK_LIST, WHITE_LIST, auto_list, auto_names
from mindspore.train._amp_lists import BLACK_LIST as AMP_BLACK_LIST  # noqa: F401 - libraries read and change it
from mindspore.train._amp_lists import WHITE_LIST as AMP_WHITE_LIST  # noqa: F401
from mindspore.train._amp_steps import (  # noqa: F401 - single steps, for libraries
    AmpDecorator,
    _add_loss_network,
    _auto_black_list,
    _auto_mixed_precision_rewrite,
    _do_keep_batchnorm_fp32,
    _OutputTo16,
    _OutputTo32,
    _set_amp_decorator,
    amp_cast,
    checked_list,
    lower_all_but,
    lower_listed,
)
from mindspore.train.loss_scale_manager import DynamicLossScaleManager, LossScaleManager

__all__ = [
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]

LEVELS = ("O0", "O1", "O2", "O3", "auto")
BOOST_LEVELS = ("O0", "O1", "O2")
_LOW_TYPES = (dtypes.float16, dtypes.bfloat16)
_BY_LEVEL = DynamicLossScaleManager()  # stands for a manager of its own for each network
_config_level: dict[
    str, dict[str, Any]
] = {  # what build_train_network takes from the level; libraries read and change it
    "O0": {"keep_batchnorm_fp32": False, "cast_model_type": dtypes.float32, "loss_scale_manager": None},
    "O1": {"keep_batchnorm_fp32": False, "cast_model_type": dtypes.float32, "loss_scale_manager": None},
    "O2": {"keep_batchnorm_fp32": True, "cast_model_type": dtypes.float16, "loss_scale_manager": _BY_LEVEL},
    "O3": {"keep_batchnorm_fp32": False, "cast_model_type": dtypes.float16, "loss_scale_manager": None},
    "auto": {"keep_batchnorm_fp32": False, "cast_model_type": dtypes.float32, "loss_scale_manager": None},
}

_INNER_AMP_BLACK_LIST: list[type] = []  # what libraries add is kept in float32 at level O2


def get_white_list() -> list[type]:
    """A copy of the list of layers and operators that level O1 runs in half precision.

    Examples:
        >>> from mindspore import amp, nn
        >>> nn.Dense in amp.get_white_list()
        True
    """
    return list(WHITE_LIST)


def get_black_list() -> list[type]:
    """A copy of the list of layers that level O2 keeps in float32.

    Examples:
        >>> from mindspore import amp, nn
        >>> nn.LayerNorm in amp.get_black_list()
        True
    """
    return list(BLACK_LIST)


def auto_mixed_precision(network: Cell, amp_level: str = "O0", dtype: dtypes.DType = dtypes.float16) -> Cell:
    """Let a network compute in half precision; returns the network, whose outputs are float32.

    Args:
        amp_level: how much of it:

            - 'O0': nothing changes.
            - 'O1': the layers and operators of :func:`get_white_list`; everything else in float32.
            - 'O2': everything but the layers of :func:`get_black_list`.
            - 'O3': everything.
            - 'auto': operator by operator: matrix products and convolutions in half precision, those that lose accuracy
              (exponentials, norms, losses) in float32, all others in what they are given.
        dtype: float16 or bfloat16.

    Layers on which ``to_float`` was called keep that dtype.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, amp, nn
        >>> net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 3), nn.ReLU()), "O3")
        >>> net(Tensor([[1.0, 2.0]])).dtype, net[0](Tensor([[1.0, 2.0]])).dtype, net[0].weight.dtype
        (mindspore.float32, mindspore.float16, mindspore.float32)
    """
    if not isinstance(network, Cell):
        raise TypeError(f"For amp_level '{amp_level}', the network type should be Cell, but got {shown(network)}.")
    if amp_level not in LEVELS:
        raise ValueError(f"The amp level {amp_level} is not supported; it must be one of {list(LEVELS)}.")
    _check_dtype(dtype)
    if amp_level == "O1":
        lower_listed(network, WHITE_LIST, dtype)
    elif amp_level == "O2":
        lower_all_but(network, (*BLACK_LIST, *_INNER_AMP_BLACK_LIST), dtype)
    elif amp_level == "O3":
        lower_all_but(network, (), dtype)
    elif amp_level == "auto":
        set_mixed(network, None, dtypes.float32, Precision(dtype, *auto_names(), restore=False))
    return network


def custom_mixed_precision(
    network: Cell,
    *,
    white_list: list[type] | None = None,
    black_list: list[type] | None = None,
    dtype: dtypes.DType = dtypes.float16,
) -> Cell:
    """Mixed precision with a custom list; returns the network, whose outputs are float32.

    Args:
        white_list: layers and Primitive classes that run in half precision.
        black_list: layers that stay in float32 while everything else runs in half precision.
        dtype: float16 or bfloat16.

    Examples:
        >>> from mindspore import Tensor, amp, nn
        >>> net = amp.custom_mixed_precision(nn.SequentialCell(nn.Dense(2, 3), nn.Softmax()), white_list=[nn.Dense])
        >>> net(Tensor([[1.0, 2.0]])).dtype
        mindspore.float32
    """
    if not isinstance(network, Cell):
        raise TypeError(f"The network type should be Cell, but got {shown(network)}.")
    if white_list is None and black_list is None:
        raise ValueError("For custom_mixed_precision, one of white_list and black_list must be provided.")
    if white_list is not None and black_list is not None:
        raise ValueError(
            "For custom_mixed_precision, the white_list or black_list cannot be provided at the same time, please provide "
            "one or the other."
        )
    _check_dtype(dtype)
    if white_list is not None:
        lower_listed(network, checked_list("white_list", white_list), dtype)
    else:
        lower_all_but(network, tuple(checked_list("black_list", black_list)), dtype)
    return network


def build_train_network(
    network: Cell,
    optimizer: Cell,
    loss_fn: Cell | None = None,
    level: str = "O0",
    boost_level: str = "O0",
    **kwargs: Any,
) -> Cell:
    """The network with loss, optimizer, mixed precision and loss scale: one training step per call.

    Args:
        loss_fn: the loss; None when the network computes it itself.
        level: see :func:`auto_mixed_precision`.
        boost_level: kept for old programs.
        cast_model_type: float16 or float32 instead of what the level says.
        keep_batchnorm_fp32: whether normalization stays in float32, instead of what the level says.
        loss_scale_manager: how the loss is scaled. Level O2 takes a DynamicLossScaleManager by default.

    Examples:
        >>> from mindspore import Tensor, amp, nn
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> step = amp.build_train_network(
        ...     net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), level="O2",
        ...     loss_scale_manager=amp.FixedLossScaleManager(1024.0))
        >>> loss, overflow, scale = step(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
        >>> print(loss, overflow, scale)
        9.0 False 1024.0
    """
    check_one_of("build_train_network", "level", level, LEVELS)
    check_one_of("build_train_network", "boost_level", boost_level, BOOST_LEVELS)
    if loss_fn is not None and not callable(loss_fn):
        raise refused(
            WrongObject, f"For 'build_train_network', the 'loss_fn' must be a Cell, but got {shown(loss_fn)}."
        )
    options = _options(level, kwargs)
    if options["cast_model_type"] is not None:
        lower_all_but(network, tuple(BLACK_LIST) if options["keep_batchnorm_fp32"] else (), options["cast_model_type"])
    elif level in ("O1", "auto"):
        auto_mixed_precision(network, level)
    if loss_fn is not None:
        network = WithLossCell(network, loss_fn)
    manager: LossScaleManager | None = options["loss_scale_manager"]
    if manager is None:
        return TrainOneStepCell(network, optimizer).set_train()
    update_cell = manager.get_update_cell()
    if update_cell is None:
        return TrainOneStepCell(network, optimizer, manager.get_loss_scale()).set_train()
    return TrainOneStepWithLossScaleCell(network, optimizer, scale_sense=update_cell).set_train()


def _options(level: str, given: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = dict(_config_level[level])
    for name in given:
        if name not in options:
            raise ValueError(f"Unsupported arg '{name}'; 'build_train_network' takes {list(options)}.")
    if options["loss_scale_manager"] is _BY_LEVEL:
        options["loss_scale_manager"] = None if "loss_scale_manager" in given else DynamicLossScaleManager()
    options.update({name: value for name, value in given.items() if value is not None})
    check_bool("build_train_network", "keep_batchnorm_fp32", options["keep_batchnorm_fp32"])
    if options["cast_model_type"] == dtypes.float32:
        options["cast_model_type"] = None
    elif options["cast_model_type"] is not None:
        _check_dtype(options["cast_model_type"])
    manager = options["loss_scale_manager"]
    if manager is not None and not isinstance(manager, LossScaleManager):
        raise refused(
            TypeError,
            f"For 'build_train_network', the 'loss_scale_manager' must be a LossScaleManager, but got {shown(manager)}.",
        )
    return options


def _check_dtype(dtype: Any) -> None:
    if dtype not in _LOW_TYPES:
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}.")


if not TYPE_CHECKING:  # to a type checker an unknown name stays an error

    def __getattr__(name: str) -> object:
        return auto_list(__name__, name)
