"""Less used image datasets, the same calls for real MindSpore and for the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CASES: dict[str, tuple[str, Callable[[Any, str], Any]]] = {}


def _add(files: str, name: str, /, **cases: tuple) -> None:
    """Cases of one class: its arguments behind the folder, and options."""
    for case, (arguments, options) in cases.items():
        plain = {"shuffle": False, **options}
        CASES[f"{files}_{case}"] = (
            files,
            lambda ds, at, arguments=arguments, plain=plain: getattr(ds, name)(at, *arguments, **plain),
        )


def _by_usage(files: str, name: str, /, *usages: str | None, **options: Any) -> None:
    _add(
        files,
        name,
        **{(usage or "default").replace("-", "_").replace("+", "_"): ((usage,), options) for usage in usages},
    )


_DECODED = {"decode": True}
_by_usage("places365", "Places365Dataset", "train-standard", "val", "foo")
_add("places365", "Places365Dataset", large=(("val", False, True), {}))
_by_usage("food101", "Food101Dataset", None, "train", "test", "foo")
_add("food101", "Food101Dataset", decoded=(("train",), _DECODED))
_add(
    "flowers102",
    "Flowers102Dataset",
    everything=((), {}),
    train=(("Classification", "train"), _DECODED),
    segmentation=(("Segmentation", "valid"), {}),
    foo=(("foo",), {}),
)
_add(
    "caltech101",
    "Caltech101Dataset",
    category=((), {}),
    annotation=(("annotation",), {}),
    both=(("all",), _DECODED),
    foo=(("foo",), {}),
)
_add("caltech256", "Caltech256Dataset", plain=((), {}), decoded=((), _DECODED))
_by_usage("svhn", "SVHNDataset", None, "train", "test", "extra", "foo")
_by_usage("stl10", "STL10Dataset", None, "train", "test", "unlabeled", "train+unlabeled", "foo")
_add(
    "photo_tour", "PhotoTourDataset", train=(("liberty", "train"), {"num_samples": 12}), test=(("liberty", "test"), {})
)
_add("sbu", "SBUDataset", plain=((), {}), decoded=((), _DECODED))
_add("semeion", "SemeionDataset", plain=((), {}))
_add(
    "lfw",
    "LFWDataset",
    default=((), {}),
    people=(("people",), {}),
    people_train=(("people", "train"), _DECODED),
    people_test=(("people", "test"), {}),
    people_folds=(("people", "10fold"), {}),
    pairs=(("pairs",), {}),
    pairs_train=(("pairs", "train"), {}),
    pairs_test=(("pairs", "test"), {}),
    pairs_folds=(("pairs", "10fold"), {}),
    foo=(("foo",), {}),
)
_by_usage("lsun", "LSUNDataset", None, "train", "test", "valid", "foo")
_add("lsun", "LSUNDataset", classes=(("train", ["classroom"]), {}))
_add("omniglot", "OmniglotDataset", default=((), {}), evaluation=((False,), _DECODED))
_add(
    "cityscapes",
    "CityscapesDataset",
    default=((), {}),
    semantic=(("val", "fine", "semantic"), _DECODED),
    color=(("all", "fine", "color"), {}),
    polygon=(("train", "fine", "polygon"), {}),
    foo=(("foo",), {}),
    coarse=(("test", "coarse"), {}),
)
_add(
    "div2k",
    "DIV2KDataset",
    default=((), {}),
    everything=(("all", "bicubic", 2), _DECODED),
    mild=(("valid", "mild", 4), {}),
    scale=(("train", "bicubic", 5), {}),
    mild_scale=(("train", "mild", 2), {}),
)
CASES["flickr_plain"] = ("flickr", lambda ds, at: ds.FlickrDataset(at + "/images", at + "/tokens.txt", shuffle=False))
CASES["flickr_decoded"] = (
    "flickr",
    lambda ds, at: ds.FlickrDataset(at + "/images", at + "/tokens.txt", decode=True, shuffle=False),
)
_by_usage("wider_face", "WIDERFaceDataset", None, "train", "test", "valid", "foo")
_add("sun397", "SUN397Dataset", plain=((), {}), decoded=((), _DECODED))
_by_usage("kitti", "KITTIDataset", None, "train", "test", "foo")
_add(
    "sbd",
    "SBDataset",
    boundaries=((), {}),
    segmentation=(("Segmentation", "train"), {}),
    decoded=(("Boundaries", "val"), _DECODED),
    missing=(("Boundaries", "train_noval"), {}),
)
_by_usage("rendered_sst2", "RenderedSST2Dataset", "train", "test", "val", "foo")
_add("usps", "USPSDataset", everything=((), {"num_parallel_workers": 1}), train=(("train",), {}), test=(("test",), {}))
