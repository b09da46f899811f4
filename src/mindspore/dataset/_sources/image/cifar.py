"""CIFAR-10 and CIFAR-100 in their binary form, read once as arrays."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.folder_source import UsageDataset
from mindspore.dataset.engine.datasets import VisionBaseDataset

_PIXELS = 3 * 32 * 32


def _read(name: str, paths: list[str], label_bytes: int) -> tuple[np.ndarray, np.ndarray]:
    """Images <32,32,3> and the bytes before each of them."""
    parts = []
    for path in paths:
        if not os.path.isfile(path):
            continue
        data = np.fromfile(path, np.uint8)
        if data.size % (label_bytes + _PIXELS):
            raise pipeline_error(
                f"Invalid {name} file, failed to read data from: {path}, re-download dataset (make sure it is the binary "
                f"version): its {data.size} bytes are no multiple of {label_bytes + _PIXELS}."
            )
        parts.append(data.reshape(-1, label_bytes + _PIXELS))
    rows = np.concatenate([np.empty((0, label_bytes + _PIXELS), np.uint8), *parts])
    images = rows[:, label_bytes:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(images), rows[:, :label_bytes].astype(np.uint32)


class Cifar10Dataset(UsageDataset, VisionBaseDataset):
    """CIFAR-10: images <32,32,3>, uint8, and labels, uint32.

    Args:
        dataset_dir: the folder with ``data_batch_1.bin`` and so on.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mindspore.dataset as ds
        >>> folder = tempfile.mkdtemp()
        >>> np.zeros(2 * 3073, np.uint8).tofile(os.path.join(folder, "test_batch.bin"))
        >>> ds.Cifar10Dataset(folder, "test").output_shapes()
        [[32, 32, 3], []]
    """

    def _scan(self) -> dict[str, Any]:
        names = [f"data_batch_{number}.bin" for number in range(1, 6)] if self.usage in ("train", "all") else []
        names += ["test_batch.bin"] if self.usage in ("test", "all") else []
        images, labels = _read("cifar10", [os.path.join(self.dataset_dir, name) for name in names], 1)
        return {"image": images, "label": labels[:, 0]}


class Cifar100Dataset(UsageDataset, VisionBaseDataset):
    """CIFAR-100: images <32,32,3>, uint8, coarse and fine labels, uint32.

    Args:
        dataset_dir: the folder with ``train.bin`` and ``test.bin``.
        usage: 'train', 'test' or 'all'; None for all. The test images come first.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Cifar100Dataset("data/cifar100", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (32, 32, 3), 'coarse_label': (), 'fine_label': ()}
    """

    def _scan(self) -> dict[str, Any]:
        names = [f"{part}.bin" for part in ("test", "train") if self.usage in (part, "all")]
        images, labels = _read("cifar100", [os.path.join(self.dataset_dir, name) for name in names], 2)
        return {"image": images, "coarse_label": labels[:, 0], "fine_label": labels[:, 1]}
