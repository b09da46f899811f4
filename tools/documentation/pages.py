"""The pages written by hand: where each file of the repository stands in the site, and its text there."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from notebook_pages import notebook_page
from page_text import joined, links, relative, relinked, spaced, without_head
from words import WORDS

PAGES = (".md", ".ipynb")
CODE = {
    ".py": "python",
    ".sh": "sh",
    ".toml": "toml",
    ".cff": "yaml",
    ".yaml": "yaml",
    ".json": "json",
    ".pyi": "python",
}
PICTURES = (".svg", ".png", ".jpg")


class Pages:
    """All pages of one language. A page without a translation stands there in English, and says so."""

    def __init__(self, root: Path, language: str):
        self.root, self.language = root, language

    @functools.cached_property
    def sources(self) -> dict[PurePosixPath, Path]:
        """Pages of the site and the files they are made of; files outside of docs that pages link to included."""
        found = {self.place(path): path for path in self._documents()}
        found[PurePosixPath("index.md")] = self._translation(self.root / "README.md")
        waiting = list(found.values())
        while waiting:
            for target in self._linked(waiting.pop()):
                if (place := self.place(target)) not in found:
                    found[place] = self._translation(target)
                    waiting.append(found[place])
        return found

    def _documents(self) -> Iterator[Path]:
        for path in sorted((self.root / "docs").rglob("*")):
            inside = path.relative_to(self.root / "docs")
            if path.suffix in PAGES and inside.parts[0] != "zh" and ".ipynb_checkpoints" not in inside.parts:
                yield self._translation(path)

    def _translation(self, path: Path) -> Path:
        """The file in the language of the site, if there is one."""
        if self.language == "zh":
            docs = self.root / "docs"
            other = docs / "zh" / path.relative_to(docs) if path.is_relative_to(docs) else path.with_suffix(".zh-CN.md")
            return other if other.exists() else path
        return path

    def place(self, path: Path) -> PurePosixPath:
        """Where a file of the repository, in either language, stands in the site."""
        docs = self.root / "docs"
        if path in (self.root / "README.md", self.root / "README.zh-CN.md"):
            return PurePosixPath("index.md")
        if path.is_relative_to(docs):
            inside = PurePosixPath(
                path.relative_to(docs / "zh" if path.is_relative_to(docs / "zh") else docs).as_posix()
            )
            inside = inside / "README.md" if path.is_dir() else inside
            return inside.with_suffix(".md") if inside.suffix == ".ipynb" else inside
        inside = PurePosixPath("repository", path.relative_to(self.root).as_posix())
        if path.is_dir():
            return inside / "README.md"
        return inside if path.suffix in (*PICTURES, ".md") else inside.with_name(f"{inside.name}.md")

    def _resolved(self, link: str, source: Path) -> Path | None:
        """The file of the repository that a link of a page leads to."""
        if not link or ":" in link.split("/")[0]:
            return None
        path = (source.parent / link).resolve()
        if path.is_dir() and (path / "README.md").exists():
            path = path / "README.md"
        return path if path.exists() and path.is_relative_to(self.root) else None

    def _linked(self, source: Path) -> Iterator[Path]:
        if source.suffix == ".md":
            for link in links(source.read_text(encoding="utf-8")):
                if target := self._resolved(link.partition("#")[0], source):
                    yield target

    def texts(self, folder: Path) -> dict[PurePosixPath, str]:
        """The text of every page, by its place; pictures are written into ``folder`` at once."""
        made = {}
        for place, source in self.sources.items():
            if source.suffix in PICTURES:
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, folder / place)
            else:
                made[place] = self.text(place, source, folder)
        return made

    def text(self, place: PurePosixPath, source: Path, folder: Path) -> str:
        """One page."""
        if source.is_dir():
            return self._listing(source)
        if source.suffix == ".ipynb":
            text = notebook_page(source, folder / place.parent / "outputs")
        elif source.suffix == ".md":
            text = without_head(source.read_text(encoding="utf-8"))
        else:
            return f"# {source.name}\n\n{_fenced(source)}\n"

        def target(link: str) -> str:
            found = self._resolved(link, source)
            return relative(self.place(found), place) if found else link

        text = spaced(relinked(joined(text) if self.language == "zh" else text, target))
        return self._head(place, source) + self._notice(source) + text

    def _head(self, place: PurePosixPath, source: Path) -> str:
        """Front matter: the day of the last change, no empty column beside the first page, the guide first in searches."""
        lines = [f"changed: {day}"] if (day := self._changed.get(source)) else []
        lines += ["hide: [navigation]"] if str(place) == "index.md" else []
        lines += ["search: { boost: 3 }"] if place.parts[0] == "guide" else []  # before names of the reference
        return "---\n" + "\n".join(lines) + "\n---\n" if lines else ""

    @functools.cached_property
    def _changed(self) -> dict[Path, str]:
        """The day each file was last changed, by the history; empty where there is none."""
        command = ["git", "log", "--format=%x00%cs", "--name-only", "--", "docs", "*.md"]
        try:
            log = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return {}
        days: dict[Path, str] = {}
        for commit in log.split("\0")[1:]:
            day, *names = commit.split("\n")
            for name in filter(None, names):
                days.setdefault(self.root / name, day)
        return days

    def _notice(self, source: Path) -> str:
        word = WORDS[self.language]["untranslated"]
        translated = source.is_relative_to(self.root / "docs/zh") or source.name.endswith(".zh-CN.md")
        return "" if translated or not word else f'!!! note "{word}"\n\n'

    def _listing(self, folder: Path) -> str:
        files = sorted(path for path in folder.iterdir() if path.suffix in CODE)
        name = folder.relative_to(self.root).as_posix()
        return f"# {name}\n\n" + "\n".join(f"## {path.name}\n\n{_fenced(path)}\n" for path in files)

    def listed(self, place: PurePosixPath) -> list[PurePosixPath]:
        """The pages that a page links to, in its order."""
        source = self.sources.get(place)
        return [self.place(path) for path in self._linked(source)] if source else []


def _fenced(path: Path) -> str:
    text = path.read_text(encoding="utf-8").rstrip()
    fence = "````" if "```" in text else "```"
    return f"{fence}{CODE.get(path.suffix, 'text')}\n{text}\n{fence}"
