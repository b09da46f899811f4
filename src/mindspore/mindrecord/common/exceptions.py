"""The exceptions of ``mindspore.mindrecord``.

>>> str(ParamTypeError("raw_data", "list"))
"[ParamTypeError]: Invalid parameter type. 'raw_data' expect list type."
"""

from __future__ import annotations

# The upper bits of every code: raised on the host, an error code, by the system that MindRecord is numbered as.
_CODE = 1 << 30 | 1 << 28 | 0b101010 << 17


class MindRecordException(Exception):
    """Base of all of them: ``error_msg`` is the text, ``error_code`` the number of the error."""

    number = 0
    summary = "Unknown Error."

    def __init__(self, error_detail: str = ""):
        super().__init__(error_detail)
        self.error_msg = f"{self.summary} {error_detail}".rstrip()

    def __str__(self) -> str:
        return f"[{type(self).__name__}]: {self.error_msg}"

    @property
    def error_code(self) -> int:
        return _CODE | (self.number // 100 + 1) << 12 | self.number


class UnknownError(MindRecordException):
    """Nothing more is known."""


class ParamTypeError(MindRecordException):
    """An argument has a wrong type."""

    number, summary = 1, "Invalid parameter type."

    def __init__(self, param_name: str, expected_type: str):
        super().__init__(f"'{param_name}' expect {expected_type} type.")
        self.args = (param_name, expected_type)


class ParamValueError(MindRecordException):
    """An argument has a wrong value."""

    number, summary = 2, "Invalid parameter value."


class ParamMissError(MindRecordException):
    """An argument is missing."""

    number, summary = 3, "Param missing."

    def __init__(self, param_name: str):
        super().__init__(f"'{param_name}' is required.")
        self.args = (param_name,)


class PathNotExistsError(MindRecordException):
    """A path does not exist."""

    number, summary = 4, "Invalid path."


class DbConnectionError(MindRecordException):
    """The index file can not be used."""

    number, summary = 5, "Db connection is error. Detail:"


class MRMOpenError(MindRecordException):
    """A file can not be opened."""

    number, summary = 100, "MindRecord File could not open successfully."


class MRMOpenForAppendError(MindRecordException):
    """A file can not be opened to add rows."""

    number, summary = 101, "MindRecord File could not open successfully for append."


class MRMInvalidPageSizeError(MindRecordException):
    """The page size is out of range."""

    number, summary = 102, "Failed to set page size."


class MRMInvalidHeaderSizeError(MindRecordException):
    """The header size is out of range."""

    number, summary = 103, "Failed to set header size."


class MRMSetHeaderError(MindRecordException):
    """The header can not be set."""

    number, summary = 104, "Failed to set header."


class MRMWriteDatasetError(MindRecordException):
    """Rows can not be written."""

    number, summary = 105, "Failed to write dataset."


class MRMCommitError(MindRecordException):
    """The files can not be finished."""

    number, summary = 107, "Failed to commit."


class MRMLaunchError(MindRecordException):
    """Reading can not start."""

    number, summary = 108, "Failed to launch."


class MRMFinishError(MindRecordException):
    """Reading can not end."""

    number, summary = 109, "Failed to finish."


class MRMCloseError(MindRecordException):
    """A file can not be closed."""

    number, summary = 110, "Failed to close."


class MRMAddSchemaError(MindRecordException):
    """A schema can not be added."""

    number, summary = 111, "Failed to add schema."


class MRMAddIndexError(MindRecordException):
    """An index field can not be added."""

    number, summary = 112, "Failed to add index field."


class MRMBuildSchemaError(MindRecordException):
    """A schema makes no sense."""

    number, summary = 113, "Failed to build schema."


class MRMGetMetaError(MindRecordException):
    """There is no schema."""

    number, summary = 114, "Failed to get meta info."


class MRMIndexGeneratorError(MindRecordException):
    """An index can not be made."""

    number, summary = 115, "Failed to create index generator."


class MRMGenerateIndexError(MindRecordException):
    """An index can not be written."""

    number, summary = 116, "Failed to generate index."


class MRMInitSegmentError(MindRecordException):
    """Reading by page can not start."""

    number, summary = 117, "Failed to initialize segment."


class MRMFetchCandidateFieldsError(MindRecordException):
    """The fields to group by are unknown."""

    number, summary = 118, "Failed to fetch candidate category fields."


class MRMReadCategoryInfoError(MindRecordException, RuntimeError):
    """Groups can not be read."""

    number, summary = 119, "Failed to read category information."


class MRMFetchDataError(MindRecordException, RuntimeError):
    """Rows of a group can not be read."""

    number, summary = 120, "Failed to fetch data by category."


class MRMInvalidSchemaError(MindRecordException):
    """A schema is written wrongly."""

    number, summary = 200, "Schema format is error. Detail:"


class MRMValidateDataError(MindRecordException):
    """Rows do not fit the schema."""

    number, summary = 201, "Raw data do not match the schema. Detail:"


class MRMDefineIndexError(MindRecordException):
    """A field can not be an index."""

    number, summary = 202, "Failed to define index field. Detail:"


class MRMDefineBlobError(MindRecordException):
    """A field can not be a blob."""

    number, summary = 203, "Failed to define blob field. Detail:"


class MRMUnsupportedSchemaError(MindRecordException):
    """The schema of a file can not be read."""

    number, summary = 204, "Schema is not supported. Detail:"


class MRMDefineCategoryError(MindRecordException):
    """Rows can not be grouped by this field."""

    number, summary = 205, "Failed to define category field. Detail:"
