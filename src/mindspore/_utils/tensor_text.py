"""The text forms of a Tensor: ``repr``, ``str``, the graph-mode print layout and the notebook table.

>>> import numpy as np
>>> tensor_repr(np.array([1, 20], np.int32), "Int32")
'Tensor(shape=[2], dtype=Int32, value= [ 1, 20])'
>>> tensor_repr(np.array(2.5, np.float32), "Float32")
'Tensor(shape=[], dtype=Float32, value= 2.5)'
"""

from __future__ import annotations

import html

import ml_dtypes
import numpy as np

_EDGE = 3  # blocks kept at each end of a shortened axis
_LONGEST_AXIS = 2 * _EDGE
_LONGEST_VECTOR = 1000
_HTML_EDGE = 5

_SCIENTIFIC = {np.dtype(np.float16): "%11.4e", np.dtype(np.float32): "%15.8e", np.dtype(np.float64): "%15.8e"}
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def tensor_repr(array: np.ndarray, dtype_name: str) -> str:
    """The ``repr`` of a tensor: shape, dtype and all elements, or the edges of every long axis."""
    gap = " " if array.ndim <= 1 else "\n"
    return f"{_head(array, dtype_name)}, value={gap}{_data(array, ',')})"


def tensor_graph_print(array: np.ndarray, dtype_name: str) -> str:
    """What ``print(tensor)`` shows inside a compiled graph: no commas, and a scalar is its bare value.

    >>> tensor_graph_print(np.array([True, False]), "Bool")
    'Tensor(shape=[2], dtype=Bool, value=[ True False])'
    """
    if array.ndim == 0:
        return _data(array, "")
    gap = "" if array.ndim == 1 else "\n"
    return f"{_head(array, dtype_name)}, value={gap}{_data(array, '')})"


def tensor_str(array: np.ndarray) -> str:
    """The ``str`` of a tensor: NumPy's text, with bfloat16 (which NumPy does not know) in six decimals.

    >>> print(tensor_str(np.array([1.5, -2.0], ml_dtypes.bfloat16)))
    [1.500000 -2.000000]
    """
    if array.dtype != _BFLOAT16:
        return str(array)
    if array.ndim == 0:
        return f"{float(array):f}"
    return np.array2string(array.astype(np.float32), formatter={"float_kind": "{:f}".format})


def tensor_html(array: np.ndarray, dtype_name: str) -> str:
    """The notebook form: a table for vectors and matrices, the ``repr`` for every other rank."""
    title = f"<b>{html.escape(_head(array, dtype_name))})</b>"
    if array.ndim not in (1, 2) or array.size == 0:
        return f"<div>{title}<pre>{html.escape(tensor_repr(array, dtype_name))}</pre></div>"
    matrix = np.atleast_2d(array)
    shown, cut = _keep_edges(matrix, 2 * _HTML_EDGE, _HTML_EDGE)
    cells = np.array(_scalar_texts(shown), dtype=object).reshape(shown.shape)
    numbers = _row_numbers(matrix, cut[0])
    rows = [_html_row(row, cut[1], array.ndim == 2, number) for row, number in zip(cells, numbers, strict=True)]
    if cut[0]:
        width = shown.shape[1] + cut[1] + 1
        rows.insert(_HTML_EDGE, f'<tr><td colspan="{width}">&#8942;</td></tr>')
    return f"<div>{title}<table>{''.join(rows)}</table></div>"


def _head(array: np.ndarray, dtype_name: str) -> str:
    return f"Tensor(shape={list(array.shape)}, dtype={dtype_name}"


def _data(array: np.ndarray, comma: str) -> str:
    if array.size == 0:
        return ""
    if array.ndim == 0:
        return _scalar_texts(array)[0]
    shown, cut = _keep_edges(array, _LONGEST_VECTOR if array.ndim == 1 else _LONGEST_AXIS, _EDGE)
    texts = np.array(_element_texts(shown), dtype=object).reshape(shown.shape)
    if array.ndim == 1 and not cut[0]:
        return _vector(texts, comma, 12 if _is_wide(array.dtype) else 24)
    return _block(texts, cut, comma, 1)


def _keep_edges(array: np.ndarray, longest: int, edge: int) -> tuple[np.ndarray, list[bool]]:
    """Drop the middle of each axis above ``longest``; also say which axes were cut."""
    cut = [length > longest for length in array.shape]
    for axis, is_cut in enumerate(cut):
        if is_cut:
            array = array.take([*range(edge), *range(-edge, 0)], axis)
    return array, cut


def _is_wide(dtype: np.dtype) -> bool:
    return dtype in _SCIENTIFIC or dtype == np.bool_


def _element_texts(array: np.ndarray) -> list[str]:
    scientific = _SCIENTIFIC.get(array.dtype)
    if scientific is not None:
        return [scientific % value for value in array.ravel().tolist()]
    texts = _scalar_texts(array)
    if array.dtype.kind in "cUS":
        return texts
    width = 5 if array.dtype == np.bool_ else max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _scalar_texts(array: np.ndarray) -> list[str]:
    """Each element as a C++ stream prints it: six significant digits. The meaningless sign of a NaN is left out."""
    if array.dtype.kind == "c":
        return [f"{value.real:g}{value.imag:+g}j" for value in array.ravel().tolist()]
    if array.dtype in _SCIENTIFIC:
        return [f"{value:g}" for value in array.ravel().tolist()]
    if array.dtype == _BFLOAT16:
        return [f"{value:g}" for value in array.ravel().astype(np.float32).tolist()]
    # repr: the same as str for ints and bools, and strings get their quotes.
    return [repr(value) for value in array.ravel().tolist()]


def _vector(texts: np.ndarray, comma: str, per_line: int) -> str:
    separator = comma + " "
    lines = [separator.join(texts[start : start + per_line]) for start in range(0, len(texts), per_line)]
    # MindSpore breaks after every full line, also after the last element.
    tail = "\n " if len(texts) % per_line == 0 else ""
    return "[" + f"{separator}\n ".join(lines) + tail + "]"


def _block(texts: np.ndarray, cut: list[bool], comma: str, depth: int) -> str:
    if texts.ndim == 1:
        separator = comma + " "
        if cut[0]:
            return f"[{separator.join(texts[:_EDGE])} ... {separator.join(texts[_EDGE:])}]"
        return f"[{separator.join(texts)}]"
    blocks = [_block(part, cut[1:], comma, depth + 1) for part in texts]
    newline = "\n" + " " * depth
    if not cut[0]:
        return f"[{(comma + newline).join(blocks)}]"
    first, last = (comma + newline).join(blocks[:_EDGE]), (comma + newline).join(blocks[_EDGE:])
    return f"[{first}{comma}{newline}...{newline}{last}]"


def _row_numbers(matrix: np.ndarray, is_cut: bool) -> list[int]:
    count = len(matrix)
    return [*range(_HTML_EDGE), *range(count - _HTML_EDGE, count)] if is_cut else list(range(count))


def _html_row(texts: np.ndarray, is_cut: bool, numbered: bool, number: int) -> str:
    cells = [f"<td>{html.escape(text)}</td>" for text in texts]
    if is_cut:
        cells.insert(_HTML_EDGE, "<td>&#8230;</td>")
    if numbered:
        cells.insert(0, f"<th>{number}</th>")
    return f"<tr>{''.join(cells)}</tr>"
