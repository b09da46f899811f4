"""Operators that reduce or scan an axis: sums, extremes, statistics, norms, sorting, counting, segments."""
