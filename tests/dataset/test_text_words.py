"""Words by dictionaries and models: JiebaTokenizer, SentencePiece, CharNGram. Expected values are real MindSpore's."""

from __future__ import annotations

import pickle
import sys
import types

import numpy as np
import pytest

from mindspore.dataset import NumpySlicesDataset, text

WORDS = "今天 1000 t\n天气 800 n\n太好 50 a\n太 400 d\n好 900 a\n了 2000 u\n我们 700 r\n一起 300 d\n去 600 v\n外面 200 f\n玩 150 v\n吧 500 y\n男 60 n\n默 10 v\n"
MODEL = """#prob_start
-0.26268660809250016 -3.14e+100 -3.14e+100 -1.4652633398537678
#prob_trans 4x4 matrix
-3.14e+100 -0.510825623765990 -0.916290731874155 -3.14e+100
-0.5897149736854513 -3.14e+100 -3.14e+100 -0.8085250474669937
-3.14e+100 -0.33344856811948514 -1.2603623820268226 -3.14e+100
-0.7211965654669841 -3.14e+100 -3.14e+100 -0.6658631448798212
#B
男:-6.5,默:-7.1,好:-8.0,太:-7.2,了:-9.0,去:-8.1,李:-5.0
#E
默:-6.0,男:-8.5,了:-5.0,好:-6.1,雷:-5.5
#M
默:-7.5,好:-8.8,子:-5.0
#S
了:-3.0,好:-5.0,去:-5.5,太:-6.2,男:-7.0,吧:-4.0,玩:-6.6,我:-4.0
"""
SENTENCE = "今天天气太好了我们一起去外面玩吧"
BY_WORDS = ["今天", "天气", "太好", "了", "我们", "一起", "去", "外面", "玩", "吧"]
MIXED = "李雷 and Lily2 买了3.14个苹果，好吧。ok"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "hmm.utf8").write_text(MODEL, encoding="utf-8")
    (tmp_path / "dict.utf8").write_text(WORDS, encoding="utf-8")
    return str(tmp_path / "hmm.utf8"), str(tmp_path / "dict.utf8")


@pytest.mark.parametrize(("mode", "sentence", "words"), [
    ("MIX", SENTENCE, BY_WORDS),
    ("MP", SENTENCE, BY_WORDS),
    ("HMM", SENTENCE, list(SENTENCE)),
    ("MIX", "男默女泪", ["男默", "女", "泪"]),
    ("MP", "男默女泪", list("男默女泪")),
    ("MIX", MIXED, ["李雷", " ", "and", " ", "Lily2", " ", "买", "了", "3.14", "个", "苹", "果", "，", "好", "吧", "。", "ok"]),
    ("MP", MIXED, list(MIXED)),
    ("HMM", "李子雷\t男好了\n玩", ["李子雷", "\t", "男好", "了", "\n", "玩"]),
    ("HMM", "我们去男默了太好", list("我们去男默了太好")),
    ("MIX", "我们去男默了太好", ["我们", "去", "男默", "了", "太好"]),
    ("MIX", "ab3c 4.5x!", ["ab3c", " ", "4.5", "x", "!"]),
    ("HMM", "_a1 #b", ["_", "a1", " ", "#", "b"]),
    ("MIX", "", [""]),
])  # fmt: skip
def test_jieba_finds_the_words_that_real_mindspore_finds(files, mode, sentence, words):
    assert text.JiebaTokenizer(*files, mode=text.JiebaMode[mode])(sentence).tolist() == words


def test_jieba_tells_where_the_words_stand_in_bytes(files):
    words, starts, ends = text.JiebaTokenizer(*files, mode=text.JiebaMode.MP, with_offsets=True)("李雷ok今天")
    assert words.tolist() == ["李", "雷", "o", "k", "今天"]
    assert starts.tolist() == [0, 3, 6, 7, 8]
    assert ends.tolist() == [3, 6, 7, 8, 14]


def test_jieba_takes_words_of_the_user(files, tmp_path):
    tokenizer = text.JiebaTokenizer(*files)
    tokenizer.add_word("天天")
    assert tokenizer("今天天气").tolist() == ["今天", "天气"]
    tokenizer.add_word("天天气", 100000)
    assert tokenizer("今天天气").tolist() == ["今", "天天气"]
    tokenizer.add_dict({"了我": 5, "女": 10000})
    assert tokenizer("太好了我们女男默").tolist() == ["太好", "了", "我们", "女", "男", "默"]
    (tmp_path / "own.txt").write_text("男默女泪 5\n江大桥 20000\n女\n", encoding="utf-8")
    tokenizer = text.JiebaTokenizer(*files)
    tokenizer.add_dict(str(tmp_path / "own.txt"))
    assert tokenizer("男默女泪江大桥女男").tolist() == ["男默女泪", "江大桥", "女", "男"]


def test_jieba_adds_no_word_of_a_wrong_dict(files):
    tokenizer = text.JiebaTokenizer(*files)
    with pytest.raises(TypeError, match="must be an int"):
        tokenizer.add_dict({"天天气": 100000, "好": "x"})  # type: ignore[dict-item]
    assert tokenizer("今天天气").tolist() == ["今天", "天气"]


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"hmm_path": "x"}, ValueError, "'x' does not exist"),
    ({"mp_path": 1}, TypeError, "'mp_path' must be 'str'"),
    ({"mode": "mix"}, TypeError, "'mode' must be 'JiebaMode'"),
    ({"with_offsets": 1}, TypeError, "'with_offsets' must be 'bool'"),
])  # fmt: skip
def test_jieba_refuses_wrong_arguments(files, change, error, message):
    with pytest.raises(error, match=message):
        text.JiebaTokenizer(**{"hmm_path": files[0], "mp_path": files[1], **change})


def test_jieba_names_the_line_of_a_wrong_file(files, tmp_path):
    (tmp_path / "bad").write_text("今天 1\n天气 often\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2 of the dictionary"):
        text.JiebaTokenizer(files[0], str(tmp_path / "bad"))
    with pytest.raises(ValueError, match="must be a model file of Jieba"):
        text.JiebaTokenizer(files[1], files[1])


def test_char_n_grams_are_averaged(tmp_path):
    path = tmp_path / "grams.txt"
    path.write_text(
        "2gram-to 1 2 3\n3gram-the 4 5 6\n2gram-th 7 8 9\n2gram-#BEGIN#t 1 1 1\n1gram-a 5 5 5\n4gram-#BEGIN#the 2 0 2\n"
        "2gram-e#END# 0 3 1\n"
    )
    vectors = text.CharNGram.from_file(str(path))
    found = text.ToVectors(vectors, [9, 9, 9])(["the", "to", "xyz", "a", "The"])
    expected = [[2.8, 3.4, 3.8], [1, 1.5, 2], [9, 9, 9], [9, 9, 9], [0, 3, 1]]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    small = text.ToVectors(vectors, lower_case_backup=True)("The")
    np.testing.assert_allclose(small, [2.8, 3.4, 3.8], rtol=1e-6)


@pytest.mark.parametrize(("given", "left"), [
    ("Welcome to [[mind spore|MindSpore]] <b>now</b> {{x}} &amp; 3 ok", "welcome to mind spore mindspore x three ok"),
    ("a1b 23", "a one b two three"),
    ("see #redirect here", ""),
    ("a &nbsp; b &quot; c", "a b c"),
    ("a <i>b</i> c <b> d", "a d"),
    ("é ü 中 x\n\ny", "x y"),
])  # fmt: skip
def test_wikipedia_is_reduced_to_words(given, left):
    assert str(text.FilterWikipediaXML()(given)) == left


class Processor:
    """As much of SentencePiece as is asked for: every character is a piece."""

    def __init__(self, model_proto):
        if not model_proto:
            raise RuntimeError("empty model")

    def encode(self, sentence, out_type):
        return [one if out_type is str else ord(one) for one in sentence]


class Trainer:
    calls: list = []  # noqa: RUF012 (a record for the test)

    @classmethod
    def train(cls, model_writer, vocab_size, **options):
        options = {name: list(value) if name == "sentence_iterator" else value for name, value in options.items()}
        cls.calls.append({**options, "vocab_size": vocab_size})
        if vocab_size > 1000:
            raise RuntimeError("Vocabulary size too high")
        model_writer.write(b"model")


@pytest.fixture
def sentencepiece(monkeypatch):
    package = types.SimpleNamespace(SentencePieceProcessor=Processor, SentencePieceTrainer=Trainer)
    monkeypatch.setitem(sys.modules, "sentencepiece", package)
    monkeypatch.setattr(Trainer, "calls", [])


def test_sentence_pieces_are_trained_saved_and_used(sentencepiece, tmp_path):
    data = NumpySlicesDataset({"text": ["ab", "c"], "other": ["x", "y"]}, shuffle=False)
    vocab = text.SentencePieceVocab.from_dataset(
        data, ["text"], 60, 0.9995, text.SentencePieceModel.BPE, {"pad_id": "3"}
    )
    options = {"vocab_size": 60, "character_coverage": 0.9995, "model_type": "bpe", "pad_id": "3", "minloglevel": 2}
    assert Trainer.calls == [{**options, "sentence_iterator": ["ab", "c"]}]
    text.SentencePieceVocab.save_model(vocab, str(tmp_path), "m.model")
    for model in (vocab, str(tmp_path / "m.model")):
        pieces = text.SentencePieceTokenizer(model, text.SPieceTokenizerOutType.STRING)
        assert pieces("ab").tolist() == ["a", "b"]
        numbers = pickle.loads(pickle.dumps(text.SentencePieceTokenizer(model, text.SPieceTokenizerOutType.INT)))("ab")
        assert numbers.tolist() == [97, 98]
        assert numbers.dtype == np.int32


def test_sentence_pieces_of_files(sentencepiece, tmp_path):
    (tmp_path / "a.txt").write_text("ab")
    arguments = (60, 0.99, text.SentencePieceModel.UNIGRAM, {})
    assert text.SentencePieceVocab.from_file([str(tmp_path / "a.txt")], *arguments).model == b"model"
    with pytest.raises(RuntimeError, match="'missing' does not exist"):
        text.SentencePieceVocab.from_file(["missing"], *arguments)
    with pytest.raises(TypeError, match="'file_path' must be 'list'"):
        text.SentencePieceVocab.from_file("a.txt", *arguments)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="could not be trained: Vocabulary size too high"):
        text.SentencePieceVocab.from_file([str(tmp_path / "a.txt")], 60000, *arguments[1:])
    with pytest.raises(RuntimeError, match="column 'q' does not exist"):
        data = NumpySlicesDataset({"text": ["ab"]}, shuffle=False)
        text.SentencePieceVocab.from_dataset(data, ["q"], *arguments)


def test_without_sentencepiece_the_error_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    (tmp_path / "m.model").write_bytes(b"model")
    with pytest.raises(ImportError, match=r"pip install .mycelium\[sentencepiece\]"):
        text.SentencePieceTokenizer(str(tmp_path / "m.model"), text.SPieceTokenizerOutType.INT)


def test_a_broken_model_file_is_told(sentencepiece, tmp_path):
    (tmp_path / "m.model").write_bytes(b"")
    with pytest.raises(RuntimeError, match="no model of SentencePiece"):
        text.SentencePieceTokenizer(str(tmp_path / "m.model"), text.SPieceTokenizerOutType.INT)
