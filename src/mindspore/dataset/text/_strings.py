"""Transforms of strings: CaseFold, NormalizeUTF8, RegexReplace, FilterWikipediaXML."""

from __future__ import annotations

import re
import string
from typing import Any

import numpy as np

from mindspore.dataset.core.checks import check_bool, check_str, check_type
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.text._scalars import map_texts, text_array
from mindspore.dataset.text._unicode import compile_pattern
from mindspore.dataset.text.utils import NormalizeForm, casefold, normalize


class CaseFold(Operation):
    """Small letters, and more than that: what differs in case alone becomes equal.

    >>> from mindspore.dataset import text
    >>> str(text.CaseFold()("Welcome ẞ"))
    'welcome ss'
    """

    def run(self, text: Any) -> np.ndarray:
        return map_texts(text_array("CaseFold", text), casefold)


class NormalizeUTF8(Operation):
    """Unicode normalization: equivalent character sequences get the same form.

    >>> from mindspore.dataset import text
    >>> str(text.NormalizeUTF8()("ﬁ ①"))
    'fi 1'
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC):
        self.normalize_form = check_type("NormalizeUTF8", "normalize_form", normalize_form, NormalizeForm)

    def run(self, text: Any) -> np.ndarray:
        return map_texts(text_array("NormalizeUTF8", text), lambda words: normalize(words, self.normalize_form))


class RegexReplace(Operation):
    """Replace what a regular expression matches, everywhere or once; ``$1`` stands for the first group.

    >>> from mindspore.dataset import text
    >>> str(text.RegexReplace(r"\\s+", "_")("a  b c"))
    'a_b_c'
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True):
        check_str("RegexReplace", "pattern", pattern)
        check_str("RegexReplace", "replace", replace)
        self.pattern = compile_pattern("RegexReplace", "pattern", pattern)
        self.replace = re.sub(r"\$(\d)", r"\\g<\1>", replace.replace("\\", "\\\\"))
        self.count = 0 if check_bool("RegexReplace", "replace_all", replace_all) else 1

    def run(self, text: Any) -> np.ndarray:
        return map_texts(
            text_array("RegexReplace", text), lambda string: self.pattern.sub(self.replace, string, count=self.count)
        )


_DIGITS = dict(enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]))
_MARKUP = re.compile(r"<.*>|&[^;]*;")
_NO_LETTER = re.compile(r"[^a-z]+")
_SMALL = str.maketrans({letter: letter.lower() for letter in string.ascii_uppercase})


class FilterWikipediaXML(Operation):
    """The bare words of a dump of Wikipedia: no tags, small letters, digits as words; of a redirection nothing is left.

    >>> from mindspore.dataset import text
    >>> str(text.FilterWikipediaXML()("Welcome <b>now</b> to [[MindSpore]] 2"))
    'welcome to mindspore two'
    """

    def run(self, text: Any) -> np.ndarray:
        return map_texts(text_array("FilterWikipediaXML", text), self._words)

    @staticmethod
    def _words(text: str) -> str:
        text = text.translate(_SMALL)
        if "#redirect" in text:
            return ""
        text = re.sub("[0-9]", lambda digit: f" {_DIGITS[int(digit.group())]} ", _MARKUP.sub(" ", text))
        return _NO_LETTER.sub(" ", text).strip()
