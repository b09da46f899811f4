"""Encrypted files of graphs: the whole file under a key, with what is needed to open it in front."""

from __future__ import annotations

import importlib
import os
from typing import Any

MARK = b"\x89MYCELIUM-LOCKED\n"
MODES = {"AES-GCM": b"G", "AES-CBC": b"C"}
_SALT_BYTES = 16


class WrongKey(ValueError):
    """The key or the mode does not open the file."""


def check_key(owner: str, key: Any, mode: Any) -> None:
    """Refuse a key or mode that cannot encrypt, before any work is done."""
    words = ("enc_key", "enc_mode") if owner == "export" else ("dec_key", "dec_mode")
    if not isinstance(key, bytes) or len(key) not in (16, 24, 32):
        shown = f"{len(key)} bytes" if isinstance(key, bytes) else type(key).__name__
        raise ValueError(f"For '{owner}', the '{words[0]}' must be 16, 24 or 32 bytes, but got {shown}.")
    if mode not in MODES:
        more = " SM4-CBC is not offered here; use AES-GCM." if mode == "SM4-CBC" else ""
        raise ValueError(f"For '{owner}', the '{words[1]}' must be one of {list(MODES)}, but got {mode!r}.{more}")


def lock(data: bytes, key: bytes, mode: str) -> bytes:
    """The data under a key."""
    ciphers = _cryptography("export")
    salt = os.urandom(_SALT_BYTES)
    if mode == "AES-GCM":
        body = ciphers.aead.AESGCM(key).encrypt(salt, data, MARK)
    else:
        padding = 16 - len(data) % 16
        encryptor = _cbc(ciphers, key, salt).encryptor()
        body = encryptor.update(data + bytes([padding]) * padding) + encryptor.finalize()
    return MARK + MODES[mode] + salt + body


def is_locked(data: bytes) -> bool:
    return data.startswith(MARK)


def unlock(data: bytes, key: bytes, mode: str) -> bytes:
    """The data that :func:`lock` was given."""
    start = len(MARK) + 1 + _SALT_BYTES
    kind, salt, body = data[len(MARK) : len(MARK) + 1], data[len(MARK) + 1 : start], data[start:]
    if kind != MODES[mode]:
        written = next((name for name, letter in MODES.items() if letter == kind), "another mode")
        raise WrongKey(f"it was encrypted with {written}, but dec_mode is {mode}")
    ciphers = _cryptography("load")
    try:
        if mode == "AES-GCM":
            return ciphers.aead.AESGCM(key).decrypt(salt, body, MARK)
        decryptor = _cbc(ciphers, key, salt).decryptor()
        padded = decryptor.update(body) + decryptor.finalize()
    except Exception:  # the library's own kinds differ by mode and say no more than this
        raise WrongKey("the 'dec_key' is not the key it was encrypted with, or the file is damaged") from None
    if not padded or not 1 <= padded[-1] <= 16:
        raise WrongKey("the 'dec_key' is not the key it was encrypted with, or the file is damaged")
    return padded[: -padded[-1]]


def _cbc(ciphers: Any, key: bytes, salt: bytes) -> Any:
    return ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.CBC(salt))


def _cryptography(owner: str) -> Any:
    try:
        importlib.import_module("cryptography.hazmat.primitives.ciphers.aead")
        return importlib.import_module("cryptography.hazmat.primitives.ciphers")
    except ImportError:
        raise ImportError(
            f"For '{owner}', encryption needs the package 'cryptography'. Install it: pip install mycelium[encryption]"
        ) from None
