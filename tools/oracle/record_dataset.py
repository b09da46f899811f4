"""Ask real MindSpore what the lines of ``dataset_cases`` give: ``python -m tools.oracle.record_dataset tests/data``."""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile

from mindspore import dtype
from mindspore.dataset import text, transforms
from tools.oracle import dataset_cases


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        names = dataset_cases.namespace(dtype, transforms, text, folder)
        for family, cases in (("transforms", dataset_cases.TRANSFORMS), ("text", dataset_cases.TEXT)):
            answers = {case: dataset_cases.answer(case, names) for case in dataset_cases.lines(cases)}
            path = pathlib.Path(sys.argv[1]) / f"dataset_{family}.json"
            rows = [f"{json.dumps(case)}: {json.dumps(result)}" for case, result in answers.items()]
            path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
