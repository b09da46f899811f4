"""Chinese pages know which state of their English source they say."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def translations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", ROOT / "tools" / "translations.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "docs/zh/guide").mkdir(parents=True)
    (tmp_path / "docs/guide").mkdir()
    (tmp_path / "docs/guide/errors.md").write_text("# Errors\n")
    (tmp_path / "docs/zh/guide/errors.md").write_text("---\ntitle: 错误\n---\n# 错误\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# Mycelium\n")
    (tmp_path / "README.zh-CN.md").write_text("# Mycelium 中文\n", encoding="utf-8")
    cells = [{"cell_type": "code", "source": ["print(1)\n"], "outputs": []}]
    for name in ("docs/start.ipynb", "docs/zh/start.ipynb"):
        (tmp_path / name).write_text(json.dumps({"cells": cells, "metadata": {}}))
    return tmp_path


def test_every_chinese_page_has_a_source_and_a_digest(translations: ModuleType) -> None:
    assert translations.report()[0] == []


def test_a_page_without_a_digest_is_wrong_until_it_is_stamped(translations: ModuleType, pages: Path) -> None:
    wrong, behind = translations.report(pages)
    assert [line.split(":")[0] for line in wrong] == [
        "README.zh-CN.md",
        "docs/zh/guide/errors.md",
        "docs/zh/start.ipynb",
    ]
    assert behind == []
    for page in translations.chinese_pages(pages):
        translations.stamp(page, pages)
    assert translations.report(pages) == ([], [])
    text = (pages / "docs/zh/guide/errors.md").read_text(encoding="utf-8")
    assert text.startswith("---\ntitle: 错误\nsource_digest: ")
    assert text.endswith("---\n# 错误\n")


def test_a_changed_source_makes_its_page_older(translations: ModuleType, pages: Path) -> None:
    for page in (*translations.chinese_pages(pages), *translations.chinese_pages(pages)):  # twice changes nothing more
        translations.stamp(page, pages)
    (pages / "docs/guide/errors.md").write_text("# Errors, more of them\n")
    (pages / "README.md").write_text("# Mycelium, newer\n")
    assert translations.report(pages) == (
        [],
        ["README.zh-CN.md: older than README.md", "docs/zh/guide/errors.md: older than docs/guide/errors.md"],
    )
    translations.stamp(pages / "README.zh-CN.md", pages)
    assert (pages / "README.zh-CN.md").read_text(encoding="utf-8").count("<!--") == 1


def test_a_notebook_that_is_only_run_again_makes_no_page_older(translations: ModuleType, pages: Path) -> None:
    translations.stamp(pages / "docs/zh/start.ipynb", pages)
    notebook = json.loads((pages / "docs/start.ipynb").read_text())
    notebook["cells"][0]["outputs"] = ["1"]
    (pages / "docs/start.ipynb").write_text(json.dumps(notebook))
    assert not any("start" in line for line in translations.report(pages)[1])
    notebook["cells"][0]["source"] = ["print(2)\n"]
    (pages / "docs/start.ipynb").write_text(json.dumps(notebook))
    assert "docs/zh/start.ipynb: older than docs/start.ipynb" in translations.report(pages)[1]


def test_pages_without_a_source_and_sources_without_a_page_are_listed(translations: ModuleType, pages: Path) -> None:
    (pages / "docs/zh/lost.md").write_text("# 无\n", encoding="utf-8")
    (pages / "docs/guide/new.md").write_text("# New\n")
    (pages / "docs/design").mkdir()
    (pages / "docs/design/flow.md").write_text("# For contributors, in English alone\n")
    wrong, behind = translations.report(pages)
    assert "docs/zh/lost.md: its English source docs/lost.md does not exist" in wrong
    assert behind == ["docs/guide/new.md: not translated"]
    with pytest.raises(SystemExit, match="English source exists"):
        translations.stamp(pages / "docs/zh/lost.md", pages)
