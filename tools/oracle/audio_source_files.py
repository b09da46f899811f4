"""Small files of datasets of sound, and the calls that read them."""

from __future__ import annotations

import wave
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.oracle.source_files import Folder, text

CASES: dict[str, tuple[str, Callable[[Any, str], Any]]] = {}


def sound(path: Folder, seed: int, rate: int = 8000, channels: int = 1) -> None:
    """A WAV file of 16 bits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    values = np.random.RandomState(seed).randint(-32768, 32768, 6 * channels).astype("<i2")
    with wave.open(str(path), "wb") as stream:
        stream.setnchannels(channels)
        stream.setsampwidth(2)
        stream.setframerate(rate)
        stream.writeframes(values.tobytes())


def yes_no(folder: Folder) -> None:
    """YesNo: the words stand in the names."""
    sound(folder / "1_1_0_0_1_1_0_0.wav", 1)
    sound(folder / "0_1_0_0_1_1_0_1.wav", 2, channels=2)


def gtzan(folder: Folder) -> None:
    """GTZAN."""
    for kind in ("rock", "blues"):
        for number in (1, 0):
            sound(folder / kind / f"{kind}.0000{number}.wav", number, 22050)


def speech_commands(folder: Folder) -> None:
    """SpeechCommands."""
    for word in ("dog", "cat"):
        for number in (1, 0):
            sound(folder / word / f"b433eff_nohash_{number}.wav", number, 16000)
    text(folder / "testing_list.txt", "cat/b433eff_nohash_1.wav\n")
    text(folder / "validation_list.txt", "dog/b433eff_nohash_0.wav\n")


def lj_speech(folder: Folder) -> None:
    """LJSpeech."""
    for number in (2, 1):
        sound(folder / "wavs" / f"LJ001-000{number}.wav", number, 22050)
    text(folder / "metadata.csv", "LJ001-0002|text 2|normal two\nLJ001-0001|text 1|normal one\n")


def cmu_arctic(folder: Folder) -> None:
    """CMUArctic."""
    for number in (2, 1):
        sound(folder / "cmu_us_aew_arctic" / "wav" / f"arctic_a000{number}.wav", number, 16000)
    lines = '( arctic_a0002 "Second text, here." )\n( arctic_a0001 "First." )\n'
    text(folder / "cmu_us_aew_arctic" / "etc" / "txt.done.data", lines)


def _add(files: str, name: str, *usages: str | None) -> None:
    for usage in usages:
        CASES[f"{files}_{usage or 'default'}"] = (
            files,
            lambda ds, at, usage=usage: getattr(ds, name)(at, usage, shuffle=False),
        )


CASES["yes_no_plain"] = ("yes_no", lambda ds, at: ds.YesNoDataset(at, shuffle=False))
CASES["lj_speech_plain"] = ("lj_speech", lambda ds, at: ds.LJSpeechDataset(at, shuffle=False))
_add("gtzan", "GTZANDataset", None, "all", "foo")
_add("speech_commands", "SpeechCommandsDataset", None, "train", "test", "valid", "foo")
_add("cmu_arctic", "CMUArcticDataset", None, "aew", "foo")
