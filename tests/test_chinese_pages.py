"""Chinese pages show the same programs as the English ones, which the tests run, and their links lead somewhere."""

import io
import re
import tokenize
from pathlib import Path

import pytest

from tools import translations

PAGES = [page for page in translations.chinese_pages() if page.suffix == ".md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, object]]:
    """Language and content of each block of code; comments may be translated and are left out."""
    return [(name, without_comments(name, code)) for name, code in BLOCK.findall(page.read_text(encoding="utf-8"))]


def without_comments(language: str, code: str) -> object:
    if language == "python":
        tokens = tokenize.generate_tokens(io.StringIO(code).readline)
        return [one.string for one in tokens if one.type not in (tokenize.COMMENT, tokenize.NL)]
    return re.sub(r"(^| +)#.*$", "", code, flags=re.MULTILINE) if language == "sh" else code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(translations.ROOT).as_posix())
def test_code_is_that_of_the_english_page(page: Path) -> None:
    assert blocks(page) == blocks(translations.english_source(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(translations.ROOT).as_posix())
def test_links_lead_to_files_and_to_chinese_pages_where_there_are_any(page: Path) -> None:
    chinese = {translations.english_source(other).resolve(): other for other in translations.chinese_pages()}
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
    english = [target for target in targets if (page.parent / target).resolve() in chinese]
    assert [target for target in english if target != "README.md"] == []  # the way back at the top of README.zh-CN.md


def test_comments_may_be_translated_and_code_may_not() -> None:
    assert without_comments("python", "x = 1  # one\n") == without_comments("python", "x = 1  # 一\n")
    assert without_comments("python", "x = 1\n") != without_comments("python", "x = 2\n")
    assert without_comments("sh", "make demo    # trains\n") == without_comments("sh", "make demo    # 训练\n")
