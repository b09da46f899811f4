"""The built site in a real browser: search, links, copying, languages, phones. `make test-docs` builds it first."""

import functools
import http.server
import re
import shutil
import threading
import time
import urllib.parse
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

SITE = Path(__file__).resolve().parents[2] / "build/site"
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not (SITE / "zh/index.html").exists(), reason="The site is not built: run `make docs`."),
]
PHONE = (390, 844)


class Links(HTMLParser):
    """The addresses that a page names, and the anchors it has."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.anchors |= {found[key] or "" for key in ("id", "name") if key in found}
        self.links += [found["href"] or ""] if tag == "a" and "href" in found else []
        self.loaded += [
            found[key] or "" for key in ("src", "href") if key in found and tag in ("script", "link", "img")
        ]


@functools.cache
def page(path: Path) -> Links:
    return Links(path.read_text(encoding="utf-8"))


def test_no_link_is_broken_and_nothing_is_loaded_from_elsewhere() -> None:
    broken = []
    for path in SITE.rglob("*.html"):
        if path.name == "404.html":
            continue
        for link in {*page(path).links, *page(path).loaded}:
            if re.match(r"https?:|mailto:|data:|javascript:", link):
                if link in page(path).loaded:
                    broken.append(f"{path.relative_to(SITE)} loads {link}")
                continue
            address, _, anchor = urllib.parse.unquote(link).partition("#")
            target = (path.parent / address.partition("?")[0]).resolve() if address else path
            target = target / "index.html" if target.is_dir() else target
            missing = not target.exists() or (
                anchor and target.suffix == ".html" and anchor not in page(target).anchors
            )
            if missing and anchor != "__skip":
                broken.append(f"{path.relative_to(SITE)}: {link}")
    assert broken == []


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: `make test-docs` does it.")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("No Chromium here: apt-get install chromium chromium-driver.")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
    ):
        options.add_argument(argument)
    with webdriver.Chrome(options=options, service=webdriver.ChromeService(driver)) as found:
        found.implicitly_wait(20)
        yield found


def search(browser: Any, word: str) -> list[str]:
    browser.execute_script("document.querySelector('#__search').click()")
    field = browser.find_element("css selector", ".md-search__input")
    browser.execute_script("arguments[0].focus()", field)
    field.send_keys(word)
    return results(browser)


def results(browser: Any) -> list[str]:
    return browser.execute_script(
        "return [...document.querySelectorAll('.md-search-result__link')].map(link => link.href)"
    )


@pytest.mark.parametrize(
    ("folder", "word", "expected"),
    [
        ("/", "Conv2d", "Conv2d"),
        ("/zh/", "Conv2d", "Conv2d"),
        ("/", "x1_col x2_row", "guide/messages"),
        ("/zh/", "混合精度", "mixed-precision"),
        ("/zh/", "检查点", "guide/checkpoints"),
    ],
)
def test_search_finds_layers_messages_and_chinese_words(
    browser: Any, address: str, folder: str, word: str, expected: str
) -> None:
    browser.get(address + folder)
    found = search(browser, word)
    for _ in range(40):  # results follow the letters as they are typed
        if any(expected in link for link in found):
            break
        time.sleep(0.25)
        found = results(browser)
    assert any(expected in link for link in found), found


@pytest.mark.parametrize("layer", ["conv/Conv2d", "recurrent/LSTM", "normalization/BatchNorm2d"])
def test_searches_show_the_layer_of_today_first(browser: Any, address: str, layer: str) -> None:
    page, name = layer.split("/")
    browser.get(f"{address}/")
    found = search(browser, name)
    for _ in range(40):
        if found and f"/api/nn/{page}/" in found[0]:
            break
        time.sleep(0.25)
        found = results(browser)
    assert f"/api/nn/{page}/" in found[0] and any(link.endswith(f"#mindspore.nn.{name}") for link in found), found[:5]


def test_code_can_be_copied(browser: Any, address: str) -> None:
    browser.get(f"{address}/guide/errors/")
    browser.execute_script(
        "document.addEventListener('copy', () => { window.copied = document.activeElement.value; });"
    )
    button = browser.find_element("css selector", "[data-clipboard-target]")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    assert "import mindspore" in browser.execute_script("return window.copied")


def test_the_languages_switch_on_the_same_page(browser: Any, address: str) -> None:
    browser.get(f"{address}/guide/errors/")
    other = browser.find_element("css selector", "a[hreflang=zh]")
    browser.get(other.get_attribute("href"))
    assert browser.current_url == f"{address}/zh/guide/errors/"
    assert browser.find_element("tag name", "html").get_attribute("lang") == "zh"
    back = browser.find_element("css selector", "a[hreflang=en]").get_attribute("href")
    assert back == f"{address}/guide/errors/"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/zh/",
        "/guide/errors/",
        "/guide/messages/",
        "/api/",
        "/api/nn/conv/",
        "/api/ops/arithmetic/",
        "/api/old-names/",
        "/zh/api/nn/conv/",
        "/zh/clients/",
        "/benchmarks/",
        "/recipes/gan/",
        "/tutorials/quick-start/",
        "/onnx/",
    ],
)
def test_a_phone_shows_the_page_without_scrolling_sideways(browser: Any, address: str, path: str) -> None:
    browser.set_window_size(*PHONE)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    browser.get(address + path)
    width, shown = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.set_window_size(1280, 900)
    assert width <= shown <= 400


def test_an_address_that_leads_nowhere_has_a_page_with_ways_on() -> None:
    for folder in (SITE, SITE / "zh"):
        text = (folder / "404.html").read_text(encoding="utf-8")
        assert "页面不存在" in text and "/guide/" in text


def test_pages_say_when_they_were_changed() -> None:
    assert re.search(r"md-source-file.*?\d{4}-\d\d-\d\d", (SITE / "guide/errors/index.html").read_text(), re.DOTALL)


def test_every_page_has_a_title_and_no_raw_markup() -> None:
    for path in SITE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<h1" in text, path
        body = re.sub(r"<(pre|code|script)\b.*?</\1>", "", text, flags=re.DOTALL)
        assert not re.search(r":(func|class|mod):`|^\s*```|^\| ?---", body, re.MULTILINE), path
