"""Mistakes in pipelines are answered with the column, the shapes or types, and the row; answers are MindSpore's own."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import audio, transforms, vision


def rows(dataset: ds.Dataset) -> list:
    return [[value.tolist() for value in row] for row in dataset.create_tuple_iterator(output_numpy=True, num_epochs=1)]


def numbers(values=(0.0, 1.0, 2.0, 3.0), labels=(0, 1, 2, 3)) -> ds.Dataset:
    return ds.NumpySlicesDataset({"x": list(values), "y": list(labels)}, shuffle=False)


def ragged(*arrays) -> ds.Dataset:
    return ds.GeneratorDataset([(one, np.int32(0)) for one in arrays], ["image", "label"], shuffle=False)


class Source:
    def __init__(self, answer, length=4):
        self.answer, self.length = answer, length

    def __getitem__(self, index):
        return self.answer(index)

    def __len__(self):
        return self.length


class WithoutLength:
    def __getitem__(self, index):
        return index


def items(answer, columns=("image",), **options):
    return ds.GeneratorDataset(Source(answer, **options), list(columns), shuffle=False)


def fails(value):
    return value[99]


MISTAKES = {
    "shapes in a batch": (
        lambda: ragged(np.ones(2), np.ones(2), np.ones(3)).batch(3),
        RuntimeError, ["column 'image'", "[2]", "[3]", "sample 0", "sample 2", "padded_batch"]),
    "shapes in the second batch": (
        lambda: ragged(*[np.ones(2)] * 3, np.ones((2, 2))).batch(2), RuntimeError, ["sample 3", "[2, 2]", "batch 1"]),
    "types in a batch": (
        lambda: ragged(np.ones(2, np.float32), np.ones(2)).batch(2),
        RuntimeError, ["column 'image'", "float32", "float64", "sample 1", "TypeCast"]),
    "text and numbers in a batch": (lambda: ragged(np.ones(2), np.array(["a", "b"])).batch(2), RuntimeError, ["column 'image'"]),
    "unknown column to pad": (
        lambda: ragged(np.ones(1), np.ones(2)).padded_batch(2, pad_info={"img": ([4], 0)}),
        RuntimeError, ["column name: img does not exist", "['image', 'label']"]),
    "rank to pad to": (
        lambda: ragged(np.ones(1), np.ones(2)).padded_batch(2, pad_info={"image": ([4, 4], 0)}),
        RuntimeError, ["pad_shapes rank:2, column rank: 1", "'image'"]),
    "ranks to pad": (
        lambda: ragged(np.ones(1), np.ones((2, 2))).padded_batch(2, pad_info={"image": None}),
        RuntimeError, ["same rank", "'image'", "[2, 2]"]),
    "text as padding": (
        lambda: ragged(np.ones(1), np.ones(2)).padded_batch(2, pad_info={"image": ([4], "a")}),
        RuntimeError, ["can not pad numeric and string", "'image'"]),
    "rows of per_batch_map": (
        lambda: numbers().batch(4, per_batch_map=lambda x, info: (x[:2],), input_columns=["x"]),
        RuntimeError, ["column: x expects: 4 rows", "got: 2", "batch 0"]),
    "concatenated columns": (
        lambda: numbers() + ds.NumpySlicesDataset({"a": [1.0]}), RuntimeError, ["'column name' or 'column order'", "['x', 'y']", "['a']"]),
    "concatenated types": (
        lambda: numbers() + numbers(labels=(0.0, 1.0, 2.0, 3.0)), RuntimeError, ["data types", "int64 and float64", "column 'y'"]),
    "concatenated ranks": (
        lambda: numbers() + numbers(values=[[1.0]] * 4), RuntimeError, ["rank", "0 and 1", "column 'x'"]),
    "zipped columns": (lambda: numbers().zip(numbers()), RuntimeError, ["'x'", "rename"]),
    "renamed into another": (lambda: numbers().rename("x", "y"), RuntimeError, ["existing column name is: y"]),
    "a function that fails": (
        lambda: ragged(np.ones(2)).map(fails, "image"), RuntimeError, ["[fails]", "sample 0", "column 'image'", "float64 of shape (2,)"]),
    "a function without return": (
        lambda: numbers().map(lambda x: None, "x"), RuntimeError, ["Got None", "column 'x'", "sample 0"]),
    "a transform that fails": (
        lambda: numbers().map(ds.vision.HWC2CHW(), "x"), RuntimeError, ["[HWC2CHW]", "column 'x'"]),
    "a class as transform": (lambda: numbers().map(ds.vision.HWC2CHW, "x"), ValueError, ["missing parentheses", "HWC2CHW(...)"]),
    "a number as transform": (lambda: numbers().map(3, "x"), ValueError, ["callable", "3"]),
    "columns without a function": (lambda: numbers().batch(2, input_columns=["x"]), ValueError, ["per_batch_map"]),
    "a source without length": (lambda: ds.GeneratorDataset(WithoutLength(), ["a"]), RuntimeError, ["'__len__' method is required"]),
    "an empty source": (lambda: items(lambda i: i, length=0), RuntimeError, ["must not be 0"]),
    "an empty array": (lambda: ds.NumpySlicesDataset(np.zeros((0, 2))), ValueError, ["cannot be empty", "(0, 2)"]),
    "arrays of different lengths": (lambda: ds.NumpySlicesDataset({"x": [1, 2], "y": [1]}), ValueError, ["'x': 2", "'y': 1"]),
    "None as a row": (lambda: items(lambda i: None), RuntimeError, ["row 0", "None", "column 'image'"]),
    "lists of different lengths": (lambda: items(lambda i: ([[1, 2], [3]],)), RuntimeError, ["row 0", "[[1, 2], [3]]", "equal lengths"]),
    "too few values in a row": (
        lambda: items(lambda i: np.ones(2), ("image", "label")), RuntimeError, ["size of column_names is:2", "NumPy array is:1", "['image', 'label']"]),
    "a number as sampler": (lambda: ds.NumpySlicesDataset([1, 2], sampler=1), TypeError, ["either iterable"]),
    "two orders": (
        lambda: ds.NumpySlicesDataset([1, 2], sampler=ds.SubsetSampler([0]), shuffle=True), ValueError, ["Conflicting arguments", "SubsetSampler"]),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_answered_with_its_place(name):
    make, kind, words = MISTAKES[name]
    with pytest.raises(kind) as caught:
        rows(make())
    first = str(caught.value).split("\n", 1)[0]
    for word in words:
        assert word in first, f"{word!r} is not in {first!r}"


def test_mistakes_found_by_worker_processes_are_answered_the_same():
    source = ragged(np.ones(2), np.ones(2), np.ones(3))
    with pytest.raises(RuntimeError) as caught:
        rows(source.map(np.copy, "image", python_multiprocessing=True, num_parallel_workers=2).batch(3))
    assert all(word in str(caught.value) for word in MISTAKES["shapes in a batch"][2])


# -- samplers ------------------------------------------------------------------------------------------------------------
class Iterable:
    def __iter__(self):
        return iter([2, 0])


class Indexed:
    def __getitem__(self, position):
        return [2, 0, 2, 1][position]


class Counted(Indexed):
    def __len__(self):
        return 2


@pytest.mark.parametrize(
    ("sampler", "expected"), [(Iterable, [2, 0]), (Indexed, [2, 0, 2, 1]), (Counted, [2, 0]), (lambda: [2, 0], [2, 0])]
)
@pytest.mark.parametrize("options", [{}, {"shuffle": False}, {"shuffle": True}])
def test_numbers_of_the_programs_own_decide_the_order(sampler, expected, options):
    source = Source(lambda i: np.array(i), 3)
    assert rows(ds.GeneratorDataset(source, ["c"], sampler=sampler(), **options)) == [[i] for i in expected]
    assert rows(ds.NumpySlicesDataset([10, 11, 12], ["c"], sampler=sampler(), **options)) == [
        [10 + i] for i in expected
    ]


@pytest.mark.parametrize(
    ("shards", "shard", "expected"), [(2, 0, [1, 3, 5]), (2, 1, [2, 4]), (3, 1, [2, 5]), (4, 3, [4])]
)
def test_datasets_behind_each_other_are_divided_among_processes(shards, shard, expected):
    data = ds.GeneratorDataset([1, 2, 3], "c", shuffle=False) + ds.GeneratorDataset([4, 5], "c")
    data.use_sampler(ds.DistributedSampler(shards, shard, shuffle=False))
    assert rows(data) == rows(data) == [[one] for one in expected]
    assert data.get_dataset_size() == len(expected)


def test_datasets_behind_each_other_are_mixed_and_keep_their_orders():
    ds.config.set_seed(3)
    data = ds.GeneratorDataset(list(range(9)), "c", shuffle=False) + ds.GeneratorDataset(
        list(range(9, 30)), "c", shuffle=False
    )
    data.use_sampler(ds.RandomSampler())
    found = [row[0] for row in rows(data)]
    assert sorted(found) == list(range(30)) != found
    assert [one for one in found if one < 9] == list(range(9)) and [one for one in found if one >= 9] == list(
        range(9, 30)
    )


@pytest.mark.parametrize(
    ("sampler", "kind", "words"),
    [
        (ds.SequentialSampler(), TypeError, "must be DistributedSampler or RandomSampler"),
        (None, TypeError, "must be DistributedSampler or RandomSampler"),
        (ds.DistributedSampler(2, 0), ValueError, "shuffle of DistributedSampler must be False"),
        (ds.DistributedSampler(2, 0, False, 1), ValueError, "num_samples of DistributedSampler"),
        (ds.RandomSampler(True), ValueError, "replacement of RandomSampler must be False"),
    ],
)
def test_other_samplers_of_datasets_behind_each_other_are_refused(sampler, kind, words):
    with pytest.raises(kind, match=words):
        (numbers() + numbers()).use_sampler(sampler)


def test_batches_behind_each_other_are_not_divided():
    with pytest.raises(TypeError, match="must not be BatchDataset"):
        (numbers().batch(2) + numbers().batch(2)).use_sampler(ds.DistributedSampler(2, 0, shuffle=False))


# -- samples that fail -----------------------------------------------------------------------------------------------------
@pytest.fixture
def error_samples_mode():
    yield ds.config.set_error_samples_mode
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


def positive(value):
    if value < 0:
        raise ValueError("bad")
    return value


def mapped(*values, **options):
    return ds.GeneratorDataset(list(values), "c", shuffle=False).map(positive, "c", **options)


@pytest.mark.parametrize(
    ("values", "skipped", "replaced"),
    [
        ((0, -1, 2, 3), [0, 2, 3], [0, 2, 3, 0]),
        ((-1, 0, 2), [0, 2], [0, 2, 0]),
        ((0, -1, 2, -1, -1, 3), [0, 2, 3], [0, 2, 3, 0, 2, 3]),
        ((0, 1), [0, 1], [0, 1]),
    ],
)
def test_samples_that_fail_are_left_out_or_replaced(error_samples_mode, values, skipped, replaced):
    error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    assert rows(mapped(*values)) == [[one] for one in skipped]
    error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)
    assert rows(mapped(*values)) == [[one] for one in replaced]
    error_samples_mode(ds.config.ErrorSamplesMode.RETURN)
    if min(values) < 0:
        with pytest.raises(RuntimeError, match="bad"):
            rows(mapped(*values))


def test_batches_have_no_holes_where_samples_failed(error_samples_mode):
    error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    assert rows(mapped(0, -1, 2, 3, 4).batch(2)) == [[[0, 2]], [[3, 4]]]
    error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)
    assert rows(mapped(0, -1, 2, 3, 4).batch(2)) == [[[0, 2]], [[3, 4]], [[0]]]


def test_samples_that_fail_in_worker_processes_are_left_out(error_samples_mode):
    error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    assert rows(mapped(0, -1, 2, python_multiprocessing=True, num_parallel_workers=2)) == [[0], [2]]


def test_what_no_sample_can_pass_is_told(error_samples_mode):
    error_samples_mode(ds.config.ErrorSamplesMode.REPLACE)
    with pytest.raises(RuntimeError, match="All data is garbage"):
        rows(mapped(-1, -1))
    error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    assert rows(mapped(-1, -1)) == []
    with pytest.raises(RuntimeError, match="Invalid columns"):
        rows(numbers().map(lambda x: (x, x), "x", output_columns=["a"]))
    with pytest.raises(TypeError, match="ErrorSamplesMode"):
        error_samples_mode(1)


def test_the_iterator_mode_is_kept():
    assert ds.config.get_iterator_mode() == {"do_copy": False, "parallel_convert": False}
    ds.config.set_iterator_mode(do_copy=True)
    assert ds.config.get_iterator_mode() == {"do_copy": True, "parallel_convert": False}
    ds.config.set_iterator_mode()
    with pytest.raises(TypeError, match=re.escape("do_copy with value 1 is not of type")):
        ds.config.set_iterator_mode(do_copy=1)


# -- sounds ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int16, np.bool_])
def test_cepstra_are_float32_of_any_sound(dtype):
    sound = (np.linspace(0, 9, 800).reshape(1, -1) % 1 * 100).astype(dtype)
    for transform in (audio.MFCC(4000, 8), audio.LFCC(4000, n_lfcc=8)):
        assert transform(sound).dtype == np.float32
    assert audio.Vol(0.5)(sound).dtype == (np.float64 if dtype is np.float64 else np.float32)
    assert audio.Flanger(4000)(sound).dtype == sound.dtype


@pytest.mark.parametrize("frequencies", [10, 16, 201])
def test_spectra_of_any_number_of_frequencies_are_stretched(frequencies):
    spectrum = np.random.default_rng(1).random((frequencies, 8, 2))
    assert audio.TimeStretch()(spectrum).shape == (1, frequencies, 8, 2)
    assert audio.TimeStretch(fixed_rate=2.0)(spectrum).shape == (frequencies, 4, 2)
    assert audio.TimeStretch(n_freq=400, fixed_rate=0.7)(spectrum[None, None]).shape == (1, 1, frequencies, 12, 2)


@pytest.mark.parametrize(
    ("mistake", "kind", "words"),
    [
        (lambda: transforms.Compose([vision.HWC2CHW]), ValueError, r"missing parentheses.*write HWC2CHW\(\.\.\.\)"),
        (lambda: numbers().project([]), ValueError, "'columns' should not be empty"),
        (lambda: ds.TextFileDataset([]), ValueError, "dataset_files can not be empty"),
        (lambda: ds.TFRecordDataset(()), ValueError, "dataset_files can not be empty"),
        (lambda: ds.CSVDataset([]), ValueError, "dataset_files can not be empty"),
        (lambda: ds.NumpySlicesDataset([1, 2], num_shards=2), ValueError, "passed in together, but got 2 and None"),
        (
            lambda: numbers().batch(2, per_batch_map=lambda x: (x,), input_columns=["x"]),
            ValueError,
            r"signature of per_batch_map should match .*called with 2 arguments.*takes \(x\)",
        ),
        (
            lambda: rows(ds.GeneratorDataset([1], ["x"], column_types=[ms.float32])),
            RuntimeError,
            "column 'x' is of type int64, specified column type: float32",
        ),
    ],
)
def test_mistakes_that_would_be_met_late_or_never_are_named(mistake, kind, words) -> None:
    with pytest.raises(kind, match=words):
        mistake()


def test_a_source_of_the_types_it_declares_is_read() -> None:
    source = [(np.float32(1), "a", 2), (np.float32(3), "bcd", 4)]
    data = ds.GeneratorDataset(source, ["x", "y", "z"], [ms.float32, ms.string, np.int64], shuffle=False)
    assert rows(data) == [[1.0, "a", 2], [3.0, "bcd", 4]]
    assert len(rows(numbers().batch(2, per_batch_map=lambda *columns: (columns[0],), input_columns=["x"]))) == 2
