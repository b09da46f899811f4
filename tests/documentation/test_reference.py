"""The API reference: refusals read from the source, examples that run where they are copied to, sentences in Chinese."""

import doctest
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/documentation")]

import lacking  # noqa: E402 - found through the path set above
import probe  # noqa: E402
from chinese import in_chinese  # noqa: E402
from docstrings import parse  # noqa: E402
from entries import entry, methods, runnable  # noqa: E402
from facts import real_page  # noqa: E402
from page_text import joined  # noqa: E402
from reference import rooms  # noqa: E402
from refusals import refusals  # noqa: E402

from mindspore import Tensor, mint, nn, ops  # noqa: E402
from mindspore.dataset import vision  # noqa: E402
from mindspore.train import Model  # noqa: E402


def test_refusals_name_the_argument_and_its_bounds() -> None:
    found = refusals(nn.Conv2d)
    assert ("ValueError", "If `pad_mode` is not one of [`valid`, `same`, `pad`].") in found
    assert ("TypeError", "If `in_channels` is not an int.") in found
    assert ("ValueError", "The `group` must divide `in_channels` and `out_channels`.") in found


def test_refusals_follow_decorators_bases_and_operators() -> None:
    assert any("weight_decay" in text for _, text in refusals(nn.Adam))
    assert ("TypeError", "If `input` is not a Tensor.") in refusals(nn.ReLU)
    assert any("`size`" in text for _, text in refusals(vision.Resize))


def test_every_public_name_is_explained() -> None:
    assert lacking.unexplained() == []
    assert sum(map(len, lacking.table().values())) > 3000


def test_what_a_name_lacks_is_told() -> None:
    def bare(x: int) -> int:
        return x

    assert lacking.lacking("bare", bare, recorded={}) == ["summary", "Args", "Returns", "Raises", "Examples"]


def test_calls_show_what_is_refused() -> None:
    def half(n: int) -> float:
        """Half of a number.

        Examples:
            >>> from tests.documentation.test_reference import half_of
            >>> half_of(3)
            1.5
        """
        return half_of(n)

    half.__name__ = "half_of"
    assert probe.refused("tests.half_of", half) == [
        ("TypeError", "If `n` is not an int."),
        ("ValueError", "If `n` is out of range."),
    ]


def half_of(n: int) -> float:
    if not isinstance(n, int):
        raise TypeError(f"For 'half_of', the 'n' must be an int, but got {n!r}.")
    if n < 0:
        raise ValueError("less than nothing")
    return n / 2


@pytest.mark.parametrize(
    ("name", "thing"),
    [("mindspore.mint.sum", mint.sum), ("mindspore.nn.Conv2d", nn.Conv2d), ("mindspore.ops.add", ops.add),
     ("mindspore.dataset.vision.Resize", vision.Resize), ("mindspore.ops.ScatterAdd", ops.ScatterAdd),
     ("mindspore.Tensor.half", Tensor.half)],
)  # fmt: skip
def test_an_example_runs_where_it_is_copied_to(name: str, thing: object) -> None:
    example = runnable(parse(thing).sections["Examples"], name)
    report: list[str] = []
    test = doctest.DocTestParser().get_doctest(example + "\n", {}, name, None, 0)
    doctest.DocTestRunner().run(test, out=report.append)
    assert test.examples and "".join(report) == ""


def test_an_entry_has_all_its_parts() -> None:
    text = entry("mindspore.nn.Conv2d", nn.Conv2d, "en")
    for part in (
        "**Args**",
        "**Inputs**",
        "**Returns**",
        "**Raises**",
        "**Examples**",
        "Devices",
        "Gradient",
        "mindspore.cn",
    ):
        assert part in text
    text = entry("mindspore.ops.add", ops.add, "en")
    for part in ("ops.add(input, other)", "ops.tensor_add", "ops.Add", "input (x, input_x)", "yes, of every order"):
        assert part in text


def test_signatures_fill_in_types_and_defaults() -> None:
    text = entry("mindspore.nn.Conv2d", nn.Conv2d, "en")
    assert "- `in_channels`, `out_channels` (`int`): C_in" in text
    assert (
        " of its own. Default: `1`." in text.replace("kernels of its", "of its")
        and "(`bool, optional`): whether one" in text
    )
    assert text.count("If `data_format` is not one of") == 1  # of two checks, the one that allows less
    assert "- `input` (`Tensor 或数`): " in entry("mindspore.ops.add", ops.add, "zh")


def test_classes_show_their_methods() -> None:
    assert {"train", "eval", "predict", "fit", "build"} <= set(methods(Model))
    assert "### train.Model.train {" in entry("mindspore.train.Model", Model, "en")
    assert methods(nn.ReLU) == {}


def test_composed_sentences_are_chinese_on_the_chinese_site() -> None:
    text = entry("mindspore.ops.relu", ops.relu, "zh")
    assert "输入 Tensor。" in text
    assert "`input` 不是 Tensor。" in text
    assert in_chinese("If `a`, `b` or `c` is not an int.") == "`a`、`b` 或 `c` 不是 int。"
    assert in_chinese("Tensor of the shape of `x`.") == "Tensor，形状与 `x` 相同。"
    assert in_chinese("Whether a bias is added. Default: ``True``.") == "是否加偏置。默认值：``True``。"
    assert in_chinese("Written by hand.") == "Written by hand."


def test_every_family_of_operators_has_a_room() -> None:
    assert rooms()["ops/arithmetic.md"] == "math"
    assert len(set(rooms().values())) > 10


def test_pages_of_mindspore_are_in_its_folders() -> None:
    assert (real_page("mindspore.dataset.vision.Resize", "en") or "").endswith(
        "/dataset_vision/mindspore.dataset.vision.Resize.html"
    )
    assert (real_page("mindspore.communication.init", "zh") or "").endswith(
        "mindspore.communication.html#mindspore.communication.init"
    )
    assert real_page("mindspore.nn.NothingOfTheKind", "en") is None


def test_lines_of_chinese_text_are_joined_without_a_blank() -> None:
    assert joined("一行，\n下一行\n") == "一行，下一行\n"
    assert joined("一行\n- 一项\n") == "一行\n- 一项\n"
    assert joined("```\n一\n二\n```\n") == "```\n一\n二\n```\n"
    assert joined("end\n一行\n") == "end\n一行\n"
    assert joined("## 标题\n一行\n") == "## 标题\n一行\n"
    assert joined("运行在\n[JAX](x.md)\n") == "运行在\n[JAX](x.md)\n"
