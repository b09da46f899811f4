"""Modules that an old protobuf generated, made importable as MindSpore does it: by the implementation of protobuf in Python.

Libraries carry such modules (mindinsight, mindformers, mindarmour); protobuf from version 4 on refuses them in its faster
implementation: "Descriptors cannot be created directly". Mycelium itself does not use protobuf.
"""

from __future__ import annotations

import os

_VARIABLE = "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"


def install() -> None:
    """Let protobuf take them, unless the user or another library has decided."""
    os.environ.setdefault(_VARIABLE, "python")
