"""Vectors of words, read from text files."""

from __future__ import annotations

import os

import numpy as np

from mindspore.dataset._pipeline.errors import reading
from mindspore.dataset.core.checks import check_positive_int, check_str


class Vectors:
    """Words and their vectors, read from a text file: a word and its numbers on each line.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset import text
        >>> path = os.path.join(tempfile.mkdtemp(), "vectors.txt")
        >>> with open(path, "w", encoding="utf-8") as file:
        ...     print("ok 0.1 0.2", "no 0.5 0.25", sep=chr(10), file=file)
        >>> vectors = text.Vectors.from_file(path)
        >>> text.ToVectors(vectors, unk_init=[9.0, 9.0])(["no", "what"]).tolist()
        [[0.5, 0.25], [9.0, 9.0]]
    """

    def __init__(self) -> None:
        self._vectors: dict[str, np.ndarray] = {}
        self.dim = 0

    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None = None) -> Vectors:
        """The vectors of a file, or the first of them."""
        check_str(f"{cls.__name__}.from_file", "file_path", file_path)
        if max_vectors is not None:
            check_positive_int(f"{cls.__name__}.from_file", "max_vectors", max_vectors)
        if not os.path.isfile(file_path):
            raise RuntimeError(f"{cls.__name__}: invalid file, '{file_path}' does not exist or is not a file.")
        made = cls()
        expected = "lines of a word and its numbers, in UTF-8"
        with reading(lambda: file_path, expected), open(file_path, encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                word, *numbers = line.rstrip().split(" ")
                if number == 1 and len(numbers) == 1:
                    continue  # a first line with two numbers says how many vectors follow, and their length
                if made.dim and len(numbers) != made.dim:
                    raise RuntimeError(
                        f"{cls.__name__}: all vectors must have the same number of dimensions, but line {number} of "
                        f"'{file_path}' has {len(numbers)}, the lines before have {made.dim}."
                    )
                made.dim = len(numbers)
                made._vectors.setdefault(word, np.array(numbers, np.float32))
                if len(made._vectors) == max_vectors:
                    break
        if not made._vectors:
            raise RuntimeError(f"{cls.__name__}: invalid file, '{file_path}' holds no vectors.")
        return made

    def find(self, word: str, lower_case_backup: bool = False) -> np.ndarray | None:
        """The vector of a word, or else of the word in small letters if asked, or None."""
        found = self._vectors.get(word)
        return self._vectors.get(word.lower()) if found is None and lower_case_backup else found


class GloVe(Vectors):
    """Vectors of the GloVe project.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset import text
        >>> path = os.path.join(tempfile.mkdtemp(), "glove.6B.50d.txt")
        >>> with open(path, "w", encoding="utf-8") as file:
        ...     print("ok 0.5 0.25", file=file)
        >>> text.ToVectors(text.GloVe.from_file(path))(["ok"]).tolist()
        [[0.5, 0.25]]
    """


class FastText(Vectors):
    """Vectors of the FastText project.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset import text
        >>> path = os.path.join(tempfile.mkdtemp(), "wiki.simple.vec")
        >>> with open(path, "w", encoding="utf-8") as file:
        ...     print("1 2", "ok 0.5 0.25", sep=chr(10), file=file)
        >>> text.ToVectors(text.FastText.from_file(path))(["ok"]).tolist()
        [[0.5, 0.25]]
    """


class CharNGram(Vectors):
    """Vectors of two to four characters in a row; that of a word is the mean over those it holds.

    The lines of the file begin with names like ``2gram-ab``, ``3gram-#BEGIN#ab`` and ``2gram-b#END#``.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset import text
        >>> path = os.path.join(tempfile.mkdtemp(), "charNgram.txt")
        >>> with open(path, "w", encoding="utf-8") as file:
        ...     print("2gram-ok 0.5 0.25", file=file)
        >>> text.ToVectors(text.CharNGram.from_file(path))(["ok"]).tolist()
        [[0.5, 0.25]]
    """

    def find(self, word: str, lower_case_backup: bool = False) -> np.ndarray | None:
        characters = ["#BEGIN#", *(word.lower() if lower_case_backup else word), "#END#"]
        grams = [
            f"{length}gram-{''.join(characters[start : start + length])}"
            for length in (2, 3, 4)
            for start in range(len(characters) - length + 1)
        ]
        found = [self._vectors[gram] for gram in grams if gram in self._vectors]
        return np.stack(found).mean(axis=0, dtype=np.float32) if found else None
