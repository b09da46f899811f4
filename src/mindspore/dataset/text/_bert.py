"""The tokenizers of BERT."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from mindspore.dataset.core.checks import check_bool, check_int, check_str, check_type
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.text._scalars import Token, as_columns, byte_offsets, one_text, token_list
from mindspore.dataset.text.utils import NormalizeForm, Vocab, casefold, normalize

_UNUSED = re.compile(r"\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\]")
_ASCII_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


def _kind(character: str) -> str:
    """How the basic tokenizer takes a character: a letter joins its neighbours, a sign stands alone."""
    if character.isspace():
        return "space"
    code = ord(character)
    if 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126:
        return "sign"
    if code < 128:
        return "letter"
    if any(first <= code <= last for first, last in _CHINESE):
        return "sign"
    return "sign" if unicodedata.category(character)[0] == "P" else "letter"


def _controls_as_spaces(text: str) -> str:
    """Characters that control or format the text replaced by blanks."""
    if text.isascii():
        return _ASCII_CONTROLS.sub(" ", text)
    return "".join(" " if unicodedata.category(character) in ("Cc", "Cf") else character for character in text)


class BasicTokenizer(Operation):
    """Cut at white space, at punctuation and around every Chinese character.

    >>> from mindspore.dataset import text
    >>> text.BasicTokenizer(lower_case=True)("Welcome to 北京! [CLS]").tolist()
    ['welcome', 'to', '北', '京', '!', '[CLS]']
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        owner = type(self).__name__
        self.lower_case = check_bool(owner, "lower_case", lower_case)
        self.keep_whitespace = check_bool(owner, "keep_whitespace", keep_whitespace)
        self.normalization_form = check_type(owner, "normalization_form", normalization_form, NormalizeForm)
        self.preserve_unused_token = check_bool(owner, "preserve_unused_token", preserve_unused_token)
        self.with_offsets = check_bool(owner, "with_offsets", with_offsets)

    def run(self, text: Any) -> Any:
        return as_columns(self.tokens(one_text("BasicTokenizer", text)), self.with_offsets)

    def tokens(self, text: str) -> list[Token]:
        """The tokens with their offsets in the lower-cased text."""
        text = _controls_as_spaces(self._prepare(text))
        spans: list[tuple[int, int]] = []
        done = 0
        if self.preserve_unused_token:
            for match in _UNUSED.finditer(text):
                spans += self._spans(text, done, match.start())
                spans.append(match.span())
                done = match.end()
        spans += self._spans(text, done, len(text))
        return byte_offsets(text, spans)

    def _prepare(self, text: str) -> str:
        if not self.lower_case:
            return normalize(text, self.normalization_form)
        if not self.preserve_unused_token:
            return self._lower(text)
        parts = []
        done = 0
        for match in _UNUSED.finditer(text):
            parts += (self._lower(text[done : match.start()]), match.group())
            done = match.end()
        return "".join([*parts, self._lower(text[done:])])

    @staticmethod
    def _lower(text: str) -> str:
        """In small letters, without accents."""
        plain = unicodedata.normalize("NFD", casefold(text))
        return (
            plain
            if plain.isascii()
            else "".join(character for character in plain if unicodedata.category(character) != "Mn")
        )

    def _spans(self, text: str, first: int, end: int) -> list[tuple[int, int]]:
        found = []
        start = first
        previous = ""
        for index in range(first, end):
            kind = _kind(text[index])
            if kind != previous or kind == "sign":
                if previous and self._keeps(previous):
                    found.append((start, index))
                start, previous = index, kind
        if previous and self._keeps(previous):
            found.append((start, end))
        return found

    def _keeps(self, kind: str) -> bool:
        return kind in ("letter", "sign") or (kind == "space" and self.keep_whitespace)


class WordpieceTokenizer(Operation):
    """Cut words into the longest pieces that the vocabulary knows.

    >>> from mindspore.dataset import text
    >>> vocab = text.Vocab.from_list(["un", "##want", "##ed"])
    >>> text.WordpieceTokenizer(vocab)("unwanted").tolist()
    ['un', '##want', '##ed']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ):
        owner = type(self).__name__
        self.vocab = check_type(owner, "vocab", vocab, Vocab)
        self.suffix_indicator = check_str(owner, "suffix_indicator", suffix_indicator)
        self.max_bytes_per_token = check_int(owner, "max_bytes_per_token", max_bytes_per_token, 0, 2**32 - 1)
        self.unknown_token = check_str(owner, "unknown_token", unknown_token)
        self.with_offsets = check_bool(owner, "with_offsets", with_offsets)
        self._known = vocab.vocab().keys()

    def run(self, words: Any) -> Any:
        pieces = [piece for word in token_list("WordpieceTokenizer", words) for piece in self.pieces(word)]
        return as_columns(pieces, self.with_offsets)

    def pieces(self, word: str) -> list[Token]:
        """The pieces of a word, with their offsets in it."""
        size = len(word.encode("utf-8"))
        unknown = [(self.unknown_token or word, 0, size)]
        if size > self.max_bytes_per_token:
            return unknown
        spans = []
        start = 0
        while start < len(word):
            prefix = self.suffix_indicator if start else ""
            end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in self._known), None)
            if end is None:
                return unknown
            spans.append((start, end))
            start = end
        found = byte_offsets(word, spans)
        return [(self.suffix_indicator + piece if first else piece, first, last) for piece, first, last in found]


class BertTokenizer(Operation):
    """The tokenizer of BERT: basic tokenization, then word pieces.

    >>> from mindspore.dataset import text
    >>> vocab = text.Vocab.from_list(["the", "un", "##want", "##ed"])
    >>> text.BertTokenizer(vocab, lower_case=True)("The unwanted").tolist()
    ['the', 'un', '##want', '##ed']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        self.basic = BasicTokenizer(
            lower_case, keep_whitespace, normalization_form, preserve_unused_token, with_offsets
        )
        self.wordpiece = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)
        self.with_offsets = self.basic.with_offsets

    def run(self, text: Any) -> Any:
        pieces = [
            (piece, start + first, start + last)
            for word, start, _ in self.basic.tokens(one_text("BertTokenizer", text))
            for piece, first, last in self.wordpiece.pieces(word)
        ]
        return as_columns(pieces, self.with_offsets)
