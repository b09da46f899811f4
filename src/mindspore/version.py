"""``mindspore.version``: the MindSpore whose API this is; programs compare it."""

__version__ = "2.10.0"
