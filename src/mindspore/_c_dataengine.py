"""``mindspore._c_dataengine``: in MindSpore the compiled part of datasets; here the names of it that programs import.

``LookupOperation`` and its kin are the transforms themselves, which take a sample when they are called; enumerations and
``Vocab`` are those of :mod:`mindspore.dataset`.

>>> from mindspore import _c_dataengine
>>> _c_dataengine.Vocab.from_dict({"a": 1}).tokens_to_ids("a")
1
"""

from importlib import import_module

_MODULES = ("text", "transforms", "vision", "audio")
_SUFFIXES = ("Operation", "Node", "")


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            own = name.removesuffix(suffix) if suffix else name
            if suffix == "Node" and (source := vars(import_module("mindspore.dataset")).get(f"{own}Dataset")):
                return source
            for module in () if suffix == "Node" else _MODULES:  # a layer above, so only when asked
                found = vars(import_module(f"mindspore.dataset.{module}")).get(own)
                if found is not None:
                    return found
    raise AttributeError(
        f"module 'mindspore._c_dataengine' has no attribute '{name}': no transform, source or enumeration is called so."
    )
