"""Damaged .mindir files: an error that names the file and what is wrong, and nothing else."""

import struct

import numpy as np
import pytest

from mindspore import Tensor, nn
from mindspore._engine.export import export_file
from mindspore.train._formats.export import export, load

KEY = b"0123456789abcdef"


def written(folder, **options):
    path = folder / "net.mindir"
    net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
    export(net, Tensor(np.ones((2, 3), np.float32)), file_name=str(path), file_format="STABLEHLO", **options)
    return path.read_bytes()


def damaged(data, random):
    """The bytes with one accident: bits flipped, a part cut off, left out, doubled or overwritten."""
    data = bytearray(data)
    place = random.randint(len(data)) if random.randint(2) else random.randint(min(len(data), 400))
    kind = random.randint(5)
    if kind == 0:
        for _ in range(random.randint(1, 8)):
            data[random.randint(len(data))] ^= 1 << random.randint(8)
    elif kind == 1:
        del data[place:]
    elif kind == 2:
        del data[place : place + random.randint(1, 64)]
    elif kind == 3:
        data[place:place] = data[place : place + random.randint(1, 64)]
    else:
        new = random.bytes(random.randint(1, 16))
        data[place : place + len(new)] = new
    return bytes(data)


def check_damaged(original, folder, count, seed, errors, **options):
    random = np.random.RandomState(seed)
    path = folder / "damaged.mindir"
    refused = 0
    for _ in range(count):
        data = damaged(original, random)
        path.write_bytes(data)
        try:
            load(str(path), **options)
        except errors as error:
            assert str(path) in str(error)
            refused += 1
        else:  # nothing that counts was hit: the space between sections, or what was there before
            assert export_file.unpack(data) == export_file.unpack(original)
    assert refused > 0.9 * count


def test_damaged_files_are_refused_by_name(tmp_path):
    check_damaged(written(tmp_path), tmp_path, 300, 1, ValueError)


@pytest.mark.heavy
def test_many_damaged_files_are_refused_by_name(tmp_path):
    check_damaged(written(tmp_path), tmp_path, 10_000, 2, ValueError)


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC"])
def test_damaged_encrypted_files_are_refused_by_name(mode, tmp_path):
    original = written(tmp_path, enc_key=KEY, enc_mode=mode)
    random = np.random.RandomState(3)
    path = tmp_path / "damaged.mindir"
    for _ in range(50):
        data = damaged(original, random)
        if data == original:
            continue
        path.write_bytes(data)
        with pytest.raises((ValueError, RuntimeError), match=r"damaged\.mindir"):
            load(str(path), dec_key=KEY, dec_mode=mode)


@pytest.mark.parametrize("section", ["manifest", "weights"])
def test_wrong_contents_with_right_checksums_do_no_harm(section, tmp_path):
    sections = {name: bytes(data) for name, data in export_file.unpack(written(tmp_path)).items()}
    random = np.random.RandomState(4)
    path = tmp_path / "damaged.mindir"
    refused = 0
    for _ in range(200):
        path.write_bytes(export_file.pack({**sections, section: damaged(sections[section], random)}))
        try:
            load(str(path))
        except ValueError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 50


def test_a_file_that_claims_to_be_huge_allocates_nothing(tmp_path):
    data = bytearray(written(tmp_path))
    header = export_file._HEADER.size
    row = list(export_file._ROW.unpack_from(data, header))
    row[2] = 2**60
    data[header : header + export_file._ROW.size] = export_file._ROW.pack(*row)
    path = tmp_path / "huge.mindir"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"huge.mindir.*table of sections does not match"):
        load(str(path))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "too few for a header"),
        (bytes(200), "does not begin like a graph"),
        (b"PK\x03\x04" + bytes(200), "is a zip archive"),
        (struct.pack("<16sHH32s", export_file.MAGIC, 9, 3, bytes(32)), "is of version 9, this release reads version 1"),
        (export_file.pack({"manifest": b"{}"}), r"has no section \['graph', 'weights'\]"),
        (export_file.pack({"manifest": b"{}", "graph": b"", "weights": b""}), "contents are not understood"),
    ],
)
def test_other_files_are_refused_in_words(data, text, tmp_path):
    path = tmp_path / "other.mindir"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"other.mindir.*{text}"):
        load(str(path))
