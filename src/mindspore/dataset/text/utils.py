"""What text transforms are given: Vocab, enumerations, and more from other files; and the way between strings and bytes."""

from __future__ import annotations

import collections
import enum
import os
import re
import unicodedata
from typing import Any

import numpy as np

from mindspore._utils.refusals import several
from mindspore.dataset._pipeline.errors import reading
from mindspore.dataset.core.checks import check_bool, check_positive_int, check_str, check_type, shown
from mindspore.dataset.text._sentencepiece import (
    SentencePieceModel,
    SentencePieceVocab,
    SPieceTokenizerLoadType,
    SPieceTokenizerOutType,
)
from mindspore.dataset.text._vectors import CharNGram, FastText, GloVe, Vectors

__all__ = [
    "CharNGram",
    "FastText",
    "GloVe",
    "JiebaMode",
    "NormalizeForm",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceVocab",
    "Vectors",
    "Vocab",
    "to_bytes",
    "to_str",
]


class JiebaMode(enum.IntEnum):
    """How ``JiebaTokenizer`` finds words: by a dictionary (MP), by a model of characters (HMM), or by both (MIX).

    Examples:
        >>> from mindspore.dataset import text
        >>> [one.name for one in text.JiebaMode]
        ['MIX', 'MP', 'HMM']
    """

    MIX = 0
    MP = 1
    HMM = 2


class NormalizeForm(enum.IntEnum):
    """The forms that ``NormalizeUTF8`` knows.

    Examples:
        >>> from mindspore.dataset import text
        >>> str(text.NormalizeUTF8(text.NormalizeForm.NFKC)("Ａ１"))
        'A1'
    """

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


def normalize(text: str, form: NormalizeForm) -> str:
    """The text in this form.

    >>> normalize("ﬁ", NormalizeForm.NFKC)
    'fi'
    """
    return text if form is NormalizeForm.NONE else unicodedata.normalize(form.name, text)


# Characters that are not shown: hyphens and joiners of words, marks of direction, variants of glyphs, fillers.
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def casefold(text: str) -> str:
    """The text with what differs in case or form alone made equal, without characters that are not shown: Unicode's NFKC_Casefold.

    >>> casefold("ẞ Ⅷ")
    'ss viii'
    """
    if text.isascii():
        return text.lower()
    for _ in range(2):  # a form may need folding again
        text = unicodedata.normalize("NFKC", _IGNORED.sub("", text).casefold())
    return text


def to_bytes(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Strings as bytes.

    Raises:
        ValueError: If ``array`` is no NumPy array.
        AttributeError: If it holds bytes already.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import text
        >>> text.to_bytes(np.array(["a"]))
        array([b'a'], dtype='|S1')
    """
    return np.char.encode(_check_kind("to_bytes", array, "U"), encoding)


def to_str(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Bytes as strings.

    Raises:
        TypeError: If ``array`` is no NumPy array, or holds numbers.
        AttributeError: If it holds strings already.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import text
        >>> text.to_str(np.array([b"a"]))
        array(['a'], dtype='<U1')
    """
    return np.char.decode(_check_kind("to_str", array, "S"), encoding)


def _check_kind(owner: str, array: Any, kind: str) -> np.ndarray:
    if not isinstance(array, np.ndarray):
        reason = f"input should be a NumPy array. For '{owner}', the 'array' must be 'ndarray', but got {shown(array)}."
        if owner == "to_bytes":
            raise several(ValueError, TypeError)(reason)
        raise several(TypeError, ValueError)(reason)
    if array.dtype.kind != kind:
        wanted = {"U": "strings", "S": "bytes"}[kind]
        reason = f"For '{owner}', the 'array' must hold {wanted}, but its dtype is {array.dtype}."
        if array.dtype.kind in "US":
            raise several(AttributeError, TypeError)(reason)
        raise several(TypeError, AttributeError)(reason)
    return array


class Vocab:
    """Words and their numbers.

    >>> vocab = Vocab.from_list(["home", "the"], special_tokens=["<unk>"])
    >>> vocab.vocab()
    {'<unk>': 0, 'home': 1, 'the': 2}
    >>> vocab.tokens_to_ids(["the", "other"]), vocab.ids_to_tokens(1)
    ([2, -1], 'home')
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._words: dict[int, str] = {}

    @classmethod
    def _make(cls, numbers: dict[str, int]) -> Vocab:
        vocab = cls()
        vocab._numbers = numbers
        vocab._words = {number: word for word, number in numbers.items()}
        return vocab

    @classmethod
    def from_list(
        cls, word_list: list[str], special_tokens: list[str] | None = None, special_first: bool = True
    ) -> Vocab:
        """A vocabulary that numbers the words in their order."""
        check_type("Vocab.from_list", "word_list", word_list, list)
        for word in word_list:
            check_str("Vocab.from_list", "word_list", word)
        special = _check_special("Vocab.from_list", special_tokens, special_first)
        words = special + word_list if special_first else word_list + special
        repeated = [word for word, count in collections.Counter(words).items() if count > 1]
        if repeated:
            raise ValueError(
                f"For 'Vocab.from_list', every word must occur once, but these are repeated: {repeated[:5]}."
            )
        return cls._make({word: number for number, word in enumerate(words)})

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Vocab:
        """A vocabulary with numbers of your own."""
        check_type("Vocab.from_dict", "word_dict", word_dict, dict)
        for word, number in word_dict.items():
            check_str("Vocab.from_dict", "word_dict", word)
            check_type("Vocab.from_dict", "word_dict", number, int)
            if number < 0:
                raise ValueError(f"For 'Vocab.from_dict', the numbers must be at least 0, but '{word}' has {number}.")
        return cls._make(dict(word_dict))

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """A vocabulary of the lines of a file, or of what stands before a delimiter in each."""
        check_str("Vocab.from_file", "file_path", file_path)
        check_str("Vocab.from_file", "delimiter", delimiter)
        if vocab_size is not None:
            check_positive_int("Vocab.from_file", "vocab_size", vocab_size)
        if not os.path.isfile(file_path):
            raise RuntimeError(f"from_file: invalid file, '{file_path}' does not exist or is not a file.")
        expected = "words in UTF-8, one in each line"
        with reading(lambda: file_path, expected), open(file_path, encoding="utf-8") as stream:
            words = [line.rstrip("\r\n") for line in stream]
        if delimiter:
            words = [word.split(delimiter)[0] for word in words]
        try:
            return cls.from_list(words[:vocab_size], special_tokens, special_first)
        except ValueError as error:
            raise RuntimeError(f"from_file: '{file_path}' can not be a vocabulary: {error}") from None

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: str | list[str] | None = None,
        freq_range: tuple[int | None, int | None] | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> Vocab:
        """A vocabulary of the words in columns of a dataset, the frequent first, by the alphabet where they are equally so."""
        special = _check_special("Vocab.from_dataset", special_tokens, special_first)
        if top_k is not None:
            check_positive_int("Vocab.from_dataset", "top_k", top_k)
        low, high = _check_range(freq_range)
        wanted = [columns] if isinstance(columns, str) else columns
        counts: collections.Counter = collections.Counter()
        for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
            for name in wanted or row:
                if name not in row:
                    raise RuntimeError(f"from_dataset: column '{name}' does not exist, the dataset has {list(row)}.")
                counts.update(np.asarray(row[name]).reshape(-1).tolist())
        if any(not isinstance(word, str) for word in counts):
            raise RuntimeError("from_dataset: the columns must hold strings. Name the columns of strings in 'columns'.")
        common = [word for word in special if word in counts]
        if common:
            raise RuntimeError(f"from_dataset: special_tokens and the dataset have the words {common} in common.")
        ordered = sorted(
            (word for word in counts if low <= counts[word] <= high), key=lambda word: (-counts[word], word)
        )
        return cls.from_list(ordered[:top_k], special or None, special_first)

    def vocab(self) -> dict[str, int]:
        """The words with their numbers."""
        return dict(self._numbers)

    def tokens_to_ids(self, tokens: str | list[str]) -> int | list[int]:
        """The number of a word, or of each in a list; -1 for unknown words."""
        if isinstance(tokens, str):
            return self._numbers.get(tokens, -1)
        if isinstance(tokens, np.ndarray):
            tokens = tokens.tolist()
        check_type("tokens_to_ids", "tokens", tokens, (str, list))
        return [self._numbers.get(check_str("tokens_to_ids", "tokens", token), -1) for token in tokens]

    def ids_to_tokens(self, ids: int | list[int]) -> str | list[str]:
        """The word of a number, or of each in a list; empty strings for unknown numbers."""
        if isinstance(ids, np.ndarray):
            ids = ids.tolist()
        check_type("ids_to_tokens", "ids", ids, (int, np.integer, list))
        if isinstance(ids, list):
            return [self._word(number) for number in ids]
        return self._word(ids)

    def _word(self, number: Any) -> str:
        check_type("ids_to_tokens", "ids", number, (int, np.integer))
        if number < 0:
            raise ValueError(f"For 'ids_to_tokens', the 'ids' must be at least 0, but got {number}.")
        return self._words.get(int(number), "")


def _check_special(owner: str, special_tokens: list[str] | None, special_first: bool) -> list[str]:
    check_bool(owner, "special_first", special_first)
    if special_tokens is None:
        return []
    check_type(owner, "special_tokens", special_tokens, list)
    return [check_str(owner, "special_tokens", token) for token in special_tokens]


def _check_range(freq_range: Any) -> tuple[float, float]:
    if freq_range is None:
        return 0, float("inf")
    check_type("from_dataset", "freq_range", freq_range, tuple)
    if len(freq_range) != 2:
        raise ValueError(
            f"For 'from_dataset', the 'freq_range' must be a tuple of 2 int or None, but got {shown(freq_range)}."
        )
    low, high = (default if bound is None else bound for bound, default in zip(freq_range, (0, float("inf"))))
    if low < 0 or low > high:
        raise ValueError(
            f"For 'from_dataset', the 'freq_range' must be (low, high) with 0 <= low <= high, but got {freq_range}."
        )
    return low, high
