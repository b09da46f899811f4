"""Datasets of sound: the column waveform is float32, <1, samples>."""

from __future__ import annotations

import os
import re
import wave
from typing import Any

import numpy as np

from mindspore.dataset.engine._tables import (
    Files,
    TableDataset,
    check_choice,
    check_folder,
    check_usage,
    file_lines,
    files_in,
    needed_file,
    subfolders,
    texts,
)
from mindspore.dataset.engine.failures import pipeline_error

__all__ = ["CMUArcticDataset", "GTZANDataset", "LJSpeechDataset", "SpeechCommandsDataset", "YesNoDataset"]

_LARGEST = np.float32(32767)


def _read(path: str) -> tuple[bytes, int]:
    """The samples of a WAV file, 16 bits each, and how many there are in a second."""
    try:
        with wave.open(path, "rb") as stream:
            width, rate = stream.getsampwidth(), stream.getframerate()
            samples = stream.readframes(stream.getnframes())
    except (wave.Error, EOFError, OSError) as error:
        raise pipeline_error(f"Invalid file, failed to read the sound {path}: {error}.") from error
    if width != 2:
        raise pipeline_error(f"Invalid file, {path} has {8 * width} bits per sample: only 16 are supported.")
    return samples, rate


def waveform(path: str) -> np.ndarray:
    """The samples of a WAV file, from -1 to 1."""
    return (np.frombuffer(_read(path)[0], "<i2") / _LARGEST).astype(np.float32)[None]


def sample_rate(path: str) -> np.ndarray:
    """The samples in a second of a WAV file."""
    return np.array(_read(path)[1], np.int32)


def unsigned_rate(path: str) -> np.ndarray:
    """The same, uint32."""
    return sample_rate(path).astype(np.uint32)


def _sounds(paths: list[str], rate: Any = sample_rate) -> dict[str, Any]:
    return {"waveform": Files(paths, waveform), "sample_rate": Files(paths, rate)}


class YesNoDataset(TableDataset):
    """YesNo: columns waveform, sample_rate and label, eight numbers that the name of the file tells.

    Args:
        dataset_dir: the folder with ``1_1_0_0_1_1_0_0.wav`` and so on.
    """

    def __init__(
        self,
        dataset_dir: str,
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

    def _scan(self) -> dict[str, Any]:
        paths = [path for path in files_in(self.dataset_dir, [".wav"]) if re.search(r"[01](_[01]){7}\.wav$", path)]
        names = [os.path.splitext(os.path.basename(path))[0] for path in paths]
        labels = np.array([name.split("_") for name in names], np.int32).reshape(-1, 8)
        return {**_sounds(paths), "label": labels}


class GTZANDataset(TableDataset):
    """GTZAN: columns waveform, sample_rate and label, the name of the genre.

    Args:
        dataset_dir: the folder with ``blues`` and so on.
        usage: 'all'; None for all. The lists of the other parts are not in the files.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
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
        self.usage = check_usage(usage, ["train", "valid", "test", "all"])
        if self.usage != "all":
            raise NotImplementedError(
                f"GTZANDataset: the usage '{self.usage}' is not supported, since its list is not in the dataset: use 'all', "
                "and split()."
            )

    def _scan(self) -> dict[str, Any]:
        names = subfolders(self.dataset_dir)
        pairs = [(path, name) for name in names for path in files_in(os.path.join(self.dataset_dir, name), [".wav"])]
        return {**_sounds([path for path, _ in pairs], unsigned_rate), "label": texts([name for _, name in pairs])}


class SpeechCommandsDataset(TableDataset):
    """SpeechCommands: columns waveform, sample_rate, label, speaker_id and utterance_number.

    Args:
        dataset_dir: the folder with ``cat`` and so on, ``testing_list.txt`` and ``validation_list.txt``.
        usage: 'train', 'test', 'valid' or 'all'; None for all.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
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
        self.usage = check_usage(usage, ["train", "test", "valid", "all"])

    def _listed(self, name: str) -> set[str]:
        return {line.strip() for line in file_lines(needed_file(self.dataset_dir, name)) if line.strip()}

    def _scan(self) -> dict[str, Any]:
        words = [word for word in subfolders(self.dataset_dir) if word != "_background_noise_"]
        names = [
            f"{word}/{os.path.basename(path)}"
            for word in words
            for path in files_in(os.path.join(self.dataset_dir, word), [".wav"])
        ]
        if self.usage == "train":
            others = self._listed("testing_list.txt") | self._listed("validation_list.txt")
            names = [name for name in names if name not in others]
        elif self.usage != "all":
            chosen = self._listed("testing_list.txt" if self.usage == "test" else "validation_list.txt")
            names = [name for name in names if name in chosen]
        parts = [re.fullmatch(r"(.+)/(.+?)_nohash_(\d+)\.wav", name) for name in names]
        found = [part for part in parts if part is not None]
        return {
            **_sounds([os.path.join(self.dataset_dir, part[0]) for part in found]),
            "label": texts([part[1] for part in found]),
            "speaker_id": texts([part[2] for part in found]),
            "utterance_number": np.array([int(part[3]) for part in found], np.int32),
        }


class LJSpeechDataset(TableDataset):
    """LJSpeech: columns waveform, sample_rate, transcription and normalized_transcription.

    Args:
        dataset_dir: the folder with ``metadata.csv`` and ``wavs``.
    """

    def __init__(
        self,
        dataset_dir: str,
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

    def _scan(self) -> dict[str, Any]:
        path = needed_file(self.dataset_dir, "metadata.csv")
        rows = [line.split("|") for line in file_lines(path) if line.strip()]
        for number, row in enumerate(rows, 1):
            if len(row) != 3:
                raise pipeline_error(f"Invalid file, {path} line {number} has {len(row)} fields instead of three.")
        return {
            **_sounds([os.path.join(self.dataset_dir, "wavs", f"{row[0]}.wav") for row in rows]),
            "transcription": texts([row[1] for row in rows]),
            "normalized_transcription": texts([row[2] for row in rows]),
        }


_SPEAKERS = ["aew", "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem", "gka", "jmk", "ksp", "ljm", "lnh", "rms", "rxr", "slp", "slt"]  # fmt: skip


class CMUArcticDataset(TableDataset):
    """CMUArctic: columns waveform, sample_rate, transcript and utterance_id.

    Args:
        dataset_dir: the folder with ``cmu_us_aew_arctic`` and so on.
        name: the speaker; None for 'aew'.
    """

    def __init__(
        self,
        dataset_dir: str,
        name: str | None = None,
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
        self.name = "aew" if name is None else check_choice("name", name, _SPEAKERS)

    def _scan(self) -> dict[str, Any]:
        folder = os.path.join(self.dataset_dir, f"cmu_us_{self.name}_arctic")
        path = needed_file(folder, "etc", "txt.done.data")
        found = [
            re.match(r'\(\s*arctic_(\S+)\s+"(.*)"\s*\)', line.strip()) for line in file_lines(path) if line.strip()
        ]
        rows = [one for one in found if one is not None]
        if len(rows) != len(found):
            raise pipeline_error(f'Invalid file, {path} has lines that are not of the form ( arctic_a0001 "text" ).')
        return {
            **_sounds([os.path.join(folder, "wav", f"arctic_{one[1]}.wav") for one in rows], unsigned_rate),
            "transcript": texts([one[2] for one in rows]),
            "utterance_id": texts([one[1] for one in rows]),
        }
