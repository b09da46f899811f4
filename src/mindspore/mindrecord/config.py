"""Encryption of MindRecord files: AES-GCM, or functions that the user provides.

>>> from mindspore.mindrecord import set_enc_key
>>> set_enc_key("too short")
Traceback (most recent call last):
...
ValueError: The length of input enc_key is not 16, 24, 32.
>>> set_enc_key(None)
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

from mindspore.mindrecord._aes import decrypt_stream, encrypt_stream
from mindspore.mindrecord._format import ENCRYPTED_END

__all__ = ["set_dec_mode", "set_enc_key", "set_enc_mode"]

_AES = "AES-GCM"
_OWN_FUNCTION = b"UDF-ENC"  # how a file says that it was encrypted by a function of the user
_settings: dict[str, Any] = {"key": None, "encrypt": _AES, "decrypt": None}
_copies: list[tempfile.TemporaryDirectory] = []  # removed when the program ends


def set_enc_key(enc_key: str | None) -> None:
    """Set the key for files written and read from now on; None switches encryption off.

    Examples:
        >>> from mindspore import mindrecord
        >>> mindrecord.set_enc_key("0123456789ABCDEF")
        >>> mindrecord.set_enc_key(None)
    """
    if enc_key is not None and not isinstance(enc_key, str):
        raise ValueError("The input enc_key is not str.")
    if enc_key is not None and len(enc_key) not in (16, 24, 32):
        raise ValueError("The length of input enc_key is not 16, 24, 32.")
    _settings["key"] = enc_key


def encryption_key() -> str | None:
    """The key that is set, or None."""
    return _settings["key"]


def set_enc_mode(enc_mode: str | Callable = _AES) -> None:
    """Set how files are encrypted: 'AES-GCM', or ``function(source_stream, size, target_stream, key)``.

    Examples:
        >>> from mindspore import mindrecord
        >>> mindrecord.set_enc_mode("AES-GCM")
    """
    _settings["encrypt"] = _check_mode("enc_mode", enc_mode)


def set_dec_mode(dec_mode: str | Callable | None = _AES) -> None:
    """Set how files are decrypted, if not by the setting for encryption: 'AES-GCM', or a function of the same signature.

    Examples:
        >>> from mindspore import mindrecord
        >>> mindrecord.set_dec_mode("AES-GCM")
    """
    _settings["decrypt"] = None if dec_mode is None else _check_mode("dec_mode", dec_mode)


def _check_mode(name: str, mode: Any) -> Any:
    if callable(mode):
        return mode
    if not isinstance(mode, str):
        raise ValueError(f"The input {name} is not str.")
    if mode != _AES:
        raise ValueError(f"The input {name} is invalid: it must be '{_AES}' or a function, but got '{mode}'.")
    return mode


def encrypt(path: str) -> None:
    """Encrypt a finished file in place, if a key is set."""
    if _settings["key"] is None:
        return
    mode = _settings["encrypt"]
    function, name = (mode, _OWN_FUNCTION) if callable(mode) else (encrypt_stream, _AES.encode())
    with open(path, "rb") as source, open(f"{path}.encrypt", "wb") as target:
        function(source, os.path.getsize(path), target, _settings["key"])
        target.write(bytes(4) + name + ENCRYPTED_END)
    os.replace(f"{path}.encrypt", path)


def decrypted(path: str) -> str:
    """A readable copy of an encrypted file and its index, in a folder of its own."""
    mode = _settings["decrypt"] if _settings["decrypt"] is not None else _settings["encrypt"]
    function = mode if callable(mode) else decrypt_stream
    folder = tempfile.TemporaryDirectory(prefix="mindrecord_")
    _copies.append(folder)
    copy = os.path.join(folder.name, os.path.basename(path))
    for source_name, target_name in ((path, copy), (f"{path}.db", f"{copy}.db")):
        if not os.path.isfile(source_name):
            raise RuntimeError(f"The input: {source_name} is not exists. Please check the path.")
        with open(source_name, "rb") as source, open(target_name, "wb") as target:
            if not source.read().endswith(ENCRYPTED_END):
                raise RuntimeError(
                    f"The mindrecord file is not encrypted: {source_name}. Call 'mindspore.mindrecord.set_enc_key(None)' to "
                    "read it."
                )
            source.seek(-len(ENCRYPTED_END) - len(_AES), os.SEEK_END)
            if source.read(len(_AES)) == _AES.encode() and callable(mode):
                raise RuntimeError(
                    f"The mindrecord file is encrypted with '{_AES}': {source_name}. Call "
                    f"'mindspore.mindrecord.set_dec_mode('{_AES}')' to read it."
                )
            source.seek(0)
            function(source, os.path.getsize(source_name) - len(ENCRYPTED_END), target, _settings["key"])
    return copy
