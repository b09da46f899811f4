"""Tokenizers that split at characters: WhitespaceTokenizer, UnicodeCharTokenizer, UnicodeScriptTokenizer, RegexTokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset.core.checks import check_bool, check_callable, check_str
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.text._scalars import as_columns, byte_offsets, one_text
from mindspore.dataset.text._unicode import compile_pattern, script

_WORD = re.compile(r"\S+")


class _Tokenizer(Operation):
    """A tokenizer that says which characters belong together."""

    def __init__(self, with_offsets: bool = False):
        self.with_offsets = check_bool(type(self).__name__, "with_offsets", with_offsets)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """From which to which character each token reaches."""
        raise NotImplementedError

    def run(self, text: Any) -> Any:
        text = one_text(type(self).__name__, text)
        return as_columns(byte_offsets(text, self.spans(text)), self.with_offsets)


class WhitespaceTokenizer(_Tokenizer):
    """Cut at white space.

    >>> from mindspore.dataset import text
    >>> text.WhitespaceTokenizer()("Welcome  to Beijing!").tolist()
    ['Welcome', 'to', 'Beijing!']
    """

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in _WORD.finditer(text)]


class UnicodeCharTokenizer(_Tokenizer):
    """Every character is a token.

    >>> from mindspore.dataset import text
    >>> text.UnicodeCharTokenizer()("ab 北").tolist()
    ['a', 'b', ' ', '北']
    """

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [(index, index + 1) for index in range(len(text))]


class UnicodeScriptTokenizer(_Tokenizer):
    """Cut where the script changes, and at white space.

    >>> from mindspore.dataset import text
    >>> text.UnicodeScriptTokenizer()("Beijing! 北京").tolist()
    ['Beijing', '!', '北京']
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False):
        super().__init__(with_offsets)
        self.keep_whitespace = check_bool("UnicodeScriptTokenizer", "keep_whitespace", keep_whitespace)

    def spans(self, text: str) -> list[tuple[int, int]]:
        found = []
        start = 0
        kinds = ["SPACE" if character.isspace() else script(character) for character in text]
        for index in range(1, len(text) + 1):
            if index == len(text) or kinds[index] not in (kinds[start], "INHERITED"):
                if kinds[start] != "SPACE" or self.keep_whitespace:
                    found.append((start, index))
                start = index
        return found


class RegexTokenizer(_Tokenizer):
    """Cut at what a regular expression matches; a second expression says which of the matches are kept as tokens.

    >>> from mindspore.dataset import text
    >>> text.RegexTokenizer(r"\\s+|,", r",")("a, b c").tolist()
    ['a', ',', 'b', 'c']
    """

    def __init__(self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False):
        super().__init__(with_offsets)
        self.delimiter = compile_pattern(
            "RegexTokenizer", "delim_pattern", check_str("RegexTokenizer", "delim_pattern", delim_pattern)
        )
        check_str("RegexTokenizer", "keep_delim_pattern", keep_delim_pattern)
        self.kept = (
            compile_pattern("RegexTokenizer", "keep_delim_pattern", keep_delim_pattern) if keep_delim_pattern else None
        )

    def spans(self, text: str) -> list[tuple[int, int]]:
        found = []
        done = 0
        for match in self.delimiter.finditer(text):
            start, end = match.span()
            if start == end:
                continue
            if start > done:
                found.append((done, start))
            if self.kept is not None and self.kept.fullmatch(match.group()):
                found.append((start, end))
            done = end
        if done < len(text):
            found.append((done, len(text)))
        return found


class PythonTokenizer(Operation):
    """A tokenizer written by the user: a function from a string to a list of strings.

    >>> from mindspore.dataset import text
    >>> text.PythonTokenizer(str.split)("a bc").tolist()
    ['a', 'bc']
    """

    def __init__(self, tokenizer: Callable[[str], Any]):
        self.tokenizer = check_callable("PythonTokenizer", "tokenizer", tokenizer)
        self.random = False

    def run(self, text: Any) -> np.ndarray:
        tokens = self.tokenizer(one_text("PythonTokenizer", text))
        return np.array(tokens, dtype=np.str_)
