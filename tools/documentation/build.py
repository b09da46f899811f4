"""Builds the site: `make docs`.

python tools/documentation/build.py [--language en] [--serve]

The pages of docs/, the README and what they link to are put together under build/docs, one folder for each language, with
the API reference and the notebooks as pages. MkDocs then makes build/site of them; the Chinese site is its folder zh.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src"), str(ROOT / "tools"), str(ROOT / "tools/documentation")]

import yaml  # noqa: E402 - found through the environment of the extra `docs`
from pages import Pages  # noqa: E402
from words import ROOMS, SECTIONS, WORDS  # noqa: E402

SOURCE, SITE = ROOT / "build/docs", ROOT / "build/site"
CSS = ROOT / "tools/documentation/site.css"


def write_pages(language: str, references: dict[str, dict[str, str]], folder: Path) -> list[Any]:
    """Write all pages of a language, and return the navigation."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = Pages(ROOT, language)
    texts = pages.texts(folder)
    texts |= {PurePosixPath("api") / name: text for name, text in references[language].items()}
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "assets").mkdir(exist_ok=True)
    shutil.copy(CSS, folder / "assets")
    return navigation(language, pages, list(texts))


def navigation(language: str, pages: Pages, paths: list[PurePosixPath]) -> list[Any]:
    """The tree of pages: the sections in order, in each the README first, then the pages as it lists them."""
    words = WORDS[language]
    tree: list[Any] = [{words["home"]: "index.md"}]
    for section in SECTIONS:
        inside = [path for path in paths if path.parts[0] == section and path.suffix == ".md"]
        if section == "more":
            inside = [path for path in paths if len(path.parts) == 1 and path.name != "index.md"]
        if inside:
            tree.append({words[section]: _branch(pages, section, inside)})
    return tree


def _branch(pages: Pages, section: str, inside: list[PurePosixPath]) -> list[Any]:
    if section == "api":
        groups: dict[str, list[Any]] = {}
        for path in sorted(inside, key=lambda path: (path.name != "README.md", path)):
            groups.setdefault(path.parts[1] if len(path.parts) > 2 else "", []).append(str(path))
        top = groups.pop("")
        if "ops" in groups:
            groups["ops"] = _by_room(groups["ops"], pages.language)
        titles = {name: name for name in groups}
        packages = [{titles[name]: found} for name, found in groups.items()]
        return [*top, *packages]
    listed = pages.listed(PurePosixPath(section) / "README.md")
    order = {path: number for number, path in enumerate(listed)}
    return [str(path) for path in sorted(inside, key=lambda p: (p.name != "README.md", order.get(p, len(order)), p))]


def _by_room(pages: list[str], language: str) -> list[Any]:
    """The families of operators under the rooms they belong to: one list of all would be too long to look through."""
    from reference import rooms  # noqa: PLC0415 - imports the package, which takes seconds

    inside: dict[str, list[str]] = {}
    for page in pages:
        inside.setdefault(rooms()[page.removeprefix("api/")], []).append(page)
    return [{ROOMS.get(room, room) if language == "zh" else room: found} for room, found in sorted(inside.items())]


def configuration(language: str, nav: list[Any]) -> Path:
    """The file of MkDocs for a language."""
    theme = {"language": language, "custom_dir": str(ROOT / "tools/documentation/theme")}
    # Signs of messages and of code end a word: 'pad_mode' and nn.Conv2d are found without them.
    search = {"lang": "en" if language == "en" else ["zh", "en"], "separator": r"[\s\u200b\-,:;!=\[\]()\"'`/.]+"}
    settings = {
        "INHERIT": os.path.relpath(ROOT / "mkdocs.yml", SOURCE),
        "docs_dir": str(SOURCE / language),
        "site_dir": str(SITE if language == "en" else SITE / language),
        "hooks": [str(ROOT / "tools/documentation/hooks.py")],
        "plugins": [{"search": search}],
        "nav": nav,
        "theme": theme,
    }
    path = SOURCE / f"{language}.yml"
    path.write_text(yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return path


def build(languages: list[str]) -> None:
    from reference import reference_pages  # imports the package, which takes seconds  # noqa: PLC0415

    references = {language: reference_pages(language) for language in languages}
    for language in languages:
        nav = write_pages(language, references, SOURCE / language)
        command = [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "-f",
            str(configuration(language, nav)),
        ]
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
        made = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        complaints = [
            line
            for line in made.stderr.splitlines()
            if line.strip() and not re.match(r"Building prefix dict|Loading model|Prefix dict|Dumping model", line)
        ]
        print("\n".join([made.stdout.strip(), *complaints]).strip(), end="")
        if made.returncode:
            raise SystemExit(f"\nThe site in {language!r} was not built.")
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{pages} pages in {SITE.relative_to(ROOT)}: open it with `make docs-serve`.")


def serve(port: int) -> None:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    print(f"http://localhost:{port}/ and http://localhost:{port}/zh/ (Ctrl-C ends it)")
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--language", action="append", choices=("en", "zh"), help="build this one alone")
    parser.add_argument("--serve", type=int, nargs="?", const=8000, metavar="PORT", help="only serve what was built")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
    else:
        build(options.language or ["en", "zh"])


if __name__ == "__main__":
    main()
