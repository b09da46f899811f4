"""dataset.transforms against real MindSpore's answers, and what real MindSpore can not be asked."""

from __future__ import annotations

import importlib
import json
import pathlib

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import Tensor, dtype
from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset import transforms, vision
from mindspore.dataset.transforms import c_transforms, py_transforms, py_transforms_util, validators
from tools.oracle import dataset_cases

ANSWERS = json.loads(
    (pathlib.Path(__file__).parents[1] / "data" / "dataset_transforms.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", ANSWERS)
def test_result_is_that_of_real_mindspore(case, tmp_path):
    names = dataset_cases.namespace(dtype, transforms, None, str(tmp_path))
    assert json.loads(json.dumps(dataset_cases.answer(case, names))) == ANSWERS[case]


def test_every_case_was_recorded():
    assert list(ANSWERS) == dataset_cases.lines(dataset_cases.TRANSFORMS)


NUMBERS = np.random.RandomState(0).randint(0, 5, (6, 4))


@pytest.mark.parametrize(
    ("operation", "stack"),
    [
        (transforms.TypeCast("uint8"), NUMBERS * 77.7 - 100),
        (transforms.TypeCast("float32"), NUMBERS),
        (transforms.OneHot(5), NUMBERS[:, 0]),
        (transforms.OneHot(5), NUMBERS[:, :1]),
        (transforms.OneHot(5), NUMBERS[:1, 0]),
        (transforms.OneHot(5, 0.1), NUMBERS),
        (transforms.Fill(3.5), NUMBERS),
        (transforms.Mask(transforms.Relational.GE, 2), NUMBERS),
        (transforms.Slice([0, -1]), NUMBERS),
        (transforms.Slice(slice(1, 3)), NUMBERS),
        (transforms.Slice(2), NUMBERS),
        (transforms.PadEnd([6], 7), NUMBERS),
        (transforms.PadEnd([2]), NUMBERS),
    ],
)
def test_a_block_has_the_same_bits_as_its_samples(operation, stack):
    block = operation.block(stack)
    assert len(block) == len(stack)
    for sample, result in zip(stack, block):
        expected = operation.run(sample)
        assert expected.dtype == result.dtype
        np.testing.assert_array_equal(expected, result)


def test_what_a_block_can_not_take_is_left_to_the_samples():
    assert transforms.OneHot(3).block(np.zeros((2, 1, 1), int)) is NotImplemented
    assert transforms.TypeCast("int32").block(np.array(["a"])) is NotImplemented


def test_tensors_are_taken():
    np.testing.assert_array_equal(transforms.TypeCast(dtype.int64)(Tensor([1, 2])), [1, 2])


def test_single_values_are_not_padded():
    assert transforms.PadEnd([3, 4], 1)(np.array(5)) == 5


def test_comparisons_of_single_values_are_arrays():
    assert isinstance(transforms.Mask(transforms.Relational.EQ, 1)(np.array(1)), np.ndarray)
    assert transforms.Mask(transforms.Relational.EQ, "a")(np.array([b"a", b"b"])).tolist() == [True, False]


def test_errors_of_functions_in_a_compose_come_with_their_traceback():
    def fails(x):
        raise KeyError("mine")

    for made in (transforms.Compose([fails]), transforms.RandomApply([fails], 1.0)):
        with pytest.raises(
            RuntimeError, match=r"user defined Python function in dataset.*fails\] failed[\s\S]*raise KeyError"
        ):
            made(np.array(1))
    with pytest.raises(RuntimeError, match=r"\[RandomApply\] failed at sample 0[\s\S]*raise KeyError"):
        list(ds.NumpySlicesDataset([1]).map(transforms.RandomApply([fails], 1.0)).create_tuple_iterator(num_epochs=1))
    with pytest.raises(RuntimeError, match=r"For 'TypeCast', the sample must be one of 1 value\(s\), but got 2"):
        transforms.Compose([transforms.TypeCast("int32")])(np.array(1), np.array(2))


def test_negative_labels_are_refused():
    with pytest.raises(RuntimeError, match="OneHot: index values should not be negative, but got: -1"):
        transforms.OneHot(4)(np.array(-1))


def test_pad_end_keeps_axes_given_as_none():
    np.testing.assert_array_equal(transforms.PadEnd([None, 3], -1)(np.array([[1, 2]])), [[1, 2, -1]])


def test_errors_name_the_argument():
    with pytest.raises(TypeError, match=r"For 'TypeCast', the 'data_type' must be .* but got 'foo'"):
        transforms.TypeCast("foo")
    with pytest.raises(ValueError, match="For 'OneHot', the 'smoothing_rate' must be in range"):
        transforms.OneHot(4, 2.0)
    with pytest.raises(TypeError, match=r"For 'Compose', transforms\[1\] is neither"):
        transforms.Compose([transforms.Unique(), 3])


def test_a_plugin_is_refused_with_the_way_out():
    with pytest.raises(RuntimeError, match="Python function"):
        transforms.Plugin("a.so", "f")


def test_random_ones_depend_on_the_generator_alone():
    operation = transforms.RandomOrder([lambda x: x + 1, lambda x: x * 2, lambda x: x - 3])
    first = [int(operation.run(SampleRandom(seed), np.array(5))) for seed in range(50)]
    assert first == [int(operation.run(SampleRandom(seed), np.array(5))) for seed in range(50)]
    assert len(set(first)) > 2


def test_random_apply_follows_its_probability():
    operation = transforms.RandomApply([lambda x: x + 1], 0.3)
    hits = sum(int(operation.run(SampleRandom(seed), np.array(0))) for seed in range(2000))
    assert 500 < hits < 700


def test_random_choice_reaches_every_transform():
    operation = transforms.RandomChoice([transforms.Fill(one) for one in range(4)])
    assert {int(operation.run(SampleRandom(seed), np.array(0))) for seed in range(100)} == {0, 1, 2, 3}


def test_compose_is_random_when_a_part_is():
    plain = transforms.Compose([transforms.TypeCast("int32"), lambda x: x + 1])
    mixed = transforms.Compose([plain, transforms.RandomApply([lambda x: x + 1], 1.0)])
    assert not plain.is_random and mixed.is_random
    assert plain(np.array(1.5)) == 2 and mixed(np.array(1.5)) == 3
    assert mixed.run(SampleRandom(0), np.array(1.5)) == 3


def test_transforms_of_the_user_are_called_by_either_method():
    class ByCall(transforms.PyTensorOperation):
        def __call__(self, x):
            return x + 1

    class ByExecute(transforms.TensorOperation, transforms.PyTensorOperation):
        def _execute_py(self, x):
            return x * 2

    assert transforms.Compose([ByCall(), ByExecute()])(np.array(3)) == 8
    with pytest.raises(NotImplementedError, match="_execute_py"):
        transforms.PyTensorOperation()(1)


def test_old_spellings_are_the_same_transforms():
    assert c_transforms.TypeCast is transforms.TypeCast
    assert c_transforms.Relational is transforms.Relational
    assert py_transforms.Compose is transforms.Compose


def test_one_hot_of_python_transforms():
    np.testing.assert_allclose(
        py_transforms.OneHotOp(3, 0.1)(np.array([1, 2])),
        [[0.03333333, 0.93333333, 0.03333333], [0.03333333, 0.03333333, 0.93333333]],
        rtol=1e-6,
    )
    for label in (np.array(3), np.array(-1), np.array(1.5), 1):
        with pytest.raises(ValueError):
            py_transforms_util.one_hot_encoding(label, 3, 0.0)


def test_functions_behind_python_transforms():
    assert py_transforms_util.random_apply(1, [lambda x: x + 1], 1.0) == 2
    assert py_transforms_util.random_choice(1, [lambda x: x + 1]) == 2
    assert py_transforms_util.random_order(1, [lambda x: x + 1]) == 2
    assert py_transforms_util.all_numpy((np.zeros(1), np.zeros(2))) and not py_transforms_util.all_numpy((1,))


def test_decorator_checks_before_the_constructor():
    class Sometimes:
        @validators.check_random_transform_ops
        def __init__(self, transforms, prob=0.5):
            self.prob = prob

    assert Sometimes([len], prob=0.2).prob == 0.2
    with pytest.raises(ValueError, match="'prob' must be in range"):
        Sometimes([len], 2.0)
    with pytest.raises(TypeError, match="'transforms' must be 'list'"):
        Sometimes(len)


def test_image_transforms_are_found_at_their_oldest_place():
    import_module = importlib.import_module
    for name in ("c_transforms", "py_transforms", "utils"):
        old = import_module(f"mindspore.dataset.transforms.vision.{name}")
        assert old is import_module(f"mindspore.dataset.vision.{name}")
    assert import_module("mindspore.dataset.transforms.vision").Inter.BICUBIC == old.Inter.BICUBIC


# -- compounds in a pipeline ---------------------------------------------------------------------------------------------
def _scaled():
    return [vision.Rescale(1 / 255, 0), vision.Normalize([0.1, 0.2, 0.3], [0.5, 0.6, 0.7]), vision.HWC2CHW()]


def _rows_of(operation, **options):
    images = [np.random.RandomState(i).randint(0, 255, (6, 5, 3)).astype(np.uint8) for i in range(3)]
    mapped = ds.NumpySlicesDataset({"image": images}, shuffle=False).map(operation, "image", **options)
    return [row[0] for row in mapped.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def _plus_one(x):
    return x + 1


@pytest.mark.parametrize("build", [
    lambda: transforms.Compose(_scaled()),
    lambda: transforms.Compose([transforms.Compose(_scaled()[:2]), transforms.Compose([_scaled()[2]])]),
    lambda: transforms.Compose([transforms.RandomApply(_scaled()[:2], 1.0), _scaled()[2]]),
    lambda: transforms.RandomApply([transforms.Compose(_scaled())], 1.0),
    lambda: transforms.RandomChoice([transforms.Compose(_scaled()), transforms.Compose(_scaled())]),
    lambda: transforms.RandomOrder([transforms.Compose(_scaled())]),
    lambda: c_transforms.Compose(_scaled()),
    lambda: py_transforms.Compose(_scaled()),
])  # fmt: skip
def test_compounds_of_image_operations_equal_a_list_of_them_in_a_map(build):
    expected = _rows_of(_scaled())
    for rows in (_rows_of(build()), _rows_of([build()]), _rows_of(build(), num_parallel_workers=2)):
        np.testing.assert_array_equal(rows, expected)


def test_compounds_of_operations_and_functions_mix_in_a_map():
    expected = [row + 1 for row in _rows_of(_scaled())]
    np.testing.assert_array_equal(_rows_of(transforms.Compose([*_scaled(), _plus_one])), expected)
    np.testing.assert_array_equal(_rows_of([transforms.Compose(_scaled()), _plus_one]), expected)
    assert _rows_of(transforms.Compose([vision.ToPIL(), vision.Resize((4, 4)), vision.ToTensor()]))[0].shape == (
        3,
        4,
        4,
    )


def test_compounds_take_and_give_several_columns():
    data = ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False)
    swap = transforms.Compose([lambda a, b: (b, a), transforms.RandomApply([lambda a, b: (a, b)], 1.0)])
    both = data.map(swap, ["a", "b"]).create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert [[int(one) for one in row] for row in both] == [[3, 1], [4, 2]]
    one = data.map(transforms.Compose([lambda a, b: a + b, transforms.TypeCast("float32")]), ["a", "b"], ["sum"])
    assert [float(row[0]) for row in one.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [4, 6]


def test_transforms_made_of_others_take_tensors() -> None:
    image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    for made in (
        transforms.Compose([vision.Invert()]),
        transforms.RandomApply([vision.Invert()], 1.0),
        transforms.RandomChoice([vision.Invert()]),
        transforms.Compose([lambda x: x + 0, vision.Invert()]),
    ):
        np.testing.assert_array_equal(made(Tensor(image)), 255 - image)
