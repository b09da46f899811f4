"""Damaged files give an error that names them: no crash, no hang, no large allocation, nothing executed."""

import codecs
import io
import json
import random
import resource
import subprocess
import sys
import textwrap
import threading
import time
import zipfile
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[1] / "data"
KINDS = ["ckpt", "encrypted", "safetensors", "pth", "legacy.pth"]
WATCHED = ("exec", "compile", "os.system", "os.exec", "subprocess.Popen", "pickle.find_class", "import", "open")
COMPILER = ("jax", "xla")  # a form that comes often is compiled, which has nothing to do with the file
MORE_MEMORY = 2**30  # the heaps of threads count too, before they are used
MOST_SECONDS = 5


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The same bytes with a few changes of the kinds that hurt parsers."""
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 4])):
        size = len(changed)
        place = draw.randrange(max(1, min(size, draw.choice([64, 600, size]))))
        match draw.randrange(7):
            case 0:
                changed[place : place + 1] = bytes([draw.randrange(256)])
            case 1:
                changed[place : place + 1] = bytes([(changed[place] if size else 0) ^ 1 << draw.randrange(8)])
            case 2:
                width = draw.choice([1, 2, 4, 8])
                changed[place : place + width] = draw.choice([b"\xff", b"\x7f", b"\0", b"\x80"]) * width
            case 3:
                del changed[place : place + draw.choice([1, 2, 8, 64])]
            case 4:
                changed[place:place] = draw.randbytes(draw.choice([1, 4, 16]))
            case 5:
                start = draw.randrange(max(1, size))
                changed[place:place] = changed[start : start + draw.randrange(1, 64)]
            case _:
                del changed[draw.randrange(max(1, size)) :]
    return bytes(changed)


def mutated_inside(data: bytes, draw: random.Random) -> bytes:
    """A zip archive whose frame is whole: its members are changed."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            new.writestr(member.filename, mutated(content, draw) if member.filename.endswith("data.pkl") else content)
    return made.getvalue()


def original(kind: str, folder: Path) -> tuple[bytes, dict]:
    """The bytes of a whole file, and the arguments that load it."""
    import mindspore as ms  # noqa: PLC0415 - this runs in a process of its own

    key = b"0123456789abcdef"
    if kind == "ckpt":
        return (DATA / "real_train_step.ckpt").read_bytes(), {}
    if kind == "pth":
        return (DATA / "torch_forms.pth").read_bytes(), {}
    if kind == "legacy.pth":
        return (DATA / "torch_forms_legacy.pth").read_bytes(), {}
    options = {"enc_key": key} if kind == "encrypted" else {"format": "safetensors"}
    ms.save_checkpoint(ms.nn.Dense(3, 4), str(folder / f"whole_{kind}"), append_dict={"epoch": 3}, **options)
    return next(folder.glob(f"whole_{kind}*")).read_bytes(), {"dec_key": key} if kind == "encrypted" else {}


def fuzz(kinds: list[str], count: int, folder: Path) -> dict[str, dict[str, int]]:
    """Count what was refused and loaded, in a process that may not use much more memory than it does now."""
    for codec in ("cp437", "raw_unicode_escape", "unicode_escape", "latin-1", "ascii", "utf-16", "utf-32"):
        codecs.lookup(codec)  # Python imports a codec when a file first needs it
    whole = {kind: original(kind, folder) for kind in kinds}
    for kind in kinds:  # starts all that a first load starts
        fuzz_one(kind, *whole[kind], 0, folder)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MORE_MEMORY, resource.RLIM_INFINITY))
    return {kind: fuzz_one(kind, *whole[kind], count, folder) for kind in kinds}


def fuzz_one(kind: str, data: bytes, options: dict, count: int, folder: Path) -> dict[str, int]:
    """Load so many mutations of a file; anything but an error that names the file ends the process."""
    import mindspore as ms  # noqa: PLC0415 - this runs in a process of its own

    suffix = {"encrypted": "ckpt", "legacy.pth": "pth"}.get(kind, kind)
    path = folder / f"damaged.{suffix}"
    path.write_bytes(data)
    ms.load_checkpoint(str(path), **options)
    watching: list[str] = []
    sys.addaudithook(lambda event, arguments: _watch(event, arguments, watching, str(path)))
    draw = random.Random(kind)
    counts = {"refused": 0, "loaded": 0}
    for number in range(count):
        inside = kind == "pth" and number % 2
        path.write_bytes((mutated_inside if inside else mutated)(data, draw))
        began = time.process_time()
        watching.append("")
        try:
            ms.load_checkpoint(str(path), crc_check=number % 3 == 0, **options)
            counts["loaded"] += 1
        except ValueError as error:
            counts["refused"] += 1
            if path.name not in str(error):
                raise AssertionError(f"mutation {number}: the error does not name the file: {error}") from error
        seen, watching[:] = watching[1:], []
        if seen or time.process_time() - began > MOST_SECONDS:
            raise AssertionError(f"mutation {number}: {seen} after {time.process_time() - began:.1f} s")
    return counts


def _watch(event: str, arguments: tuple, watching: list[str], path: str) -> None:
    if not watching or not event.startswith(WATCHED) or threading.current_thread() is not threading.main_thread():
        return
    said = f"{event} {str(arguments)[:200]}"
    if path not in said and not any(one in said for one in COMPILER):
        watching.append(said)


def run(kinds: list[str], count: int, folder: Path) -> dict[str, dict[str, int]]:
    program = f"""
        import importlib.util, json, pathlib
        spec = importlib.util.spec_from_file_location("fuzzing", {str(Path(__file__).resolve())!r})
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        print(json.dumps(module.fuzz({kinds!r}, {count}, pathlib.Path({str(folder)!r}))))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=1500
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_damaged_files_are_refused_by_name(tmp_path):
    for kind, counts in run(KINDS, 300, tmp_path).items():
        assert counts["refused"] > 100, kind


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_damaged_files_are_refused_by_name(kind, tmp_path):
    counts = run([kind], 10_000, tmp_path)[kind]
    assert counts["refused"] > 3000
