"""Let real MindSpore write the files of ``mindrecord_cases``: ``python -m tools.oracle.record_mindrecord tests/data``."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import zipfile

from mindspore.mindrecord import FileWriter
from tools.oracle import mindrecord_cases


def main() -> None:
    target = pathlib.Path(sys.argv[1]) / "dataset_mindrecord.zip"
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name in mindrecord_cases.CASES:
            for path in mindrecord_cases.write(FileWriter, folder, name):
                for one in (path, f"{path}.db"):
                    entry = zipfile.ZipInfo(pathlib.Path(one).name)  # without the time of writing
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, pathlib.Path(one).read_bytes())


if __name__ == "__main__":
    main()
