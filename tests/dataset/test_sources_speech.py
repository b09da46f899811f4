"""LibriTTS, TED-LIUM, the parts of GTZAN, IWSLT: small folders as real MindSpore reads them."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import mindspore.dataset as ds
from tools.oracle.audio_source_files import sound
from tools.oracle.source_files import text


def rows(data):
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


@pytest.fixture
def libri(tmp_path):
    for part, speaker, chapter in (("dev-clean", 84, 121), ("train-clean-100", 19, 198), ("test-other", 5, 6)):
        for number in (1, 0):
            stem = f"{speaker}_{chapter}_00000{number}_000000"
            folder = tmp_path / part / str(speaker) / str(chapter)
            sound(folder / f"{stem}.wav", number, 24000)
            text(folder / f"{stem}.normalized.txt", f"norm {part} {number}")
            text(folder / f"{stem}.original.txt", f"Orig {part} {number}.")
    return str(tmp_path)


def test_libri_tts_goes_through_parts_speakers_and_chapters(libri):
    found = rows(ds.LibriTTSDataset(libri, shuffle=False))
    assert [str(row["utterance_id"]) for row in found] == [
        "84_121_000000_000000",
        "84_121_000001_000000",
        "5_6_000000_000000",
        "5_6_000001_000000",
        "19_198_000000_000000",
        "19_198_000001_000000",
    ]
    row = rows(ds.LibriTTSDataset(libri, "train-clean-100", shuffle=False))[1]
    assert (str(row["original_text"]), str(row["normalized_text"])) == (
        "Orig train-clean-100 1.",
        "norm train-clean-100 1",
    )
    numbers = [row[name] for name in ("sample_rate", "speaker_id", "chapter_id")]
    assert [(one.dtype, int(one)) for one in numbers] == [(np.uint32, 24000), (np.uint32, 19), (np.uint32, 198)]
    assert row["waveform"].shape == (1, 6)


def test_libri_tts_refuses_a_part_that_is_unknown_or_missing(libri):
    with pytest.raises(ValueError, match="usage is not within the valid set"):
        ds.LibriTTSDataset(libri, "dev")
    with pytest.raises(RuntimeError, match="no sound of the usage 'dev-other'"):
        rows(ds.LibriTTSDataset(libri, "dev-other"))


LINES = "Talk 1 Speaker 0.5 0.5005 <o,f0,male> hello there(2)\nTalk 1 Speaker 1.0 1.00025 <o,f0,male> again\n"


def sphere(path: pathlib.Path, coding: str = "pcm", order: str = "01") -> None:
    """A NIST SPHERE file whose samples count upwards."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header = (
        "NIST_1A\n   1024\nchannel_count -i 1\nsample_count -i 17000\nsample_rate -i 16000\nsample_n_bytes -i 2\n"
        f"sample_byte_format -s2 {order}\nsample_coding -s3 {coding}\nend_head\n"
    )
    samples = np.arange(17000).astype("<i2" if order == "01" else ">i2")
    path.write_bytes(header.encode().ljust(1024, b"\0") + samples.tobytes())


@pytest.mark.parametrize("order", ["01", "10"])
def test_ted_lium_cuts_sentences_out_of_talks(tmp_path, order):
    for part in ("train", "dev", "test"):
        sphere(tmp_path / part / "sph" / "Talk.sph", order=order)
        text(tmp_path / part / "stm" / "Talk.stm", LINES)
    assert len(rows(ds.TedliumDataset(str(tmp_path), "release1", shuffle=False))) == 6
    first, second = rows(ds.TedliumDataset(str(tmp_path), "release2", "dev", shuffle=False))
    np.testing.assert_allclose(first["waveform"], np.arange(8000, 8008)[None] / 32767, rtol=1e-6)
    np.testing.assert_allclose(second["waveform"], np.arange(16000, 16004)[None] / 32767, rtol=1e-6)
    assert [str(first[name]) for name in ("transcript", "talk_id", "speaker_id", "identifier")] == [
        "hello there(2)",
        "Talk",
        "Speaker",
        "<o,f0,male>",
    ]
    assert first["sample_rate"].dtype == np.int32
    assert int(first["sample_rate"]) == 16000


def test_ted_lium_of_release_3_has_one_part(tmp_path):
    sphere(tmp_path / "data" / "sph" / "Talk.sph")
    text(tmp_path / "data" / "stm" / "Talk.stm", LINES)
    assert len(rows(ds.TedliumDataset(str(tmp_path), "release3"))) == 2
    with pytest.raises(ValueError, match=r"valid set of \['all'\]"):
        ds.TedliumDataset(str(tmp_path), "release3", "train")
    with pytest.raises(ValueError, match="release is not within"):
        ds.TedliumDataset(str(tmp_path), "release4")


def test_ted_lium_names_a_file_it_cannot_read(tmp_path):
    sphere(tmp_path / "data" / "sph" / "Talk.sph", coding="ulaw")
    text(tmp_path / "data" / "stm" / "Talk.stm", LINES)
    with pytest.raises(RuntimeError, match=r"Talk\.sph has ulaw samples"):
        rows(ds.TedliumDataset(str(tmp_path), "release3"))
    (tmp_path / "data" / "sph" / "Talk.sph").write_bytes(b"RIFF" * 500)
    with pytest.raises(RuntimeError, match="no NIST SPHERE file"):
        rows(ds.TedliumDataset(str(tmp_path), "release3"))
    text(tmp_path / "data" / "stm" / "Talk.stm", "Talk 1 Speaker\n")
    with pytest.raises(RuntimeError, match="line 1 is no line of STM"):
        rows(ds.TedliumDataset(str(tmp_path), "release3"))


def test_the_parts_of_gtzan_are_the_published_lists(tmp_path):
    for number in range(100):
        sound(tmp_path / "jazz" / f"jazz.{number:05d}.wav", number)
    sizes = [ds.GTZANDataset(str(tmp_path), usage).get_dataset_size() for usage in ("train", "valid", "test", "all")]
    assert sizes == [43, 17, 27, 100]


def talks(stem: pathlib.Path, first: str, second: str, sets: tuple[str, ...], name: str) -> None:
    """The files of one pair of languages."""
    for language in (first, second):
        lines = f"<url>http://x</url>\n<title>T</title>\nTrain one {language}.\n Train two {language}. \n"
        text(stem / f"train.tags.{first}-{second}.{language}", lines)
        for one in sets:
            sentences = f'<seg id="1"> {one} one {language} &amp; x. </seg>\n<seg id="2">{one} two {language}.</seg>'
            content = f'<?xml version="1.0" encoding="UTF-8"?>\n<mteval>\n<doc>\n<title>T</title>{sentences}</doc>\n</mteval>\n'
            text(stem / f"{name}.{one}.{first}-{second}.{language}.xml", content)


def pairs(data):
    return [(str(row["text"]), str(row["translation"])) for row in rows(data)]


def test_iwslt_2016_pairs_sentences_with_their_translations(tmp_path):
    talks(tmp_path / "texts/de/en/de-en", "de", "en", ("tst2013", "tst2014", "dev2010"), "IWSLT16.TED")
    folder = str(tmp_path)
    train = [("Train one de.", "Train one en."), ("Train two de.", "Train two en.")]
    assert pairs(ds.IWSLT2016Dataset(folder, "train", shuffle=False)) == train
    valid = [("tst2013 one de & x.", "tst2013 one en & x."), ("tst2013 two de.", "tst2013 two en.")]
    assert pairs(ds.IWSLT2016Dataset(folder, "valid", ("de", "en"), shuffle=False)) == valid
    test = ds.IWSLT2016Dataset(folder, "test", ["de", "en"], None, "dev2010", shuffle=False)
    assert pairs(test)[1] == ("dev2010 two de.", "dev2010 two en.")
    everything = pairs(ds.IWSLT2016Dataset(folder, num_samples=None))
    assert len(everything) == 6
    assert set(train + valid) < set(everything)


def test_iwslt_2017_pairs_sentences_with_their_translations(tmp_path):
    folder = tmp_path / "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo"
    talks(folder, "it", "nl", ("dev2010", "tst2010"), "IWSLT17.TED")
    found = pairs(ds.IWSLT2017Dataset(str(tmp_path), "test", ["it", "nl"], shuffle=False))
    assert found == [("tst2010 one it & x.", "tst2010 one nl & x."), ("tst2010 two it.", "tst2010 two nl.")]
    assert len(pairs(ds.IWSLT2017Dataset(str(tmp_path), language_pair=["it", "nl"]))) == 6


@pytest.mark.parametrize(("make", "error", "message"), [
    (lambda folder: ds.IWSLT2016Dataset(folder, language_pair=["de", "fr"]), ValueError, "language_pair"),
    (lambda folder: ds.IWSLT2016Dataset(folder, language_pair="de"), TypeError, "list or tuple of length 2"),
    (lambda folder: ds.IWSLT2016Dataset(folder, valid_set="x"), ValueError, "valid_set"),
    (lambda folder: ds.IWSLT2016Dataset(folder, usage="dev"), ValueError, "usage"),
    (lambda folder: ds.IWSLT2017Dataset(folder, language_pair=["de", "fr"]), ValueError, "language_pair"),
    (lambda folder: ds.IWSLT2017Dataset(folder), RuntimeError, r"train\.tags\.de-en\.de does not exist"),
])  # fmt: skip
def test_iwslt_refuses_wrong_arguments(tmp_path, make, error, message):
    with pytest.raises(error, match=message):
        make(str(tmp_path))


def test_iwslt_tells_files_that_do_not_match(tmp_path):
    folder = tmp_path / "texts/de/en/de-en"
    talks(folder, "de", "en", ("tst2013", "tst2014"), "IWSLT16.TED")
    text(folder / "train.tags.de-en.en", "One.\n")
    with pytest.raises(RuntimeError, match=r"has 2 sentences, .*train\.tags\.de-en\.en has 1"):
        pairs(ds.IWSLT2016Dataset(str(tmp_path), "train"))
    text(folder / "IWSLT16.TED.tst2014.de-en.en.xml", "<mteval><seg>")
    with pytest.raises(RuntimeError, match=r"failed to parse .*tst2014\.de-en\.en\.xml"):
        pairs(ds.IWSLT2016Dataset(str(tmp_path), "test"))
