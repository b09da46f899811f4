"""Where this software stands on the disk."""

import os

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep  # frames of files in it are ours
