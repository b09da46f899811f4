"""Rows that are padded, gathered by length or mixed: as MindSpore 2.10 does it."""

import numpy as np
import pytest

import mindspore.dataset as ds


def words(count=3):
    return ds.GeneratorDataset(
        lambda: ((np.array(["a" * (j + 1) for j in range(i + 1)]),) for i in range(count)), ["x"], shuffle=False
    )


def lengths(count=6):
    return ds.GeneratorDataset(lambda: ((np.arange(i + 1),) for i in range(count)), ["x"], shuffle=False)


def values(data):
    return [row.tolist() for (row,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize(
    ("pad_info", "expected"),
    [
        ({}, [["a", "", ""], ["a", "aa", ""], ["a", "aa", "aaa"]]),
        ({"x": (None, "")}, [["a", "", ""], ["a", "aa", ""], ["a", "aa", "aaa"]]),
        ({"x": ([2], "longer")}, [["a", "longer"], ["a", "aa"], ["a", "aa"]]),
        ({"x": ([4], "zz")}, [["a", "zz", "zz", "zz"], ["a", "aa", "zz", "zz"], ["a", "aa", "aaa", "zz"]]),
    ],
)
def test_texts_are_padded_with_whole_texts(pad_info, expected):
    assert values(words().padded_batch(3, pad_info=pad_info)) == [expected]


@pytest.mark.parametrize(
    ("pad_info", "error", "words_of_it"),
    [
        ({"x": ([4], True)}, TypeError, "pad_value.*True"),
        ({"x": ([4], [1])}, TypeError, r"pad_value.*\[1\]"),
        ({"x": ((4,), 1)}, TypeError, "shape in pad_info"),
        ({"x": [[4], 1]}, TypeError, "value in pad_info"),
        ({"x": ([4],)}, ValueError, "tuple of size 2"),
        ({"x": ([0], 1)}, ValueError, "dim of shape in pad_info"),
        ({"x": (["a"], 1)}, TypeError, "dim of shape in pad_info"),
        ({3: ([4], 1)}, TypeError, "key in pad_info"),
        (3, TypeError, "pad_info"),
    ],
)
def test_wrong_pad_info_is_refused_before_rows_are_read(pad_info, error, words_of_it):
    with pytest.raises(error, match=words_of_it):
        lengths().padded_batch(2, pad_info=pad_info)
    with pytest.raises(error, match=words_of_it):
        lengths().bucket_batch_by_length(["x"], [3], [2, 2], pad_info=pad_info)


@pytest.mark.parametrize("pad_info", [None, {}, {"x": (None, 0)}])
def test_the_last_bucket_pads_to_its_longest_row(pad_info):
    data = lengths().bucket_batch_by_length(["x"], [3, 5], [2, 2, 1], pad_info=pad_info, pad_to_bucket_boundary=True)
    assert [np.shape(batch) for batch in values(data)] == [(2, 2), (2, 4), (1, 5), (1, 6)]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"pad_info": {"x": ([None], 0)}, "pad_to_bucket_boundary": True}, "pad to bucket boundary failed.*5"),
        ({"element_length_function": lambda x: 1.5}, "element_length_function must return.*1.5"),
        ({"element_length_function": lambda x: -1}, "element_length_function must return.*-1"),
        ({"element_length_function": lambda x: 1 / 0}, "'element_length_function' failed.*ZeroDivisionError"),
        ({"column_names": ["y"]}, "column name: y doesn't exist"),
    ],
)
def test_buckets_tell_what_is_wrong(more, told):
    arguments = {"column_names": ["x"], "bucket_boundaries": [3, 5], "bucket_batch_sizes": [2, 2, 1], **more}
    with pytest.raises(RuntimeError, match=told):
        values(lengths().bucket_batch_by_length(**arguments))


@pytest.mark.parametrize(
    ("seed", "sizes", "epochs"),
    [
        (3, (5, 4), ["ABABAAABB", "AAABBBBAA"]),
        (4, (5, 1), ["BAAAAA", "ABAAAA", "ABAAAA", "ABAAAA", "BAAAAA"]),
        (5, (2, 2, 2), ["ACBCAB", "ACCBAB", "BBACCA"]),
    ],
)
def test_concatenated_datasets_are_mixed_in_the_order_of_mindspore(seed, sizes, epochs):
    before = ds.config.get_seed()
    ds.config.set_seed(seed)
    try:
        parts = [
            ds.NumpySlicesDataset([name] * size, ["x"], shuffle=False) for name, size in zip("ABC", sizes, strict=False)
        ]
        data = parts[0]
        for part in parts[1:]:
            data = data + part
        data.use_sampler(ds.RandomSampler())
        rows = data.create_tuple_iterator(num_epochs=len(epochs), output_numpy=True)
        assert ["".join(str(value) for (value,) in rows) for _ in epochs] == epochs
    finally:
        ds.config.set_seed(before)


@pytest.mark.parametrize(
    ("call", "error", "told"),
    [
        (lambda data: data.concat([]), RuntimeError, "not specified"),
        (lambda data: data.concat(3), TypeError, "datasets.*3"),
        (lambda data: data.map([], "x"), RuntimeError, "No 'operations'"),
        (lambda data: data.map(None, "x"), RuntimeError, "No 'operations'"),
        (lambda data: data.map(abs, "x", cache=3), TypeError, "cache.*3"),
        (lambda data: data.map(abs, "x", callbacks=3), TypeError, "callbacks.*3"),
        (lambda data: data.map(abs, "x", callbacks=[3]), TypeError, "callbacks.*3"),
    ],
)
def test_wrong_parts_of_a_pipeline_are_refused_at_once(call, error, told):
    with pytest.raises(error, match=told):
        call(lengths())
