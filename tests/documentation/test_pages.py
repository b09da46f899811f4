"""The Markdown of the documentation: its links lead to files, and every page is listed where its folder is introduced."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools/documentation"))

from page_text import links, spaced  # noqa: E402
from pages import Pages  # noqa: E402 - found through the path set above

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files(path: Path) -> None:
    targets = [
        link.partition("#")[0] for link in links(path.read_text(encoding="utf-8")) if not re.match(r"\w+:", link)
    ]
    assert [target for target in targets if target and not (path.parent / target).exists()] == []


@pytest.mark.parametrize("folder", ["guide", "recipes", "design", "tutorials"])
def test_a_folder_lists_all_its_pages(folder: str) -> None:
    if not (ROOT / "docs" / folder / "README.md").exists():
        pytest.skip(f"docs/{folder} has no README.md.")
    pages = Pages(ROOT, "en")
    inside = {
        place
        for place in pages.sources
        if place.parts[0] == folder and place.name != "README.md" and place.suffix == ".md"
    }
    assert inside <= set(pages.listed(next(place for place in pages.sources if str(place) == f"{folder}/README.md")))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_links_are_written_anew_for_the_site(language: str, tmp_path: Path) -> None:
    pages = Pages(ROOT, language)
    texts = pages.texts(tmp_path)
    places = {str(place) for place in pages.sources}
    for place, text in texts.items():
        for link in links(text):
            target = link.partition("#")[0]
            if target and not re.match(r"\w+:", target):
                parts: list[str] = []
                for part in (*place.parent.parts, *target.split("/")):
                    parts = parts[:-1] if part == ".." else [*parts, part]
                assert "/".join(parts) in places or "outputs" in parts, f"{place}: {link}"


def test_lists_and_tables_after_a_paragraph_are_lists_and_tables() -> None:
    assert spaced("One\n- a\n  - b\ngoes on\n") == "One\n\n- a\n    - b\ngoes on\n"
    assert spaced("One\n| a |\n|---|\n") == "One\n\n| a |\n|---|\n"
    assert spaced("```\nOne\n- a\n```\n") == "```\nOne\n- a\n```\n"
