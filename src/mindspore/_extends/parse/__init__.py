"""``mindspore._extends.parse``: what the compiler of Python code makes of names; here Python itself and the operators."""

from mindspore._extends.parse import compile_config, standard_method, trope

__all__ = ["compile_config", "standard_method", "trope"]
