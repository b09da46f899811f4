"""Names of MindIO's fault tolerance, which belongs to Ascend clusters; each says so when it is used."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from mindspore.nn.wrap._exit_request import ExitByRequest

__all__ = ["ExitByRequest", "RSCPluginHandle", "TFTCommValue", "_tft_handler"]

_INSTEAD = "belongs to the fault tolerance of Ascend clusters. Write checkpoints with ModelCheckpoint, and go on from the last."


def _refuse(name: str) -> NoReturn:
    raise RuntimeError(f"'{name}' {_INSTEAD}")


class RSCPluginHandle:
    """Talks to the scheduler of an Ascend cluster, which is asked for by ``MS_ENABLE_TFT``.

    Examples:
        >>> from mindspore.utils import RSCPluginHandle
        >>> isinstance(RSCPluginHandle(), RSCPluginHandle)
        True
    """

    def __init__(self) -> None:
        self.enable = False

    def check_enable(self) -> bool:
        """Whether there is such a scheduler: there is none."""
        return self.enable

    def register_callback(self, func_map: dict[str, Any]) -> bool:
        """Offer functions to the scheduler; whether it took them."""
        if not isinstance(func_map, dict):
            raise ValueError(f"For 'RSCPluginHandle', the 'func_map' must be a dict, but got {func_map!r}.")
        return False

    def start(self) -> NoReturn:
        """Have the scheduler begin, which only Ascend clusters can."""
        _refuse("RSCPluginHandle.start")


class TFTCommValue:
    """Which switches of ``MS_ENABLE_TFT`` need what.

    Examples:
        >>> from mindspore.utils import TFTCommValue
        >>> isinstance(TFTCommValue, type)
        True
    """

    ENABLE_MINDX: ClassVar[list[str]] = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1", "RSC:1"]
    NEED_MINDIO: ClassVar[list[str]] = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1"]
    DISABLE_WATCHDOG: ClassVar[list[str]] = ["ARF:1", "TSP:1", "HCCE:1"]


class TftHandle:
    """The connection to MindIO. There is none: ``get_tft`` gives None, which is how programs ask."""

    def __init__(self) -> None:
        self.tft = None
        self.enable_mindx = False

    def get_tft(self) -> None:
        """The module of MindIO; None."""
        return None

    def init(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Connect, which only Ascend clusters can."""
        _refuse("_tft_handler.init")

    def unregister_tft(self) -> None:
        """Disconnect: there is nothing to do."""


_tft_handler = TftHandle()
