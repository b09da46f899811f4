"""JiebaTokenizer: words of Chinese text, from a dictionary and a model of characters in Jieba's files."""

from __future__ import annotations

import itertools
import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from mindspore.dataset.core.checks import check_bool, check_int, check_str, check_type
from mindspore.dataset.text._tokenizers import _Tokenizer
from mindspore.dataset.text.utils import JiebaMode

Span = tuple[int, int]

_SEPARATOR = re.compile("[ \t\n，。]")
# what is kept together in text that has no words of the dictionary: a name, a number, one sign, or a run of others
_RUN = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f]|[^\x00-\x7f]+")
_NEVER = -3.14e100  # what Jieba's files write for impossible


@contextmanager
def _text_of(path: str, encoding: str = "utf-8") -> Iterator[TextIO]:
    try:
        with open(path, encoding=encoding) as stream:
            yield stream
    except UnicodeDecodeError as error:
        raise ValueError(f"For 'JiebaTokenizer', {path} must be text in UTF-8: {error}.") from error


class _Dictionary:
    """Words and the logarithms of their frequencies."""

    def __init__(self, path: str):
        counts: dict[str, float] = {}
        with _text_of(path) as stream:
            for number, line in enumerate(stream, 1):
                fields = line.split()
                if not fields:
                    continue
                try:
                    counts[fields[0]] = float(fields[1])
                except (IndexError, ValueError) as error:
                    raise ValueError(
                        f"For 'JiebaTokenizer', line {number} of the dictionary {path} must be a word and its frequency, "
                        f"but is {line.strip()!r}."
                    ) from error
        if not counts:
            raise ValueError(f"For 'JiebaTokenizer', the dictionary {path} holds no words.")
        self.total = sum(counts.values())
        self.weights = {word: math.log(max(count, 1e-300) / self.total) for word, count in counts.items()}
        ordered = sorted(self.weights.values())
        self.least, self.median = ordered[0], ordered[len(ordered) // 2]
        self.longest = max(map(len, self.weights))

    def add(self, word: str, frequency: int | None) -> None:
        """One more word; without a frequency it is as usual as the median."""
        self.weights[word] = math.log(frequency / self.total) if frequency else self.median
        self.longest = max(self.longest, len(word))

    def cut(self, text: str, start: int, end: int) -> list[Span]:
        """The likeliest way to cut a stretch into words."""
        best = [0.0] * (end - start + 1)
        ends = list(range(start + 1, end + 1))
        for index in range(end - 1, start - 1, -1):
            best[index - start] = -math.inf
            for stop in range(index + 1, min(end, index + self.longest) + 1):
                weight = self.weights.get(text[index:stop])
                if weight is None and stop > index + 1:
                    continue
                total = best[stop - start] + (self.least if weight is None else weight)
                if total > best[index - start]:
                    best[index - start], ends[index - start] = total, stop
        found = []
        while start < end:
            stop = ends[start - end]
            found.append((start, stop))
            start = stop
        return found


class _CharacterModel:
    """Which characters begin, continue or end a word: a hidden Markov model of four states."""

    def __init__(self, path: str):
        with _text_of(path) as stream:
            lines = [line.strip() for line in stream if line.strip() and not line.startswith("#")]
        try:
            # the file writes the states in the order B, E, M, S
            self.start = [float(number) for number in lines[0].split()]
            self.change = [[float(number) for number in line.split()] for line in lines[1:5]]
            self.emission = [self._characters(line) for line in lines[5:9]]
            complete = len(self.emission) == 4 and [len(self.start), *map(len, self.change)] == [4] * 5
        except (IndexError, ValueError):
            complete = False
        if not complete:
            raise ValueError(
                f"For 'JiebaTokenizer', the 'hmm_path' must be a model file of Jieba: a line of 4 numbers, 4 such lines, and "
                f"4 lines of characters with numbers; {path} is none."
            )

    @staticmethod
    def _characters(line: str) -> dict[str, float]:
        pairs = (pair.rsplit(":", 1) for pair in line.split(",") if pair)
        return {character: float(weight) for character, weight in pairs}

    def cut(self, text: str, start: int, end: int) -> Iterator[Span]:
        """The words in a stretch; letters and numbers stay together."""
        for run in _RUN.finditer(text, start, end):
            if run.group()[0] < "\x80":
                yield run.span()
            else:
                yield from self._words(text, *run.span())

    def _words(self, text: str, start: int, end: int) -> Iterator[Span]:
        for index, state in enumerate(self._states(text[start:end]), start):
            if state % 2:  # E or S: a word ends here
                yield start, index + 1
                start = index + 1

    def _states(self, text: str) -> list[int]:
        """The likeliest states of the characters (Viterbi's algorithm)."""
        weights = [self.start[state] + self.emission[state].get(text[0], _NEVER) for state in range(4)]
        paths: list[list[int]] = []
        for character in text[1:]:
            came, now = [], []
            for state in range(4):
                emission = self.emission[state].get(character, _NEVER)
                best, origin = _NEVER, 1
                for before in range(4):
                    total = weights[before] + self.change[before][state] + emission
                    if total > best:
                        best, origin = total, before
                came.append(origin)
                now.append(best)
            paths.append(came)
            weights = now
        states = [1 if weights[1] >= weights[3] else 3]
        for came in reversed(paths):
            states.append(came[states[-1]])
        return states[::-1]


class JiebaTokenizer(_Tokenizer):
    """Words of Chinese text.

    Args:
        hmm_path: the file of the model of characters, ``hmm_model.utf8`` of Jieba.
        mp_path: the file of the dictionary, ``jieba.dict.utf8`` of Jieba.
        mode: by the dictionary, by the model, or by the dictionary and where it knows only characters by the model.
        with_offsets: also give the bytes where each word starts and ends.
    """

    def __init__(self, hmm_path: str, mp_path: str, mode: JiebaMode = JiebaMode.MIX, with_offsets: bool = False):
        super().__init__(check_bool("JiebaTokenizer", "with_offsets", with_offsets))
        self.mode = check_type("JiebaTokenizer", "mode", mode, JiebaMode)
        for name, path in (("hmm_path", hmm_path), ("mp_path", mp_path)):
            if not os.path.isfile(check_str("JiebaTokenizer", name, path)):
                raise ValueError(f"For 'JiebaTokenizer', the '{name}' must be a file, but '{path}' does not exist.")
        self.dictionary, self.model = _Dictionary(mp_path), _CharacterModel(hmm_path)

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Add a word to the dictionary; a larger frequency makes it likelier."""
        check_str("add_word", "word", word, allow_empty=False)
        if freq is not None:
            check_int("add_word", "freq", freq, 0, 2**32 - 1)
        self.dictionary.add(word, freq)

    def add_dict(self, user_dict: str | dict[str, int]) -> None:
        """Add the words of a dict, or of a file with a word and maybe its frequency on each line."""
        check_type("add_dict", "user_dict", user_dict, (str, dict))
        if isinstance(user_dict, dict):
            words: dict[str, int | None] = dict(user_dict)
        elif os.path.isfile(user_dict):
            words = self._read_words(user_dict)
        else:
            raise ValueError(
                f"For 'add_dict', the 'user_dict' must be a dict or a file, but '{user_dict}' does not exist."
            )
        for word, frequency in words.items():  # all are checked before the first is added
            check_str("add_dict", "user_dict", word, allow_empty=False)
            if frequency is not None:
                check_int("add_dict", "user_dict", frequency, 0, 2**32 - 1)
        for word, frequency in words.items():
            self.dictionary.add(word, frequency)

    @staticmethod
    def _read_words(path: str) -> dict[str, int | None]:
        words: dict[str, int | None] = {}
        with _text_of(path, "utf-8-sig") as stream:
            for number, line in enumerate(stream, 1):
                fields = line.split()
                if fields and len(fields) > 1 and not fields[1].isdigit():
                    raise ValueError(
                        f"For 'add_dict', line {number} of {path} must be a word and a frequency, but is {line.strip()!r}."
                    )
                if fields:
                    words[fields[0]] = int(fields[1]) if len(fields) > 1 else None
        return words

    def spans(self, text: str) -> list[Span]:
        found: list[Span] = []
        start = 0
        for separator in _SEPARATOR.finditer(text):
            found += self._cut(text, start, separator.start())
            found.append(separator.span())
            start = separator.end()
        return found + self._cut(text, start, len(text))

    def _cut(self, text: str, start: int, end: int) -> list[Span]:
        if self.mode is JiebaMode.HMM:
            return list(self.model.cut(text, start, end))
        words = self.dictionary.cut(text, start, end)
        return words if self.mode is JiebaMode.MP else list(self._joined(text, words))

    def _joined(self, text: str, words: list[Span]) -> Iterator[Span]:
        """Words of the dictionary as they are; what lies between them by the model."""
        for single, group in itertools.groupby(words, lambda word: word[1] == word[0] + 1):
            spans = list(group)
            yield from self.model.cut(text, spans[0][0], spans[-1][1]) if single else spans
