"""Event files: what we write is what TensorBoard reads, and what we read is whole or refused."""

import struct

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader

from mindspore._utils.files import event_file
from mindspore._utils.files.crc32c import crc32c, masked_crc32c


def byte_by_byte(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


@pytest.mark.parametrize("size", [0, 1, 100, 4095, 4096, 4097, 50_000])
def test_the_fast_checksum_equals_the_byte_by_byte_one(size):
    data = np.random.default_rng(size).bytes(size)
    assert masked_crc32c(data) == byte_by_byte(data)


def test_the_checksum_is_crc32c():
    assert crc32c(b"123456789") == 0xE3069283


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "out.tfevents.1")


def written(path, *values, step=3):
    with event_file.EventFile(path) as file:
        file.write(event_file.event(step, values))
    first, second = LegacyEventFileLoader(path).Load()
    assert first.file_version == "brain.Event:2"
    assert second.step == step and second.wall_time > 1e9
    return list(second.summary.value)


def test_scalars(path):
    small, large = written(path, event_file.scalar("a/b", 0.25), event_file.scalar("large", 1e300))
    assert (small.tag, small.simple_value) == ("a/b", 0.25)
    assert large.simple_value == np.inf


@pytest.mark.parametrize(
    "values", [np.arange(100.0), np.full(7, 2.5), np.array([1.0, np.nan, 3.0]), np.array([np.inf])]
)
def test_histograms_count_every_finite_value(path, values):
    (one,) = written(path, event_file.histogram("h", values))
    finite = values[np.isfinite(values)]
    assert one.histo.num == sum(one.histo.bucket) == finite.size
    assert len(one.histo.bucket) == len(one.histo.bucket_limit)
    if finite.size:
        assert (one.histo.min, one.histo.max, one.histo.sum) == (finite.min(), finite.max(), finite.sum())
        assert one.histo.bucket_limit[-1] == finite.max()


def test_tensors_and_texts(path):
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor, text = written(path, event_file.tensor("t", values), event_file.text("words", "# Grüße"))
    assert [dim.size for dim in tensor.tensor.tensor_shape.dim] == [2, 3]
    assert np.array_equal(np.frombuffer(tensor.tensor.tensor_content, np.float32), values.ravel())
    assert text.tensor.string_val[0].decode() == "# Grüße"
    assert text.metadata.plugin_data.plugin_name == "text"


def test_negative_steps(path):
    assert written(path, event_file.scalar("a", 1.0), step=-1)[0].simple_value == 1.0


def test_an_existing_file_is_not_overwritten(path):
    event_file.EventFile(path).close()
    with pytest.raises(FileExistsError):
        event_file.EventFile(path)


# -- reading -----------------------------------------------------------------------------------------------------------
def sample(path):
    with event_file.EventFile(path) as file:
        file.write(event_file.event(1, [event_file.scalar("loss", 0.5), event_file.text("note", "hello")]))
        file.write(event_file.event(2, [event_file.histogram("w", np.arange(5.0)), event_file.tensor("t", np.ones(3))]))
    return open(path, "rb").read()


def test_events_are_read_back(path):
    sample(path)
    events = list(event_file.read_events(path))
    assert [(one.step, [(v.tag, v.kind, v.number) for v in one.values]) for one in events] == [
        (0, []),
        (1, [("loss", "scalar", 0.5), ("note", "text", None)]),
        (2, [("w", "histogram", None), ("t", "tensor", None)]),
    ]


def test_a_file_that_is_still_written_ends_with_its_last_whole_event(path):
    data = sample(path)
    with open(path, "wb") as file:
        file.write(data[:-3])
    assert [one.step for one in event_file.read_events(path)] == [0, 1]


def test_damage_is_refused_with_name_and_place(path):
    data = bytearray(sample(path))
    data[len(data) // 2] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    with pytest.raises(ValueError, match=r"The event file .*out\.tfevents\.1 is damaged at byte \d+: the checksum"):
        list(event_file.read_events(path))


def framed(content):
    length = struct.pack("<Q", len(content))
    return b"".join(
        (length, struct.pack("<I", masked_crc32c(length)), content, struct.pack("<I", masked_crc32c(content)))
    )


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.heavy)])
def test_mutated_files_are_read_or_refused_by_name(path, count):
    data = sample(path)
    contents = [event_file.event(2, [event_file.scalar("loss", 0.5), event_file.text("note", "hello")])]
    random = np.random.default_rng(7)
    for number in range(count):
        mutated = bytearray(data if number % 2 else contents[0])
        for _ in range(random.integers(1, 6)):
            mutated[random.integers(len(mutated))] = random.integers(256)
        if number % 5 == 0:
            del mutated[random.integers(len(mutated)) :]
        with open(path, "wb") as file:  # every other one has right checksums around wrong contents
            file.write(mutated if number % 2 else framed(bytes(mutated)))
        try:
            for event in event_file.read_events(path):
                assert isinstance(event.step, int)
        except ValueError as error:
            assert f"The event file {path} is damaged at byte" in str(error)
