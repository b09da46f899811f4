"""Encrypted files in MindSpore's form: the plain file in blocks, each with a mark, its sizes and its start value."""

from __future__ import annotations

import functools
import importlib
import os
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from mindspore._utils.checks import check_one_of, check_type
from mindspore._utils.files.atomic_file import Chunk


@functools.cache
def _imported(name: str) -> Any:
    """A module of the library that encrypts, which takes a while to import and few programs need; None without it."""
    try:
        return importlib.import_module(f"cryptography.{name}")
    except ImportError:
        return None


def _ciphers() -> Any:
    return _imported("hazmat.primitives.ciphers")


def _padding() -> Any:
    return _imported("hazmat.primitives.padding")


BLOCK_BYTES = 64 * 2**20
_START_BYTES = 16
_GCM_START_BYTES = 12  # as many of them as GCM uses
_TAG_BYTES = 16
_MARKS = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
_KEY_BYTES = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}


class WrongKey(ValueError):
    """Bytes that the key does not open, or that are not what was written."""


def check_key(owner: str, prefix: str, key: Any, mode: Any) -> None:
    """Check ``enc_key`` and ``enc_mode``, or ``dec_key`` and ``dec_mode``.

    >>> check_key("save_checkpoint", "enc", b"short", "AES-GCM")
    Traceback (most recent call last):
    ...
    ValueError: For 'save_checkpoint', the 'enc_key' must have 16, 24 or 32 bytes for 'AES-GCM', but got 5.
    """
    check_type(owner, f"{prefix}_mode", mode, str, ValueError)
    if key is None:
        return
    if not isinstance(key, bytes):
        raise ValueError(f"For '{owner}', the '{prefix}_key' must be bytes or None, but got {type(key).__name__}.")
    check_one_of(owner, f"{prefix}_mode", mode, tuple(_MARKS))
    allowed = _KEY_BYTES[mode]
    if len(key) not in allowed:
        sizes = "16, 24 or 32" if len(allowed) > 1 else str(allowed[0])
        raise ValueError(f"For '{owner}', the '{prefix}_key' must have {sizes} bytes for '{mode}', but got {len(key)}.")
    if _ciphers() is None:
        raise ImportError(
            f"For '{owner}', '{prefix}_key' needs the package 'cryptography': pip install 'mycelium[encryption]'."
        )


def is_encrypted(data: memoryview) -> bool:
    """Whether a file begins with the mark of encrypted files."""
    return len(data) >= 4 and int.from_bytes(data[:4], "little") in _MARKS.values()


# -- writing ----------------------------------------------------------------------------------------------------------
def encrypted(chunks: Iterable[Chunk], key: bytes, mode: str) -> Iterator[bytes]:
    """The blocks of the encrypted file."""
    for block in _blocks(chunks, BLOCK_BYTES):
        start = os.urandom(_START_BYTES)
        if mode == "AES-GCM":
            encryptor = (
                _ciphers()
                .Cipher(_ciphers().algorithms.AES(key), _ciphers().modes.GCM(start[:_GCM_START_BYTES]))
                .encryptor()
            )
            content = encryptor.update(block) + encryptor.finalize()
            tag = encryptor.tag
        else:
            pad = _padding().PKCS7(_START_BYTES * 8).padder()
            encryptor = _ciphers().Cipher(_algorithm(mode)(key), _ciphers().modes.CBC(start)).encryptor()
            content = encryptor.update(pad.update(block) + pad.finalize()) + encryptor.finalize()
            tag = b""
        size = 4 + _START_BYTES + 4 + len(content)
        yield struct.pack("<I", _MARKS[mode]) + tag + struct.pack("<II", size, _START_BYTES) + start
        yield struct.pack("<I", len(content)) + content


def _blocks(chunks: Iterable[Chunk], size: int) -> Iterator[bytes]:
    held = bytearray()
    for chunk in chunks:
        for start in range(0, len(chunk), size):
            held += chunk[start : start + size]
            while len(held) >= size:
                yield bytes(held[:size])
                del held[:size]
    if held:
        yield bytes(held)


def _algorithm(mode: str) -> Any:
    return _ciphers().algorithms.AES if mode == "AES-CBC" else _ciphers().algorithms.SM4


# -- reading ----------------------------------------------------------------------------------------------------------
def decrypted(data: memoryview, key: bytes, mode: str) -> memoryview:
    """The plain bytes of an encrypted file."""
    plain = bytearray()
    offset = 0
    tag_bytes = _TAG_BYTES if mode == "AES-GCM" else 0
    while offset < len(data):
        mark = int.from_bytes(data[offset : offset + 4], "little")
        if bytes(data[offset : offset + 7]) == b"crc_num" and len(data) - offset == 17:
            break  # MindSpore writes its checksum behind the blocks, where its own reader stumbles
        if mark not in _MARKS.values():
            raise WrongKey("it is not encrypted" if offset == 0 else "a block does not begin as blocks do")
        if mark != _MARKS[mode]:
            written = next(name for name, known in _MARKS.items() if known == mark)
            raise WrongKey(f"it is encrypted with '{written}', not with '{mode}'")
        offset += 4
        tag = bytes(data[offset : offset + tag_bytes])
        offset += tag_bytes
        start, offset = _sized(data, offset + 4)
        content, offset = _sized(data, offset)
        plain += _opened(content, key, mode, bytes(start), tag)
    return memoryview(plain)


def _sized(data: memoryview, offset: int) -> tuple[memoryview, int]:
    size = int.from_bytes(data[offset : offset + 4], "little")
    offset += 4
    if offset + size > len(data):
        raise WrongKey("a block is cut off")
    return data[offset : offset + size], offset + size


def _opened(content: memoryview, key: bytes, mode: str, start: bytes, tag: bytes) -> bytes:
    if len(start) != _START_BYTES or (mode != "AES-GCM" and len(content) % _START_BYTES):
        raise WrongKey("a block has sizes that cannot be")
    try:
        if mode == "AES-GCM":
            decryptor = (
                _ciphers()
                .Cipher(_ciphers().algorithms.AES(key), _ciphers().modes.GCM(start[:_GCM_START_BYTES], tag))
                .decryptor()
            )
            return decryptor.update(content) + decryptor.finalize()
        decryptor = _ciphers().Cipher(_algorithm(mode)(key), _ciphers().modes.CBC(start)).decryptor()
        padded = decryptor.update(content) + decryptor.finalize()
        unpad = _padding().PKCS7(_START_BYTES * 8).unpadder()
        return unpad.update(padded) + unpad.finalize()
    except (_imported("exceptions").InvalidTag, ValueError):
        raise WrongKey("the key does not open it, or it was changed") from None
