"""How text transforms take strings, and give tokens back."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset.transforms._dtype import is_text, type_name


def text_array(owner: str, value: Any) -> np.ndarray:
    """``value`` as an array of strings; UTF-8 bytes are decoded."""
    array = np.asarray(value)
    if not is_text(array.dtype):
        raise RuntimeError(f"{owner}: the input type should be string, but got {type_name(array.dtype)}.")
    return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array


def one_text(owner: str, value: Any) -> str:
    """``value`` as a single string."""
    if isinstance(value, str):
        return value
    array = text_array(owner, value)
    if array.ndim:
        raise RuntimeError(f"{owner}: the input shape should be scalar, but got an array of shape {array.shape}.")
    return str(array[()])


def token_list(owner: str, value: Any) -> list[str]:
    """``value`` as a list of strings."""
    array = text_array(owner, value)
    if array.ndim > 1:
        raise RuntimeError(
            f"{owner}: the input shape should be scalar or 1-D, but got an array of shape {array.shape}."
        )
    return array.reshape(-1).tolist()


def map_texts(array: np.ndarray, function: Any) -> np.ndarray:
    """A function applied to every string."""
    return np.array([function(item) for item in array.reshape(-1).tolist()], dtype=np.str_).reshape(array.shape)


Token = tuple[str, int, int]  # the text, and the bytes from which to which it stands in the UTF-8 form of the input


def byte_offsets(text: str, spans: list[tuple[int, int]]) -> list[Token]:
    """The parts of a text from these characters to those, with their byte offsets."""
    if text.isascii():
        return [(text[start:end], start, end) for start, end in spans]
    tokens = []
    position = done = 0
    for start, end in spans:
        position += len(text[done:start].encode("utf-8", "surrogatepass"))
        token = text[start:end]
        size = len(token.encode("utf-8", "surrogatepass"))
        tokens.append((token, position, position + size))
        position += size
        done = end
    return tokens


def as_columns(tokens: list[Token], with_offsets: bool) -> Any:
    """Tokens as an array, on request with arrays of start and end offsets; no token gives an empty string."""
    tokens = tokens or [("", 0, 0)]
    words = np.array([token[0] for token in tokens], dtype=np.str_)
    if not with_offsets:
        return words
    return words, *(np.array([token[field] for token in tokens], np.uint32) for field in (1, 2))
