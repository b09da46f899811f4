"""Pipelines: order, columns, batches, epochs, sizes. Orders are those of real MindSpore 2.10 for the same seed."""

import sys

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import mindrecord
from mindspore.dataset.core.operation import Operation


@pytest.fixture(autouse=True)
def seed():
    ds.config.set_seed(3)
    yield
    ds.config.set_seed(5489)


def numbers(count=10, **options):
    return ds.NumpySlicesDataset(list(range(count)), ["a"], **options)


def pairs(**options):
    return ds.NumpySlicesDataset({"a": list(range(10)), "b": list(range(10, 20))}, shuffle=False, **options)


def values(dataset):
    """The first column, row by row."""
    return [row[0].tolist() for row in dataset.create_tuple_iterator(output_numpy=True, num_epochs=1)]


def rows(dataset):
    return list(dataset.create_dict_iterator(output_numpy=True, num_epochs=1))


FIRST = [3, 1, 8, 5, 2, 6, 9, 7, 0, 4]
SECOND = [3, 7, 2, 8, 6, 5, 1, 4, 0, 9]


class TestOrder:
    """Each expected order was printed by real MindSpore."""

    def test_sources_shuffle_by_default_and_go_on_from_epoch_to_epoch(self):
        assert values(numbers()) == FIRST
        assert values(numbers().repeat(2)) == FIRST + SECOND
        iterator = numbers().create_tuple_iterator(output_numpy=True)
        assert [int(row[0]) for row in iterator] == FIRST
        assert [int(row[0]) for row in iterator] == SECOND

    def test_a_number_of_samples_draws_with_replacement(self):
        assert values(numbers(num_samples=5)) == [5, 0, 7, 8, 2]

    def test_shards(self):
        assert values(numbers(num_shards=3, shard_id=1)) == [7, 5, 9, 0]
        assert values(numbers(num_shards=3, shard_id=1, shuffle=False)) == [1, 4, 7, 0]
        assert values(numbers(num_shards=3, shard_id=1, num_samples=2)) == [7, 5]

    def test_shuffle_buffer(self):
        ordered = numbers(shuffle=False)
        assert values(ordered.shuffle(4)) == [3, 4, 5, 1, 6, 0, 9, 8, 2, 7]
        assert values(ordered.shuffle(4).repeat(2))[10:] == [2, 3, 0, 4, 5, 8, 1, 6, 9, 7]

    def test_split(self):
        parts = [values(part) for part in numbers(shuffle=False).split([0.7, 0.3])]
        assert parts == [FIRST[:7], FIRST[7:]]
        assert [values(part) for part in numbers().split([7, 3])] == [[5, 1, 0, 6, 8, 9, 4], [7, 3, 2]]
        assert [values(part) for part in numbers().split([7, 3], randomize=False)] == [FIRST[:7], FIRST[7:]]

    @pytest.mark.parametrize(
        ("make", "expected"),
        [
            (lambda: ds.SubsetRandomSampler([1, 3, 5, 7]), [7, 3, 1, 5]),
            (lambda: ds.SubsetSampler([1, 3, 5, 7]), [1, 3, 5, 7]),
            (lambda: ds.SequentialSampler(2, 4), [2, 3, 4, 5]),
            (lambda: ds.RandomSampler(replacement=True, num_samples=4), [5, 0, 7, 8]),
            (lambda: ds.RandomSampler(num_samples=4), [3, 1, 8, 5]),
            (lambda: ds.DistributedSampler(3, 1, shuffle=False, offset=1), [0, 3, 6, 9]),
            (lambda: ds.WeightedRandomSampler([0.9, 0.1, 0, 0, 0, 0, 0, 0, 0, 0.5], 6), [0, 9, 0, 0, 0, 0]),
            (lambda: ds.WeightedRandomSampler([0.9, 0.1, 0.2, 0, 0, 0, 0, 0, 0, 0.5], 3, False), [0, 2, 9]),
            (lambda: [1, 2, 3], [1, 2, 3]),
            (lambda: iter([4, 2]), [4, 2]),
        ],
    )
    def test_samplers(self, make, expected):
        assert values(numbers(sampler=make())) == expected

    def test_samplers_choose_from_each_other(self):
        sampler = ds.RandomSampler()
        sampler.add_child(ds.SequentialSampler(2, 6))
        assert values(numbers(sampler=sampler)) == [5, 3, 2, 7, 4, 6]

    def test_a_sampler_of_one_s_own(self):
        class Thirds(ds.Sampler):
            def __iter__(self):
                yield from range(0, self.dataset_size, 3)

        assert values(numbers(sampler=Thirds())) == [0, 3, 6, 9]

    def test_the_order_does_not_depend_on_the_number_of_workers(self):
        def order(workers):
            data = numbers(200).map(lambda x: x, "a", num_parallel_workers=workers).shuffle(16)
            return values(data)

        assert order(1) == order(2) == order(8)

    def test_without_a_seed_every_run_differs(self):
        ds.config.set_seed(5489)
        assert values(numbers(100)) != values(numbers(100))


class TestColumns:
    def test_results_take_the_place_of_their_inputs(self):
        def names(**arguments):
            return list(rows(pairs().map(**arguments))[0])

        assert names(operations=lambda x: (x, x), input_columns="a", output_columns=["x", "y"]) == ["x", "y", "b"]
        assert names(operations=lambda x: (x, x), input_columns="b", output_columns=["x", "y"]) == ["x", "y", "a"]
        assert names(operations=lambda x: x, input_columns="b", output_columns="x") == ["a", "x"]
        assert names(operations=lambda b, a: (b, a), input_columns=["b", "a"], output_columns=["x", "y"]) == ["y", "x"]
        assert names(operations=lambda a, b: a, input_columns=["a", "b"], output_columns="s") == ["s"]

    def test_the_first_column_is_the_default(self):
        row = rows(pairs().map(lambda a: a + 1))[0]
        assert row["a"] == 1 and row["b"] == 10

    def test_functions_get_arrays(self):
        seen = []
        rows(pairs().take(1).map(lambda a: (seen.append(type(a)), a)[1], "a"))
        assert seen == [np.ndarray]

    def test_operations_follow_each_other(self):
        assert values(pairs().map([lambda a: a + 1, lambda a: a * 10], "a"))[:3] == [10, 20, 30]

    def test_project_and_rename(self):
        assert list(rows(pairs().project(["b", "a"]))[0]) == ["b", "a"]
        assert list(rows(pairs().rename(["a", "b"], ["b", "a"]))[0]) == ["b", "a"]
        assert list(rows(pairs().map(lambda a: a, "a", column_order=["b"]))[0]) == ["b"]

    def test_zip_and_concat(self):
        other = pairs().rename(["a", "b"], ["c", "d"]).take(2)
        assert [list(map(int, row.values())) for row in rows(ds.zip((pairs(), other)))] == [
            [0, 10, 0, 10],
            [1, 11, 1, 11],
        ]
        assert values(numbers(3, shuffle=False) + numbers(2, shuffle=False)) == [0, 1, 2, 0, 1]
        padded = numbers(3, shuffle=False) + ds.PaddedDataset([{"a": np.array(77)}])
        assert values(padded.batch(2)) == [[0, 1], [2, 77]]

    def test_filter_and_flat_map(self):
        assert values(pairs().filter(lambda a: a > 7, "a")) == [8, 9]
        assert pairs().filter(lambda a: a > 7, "a").get_dataset_size() == 2
        nested = ds.NumpySlicesDataset([2, 3], ["n"], shuffle=False)
        assert values(nested.flat_map(lambda n: numbers(int(n), shuffle=False))) == [0, 1, 0, 1, 2]

    @pytest.mark.parametrize(
        ("values", "kinds"),
        [
            ([1, 2.5], ["int64", "float64"]),
            ([-1, 2**63], ["int64", "uint64"]),
            ([1, "a"], ["int64", "str32"]),
            ([[1, 2.5], [3, 4]], ["float64", "int64"]),
            ([True, 1], ["bool", "int64"]),
            (range(2), ["int64", "int64"]),
            ("ab", ["str32", "str32"]),
        ],
    )
    def test_every_value_of_a_list_has_its_own_type(self, values, kinds):
        found = rows(ds.NumpySlicesDataset({"a": values}, shuffle=False))
        assert [row["a"].dtype.name for row in found] == kinds
        assert [row["a"].tolist() for row in found] == list(values)

    @pytest.mark.parametrize("value", [None, 2**70, object()])
    def test_values_that_are_no_arrays_are_refused(self, value):
        with pytest.raises(RuntimeError, match="Invalid data type: a row holds"):
            rows(ds.NumpySlicesDataset({"a": [1, value]}))

    def test_flat_map_calls_its_function_at_once_and_puts_the_datasets_behind_each_other(self):
        seen = []
        flat = numbers(2, shuffle=False).flat_map(lambda n: seen.append(n) or numbers(2, shuffle=False))
        assert [type(n) for n in seen] == [np.ndarray] * 2 and isinstance(flat, ds.ConcatDataset)

    @pytest.mark.parametrize("batched", [False, True])
    @pytest.mark.parametrize("kind", [list, tuple, iter])
    def test_collections_are_rows_of_values(self, kind, batched):
        class Source:
            def __len__(self):
                return 2

            def __getitem__(self, index):
                return kind([np.full(2, index), "ab"])

        data = ds.GeneratorDataset(
            Source(), ["x", "y"], **({"batch_sampler": [[0, 1]]} if batched else {"shuffle": False})
        )
        first = rows(data)[0]
        assert first["x"].tolist() == ([[0, 0], [1, 1]] if batched else [0, 0]) and first["y"].flat[0] == "ab"

    def test_a_list_of_one_value_is_that_value(self):
        assert rows(ds.GeneratorDataset([[np.ones(3)]], ["x"]))[0]["x"].shape == (3,)
        with pytest.raises(RuntimeError, match="column_names is:1 and number of returned NumPy array is:3"):
            rows(ds.GeneratorDataset([[1, 2, 3]], ["x"]))

    def test_a_function_that_exits_is_told_like_any_other_error(self):
        def leave(x):
            sys.exit(3)

        for data in (
            numbers(1).map(leave),
            numbers(1).filter(leave, "a"),
            ds.GeneratorDataset(lambda: map(leave, [1]), ["x"]),
        ):
            with pytest.raises(RuntimeError, match="SystemExit: 3"):
                rows(data)

    @pytest.mark.parametrize("dtype", ["complex64", "datetime64[D]", "timedelta64[s]", ">i4", "longdouble"])
    def test_values_of_unknown_types_are_refused(self, dtype):
        value = np.zeros(2, dtype)
        for data in (
            ds.NumpySlicesDataset({"x": value}),
            ds.GeneratorDataset([(value,)], ["x"]),
            numbers(1).map(lambda x: value),
        ):
            with pytest.raises(RuntimeError, match="data type is unknown"):
                rows(data)

    def test_python_values_become_arrays(self):
        data = ds.GeneratorDataset(lambda: iter([("abc", b"xy", True, 3, 2.5, np.float32(1))]), list("abcdef"))
        kinds = [value.dtype.str for value in rows(data)[0].values()]
        assert kinds == ["<U3", "|S2", "|b1", "<i8", "<f8", "<f4"]
        row = next(data.create_dict_iterator(num_epochs=1))
        assert isinstance(row["a"], np.ndarray) and isinstance(row["d"], ms.Tensor)


class TestBatches:
    def test_repeat_before_batch_crosses_epochs(self):
        five = numbers(5, shuffle=False)
        assert len(values(five.repeat(3).batch(2))) == 8 and len(values(five.batch(2).repeat(3))) == 9
        assert values(five.repeat(2).batch(3))[1] == [3, 4, 0]

    def test_remainder(self):
        assert values(numbers(5, shuffle=False).batch(2)) == [[0, 1], [2, 3], [4]]
        assert values(numbers(5, shuffle=False).batch(2, drop_remainder=True)) == [[0, 1], [2, 3]]
        assert values(numbers(3).batch(5, drop_remainder=True)) == []
        with pytest.raises(RuntimeError, match="Batch size cannot be -1 without using batch sampler"):
            values(numbers(3).batch(-1))

    def test_a_function_may_choose_the_size(self):
        sizes = numbers(shuffle=False).batch(lambda info: info.get_batch_num() + 1)
        assert values(sizes) == [[0], [1, 2], [3, 4, 5], [6, 7, 8, 9]]
        assert sizes.get_dataset_size() == 4

    def test_per_batch_map(self):
        data = pairs().batch(5, per_batch_map=lambda a, b, info: ([x * 10 for x in a], b), input_columns=["a", "b"])
        assert values(data) == [[0, 10, 20, 30, 40], [50, 60, 70, 80, 90]]
        data = pairs().batch(5, per_batch_map=lambda a, info: (a, a), input_columns="a", output_columns=["x", "y"])
        assert list(rows(data)[0]) == ["x", "y", "b"]

    def test_padding(self):
        data = ds.GeneratorDataset([np.ones(2), np.ones(3)], ["a"], shuffle=False)
        assert values(data.padded_batch(2, pad_info={})) == [[[1, 1, 0], [1, 1, 1]]]
        with pytest.raises(RuntimeError, match="cannot batch tensors with different shapes"):
            values(data.padded_batch(2))
        assert values(data.padded_batch(2, pad_info={"a": ([4], -1)})) == [[[1, 1, -1, -1], [1, 1, 1, -1]]]
        assert values(data.batch(2, pad_info={"a": (None, 7)})) == [[[1, 1, 7], [1, 1, 1]]]

    def test_buckets_follow_real_mindspore(self):
        data = ds.GeneratorDataset(lambda: iter([(np.ones(i % 4 + 1),) for i in range(8)]), ["x"])
        data = data.bucket_batch_by_length(["x"], [2, 4], [2, 2, 2], lambda x: x.shape[0], {"x": ([None], 0)})
        shapes = [np.shape(value) for value in values(data)]
        assert shapes == [(2, 3), (2, 1), (2, 3), (2, 4)]
        assert data.get_dataset_size() == 4

    def test_batches_of_deterministic_transforms_are_computed_as_blocks(self):
        calls = []

        class Doubled(Operation):
            def run(self, x):
                raise AssertionError("row by row")

            def block(self, stack):
                calls.append(len(stack))
                return stack * 2

        assert values(numbers(8, shuffle=False).map(Doubled(), "a").batch(4)) == [[0, 2, 4, 6], [8, 10, 12, 14]]
        assert calls == [4, 4]


class TestEpochsAndSizes:
    def test_an_iterator_ends_after_its_epochs(self):
        iterator = numbers(3).create_tuple_iterator(num_epochs=2)
        assert [len(list(iterator)), len(list(iterator))] == [3, 3]
        with pytest.raises(RuntimeError, match="beyond the specified number of epochs"):
            list(iterator)
        with pytest.raises(RuntimeError, match="beyond"):
            numbers(3).create_tuple_iterator(num_epochs=0)

    def test_take_skip_and_endless_repeat(self):
        assert values(numbers(shuffle=False).skip(3).take(4)) == [3, 4, 5, 6]
        endless = numbers(3, shuffle=False).repeat()
        assert values(endless.take(7)) == [0, 1, 2, 0, 1, 2, 0]
        assert endless.get_dataset_size() == 3 and endless.get_repeat_count() == -1

    def test_sizes(self):
        data = numbers()
        sizes = [data.batch(3), data.batch(3, True), data.repeat(2).batch(3), data.take(2), data.skip(2), data.skip(20)]
        assert [one.get_dataset_size() for one in sizes] == [4, 3, 7, 2, 8, 0]
        assert len(data.batch(3)) == 4 and data.batch(2).repeat(2).get_batch_size() == 2

    def test_questions(self):
        data = pairs().batch(3)
        assert data.output_shapes() == [[3], [3]] and data.output_types() == [np.dtype("int64")] * 2
        assert data.get_col_names() == ["a", "b"]
        assert numbers().is_shuffled() and not pairs().is_shuffled() and pairs().shuffle(4).is_shuffled()

    def test_tensors_by_default(self):
        row = next(iter(pairs().batch(2)))
        assert [type(value) for value in row] == [ms.Tensor, ms.Tensor] and row[0].dtype == ms.int64
        chosen = next(pairs().create_tuple_iterator(["b"], output_numpy=True))
        assert len(chosen) == 1 and chosen[0] == 10

    def test_a_resumed_pipeline_leaves_out_what_was_read(self):
        data = numbers(shuffle=False)
        data.set_init_step(7)
        iterator = data.create_tuple_iterator(output_numpy=True)
        assert [int(row[0]) for row in iterator] == [7, 8, 9]
        assert len(list(iterator)) == 10

    def test_datasets_can_be_used_again(self):
        data = numbers(shuffle=False)
        assert values(data.batch(5)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
        assert values(data.take(2)) == [0, 1] and len(values(data)) == 10


class TestRandomTransforms:
    def data(self, workers):
        images = np.random.RandomState(0).randint(0, 255, (40, 8, 8, 3)).astype(np.uint8)
        data = ds.NumpySlicesDataset({"image": images}, shuffle=True)
        operations = [ds.vision.RandomCrop(6), ds.vision.RandomHorizontalFlip(0.5)]
        return data.map(operations, "image", num_parallel_workers=workers).batch(7)

    def test_depend_on_the_seed_and_not_on_the_workers(self):
        first = [row["image"] for row in rows(self.data(1))]
        again = [row["image"] for row in rows(self.data(8))]
        assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
        ds.config.set_seed(4)
        other = [row["image"] for row in rows(self.data(1))]
        assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))

    def test_differ_from_epoch_to_epoch(self):
        iterator = self.data(1).create_dict_iterator(output_numpy=True)
        first, second = ([row["image"].sum() for row in iterator] for _ in range(2))
        assert first != second


class TestErrors:
    def test_a_failing_function_is_told_with_sample_and_traceback(self):
        def broken(x):
            if x == 4:
                return 1 / 0
            return x

        with pytest.raises(RuntimeError) as caught:
            values(numbers(shuffle=False).map(broken, "a"))
        text = str(caught.value)
        assert "Exception thrown from user defined Python function in dataset." in text
        assert "sample 4" in text and "ZeroDivisionError" in text and "broken" in text

    def test_a_failing_source_is_told(self):
        def rows_():
            yield (1,)
            raise KeyError("gone")

        with pytest.raises(RuntimeError, match=r"row 1.*gone"):
            values(ds.GeneratorDataset(rows_, ["a"]))

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda: numbers().map(lambda x: x, "zz"), "zz doesn't exist"),
            (lambda: numbers().project(["zz"]), "zz doesn't exist"),
            (lambda: numbers().map(lambda x: None, "a"), "Got None"),
            (lambda: ds.zip((numbers(), numbers())), "more than one dataset"),
            (lambda: ds.GeneratorDataset([np.ones(2), np.ones(3)], ["a"]).batch(2), "different shapes in column"),
            (lambda: ds.GeneratorDataset(lambda: iter([(1, 2)]), ["a"]), "same number of NumPy arrays"),
            (lambda: numbers(sampler=[11]), "out of bound"),
        ],
    )
    def test_at_run_time(self, make, text):
        with pytest.raises(RuntimeError, match=text):
            values(make())

    @pytest.mark.parametrize(
        ("make", "error", "text"),
        [
            (lambda: numbers().batch(0), ValueError, "batch_size"),
            (lambda: numbers().batch("a"), TypeError, "int or a callable"),
            (lambda: numbers().shuffle(1), ValueError, "buffer_size"),
            (lambda: numbers().take(0), ValueError, "count"),
            (lambda: numbers().repeat(0), ValueError, "count"),
            (lambda: numbers().skip(-1), ValueError, "count"),
            (lambda: ds.DistributedSampler(2, 0, "all"), TypeError, "valid shuffle mode"),
            (lambda: ds.TextFileDataset(__file__, shuffle=3), TypeError, "shuffle"),
            (
                lambda: ds.MnistDataset(".", sampler=[1], num_samples=2),
                RuntimeError,
                "sampler and num_samples cannot be specified at the same time",
            ),
            (lambda: numbers().bucket_batch_by_length([], [2], [1, 1], len), ValueError, "should not be empty"),
            (lambda: numbers().bucket_batch_by_length(["x", "y"], [2], [1, 1]), ValueError, "exactly one column name"),
            (lambda: numbers().sync_wait("go").batch(2).sync_wait("go"), RuntimeError, "already in use"),
            (lambda: numbers().flat_map(lambda x: 1 / 0), ZeroDivisionError, "division by zero"),
            (lambda: numbers().flat_map(lambda x: [1]), TypeError, r"Dataset object, but got \[1\] for row 0"),
            (lambda: numbers().split([1, 1]), RuntimeError, "Sum of split sizes 2"),
            (lambda: numbers().split([0.4, 0.4]), ValueError, "do not sum up to 1"),
            (lambda: numbers(num_shards=2), ValueError, "passed in together"),
            (lambda: numbers(num_shards=2, shard_id=2), ValueError, "shard_id"),
            (lambda: numbers(sampler=ds.SubsetSampler([1]), shuffle=True), ValueError, "Conflicting arguments"),
            (lambda: ds.GeneratorDataset([1]), ValueError, "Neither columns_names nor schema"),
            (lambda: ds.GeneratorDataset(3, ["a"]), TypeError, "callable, iterable or random accessible"),
            (lambda: ds.GeneratorDataset(lambda: iter([]), ["a"], num_shards=2, shard_id=0), ValueError, "num_shards"),
            (lambda: ds.NumpySlicesDataset({"a": [1], "b": [1, 2]}), ValueError, "not equal"),
            (lambda: ds.config.set_seed(-1), ValueError, "seed"),
            (lambda: ds.config.set_seed("a"), TypeError, "seed"),
        ],
    )
    def test_at_construction(self, make, error, text):
        with pytest.raises(error, match=text):
            make()


class TestSavingAndWaiting:
    def test_saved_rows_come_back(self, tmp_path):
        path = str(tmp_path / "rows.mindrecord")
        data = {"a": np.arange(5), "b": np.arange(15, dtype=np.float32).reshape(5, 3), "c": np.array(list("vwxyz"))}
        ds.NumpySlicesDataset(data, shuffle=False).save(path)
        got = list(mindrecord.FileReader(path).get_next())
        assert [row["a"] for row in got] == [0, 1, 2, 3, 4] and [row["c"] for row in got] == list("vwxyz")
        assert np.array_equal(np.stack([row["b"] for row in got]), data["b"])

    def test_large_integers_without_a_sign_are_saved(self, tmp_path):
        path = str(tmp_path / "rows.mindrecord")
        ds.NumpySlicesDataset({"a": np.arange(3, dtype=np.uint64)}, shuffle=False).save(path)
        assert [row["a"] for row in mindrecord.FileReader(path).get_next()] == [0, 1, 2]

    def test_saving_does_not_replace_files(self, tmp_path):
        path = str(tmp_path / "rows.mindrecord")
        numbers(3, shuffle=False).save(path)
        with pytest.raises(
            RuntimeError, match=r"mindrecord files already exist\. Please check file path: .*rows\.mindrecord"
        ):
            numbers(5).save(path)
        assert len(list(mindrecord.FileReader(path).get_next())) == 3

    def test_only_mindrecord_can_be_saved(self, tmp_path):
        with pytest.raises(ValueError, match="tfrecord"):
            numbers().save(str(tmp_path / "x"), file_type="tfrecord")

    def test_rows_wait_for_their_condition(self):
        told = []
        data = numbers(4, shuffle=False).sync_wait("go", num_batch=1, callback=told.append)
        iterator = data.create_tuple_iterator(output_numpy=True, num_epochs=1)
        seen = []
        for row in iterator:
            seen.append(int(row[0]))
            data.sync_update("go", data=len(seen))
        assert seen == [0, 1, 2, 3] and told == [1, 2, 3, 4]
        with pytest.raises(RuntimeError, match="stop"):
            data.sync_update("stop")


def test_joined_transforms_give_the_bits_of_single_ones():
    images = np.random.RandomState(0).randint(0, 256, (12, 5, 6, 3)).astype(np.uint8)
    operations = [
        ds.vision.Rescale(1 / 255.0, 0.0),
        ds.vision.Normalize([0.4, 0.5, 0.6], [0.2, 0.3, 0.1]),
        ds.vision.HWC2CHW(),
    ]
    together = rows(ds.NumpySlicesDataset({"x": images}, shuffle=False).map(operations, "x").batch(4))
    alone = []
    for image in images:
        for operation in operations:
            image = operation(image)
        alone.append(image)
    assert np.array_equal(np.concatenate([row["x"] for row in together]), np.stack(alone))
