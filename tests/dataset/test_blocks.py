"""Rows are computed in blocks, and operations put together: the results are those of one row and one operation at a time."""

import queue

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset import transforms, vision
from mindspore.dataset._pipeline import batches
from mindspore.dataset._pipeline.prefetcher import Runner
from mindspore.dataset._pipeline.rows import MemoryOrigin, Rows
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import StepStage
from mindspore.dataset._pipeline.steps import MapChain
from mindspore.dataset.core.lookup import looked_up_planes
from mindspore.dataset.core.operation import RandomOperation

IMAGES = np.random.RandomState(0).randint(0, 256, (70, 10, 9, 3)).astype(np.uint8)


@pytest.fixture(autouse=True)
def seed():
    before = ds.config.get_seed()
    yield
    ds.config.set_seed(before)


def images(count=70, channels=3):
    return ds.NumpySlicesDataset({"image": IMAGES[:count, :, :, :channels], "n": np.arange(count)}, shuffle=False)


def read(data, **options):
    rows = list(data.create_dict_iterator(output_numpy=True, num_epochs=1, **options))
    return {name: np.concatenate([row[name] for row in rows]) for name in rows[0]}


def chains():
    random = [vision.RandomCrop((8, 8), 2), vision.RandomHorizontalFlip()]
    to_floats = [vision.Rescale(1 / 255, -0.5), vision.Normalize([0.1, 0.2, 0.3], [0.9, 0.8, 0.7]), vision.HWC2CHW()]
    return {
        "floats": to_floats,
        "random, then floats": random + to_floats,
        "without moving channels": to_floats[:2],
        "normalize and move": to_floats[1:],
        "a Python function between": [*random, lambda image: 255 - image, *to_floats],
        "to PIL and back": [vision.ToPIL(), vision.RandomVerticalFlip(), vision.ToNumpy(), *to_floats],
    }


@pytest.mark.parametrize("name", chains())
@pytest.mark.parametrize("separate", [False, True], ids=["one map", "a map for each"])
def test_operations_together_give_what_each_gives_alone(name, separate):
    operations = chains()[name]
    ds.config.set_seed(4)
    data = images()
    for one in [[operation] for operation in operations] if separate else [operations]:
        data = data.map(one, "image")
    found = read(data.batch(16))["image"]
    expected = []
    for ticket, image in enumerate(IMAGES):
        for position, operation in enumerate(operations):
            # maps are numbered from the outermost, which is the last
            seeds = (len(operations) - 1 - position, 0) if separate else (0, position)
            random = SampleRandom(4, *seeds, 2**40 + ticket)
            image = operation.run(random, image) if isinstance(operation, RandomOperation) else operation(image)
            image = np.asarray(image) if separate else image
        expected.append(image)
    np.testing.assert_array_equal(found, np.stack(expected))


def test_random_results_depend_neither_on_the_number_nor_on_the_kind_of_workers():
    def result(**options):
        ds.config.set_seed(6)
        data = images().shuffle(20).map(vision.RandomCrop((8, 8), 2), "image", **options)
        data = data.map([vision.RandomHorizontalFlip(), vision.RandomRotation(20)], "image", **options)
        return read(data.map([vision.Rescale(0.1, 0.0), vision.HWC2CHW()], "image", **options).batch(9))

    expected = result(num_parallel_workers=1)
    for options in ({"num_parallel_workers": 5}, {"num_parallel_workers": 2, "python_multiprocessing": True}):
        for name, column in result(**options).items():
            np.testing.assert_array_equal(column, expected[name])


def test_maps_of_one_column_behind_each_other_become_one_step():
    data = images().map(vision.Rescale(2.0, 0.0), "image").map(vision.HWC2CHW(), "image", "image")
    stage = PipelineContext().build(data)
    assert isinstance(stage, StepStage) and isinstance(stage.step, MapChain) and not isinstance(stage.child, StepStage)
    apart = PipelineContext().build(
        images().map(vision.Rescale(2.0, 0.0), "image").map(transforms.TypeCast("int32"), "n")
    )
    assert isinstance(apart, StepStage) and not isinstance(apart.step, MapChain)
    renamed = images().map(vision.Rescale(2.0, 0.0), "image", "other").map(vision.HWC2CHW(), "other")
    assert list(read(renamed.batch(4))) == ["other", "n"]


def test_a_map_that_returns_too_much_is_refused_before_the_next_one_sees_it():
    data = images().map(lambda image: (image, image), "image").map(vision.HWC2CHW(), "image")
    with pytest.raises(RuntimeError, match="number of columns returned in 'map' operations: 2"):
        read(data.batch(4))


def test_an_operation_that_cannot_be_put_together_says_where_it_failed():
    data = images().map([vision.Rescale(1.0, 0.0), vision.Normalize([1.0, 2.0], [1.0, 2.0]), vision.HWC2CHW()], "image")
    with pytest.raises(RuntimeError, match=r"\[Normalize\] failed at sample 0.*number of channels"):
        read(data.batch(4))
    with pytest.raises(RuntimeError, match=r"\[RandomCrop\] failed at sample 0.*crop size is bigger"):
        read(images().map(vision.RandomCrop(30), "image").batch(4))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.float64])
def test_bytes_are_looked_up_with_the_channels_in_front(channels, dtype):
    random = np.random.RandomState(channels)
    stack = random.randint(0, 256, (5, 7, 6, channels)).astype(np.uint8)
    table = (random.rand(256, channels) * 255).astype(dtype)
    expected = np.stack([table[stack[..., channel], channel] for channel in range(channels)], axis=1)
    np.testing.assert_array_equal(looked_up_planes(stack, table), expected)
    np.testing.assert_array_equal(looked_up_planes(stack[:, ::2, ::-1], table), expected[:, :, ::2, ::-1])
    target = np.zeros((5, channels, 7, 6), dtype)
    assert looked_up_planes(stack, table, target) is target
    np.testing.assert_array_equal(target, expected)


def test_large_images_are_written_straight_into_the_batch():
    large = [np.random.RandomState(seed).randint(0, 256, (150, 160, 3)).astype(np.uint8) for seed in range(5)]
    data = ds.GeneratorDataset(large, ["image"], shuffle=False)
    operations = [vision.Normalize([100.0, 110.0, 120.0], [50.0, 51.0, 52.0]), vision.HWC2CHW()]
    found = read(data.map(operations, "image").batch(3))["image"]
    np.testing.assert_array_equal(found, np.stack([operations[1](operations[0](one)) for one in large]))


@pytest.mark.parametrize("size", [1, 3, 32])
def test_batches_computed_together_are_those_computed_alone(size, monkeypatch):
    data = images().map([vision.RandomCrop((8, 8), 2), vision.HWC2CHW()], "image").batch(size)
    ds.config.set_seed(9)
    together = read(data)
    monkeypatch.setattr(batches, "_MOST_ROWS", 0)
    ds.config.set_seed(9)
    alone = read(data)
    for name, column in together.items():
        np.testing.assert_array_equal(column, alone[name])


def test_large_results_are_not_computed_together(monkeypatch):
    sizes = []
    monkeypatch.setattr(batches, "_LARGE", 20 * IMAGES[0].nbytes)
    operation = vision.RandomHorizontalFlip()
    monkeypatch.setattr(operation, "block", lambda stack, randoms: sizes.append(len(stack)) or stack.copy())
    rows = next(PipelineContext().build(images().map(operation, "image").batch(5)).epoch())
    rows.compute()
    assert sizes[0] == 5
    assert set(sizes[1:]) <= {5, 10, 15} and max(sizes) > 5


def test_per_batch_functions_see_one_batch_at_a_time():
    seen = []

    def total(image, n, info):
        seen.append((len(image), info.get_batch_num()))
        return image, n

    data = images().batch(8, per_batch_map=total, input_columns=["image", "n"])
    assert len(read(data)["n"]) == 70
    assert sorted(seen, key=lambda one: one[1]) == [(8, number) for number in range(8)] + [(6, 8)]


class Block(Rows):
    """A row of so many bytes."""

    def __init__(self, size):
        super().__init__(MemoryOrigin({"x": [np.zeros(size, np.uint8)]}), np.arange(1), np.arange(1))


@pytest.fixture
def runner():
    one = Runner.__new__(Runner)
    one.processes, one.block, one.row_bytes, one.row_seconds = None, 1, 0, float("inf")
    one.queue, one.fewest, one.most = queue.Queue(), 3, 16
    return one


def test_blocks_grow_though_some_of_them_had_to_wait(runner, monkeypatch):
    clock = iter([0.0, 0.5, 1.0, 1.00001, 2.0, 2.5])  # slow, fast, slow: the second tells what a row costs
    monkeypatch.setattr("mindspore.dataset._pipeline.prefetcher.time.perf_counter", lambda: next(clock))
    sizes = [runner.compute(Block(8)) and runner.block for _ in range(3)]
    assert sizes == [1, 2, 4]


@pytest.mark.parametrize(("size", "waiting"), [(1000, 16), (8 * 2**20, 8), (60 * 2**20, 3)])
def test_fewer_blocks_wait_where_rows_are_large(runner, size, waiting):
    runner.compute(Block(size))
    assert runner.queue.maxsize == waiting
