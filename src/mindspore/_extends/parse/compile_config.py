"""Switches of MindSpore's compiler. XLA compiles here: they are read and set, and nothing depends on them.

>>> from mindspore._extends.parse import compile_config
>>> compile_config.FOR_HALF_UNROLL
''
"""

_values: dict[str, str] = {}


def __getattr__(name: str) -> str:
    """Every switch that was not set is empty."""
    if not name.isupper():
        raise AttributeError(f"module 'mindspore._extends.parse.compile_config' has no attribute '{name}'")
    return _values.get(name, "")
