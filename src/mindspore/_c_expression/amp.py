"""``mindspore._c_expression.amp``: strategies of automatic mixed precision, which operators follow while one is pushed."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from mindspore._engine.base.dtype import DType, float32
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.autocast import AllBut, Precision, operator_names
from mindspore._utils.checks import check_type

__all__ = [
    "AmpLevel", "AmpStrategy", "AutoPromoteList", "PrimCastStrategy", "PrimCastStrategyInfo", "SetDtypeList",
    "SetDtypeOptList", "create_amp_strategy", "get_curr_amp_strategy", "get_prim_cast_strategy_info", "pop_amp_strategy",
    "push_amp_strategy",
]  # fmt: skip

PrimArgument = tuple[str, list[int]]  # a Primitive's name and the positions that are converted; [] for all
SetDtypeList: list[PrimArgument] = []
SetDtypeOptList: list[PrimArgument] = []
AutoPromoteList: list[PrimArgument] = [
    (name, [])
    for name in ("Addcdiv", "Addcmul", "Cross", "_PyboostCrossPrim", "GridSampler2D", "GridSampler3D", "BiasAdd", "AddN", "Dot", "Concat")
]  # fmt: skip


class AmpLevel(enum.IntEnum):
    """How much runs in half precision."""

    AmpO0, AmpO1, AmpO2, AmpO3, AmpAuto = range(5)


class PrimCastStrategy(enum.IntEnum):
    """What happens to the inputs of an operator."""

    AmpIgnore, AmpDoCast, AmpSetDtype, AmpSetDtypeOpt, AmpAutoPromote = range(5)


class PrimCastStrategyInfo(NamedTuple):
    """What happens to the inputs of one operator: which way, in which dtype, at which positions (all if none is given)."""

    strategy: PrimCastStrategy
    dtype: DType
    arg_pos: list[int]


class AmpStrategy:
    """A level, a dtype, and the operators that run in it and in float32."""

    def __init__(self, level: AmpLevel, dtype: DType, white: list[PrimArgument], black: list[PrimArgument]):
        self._level, self._dtype, self._white, self._black = level, dtype, white, black

    def get_amp_level(self) -> AmpLevel:
        return self._level

    def get_amp_dtype(self) -> DType:
        return self._dtype

    def get_white_list(self) -> list[PrimArgument]:
        return self._white

    def get_black_list(self) -> list[PrimArgument]:
        return self._black

    def precision(self) -> Precision | None:
        """What dispatch looks at; None at O0, where nothing is converted."""
        white, black = (operator_names([name for name, _ in listed]) for listed in (self._white, self._black))
        if self._level == AmpLevel.AmpO0:
            return None
        if self._level == AmpLevel.AmpO2:
            return Precision(self._dtype, AllBut(black), black, restore=False)
        if self._level == AmpLevel.AmpO3:
            return Precision(self._dtype, AllBut(frozenset()), frozenset(), restore=False)
        full = black if self._level == AmpLevel.AmpAuto else frozenset()
        return Precision(self._dtype, white, full, restore=False)


_stack: list[tuple[AmpStrategy, Precision | None]] = []  # what is pushed, with what dispatch looked at before


def create_amp_strategy(amp_level: AmpLevel, amp_dtype: DType, white_list: Sequence[PrimArgument],
                        black_list: Sequence[PrimArgument]) -> AmpStrategy:  # fmt: skip
    """A strategy; ``push_amp_strategy`` with the same arguments puts it into effect.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore._c_expression import amp
        >>> strategy = amp.create_amp_strategy(amp.AmpLevel.AmpAuto, ms.float16, [("MatMul", [])], [("Exp", [])])
        >>> amp.get_prim_cast_strategy_info(strategy, "Exp").dtype
        mindspore.float32
    """
    check_type("create_amp_strategy", "amp_level", amp_level, AmpLevel)
    check_type("create_amp_strategy", "amp_dtype", amp_dtype, DType)
    return AmpStrategy(amp_level, amp_dtype, list(white_list), list(black_list))


def push_amp_strategy(amp_level: AmpLevel, amp_dtype: DType, white_list: Sequence[PrimArgument],
                      black_list: Sequence[PrimArgument]) -> None:  # fmt: skip
    """Let operators follow a strategy until it is popped.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> from mindspore._c_expression import amp
        >>> x = Tensor([[1.0]])
        >>> amp.push_amp_strategy(amp.AmpLevel.AmpAuto, ms.float16, [("MatMul", [])], [])
        >>> dtype = ops.matmul(x, x).dtype
        >>> amp.pop_amp_strategy()
        >>> dtype, ops.matmul(x, x).dtype
        (mindspore.float16, mindspore.float32)
    """
    strategy = create_amp_strategy(amp_level, amp_dtype, white_list, black_list)
    _stack.append((strategy, state.precision))
    state.precision = strategy.precision()


def pop_amp_strategy() -> None:
    """Go back to the strategy before the last one pushed."""
    if _stack:
        _, state.precision = _stack.pop()


def get_curr_amp_strategy() -> AmpStrategy | None:
    """The strategy in effect; None if none is."""
    return _stack[-1][0] if _stack else None


def get_prim_cast_strategy_info(strategy: AmpStrategy, prim_name: str) -> PrimCastStrategyInfo:
    """What a strategy does to the inputs of an operator."""
    level, white, black = strategy.get_amp_level(), dict(strategy.get_white_list()), dict(strategy.get_black_list())
    if prim_name in white and level in (AmpLevel.AmpO1, AmpLevel.AmpAuto):
        return PrimCastStrategyInfo(PrimCastStrategy.AmpDoCast, strategy.get_amp_dtype(), white[prim_name])
    if prim_name in black and level in (AmpLevel.AmpO2, AmpLevel.AmpAuto):
        return PrimCastStrategyInfo(PrimCastStrategy.AmpDoCast, float32, black[prim_name])
    if level in (AmpLevel.AmpO2, AmpLevel.AmpO3):
        return PrimCastStrategyInfo(PrimCastStrategy.AmpDoCast, strategy.get_amp_dtype(), [])
    promoted = level == AmpLevel.AmpAuto and prim_name in dict(AutoPromoteList)
    return PrimCastStrategyInfo(
        PrimCastStrategy.AmpAutoPromote if promoted else PrimCastStrategy.AmpIgnore, float32, []
    )
