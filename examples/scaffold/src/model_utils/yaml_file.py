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
    nodes = _nodes(path)
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
    for key, _ in nodes[1].value if len(nodes) > 1 else ():
        if not isinstance(documents[1][key.value], str):
            raise _mistake(path, key, f"is explained by {documents[1][key.value]!r}, which is no text: quote it.")
    if len(nodes) > 2:
        _check_allowed(path, lines, documents[0], documents[2], nodes[2])
    return documents


def _nodes(path):
    """The documents of a file as YAML sees them, with lines."""
    try:
        return list(yaml.compose_all(path.read_text(encoding="utf-8"), yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        raise _unreadable(path, error) from None
    except (yaml.reader.ReaderError, UnicodeDecodeError) as error:
        before = path.read_bytes()[: getattr(error, "position", None) or getattr(error, "start", 0)]
        line = before.count(b"\n") + 1
        raise ConfigError(f"{path}, line {line}: it has a character that YAML in UTF-8 does not allow.") from None


def _unreadable(path, error):
    mark = error.problem_mark or error.context_mark
    return ConfigError(f"{path}, line {mark.line + 1}: {error.problem}. Is an indent, a colon or a quote wrong?")


def _mapping(path, node):
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{path}, line {node.start_mark.line + 1}: expected lines of the form 'key: value'.")
    _check_keys(path, node)
    try:
        return yaml.SafeLoader("").construct_document(node) if node.value else {}
    except yaml.MarkedYAMLError as error:  # a tag, a date, ... that means nothing
        raise _unreadable(path, error) from None


def _check_keys(path, node):
    """Of this mapping and those within it."""
    seen = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise ConfigError(f"{path}, line {key.start_mark.line + 1}: a key must be a word, not a list or a mapping.")
        if key.value in seen:
            raise _mistake(path, key, f"was given before, in line {seen[key.value]}.")
        seen[key.value] = key.start_mark.line + 1
        plain_text = isinstance(value, yaml.ScalarNode) and value.style is None and value.tag.endswith(":str")
        if plain_text and _NUMBER_AS_TEXT.fullmatch(value.value):
            better = value.value if "." in value.value else re.sub("[eE]", r".0\g<0>", value.value)
            better = re.sub(r"[eE](?=\d)", r"\g<0>+", better)
            raise _mistake(path, key, f"is text, not a number: write {better}, or quote it.")
        if isinstance(value, yaml.MappingNode):
            _check_keys(path, value)


def _check_allowed(path, lines, values, allowed, node):
    for key, _ in node.value:
        choices, value = allowed[key.value], values[key.value]
        if not isinstance(choices, list):
            raise _mistake(path, key, f"is allowed {choices!r} here: write a list, [{choices}].")
        if value not in choices:
            hint = _nearest(str(value), map(str, choices))
            raise ConfigError(
                f"{path}, line {lines[key.value]}, key '{key.value}': {value!r} is not one of {choices}.{hint}"
            )


def _mistake(path, key, text):
    return ConfigError(f"{path}, line {key.start_mark.line + 1}, key '{key.value}': it {text}")


def _nearest(word, words):
    close = difflib.get_close_matches(word, list(words), 1)
    return f" Did you mean '{close[0]}'?" if close else ""
