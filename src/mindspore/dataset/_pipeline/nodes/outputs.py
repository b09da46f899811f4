"""What a pipeline gives besides iterators: files, vocabularies, a queue; and at which row the next iterator starts."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.saving import save_rows
from mindspore.dataset._pipeline.transfer import TransferDataset
from mindspore.dataset.text.utils import SentencePieceVocab, Vocab


class Outputs(DatasetQuestions):
    """The part of Dataset that ends a pipeline. Split off for readability; not used on its own."""

    def build_vocab(
        self,
        columns: str | list[str] | None,
        freq_range: tuple[int | None, int | None] | None,
        top_k: int | None,
        special_tokens: list[str] | None,
        special_first: bool,
    ) -> Vocab:
        """The words of some columns, as ``text.Vocab.from_dataset`` finds them."""
        return Vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first)

    def build_sentencepiece_vocab(
        self, columns: list[str], vocab_size: int, character_coverage: float, model_type: Any, params: dict[str, str]
    ) -> SentencePieceVocab:
        """The pieces of words in some columns, as ``text.SentencePieceVocab.from_dataset`` finds them."""
        return SentencePieceVocab.from_dataset(self, columns, vocab_size, character_coverage, model_type, params)

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """The pipeline as a dict, also written to a file if a name is given, as :func:`mindspore.dataset.serialize` does."""
        check.text("filename", filename)
        serializer = import_module("mindspore.dataset.engine.serializer_deserializer")  # which needs this module
        return serializer.serialize(self, filename)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write all rows of one epoch to MindRecord files.

        Args:
            file_name: path of the file; with several files a number is added.
            num_files: how many files to divide the rows among.
            file_type: 'mindrecord' is the only type.
        """
        check.text("file_name", file_name)
        check.text("file_type", file_type)
        if file_type != "mindrecord":
            raise ValueError(f"{file_type} dataset format is not supported; the only one is 'mindrecord'.")
        save_rows(self.create_dict_iterator(num_epochs=1, output_numpy=True), file_name, num_files)

    def device_que(
        self, send_epoch_end: bool = True, create_data_info_queue: bool = False, queue_name: str = ""
    ) -> TransferDataset:
        """A sender of the rows to a named queue, from which ``nn.GetNextSingleOp`` fetches them."""
        check.flag("send_epoch_end", send_epoch_end)
        check.flag("create_data_info_queue", create_data_info_queue)
        check.text("queue_name", queue_name)
        return TransferDataset(self, queue_name)  # type: ignore[arg-type]  # only Dataset derives from this class

    # -- state of old programs ---------------------------------------------------------------------------------------
    def reset(self) -> None:
        """Start over; kept for old programs: every iterator starts from the beginning."""

    def close_pool(self) -> None:
        """Kept for old programs: workers end with their iterator."""

    def set_init_step(self, init_step: int) -> None:
        """Let the next iterator start after this many rows, as a resumed training does."""
        self._init_step = check.number("set_init_step", "init_step", init_step, low=0)

    def get_init_step(self) -> int:
        """Rows the next iterator will leave out."""
        return self._init_step
