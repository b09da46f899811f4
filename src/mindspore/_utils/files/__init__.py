"""Bytes on disk, without arrays: atomic writes, checksums, encryption, protobuf wire format, event files, TFRecord examples."""
