"""MindSpore's own encryption of MindRecord files: AES-GCM in blocks, each behind its length."""

from __future__ import annotations

import importlib
import os
import struct
from typing import Any, BinaryIO

_MARK = 0x7F3A5ED8  # how a block begins
_BLOCK_BYTES = 64 * 2**20
_TAG_BYTES = 16
_START_BYTES = 16
_USED_START_BYTES = 12  # as many of them as GCM takes


def _package(name: str) -> Any:
    try:
        return importlib.import_module(f"cryptography.{name}")
    except ImportError as error:
        raise ImportError(
            "The encryption 'AES-GCM' of MindRecord files needs the package cryptography: pip install cryptography. Or pass "
            "functions of your own to mindspore.mindrecord.set_enc_mode and set_dec_mode."
        ) from error


def _cipher(key: str, start: bytes, tag: bytes | None = None) -> Any:
    ciphers = _package("hazmat.primitives.ciphers")
    return ciphers.Cipher(ciphers.algorithms.AES(key.encode()), ciphers.modes.GCM(start[:_USED_START_BYTES], tag))


def encrypt_stream(source: BinaryIO, size: int, target: BinaryIO, key: str) -> None:
    """Write ``size`` bytes of a file in encrypted form."""
    while size > 0 and (block := source.read(min(size, _BLOCK_BYTES))):
        size -= len(block)
        start = os.urandom(_START_BYTES)
        encryptor = _cipher(key, start).encryptor()
        content = encryptor.update(block) + encryptor.finalize()
        rest = struct.pack("<I", _START_BYTES) + start + struct.pack("<I", len(content)) + content
        whole = struct.pack("<I", _MARK) + encryptor.tag + struct.pack("<I", len(rest)) + rest
        target.write(struct.pack(">I", len(whole)) + whole)


def decrypt_stream(source: BinaryIO, size: int, target: BinaryIO, key: str) -> None:
    """Write what :func:`encrypt_stream` was given; ``size`` is how much of the file may be read."""
    end = source.tell() + size
    while source.tell() + 4 <= end and (length := struct.unpack(">I", source.read(4))[0]):
        target.write(_opened(source.read(length), length, key))


def _opened(block: bytes, length: int, key: str) -> bytes:
    head = 4 + _TAG_BYTES + 4 + 4 + _START_BYTES + 4
    if len(block) != length or length < head or struct.unpack("<I", block[:4])[0] != _MARK:
        raise RuntimeError("Failed to decrypt data: the file is cut off, or it was not encrypted with 'AES-GCM'.")
    tag, start = block[4 : 4 + _TAG_BYTES], block[head - 4 - _START_BYTES : head - 4]
    decryptor = _cipher(key, start, tag).decryptor()
    try:
        return decryptor.update(block[head:]) + decryptor.finalize()
    except _package("exceptions").InvalidTag:
        raise RuntimeError(
            "Failed to decrypt data, please check if dec_key is the key that the file was written with."
        ) from None
