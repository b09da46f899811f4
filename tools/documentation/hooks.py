"""MkDocs calls this for every page: the switch of languages leads to the same page in the other language."""

from __future__ import annotations

from typing import Any

NAMES = {"en": "English", "zh": "中文"}


def on_page_context(context: dict[str, Any], page: Any, config: Any, nav: Any) -> dict[str, Any]:
    """Give the page links to itself in both languages; the Chinese site is a folder of the English one."""
    here = config.theme["language"]
    top = "../" * page.url.count("/") or "./"  # of the site in this language
    english = top if here == "en" else f"{top}../"
    links = {"en": f"{english}{page.url}", "zh": f"{english}zh/{page.url}"}
    context["alternate"] = [{"name": NAMES[one], "link": link, "lang": one} for one, link in links.items()]
    return context
