"""Lists Chinese pages that are older than their English source.

python tools/translations.py                 list pages that are older, missing, or without a digest
python tools/translations.py --stamp PAGE    note in a Chinese page that it says what its English source says now

A Chinese page keeps a digest of the English source it was written from: `source_digest` in its front matter, in a comment on the first
line of README.zh-CN.md (GitHub shows front matter as a table), in the metadata of a notebook. Exit 1 when a page has no
digest or no English source; pages that are merely older are listed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEY = "source_digest"
DIGEST = re.compile(rf"^(?:<!-- )?{KEY}: *([0-9a-f]{{12}})(?: -->)?$", re.MULTILINE)
FRONT_MATTER = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"\A(<!-- .*? -->)\n")
# English alone: written for contributors, or generated.
ENGLISH_ONLY = ("docs/design/", "docs/benchmarks/", "docs/operators.md", "docs/releasing.md")


def chinese_pages(root: Path = ROOT) -> list[Path]:
    """Every page in Chinese that exists, in the order of their names."""
    pages = [
        path
        for path in (root / "docs/zh").rglob("*")
        if path.suffix in (".md", ".ipynb") and ".ipynb_" not in str(path)
    ]
    return sorted([*pages, *root.glob("README.zh-CN.md")])


def english_source(page: Path, root: Path = ROOT) -> Path:
    """The English page that a Chinese one translates."""
    if page.name == "README.zh-CN.md":
        return root / "README.md"
    return root / "docs" / page.relative_to(root / "docs/zh")


def missing_pages(root: Path = ROOT) -> Iterator[Path]:
    """English pages for users that have no Chinese one."""
    translated = {english_source(page, root) for page in chinese_pages(root)}
    for path in sorted([root / "README.md", *(root / "docs").rglob("*.md"), *(root / "docs").rglob("*.ipynb")]):
        name = path.relative_to(root).as_posix()
        if path not in translated and not name.startswith(("docs/zh/", *ENGLISH_ONLY)) and ".ipynb_" not in name:
            yield path


def digest(source: Path) -> str:
    """The first twelve digits of the SHA-256 of an English page. Of a notebook only the cells' texts count, not their outputs."""
    content = source.read_bytes()
    if source.suffix == ".ipynb":
        cells = json.loads(content)["cells"]
        content = json.dumps([(cell["cell_type"], "".join(cell["source"])) for cell in cells]).encode()
    return hashlib.sha256(content).hexdigest()[:12]


def noted_digest(page: Path) -> str | None:
    """The digest that a Chinese page keeps of its source."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        return json.loads(text)["metadata"].get(KEY)
    head = COMMENT.match(text) if page.name == "README.zh-CN.md" else FRONT_MATTER.match(text)
    found = DIGEST.search(head[1]) if head else None
    return found[1] if found else None


def stamp(page: Path, root: Path = ROOT) -> None:
    """Write the digest of the source as it is now into a Chinese page."""
    source = english_source(page, root)
    if page not in chinese_pages(root) or not source.exists():
        raise SystemExit(
            f"{page} must be README.zh-CN.md or a page under docs/zh whose English source exists (expected {source})."
        )
    text, line = page.read_text(encoding="utf-8"), f"{KEY}: {digest(source)}"
    if page.suffix == ".ipynb":
        notebook = json.loads(text)
        notebook["metadata"][KEY] = digest(source)
        text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    elif page.name == "README.zh-CN.md":
        text = f"<!-- {line} -->\n" + (COMMENT.sub("", text) if noted_digest(page) else text)
    elif head := FRONT_MATTER.match(text):
        others = [one for one in head[1].splitlines() if not one.startswith(f"{KEY}:")]
        text = "---\n" + "".join(f"{one}\n" for one in [*others, line]) + "---\n" + text[head.end() :]
    else:
        text = f"---\n{line}\n---\n{text}"
    page.write_text(text, encoding="utf-8")


def report(root: Path = ROOT) -> tuple[list[str], list[str]]:
    """What is wrong, and what is only behind, a line each."""
    wrong, behind = [], []
    for page in chinese_pages(root):
        source, name = english_source(page, root), page.relative_to(root).as_posix()
        if not source.exists():
            wrong.append(f"{name}: its English source {source.relative_to(root).as_posix()} does not exist")
        elif (noted := noted_digest(page)) is None:
            wrong.append(f"{name}: has no {KEY}; write it with `python tools/translations.py --stamp {name}`")
        elif noted != digest(source):
            behind.append(f"{name}: older than {source.relative_to(root).as_posix()}")
    behind += [f"{path.relative_to(root).as_posix()}: not translated" for path in missing_pages(root)]
    return wrong, behind


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--stamp", nargs="+", type=Path, metavar="PAGE", help="Chinese pages that are up to date now")
    for page in parser.parse_args().stamp or ():
        stamp(page.resolve())
    wrong, behind = report()
    for line in (*wrong, *behind):
        print(line)
    print(f"Chinese pages: {len(chinese_pages())}, wrong: {len(wrong)}, older or missing: {len(behind)}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
