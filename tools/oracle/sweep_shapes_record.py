"""Ask real MindSpore for the answers to ``sweep_shapes.py`` and keep them. Run with this package's Python:

    PYTHONPATH=src python -m tools.oracle.sweep_shapes_record tests/data/oracle <Python that has real MindSpore> /tmp/answers

Real MindSpore runs in a process of its own, which is started again when a call takes it down or does not return. All
answers go to the last file at once: a second run asks only what is new. What differs says the heavy test.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mindspore
from mindspore._engine.operator.registry import OPS
from tools.oracle import sweep_shapes_store as store
from tools.oracle.sweep_shapes import Call, bases, encode_call
from tools.oracle.sweep_shapes_compare import Answer, is_answer
from tools.oracle.sweep_shapes_words import kept as kept_words
from tools.oracle.sweep_shapes_worker import answer
from tools.oracle.sweep_sources import forms

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


class Memory:
    """Asks real MindSpore only what it has not answered before."""

    def __init__(self, oracle: Oracle, path: Path):
        self.oracle, self.path = oracle, path
        path.touch()
        self.known = dict(json.loads(line) for line in path.read_text().splitlines())

    def ask(self, call: Call) -> Answer:
        key = f"{call.name} {zlib.crc32(json.dumps(encode_call(call)).encode())}"
        if key not in self.known:
            self.known[key] = self.oracle.ask(call)
            with self.path.open("a") as file:
                file.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]


def ask_all(oracle: Memory) -> dict[str, dict[str, Answer]]:
    """What real MindSpore answers by form and label; nothing for a form whose base it does not answer."""
    found: dict[str, dict[str, Answer]] = {}
    for form, calls in forms():
        answers: dict[str, Answer] = {}
        for call in calls:
            answers[call.label] = oracle.ask(call)
            if "result" not in answers["base"]:
                break
        else:
            found[form] = answers
    return found


def kept(real: Mapping[str, Mapping[str, Answer]], ours: Mapping[str, Answer]) -> store.Records:
    """What is worth keeping: answers, and of a Primitive class only those that its function does not give."""
    short = {
        form: {label: shortened(answer, ours.get(f"{form}: {label}", {})) for label, answer in answers.items()}
        for form, answers in ((form, {k: a for k, a in found.items() if is_answer(a)}) for form, found in real.items())
    }
    for name in sorted(OPS):
        function, *classes = [base.form for base in bases(OPS[name])] or [""]
        for form in classes:
            known = short.get(function, {})
            short[form] = {k: a for k, a in short.get(form, {}).items() if not is_same(a, known.get(k))}
    return {form: answers for form, answers in short.items() if answers}


def shortened(real: Answer, ours: Answer) -> Answer:
    """Without what nobody reads: most of the numbers, and of words that ours need not have what they are about."""
    if "error" in real:
        kind, text = real["error"]
        return {"error": [kind, kept_words(text) if ours.get("error", [""])[0] == kind else text[:MESSAGE]]}
    found = {key: real[key] for key in ("result", "gradient") if real.get(key) is not None}
    for leaf in store.leaves(list(found.values())):
        leaf["values"] = leaf["values"][: store.KEPT_VALUES]
    return found


def is_same(answer: Answer, other: Answer | None) -> bool:
    if other is None or "error" not in answer:
        return answer == other
    return "error" in other and answer["error"][0] == other["error"][0]


def main(folder: str, python: str, answers: str) -> None:
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    real = ask_all(Memory(Oracle(python), Path(answers)))
    refused = {
        f"{form}: {k}" for form, found in real.items() for k, a in found.items() if "error" in a and is_answer(a)
    }
    asked = {call.name: encode_call(call) for _, calls in forms() for call in calls if call.name in refused}
    ours = {name: answer({**call, "gradient": False}, once=True) for name, call in asked.items()}
    store.save(Path(folder) / "sweep_shapes", kept(real, ours))


if __name__ == "__main__":
    main(*sys.argv[1:])
