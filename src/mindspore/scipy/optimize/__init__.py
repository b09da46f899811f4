"""Minimization of functions, and the assignment problem."""

from mindspore._utils.documented import claim as _claim
from mindspore.scipy.optimize._assignment import linear_sum_assignment
from mindspore.scipy.optimize._line_search import line_search
from mindspore.scipy.optimize._minimize import minimize

__all__ = ["line_search", "linear_sum_assignment", "minimize"]

_claim(__name__)
