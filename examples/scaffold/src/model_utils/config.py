"""The configuration: values of a YAML file, changed by the command line.

    from src.model_utils.config import config
    config.lr

The command line is read when this module is imported; --config_path names another file.
"""

import argparse
import ast
import difflib
import pprint
from pathlib import Path

from src.model_utils.yaml_file import ConfigError, read_documents

_NAME = "default_config.yaml"


def _default():
    """The file of the project; a copy of the programs in a folder of it, as scripts make them, finds it there too."""
    folders = Path(__file__).resolve().parents[2:5]
    return next((folder / _NAME for folder in folders if (folder / _NAME).is_file()), folders[0] / _NAME)


class Config:
    """Values as attributes; mappings within them are Configs, too."""

    def __init__(self, values):
        for name, value in values.items():
            setattr(self, name, _nested(value))

    def __getattr__(self, name):
        close = difflib.get_close_matches(name, vars(self), 1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise AttributeError(f"the configuration has no key '{name}'.{hint}")

    def __str__(self):
        return pprint.pformat(plain(self))

    __repr__ = __str__


def _nested(value):
    if isinstance(value, dict):
        return Config(value)
    return [_nested(one) for one in value] if isinstance(value, list) else value


def plain(value):
    """A Config as a dict."""
    if isinstance(value, Config):
        return {name: plain(one) for name, one in vars(value).items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def _truth(text):
    value = ast.literal_eval(text) if text in ("True", "False", "0", "1") else None
    if value is None:
        raise argparse.ArgumentTypeError(f"must be True or False, but got {text!r}")
    return bool(value)


def _parser(path, values, helps, choices):
    parser = argparse.ArgumentParser(description="Values of the configuration that can be changed here.")
    parser.add_argument("--config_path", default=str(path), help="the YAML file to begin with")
    for name, value in values.items():
        if isinstance(value, (list, dict)):  # these can be changed in the file alone
            continue
        about = {"help": helps.get(name, f"default: {value}").replace("%", "%%"), "default": value}
        if isinstance(value, bool):
            parser.add_argument(f"--{name}", type=_truth, nargs="?", const=True, **about)
        else:
            kind = str if value is None else type(value)
            parser.add_argument(f"--{name}", type=kind, choices=choices.get(name), **about)
    return parser


def get_config(arguments=None):
    """Read the file, then the command line."""
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--config_path", default="")
    path = Path(first.parse_known_args(arguments)[0].config_path or _default())
    if not path.is_file():
        raise FileNotFoundError(f"there is no configuration file {path}. Is --config_path right?")
    values, helps, choices = read_documents(path)
    changed = vars(_parser(path, values, helps, choices).parse_args(arguments))
    return Config({**values, **changed, "config_path": str(path)})


try:
    config = get_config()
except (ConfigError, FileNotFoundError) as mistake:
    raise SystemExit(f"configuration: {mistake}") from None
