"""Names of MindIO's fault tolerance, which belongs to Ascend clusters; each says so when it is used."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["ExitByRequest", "RSCPluginHandle", "TFTCommValue", "_tft_handler"]

_INSTEAD = "belongs to the fault tolerance of Ascend clusters. Write checkpoints with ModelCheckpoint, and go on from the last."


def _refuse(name: str) -> NoReturn:
    raise RuntimeError(f"'{name}' {_INSTEAD}")


class ExitByRequest:
    """Ends a training when the cluster asks for it; ``OnRequestExit`` does so on a signal."""

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse("ExitByRequest")


class RSCPluginHandle:
    """Talks to the scheduler of an Ascend cluster."""

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse("RSCPluginHandle")


class TFTCommValue:
    """What processes tell each other before they exit, as numbers."""

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse("TFTCommValue")


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
