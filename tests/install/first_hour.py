"""What a new user does first, in an environment that has nothing but the package: run by tools/try_install.py."""

import glob
import subprocess
import sys
from pathlib import Path

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn
from mindspore.train import CheckpointConfig, LossMonitor, ModelCheckpoint, SummaryCollector
from mnist_sample import read_digits, unpack
from train_mnist import LeNet5, create_dataset, make_model


class Rows:
    """A source that worker processes read."""

    def __getitem__(self, index):
        return np.full((32, 32), index, np.float32), np.int32(index % 10)

    def __len__(self):
        return 40


def train(folder: Path) -> nn.Cell:
    """LeNet on real digits, with a checkpoint and event files."""
    ms.set_seed(1)
    data = create_dataset(unpack(folder / "mnist") / "train", digits=640, shuffle=True)
    network = LeNet5()
    checkpoint = ModelCheckpoint("lenet", "checkpoints", CheckpointConfig(save_checkpoint_steps=20))
    summary = SummaryCollector("summary", collect_freq=5)
    make_model(network).train(2, data, callbacks=[LossMonitor(20), checkpoint, summary])
    return network


def same_after_reloading(network: nn.Cell, images: Tensor) -> None:
    """From the checkpoint, and from a MINDIR file."""
    expected = network(images).asnumpy()
    (newest,) = glob.glob("checkpoints/lenet-2_20.ckpt")
    reloaded = LeNet5()
    missing, _ = ms.load_param_into_net(reloaded, ms.load_checkpoint(newest))  # the optimizer's are left over
    assert missing == []
    np.testing.assert_array_equal(reloaded(images).asnumpy(), expected)
    ms.export(network, images, file_name="lenet", file_format="MINDIR")
    loaded = nn.GraphCell(ms.load("lenet.mindir"))
    np.testing.assert_allclose(loaded(images).asnumpy(), expected, rtol=1e-5, atol=1e-5)


def events_can_be_read() -> None:
    command = [sys.executable, "-m", "mindspore", "events", "summary"]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "loss/auto" in table, table


def workers_deliver() -> None:
    data = ds.GeneratorDataset(
        Rows(), ["image", "label"], shuffle=False, num_parallel_workers=2, python_multiprocessing=True
    )
    data = data.map(lambda image: image / 2, "image", num_parallel_workers=2, python_multiprocessing=True)
    rows = list(data.batch(8).create_dict_iterator(num_epochs=1, output_numpy=True))
    found = np.concatenate([row["image"][:, 0, 0] for row in rows])
    np.testing.assert_array_equal(found, np.arange(40) / 2)


def extras_are_asked_for_by_name(network: nn.Cell, images: Tensor) -> None:
    """What needs another package says which extra to install; installed extras just work."""
    Path("some.model").touch()
    calls = {
        "onnx": lambda: ms.export(network, images, file_name="lenet", file_format="ONNX"),
        "encryption": lambda: ms.save_checkpoint(network, "secret.ckpt", enc_key=b"0" * 16),
        "sentencepiece": lambda: ds.text.SentencePieceTokenizer("some.model", ds.text.SPieceTokenizerOutType.STRING),
    }
    for extra, call in calls.items():
        try:
            call()
        except ImportError as error:
            assert f"mycelium[{extra}]" in str(error), error
        else:
            raise AssertionError(f"{extra} is installed: this environment is not a fresh one")


if __name__ == "__main__":
    network = train(Path.cwd())
    images = Tensor(np.pad(read_digits("test")[0][:4, None].astype(np.float32) / 255, [(0, 0), (0, 0), (2, 2), (2, 2)]))
    same_after_reloading(network, images)
    events_can_be_read()
    workers_deliver()
    extras_are_asked_for_by_name(network, images)
    print("all of it works")
