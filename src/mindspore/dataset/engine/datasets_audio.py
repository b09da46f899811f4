"""Datasets of sound: the column waveform is float32, <1, samples>."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.audio.speech import LibriTTSDataset, TedliumDataset
from mindspore.dataset._sources.audio.wave import sounds, unsigned_rate
from mindspore.dataset._sources.folder_source import FolderDataset, UsageDataset
from mindspore.dataset._sources.table_source import (
    TableDataset,
    check_choice,
    check_folder,
    file_lines,
    files_in,
    needed_file,
    subfolders,
    texts,
)
from mindspore.dataset.engine.datasets import AudioBaseDataset

__all__ = [
    "CMUArcticDataset",
    "GTZANDataset",
    "LJSpeechDataset",
    "LibriTTSDataset",
    "SpeechCommandsDataset",
    "TedliumDataset",
    "YesNoDataset",
]


class YesNoDataset(FolderDataset, AudioBaseDataset):
    """YesNo: columns waveform, sample_rate and label, eight numbers that the name of the file tells.

    Args:
        dataset_dir: the folder with ``1_1_0_0_1_1_0_0.wav`` and so on.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.YesNoDataset("data/yes_no", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'waveform': (1, 12), 'sample_rate': (), 'label': (8,)}
    """

    def _scan(self) -> dict[str, Any]:
        paths = [path for path in files_in(self.dataset_dir, [".wav"]) if re.search(r"[01](_[01]){7}\.wav$", path)]
        names = [os.path.splitext(os.path.basename(path))[0] for path in paths]
        labels = np.array([name.split("_") for name in names], np.int32).reshape(-1, 8)
        return {**sounds(paths), "label": labels}


# which of the hundred songs of a genre belong to a part: bit n stands for song n
_GTZAN_PARTS = {
    "train": {
        "blues": 0x3FFFFFE000003FFFFE0000000,
        "classical": 0xFFFFF000FFFFDF803C0000000,
        "country": 0xFFFFFFFFE0000000037F80000,
        "disco": 0x20006402B62BFBFFFDF8020,
        "hiphop": 0x1E0003F80067FB3FFFFFC,
        "jazz": 0x1FFFFFF820001FFF803,
        "metal": 0xFFE5181A7FBFFC0080120002C,
        "pop": 0xE00010000000657DFBF9F1BFC,
        "reggae": 0x209FCE3C01FFFFDA57,
        "rock": 0xFF800007FFE00000007FF03FF,
    },
    "valid": {
        "blues": 0x1FFC000000000FFF,
        "classical": 0x1FF000000000000007FF,
        "country": 0x226000807FEFF,
        "disco": 0x840009180011400000007FDD,
        "hiphop": 0x7FFFE00000000000000000000,
        "jazz": 0x1FE0007FC,
        "metal": 0x6301000000030001F0FC3,
        "pop": 0x7A00007CA0000000000400,
        "reggae": 0xFF02075406000000000000000,
        "rock": 0x3FFF8001FE004000000000,
    },
    "test": {
        "blues": 0xC000001FFE00000001FFFF000,
        "classical": 0xE000000203FC3FFFF800,
        "country": 0x1FFEDD9FFC0000000,
        "disco": 0xB79FFF027C400000000200002,
        "hiphop": 0x800000FFFC07839004C000001,
        "jazz": 0xFFFFFFE000000000000000000,
        "metal": 0x1A84E48000000C3FEC0F000,
        "pop": 0x1FF04FFE78000080000006003,
        "reggae": 0x79C809F0031C1FC00000000,
        "rock": 0x7C000000001FFBFF800FC00,
    },
}


def _is_in_part(path: str, genre: str, songs: dict[str, int]) -> bool:
    """Whether the song of a file, as in ``blues.00042.wav``, is in a list."""
    number = os.path.basename(path).split(".")[1]
    return number.isdigit() and bool(songs.get(genre, 0) >> int(number) & 1)


class GTZANDataset(UsageDataset, AudioBaseDataset):
    """GTZAN: columns waveform, sample_rate and label, the name of the genre.

    Args:
        dataset_dir: the folder with ``blues`` and so on.
        usage: 'train', 'valid' or 'test' (443, 197 and 290 songs without repetitions and faults) or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.GTZANDataset("data/gtzan", None, shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'waveform': (1, 6), 'sample_rate': (), 'label': ()}
    """

    usages = ("train", "valid", "test", "all")

    def _scan(self) -> dict[str, Any]:
        names = subfolders(self.dataset_dir)
        pairs = [(path, name) for name in names for path in files_in(os.path.join(self.dataset_dir, name), [".wav"])]
        if self.usage != "all":
            pairs = [(path, name) for path, name in pairs if _is_in_part(path, name, _GTZAN_PARTS[self.usage])]
        return {**sounds([path for path, _ in pairs], unsigned_rate), "label": texts([name for _, name in pairs])}


class SpeechCommandsDataset(UsageDataset, AudioBaseDataset):
    """SpeechCommands: columns waveform, sample_rate, label, speaker_id and utterance_number.

    Args:
        dataset_dir: the folder with ``cat`` and so on, ``testing_list.txt`` and ``validation_list.txt``.
        usage: 'train', 'test', 'valid' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SpeechCommandsDataset("data/speech_commands", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        waveform, sample_rate, label, speaker_id, utterance_number
    """

    usages = ("train", "test", "valid", "all")

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
            **sounds([os.path.join(self.dataset_dir, part[0]) for part in found]),
            "label": texts([part[1] for part in found]),
            "speaker_id": texts([part[2] for part in found]),
            "utterance_number": np.array([int(part[3]) for part in found], np.int32),
        }


class LJSpeechDataset(FolderDataset, AudioBaseDataset):
    """LJSpeech: columns waveform, sample_rate, transcription and normalized_transcription.

    Args:
        dataset_dir: the folder with ``metadata.csv`` and ``wavs``.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.LJSpeechDataset("data/lj_speech", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        waveform, sample_rate, transcription, normalized_transcription
    """

    def _scan(self) -> dict[str, Any]:
        path = needed_file(self.dataset_dir, "metadata.csv")
        rows = [line.split("|") for line in file_lines(path) if line.strip()]
        for number, row in enumerate(rows, 1):
            if len(row) != 3:
                raise pipeline_error(f"Invalid file, {path} line {number} has {len(row)} fields instead of three.")
        return {
            **sounds([os.path.join(self.dataset_dir, "wavs", f"{row[0]}.wav") for row in rows]),
            "transcription": texts([row[1] for row in rows]),
            "normalized_transcription": texts([row[2] for row in rows]),
        }


_SPEAKERS = ["aew", "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem", "gka", "jmk", "ksp", "ljm", "lnh", "rms", "rxr", "slp", "slt"]  # fmt: skip


class CMUArcticDataset(TableDataset, AudioBaseDataset):
    """CMUArctic: columns waveform, sample_rate, transcript and utterance_id.

    Args:
        dataset_dir: the folder with ``cmu_us_aew_arctic`` and so on.
        name: the speaker; None for 'aew'.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.CMUArcticDataset("data/cmu_arctic", None, shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        waveform, sample_rate, transcript, utterance_id
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
        rows = [match for match in found if match is not None]
        if len(rows) != len(found):
            raise pipeline_error(f'Invalid file, {path} has lines that are not of the form ( arctic_a0001 "text" ).')
        return {
            **sounds([os.path.join(folder, "wav", f"arctic_{fields[1]}.wav") for fields in rows], unsigned_rate),
            "transcript": texts([row[2] for row in rows]),
            "utterance_id": texts([row[1] for row in rows]),
        }
