"""Flags of XLA that every program wants on a CPU. XLA reads them from the environment, once, when it first compiles.

What the user names in XLA_FLAGS stays as it is.
"""

from __future__ import annotations

from collections.abc import MutableMapping

_VARIABLE = "XLA_FLAGS"
_FLAGS = (
    # XLA's emitter of tiles stores half vectors and reads whole ones back: simple loops take up to four times as long.
    # (Longer vectors, --xla_cpu_prefer_vector_width=512, would be faster still, but atan is wrong with them.)
    "--xla_backend_extra_options=xla_cpu_disable_tiled_emitter=true",
)


def add_defaults(environment: MutableMapping[str, str]) -> None:
    """Add the flags that the environment does not name."""
    given = environment.get(_VARIABLE, "")
    missing = [flag for flag in _FLAGS if flag.partition("=")[0] not in given]
    if missing and not given.startswith("/"):  # else the name of a file with flags
        environment[_VARIABLE] = " ".join([given, *missing]).strip()
