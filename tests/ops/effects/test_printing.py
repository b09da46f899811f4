import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore._ops.effects.printing import add_summary_sink, remove_summary_sink


def test_print_gives_every_argument_a_line_in_eager_code(capsys):
    ops.Print()("text", Tensor([1.0, 2.0]), 3, (Tensor(1.0), 2))
    assert capsys.readouterr().out.splitlines() == [
        "text",
        "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])",
        "3",
        "(Tensor(shape=[], dtype=Float32, value= 1), 2)",
    ]


def test_print_in_a_graph_runs_with_every_call_in_order(capsys):
    weight = Parameter(Tensor([1, 2]), name="w")

    @ms.jit
    def shown(x):
        ops.print_("first", x, x.shape, (x.sum(), "inside"))
        ops.print_(weight)
        return x + 1

    for number in (1.0, 2.0):
        shown(Tensor([number, 2.0])).asnumpy()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "first",
        "Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00])",
        "(2)",
        "3",
        "inside",
    ]
    assert lines[5] == "Tensor(shape=[2], dtype=Int64, value=[1 2])"
    assert lines[7] == "Tensor(shape=[2], dtype=Float32, value=[ 2.00000000e+00  2.00000000e+00])"
    assert len(lines) == 12


@pytest.mark.usefixtures("mode")
def test_print_does_not_disturb_gradients(capsys):
    def square(x):
        ops.print_("x:", x)
        return x * x

    assert ms.grad(square)(Tensor(3.0)).asnumpy() == 6.0
    assert capsys.readouterr().out.splitlines()[0] == "x:"


def test_assert_stops_with_the_data_it_was_given():
    check = ops.Assert(summarize=2)
    assert check(Tensor(True), [Tensor([1, 2, 3])]) is None
    with pytest.raises(RuntimeError, match=r"For 'Assert', the condition is false: assert failed.*\[1 2\]"):
        check(False, [Tensor([1, 2, 3])])
    with pytest.raises(TypeError, match="For 'Assert', the 'summarize' must be an int"):
        ops.Assert("two")


def test_assert_fails_in_a_graph_when_it_runs():
    @ms.jit
    def checked(x):
        ops.Assert()((x > 0).all(), [x])
        return x * 2

    assert checked(Tensor([1.0])).asnumpy().tolist() == [2.0]
    with pytest.raises(RuntimeError, match="assert failed"):
        checked(Tensor([-1.0])).asnumpy()


@pytest.fixture
def recorded():
    seen = []

    def sink(kind, name, value):
        seen.append((kind, name, value.tolist()))

    add_summary_sink(sink)
    yield seen
    remove_summary_sink(sink)


def test_summaries_go_to_the_recorder(recorded):
    ops.ScalarSummary()("loss", Tensor(0.5))
    ops.TensorSummary()("weights", Tensor([1, 2]))
    ops.HistogramSummary()("weights", Tensor([3]))
    assert recorded == [("scalar", "loss", 0.5), ("tensor", "weights", [1, 2]), ("histogram", "weights", [3])]


def test_summaries_in_a_graph_are_recorded_at_every_run(recorded):
    summary = ops.ScalarSummary()

    @ms.jit
    def step(x):
        summary("x", x)
        return x

    step(Tensor(1.0)).asnumpy()
    step(Tensor(2.0)).asnumpy()
    assert recorded == [("scalar", "x", 1.0), ("scalar", "x", 2.0)]


def test_summaries_without_a_recorder_do_nothing_but_check():
    assert ops.ScalarSummary()("loss", Tensor(0.5)) is None
    with pytest.raises(TypeError, match="For 'ScalarSummary', the 'name' must be a str"):
        ops.ScalarSummary()(3, Tensor(0.5))
    with pytest.raises(ValueError, match=r"For 'ImageSummary', the 'value' must have 4 dimension\(s\)"):
        ops.ImageSummary()("image", Tensor([1.0]))
    with pytest.raises(ValueError, match="at least 1 dimension"):
        ops.HistogramSummary()("x", Tensor(1.0))


def test_get_next_checks_nothing_until_it_is_called():
    get_next = ops.GetNext([ms.float32], [[2]], "not a number", "some_queue")
    with pytest.raises(RuntimeError, match=r"GetNext.*no device queue named 'some_queue'"):
        get_next()
