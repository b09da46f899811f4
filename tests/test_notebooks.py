"""A notebook as a person writes it: an error in the middle, classes defined anew, training, and what the cells show."""

import functools

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = {
    "imports": """
import numpy as np
import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops
from mindspore.train import LossMonitor, Model
from mindspore.train.callback import Callback, ProgressBar
""",
    "class": """
class Net(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x * 2
        return x
print(Net()(Tensor([1.0])))
""",
    "error": """
@ms.jit
def wrong(x):
    if x.sum() > 0:
        return ops.matmul(x, ops.ones((7, 7)))
    return x
wrong(Tensor([[1.0, 2.0]]))
""",
    "class again": """
class Net(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x * 3
        return x
print(Net()(Tensor([1.0])))
""",
    "jit": """
def scaled(x):
    return x * 10

@ms.jit
def program(x):
    for i in range(3):
        if x.sum() > i:
            x = scaled(x)
    return x
print(program(Tensor([1.0])))
""",
    "jit again": """
def scaled(x):
    return x * 2
print(program(Tensor([1.0])))
""",
    "train": """
def rows():
    for number in range(8):
        yield np.full(4, number, np.float32), np.int32(number % 2)

data = ds.GeneratorDataset(lambda: rows(), ["x", "y"], shuffle=False).batch(2)
net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
model = Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.01, 0.9))
model.train(2, data, callbacks=[ProgressBar(), LossMonitor(2)], dataset_sink_mode=False)
""",
    "interrupt": """
class Stop(Callback):
    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == 2:
            raise KeyboardInterrupt

model.train(1, data, callbacks=[ProgressBar(), Stop()], dataset_sink_mode=False)
""",
    "train again": """
%%time
model.train(1, data, callbacks=[LossMonitor(4)], dataset_sink_mode=False)
""",
    "summary": "ms.summary(net, (2, 4))",
    "summary kept": "found = ms.summary(net, show=False)\nfound",
    "tensor": "Tensor(np.arange(10000, dtype=np.float32).reshape(100, 100))",
    "cell": "net",
    "dataset": "data",
    "parameter": "net[0].weight",
    "module": """
import os, sys, tempfile, time
folder = tempfile.TemporaryDirectory()
sys.path.insert(0, folder.name)

def write(number):
    path = os.path.join(folder.name, "edited_in_notebook.py")
    with open(path, "w") as file:
        file.write(f'''from mindspore import nn

class Net(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x * {number}
        return x
''')
    os.utime(path, (time.time() + number, time.time() + number))

write(2)
%load_ext autoreload
%autoreload 2
import edited_in_notebook
old = edited_in_notebook.Net()
print(old(Tensor([1.0])))
""",
    "edit": "write(3)",
    "module again": "print(old(Tensor([1.0])), edited_in_notebook.Net()(Tensor([1.0])))",
}
FAILING = {"error", "interrupt"}


@functools.cache
def executed():
    """The cells after a run of all of them in one kernel, by name."""
    notebook = nbformat.v4.new_notebook()
    for name, source in CELLS.items():
        cell = nbformat.v4.new_code_cell(source.strip())
        cell.metadata["tags"] = ["raises-exception"] if name in FAILING else []
        notebook.cells.append(cell)
    NotebookClient(notebook, timeout=240, kernel_name="python3").execute()
    return dict(zip(CELLS, notebook.cells, strict=True))


def text(name):
    return "".join(output.get("text", "") for output in executed()[name].outputs)


def shown(name, kind):
    """What a cell displays, in one form."""
    return [output.data[kind] for output in executed()[name].outputs if kind in output.get("data", {})]


def test_an_error_is_shown_and_later_cells_compile():
    [problem] = [one for one in executed()["error"].outputs if one.output_type == "error"]
    assert problem.ename == "ValueError"
    assert "For 'matmul'" in problem.evalue
    assert "return ops.matmul(x, ops.ones((7, 7)))" in problem.evalue
    assert text("class") == "[2.]\n"
    assert text("class again") == "[3.]\n"


def test_functions_defined_anew_are_compiled_anew():
    assert text("jit") == "[1000.]\n"
    assert text("jit again") == "[8.]\n"


def test_modules_that_are_loaded_anew_by_themselves_are_compiled_anew():
    assert text("module") == "[2.]\n"
    assert text("module again") == "[3.] [3.]\n"


def test_training_shows_one_line_per_epoch_that_changed_in_place():
    lines = shown("train", "text/plain")
    assert len(lines) == 2
    assert lines[0].startswith("[====================] epoch 1/2: 4 of 4 (100%)")
    assert "loss" in lines[1]
    assert text("train").startswith("epoch: 1 step: 2, loss is ")
    assert "\r" not in text("train")


def test_an_interrupted_training_goes_on():
    [problem] = [one for one in executed()["interrupt"].outputs if one.output_type == "error"]
    assert problem.ename == "KeyboardInterrupt"
    assert "epoch: 1 step: 4, loss is" in text("train again")
    assert "Wall time" in text("train again")


def test_a_summary_is_shown_once():
    outputs = executed()["summary"].outputs
    assert len(outputs) == 1
    assert "Parameters: 58 (58 trainable, 0 not)" in outputs[0].data["text/plain"]
    assert "<table>" in outputs[0].data["text/html"]
    [kept] = shown("summary kept", "text/html")
    assert "(network)" in kept


@pytest.mark.parametrize("name", ["tensor", "cell", "dataset", "parameter", "summary"])
def test_displays_are_small_and_take_the_colours_of_the_page(name):
    [page] = shown(name, "text/html")
    assert len(page) < 20_000
    assert "color" not in page.replace("currentcolor", "")
    assert "<script" not in page


def test_displays_say_what_it_is():
    assert "58 parameters" in shown("cell", "text/html")[0]
    assert "Dense(input_channels=4, output_channels=8, has_bias=True)" in shown("cell", "text/html")[0]
    data = shown("dataset", "text/html")[0]
    assert "columns: x, y" in data
    assert "batch size: 2" in data
    assert data.index("Generator") < data.index("Batch <")
    assert "shape=[100, 100]" in shown("tensor", "text/html")[0]
    assert "0.weight" in shown("parameter", "text/html")[0]
