"""Ask real MindSpore the calls of the dtype sweep. Run with the Python that has it, in an empty folder:

GLOG_v=4 PYTHONPATH=/path/of/the/project python -m tools.oracle.sweep_dtypes_record /tmp/plan.json /tmp/answers.jsonl

Some calls take the process down or never return: a second process does the work, and is started again after the call that
ended it, which counts as no answer.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

KEPT = 6  # elements of each result
PATIENCE = 40  # seconds for one call


def calls(plan: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for operator, entry in plan.items():
        for form in entry["forms"]:
            for call in entry["calls"]:
                yield operator, form, call


def supervise(plan_file: str, answer_file: str) -> None:
    everything = list(calls(json.loads(Path(plan_file).read_text())))
    answers = Path(answer_file)
    answers.touch()
    while (done := len(answers.read_text().splitlines())) < len(everything):
        worker = subprocess.Popen([sys.executable, "-m", __spec__.name, plan_file, answer_file, str(done)])
        size, since = answers.stat().st_size, time.monotonic()
        while worker.poll() is None and time.monotonic() - since < PATIENCE:
            time.sleep(0.5)
            if answers.stat().st_size != size:
                size, since = answers.stat().st_size, time.monotonic()
        worker.kill()
        if worker.wait() != 0:
            operator, form, call = everything[len(answers.read_text().splitlines())]
            with answers.open("a") as file:
                file.write(line(operator, form, call, {"error": ["Crash", str(worker.returncode)]}))


def line(operator: str, form: dict[str, Any], call: dict[str, Any], answer: Any) -> str:
    return json.dumps([operator, f"{form['kind']} {form['name']}", call["name"], answer]) + "\n"


class Worker:
    def __init__(self) -> None:
        self.ms = importlib.import_module("mindspore")
        # Without this an error is reported by a later call.
        self.ms.set_context(mode=self.ms.PYNATIVE_MODE, pynative_synchronize=True)
        self.places = [importlib.import_module(f"mindspore.ops{part}") for part in ("", ".operations", ".functional")]

    def work(self, plan: dict[str, Any], answer_file: str, done: int) -> None:
        with Path(answer_file).open("a") as file:
            for operator, form, call in list(calls(plan))[done:]:
                try:
                    answer = self.answer(plan[operator], form, call)
                except Exception as error:
                    answer = {"error": [type(error).__name__, " ".join(str(error).split())[:300]]}
                file.write(line(operator, form, call, answer))
                file.flush()

    def answer(self, entry: dict[str, Any], form: dict[str, Any], call: dict[str, Any]) -> Any:
        args = [self.decode(value) for value in call["args"]]
        kwargs = {name: self.decode(value) for name, value in call["kwargs"].items()}
        run = self.caller(entry, form)
        if not call["gradient"]:
            return self.describe(run(args, kwargs))
        places = call["gradient"]

        def of_tensors(*tensors: Any) -> Any:
            given = list(args)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            result = run(given, kwargs)
            results = result if isinstance(result, tuple) else (result,)
            return tuple([one for one in results if isinstance(one, self.ms.Tensor) and one.is_floating_point()])

        return self.describe(self.ms.grad(of_tensors, tuple(range(len(places))))(*[args[place] for place in places]))

    def caller(self, entry: dict[str, Any], form: dict[str, Any]) -> Callable[[list, dict[str, Any]], Any]:
        if form["kind"] == "method":
            return lambda args, kwargs: getattr(args[0], form["name"])(*args[1:], **kwargs)
        found = next(getattr(place, form["name"]) for place in self.places if hasattr(place, form["name"]))
        if form["kind"] == "function":
            return lambda args, kwargs: found(*args, **kwargs)

        def of_class(args: list, kwargs: dict[str, Any]) -> Any:
            given = {**dict(zip(entry["names"], args)), **kwargs}
            call = list(form["call"])
            while call and call[-1] not in given:
                call.pop()
            inputs = [given[name] if name in given else self.decode(entry["defaults"][name]) for name in call]
            return found(**{name: given[name] for name in form["init"] if name in given})(*inputs)

        return of_class

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(one) for one in value]
        if not isinstance(value, dict):
            return value
        if "tuple" in value:
            return tuple([self.decode(one) for one in value["tuple"]])
        if "dtype" in value:
            return getattr(self.ms, value["dtype"].replace("bool", "bool_"))
        dtype, numbers = value["tensor"], value["values"]
        if dtype == "complex64":
            return self.ms.Tensor(np.array(numbers, "float32").view("complex64").reshape(value["shape"]))
        array = np.array(numbers, "float32" if dtype == "bfloat16" else dtype).reshape(value["shape"])
        return self.ms.Tensor(array, self.ms.bfloat16) if dtype == "bfloat16" else self.ms.Tensor(array)

    def describe(self, result: Any) -> Any:
        if isinstance(result, (tuple, list)):
            return [self.describe(one) for one in result]
        if not isinstance(result, self.ms.Tensor):
            return {"dtype": type(result).__name__}
        wide = result.float() if result.dtype == self.ms.bfloat16 else result
        return {"dtype": str(result.dtype), "values": kept(wide.asnumpy())}


def kept(array: np.ndarray) -> list[float]:
    """Some elements from all over the array; of complex ones both parts."""
    elements = np.asarray(array).reshape(-1)
    if elements.size:
        elements = elements[np.unique(np.linspace(0, elements.size - 1, KEPT).astype(int))]
    parts = elements.astype("complex64").view("float32") if elements.dtype.kind == "c" else elements
    return parts.astype("float64").tolist()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        supervise(*sys.argv[1:])
    else:
        Worker().work(json.loads(Path(sys.argv[1]).read_text()), sys.argv[2], int(sys.argv[3]))
