"""Reads damaged files of every format in a process that may take little more memory; run by test_fuzzed_formats."""

from __future__ import annotations

import json
import random
import resource
import shutil
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from mindspore._utils import log
from tests.security.formats import FORMATS, Format
from tests.train.test_fuzzed_files import mutated

MORE_MEMORY = 2**30
MOST_SECONDS = 5
RUNS_CODE = (
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "subprocess.Popen",
    "pickle.find_class",
    "ctypes.dlopen",
)
ANSWERS = (RuntimeError, ValueError, TypeError, OSError)


class Hang(BaseException):
    """A file that takes too long."""


def _hangs(*_: object) -> None:
    raise Hang


def fuzz(name: str, format: Format, count: int, folder: Path, seen: list[str]) -> dict[str, object]:
    """How often files were refused and read, and what was wrong with the answers."""
    folder.mkdir(parents=True, exist_ok=True)
    format.make(folder)
    path = folder / format.file
    whole = path.read_bytes()
    path.chmod(0o600)
    format.read(folder)
    draw, counts, wrong = random.Random(name), Counter(), []
    for number in range(count):
        path.unlink()  # the file before may still be mapped
        path.write_bytes(mutated(whole, draw))
        (folder.parent / "current").write_text(f"{name} {number}")  # for whoever finds this process dead
        seen.clear()
        signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
        try:
            format.read(folder)
            counts["read"] += 1
        except ANSWERS as error:
            counts["refused"] += 1
            words = ("No such file", "Not a directory")
            missing = "failed to read" in str(error) and any(
                w in str(error) for w in words
            )  # a file that this one names
            if path.name not in str(error) and not missing:
                wrong.append(f"{number}: {type(error).__name__}: {str(error)[:200]}")
        except BaseException as error:
            trace = traceback.format_exc().splitlines()[-5:]
            wrong.append(f"{number}: {type(error).__name__}: {error!s:.100} {trace}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        wrong += [f"{number}: it runs {event}" for event in seen]
    shutil.rmtree(folder, ignore_errors=True)
    return {**counts, "wrong": wrong}


def main(folder: str, count: str, *names: str) -> None:
    """Fuzz some formats, all if none is named."""
    log.logger.setLevel(log.CRITICAL)
    warnings.simplefilter("ignore")
    seen: list[str] = []
    chosen = {name: FORMATS[name] for name in names or FORMATS}
    for name, format in chosen.items():  # imports and starts all that the first file of a kind does
        fuzz(name, format, 0, Path(folder, "warm", name), seen)
    sys.addaudithook(lambda event, _: seen.append(event) if event.startswith(RUNS_CODE) else None)
    signal.signal(signal.SIGALRM, _hangs)
    used = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData"))
    resource.setrlimit(resource.RLIMIT_DATA, (int(used.split()[1]) * 1024 + MORE_MEMORY, -1))
    found = {}
    for name, format in chosen.items():
        began = time.monotonic()
        found[name] = fuzz(name, format, int(count), Path(folder, name), seen)
        found[name]["seconds"] = round(time.monotonic() - began, 2)
    print(json.dumps(found))


if __name__ == "__main__":
    assert threading.current_thread() is threading.main_thread()
    main(*sys.argv[1:])
