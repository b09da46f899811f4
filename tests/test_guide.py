"""What the pages in docs/guide state as facts is so."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

from mindspore._engine.config import config
from mindspore.train import Callback
from tests.train.small_training import rows, small_model

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [
        *(ROOT / "docs" / "guide").glob("*.md"),
        *(ROOT / "docs" / "recipes").glob("*.md"),
        ROOT / "docs" / "design" / "train.md",
        ROOT / "examples/README.md",
    ]
)
MISSPELT = "loss_scale_mananger"  # MindSpore's slip of the pen; told for programs that read it, and not worth a row


class Listener(Callback):
    """Notes every key that a callback is told, and the hook where it first was."""

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def note(self, hook: str, run_context: Any) -> None:
        for key in run_context.original_args():
            self.first.setdefault(key, hook)


for _part in ("train", "eval"):
    for _short in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
        _hook = f"on_{_part}_{_short}"
        setattr(Listener, _hook, lambda self, run_context, hook=_hook: self.note(hook, run_context))


def keys_in_the_guide() -> dict[str, str]:
    text = (ROOT / "docs" / "guide" / "training.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (`.*?) \|.*\| `(on_\w+)` \|$", text, re.MULTILINE)
    return {key: hook for keys, hook in table for key in re.findall(r"`(\w+)`", keys)}


def test_the_guide_names_every_key_that_callbacks_are_told() -> None:
    listener = Listener()
    small_model().fit(1, rows(), rows(), callbacks=[listener])
    told = {key: hook for key, hook in listener.first.items() if key != MISSPELT}
    # these two are there before, as 0 and None
    told.update(cur_step_num="on_train_step_begin", train_dataset_element="on_train_step_begin")
    assert keys_in_the_guide() == told


def test_variables_of_the_guide_exist() -> None:
    text = (ROOT / "docs" / "guide" / "migrating.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (`[A-Z].*?) \|", text, re.MULTILINE)
    named = {name for row in table for name in re.findall(r"`([A-Z]+_[A-Za-z_]+)", row)}
    known = {name for one in vars(config).values() if isinstance(one, config.Option) for name in one.variables}
    assert named and named <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_links_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_messages_of_the_index_are_those_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example of the page in one session, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "guide" / "messages.md").read_text(encoding="utf-8")
    session = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "messages.md", None, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert len(test.examples) > 50
    assert "".join(report) == ""
