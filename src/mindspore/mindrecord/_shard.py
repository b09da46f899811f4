"""Write rows into a MindRecord file."""

from __future__ import annotations

import os

from mindspore.mindrecord._format import BLOB, LENGTH, RAW, Header, Page


class ShardFile:
    """A file being written: rows go into the current blob page, their small fields are kept until the page is full."""

    def __init__(self, path: str, header: Header, append: bool = False):
        self.path = path
        self.header = header
        self.rows = header.rows
        self._stream = open(path, "rb+" if append else "wb+")  # noqa: SIM115 - closed by finish
        self._blob_page: Page | None = None
        self._raw_page: Page | None = None
        self._raw = bytearray()  # the small fields of the open row group
        if append:
            self._resume()

    def _last(self, kind: str) -> Page | None:
        return next((page for page in reversed(self.header.pages) if page.kind == kind), None)

    def _resume(self) -> None:
        """Open the last row group again, so that adding few rows at a time does not take a page each time."""
        self._raw_page, self._blob_page = self._last(RAW), self._last(BLOB)
        if self._raw_page is None or self._blob_page is None:
            return
        group, offset = self._raw_page.groups.pop()
        if group != self._blob_page.type_id:
            raise RuntimeError(f"Invalid file, the last row group of [{self.path}] is {group}, but the last blob page has "
                               f"{self._blob_page.type_id}.")  # fmt: skip
        self._stream.seek(self.header.page_start(self._raw_page.number) + offset)
        self._raw += self._stream.read(self._raw_page.size - offset)
        self._raw_page.size = offset
        self._stream.seek(self.header.page_start(self._blob_page.number) + self._blob_page.size)

    def add(self, raw: bytes, blob: bytes) -> None:
        """Write a row; the caller has checked that each part fits a page."""
        size = self.header.page_size
        page = self._blob_page
        full = page is not None and (page.size + len(blob) + LENGTH > size or len(self._raw) + len(raw) + LENGTH > size)
        if full:
            self._close_group()
        if page is None or full:
            page = self._open_group()
        self._stream.write(len(blob).to_bytes(LENGTH, "little"))
        self._stream.write(blob)
        page.size += len(blob) + LENGTH
        page.end_row += 1
        self._raw += len(raw).to_bytes(LENGTH, "little") + raw
        self.rows += 1

    def _new_page(self, kind: str, type_id: int) -> Page:
        page = Page(len(self.header.pages), kind, type_id)
        self.header.pages.append(page)
        return page

    def _open_group(self) -> Page:
        previous = self._last(BLOB)
        page = self._new_page(BLOB, 0 if previous is None else previous.type_id + 1)
        page.first_row = page.end_row = self.rows
        self._blob_page = page
        self._stream.seek(self.header.page_start(page.number))
        return page

    def _close_group(self) -> None:
        """Write the small fields of the open group into the raw page, or into a new page if they do not fit."""
        page = self._raw_page
        if page is None or page.size + len(self._raw) > self.header.page_size:
            page = self._new_page(RAW, 0 if page is None else page.number + 1)
            self._raw_page = page
        self._stream.seek(self.header.page_start(page.number) + page.size)
        self._stream.write(self._raw)
        page.groups.append((self._blob_page.type_id, page.size))
        page.size += len(self._raw)
        self._raw.clear()
        self._blob_page = None

    def finish(self) -> None:
        """Write what is open and the header, and close the file."""
        if self._blob_page is not None:
            self._close_group()
        header = self.header.encode()
        self._stream.seek(0)
        self._stream.write(header)
        self._stream.seek(0, os.SEEK_END)
        # A file without rows still has room for its header, as readers expect.
        if self._stream.tell() < self.header.header_size:
            self._stream.truncate(self.header.header_size)
        self.close()

    def close(self) -> None:
        """Close the file as it is."""
        self._stream.close()
