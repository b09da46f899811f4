"""The messages of a first hour help: they say what to write, in the user's own words and lines, never in those of JAX."""

from __future__ import annotations

import itertools
import re
import traceback

import pytest

from tests.train.first_mistakes import IN_THREE_WAYS, ONCE, PRELUDE

_FOREIGN = re.compile(r"\bjax\b|jaxlib|Traced<|Tracer|pjit|XlaRuntimeError|site-packages|no source line is known", re.I)


def run(program: str, folder) -> tuple[Exception, str]:
    """The error of a program, and the file it stands in."""
    file = folder / "first.py"
    file.write_text(program)
    code = compile(program, str(file), "exec")
    try:
        exec(code, {"__name__": "first"})
    except Exception as error:
        return error, str(file)
    pytest.fail("the mistake was not noticed")


def check(program: str, expected: tuple, folder) -> None:
    _, kinds, words = expected
    error, file = run(program, folder)
    assert isinstance(error, kinds), traceback.format_exception(error)
    text = str(error)
    for word in words:
        assert word in text, f"{word!r} is not in:\n{text}"
    assert not _FOREIGN.search(text), text
    assert file in "".join(traceback.format_exception(error)), "the user's own file is not in the traceback"


WAYS = list(itertools.product(IN_THREE_WAYS, ("fit", "loop", "direct")))


@pytest.mark.parametrize(("name", "way"), WAYS, ids=[f"{way}: {name}" for name, way in WAYS])
def test_a_mistake_is_answered_in_model_in_a_loop_and_in_a_call(mode, name, way, tmp_path):
    expected = IN_THREE_WAYS[name]
    check(f"{PRELUDE}\nrun = {way}\n{expected[0]}\n", expected, tmp_path)


@pytest.mark.parametrize("name", ONCE)
def test_a_mistake_is_answered(mode, name, tmp_path):
    check(f"{PRELUDE}\n{ONCE[name][0]}\n", ONCE[name], tmp_path)


def test_a_dataset_without_batches_is_told_where_the_operator_cannot_know(tmp_path):
    program = f"{PRELUDE}\nfit(loss=nn.MSELoss(), dataset=data(y=np.zeros((16, 7), np.float32), batch=None))"
    error, _ = run(program, tmp_path)
    assert isinstance(error, ValueError)
    assert "The dataset makes no batches: its rows have the shapes (10,), (7,). Write dataset.batch(32)." in str(error)


def test_errors_after_the_first_step_are_left_alone(tmp_path):
    rows = "ds.GeneratorDataset([(x[0], y[0]), (x[0, :9], y[0])], ['x', 'y'], shuffle=False)"
    error, _ = run(f"{PRELUDE}\nfit(dataset={rows})", tmp_path)
    assert "9 features" in str(error)
    assert "makes no batches" not in str(error)
