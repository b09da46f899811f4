"""Operator families: importing this package declares every operator."""

from mindspore._ops import composite as composite
from mindspore._ops import printing as printing
from mindspore._ops import state as state
from mindspore._ops import values as values
