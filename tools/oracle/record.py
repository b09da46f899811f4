"""Ask real MindSpore for the answers of all cases. Run with the Python that has it:

GLOG_v=4 python -m tools.oracle.record tests/data/oracle [family ...] [--trace]

`--trace` names each case before it runs (to find one that takes the process down) and lists what is unsupported.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mindspore
from tools.oracle.case import Case
from tools.oracle.execute import flat_tensors, input_checksum, public_names, run_eagerly, run_gradient
from tools.oracle.families import FAMILIES, LAYER_FAMILIES
from tools.oracle.layer_case import AnyLayerCase, LayerCase, OptimizerCase
from tools.oracle.layer_record import record_layer, record_optimizer
from tools.oracle.storage import Writer

TEXT_LIMIT = 40
MESSAGE_LIMIT = 120


def describe_error(error: BaseException) -> list[str]:
    """Type and the part of the message meant for the user, without the C++ call stack."""
    lines: list[str] = []
    for line in str(error).strip().splitlines():
        if line.startswith("-----") and lines:
            break
        if line.strip() and not line.startswith(("-----", "- ")):
            lines.append(line.strip())
    return [type(error).__name__, " ".join(lines)[:MESSAGE_LIMIT]]


def record(case: Case | AnyLayerCase, writer: Writer, names: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"inputs": input_checksum(case)}
    if case.oracle_crash:
        return {**entry, "unsupported": ["", case.oracle_crash]}
    try:
        if isinstance(case, LayerCase):
            return {**entry, **record_layer(case, writer, mindspore, names)}
        if isinstance(case, OptimizerCase):
            return {**entry, **record_optimizer(case, writer, mindspore, names)}
        output = run_eagerly(case, mindspore, names)
        entry["output"] = writer.describe(output, mindspore)
    except Exception as error:
        if isinstance(error, (AttributeError, NameError)) and not case.raises:
            print(f"misspelt? {case.name}: {error}")
        return {**entry, "error" if case.raises else "unsupported": describe_error(error)}
    if case.raises:
        print(f"an error was expected, real MindSpore returned {output}: {case.name}")
    if case.text:
        tensors = [tensor for tensor in flat_tensors(output, mindspore) if tensor.size <= TEXT_LIMIT]
        entry["text"] = [[str(tensor), repr(tensor)] for tensor in tensors]
    if case.gradient and case.differentiable:
        try:
            entry["gradient"] = writer.describe(run_gradient(case, mindspore, names), mindspore)
        except Exception as error:
            entry["gradient_unsupported"] = describe_error(error)
    return entry


def record_family(family: str, cases: Sequence[Case | AnyLayerCase], folder: Path, trace: bool) -> None:
    names = public_names(mindspore)
    writer, start = Writer(mindspore.__version__), time.time()
    for case in cases:
        if trace:
            print(case.name, flush=True)
        if case.name in writer.records:
            raise SystemExit(f"two cases of family {family} have the same name: {case.name}")
        entry = writer.records[case.name] = record(case, writer, names)
        problem = entry.get("unsupported") or entry.get("gradient_unsupported")
        if trace and problem:
            print("    unsupported:", *problem)
    writer.save(folder / family)
    unsupported = sum("unsupported" in entry for entry in writer.records.values())
    print(f"{family}: {len(cases)} cases, {unsupported} unsupported, {time.time() - start:.0f} s", flush=True)


def main(arguments: list[str]) -> None:
    trace = "--trace" in arguments
    folder, *wanted = [argument for argument in arguments if argument != "--trace"]
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE, pynative_synchronize=True)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for family, cases in {**FAMILIES, **LAYER_FAMILIES}.items():
        if not wanted or family in wanted:
            record_family(family, cases, Path(folder), trace)


if __name__ == "__main__":
    main(sys.argv[1:])
