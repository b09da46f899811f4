"""Where this software stands on the disk, and which folders nobody else can write to."""

import os
import stat

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # frames of files in it are ours


def why_not_private(path: str) -> str | None:
    """Why files in a folder may come from somebody else; None if they cannot.

    The folder must belong to this user and be writable by nobody else. On the way to it no folder may let others replace the
    next, as a folder that all may write to does unless it has the sticky bit, like ``/tmp``.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> why_not_private(folder) is None
    True
    >>> os.chmod(folder, 0o777)
    >>> why_not_private(folder)
    'others can write to it'
    """
    if not hasattr(os, "geteuid"):
        return None
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        return "it is a symbolic link"
    if found.st_uid != os.geteuid():
        return f"it belongs to the user {found.st_uid}, and this process is of the user {os.geteuid()}"
    if found.st_mode & 0o022:
        return "others can write to it"
    parent = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    while True:
        above = os.stat(parent)
        if above.st_mode & stat.S_IWOTH and not above.st_mode & stat.S_ISVTX:
            return f"others can replace it, as they can write to {parent}"
        if above.st_uid not in (0, os.geteuid()):
            return f"the user {above.st_uid} can replace it, whose folder is {parent}"
        if parent == os.path.dirname(parent):
            return None
        parent = os.path.dirname(parent)
