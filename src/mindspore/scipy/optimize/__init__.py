"""Minimization of functions, and the assignment problem."""

from mindspore.scipy.optimize._assignment import linear_sum_assignment
from mindspore.scipy.optimize._line_search import line_search
from mindspore.scipy.optimize._minimize import minimize

__all__ = ["line_search", "linear_sum_assignment", "minimize"]
