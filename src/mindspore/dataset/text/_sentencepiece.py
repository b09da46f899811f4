"""SentencePieceVocab and SentencePieceTokenizer, over the package sentencepiece, which not every program needs."""

from __future__ import annotations

import enum
import importlib
import io
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset.core.checks import check_int, check_str, check_type
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.text._scalars import one_text


class SentencePieceModel(enum.IntEnum):
    """How the pieces are found.

    Examples:
        >>> from mindspore.dataset import text
        >>> [one.name for one in text.SentencePieceModel]
        ['UNIGRAM', 'BPE', 'CHAR', 'WORD']
    """

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerLoadType(enum.IntEnum):
    """Where a model comes from.

    Examples:
        >>> from mindspore.dataset import text
        >>> [one.name for one in text.SPieceTokenizerLoadType]
        ['FILE', 'MODEL']
    """

    FILE = 0
    MODEL = 1


class SPieceTokenizerOutType(enum.IntEnum):
    """What a tokenizer gives: pieces or their numbers.

    Examples:
        >>> from mindspore.dataset import text
        >>> [one.name for one in text.SPieceTokenizerOutType]
        ['STRING', 'INT']
    """

    STRING = 0
    INT = 1


def _package(owner: str) -> Any:
    try:
        return importlib.import_module("sentencepiece")
    except ImportError as error:
        raise ImportError(
            f"For '{owner}', the package 'sentencepiece' is needed: pip install 'mycelium[sentencepiece]'."
        ) from error


class SentencePieceVocab:
    """A model of SentencePiece, trained on text.

    ``params`` are further options of its trainer, by name, for example ``{"pad_id": "3"}``.
    """

    def __init__(self) -> None:
        self.model = b""

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        col_names: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """A model of the text in columns of a dataset."""
        check_type("from_dataset", "col_names", col_names, list)

        def sentences() -> Iterator[str]:
            for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
                for name in col_names or row:
                    if name not in row:
                        raise RuntimeError(f"from_dataset: column '{name}' does not exist; there are {list(row)}.")
                    yield from np.asarray(row[name]).reshape(-1).tolist()

        return cls._train(
            "from_dataset", vocab_size, character_coverage, model_type, params, {"sentence_iterator": sentences()}
        )

    @classmethod
    def from_file(
        cls,
        file_path: list[str],
        vocab_size: int,
        character_coverage: float,
        model_type: SentencePieceModel,
        params: dict[str, str],
    ) -> SentencePieceVocab:
        """A model of the lines of text files."""
        check_type("from_file", "file_path", file_path, list)
        for path in file_path:
            if not os.path.isfile(check_str("from_file", "file_path", path)):
                raise RuntimeError(f"from_file: invalid file, '{path}' does not exist or is not a file.")
        return cls._train("from_file", vocab_size, character_coverage, model_type, params, {"input": file_path})

    @classmethod
    def _train(
        cls, owner: str, size: int, coverage: float, model_type: Any, params: dict[str, str], source: dict[str, Any]
    ) -> SentencePieceVocab:
        check_int(owner, "vocab_size", size, 0, 2**32 - 1)
        check_type(owner, "character_coverage", coverage, float)
        check_type(owner, "model_type", model_type, (SentencePieceModel, str))
        check_type(owner, "params", params, dict)
        package = _package(owner)
        kind = model_type if isinstance(model_type, str) else model_type.name.lower()
        written = io.BytesIO()
        given = {"vocab_size": size, "character_coverage": coverage, "model_type": kind, "minloglevel": 2}
        try:
            package.SentencePieceTrainer.train(model_writer=written, **{**params, **given}, **source)
        except (OSError, ValueError, RuntimeError) as error:
            if "does not exist" in str(error):
                raise
            raise RuntimeError(f"{owner}: SentencePiece could not be trained: {error}") from error
        made = cls()
        made.model = written.getvalue()
        return made

    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None:
        """Write a model into a file of a folder."""
        check_type("save_model", "vocab", vocab, SentencePieceVocab)
        check_str("save_model", "path", path)
        check_str("save_model", "filename", filename)
        if not os.path.isdir(path):
            raise RuntimeError(f"save_model: the 'path' must be a folder that exists, but got '{path}'.")
        with open(os.path.join(path, filename), "wb") as stream:
            stream.write(vocab.model)


class SentencePieceTokenizer(Operation):
    """Cuts text into the pieces of a model that was trained here or read from a file."""

    def __init__(self, mode: str | SentencePieceVocab, out_type: SPieceTokenizerOutType):
        check_type("SentencePieceTokenizer", "mode", mode, (str, SentencePieceVocab))
        check_type("SentencePieceTokenizer", "out_type", out_type, SPieceTokenizerOutType)
        if isinstance(mode, str):
            if not os.path.isfile(mode):
                raise RuntimeError(f"SentencePieceTokenizer: invalid file, '{mode}' does not exist or is not a file.")
            with open(mode, "rb") as stream:
                self.model = stream.read()
        else:
            self.model = mode.model
        self.out_type = out_type
        self._processor = self._load()

    def _load(self) -> Any:
        try:
            return _package("SentencePieceTokenizer").SentencePieceProcessor(model_proto=self.model)
        except RuntimeError as error:
            raise RuntimeError(f"SentencePieceTokenizer: this is no model of SentencePiece: {error}") from error

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model, "out_type": self.out_type}  # the processor cannot go to another process

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._processor = self._load()

    def run(self, text: Any) -> np.ndarray:
        text = one_text("SentencePieceTokenizer", text)
        if self.out_type is SPieceTokenizerOutType.INT:
            return np.array(self._processor.encode(text, out_type=int), np.int32)
        return np.array(self._processor.encode(text, out_type=str), np.str_)
