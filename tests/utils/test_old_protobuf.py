"""Modules that an old protobuf generated import after MindSpore, as libraries carry them."""

import os
import subprocess
import sys

import pytest

MAKES_DESCRIPTORS = """
import mindspore
from google.protobuf import descriptor
print(descriptor.EnumValueDescriptor(name="NOTHING", index=0, number=0).name)
"""


def _output(**variables):
    environment = {k: v for k, v in os.environ.items() if k != "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"}
    run = subprocess.run(
        [sys.executable, "-c", MAKES_DESCRIPTORS], env=environment | variables, capture_output=True, text=True
    )
    return run.stdout.strip() or run.stderr


def test_descriptors_can_be_made_directly():
    pytest.importorskip("google.protobuf")
    assert _output() == "NOTHING"


def test_what_the_user_has_decided_stays():
    pytest.importorskip("google.protobuf")
    assert "cannot be created directly" in _output(PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION="upb")
