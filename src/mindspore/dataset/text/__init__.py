"""``mindspore.dataset.text``: strings, tokens and their numbers.

>>> from mindspore.dataset import text
>>> vocab = text.Vocab.from_list(["<unk>", "the", "home"])
>>> text.Lookup(vocab, "<unk>")(text.WhitespaceTokenizer()("the sweet home"))
array([1, 0, 2], dtype=int32)
"""

from mindspore._utils.documented import claim as _claim
from mindspore.dataset.text import transforms, utils
from mindspore.dataset.text.transforms import (
    AddToken,
    BasicTokenizer,
    BertTokenizer,
    CaseFold,
    FilterWikipediaXML,
    JiebaTokenizer,
    Lookup,
    Ngram,
    NormalizeUTF8,
    PythonTokenizer,
    RegexReplace,
    RegexTokenizer,
    SentencePieceTokenizer,
    SlidingWindow,
    ToNumber,
    ToVectors,
    Truncate,
    TruncateSequencePair,
    UnicodeCharTokenizer,
    UnicodeScriptTokenizer,
    WhitespaceTokenizer,
    WordpieceTokenizer,
)
from mindspore.dataset.text.utils import (
    CharNGram,
    FastText,
    GloVe,
    JiebaMode,
    NormalizeForm,
    SentencePieceModel,
    SentencePieceVocab,
    SPieceTokenizerLoadType,
    SPieceTokenizerOutType,
    Vectors,
    Vocab,
    to_bytes,
    to_str,
)

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "CharNGram",
    "FastText",
    "FilterWikipediaXML",
    "GloVe",
    "JiebaMode",
    "JiebaTokenizer",
    "Lookup",
    "Ngram",
    "NormalizeForm",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceTokenizer",
    "SentencePieceVocab",
    "SlidingWindow",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "Vectors",
    "Vocab",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
    "to_bytes",
    "to_str",
    "transforms",
    "utils",
]

_claim(__name__)
