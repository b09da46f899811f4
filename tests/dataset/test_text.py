"""dataset.text against real MindSpore's answers, and where it does better."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest

from mindspore import dtype
from mindspore.dataset import text, transforms
from tools.oracle import dataset_cases

ANSWERS = json.loads((pathlib.Path(__file__).parents[1] / "data" / "dataset_text.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", ANSWERS)
def test_result_is_that_of_real_mindspore(case, tmp_path):
    names = dataset_cases.namespace(dtype, transforms, text, str(tmp_path))
    assert json.loads(json.dumps(dataset_cases.answer(case, names))) == ANSWERS[case]


def test_every_case_was_recorded():
    assert list(ANSWERS) == dataset_cases.lines(dataset_cases.TEXT)


def test_small_letters_keep_names_in_brackets_and_repeat_nothing():
    assert text.BasicTokenizer(True)("Ab [CLS] Cd [unused7]").tolist() == ["ab", "[CLS]", "cd", "[unused7]"]


def test_a_wrong_pattern_is_told_at_once():
    with pytest.raises(ValueError, match="the 'pattern' must be a regular expression"):
        text.RegexReplace("[a-z", "")
    with pytest.raises(ValueError, match="unknown script"):
        text.RegexReplace(r"\p{Klingon}", "")


def test_properties_work_inside_brackets():
    assert text.RegexTokenizer(r"[\p{P}\s]+")("a, b。c").tolist() == ["a", "b", "c"]
    assert str(text.RegexReplace(r"\P{Lu}", "")("aBcD")) == "BD"


def test_bytes_are_taken_as_utf8():
    assert text.WhitespaceTokenizer()(np.array("é b".encode())).tolist() == ["é", "b"]


class Rows:
    """As much of a dataset as ``from_dataset`` asks for."""

    def create_dict_iterator(self, num_epochs, output_numpy):
        yield {"a": np.array(["x", "y", "x"]), "b": np.array("z")}
        yield {"a": np.array(["w", "x"]), "b": np.array("z")}


def test_vocab_from_a_dataset_puts_frequent_words_first():
    assert text.Vocab.from_dataset(Rows(), "a").vocab() == {"x": 0, "w": 1, "y": 2}
    assert text.Vocab.from_dataset(Rows()).vocab() == {"x": 0, "z": 1, "w": 2, "y": 3}
    assert text.Vocab.from_dataset(Rows(), ["a"], freq_range=(2, None)).vocab() == {"x": 0}
    assert text.Vocab.from_dataset(Rows(), top_k=2, special_tokens=["<pad>"]).vocab() == {"<pad>": 0, "x": 1, "z": 2}
    with pytest.raises(RuntimeError, match="column 'q' does not exist"):
        text.Vocab.from_dataset(Rows(), "q")
    with pytest.raises(ValueError, match="freq_range"):
        text.Vocab.from_dataset(Rows(), "a", freq_range=(3, 1))


def test_a_file_with_repeated_words_is_no_vocabulary(tmp_path):
    (tmp_path / "words.txt").write_text("a\nb\na\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="repeated"):
        text.Vocab.from_file(str(tmp_path / "words.txt"))


def test_vectors_of_unequal_length_are_refused_with_the_line(tmp_path):
    (tmp_path / "vectors.txt").write_text("a 1 2\nb 1\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="line 2"):
        text.GloVe.from_file(str(tmp_path / "vectors.txt"))


def test_vectors_may_start_with_their_number(tmp_path):
    (tmp_path / "vectors.txt").write_text("2 3\na 1 2 3\nb 4 5 6\n", encoding="utf-8")
    vectors = text.FastText.from_file(str(tmp_path / "vectors.txt"), max_vectors=1)
    assert vectors.find("a").tolist() == [1, 2, 3] and vectors.find("b") is None


def test_lookup_says_which_word_is_unknown():
    with pytest.raises(RuntimeError, match=r"token: \[other\] doesn't exist"):
        text.Lookup(text.Vocab.from_list(["a"]))(["a", "other"])


def test_a_changed_copy_does_not_change_the_vocabulary():
    vocab = text.Vocab.from_list(["a"])
    vocab.vocab()["b"] = 5
    assert vocab.vocab() == {"a": 0}


@pytest.mark.parametrize(
    ("word", "kind", "number"),
    [
        ("1e3", "int32", 1),
        ("4x", "int64", 4),
        ("0x1F", "int32", 0),
        ("1_000", "float32", 1.0),
        ("0x1F", "float64", 31.0),
    ],
)
def test_numbers_are_read_from_the_beginning_of_a_word_as_c_reads_them(word, kind, number):
    assert text.ToNumber(kind)(word) == number


@pytest.mark.parametrize("word", [".5", "\u0663", "x1", ""])
def test_words_that_begin_with_no_integer_are_refused(word):
    with pytest.raises(RuntimeError, match="it is invalid to convert"):
        text.ToNumber("int32")(word)


@pytest.mark.parametrize(
    ("words", "folded"), [("Ⅷ ǅ", "viii dž"), ("a\u200bB\u00ad", "ab"), ("STRASSE ẞ", "strasse ss")]
)
def test_folding_makes_forms_equal_and_drops_what_is_not_shown(words, folded):
    assert text.CaseFold()(words).item() == folded


def test_control_characters_separate_words_as_blanks_do():
    assert text.BasicTokenizer(keep_whitespace=True)("a\tb\x00c\u200bd").tolist() == ["a", " ", "b", " ", "c", " ", "d"]
    assert text.BasicTokenizer(True, True)("a\u200bd\n").tolist() == ["ad", " "]


def test_only_ascii_letters_are_small_letters_of_a_dump():
    assert text.FilterWikipediaXML()("İSTANBUL").item() == "stanbul"
