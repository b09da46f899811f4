"""Transforms of lists of tokens: Lookup, Ngram, SlidingWindow, ToNumber, Truncate, TruncateSequencePair, AddToken, ToVectors."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mindspore.dataset.core.checks import (
    check_bool,
    check_int,
    check_non_negative_int,
    check_str,
    check_type,
    shown,
)
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.text._scalars import text_array, token_list
from mindspore.dataset.text.utils import Vectors, Vocab
from mindspore.dataset.transforms._dtype import cast, is_text, numpy_dtype


class Lookup(Operation):
    """The numbers of words in a vocabulary.

    >>> from mindspore.dataset import text
    >>> vocab = text.Vocab.from_list(["home", "<unk>"])
    >>> text.Lookup(vocab, "<unk>")(["home", "other"])
    array([0, 1], dtype=int32)
    """

    def __init__(self, vocab: Vocab, unknown_token: str | None = None, data_type: Any = np.int32):
        self.vocab = check_type("Lookup", "vocab", vocab, Vocab)
        self.data_type = numpy_dtype("Lookup", "data_type", data_type)
        self._numbers = vocab.vocab()
        self._unknown: int | None = None
        if unknown_token is not None:
            check_str("Lookup", "unknown_token", unknown_token)
            self._unknown = self._numbers.get(unknown_token)
            if self._unknown is None:
                raise RuntimeError(f"Lookup: unknown_token: [{unknown_token}], does not exist in vocab.")

    def run(self, words: Any) -> np.ndarray:
        words = text_array("Lookup", words)
        numbers = [self._numbers.get(word, self._unknown) for word in words.reshape(-1).tolist()]
        if None in numbers:
            word = words.reshape(-1)[numbers.index(None)]
            raise RuntimeError(
                f"Lookup: invalid data, token: [{word}] doesn't exist in vocab and no unknown token is specified."
            )
        return np.array(numbers, np.int64).reshape(words.shape).astype(self.data_type)


class Ngram(Operation):
    """Neighbouring words joined, n at a time, optionally with padding at both ends.

    >>> from mindspore.dataset import text
    >>> text.Ngram([1, 2])(["a", "b", "c"]).tolist()
    ['a', 'b', 'c', 'a b', 'b c']
    """

    def __init__(
        self,
        n: int | list[int],
        left_pad: tuple[str, int] = ("", 0),
        right_pad: tuple[str, int] = ("", 0),
        separator: str = " ",
    ):
        sizes = n if isinstance(n, list) else [n]
        if not sizes or any(isinstance(size, bool) or not isinstance(size, int) or size < 1 for size in sizes):
            raise ValueError(f"For 'Ngram', the 'n' must be a positive int or a list of them, but got {shown(n)}.")
        self.n = list(sizes)
        self.left = self._check_pad("left_pad", left_pad)
        self.right = self._check_pad("right_pad", right_pad)
        self.separator = check_str("Ngram", "separator", separator)

    @staticmethod
    def _check_pad(name: str, pad: Any) -> list[str]:
        fine = isinstance(pad, tuple) and len(pad) == 2 and isinstance(pad[0], str) and isinstance(pad[1], int)
        if not fine or pad[1] < 0:
            raise ValueError(
                f"For 'Ngram', the '{name}' must be a tuple of a str and an int of at least 0, but got {shown(pad)}."
            )
        return [pad[0]] * pad[1]

    def run(self, words: Any) -> np.ndarray:
        words = text_array("Ngram", words)
        if words.ndim != 1:
            raise RuntimeError(f"Ngram: the input shape should be 1-D, but got an array of shape {words.shape}.")
        joined = []
        for size in self.n:
            # Only padding that some group of this size reaches together with a word is used.
            padded = self.left[: size - 1] + words.tolist() + self.right[: size - 1]
            groups = [self.separator.join(padded[at : at + size]) for at in range(len(padded) - size + 1)]
            joined += groups or [""]
        return np.array(joined, dtype=np.str_)


class SlidingWindow(Operation):
    """All windows of a width over a list.

    >>> import numpy as np
    >>> from mindspore.dataset import text
    >>> text.SlidingWindow(2)(np.array([1, 2, 3])).tolist()
    [[1, 2], [2, 3]]
    """

    def __init__(self, width: int, axis: int = 0):
        self.width = check_int("SlidingWindow", "width", width, 1, 2**31 - 1)
        self.axis = check_type("SlidingWindow", "axis", axis, int)

    def run(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        if array.ndim != 1:
            raise RuntimeError(f"SlidingWindow: SlidingWindow supports 1D input only, but got rank: {array.ndim}")
        if self.axis not in (0, -1):
            raise RuntimeError(f"SlidingWindow: axis must be 0 or -1 for a 1D input, but got: {self.axis}")
        if self.width > array.size:
            return array[:0]
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


# What C reads at the beginning of a string; the rest is not looked at.
_INT = re.compile(r"\s*([+-]?\d+)", re.ASCII)
_FLOAT = re.compile(
    r"\s*([+-]?(?:0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan))",
    re.ASCII | re.IGNORECASE,
)


class ToNumber(Operation):
    """Read the numbers that strings begin with.

    >>> from mindspore.dataset import text
    >>> text.ToNumber("int32")(["1", "-2"])
    array([ 1, -2], dtype=int32)
    """

    def __init__(self, data_type: Any):
        self.data_type = numpy_dtype("ToNumber", "data_type", data_type)
        if self.data_type.kind not in "iuf":
            raise TypeError(f"For 'ToNumber', the 'data_type' must be a number type, but got {self.data_type}.")

    def run(self, words: Any) -> np.ndarray:
        words = text_array("ToNumber", words)
        read = self._read_float if self.data_type.kind == "f" else self._read_int
        return np.array([read(word) for word in words.reshape(-1).tolist()], self.data_type).reshape(words.shape)

    def _read_float(self, word: str) -> float:
        found = _FLOAT.match(word)
        if found is None:
            raise self._fault(word)
        number = found.group(1)
        value = float.fromhex(number) if "x" in number.lower() else float(number)
        if abs(value) > float(np.finfo(self.data_type).max):
            raise RuntimeError(f"ToNumber: string input {word} will be out of bounds if cast to {self.data_type}.")
        return value

    def _read_int(self, word: str) -> int:
        found = _INT.match(word)
        if found is None:
            raise self._fault(word)
        value = int(found.group(1))
        limits = np.iinfo(self.data_type)
        if not limits.min <= value <= limits.max:
            raise RuntimeError(
                f"ToNumber: string input {word} will be out of bounds if cast to {self.data_type}. The valid range is: "
                f"[{limits.min}, {limits.max}]."
            )
        return value

    def _fault(self, word: str) -> RuntimeError:
        return RuntimeError(f'ToNumber: it is invalid to convert "{word}" to a number of type {self.data_type}.')


class Truncate(Operation):
    """Cut the last axis to at most a length.

    >>> import numpy as np
    >>> from mindspore.dataset import text
    >>> text.Truncate(2)(np.array([1, 2, 3]))
    array([1, 2])
    """

    def __init__(self, max_seq_len: int):
        self.max_seq_len = check_int("Truncate", "max_seq_len", max_seq_len, 1, 2**31 - 1)

    def run(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        if not 1 <= array.ndim <= 2:
            raise RuntimeError(f"Truncate: the input dimension of 'Truncate' must be 1 or 2, but got: {array.ndim}")
        return np.ascontiguousarray(array[..., : self.max_seq_len])


class TruncateSequencePair(Operation):
    """Shorten two lists until they are together at most a length, always the longer list first.

    >>> import numpy as np
    >>> from mindspore.dataset import text
    >>> text.TruncateSequencePair(5)(np.array([1, 2, 3, 4]), np.array([6, 7, 8]))
    (array([1, 2, 3]), array([6, 7]))
    """

    columns = 2

    def __init__(self, max_length: int):
        self.max_length = check_non_negative_int("TruncateSequencePair", "max_length", max_length)

    def run(self, *sequences: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(sequences) != 2:
            raise RuntimeError(f"TruncateSequencePair: the number of columns should be 2, but got: {len(sequences)}")
        first, second = (np.asarray(sequence) for sequence in sequences)
        if first.ndim != 1 or second.ndim != 1:
            raise RuntimeError(
                f"TruncateSequencePair: both columns should be 1-D, but their shapes are {first.shape} and {second.shape}."
            )
        left, right = first.size, second.size
        while left + right > self.max_length:
            if left > right:
                left -= 1
            else:
                right -= 1
        return first[:left], second[:right]


class AddToken(Operation):
    """Put a token before or after the others.

    >>> from mindspore.dataset import text
    >>> text.AddToken("<s>")(["a", "b"]).tolist()
    ['<s>', 'a', 'b']
    """

    def __init__(self, token: str, begin: bool = True):
        self.token = check_str("AddToken", "token", token)
        self.begin = check_bool("AddToken", "begin", begin)

    def run(self, words: Any) -> np.ndarray:
        words = text_array("AddToken", words)
        if not 1 <= words.ndim <= 2:
            raise RuntimeError(f"AddToken: input tensor dimension should be 1 or 2, but got: {words.ndim}")
        token = np.full((*words.shape[:-1], 1), self.token)
        return np.concatenate([token, words] if self.begin else [words, token], axis=-1)


class ToVectors(Operation):
    """The vectors of words; unknown words get ``unk_init`` or zeros.

    With ``lower_case_backup`` a word that has no vector is looked up in small letters.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.dataset import text
        >>> path = os.path.join(tempfile.mkdtemp(), "vectors.txt")
        >>> with open(path, "w", encoding="utf-8") as file:
        ...     print("ok 0.5 0.25", file=file)
        >>> text.ToVectors(text.Vectors.from_file(path), lower_case_backup=True)(["OK", "no"]).tolist()
        [[0.5, 0.25], [0.0, 0.0]]
    """

    def __init__(self, vectors: Vectors, unk_init: list[float] | None = None, lower_case_backup: bool = False):
        self.vectors = check_type("ToVectors", "vectors", vectors, Vectors)
        if unk_init is not None:
            check_type("ToVectors", "unk_init", unk_init, (list, tuple))
            if len(unk_init) != vectors.dim:
                raise RuntimeError(
                    f"ToVectors: unk_init must be the same length as vectors, but got unk_init: {len(unk_init)} and vectors: "
                    f"{vectors.dim}"
                )
        self.unknown = np.zeros(vectors.dim, np.float32) if unk_init is None else np.array(unk_init, np.float32)
        self.lower_case_backup = check_bool("ToVectors", "lower_case_backup", lower_case_backup)

    def run(self, words: Any) -> np.ndarray:
        scalar = not is_text(np.asarray(words).dtype) or not np.ndim(words)
        rows = [self._one(word) for word in token_list("ToVectors", words)]
        return rows[0].copy() if scalar else cast(np.stack(rows), np.dtype(np.float32))

    def _one(self, word: str) -> np.ndarray:
        found = self.vectors.find(word, self.lower_case_backup)
        return self.unknown if found is None else found
