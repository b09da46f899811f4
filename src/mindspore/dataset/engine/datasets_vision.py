"""Datasets of images."""

from mindspore.dataset._sources.image.annotated import (
    Caltech101Dataset,
    CityscapesDataset,
    DIV2KDataset,
    Flowers102Dataset,
    SBDataset,
)
from mindspore.dataset._sources.image.arrays import (
    PhotoTourDataset,
    SemeionDataset,
    STL10Dataset,
    SVHNDataset,
    USPSDataset,
)
from mindspore.dataset._sources.image.captions import FlickrDataset, SBUDataset
from mindspore.dataset._sources.image.cifar import Cifar10Dataset, Cifar100Dataset
from mindspore.dataset._sources.image.class_folders import (
    Caltech256Dataset,
    Food101Dataset,
    LSUNDataset,
    OmniglotDataset,
    Places365Dataset,
    RenderedSST2Dataset,
    SUN397Dataset,
)
from mindspore.dataset._sources.image.faces import KITTIDataset, LFWDataset, WIDERFaceDataset
from mindspore.dataset._sources.image.folders import CelebADataset, ImageFolderDataset, ManifestDataset
from mindspore.dataset._sources.image.mnist import (
    EMnistDataset,
    FashionMnistDataset,
    KMnistDataset,
    MnistDataset,
    QMnistDataset,
)
from mindspore.dataset._sources.image.objects import CocoDataset, VOCDataset
from mindspore.dataset.engine.datasets_random import FakeImageDataset, RandomDataset

__all__ = [
    "Caltech101Dataset",
    "Caltech256Dataset",
    "CelebADataset",
    "Cifar10Dataset",
    "Cifar100Dataset",
    "CityscapesDataset",
    "CocoDataset",
    "DIV2KDataset",
    "EMnistDataset",
    "FakeImageDataset",
    "FashionMnistDataset",
    "FlickrDataset",
    "Flowers102Dataset",
    "Food101Dataset",
    "ImageFolderDataset",
    "KITTIDataset",
    "KMnistDataset",
    "LFWDataset",
    "LSUNDataset",
    "ManifestDataset",
    "MnistDataset",
    "OmniglotDataset",
    "PhotoTourDataset",
    "Places365Dataset",
    "QMnistDataset",
    "RandomDataset",
    "RenderedSST2Dataset",
    "SBDataset",
    "SBUDataset",
    "STL10Dataset",
    "SUN397Dataset",
    "SVHNDataset",
    "SemeionDataset",
    "USPSDataset",
    "VOCDataset",
    "WIDERFaceDataset",
]
