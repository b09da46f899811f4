"""Checkpoints are MindSpore's own files, byte for byte. real_train_step.ckpt was written by real MindSpore 2.10."""

import os
import random
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.train import _checkpoint_file

REAL = Path(__file__).resolve().parents[1] / "data" / "real_train_step.ckpt"
MORE = {"epoch": 3, "lr": 0.5, "flag": True, "s": "txt"}


def train_step():
    """The program whose state real MindSpore saved."""
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.Dense(4, 5))
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))


class TestGenuineFiles:
    def test_the_state_of_a_training_gives_the_bytes_of_real_mindspore(self, tmp_path):
        path = tmp_path / "mine.ckpt"
        ms.save_checkpoint(train_step(), str(path), append_dict={**MORE, "t": Tensor([1, 2])})
        assert path.read_bytes() == REAL.read_bytes()

    def test_a_file_of_real_mindspore_is_read(self):
        loaded = ms.load_checkpoint(str(REAL))
        assert loaded["s"] == "txt" and loaded["epoch"].asnumpy() == 3 and loaded["t"].asnumpy().tolist() == [1, 2]
        step = train_step()
        for one in step.trainable_params():
            one.set_data(ms.ops.zeros_like(one))
        missing, unused = ms.load_param_into_net(step, {k: v for k, v in loaded.items() if isinstance(v, Parameter)})
        assert missing == [] and unused == ["epoch", "lr", "flag", "t"]
        assert np.array_equal(step.network._backbone[0].weight.asnumpy(), loaded["0.weight"].asnumpy())

    @pytest.mark.parametrize(
        "value",
        [
            Tensor([1.5, -2.0], ms.bfloat16),
            Tensor(2.0),
            Tensor([True, False]),
            Tensor([1 + 2j]),
            Tensor(np.arange(6, dtype=np.uint8).reshape(2, 3)),
            Tensor(np.zeros((0, 3), np.float32)),
        ],
        ids=lambda value: f"{value.dtype}{list(value.shape)}",
    )
    def test_every_dtype_and_shape_comes_back(self, tmp_path, value):
        path = str(tmp_path / "one.ckpt")
        ms.save_checkpoint([{"name": "x", "data": value}], path, crc_check=True)
        back = ms.load_checkpoint(path, crc_check=True)["x"]
        assert back.dtype == value.dtype and back.shape == value.shape
        assert np.asarray(back._read()).tobytes() == np.asarray(value._read()).tobytes()

    def test_scalars_of_older_versions(self, tmp_path):
        data = b"".join(_checkpoint_file._message("x", [0], "Float32", memoryview(np.float32(7).tobytes())))
        (tmp_path / "old.ckpt").write_bytes(data)
        loaded = ms.load_checkpoint(str(tmp_path / "old.ckpt"))["x"]
        assert loaded.shape == () and loaded.asnumpy() == 7

    def test_large_values_are_cut_into_slices(self, tmp_path, monkeypatch):
        monkeypatch.setattr(_checkpoint_file, "SLICE_BYTES", 16)
        path = tmp_path / "sliced.ckpt"
        value = np.arange(10, dtype=np.float32)
        ms.save_checkpoint([{"name": "x", "data": Tensor(value)}, {"name": "y", "data": Tensor([1.0])}], str(path))
        assert path.read_bytes().count(b"\n\x01x") == 3
        loaded = ms.load_checkpoint(str(path))
        assert np.array_equal(loaded["x"].asnumpy(), value) and loaded["y"].asnumpy() == 1


class TestSaving:
    def test_forms_of_what_is_saved(self, tmp_path):
        net = nn.Dense(2, 3)
        for number, saved in enumerate([net, net.trainable_params(), net.parameters_dict()]):
            ms.save_checkpoint(saved, str(tmp_path / f"{number}"))
            assert list(ms.load_checkpoint(str(tmp_path / f"{number}.ckpt"))) == ["weight", "bias"]
        ms.save_checkpoint(net, str(tmp_path / "some"), choice_func=lambda name: name == "bias")
        assert list(ms.load_checkpoint(str(tmp_path / "some.ckpt"))) == ["bias"]

    def test_a_thread_may_write(self, tmp_path):
        net = nn.Dense(2, 3)
        path = str(tmp_path / "later.ckpt")
        ms.save_checkpoint(net, path, async_save=True)
        before = net.weight.asnumpy().copy()
        net.weight.set_data(ms.ops.zeros_like(net.weight))
        assert np.array_equal(ms.load_checkpoint(path)["weight"].asnumpy(), before)

    def test_a_failed_write_leaves_the_old_file(self, tmp_path, monkeypatch):
        path = str(tmp_path / "net.ckpt")
        ms.save_checkpoint([{"name": "x", "data": Tensor([1.0])}], path)

        def broken(entries, crc_check):
            yield b"half"
            raise OSError("disk full")

        monkeypatch.setattr(_checkpoint_file, "encode", broken)
        with pytest.raises(OSError, match="disk full"):
            ms.save_checkpoint([{"name": "x", "data": Tensor([2.0])}], path)
        assert ms.load_checkpoint(path)["x"].asnumpy() == 1 and os.listdir(tmp_path) == ["net.ckpt"]

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [((3, "x"), TypeError), (([{"name": "p"}], "x"), TypeError), ((nn.Dense(1, 1), 3), TypeError)],
    )
    def test_refuses(self, tmp_path, monkeypatch, arguments, error):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(error):
            ms.save_checkpoint(*arguments)
        with pytest.raises(TypeError, match="append_dict"):
            ms.save_checkpoint(nn.Dense(1, 1), "x", append_dict={"a": object()})
        with pytest.raises(FileNotFoundError, match="folder"):
            ms.save_checkpoint(nn.Dense(1, 1), "missing/x")


class TestLoading:
    @pytest.fixture
    def path(self, tmp_path):
        path = str(tmp_path / "net.ckpt")
        ms.save_checkpoint(nn.Dense(2, 3), path, crc_check=True)
        return path

    def test_prefixes(self, path):
        assert list(ms.load_checkpoint(path, filter_prefix="w")) == ["bias"]
        assert list(ms.load_checkpoint(path, specify_prefix=["w"])) == ["weight"]
        with pytest.raises(ValueError, match="empty after filter"):
            ms.load_checkpoint(path, filter_prefix=["w", "b"])

    def test_into_a_network(self, path):
        net = nn.Dense(2, 3)
        loaded = ms.load_checkpoint(path, net)
        assert np.array_equal(net.weight.asnumpy(), loaded["weight"].asnumpy())

    def test_what_fits_and_what_does_not(self, path):
        loaded = ms.load_checkpoint(path)

        class Two(nn.Cell):
            def __init__(self):
                super().__init__()
                self.fc = nn.Dense(2, 3)

        assert ms.load_param_into_net(Two(), loaded) == (["fc.weight", "fc.bias"], ["weight", "bias"])
        prefixed = {f"fc.{name}": value for name, value in loaded.items()}
        assert ms.load_param_into_net(nn.Dense(2, 3), prefixed) == ([], ["fc.weight", "fc.bias"])
        with pytest.raises(RuntimeError, match="same shape"):
            ms.load_param_into_net(nn.Dense(2, 4), loaded)

    def test_nothing_changes_when_something_does_not_fit(self, path):
        net = nn.Dense(2, 3)
        before = net.weight.asnumpy().copy()
        wrong = {
            "weight": Parameter(Tensor(np.ones((3, 2), np.float32))),
            "bias": Parameter(Tensor(np.ones(4, np.float32))),
        }
        with pytest.raises(RuntimeError, match="bias"):
            ms.load_param_into_net(net, wrong)
        assert np.array_equal(net.weight.asnumpy(), before)

    def test_dtypes(self):
        half = {
            "weight": Parameter(Tensor(np.ones((3, 2), np.float16))),
            "bias": Parameter(Tensor(np.ones(3, np.float32))),
        }
        net = nn.Dense(2, 3)
        assert ms.load_param_into_net(net, half) == ([], []) and net.weight.dtype == ms.float32
        with pytest.raises(RuntimeError, match="same type"):
            ms.load_param_into_net(net, half, strict_load=True)
        with pytest.raises(RuntimeError, match="same type"):
            ms.load_param_into_net(net, {"bias": Parameter(Tensor(np.ones(3, np.int32)))})

    def test_wrong_arguments(self, tmp_path):
        with pytest.raises(ValueError, match="does not exist"):
            ms.load_checkpoint(str(tmp_path / "no.ckpt"))
        (tmp_path / "x.foo").write_bytes(b"a")
        with pytest.raises(ValueError, match="should end with"):
            ms.load_checkpoint(str(tmp_path / "x.foo"))
        for wrong in ((3, {}), (nn.Dense(1, 1), 3), (nn.Dense(1, 1), {"weight": 3})):
            with pytest.raises(TypeError):
                ms.load_param_into_net(*wrong)

    def test_damaged_files_are_told_by_name_and_never_crash(self, path, tmp_path):
        data = Path(path).read_bytes()
        damaged = tmp_path / "damaged.ckpt"
        draw = random.Random(0)
        refused = 0
        for _ in range(2000):
            changed = bytearray(data)
            for _ in range(draw.randint(1, 4)):
                changed[draw.randrange(len(changed))] = draw.randrange(256)
            damaged.write_bytes(changed[: draw.randint(0, len(changed))] if draw.random() < 0.5 else changed)
            try:
                ms.load_checkpoint(str(damaged), crc_check=True)
            except ValueError as error:
                refused += 1
                assert "damaged.ckpt" in str(error)
        assert refused > 1000
