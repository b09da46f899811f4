"""Encrypted checkpoints in MindSpore's form. real_checkpoints.json holds files that real MindSpore 2.10 wrote."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore._utils.files import encryption

KEY = b"0123456789abcdef"
MODES = ["AES-GCM", "AES-CBC", "SM4-CBC"]
REAL = json.loads((Path(__file__).resolve().parents[1] / "data" / "real_checkpoints.json").read_text())


def values():
    return [{"name": "x", "data": Tensor(np.arange(60, dtype=np.float32))}, {"name": "n", "data": Tensor(3)}]


class TestEncryption:
    @pytest.mark.parametrize("kind", [*MODES, "AES-GCM with crc_check"])
    def test_files_of_real_mindspore_are_opened(self, tmp_path, kind):
        (tmp_path / "real.ckpt").write_bytes(base64.b64decode(REAL[kind]))
        loaded = ms.load_checkpoint(str(tmp_path / "real.ckpt"), dec_key=KEY, dec_mode=kind.split(" ")[0])
        assert loaded["x"].asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]] and loaded["b"].dtype == ms.bfloat16

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("crc_check", [False, True])
    def test_what_was_encrypted_comes_back(self, tmp_path, mode, crc_check, monkeypatch):
        monkeypatch.setattr(encryption, "BLOCK_BYTES", 50)
        path = str(tmp_path / "secret.ckpt")
        ms.save_checkpoint(values(), path, enc_key=KEY, enc_mode=mode, crc_check=crc_check)
        content = Path(path).read_bytes()
        marks = content.count(encryption._MARKS[mode].to_bytes(4, "little"))
        assert b"Float32" not in content and marks == -(-(len(b"".join(plain(tmp_path, crc_check)))) // 50)
        loaded = ms.load_checkpoint(path, dec_key=KEY, dec_mode=mode, crc_check=crc_check)
        assert np.array_equal(loaded["x"].asnumpy(), np.arange(60)) and loaded["n"].asnumpy() == 3

    @pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC"])
    @pytest.mark.parametrize("size", [16, 24, 32])
    def test_keys_of_every_size(self, tmp_path, mode, size):
        path = str(tmp_path / "secret.ckpt")
        ms.save_checkpoint(values(), path, enc_key=b"k" * size, enc_mode=mode)
        assert ms.load_checkpoint(path, dec_key=b"k" * size, dec_mode=mode)["n"].asnumpy() == 3

    @pytest.mark.parametrize(
        ("options", "reason"),
        [
            ({}, "it is encrypted"),
            ({"dec_key": b"x" * 16}, "key does not open"),
            ({"dec_key": KEY, "dec_mode": "AES-CBC"}, "encrypted with 'AES-GCM', not with 'AES-CBC'"),
        ],
    )
    def test_the_wrong_key_or_mode_is_told(self, tmp_path, options, reason):
        path = str(tmp_path / "secret.ckpt")
        ms.save_checkpoint(values(), path, enc_key=KEY)
        with pytest.raises(ValueError, match=f"secret.ckpt.*{reason}"):
            ms.load_checkpoint(path, **options)

    def test_a_changed_or_plain_file_is_told(self, tmp_path):
        path = tmp_path / "secret.ckpt"
        ms.save_checkpoint(values(), str(path), enc_key=KEY)
        changed = bytearray(path.read_bytes())
        changed[-1] ^= 1
        (tmp_path / "changed.ckpt").write_bytes(changed)
        with pytest.raises(ValueError, match=r"changed\.ckpt.*it was changed"):
            ms.load_checkpoint(str(tmp_path / "changed.ckpt"), dec_key=KEY)
        ms.save_checkpoint(values(), str(tmp_path / "plain.ckpt"))
        with pytest.raises(ValueError, match=r"plain\.ckpt.*it is not encrypted"):
            ms.load_checkpoint(str(tmp_path / "plain.ckpt"), dec_key=KEY)

    @pytest.mark.parametrize(
        ("options", "error"),
        [
            ({"enc_key": "0123456789abcdef"}, "must be bytes"),
            ({"enc_key": b"short"}, "16, 24 or 32 bytes"),
            ({"enc_key": b"k" * 32, "enc_mode": "SM4-CBC"}, "must have 16 bytes"),
            ({"enc_key": KEY, "enc_mode": "AES"}, "must be one of"),
            ({"enc_key": KEY, "format": "safetensors"}, "format 'ckpt' alone"),
        ],
    )
    def test_refuses_before_it_writes(self, tmp_path, options, error):
        with pytest.raises(ValueError, match=error):
            ms.save_checkpoint(nn.Dense(1, 1), str(tmp_path / "x"), **options)
        assert list(tmp_path.iterdir()) == []

    def test_names_the_package_that_is_missing(self, tmp_path, monkeypatch):
        monkeypatch.setattr(encryption, "_ciphers", lambda: None)
        with pytest.raises(ImportError, match=r"mycelium\[encryption\]"):
            ms.save_checkpoint(nn.Dense(1, 1), str(tmp_path / "x"), enc_key=KEY)


def plain(folder, crc_check):
    """The bytes that were encrypted."""
    ms.save_checkpoint(values(), str(folder / "plain.ckpt"), crc_check=crc_check)
    return [(folder / "plain.ckpt").read_bytes()]
