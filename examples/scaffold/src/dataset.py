"""The data: handwritten digits."""

import importlib.util
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

SMOKE_SAMPLES = 512


def create_dataset(config, is_train):
    """Batches of images and labels. In training every process reads a part of its own."""
    folder = Path(config.data_path or _shipped_sample(config)) / ("train" if is_train else "test")
    part = {"num_shards": config.device_num, "shard_id": config.rank_id} if is_train and config.device_num > 1 else {}
    if config.smoke:
        part["num_samples"] = SMOKE_SAMPLES // config.device_num
    data = ds.MnistDataset(str(folder), shuffle=is_train, **part)
    size = (config.image_height, config.image_width)
    prepare = [vision.Resize(size), vision.Rescale(1 / 255 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()]
    data = data.map(prepare, "image").map(transforms.TypeCast(ms.int32), "label")
    return data.batch(config.batch_size, drop_remainder=is_train)


def _shipped_sample(config):
    """The sample of MNIST that ships with the project, unpacked; every process has its own copy."""
    for folder in Path(__file__).resolve().parents:
        reader = folder / "demo" / "mnist_sample.py"
        if reader.is_file():
            spec = importlib.util.spec_from_file_location("mnist_sample", reader)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module.unpack(Path(config.output_path) / f"mnist_{config.rank_id}")
    raise FileNotFoundError(
        "the sample of MNIST was not found: set data_path to a folder with MNIST in 'train' and 'test'."
    )
