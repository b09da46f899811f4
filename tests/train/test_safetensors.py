"""Safetensors files, compared with the library of that name and with a file of real MindSpore 2.10."""

import base64
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.train import serialization

REAL = base64.b64decode(
    json.loads((Path(__file__).resolve().parents[1] / "data" / "real_checkpoints.json").read_text())["safetensors"]
)


def values():
    """What the real file holds."""
    return [
        {"name": "x", "data": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))},
        {"name": "b", "data": Tensor([1.5, 2], ms.bfloat16)},
        {"name": "a", "data": Tensor(3)},
        {"name": "m", "data": Tensor([True])},
    ]


class TestFiles:
    def test_the_bytes_are_those_of_real_mindspore(self, tmp_path):
        ms.save_checkpoint(values(), str(tmp_path / "mine"), format="safetensors")
        assert (tmp_path / "mine.safetensors").read_bytes() == REAL

    def test_a_file_of_real_mindspore_is_read(self, tmp_path):
        (tmp_path / "real.safetensors").write_bytes(REAL)
        loaded = ms.load_checkpoint(str(tmp_path / "real.safetensors"), format="safetensors")
        assert list(loaded) == ["a", "b", "m", "x"] and loaded["x"].name == "x"
        assert loaded["b"].dtype == ms.bfloat16 and loaded["a"].shape == () and loaded["m"].asnumpy().tolist() == [True]

    def test_every_dtype_is_the_librarys_own(self, tmp_path):
        kinds = [np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16]
        kinds += [np.uint32, np.uint64, np.bool_, np.complex64, ml_dtypes.bfloat16]
        arrays = {f"{np.dtype(kind).name}": np.arange(6).reshape(2, 3).astype(kind) for kind in kinds}
        ms.save_checkpoint(
            [{"name": name, "data": Tensor(array)} for name, array in arrays.items()],
            str(tmp_path / "all"),
            format="safetensors",
        )
        mine = tmp_path / "all.safetensors"
        safetensors.numpy.save_file(arrays, tmp_path / "theirs.safetensors", metadata={"format": "ms"})
        assert mine.read_bytes() == (tmp_path / "theirs.safetensors").read_bytes()
        loaded = ms.load_checkpoint(str(mine))
        for name, array in arrays.items():
            assert np.asarray(loaded[name]._read()).tobytes() == array.tobytes() and loaded[name].shape == (2, 3)

    def test_checksums(self, tmp_path):
        path = tmp_path / "net.safetensors"
        ms.save_checkpoint(values(), str(path), format="safetensors", crc_check=True)
        assert len(ms.load_checkpoint(str(path), crc_check=True)) == 4
        changed = bytearray(path.read_bytes())
        changed[-10] ^= 1
        (tmp_path / "changed.safetensors").write_bytes(changed)
        assert len(ms.load_checkpoint(str(tmp_path / "changed.safetensors"))) == 4
        with pytest.raises(ValueError, match=r"changed\.safetensors.*checksum"):
            ms.load_checkpoint(str(tmp_path / "changed.safetensors"), crc_check=True)

    def test_prefixes_and_networks(self, tmp_path):
        net = nn.Dense(2, 3)
        path = str(tmp_path / "net.safetensors")
        ms.save_checkpoint(net, path, format="safetensors", append_dict={"epoch": 3})
        assert list(ms.load_checkpoint(path, filter_prefix="e")) == ["bias", "weight"]
        other = nn.Dense(2, 3)
        ms.load_checkpoint(path, other)
        assert np.array_equal(other.weight.asnumpy(), net.weight.asnumpy())

    def test_weights_of_pytorch_find_their_names(self, tmp_path):
        arrays = {"weight": np.full(3, 2, np.float32), "bias": np.full(3, 5, np.float32)}
        path = tmp_path / "model.safetensors"
        safetensors.numpy.save_file(arrays, path, metadata={"format": "pt"})
        norm = nn.LayerNorm((3,))
        assert ms.load_param_into_net(norm, ms.load_checkpoint(str(path))) == ([], [])
        assert norm.gamma.asnumpy().tolist() == [2, 2, 2] and norm.beta.asnumpy().tolist() == [5, 5, 5]

    def test_text_is_refused_before_anything_is_written(self, tmp_path):
        with pytest.raises(ValueError, match="'s', which is text"):
            ms.save_checkpoint(nn.Dense(1, 1), str(tmp_path / "x"), format="safetensors", append_dict={"s": "text"})
        assert list(tmp_path.iterdir()) == []


class TestConverting:
    def test_a_file_there_and_back(self, tmp_path):
        net = nn.Dense(2, 3)
        ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
        serialization.ckpt_to_safetensors(str(tmp_path / "net.ckpt"), name_map={"weight": "w"})
        assert set(ms.load_checkpoint(str(tmp_path / "net.safetensors"))) == {"w", "bias"}
        serialization.safetensors_to_ckpt(
            str(tmp_path / "net.safetensors"), str(tmp_path / "back"), name_map={"w": "weight"}
        )
        back = ms.load_checkpoint(str(tmp_path / "back" / "net.ckpt"))
        assert np.array_equal(back["weight"].asnumpy(), net.weight.asnumpy()) and isinstance(back["bias"], Parameter)

    def test_folders_of_ranks(self, tmp_path):
        for rank in (0, 1):
            (tmp_path / f"rank_{rank}").mkdir()
            ms.save_checkpoint([{"name": "r", "data": Tensor(rank)}], str(tmp_path / f"rank_{rank}" / "a.ckpt"))
            ms.save_checkpoint([{"name": "r", "data": Tensor(rank)}], str(tmp_path / f"rank_{rank}" / "b.ckpt"))
        serialization.ckpt_to_safetensors(str(tmp_path), str(tmp_path / "out"), file_name_regex="a")
        made = sorted(str(one.relative_to(tmp_path)) for one in (tmp_path / "out").rglob("*.safetensors"))
        assert made == ["out/rank_0/a.safetensors", "out/rank_1/a.safetensors"]
        assert ms.load_checkpoint(str(tmp_path / made[1]))["r"].asnumpy() == 1

    def test_refuses(self, tmp_path):
        (tmp_path / "x.foo").write_bytes(b"")
        for arguments in (("missing",), (str(tmp_path),), (str(tmp_path / "x.foo"),), (str(tmp_path), "file.txt")):
            with pytest.raises(ValueError, match="For 'ckpt_to_safetensors'"):
                serialization.ckpt_to_safetensors(*arguments)
