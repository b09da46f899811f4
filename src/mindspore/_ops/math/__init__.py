"""Element-wise operators: arithmetic, comparison, bitwise, trigonometric, special functions, casts."""
