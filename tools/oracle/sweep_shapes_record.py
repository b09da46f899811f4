"""Ask real MindSpore for the answers to ``sweep_shapes.py``, compare, and keep them. Run with this package's Python:

    PYTHONPATH=src python -m tools.oracle.sweep_shapes_record tests/data/oracle <Python that has real MindSpore>

Real MindSpore runs in a process of its own, which is started again when a call takes it down or does not return.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mindspore
from mindspore._engine.registry import OPS
from tools.oracle import sweep_shapes_store as store
from tools.oracle.sweep_shapes import Call, bases, encode_call, variants
from tools.oracle.sweep_shapes_compare import Answer, compare, is_answer
from tools.oracle.sweep_shapes_worker import answer

START, PATIENCE = 90, 20  # seconds for the first answer of a process, and for each other
MESSAGE = 160


class Oracle:
    """A process with real MindSpore that answers calls."""

    def __init__(self, python: str):
        self.python = python
        self.folder = tempfile.mkdtemp()  # MindSpore leaves files in the current folder
        self.process: Any = None

    def start(self) -> None:
        pipe = os.path.join(self.folder, "answers")
        if os.path.exists(pipe):
            os.unlink(pipe)
        os.mkfifo(pipe)
        environment = {**os.environ, "GLOG_v": "4", "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        command = [self.python, "-m", "tools.oracle.sweep_shapes_worker", pipe]
        silent = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, cwd=self.folder, env=environment, text=True
        )
        self.answers = os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
        self.patience = START

    def ask(self, call: Call) -> Answer:
        if self.process is None:
            self.start()
        self.process.stdin.write(json.dumps(encode_call(call)) + "\n")
        self.process.stdin.flush()
        found = self.wait(time.monotonic() + self.patience)
        self.patience = PATIENCE
        if found is None:
            self.stop()
        return found or {"none": "the process ended"}

    def wait(self, end: float) -> Answer | None:
        text = ""
        while time.monotonic() < end and (self.process.poll() is None or text):
            if select.select([self.answers], [], [], 0.2)[0]:
                text += self.answers.read() or ""
                if text.endswith("\n"):
                    return json.loads(text)
                time.sleep(0.01)
        return None

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.answers.close()
        self.process = None


def ask_all(oracle: Oracle) -> dict[str, dict[str, Answer]]:
    """What real MindSpore answers by form and label; nothing for a form whose base it does not answer."""
    found: dict[str, dict[str, Answer]] = {}
    for name in sorted(OPS):
        for base in bases(OPS[name]):
            answers: dict[str, Answer] = {}
            for call in variants(base):
                answers[call.label] = oracle.ask(call)
                if "result" not in answers["base"]:
                    break
            else:
                found[base.form] = answers
    return found


def kept(real: Mapping[str, Mapping[str, Answer]], ours: Mapping[str, Answer]) -> store.Records:
    """What is worth keeping: answers, and of a Primitive class only those that its function does not give."""
    records: store.Records = {}
    for name in sorted(OPS):
        function: dict[str, Answer] = {}
        for base in bases(OPS[name]):
            chosen = {
                label: shortened(answer, ours.get(f"{base.form}: {label}", {}))
                for label, answer in real.get(base.form, {}).items()
                if is_answer(answer)
            }
            if chosen:
                records[base.form] = {k: a for k, a in chosen.items() if not is_same(a, function.get(k))}
            function = function or chosen
    return {form: answers for form, answers in records.items() if answers}


def shortened(real: Answer, ours: Answer) -> Answer:
    """Without what nobody reads: most of the numbers, and words that only say what our error says as well."""
    if "error" in real:
        kind, text = real["error"]
        return {"error": [kind, "" if ours.get("error", [""])[0] == kind else text[:MESSAGE]]}
    found = {key: real[key] for key in ("result", "gradient") if real.get(key) is not None}
    for leaf in store.leaves(list(found.values())):
        leaf["values"] = leaf["values"][: store.KEPT_VALUES]
    return found


def is_same(answer: Answer, other: Answer | None) -> bool:
    if other is None or "error" not in answer:
        return answer == other
    return "error" in other and answer["error"][0] == other["error"][0]


def main(folder: str, python: str) -> None:
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    real = ask_all(Oracle(python))
    calls = {call.name: call for name in sorted(OPS) for base in bases(OPS[name]) for call in variants(base)}
    named = {f"{form}: {label}": answer for form, answers in real.items() for label, answer in answers.items()}
    ours = {name: answer(encode_call(calls[name]), once=True) for name, found in named.items() if is_answer(found)}
    for name, mine in ours.items():
        for line in compare(name, mine, named[name]):
            print(f"{name}\n    {line}")
    store.save(Path(folder) / "sweep_shapes", kept(real, ours))


if __name__ == "__main__":
    main(*sys.argv[1:])
