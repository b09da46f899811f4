"""How similar the rows of a batch are to each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.checks import check_bool, check_one_of
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["CosineSimilarity"]


class CosineSimilarity(Metric):
    """The similarity of every row with every row of the last batch.

    Args:
        similarity: 'cosine' of the angle, or 'dot' product.
        reduction: 'none', or the 'sum' or 'mean' of each row.
        zero_diagonal: whether the similarity of a row with itself is set to 0.

    Examples:
        >>> from mindspore import nn
        >>> nn.CosineSimilarity()([[3.0, 4.0], [4.0, 3.0]]).round(2).tolist()
        [[0.0, 0.96], [0.96, 0.0]]
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True):
        super().__init__()
        owner = "CosineSimilarity"
        self.similarity = check_one_of(owner, "similarity", similarity, ("dot", "cosine"))
        self.reduction = check_one_of(owner, "reduction", reduction, ("none", "sum", "mean"))
        self.zero_diagonal = check_bool(owner, "zero_diagonal", zero_diagonal)
        self.clear()

    def clear(self) -> None:
        self.sqr_mtx_res: np.ndarray | None = None

    @rearrange_inputs
    def update(self, inputs: Any) -> None:
        """Take in the rows (N, D)."""
        rows = self._convert_data(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        similarities = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(similarities, 0)
        self.sqr_mtx_res = similarities

    def eval(self) -> np.ndarray:
        if self.sqr_mtx_res is None:
            raise RuntimeError("The 'CosineSimilarity' can not be calculated: call 'update' before 'eval'.")
        if self.reduction == "none":
            return self.sqr_mtx_res
        return self.sqr_mtx_res.mean(axis=-1) if self.reduction == "mean" else self.sqr_mtx_res.sum(axis=-1)
