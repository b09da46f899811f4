"""How much a translation shares with reference translations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._utils.checks import check_bool, check_int
from mindspore._utils.refusals import refused
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["BleuScore"]


class BleuScore(Metric):
    """The BLEU score of a corpus.

    Args:
        n_gram: the longest word sequences that count, 1 to 4.
        smooth: whether 1 is added to counts of sequences.

    Examples:
        >>> from mindspore import nn
        >>> candidate = [["i", "have", "a", "pen", "on", "my", "desk"]]
        >>> references = [[["i", "have", "a", "pen", "in", "my", "desk"], ["there", "is", "a", "pen", "on", "the", "desk"]]]
        >>> round(nn.BleuScore()(candidate, references), 4)
        0.5946
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False):
        super().__init__()
        self.n_gram = check_int("BleuScore", "n_gram", n_gram, low=1, high=4)
        self.smooth = check_bool("BleuScore", "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        self._numerator = np.zeros(self.n_gram)  # sequences of each length that references have too
        self._denominator = np.zeros(self.n_gram)
        self._candidate_length = 0
        self._reference_length = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in candidates (lists of words) and for each a list of references."""
        self._count_inputs(inputs, "candidate corpus, reference corpus")
        candidates, references = inputs
        if len(candidates) != len(references):
            raise refused(
                ValueError,
                "For 'BleuScore.update', there must be as many lists of references as candidates, but got "
                f"{len(references)} and {len(candidates)}.",
            )
        for candidate, own in zip(candidates, references):
            self._add(candidate, own)
        self._is_update = True

    def _add(self, candidate: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        self._candidate_length += len(candidate)
        self._reference_length += min(
            (len(sentence) for sentence in references), key=lambda length: abs(length - len(candidate))
        )
        found = _sequences(candidate, self.n_gram)
        allowed: Counter = Counter()
        for reference in references:
            allowed |= _sequences(reference, self.n_gram)
        for sequence, count in (found & allowed).items():
            self._numerator[len(sequence) - 1] += count
        for sequence, count in found.items():
            self._denominator[len(sequence) - 1] += count

    def eval(self) -> float:
        if not self._is_update:
            raise RuntimeError("The 'BleuScore' can not be calculated: call 'update' before 'eval'.")
        if self._numerator.min() == 0:
            return 0.0
        more = 1 if self.smooth else 0
        precision = (self._numerator + more) / (self._denominator + more)
        brevity = min(0.0, 1 - self._reference_length / self._candidate_length)
        return math.exp(brevity + float(np.log(precision).mean()))


def _sequences(words: Sequence[str], longest: int) -> Counter:
    """How often each sequence of up to ``longest`` words occurs."""
    return Counter(
        tuple(words[start : start + length])
        for length in range(1, longest + 1)
        for start in range(len(words) - length + 1)
    )
