"""Minimization of functions, and the assignment problem."""

from mindspore._utils.documented import claim as _claim
from mindspore.scipy.optimize.line_search import line_search  # the functions shadow the modules of their names
from mindspore.scipy.optimize.linear_sum_assignment import linear_sum_assignment
from mindspore.scipy.optimize.minimize import minimize

__all__ = ["line_search", "linear_sum_assignment", "minimize"]

_claim(__name__)
