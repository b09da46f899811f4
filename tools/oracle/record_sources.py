"""Let real MindSpore read the files of ``source_files``: ``python -m tools.oracle.record_sources tests/data``."""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile

import mindspore.dataset as ds
from tools.oracle import source_cases


def main() -> None:
    """Write what every case gives."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source_cases.make_files(folder)
        found = {case: source_cases.outcome(ds, folder, case) for case in source_cases.CASES}
    lines = ",\n".join(
        f"{json.dumps(case)}: {json.dumps(result, ensure_ascii=False)}" for case, result in found.items()
    )
    (pathlib.Path(sys.argv[1]) / "dataset_sources.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
