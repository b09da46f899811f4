"""The version is that of the MindSpore API, unless a library asks for another."""

import os

from setuptools import setup

setup(version=os.environ.get("MINDSPORE_SHIM_VERSION") or "2.10.0")
