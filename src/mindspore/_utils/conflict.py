"""Refuses to run beside a real MindSpore: both answer to `import mindspore`, and a mixture of the two fails oddly."""

import os
import sys
from collections.abc import Iterable, Iterator

from mindspore._utils.folders import PACKAGE

_REAL_DISTRIBUTIONS = frozenset(
    {"mindspore", "mindspore_ascend", "mindspore_cpu", "mindspore_dev", "mindspore_gpu"}
)  # `mindspore_lite` has an import name of its own and may stay
_METADATA_SUFFIXES = (".dist-info", ".egg-info")
_REQUIRES_US = "Requires-Dist: mycelium"  # the original depends on much, but not on us
_REAL_BINARY_PREFIX = "_c_expression."
_SITE_FOLDER_NAMES = ("site-packages", "dist-packages")


def refuse_mixed_installation(package_folder: str | None = None, search_path: Iterable[str] | None = None) -> None:
    """
    Raise ImportError when a real MindSpore is installed in the environment that is importing this package.

    It runs at every import, so it only lists folders: our own and the site-packages folders. Metadata is read where a
    distribution has the name of the original, since ours of that name (``shim/``) may stay.

    Args:
        package_folder (str): the folder of this package. Default: where it was imported from.
        search_path (Iterable[str]): folders searched for distributions. Default: `sys.path`.

    Examples:
        >>> from mindspore._utils.conflict import refuse_mixed_installation
        >>> refuse_mixed_installation()
    """
    folder = package_folder or PACKAGE.rstrip(os.sep)
    for site_folder in _site_folders(folder, sys.path if search_path is None else search_path):
        for distribution, version in _real_distributions(site_folder):
            raise ImportError(_installed_message(distribution, version, site_folder, folder))
    for name in _list_names(folder):
        if name.startswith(_REAL_BINARY_PREFIX) and not name.endswith(".py"):  # the folder of that name is ours
            raise ImportError(_leftover_message(name, folder))


def _site_folders(package_folder: str, search_path: Iterable[str]) -> list[str]:
    """The folder that holds our package (as with `pip install --target`) and the installation folders of the path."""
    folders = [os.path.dirname(package_folder)]
    folders += [entry for entry in search_path if os.path.basename(entry.rstrip(os.sep)) in _SITE_FOLDER_NAMES]
    return list(dict.fromkeys(folders))


def _real_distributions(site_folder: str) -> Iterator[tuple[str, str]]:
    """Name and version of every real MindSpore whose metadata stands in `site_folder`."""
    for entry in _list_names(site_folder):
        if not entry.lower().startswith("mindspore"):
            continue
        stem, suffix = os.path.splitext(entry)
        name, _, version = stem.partition("-")
        if suffix not in _METADATA_SUFFIXES or name.lower() not in _REAL_DISTRIBUTIONS:
            continue
        if not _stands_for_us(os.path.join(site_folder, entry)):
            yield name.lower().replace("_", "-"), version.partition("-")[0]


def _stands_for_us(metadata_folder: str) -> bool:
    """Whether a distribution is our empty shim, which answers when a library asks for `mindspore`."""
    for name in ("METADATA", "PKG-INFO"):
        try:
            with open(os.path.join(metadata_folder, name), encoding="utf-8", errors="replace") as file:
                return any(line.startswith(_REQUIRES_US) for line in file)
        except OSError:
            continue
    return False


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # a path entry may be absent or unreadable; Python's own import skips it too
        return []


def _installed_message(distribution: str, version: str, site_folder: str, package_folder: str) -> str:
    repair = f"    {sys.executable} -m pip uninstall {distribution}\n"
    if os.path.dirname(package_folder) == site_folder:  # they share files, which the uninstallation takes away
        repair = f"    {sys.executable} -m pip uninstall {distribution} mycelium\nand install Mycelium again.\n"
    return (
        "Mycelium and the original MindSpore are in the same environment, and both are imported as 'mindspore': "
        f"found {distribution} {version} in {site_folder}, Mycelium in {package_folder}.\n"
        f"Keep one of them in each environment. To keep Mycelium in this one:\n{repair}"
        "To keep the original in this one, install Mycelium in another, made with: python3 -m venv FOLDER"
    )


def _leftover_message(binary: str, package_folder: str) -> str:
    return (
        f"Files of the original MindSpore lie among Mycelium's: {package_folder} contains {binary!r}, "
        "though no such distribution is installed.\n"
        f"Run\n    {sys.executable} -m pip uninstall mycelium\n"
        "then remove the original's files that are left in that folder, and install Mycelium again."
    )
