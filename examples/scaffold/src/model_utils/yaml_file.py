"""Reads configuration files so that a mistake in one is reported with its file, line and key."""

import difflib
import re
from pathlib import Path

import yaml

_NUMBER_AS_TEXT = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+")


class ConfigError(ValueError):
    """A mistake in a configuration file."""


def read_documents(path):
    """Up to three mappings: values, help texts, allowed values. Missing ones are empty."""
    path = Path(path)
    try:
        nodes = list(yaml.compose_all(path.read_text(encoding="utf-8"), yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ConfigError(
            f"{path}, line {mark.line + 1}: {error.problem}. Is an indent, a colon or a quote wrong?"
        ) from None
    if not 1 <= len(nodes) <= 3:
        raise ConfigError(
            f"{path} has {len(nodes)} documents. One to three are expected: values, help texts, allowed values."
        )
    documents = [_mapping(path, node) for node in nodes]
    lines = {key.value: key.start_mark.line + 1 for key, _ in nodes[0].value}
    for node in nodes[1:]:
        for key, _ in node.value:
            if key.value not in lines:
                hint = _nearest(key.value, lines)
                raise _mistake(path, key, f"is explained here, but has no value in the first document.{hint}")
    documents += [{}] * (3 - len(documents))
    _check_allowed(path, lines, documents[0], documents[2])
    return documents


def _mapping(path, node):
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{path}, line {node.start_mark.line + 1}: expected lines of the form 'key: value'.")
    seen = {}
    for key, value in node.value:
        if key.value in seen:
            raise _mistake(path, key, f"was given before, in line {seen[key.value]}.")
        seen[key.value] = key.start_mark.line + 1
        plain_text = isinstance(value, yaml.ScalarNode) and value.style is None and value.tag.endswith(":str")
        if plain_text and _NUMBER_AS_TEXT.fullmatch(value.value):
            better = value.value if "." in value.value else re.sub("[eE]", r".0\g<0>", value.value)
            better = re.sub(r"[eE](?=\d)", r"\g<0>+", better)
            raise _mistake(path, key, f"is text, not a number: write {better}, or quote it.")
    return yaml.SafeLoader("").construct_document(node) if node.value else {}


def _check_allowed(path, lines, values, allowed):
    for key, choices in allowed.items():
        if not isinstance(choices, list):
            raise ConfigError(f"{path}: the allowed values of '{key}', in the third document, must be a list.")
        if values[key] not in choices:
            hint = _nearest(str(values[key]), map(str, choices))
            raise ConfigError(f"{path}, line {lines[key]}, key '{key}': {values[key]!r} is not one of {choices}.{hint}")


def _mistake(path, key, text):
    return ConfigError(f"{path}, line {key.start_mark.line + 1}, key '{key.value}': it {text}")


def _nearest(word, words):
    close = difflib.get_close_matches(word, list(words), 1)
    return f" Did you mean '{close[0]}'?" if close else ""
