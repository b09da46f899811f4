"""Lines of a file by their numbers."""

from __future__ import annotations

import os

from mindspore.dataset.core.checks import check_int, check_str

__all__ = ["LineReader"]


class LineReader:
    """Reads any line of a text file without reading those before it; where lines begin is looked up once.

    Args:
        filename: the file.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset.utils import LineReader
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.csv")
        >>> with open(path, "w") as stream:
        ...     _ = stream.write("a,b\\n1,2\\n")
        >>> reader = LineReader(path)
        >>> reader.len(), reader.readline(2)
        (2, '1,2\\n')
        >>> reader.close()
    """

    def __init__(self, filename: str):
        check_str("LineReader", "filename", filename, allow_empty=False)
        self.filename = os.path.realpath(filename)
        if not os.path.isfile(self.filename):
            raise RuntimeError(
                f"For 'LineReader', the 'filename' must be a file, but {self.filename} does not exist or is none."
            )
        self._stream = open(self.filename, "rb")  # noqa: SIM115 - close() ends it
        self._starts = [0]
        for line in self._stream:
            self._starts.append(self._starts[-1] + len(line))

    def len(self) -> int:
        """How many lines there are."""
        return len(self._starts) - 1

    def readline(self, line: int) -> str:
        """A line, counted from 1, with the character that ends it."""
        check_int("LineReader.readline", "line", line, 1, self.len())
        if self._stream.closed:
            raise RuntimeError("For 'LineReader', the file is closed: make a new reader.")
        self._stream.seek(self._starts[line - 1])
        return self._stream.read(self._starts[line] - self._starts[line - 1]).decode()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
