"""What to write instead of names that ``mindspore.dataset`` does not have."""

from __future__ import annotations

_ARRAYS = "Write NumpySlicesDataset({'image': images, 'label': labels}), whose rows are those of the arrays."
_OWN = "Write a class with __getitem__ and __len__ and GeneratorDataset(samples, ['image', 'label'])"

HINTS = {
    "DataLoader": "A dataset makes its own batches: GeneratorDataset(samples, ['image', 'label'], num_parallel_workers=4)"
    ".shuffle(1000).batch(32), and for rows in dataset.create_tuple_iterator().",
    "TensorDataset": _ARRAYS,
    "NumpyDataset": _ARRAYS,
    "ArrayDataset": _ARRAYS,
    "from_tensor_slices": _ARRAYS,
    "IterableDataset": f"{_OWN}; a generator function does as well.",
    "from_generator": f"{_OWN}; a generator function does as well.",
    "ConcatDataset": "Write first + second, or first.concat(second).",
    "random_split": "Write dataset.split([0.8, 0.2]).",
    "Subset": "Write SubsetSampler(indices) as the sampler of the dataset.",
    "BatchSampler": "Write dataset.batch(32), and any sampler for the order.",
    "MNIST": "It is called MnistDataset here.",
    "FashionMNIST": "It is called FashionMnistDataset here.",
    "CIFAR10": "It is called Cifar10Dataset here.",
    "CIFAR100": "It is called Cifar100Dataset here.",
    "ImageFolder": "It is called ImageFolderDataset here.",
    "ImageNet": "It is called ImageFolderDataset here.",
}
