"""Weights saved by PyTorch 2.13 are read without it. tests/data has what it wrote."""

import io
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._utils.files.atomic_file import contents
from mindspore.train._formats import torch_file
from mindspore.train._formats.torch_names import TorchWeights

DATA = Path(__file__).resolve().parents[1] / "data"
FORMS = {
    "base": np.arange(12.0).reshape(3, 4),
    "turned": np.arange(12.0).reshape(3, 4).T,
    "part": np.arange(12.0).reshape(3, 4)[1:, ::2],
    "bf": [1.5, -2],
    "n": 7,
    "p": [1, 1],
}


class Network(nn.Cell):
    """The network whose weights are in torch_network.pth (in PyTorch's layers of the same names)."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, pad_mode="pad", padding=1, has_bias=True)
        self.bn = nn.BatchNorm2d(3)
        self.fc = nn.Dense(3, 4)
        self.emb = nn.Embedding(5, 3)
        self.ln = nn.LayerNorm((3,), epsilon=1e-5)  # as PyTorch
        self.c1 = nn.Conv1d(3, 2, 3, pad_mode="pad", padding=1, has_bias=True)
        self.lstm = nn.LSTM(3, 4, 2, bidirectional=True)
        self.gru = nn.GRU(3, 2)

    def construct(self, x, tokens):
        embedded = self.ln(self.emb(tokens))
        return (
            self.fc(ops.relu(self.bn(self.conv(x))).mean((2, 3))),
            self.lstm(embedded)[0],
            self.gru(embedded)[0],
            self.c1(embedded.transpose(1, 2, 0)),
        )


class TestReading:
    @pytest.mark.parametrize("name", ["torch_forms", "torch_forms_legacy"])
    def test_every_form_of_tensor(self, name):
        loaded = ms.load_checkpoint(str(DATA / f"{name}.pth"), crc_check=True)
        for key, expected in FORMS.items():
            assert np.array_equal(np.asarray(loaded[key]._read()).astype(float), expected), key
        assert loaded["bf"].dtype == ms.bfloat16 and loaded["n"].dtype == ms.int64 and loaded["n"].shape == ()

    def test_rarer_dtypes_and_shapes(self):
        loaded = ms.load_checkpoint(str(DATA / "torch_forms.pth"))
        assert loaded["half"].dtype == ms.float16 and loaded["flag"].asnumpy().tolist() == [True, False]
        assert loaded["c"].asnumpy() == 1 + 2j and loaded["u16"].asnumpy().tolist() == [65535]
        assert loaded["empty"].shape == (0, 3) and loaded["spread"].asnumpy().tolist() == [1, 1, 1]

    def test_the_weights_among_other_values(self):
        loaded = ms.load_checkpoint(str(DATA / "torch_network.pth"), specify_prefix="bn.")
        assert list(loaded) == [
            f"bn.{one}" for one in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")
        ]

    def test_suffixes(self, tmp_path):
        for suffix in ("pt", "bin", "ckpt"):
            (tmp_path / f"x.{suffix}").write_bytes((DATA / "torch_forms.pth").read_bytes())
            assert ms.load_checkpoint(str(tmp_path / f"x.{suffix}"))["n"].asnumpy() == 7


class TestIntoANetwork:
    @pytest.mark.parametrize("name", ["torch_network", "torch_legacy"])
    def test_the_network_computes_what_it_computed_in_pytorch(self, name):
        weights = ms.load_checkpoint(str(DATA / f"{name}.pth"))
        net = Network().set_train(False)
        assert ms.load_param_into_net(net, weights) == ([], [])
        known = dict(torch_file.decode(contents(str(DATA / "torch_outputs.pth"))))
        outputs = net(Tensor(known["x"]), Tensor(known["t"]))
        for number, output in enumerate(outputs):
            assert np.allclose(output.asnumpy(), known[f"out{number}"], atol=1e-5), number

    def test_the_report_says_what_went_where(self):
        weights = ms.load_checkpoint(str(DATA / "torch_legacy.pth"))
        ms.load_param_into_net(Network(), weights)
        lines = weights.report.splitlines()
        assert any(line.split()[0] == "bn.moving_mean" and line.endswith("module.bn.running_mean") for line in lines)
        assert len(lines) == 1 + len(list(Network().get_parameters()))

    def test_a_name_that_is_the_same_comes_before_one_that_is_alike(self):
        weights = TorchWeights(gamma=Parameter(Tensor([2.0])), weight=Parameter(Tensor([3.0])))
        norm = nn.LayerNorm((1,))
        assert ms.load_param_into_net(norm, weights) == (["beta"], ["weight"]) and norm.gamma.asnumpy() == 2

    def test_what_does_not_fit_is_told_and_changes_nothing(self):
        weights = ms.load_checkpoint(str(DATA / "torch_network.pth"))
        net = Network()
        net.fc = nn.Dense(3, 7)
        before = net.conv.weight.asnumpy().copy()
        with pytest.raises(RuntimeError, match=r"(?s)fc\.weight.*mismatched.*\(7, 3\) Float32.*\(4, 3\) Float32"):
            ms.load_param_into_net(net, weights)
        assert np.array_equal(net.conv.weight.asnumpy(), before)

    def test_names_that_are_the_same_need_no_mapping(self):
        weights = ms.load_checkpoint(str(DATA / "torch_network.pth"), specify_prefix="fc.")
        net = nn.Dense(3, 4)
        assert ms.load_param_into_net(net, weights) == ([], [])
        assert np.array_equal(net.bias.asnumpy(), weights["fc.bias"].asnumpy())


class Trap:
    """Executes code when an ordinary unpickler meets it."""

    def __reduce__(self):
        return (Path.touch, (Path("executed"),))


def archive(path, pickled):
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("archive/data.pkl", pickled)
        made.writestr("archive/data/0", b"\0" * 16)


def hostile():
    nested = b"\x80\x02}" + b")" + b"\x85" * 200_000 + b"K\x01s."  # a key of tuples in tuples
    large_memory = b"\x80\x02}r\xff\xff\xff\xffK\x01K\x02s."  # a place far away
    return {
        "trap": pickle.dumps({"a": Trap()}, protocol=2),
        "system": b"\x80\x02cos\nsystem\n(X\x04\x00\x00\x00true\x85R.",
        "getattr": b"\x80\x02c__builtin__\ngetattr\n.",
        "nested": nested,
        "long": b"\x80\x02\x8b\xff\xff\xff\x7f",
        "memory": large_memory,
        "bytes": b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
        "deep": b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b".",
    }


class TestRefusing:
    @pytest.mark.parametrize("kind", hostile())
    def test_nothing_is_executed(self, tmp_path, monkeypatch, kind):
        monkeypatch.chdir(tmp_path)
        archive("bad.pth", hostile()[kind])
        with pytest.raises(ValueError, match=r"bad\.pth"):
            ms.load_checkpoint("bad.pth")
        assert not Path("executed").exists()

    def test_the_name_that_is_not_allowed_is_told(self, tmp_path):
        archive(tmp_path / "bad.pth", pickle.dumps({"a": io.BytesIO}, protocol=2))
        with pytest.raises(ValueError, match=r"it names '_io\.BytesIO'.*Save weights alone"):
            ms.load_checkpoint(str(tmp_path / "bad.pth"))

    def test_a_tensor_of_more_data_than_there_are(self, tmp_path):
        forms = (DATA / "torch_forms_legacy.pth").read_bytes()
        (tmp_path / "cut.pth").write_bytes(forms[:-4])
        with pytest.raises(ValueError, match=r"cut\.pth.*cut off"):
            ms.load_checkpoint(str(tmp_path / "cut.pth"))

    def test_other_files(self, tmp_path):
        for content in (b"", b"PK\x03\x04", b"text", b"PK\x03\x04" + b"\0" * 100):
            (tmp_path / "x.pth").write_bytes(content)
            with pytest.raises(ValueError, match=r"x\.pth"):
                ms.load_checkpoint(str(tmp_path / "x.pth"))
