"""``load_mindir`` and ``save_mindir``: the messages of MINDIR files, which stand with the formats of training."""

from importlib import import_module


def __getattr__(name: str) -> object:
    if name in ("load_mindir", "save_mindir"):
        return getattr(import_module("mindspore.train._formats.mindir"), name)  # a layer above, so only when asked
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
