"""MindSpore's own encryption of MindRecord files: AES-GCM in blocks, each behind its length."""

from __future__ import annotations

import struct
from typing import BinaryIO

from mindspore._utils.files import encryption

_MODE = "AES-GCM"


def encrypt_stream(source: BinaryIO, size: int, target: BinaryIO, key: str) -> None:
    """Write ``size`` bytes of a file in encrypted form."""
    encryption.check_key("set_enc_key", "enc", key.encode(), _MODE)
    while size > 0 and (block := source.read(min(size, encryption.BLOCK_BYTES))):
        size -= len(block)
        whole = b"".join(encryption.encrypted([block], key.encode(), _MODE))
        target.write(struct.pack(">I", len(whole)) + whole)


def decrypt_stream(source: BinaryIO, size: int, target: BinaryIO, key: str) -> None:
    """Write what :func:`encrypt_stream` was given; ``size`` is how much of the file may be read."""
    encryption.check_key("set_enc_key", "enc", key.encode(), _MODE)
    end = source.tell() + size
    while source.tell() + 4 <= end and (length := struct.unpack(">I", source.read(4))[0]):
        block = source.read(length)
        try:
            target.write(encryption.decrypted(memoryview(block), key.encode(), _MODE))
        except encryption.WrongKey as error:
            raise RuntimeError(
                f"Failed to decrypt data, please check if dec_key is the key that the file was written with: {error}."
            ) from None
