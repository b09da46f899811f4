"""Write what real MindSpore says to wrong calls. Run with the Python that has it:

GLOG_v=4 python -m tools.oracle.record_wrong_calls tests/data/wrong_calls.json.gz /tmp/answers [group ...]
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.oracle.wrong_calls import groups, wrong_calls


def answer_from(group: str, start: int, path: str) -> None:
    """Ask real MindSpore, one line of answers per call, until the end or its death."""
    import mindspore  # only the children that may die load it  # noqa: PLC0415
    from tools.oracle.wrong_call_answers import answer, attempt, facts  # noqa: PLC0415

    mindspore.set_context(mode=mindspore.PYNATIVE_MODE, pynative_synchronize=True)
    os.chdir(tempfile.mkdtemp())  # some calls write files
    keep = os.environ.get("WRONG_CALL_MESSAGES")
    with open(path, "a") as answers:
        for wrong in wrong_calls(group)[start:]:
            kind, message = attempt(mindspore, wrong)
            answers.write(json.dumps([wrong.key, answer(kind, message), *facts(wrong, message)]) + "\n")
            answers.flush()
            if keep:
                with open(f"{keep}/{group}", "a") as messages:
                    messages.write(json.dumps([wrong.key, kind, message]) + "\n")


def ask(group: str, folder: str) -> list[list[str]]:
    """The answers to all calls of a group; those that ``folder`` has already are not asked for again."""
    path = Path(folder) / f"{group}.jsonl"
    path.touch()
    total = len(wrong_calls(group))
    while (done := len(path.read_text().splitlines())) < total:
        command = [
            sys.executable,
            "-m",
            "tools.oracle.record_wrong_calls",
            "--from",
            group,
            str(done),
            str(path.absolute()),
        ]
        wait(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), path)
        after = len(path.read_text().splitlines())
        if after < total:  # the call after the last answer took the process down, or never ended
            with path.open("a") as answers:
                answers.write(json.dumps([wrong_calls(group)[after].key, "abort"]) + "\n")
    return [json.loads(line) for line in path.read_text().splitlines()]


def wait(process: subprocess.Popen, path: Path, patience: int = 40) -> None:
    """Until the process has ended; one that answers nothing for long is killed."""
    size, since = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(0.5)
        if path.stat().st_size != size:
            size, since = path.stat().st_size, time.monotonic()
        elif time.monotonic() - since > patience:
            process.kill()
            process.wait()


if __name__ == "__main__":
    if sys.argv[1] == "--from":
        answer_from(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        found = {group: ask(group, sys.argv[2]) for group in (sys.argv[3:] or groups())}
        with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as stream:
            stream.write(json.dumps(found).encode())
