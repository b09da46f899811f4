"""Many tf.train.Example messages read at once give what each gives alone."""

import numpy as np
import pytest

from mindspore._utils.files import tf_example
from mindspore._utils.files.tf_example_table import feature_table
from mindspore._utils.files.wire import field, number, varint

RANDOM = np.random.RandomState(3)


def feature(name, kind, content):
    return field(1, field(1, name.encode()) + field(2, field(kind, content)))


def packed(values):
    return field(1, b"".join(varint(int(one) & 2**64 - 1) for one in values))


def message(features):
    return field(1, b"".join(features))


def some_features(count):
    return [
        feature("ids", tf_example.INTEGERS, packed(RANDOM.randint(0, 30_000, count))),
        feature("größe", tf_example.FLOATS, field(1, RANDOM.rand(3).astype("<f4").tobytes())),
        feature("text", tf_example.BYTES, field(1, RANDOM.bytes(200))),
        feature("idx", tf_example.INTEGERS, packed([count])),
    ]


def check(messages):
    table = feature_table([memoryview(one) for one in messages])
    assert table is not None
    alone = [tf_example.features(memoryview(one)) for one in messages]
    assert set(table) == set(alone[0])
    for name in table:
        kinds, contents = table.column(name)
        assert list(zip(kinds, contents, strict=True)) == [one[name] for one in alone]
    return table


def test_lists_of_equal_and_of_other_lengths():
    table = check([message(some_features(5 + row % 4)) for row in range(20)])
    kind, lists = table.packed("ids") or (None, [])
    assert kind == tf_example.INTEGERS
    arrays = tf_example.packed_integers(lists)
    assert [len(one) for one in arrays] == [5 + row % 4 for row in range(20)]
    _, contents = table.column("ids")
    for found, content in zip(arrays, contents, strict=True):
        np.testing.assert_array_equal(found, tf_example.integers(content))


def test_features_may_stand_in_any_order():
    messages = []
    for _ in range(12):
        features = some_features(4)
        RANDOM.shuffle(features)
        messages.append(message(features))
    check(messages)


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        message(some_features(3)[:2]),
        message([*some_features(3), feature("more", 3, packed([1]))]),
        message([*some_features(3)[:3], feature("text", 1, field(1, b"again"))]),
        message([*some_features(3)[:3], field(1, field(1, b"idx") + field(2, b""))]),
        message(some_features(3)) + b"\x10",
        number(1, 5),
        message(some_features(3))[:-4],
    ],
    ids=["empty", "fewer", "more", "twice", "no list", "longer", "no bytes", "cut off"],
)
def test_other_messages_are_left_to_be_read_one_by_one(odd):
    usual = [message(some_features(3)) for _ in range(10)]
    assert feature_table(usual) is not None
    assert feature_table([*usual, odd]) is None
    assert feature_table(usual[:2]) is None


def test_lists_that_are_not_packed_are_told_apart():
    plain = b"".join(number(1, one) for one in (3, 300))
    table = feature_table([message([feature("x", 3, plain)])] * 9)
    assert table.packed("x") is None
    assert tf_example.integers(table.column("x")[1][0]).tolist() == [3, 300]


@pytest.mark.parametrize("largest", [100, 2**14, 2**28 - 1, 2**40, 2**63 - 1])
def test_integers_of_every_length(largest):
    values = np.concatenate([RANDOM.randint(0, largest, 50), [0, largest]])
    np.testing.assert_array_equal(
        tf_example.packed_integers([b"".join(map(varint, values.tolist()))] * 2), [values] * 2
    )


def test_negative_integers():
    data = b"".join(varint(one & 2**64 - 1) for one in (-1, 5, -(2**63)))
    np.testing.assert_array_equal(tf_example.packed_integers([data]), [[-1, 5, -(2**63)]])
