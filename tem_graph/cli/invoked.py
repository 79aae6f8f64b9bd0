"""How this command line was started, so that a command that is shown can be pasted as it stands."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "tem-graph"


def pasteable() -> str:
    """`tem-graph` where a shell finds the one that is running now; else its path, relative where that is shorter."""
    own = Path(sys.executable).with_name(NAME)
    found = shutil.which(NAME)
    if not own.exists() or (found is not None and os.path.realpath(found) == os.path.realpath(own)):
        return NAME
    here = Path.cwd()
    return shlex.quote(str(own.relative_to(here) if own.is_relative_to(here) else own))
