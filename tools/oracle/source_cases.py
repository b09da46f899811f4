"""Datasets of files, the same calls for real MindSpore and for the tests, and what is compared of them."""

from __future__ import annotations

import json
import pathlib
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.oracle import audio_source_files, more_source_cases, more_source_files, source_files, text_source_files

# name: the files it reads, and the dataset; `ds` is mindspore.dataset, `at` the folder of the files
Case = tuple[str, Callable[[Any, str], Any]]
CASES: dict[str, Case] = {}


def _add(files: str, /, **datasets: Callable[[Any, str], Any]) -> None:
    for name, make in datasets.items():
        CASES[f"{files}_{name}"] = (files, make)


_add(
    "mnist",
    everything=lambda ds, at: ds.MnistDataset(at, shuffle=False),
    train=lambda ds, at: ds.MnistDataset(at, "train", shuffle=False),
    test=lambda ds, at: ds.MnistDataset(at, "test", shuffle=False),
    shuffled=lambda ds, at: ds.MnistDataset(at),
    shard=lambda ds, at: ds.MnistDataset(at, num_shards=3, shard_id=1),
    pairs=lambda ds, at: ds.MnistDataset(at, sampler=ds.PKSampler(2)),
    fashion=lambda ds, at: ds.FashionMnistDataset(at, "train", shuffle=False),
    letters=lambda ds, at: ds.KMnistDataset(at, "all", shuffle=False),
    usage=lambda ds, at: ds.MnistDataset(at, "foo"),
    missing=lambda ds, at: ds.MnistDataset(at + "/none"),
    two_orders=lambda ds, at: ds.MnistDataset(at, shuffle=True, sampler=ds.SequentialSampler()),
)
_add(
    "emnist",
    letters=lambda ds, at: ds.EMnistDataset(at, "letters", "train", shuffle=False),
    digits=lambda ds, at: ds.EMnistDataset(at, "digits", shuffle=False),
    name=lambda ds, at: ds.EMnistDataset(at, "foo"),
)
_add(
    "qmnist",
    everything=lambda ds, at: ds.QMnistDataset(at, shuffle=False),
    test=lambda ds, at: ds.QMnistDataset(at, "test", False, shuffle=False),
    nist=lambda ds, at: ds.QMnistDataset(at, "nist", shuffle=False),
)
_add(
    "image_folder",
    plain=lambda ds, at: ds.ImageFolderDataset(at, shuffle=False),
    decoded=lambda ds, at: ds.ImageFolderDataset(at, shuffle=False, decode=True),
    extensions=lambda ds, at: ds.ImageFolderDataset(at, shuffle=False, extensions=[".jpg", ".bmp"]),
    classes=lambda ds, at: ds.ImageFolderDataset(at, shuffle=False, class_indexing={"dog": 5, "ant": 2}),
    no_class=lambda ds, at: ds.ImageFolderDataset(at, class_indexing={"bird": 1}),
    shuffled=lambda ds, at: ds.ImageFolderDataset(at),
    no_image=lambda ds, at: ds.ImageFolderDataset(at, extensions=[".gif"]),
)
_add(
    "manifest",
    train=lambda ds, at: ds.ManifestDataset(at + "/cats.manifest", shuffle=False),
    eval=lambda ds, at: ds.ManifestDataset(at + "/cats.manifest", "eval", shuffle=False, decode=True),
    classes=lambda ds, at: ds.ManifestDataset(
        at + "/cats.manifest", shuffle=False, class_indexing={"dog": 3, "cat": 4}
    ),
    inference=lambda ds, at: ds.ManifestDataset(at + "/cats.manifest", "inference"),
    usage=lambda ds, at: ds.ManifestDataset(at + "/cats.manifest", "foo"),
    missing=lambda ds, at: ds.ManifestDataset(at + "/none"),
)
_add(
    "celeba",
    everything=lambda ds, at: ds.CelebADataset(at, shuffle=False),
    train=lambda ds, at: ds.CelebADataset(at, shuffle=False, usage="train", decode=True),
    valid=lambda ds, at: ds.CelebADataset(at, shuffle=False, usage="valid"),
    test=lambda ds, at: ds.CelebADataset(at, shuffle=False, usage="test"),
)
_add(
    "voc",
    segmentation=lambda ds, at: ds.VOCDataset(at, shuffle=False),
    decoded=lambda ds, at: ds.VOCDataset(at, shuffle=False, decode=True),
    detection=lambda ds, at: ds.VOCDataset(at, "Detection", shuffle=False),
    val=lambda ds, at: ds.VOCDataset(at, "Detection", "val", shuffle=False, decode=True),
    classes=lambda ds, at: ds.VOCDataset(at, "Detection", shuffle=False, class_indexing={"cat": 3, "dog": 1}),
    names=lambda ds, at: ds.VOCDataset(at, "Detection", shuffle=False, extra_metadata=True).rename(
        "_meta-filename", "file"
    ),
    task=lambda ds, at: ds.VOCDataset(at, "foo"),
    usage=lambda ds, at: ds.VOCDataset(at, usage="foo"),
    segmentation_classes=lambda ds, at: ds.VOCDataset(at, class_indexing={"cat": 1}),
)
_add(
    "coco",
    detection=lambda ds, at: ds.CocoDataset(at + "/images", at + "/detection.json", shuffle=False),
    decoded=lambda ds, at: ds.CocoDataset(at + "/images", at + "/detection.json", shuffle=False, decode=True),
    stuff=lambda ds, at: ds.CocoDataset(at + "/images", at + "/stuff.json", "Stuff", shuffle=False),
    keypoint=lambda ds, at: ds.CocoDataset(at + "/images", at + "/keypoints.json", "Keypoint", shuffle=False),
    panoptic=lambda ds, at: ds.CocoDataset(at + "/images", at + "/panoptic.json", "Panoptic", shuffle=False),
    captioning=lambda ds, at: ds.CocoDataset(at + "/images", at + "/captions.json", "Captioning", shuffle=False),
    names=lambda ds, at: ds.CocoDataset(
        at + "/images", at + "/detection.json", shuffle=False, extra_metadata=True
    ).rename("_meta-filename", "file"),
    task=lambda ds, at: ds.CocoDataset(at + "/images", at + "/detection.json", "foo"),
    not_json=lambda ds, at: ds.CocoDataset(at + "/images", at + "/images/1.jpg"),
)


def _tf(at: str, names: str = "abc") -> list[str]:
    return [f"{at}/{name}.tfrecord" for name in names]


def _schema(ds: Any, **columns: Any) -> Any:
    schema = ds.Schema()
    for name, (kind, *shape) in columns.items():
        schema.add_column(name, kind, *shape)
    return schema


_SOME = {"number": ("int64", [1]), "many": ("int64", [2, 2]), "image": ("string",), "floats": ("float64", [3])}
_add(
    "tfrecord",
    plain=lambda ds, at: ds.TFRecordDataset(_tf(at, "a"), shuffle=False),
    one_reader=lambda ds, at: ds.TFRecordDataset(_tf(at), shuffle=False, num_parallel_workers=1),
    two_readers=lambda ds, at: ds.TFRecordDataset(_tf(at)[::-1], shuffle=False, num_parallel_workers=2),
    columns=lambda ds, at: ds.TFRecordDataset(_tf(at, "a"), columns_list=["words", "number"], shuffle=False),
    no_column=lambda ds, at: ds.TFRecordDataset(_tf(at, "a"), columns_list=["foo"], shuffle=False),
    schema_file=lambda ds, at: ds.TFRecordDataset(_tf(at), at + "/schema.json", shuffle=False, num_parallel_workers=2),
    schema=lambda ds, at: ds.TFRecordDataset(_tf(at, "a"), _schema(ds, **_SOME), shuffle=False),
    bytes=lambda ds, at: ds.TFRecordDataset(
        _tf(at, "a"), _schema(ds, number=("uint8",), words=("uint8",), many=("int64", [-1])), shuffle=False
    ),
    schema_columns=lambda ds, at: ds.TFRecordDataset(_tf(at, "a"), _schema(ds, **_SOME), ["many"], shuffle=False),
    wrong_shape=lambda ds, at: ds.TFRecordDataset(_tf(at, "a"), _schema(ds, many=("int64", [3])), shuffle=False),
    gzip=lambda ds, at: ds.TFRecordDataset(at + "/z.gz", compression_type="GZIP", shuffle=False),
    zlib=lambda ds, at: ds.TFRecordDataset(at + "/z.zlib", compression_type="ZLIB", shuffle=False),
    no_record=lambda ds, at: ds.TFRecordDataset(at + "/schema.json"),
    missing=lambda ds, at: ds.TFRecordDataset(at + "/none"),
    shard=lambda ds, at: ds.TFRecordDataset(_tf(at), shuffle=False, num_shards=2, shard_id=0, num_parallel_workers=1),
    shard_rows=lambda ds, at: ds.TFRecordDataset(
        _tf(at), shuffle=False, num_shards=5, shard_id=4, shard_equal_rows=True, num_parallel_workers=1
    ),
    many_shards=lambda ds, at: ds.TFRecordDataset(_tf(at), num_shards=4, shard_id=0),
    samples=lambda ds, at: ds.TFRecordDataset(_tf(at), shuffle=False, num_samples=7, num_parallel_workers=2),
    shuffled=lambda ds, at: ds.TFRecordDataset(_tf(at), num_parallel_workers=2, columns_list=["number"]).repeat(2),
    files=lambda ds, at: ds.TFRecordDataset(_tf(at), shuffle=ds.Shuffle.FILES, num_parallel_workers=2).repeat(3),
    shuffled_shard=lambda ds, at: ds.TFRecordDataset(
        _tf(at), num_parallel_workers=1, num_shards=2, shard_id=1, shard_equal_rows=True
    ).repeat(2),
    shuffled_samples=lambda ds, at: ds.TFRecordDataset(_tf(at), num_samples=5, num_parallel_workers=2),
    shuffle_word=lambda ds, at: ds.TFRecordDataset(_tf(at), shuffle="files"),
    compression=lambda ds, at: ds.TFRecordDataset(_tf(at), compression_type="foo"),
)
_add(
    "csv",
    plain=lambda ds, at: ds.CSVDataset(at + "/a.csv", shuffle=False),
    typed=lambda ds, at: ds.CSVDataset(at + "/a.csv", column_defaults=[0, 0.0, "x"], shuffle=False),
    two=lambda ds, at: ds.CSVDataset([at + "/a.csv", at + "/b.csv"], shuffle=False, num_parallel_workers=2),
    shuffled=lambda ds, at: ds.CSVDataset([at + "/a.csv", at + "/b.csv"], num_parallel_workers=1),
    names=lambda ds, at: ds.CSVDataset(at + "/bare.csv", column_names=list("abcd"), shuffle=False),
    few_names=lambda ds, at: ds.CSVDataset(at + "/bare.csv", column_names=list("abc"), column_defaults=[1, 2, 3]),
    wrong_type=lambda ds, at: ds.CSVDataset(at + "/a.csv", column_defaults=[0, 0, "x"]),
    semicolon=lambda ds, at: ds.CSVDataset(at + "/semicolon.csv", ";", [1, "a"], ["x", "y"], shuffle=False),
    delimiter=lambda ds, at: ds.CSVDataset(at + "/a.csv", ",,"),
    shard=lambda ds, at: ds.CSVDataset(
        [at + "/a.csv", at + "/b.csv"], shuffle=False, num_shards=2, shard_id=1, num_parallel_workers=1
    ),
)
_add(
    "lines",
    plain=lambda ds, at: ds.TextFileDataset(at + "/*.txt", shuffle=False, num_parallel_workers=2),
    shard=lambda ds, at: ds.TextFileDataset(
        at + "/*.txt", shuffle=False, num_shards=2, shard_id=1, num_parallel_workers=2
    ),
    last_shard=lambda ds, at: ds.TextFileDataset(
        at + "/*.txt", shuffle=False, num_shards=5, shard_id=4, num_parallel_workers=1
    ),
    samples=lambda ds, at: ds.TextFileDataset(at + "/*.txt", shuffle=False, num_samples=4, num_parallel_workers=1),
    shuffled=lambda ds, at: ds.TextFileDataset(at + "/*.txt", num_parallel_workers=1).repeat(2),
    files=lambda ds, at: ds.TextFileDataset(at + "/*.txt", shuffle=ds.Shuffle.FILES, num_parallel_workers=1).repeat(3),
    shuffled_shard=lambda ds, at: ds.TextFileDataset(
        at + "/*.txt", num_shards=3, shard_id=2, num_parallel_workers=1
    ).repeat(3),
    missing=lambda ds, at: ds.TextFileDataset(at + "/*.none"),
    shard_alone=lambda ds, at: ds.TextFileDataset(at + "/*.txt", shard_id=1),
    shard_beyond=lambda ds, at: ds.TextFileDataset(at + "/*.txt", num_shards=4, shard_id=4),
)
_add(
    "clue",
    **{
        f"{task.lower()}_{usage}": lambda ds, at, task=task, usage=usage: ds.CLUEDataset(
            at + {"WSC": "/wsc.json", "CSL": "/csl.json"}.get(task, "/rows.json"), task, usage, shuffle=False
        )
        for task in ("AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC", "CSL")
        for usage in ("train", "test", "eval")
    },
    task=lambda ds, at: ds.CLUEDataset(at + "/rows.json", "foo"),
    no_field=lambda ds, at: ds.CLUEDataset(at + "/../lines/a.txt", "AFQMC"),
)
CASES.update(more_source_cases.CASES)
CASES.update(text_source_files.CASES)
CASES.update(audio_source_files.CASES)

# where real MindSpore does not count the rows it gives, but files or lines
OWN_SIZES = {
    "image_folder_classes": 4,
    "lsun_test": 2,
    "books_enwik9": 4,
    "sentences_CoNLL2000Dataset_default": 3,
    "sentences_CoNLL2000Dataset_train": 2,
    "sentences_UDPOSDataset_default": 6,
    "sentences_UDPOSDataset_train": 2,
    "sentences_UDPOSDataset_valid": 2,
    "speech_commands_train": 2,
    "speech_commands_test": 1,
    "speech_commands_valid": 1,
}


def make_files(folder: pathlib.Path) -> None:
    """All files, each kind in a folder of its own."""
    for name in dict.fromkeys(files for files, _ in CASES.values()):
        (folder / name).mkdir(parents=True)
        makers = [
            getattr(one, name, None) for one in (source_files, more_source_files, text_source_files, audio_source_files)
        ]
        next(filter(None, makers))(folder / name)


def outcome(ds: Any, folder: pathlib.Path, name: str) -> dict[str, Any]:
    """What a case gives: names, size, classes and rows, or the kind of its error."""
    files, make = CASES[name]
    ds.config.set_seed(3)
    try:
        dataset = make(ds, str(folder / files))
        result: dict[str, Any] = {"size": dataset.get_dataset_size(), "classes": dataset.num_classes()}
        try:
            indexing = dataset.get_class_indexing()
            result["indexing"] = indexing if len(indexing) < 10 else zlib.crc32(json.dumps(indexing).encode())
        except NotImplementedError as error:
            result["indexing"] = str(error)
        rows = dataset.create_dict_iterator(num_epochs=1, output_numpy=True)
        result["rows"] = [{column: _short(value) for column, value in row.items()} for row in rows]
    except (ValueError, TypeError, RuntimeError, OSError) as error:
        return {"error": type(error).__name__}
    return json.loads(json.dumps(result))


def _short(value: np.ndarray) -> list[Any]:
    """The type, the shape, and the values or, where they are many, their checksum."""
    kind = value.dtype.kind if value.dtype.kind in "SU" else value.dtype.name
    values = value.astype(str) if value.dtype.kind == "S" else value
    few = value.size <= 4 or value.dtype.kind in "SU"
    return [kind, list(value.shape), values.tolist() if few else zlib.crc32(np.ascontiguousarray(value).tobytes())]
