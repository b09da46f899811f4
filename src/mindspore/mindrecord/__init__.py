"""``mindspore.mindrecord``: files of rows that ``MindDataset`` reads, the same that MindSpore writes and reads.

>>> import os, tempfile
>>> from mindspore.mindrecord import FileReader, FileWriter
>>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
>>> writer = FileWriter(path)
>>> _ = writer.add_schema({"label": {"type": "int32"}})
>>> _ = writer.write_raw_data([{"label": 1}, {"label": 2}])
>>> _ = writer.commit()
>>> FileReader(path).len()
2
"""

from mindspore._utils.documented import claim as _claim
from mindspore.mindrecord.common.exceptions import (
    DbConnectionError,
    MindRecordException,
    MRMAddIndexError,
    MRMAddSchemaError,
    MRMBuildSchemaError,
    MRMCloseError,
    MRMCommitError,
    MRMDefineBlobError,
    MRMDefineCategoryError,
    MRMDefineIndexError,
    MRMFetchCandidateFieldsError,
    MRMFetchDataError,
    MRMFinishError,
    MRMGenerateIndexError,
    MRMGetMetaError,
    MRMIndexGeneratorError,
    MRMInitSegmentError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMInvalidSchemaError,
    MRMLaunchError,
    MRMOpenError,
    MRMOpenForAppendError,
    MRMReadCategoryInfoError,
    MRMSetHeaderError,
    MRMUnsupportedSchemaError,
    MRMValidateDataError,
    MRMWriteDatasetError,
    ParamMissError,
    ParamTypeError,
    ParamValueError,
    PathNotExistsError,
    UnknownError,
)
from mindspore.mindrecord.config import set_dec_mode, set_enc_key, set_enc_mode
from mindspore.mindrecord.filereader import FileReader
from mindspore.mindrecord.filewriter import FAILED, SUCCESS, FileWriter
from mindspore.mindrecord.mindpage import MindPage
from mindspore.mindrecord.tools.cifar10_to_mr import Cifar10ToMR
from mindspore.mindrecord.tools.cifar100_to_mr import Cifar100ToMR
from mindspore.mindrecord.tools.csv_to_mr import CsvToMR
from mindspore.mindrecord.tools.imagenet_to_mr import ImageNetToMR
from mindspore.mindrecord.tools.mnist_to_mr import MnistToMR
from mindspore.mindrecord.tools.tfrecord_to_mr import TFRecordToMR

__all__ = [
    "FAILED",
    "SUCCESS",
    "Cifar10ToMR",
    "Cifar100ToMR",
    "CsvToMR",
    "DbConnectionError",
    "FileReader",
    "FileWriter",
    "ImageNetToMR",
    "MRMAddIndexError",
    "MRMAddSchemaError",
    "MRMBuildSchemaError",
    "MRMCloseError",
    "MRMCommitError",
    "MRMDefineBlobError",
    "MRMDefineCategoryError",
    "MRMDefineIndexError",
    "MRMFetchCandidateFieldsError",
    "MRMFetchDataError",
    "MRMFinishError",
    "MRMGenerateIndexError",
    "MRMGetMetaError",
    "MRMIndexGeneratorError",
    "MRMInitSegmentError",
    "MRMInvalidHeaderSizeError",
    "MRMInvalidPageSizeError",
    "MRMInvalidSchemaError",
    "MRMLaunchError",
    "MRMOpenError",
    "MRMOpenForAppendError",
    "MRMReadCategoryInfoError",
    "MRMSetHeaderError",
    "MRMUnsupportedSchemaError",
    "MRMValidateDataError",
    "MRMWriteDatasetError",
    "MindPage",
    "MindRecordException",
    "MnistToMR",
    "ParamMissError",
    "ParamTypeError",
    "ParamValueError",
    "PathNotExistsError",
    "TFRecordToMR",
    "UnknownError",
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
]

_claim(__name__)
