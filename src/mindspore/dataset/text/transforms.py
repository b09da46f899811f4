"""Text transforms, under MindSpore's names."""

from mindspore.dataset.text._bert import BasicTokenizer, BertTokenizer, WordpieceTokenizer
from mindspore.dataset.text._jieba import JiebaTokenizer
from mindspore.dataset.text._sentencepiece import SentencePieceTokenizer
from mindspore.dataset.text._sequences import (
    AddToken,
    Lookup,
    Ngram,
    SlidingWindow,
    ToNumber,
    ToVectors,
    Truncate,
    TruncateSequencePair,
)
from mindspore.dataset.text._strings import CaseFold, FilterWikipediaXML, NormalizeUTF8, RegexReplace
from mindspore.dataset.text._tokenizers import (
    PythonTokenizer,
    RegexTokenizer,
    UnicodeCharTokenizer,
    UnicodeScriptTokenizer,
    WhitespaceTokenizer,
)
from mindspore.dataset.text.utils import NormalizeForm
from mindspore.dataset.transforms._custom import Implementation, TensorOperation, TextTensorOperation  # noqa: F401 - not public in the package, but of this module

DE_C_INTER_NORMALIZE_FORM = {form: form for form in NormalizeForm}  # the parts of a pipeline take the form itself

__all__ = [
    "AddToken",
    "BasicTokenizer",
    "BertTokenizer",
    "CaseFold",
    "FilterWikipediaXML",
    "JiebaTokenizer",
    "Lookup",
    "Ngram",
    "NormalizeUTF8",
    "PythonTokenizer",
    "RegexReplace",
    "RegexTokenizer",
    "SentencePieceTokenizer",
    "SlidingWindow",
    "ToNumber",
    "ToVectors",
    "Truncate",
    "TruncateSequencePair",
    "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer",
    "WhitespaceTokenizer",
    "WordpieceTokenizer",
]
