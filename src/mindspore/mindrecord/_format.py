"""The layout of a MindRecord file.

A file is a header of fixed size, then pages of fixed size. The header is 8 bytes of length (little endian) and JSON.
Blob pages hold the large fields of rows, raw pages the small fields; each row is 8 bytes of length (little endian) and
its data. The rows of a blob page form a row group, and their small fields are stored together in a raw page.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import Any

from mindspore.mindrecord._schema import RecordSchema

HEADER_SIZES = (1 << 14, 1 << 27)
PAGE_SIZES = (1 << 15, 1 << 28)
DEFAULT_HEADER_SIZE = 1 << 24
DEFAULT_PAGE_SIZE = 1 << 25
MAX_SHARDS = 1000
LENGTH = 8
VERSIONS = ("2.0", "3.0")
RAW, BLOB = "RAW_DATA", "BLOB_DATA"
ENCRYPTED_END = b"ENCRYPT"


@dataclasses.dataclass
class Page:
    """A page. ``type_id`` of a blob page is the number of its row group; ``groups`` says where groups start in a raw page."""

    number: int
    kind: str
    type_id: int
    size: int = 0
    first_row: int = 0
    end_row: int = 0
    groups: list[tuple[int, int]] = dataclasses.field(default_factory=list)

    def header(self, shard: int) -> dict[str, Any]:
        """The page as the header of a file holds it."""
        groups = self.groups if self.kind == RAW else [(0, 0)]
        return {
            "end_row_id": self.end_row,
            "page_id": self.number,
            "page_size": self.size,
            "page_type": self.kind,
            "page_type_id": self.type_id,
            "row_group_ids": [{"id": number, "offset": offset} for number, offset in groups],
            "shard_id": shard,
            "start_row_id": self.first_row,
        }

    @classmethod
    def from_header(cls, entry: dict[str, Any]) -> Page:
        """The page that an entry of a header describes."""
        groups = [(group["id"], group["offset"]) for group in entry["row_group_ids"] or []]
        rows = entry["start_row_id"], entry["end_row_id"]
        return cls(entry["page_id"], entry["page_type"], entry["page_type_id"], entry["page_size"], *rows, groups)


@dataclasses.dataclass
class Header:
    """What the header of a file says."""

    schema: RecordSchema
    index_fields: list[str]
    shard_names: list[str]
    shard: int = 0
    pages: list[Page] = dataclasses.field(default_factory=list)
    header_size: int = DEFAULT_HEADER_SIZE
    page_size: int = DEFAULT_PAGE_SIZE
    saved: int = 0  # bytes that shrinking integers saved

    def encode(self) -> bytes:
        """The header as bytes; the order of the keys is that of files written by MindSpore."""
        content = {
            "header_size": self.header_size,
            "index_fields": [{"index_field": name, "schema_id": 0} for name in self.index_fields] or None,
            "page": [page.header(self.shard) for page in self.pages] or None,
            "page_size": self.page_size,
            "compression_size": max(self.saved, 0),
            "schema": [self.schema.header()],
            "shard_addresses": self.shard_names,
            "shard_id": self.shard,
            "statistics": None,
            "version": "3.0" if self.schema.shrinks else "2.0",
        }
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
        if len(text) + LENGTH > self.header_size:
            raise RuntimeError(
                f"Invalid data, the header needs {len(text) + LENGTH} bytes, but only {self.header_size} were set aside. "
                "Call 'set_header_size' with a larger number, or 'set_page_size' to have fewer pages."
            )
        return len(text).to_bytes(LENGTH, "little") + text

    @property
    def rows(self) -> int:
        """How many rows the file holds."""
        return max((page.end_row for page in self.pages if page.kind == BLOB), default=0)

    def page_start(self, page: int) -> int:
        """Where a page starts in the file."""
        return self.header_size + page * self.page_size


def read_header(path: str) -> Header:
    """The header of a file; says in words why a file is none of ours."""
    _check_is_file(path)
    hint = "Please use 'FileWriter' to generate valid mindrecord files, and call 'commit' at the end."
    with open(path, "rb") as stream:
        size = int.from_bytes(stream.read(LENGTH), "little")
        if not 0 < size <= HEADER_SIZES[1]:
            raise RuntimeError(
                f"Invalid file, the size of mindrecord file header is larger than the upper limit or 0. "
                f"The invalid mindrecord file is [{path}]. {hint}"
            )
        text = stream.read(size)
    try:
        content = json.loads(text)
        if content["version"] not in VERSIONS:
            raise ValueError(f"the version must be one of {VERSIONS}, but it is {content['version']}")
        schema = content["schema"][0]
        return Header(
            RecordSchema(schema["schema"], schema["desc"], shrinks=content["version"] == "3.0"),
            [index["index_field"] for index in content["index_fields"] or []],
            [os.path.basename(name) for name in content["shard_addresses"]],
            content["shard_id"],
            [Page.from_header(page) for page in content["page"] or []],
            content["header_size"],
            content["page_size"],
            content.get("compression_size", 0),
        )
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise RuntimeError(f"Invalid file, the header of [{path}] can not be read ({error!r}). {hint}") from None


def _check_is_file(path: str) -> None:
    if not os.path.exists(path):
        raise RuntimeError(f"The input: {path} is not exists. Please check the path.")
    if not os.path.isfile(path):
        raise RuntimeError(f"The input: {path} should be a regular file.")
    with open(path, "rb") as stream:
        stream.seek(max(os.path.getsize(path) - len(ENCRYPTED_END), 0))
        if stream.read() == ENCRYPTED_END:
            raise RuntimeError(
                f"The mindrecord file is encrypted: {path}. You need to configure 'mindspore.mindrecord.set_enc_key(...)' "
                "and 'mindspore.mindrecord.set_dec_mode(...)' for decryption."
            )


def shard_paths(path: str) -> list[str]:
    """All files that were written together with this file, in order."""
    names = read_header(path).shard_names
    if len(names) == 1:
        return [path]  # a single file may have been renamed
    folder = pathlib.Path(path).parent
    return [str(folder / name) for name in names]
