"""Speech that is read aloud or held as a talk: LibriTTS and TED-LIUM."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore._utils.files import atomic_file
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.audio.wave import LARGEST, unsigned_rate, waveform
from mindspore.dataset._sources.folder_source import UsageDataset
from mindspore.dataset._sources.table_source import (
    Files,
    TableDataset,
    check_choice,
    check_folder,
    check_usage,
    file_lines,
    file_text,
    files_in,
    needed_file,
    subfolders,
    texts,
)
from mindspore.dataset.engine.datasets import AudioBaseDataset

_PARTS = ["dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360", "train-other-500"]


class LibriTTSDataset(UsageDataset, AudioBaseDataset):
    """LibriTTS: columns waveform, sample_rate, original_text, normalized_text, speaker_id, chapter_id and utterance_id.

    Args:
        dataset_dir: the folder with ``dev-clean`` and so on.
        usage: the name of a part, or 'all'; None for all parts that are there.
    """

    usages = (*_PARTS, "all")

    def _scan(self) -> dict[str, Any]:
        parts = [part for part in subfolders(self.dataset_dir) if part in _PARTS and self.usage in (part, "all")]
        stems = [stem for part in parts for stem in self._utterances(os.path.join(self.dataset_dir, part))]
        if not stems:
            raise pipeline_error(
                f"Invalid data, no sound of the usage '{self.usage}' for LibriTTSDataset in {self.dataset_dir}."
            )
        names = [os.path.basename(stem) for stem in stems]
        numbers = np.array([name.split("_")[:2] for name in names], np.uint32)
        paths = [f"{stem}.wav" for stem in stems]
        return {
            "waveform": Files(paths, waveform),
            "sample_rate": Files(paths, unsigned_rate),
            "original_text": Files([needed_file(f"{stem}.original.txt") for stem in stems], file_text),
            "normalized_text": Files([needed_file(f"{stem}.normalized.txt") for stem in stems], file_text),
            "speaker_id": numbers[:, 0],
            "chapter_id": numbers[:, 1],
            "utterance_id": texts(names),
        }

    @staticmethod
    def _utterances(part: str) -> list[str]:
        """The paths of the sounds of speakers and chapters, without their ends."""
        chapters = [
            os.path.join(part, speaker, chapter)
            for speaker in subfolders(part)
            for chapter in subfolders(os.path.join(part, speaker))
        ]
        return [path.removesuffix(".wav") for chapter in chapters for path in files_in(chapter, [".wav"])]


class _Stretch(str):
    """The path of a file, and from which to which second a sentence lies in it."""

    start: float
    end: float

    @classmethod
    def make(cls, path: str, start: float, end: float) -> _Stretch:
        """A stretch of a file."""
        made = cls(path)
        made.start, made.end = start, end
        return made


def _header(path: str, data: memoryview) -> tuple[int, dict[str, str]]:
    """The length of the header of a NIST SPHERE file, and what it says."""
    lines = bytes(data[:1024]).decode("ascii", "replace").split("\n")
    fields = {line.split()[0]: line.split()[-1] for line in lines[2:] if len(line.split()) >= 3}
    coding, width = fields.get("sample_coding", "pcm"), fields.get("sample_n_bytes", "2")
    if lines[0] != "NIST_1A" or not lines[1].strip().isdigit() or "sample_rate" not in fields:
        raise pipeline_error(f"Invalid file, {path} is no NIST SPHERE file.")
    if coding != "pcm" or width != "2":
        raise pipeline_error(f"Invalid file, {path} has {coding} samples of {width} bytes: only pcm of 2 is supported.")
    return int(lines[1]), fields


def stretch_waveform(stretch: Any) -> np.ndarray:
    """The samples of a sentence, from -1 to 1."""
    data = atomic_file.contents(stretch)
    length, fields = _header(stretch, data)
    kind = ">i2" if fields.get("sample_byte_format") == "10" else "<i2"
    rate = int(fields["sample_rate"])
    first, last = (length + 2 * round(seconds * rate) for seconds in (stretch.start, stretch.end))
    samples = np.frombuffer(data[first : min(last, length + (len(data) - length) // 2 * 2)], kind)
    return (samples / LARGEST).astype(np.float32)[None]


def stretch_rate(stretch: str) -> np.ndarray:
    """The samples in a second of the file of a sentence."""
    return np.array(_header(stretch, atomic_file.contents(stretch))[1]["sample_rate"], np.int32)


class TedliumDataset(TableDataset, AudioBaseDataset):
    """TED-LIUM: columns waveform, sample_rate, transcript, talk_id, speaker_id and identifier.

    Args:
        dataset_dir: the folder of a release: with ``train``, ``dev`` and ``test``, or of release 3 with ``data``.
        release: 'release1', 'release2' or 'release3'.
        usage: 'train', 'dev', 'test' or 'all', of release 3 only 'all'; None for all.
        extensions: how the names of the sounds end: '.sph', which None stands for.
    """

    def __init__(
        self,
        dataset_dir: str,
        release: str,
        usage: str | None = None,
        extensions: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.release = check_choice("release", release, ["release1", "release2", "release3"])
        self.usage = check_usage(usage, ["all"] if release == "release3" else ["train", "test", "dev", "all"])
        if extensions not in (None, ".sph"):
            raise RuntimeError(f"TedliumDataset: the 'extensions' must be '.sph', but got {extensions!r}.")

    def _scan(self) -> dict[str, Any]:
        parts = (
            ["data"]
            if self.release == "release3"
            else [split for split in ("train", "dev", "test") if self.usage in (split, "all")]
        )
        stretches: list[_Stretch] = []
        rows: list[list[str]] = []
        for folder in (os.path.join(self.dataset_dir, part) for part in parts):
            for path in files_in(check_folder(os.path.join(folder, "stm")), [".stm"]):
                sound = needed_file(folder, "sph", f"{os.path.splitext(os.path.basename(path))[0]}.sph")
                for number, line in enumerate(file_lines(path), 1):
                    fields = line.split(" ", 6)
                    try:
                        stretches.append(_Stretch.make(sound, float(fields[3]), float(fields[4])))
                        rows.append([fields[6], fields[0], fields[2], fields[5]])
                    except (IndexError, ValueError) as error:
                        raise pipeline_error(
                            f"Invalid file, {path} line {number} is no line of STM: {line!r}."
                        ) from error
        names = ("transcript", "talk_id", "speaker_id", "identifier")
        return {
            "waveform": Files(stretches, stretch_waveform),
            "sample_rate": Files(stretches, stretch_rate),
            **{name: texts([row[index] for row in rows]) for index, name in enumerate(names)},
        }
