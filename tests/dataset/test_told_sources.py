"""What a source says of itself is held against what it gives, as in MindSpore 2.10."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds


class Counted:
    """Gives ``count`` numbers, and says that there are ``told``."""

    def __init__(self, count, told):
        self.count, self.told = count, told

    def __iter__(self):
        return iter([(number,) for number in range(self.count)])

    def __len__(self):
        return self.told


class Pairs:
    def __getitem__(self, index):
        return np.array([index]), np.array(index * 2.0)

    def __len__(self):
        return 2


def values(data):
    return [[value.tolist() for value in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize(
    ("count", "told", "message"),
    [
        (3, 2, "read from generator 3 is different from generator.len 2"),
        (2, 3, "read from generator 2 is different from generator.len 3"),
        (0, 3, "Unable to fetch data from GeneratorDataset"),
        (3, 0, "data row of input source must not be 0"),
    ],
)
def test_a_source_has_as_many_samples_as_it_says(count, told, message):
    with pytest.raises(RuntimeError, match=message):
        values(ds.GeneratorDataset(Counted(count, told), ["x"]))


@pytest.mark.parametrize(
    ("count", "told", "num_samples", "given"), [(2, 3, 1, 1), (2, 3, 2, 2), (3, 2, 1, 1), (3, 3, 0, 3), (3, 3, 5, 3)]
)
def test_samples_that_nobody_wants_are_not_counted(count, told, num_samples, given):
    assert len(values(ds.GeneratorDataset(Counted(count, told), ["x"], num_samples=num_samples))) == given


def test_no_samples_means_all_of_them():
    assert len(values(ds.GeneratorDataset(lambda: iter([(1,), (2,)]), ["x"], num_samples=0))) == 2


def test_a_zip_is_read_again_and_shuffled_as_a_list():
    data = ds.GeneratorDataset(zip([1, 2], [3, 4], strict=True), ["x", "y"], shuffle=False)
    assert values(data.repeat(2)) == [[1, 3], [2, 4]] * 2
    assert ds.GeneratorDataset(zip([1, 2], [3, 4], strict=True), ["x", "y"]).is_shuffled()


def schema(*columns):
    made = ds.Schema()
    for name, kind in columns:
        made.add_column(name, kind)
    return made


def test_a_schema_names_columns_before_the_other_arguments_do():
    told = schema(("p", ms.int64), ("q", ms.float64))
    data = ds.GeneratorDataset(Pairs(), ["z", "y"], [ms.int8, ms.int8], told, shuffle=False)
    assert data.get_col_names() == ["p", "q"]
    assert values(data) == [[[0], 0.0], [[1], 2.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"schema": schema(("p", ms.int32), ("q", ms.float64))}, "'p' is of type int64, specified column type: int32"),
        (
            {"schema": schema(("q", ms.float64), ("p", ms.int64))},
            "'q' is of type int64, specified column type: float64",
        ),
        ({"column_names": ["p", "q"], "column_types": [ms.int64]}, "'q' has none: there are 1 types"),
    ],
)
def test_types_of_a_schema_are_those_of_the_rows(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        values(ds.GeneratorDataset(Pairs(), shuffle=False, **arguments))


@pytest.mark.parametrize(
    "call",
    [
        lambda data: data.map(abs, "x", [""]),
        lambda data: data.map(abs, ["x", ""]),
        lambda data: data.rename("x", [""]),
        lambda data: data.project([""]),
        lambda data: data.filter(bool, [""]),
        lambda data: data.create_tuple_iterator([""]),
        lambda data: data.create_tuple_iterator([]),
        lambda _: ds.NumpySlicesDataset([1], [""]),
        lambda _: ds.NumpySlicesDataset([1], []),
        lambda _: ds.NumpySlicesDataset({"": [1]}),
        lambda _: ds.GeneratorDataset(Pairs(), ["a", ""]),
    ],
)
def test_a_column_has_a_name(call):
    with pytest.raises(ValueError, match="should not be empty"):
        call(ds.NumpySlicesDataset([1, 2], ["x"]))


def test_a_key_that_is_no_name_is_refused():
    with pytest.raises(TypeError, match=r"column_names.*3"):
        ds.NumpySlicesDataset({3: [1]})
