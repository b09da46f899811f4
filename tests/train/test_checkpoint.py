"""Checkpoints are MindSpore's own files, byte for byte. real_train_step.ckpt was written by real MindSpore 2.10."""

import errno
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.train._checkpoint import background_save, load_network
from mindspore.train._formats import ckpt
from mindspore.train.serialization import async_ckpt_thread_status, load_checkpoint_async

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
        data = b"".join(ckpt._message("x", [0], "Float32", memoryview(np.float32(7).tobytes())))
        (tmp_path / "old.ckpt").write_bytes(data)
        loaded = ms.load_checkpoint(str(tmp_path / "old.ckpt"))["x"]
        assert loaded.shape == () and loaded.asnumpy() == 7

    def test_large_values_are_cut_into_slices(self, tmp_path, monkeypatch):
        monkeypatch.setattr(ckpt, "SLICE_BYTES", 16)
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

    @pytest.mark.parametrize("kind", [True, "thread", "process"])
    def test_a_thread_or_a_process_may_write(self, tmp_path, kind):
        net = nn.Dense(2, 3)
        path = str(tmp_path / "later.ckpt")
        ms.save_checkpoint(net, path, async_save=kind)
        before = net.weight.asnumpy().copy()
        net.weight.set_data(ms.ops.zeros_like(net.weight))
        assert np.array_equal(ms.load_checkpoint(path)["weight"].asnumpy(), before)
        assert not async_ckpt_thread_status() and os.listdir(tmp_path) == ["later.ckpt"]

    def test_what_goes_wrong_in_the_background_is_told(self, tmp_path, monkeypatch):
        said = []

        def broken(entries, crc_check):
            yield b"half"
            raise OSError("disk full")

        monkeypatch.setattr(ckpt, "encode", broken)
        monkeypatch.setattr(background_save.log, "error", lambda text, *rest: said.append(text % rest))
        for kind in ("thread", "process"):
            ms.save_checkpoint(nn.Dense(2, 3), str(tmp_path / kind), async_save=kind)
            with pytest.raises(OSError, match=f"{kind}.ckpt.*disk full"):
                background_save.finish()
            assert f"{kind}.ckpt" in said[-1] and "disk full" in said[-1] and os.listdir(tmp_path) == []

    def test_a_full_disk_is_told_with_the_file(self, tmp_path, monkeypatch):
        def full(descriptor):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=r"No space left on device.*net\.ckpt'$"):
            ms.save_checkpoint(nn.Dense(2, 3), str(tmp_path / "net.ckpt"))
        assert os.listdir(tmp_path) == []

    def test_a_failed_write_leaves_the_old_file(self, tmp_path, monkeypatch):
        path = str(tmp_path / "net.ckpt")
        ms.save_checkpoint([{"name": "x", "data": Tensor([1.0])}], path)

        def broken(entries, crc_check):
            yield b"half"
            raise OSError("disk full")

        monkeypatch.setattr(ckpt, "encode", broken)
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
        for options, wrong in (({"async_save": 3}, TypeError), ({"async_save": "later"}, ValueError)):
            with pytest.raises(wrong, match="async_save"):
                ms.save_checkpoint(nn.Dense(1, 1), "x", **options)
        with pytest.raises(ValueError, match="format must be"):
            ms.save_checkpoint(nn.Dense(1, 1), "x", format="h5")


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
        with pytest.raises(ValueError, match="must same with 'format'"):
            ms.load_checkpoint(str(tmp_path / "x.foo"))
        for wrong in ((3, {}), (nn.Dense(1, 1), 3), (nn.Dense(1, 1), {"weight": 3})):
            with pytest.raises(TypeError):
                ms.load_param_into_net(*wrong)

    def test_an_empty_file_and_checksums(self, path, tmp_path):
        (tmp_path / "empty.ckpt").write_bytes(b"")
        with pytest.raises(ValueError, match="empty after filter"):
            ms.load_checkpoint(str(tmp_path / "empty.ckpt"))
        changed = bytearray(Path(path).read_bytes())
        changed[-20] ^= 1
        (tmp_path / "changed.ckpt").write_bytes(changed)
        assert len(ms.load_checkpoint(str(tmp_path / "changed.ckpt"))) == 2
        with pytest.raises(ValueError, match=r"changed\.ckpt.*checksum"):
            ms.load_checkpoint(str(tmp_path / "changed.ckpt"), crc_check=True)

    def test_in_a_thread(self, path, tmp_path):
        future = load_checkpoint_async(path)
        assert list(future.result()) == list(future) == ["weight", "bias"] and len(future) == 2
        assert ms.load_param_into_net(nn.Dense(2, 3), future) == ([], [])
        with pytest.raises(ValueError, match="does not exist"):
            load_checkpoint_async(str(tmp_path / "missing.ckpt")).result()

    def test_the_positions_of_the_arguments_are_those_of_mindspore(self, path):
        net = nn.Dense(2, 3)
        loaded = ms.load_checkpoint(path, net, False, "w", None, "AES-GCM", None, None, True, False, "ckpt")
        assert list(loaded) == ["bias"]


class TestReports:
    @pytest.fixture
    def said(self, monkeypatch):
        lines = []
        monkeypatch.setattr(load_network.log, "warning", lambda text, *rest: lines.append(text % rest))
        return lines

    def test_a_table_of_missing_and_unexpected(self, said):
        given = {"weight": Parameter(Tensor(np.ones((3, 2), np.float32))), "extra": Parameter(Tensor(1))}
        assert ms.load_param_into_net(nn.Dense(2, 3), given) == (["bias"], ["extra"])
        rows = [line.split() for line in said[0].splitlines()[1:]]
        assert rows == [
            ["Parameter", "state", "network", "given"],
            ["bias", "missing", "(3,)", "Float32", "-"],
            ["extra", "unexpected", "-", "()", "Int64"],
        ]

    def test_quiet_when_the_network_has_all_it_needs(self, said):
        given = {**nn.Dense(2, 3).parameters_dict(), "moments.weight": Parameter(Tensor(1))}
        assert ms.load_param_into_net(nn.Dense(2, 3), given) == ([], ["moments.weight"]) and said == []

    def test_everything_that_does_not_fit_is_in_the_error(self):
        given = {"weight": Parameter(Tensor(np.ones((4, 2)))), "bias": Parameter(Tensor([1, 2, 3]))}
        with pytest.raises(RuntimeError, match=r"(?s)Nothing was loaded.*weight +mismatched.*bias +mismatched.*Int64"):
            ms.load_param_into_net(nn.Dense(2, 3), given)

    def test_several_prefixes_and_trailing_ones(self):
        net = nn.SequentialCell(nn.Dense(2, 3, has_bias=False), nn.Dense(3, 4, has_bias=False))
        given = {
            "a.0.weight": Parameter(Tensor(np.full((3, 2, 1, 1), 2, np.float32))),
            "b.1.weight": Parameter(Tensor(np.full((4, 3), 3, np.float32))),
        }
        assert ms.load_param_into_net(net, given)[0] == []
        assert np.all(net[0].weight.asnumpy() == 2) and np.all(net[1].weight.asnumpy() == 3)
        assert ms.load_param_into_net(net, given, strict_load=True)[0] == ["0.weight", "1.weight"]

    def test_one_device_has_no_redundancy(self):
        with pytest.raises(TypeError, match="remove_redundancy"):
            ms.load_param_into_net(nn.Dense(2, 3), {}, remove_redundancy=True)


WRITER = """
import sys
import numpy as np
import mindspore as ms
path, kind = sys.argv[1:]
size = 400_000
for number in range(1000):
    value = ms.Tensor(np.full(size, number, np.float32))
    ms.save_checkpoint([{"name": "x", "data": value}], path, async_save=kind if kind != "plain" else False)
    if number == 1:
        print("writing", flush=True)
"""


def kill_while_writing(folder, kind, moments):
    """Kill a process that writes one file again and again; what is there afterwards must be whole."""
    path = folder / "net.ckpt"
    for moment in moments:
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), kind], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(moment)
        process.kill()
        process.wait()
        value = ms.load_checkpoint(str(path))["x"].asnumpy()
        assert value.shape == (400_000,) and np.all(value == value[0])
    ms.save_checkpoint(nn.Dense(1, 1), str(path))
    deadline = time.monotonic() + 10
    while os.listdir(folder) != ["net.ckpt"] and time.monotonic() < deadline:
        time.sleep(0.1)  # a process that writes for another notices that it is gone
    assert os.listdir(folder) == ["net.ckpt"]


class TestKilled:
    @pytest.mark.parametrize("kind", ["plain", "process"])
    def test_the_file_is_the_old_or_the_new_one(self, tmp_path, kind):
        kill_while_writing(tmp_path, kind, [0.013])

    @pytest.mark.heavy
    @pytest.mark.parametrize("kind", ["plain", "thread", "process"])
    def test_at_fifty_moments(self, tmp_path, kind):
        draw = random.Random(kind)
        kill_while_writing(tmp_path, kind, [draw.uniform(0, 0.1) for _ in range(50)])


LARGE = """
import resource, sys
from pathlib import Path
import numpy as np
import mindspore as ms

def allow(gigabytes):
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    resource.setrlimit(resource.RLIMIT_DATA, (pages * resource.getpagesize() + int(gigabytes * 2**30), -1))

path, kind = sys.argv[1:]
size = 136 * 2**20  # 544 MiB each, which are two messages
if kind == "write":
    values = [ms.Tensor(np.full(size, number, np.float32)) for number in range(3)]
    allow(0.1)
    ms.save_checkpoint([{"name": f"p{i}", "data": value} for i, value in enumerate(values)], path, crc_check=True)
else:
    allow((3 + 2) * 0.532 + 0.3)  # the values; one of them put together from its messages, and on its way to the device
    loaded = ms.load_checkpoint(path, crc_check=True)
    assert all(one.shape == (size,) and (one.asnumpy() == i).all() for i, one in enumerate(loaded.values()))
"""


@pytest.mark.heavy
def test_large_values_are_written_and_read_without_further_copies(tmp_path):
    path = tmp_path / "large.ckpt"
    for kind in ("write", "read"):
        done = subprocess.run([sys.executable, "-c", LARGE, str(path), kind], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
    assert 0 < path.stat().st_size - 3 * 544 * 2**20 < 1000


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("name", ["state_{}", "state", "state.{}", "v1.2"])
def test_names_that_end_in_the_format_need_no_dot(tmp_path, name, format):
    path = str(tmp_path / name.format(format))
    ms.save_checkpoint(nn.Dense(2, 2).state_dict(), path, format=format)
    (written,) = os.listdir(tmp_path)
    assert written == os.path.basename(path) + ("" if path.endswith(format) else f".{format}")
    assert sorted(ms.load_checkpoint(str(tmp_path / written), format=format)) == ["bias", "weight"]


def test_a_checkpoint_without_a_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(IsADirectoryError, match="'ckpt_file_name' is empty"):
        ms.save_checkpoint(nn.Dense(2, 2), "")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("name", [".", "..", "folder", "folder/", "folder/inner"])
def test_a_folder_is_no_file_to_save_to(tmp_path, monkeypatch, name, format):
    (tmp_path / "folder" / f"inner.{format}").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(IsADirectoryError, match="is a directory, it must be a file name"):
        ms.save_checkpoint(nn.Dense(2, 2), name, format=format)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", f"inner.{format}"]
