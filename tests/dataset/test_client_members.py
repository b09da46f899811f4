"""Names, members and forms of datasets that libraries rely on."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset.audio.transforms import AudioTensorOperation
from mindspore.dataset.engine import datasets, iterators
from mindspore.dataset.text.transforms import (
    DE_C_INTER_NORMALIZE_FORM,
    Implementation,
    NormalizeForm,
    TextTensorOperation,
)
from mindspore.dataset.vision.transforms import ImageTensorOperation, PyTensorOperation, TensorOperation


def numbers(count=5, **options):
    return ds.NumpySlicesDataset({"x": np.arange(count)}, **{"shuffle": False, **options})


def read(dataset, column="x"):
    return [int(row[column]) for row in dataset.create_dict_iterator(1, output_numpy=True)]


def test_the_size_is_an_attribute_once_it_was_asked_for():
    batches = numbers().batch(2)
    assert batches.dataset_size is None
    assert batches.get_dataset_size() == batches.dataset_size == 3


def test_datasets_are_sources_and_of_their_kind_of_data():
    kinds = {
        ds.MnistDataset: ds.VisionBaseDataset,
        ds.TextFileDataset: ds.TextBaseDataset,
        ds.LJSpeechDataset: ds.AudioBaseDataset,
        ds.GeneratorDataset: ds.UnionBaseDataset,
        ds.TFRecordDataset: ds.UnionBaseDataset,
    }
    for dataset, kind in kinds.items():
        assert issubclass(dataset, ds.SourceDataset)
        assert issubclass(dataset, kind)
    assert not issubclass(ds.MnistDataset, ds.TextBaseDataset)
    assert isinstance(numbers().batch(2), ds.UnionBaseDataset)
    assert not isinstance(numbers().batch(2), ds.SourceDataset)


# -- transforms of the program's own -------------------------------------------------------------------------------------
class Added(TensorOperation):
    def __init__(self):
        super().__init__()
        self.implementation = Implementation.PY

    def _execute_py(self, x):
        return x + 1


class AddedToImages(ImageTensorOperation):
    def _execute_py(self, x):
        return x + 1


class AddedToWaves(AudioTensorOperation):
    def __call__(self, x):
        return x + 1


class AddedPython(PyTensorOperation):
    def __call__(self, x):
        return x + 1


class AsFloat(TextTensorOperation):
    def parse(self):
        return ds.transforms.TypeCast(ms.float32).parse()


@pytest.mark.parametrize("kind", [Added, AddedToImages, AddedToWaves, AddedPython])
def test_a_transform_of_the_program_does_its_own(kind):
    assert read(numbers(3).map(kind(), "x")) == [1, 2, 3]


def test_a_transform_may_name_another_that_does_the_work():
    row = next(numbers().map(AsFloat(), "x").create_dict_iterator(1, output_numpy=True))
    assert row["x"].dtype == np.float32
    with pytest.raises(NotImplementedError, match=r"'parse\(self\)' that returns another transform"):
        TensorOperation()(1)


# -- samplers ------------------------------------------------------------------------------------------------------------
class Plain:
    def __iter__(self):
        return iter([2, 0])


class Arrays(ds.Sampler):
    def __iter__(self):
        yield np.array([3])
        yield np.array(1)
        yield np.array([0, 2])
        yield [4]


@pytest.mark.parametrize(("sampler", "chosen"), [(Plain(), [2, 0]), (Arrays(), [3, 1, 0, 2, 4])])
def test_a_sampler_is_any_object_that_gives_numbers_or_arrays_of_them(sampler, chosen):
    assert read(numbers(shuffle=None, sampler=sampler)) == chosen
    assert read(ds.GeneratorDataset(list(range(5)), ["x"], sampler=sampler)) == chosen


def test_a_sampler_tells_whether_it_shuffles_and_whether_it_shards():
    shuffles = {
        ds.RandomSampler(): True,
        ds.SequentialSampler(): False,
        ds.SubsetRandomSampler([1]): True,
        ds.SubsetSampler([1]): False,
        ds.WeightedRandomSampler([0.5]): True,
        ds.PKSampler(2): False,
        ds.PKSampler(2, shuffle=True): True,
        ds.DistributedSampler(2, 0, shuffle=False): False,
    }
    assert {sampler: sampler.is_shuffled() for sampler in shuffles} == shuffles
    assert [sampler.is_sharded() for sampler in shuffles] == [False] * 7 + [True]
    outer = ds.SequentialSampler()
    outer.add_child(ds.DistributedSampler(2, 0))
    assert outer.is_shuffled()
    assert outer.is_sharded()
    assert numbers(shuffle=None, sampler=outer).is_sharded()


def test_a_concatenation_takes_another_sampler():
    both = numbers(3) + numbers(3)
    both.use_sampler(ds.DistributedSampler(2, 1, shuffle=False))
    assert read(both) == [1, 0, 2]


# -- columns -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "inputs", "outputs", "expected"),
    [
        (lambda x: x + 1, ["x"], ["y"], {"y": 2, "z": 100}),
        (lambda x, y: (y, x), ["x", "y"], ["y", "x"], {"y": 10, "x": 1, "z": 100}),
        (lambda x: (x + 1, x + 2), ["x"], ["x", "y"], {"x": 2, "y": 10, "z": 100}),
        (lambda x: (x + 1, x + 2), ["x"], ["y", "new"], {"new": 3, "y": 10, "z": 100}),
        (lambda x, y: x + y, ["x", "y"], ["z"], {"z": 100}),
    ],
)
def test_a_map_may_name_columns_that_are_there(function, inputs, outputs, expected):
    data = ds.NumpySlicesDataset({"x": [1], "y": [10], "z": [100]}, shuffle=False).map(function, inputs, outputs)
    row = next(data.create_dict_iterator(1, output_numpy=True))
    assert list(row.items()) == list(expected.items())
    assert data.get_col_names() == list(expected)


def test_the_function_of_a_batch_may_not():
    data = ds.NumpySlicesDataset({"x": [1], "y": [10]}, shuffle=False)
    batches = data.batch(1, per_batch_map=lambda x, info: (x,), input_columns=["x"], output_columns=["y"])
    with pytest.raises(RuntimeError, match=r"not in input_columns: \['y'\], output_columns: \['y'\]"):
        next(batches.create_dict_iterator(1))


# -- ending iterators -----------------------------------------------------------------------------------------------------
def test_all_iterators_are_ended_together():
    first, second = (numbers(1000).create_dict_iterator() for _ in range(2))
    next(first)
    iterators._cleanup()
    for iterator in (first, second):
        with pytest.raises(RuntimeError, match=r"ended by stop\(\)"):
            next(iterator)
    assert read(numbers(2)) == [0, 1]


def test_the_note_about_ending_them_is_set_and_taken_back():
    assert not iterators.check_iterator_cleanup()
    iterators._set_iterator_cleanup()
    assert iterators.check_iterator_cleanup()
    iterators._unset_iterator_cleanup()
    assert not iterators.check_iterator_cleanup()


# -- rows that wait, rows of different shapes, pictures that are blended -----------------------------------------------------
def test_rows_wait_by_batches_where_batches_follow():
    seen = []
    batches = numbers(8).sync_wait("policy", callback=seen.append).batch(4)
    for count, row in enumerate(batches.create_dict_iterator(1, output_numpy=True)):
        assert row["x"].tolist() == list(range(4 * count, 4 * count + 4))
        batches.sync_update("policy", data=count)
    assert seen == [0, 1]


def test_slices_may_have_different_shapes():
    data = ds.NumpySlicesDataset([[1], [1, 2], [1, 2, 3]], "x", shuffle=False)
    assert [row["x"].tolist() for row in data.create_dict_iterator(1, output_numpy=True)] == [[1], [1, 2], [1, 2, 3]]
    padded = data.padded_batch(3, True, pad_info={})
    assert next(padded.create_dict_iterator(1, output_numpy=True))["x"].tolist() == [[1, 0, 0], [1, 2, 0], [1, 2, 3]]


def test_one_weight_blends_a_whole_batch_and_one_picture_a_batch_of_weights():
    pictures, labels = np.random.rand(4, 8, 8, 3), np.eye(4)
    blended, mixed = ds.vision.MixUp(batch_size=1, alpha=0.2)(pictures, labels)
    assert blended.shape == (4, 8, 8, 3)
    assert np.allclose(mixed.sum(1), 1)
    blended, mixed = ds.vision.MixUp(batch_size=2, alpha=0.2, is_single=False)(pictures[0], np.array([[0, 1]]))
    assert blended.shape == (2, 8, 8, 3)
    assert mixed.shape == (2, 2)
    with pytest.raises(ValueError, match="must have 3 images and labels, but got 4 and 4"):
        ds.vision.MixUp(batch_size=3, alpha=0.2)(pictures, labels)


def test_what_lets_rows_go_on_can_be_asked_for():
    waiting = numbers(4).sync_wait("policy")
    assert waiting.is_sync()
    assert not numbers().is_sync()
    assert list(waiting.get_sync_notifiers()) == ["policy"]
    waiting.get_sync_notifiers()["policy"](1)
    waiting.disable_sync()
    assert read(waiting) == [0, 1, 2, 3]


def test_an_iterator_tells_the_columns():
    assert numbers().create_tuple_iterator().get_col_names() == ["x"]


def test_the_dataset_of_a_training_begins_where_it_stood():
    data = numbers(5)
    datasets._set_training_dataset(data)
    assert datasets._get_training_dataset() is data
    datasets._reset_training_dataset(8, 5)
    assert read(data) == [3, 4]


# -- names ------------------------------------------------------------------------------------------------------------------
def test_image_transforms_are_found_where_they_stood_first():
    assert ds.transforms.vision.Resize is ds.vision.Resize
    assert DE_C_INTER_NORMALIZE_FORM[NormalizeForm.NFD] is ds.text.NormalizeForm.NFD
    assert ds.set_seed is ds.config.set_seed
    assert ds.samplers.SequentialSampler is ds.SequentialSampler


def test_texts_give_their_words():
    words = ds.NumpySlicesDataset(["a", "b", "a", "c"], ["text"], shuffle=False)
    vocab = words.build_vocab("text", None, 2, ["<pad>"], True)
    assert vocab.vocab() == {"<pad>": 0, "a": 1, "b": 2}
