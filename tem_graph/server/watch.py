"""A small process that stops a server when another process has ended, however that one ended.

Run as `python -m tem_graph.server.watch OWNER_PID HOME`; nobody calls it by hand.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil

from tem_graph.server import process
from tem_graph.server.home import Home

_POLL_S = 1.0


def watch_over(owner: int, home: Home) -> None:
    """Starts the watcher, which ends by itself when the server does."""
    process.spawn([sys.executable, "-m", __name__, str(owner), str(home.path)], Path.cwd(), home.console_log)


def main(owner_pid: int, home: Home) -> None:
    """Returns when the owner has ended and the server with it."""
    from tem_graph.server.local import LocalServer

    record = home.process()
    if record is None:
        return
    try:
        owner = psutil.Process(owner_pid)
    except psutil.NoSuchProcess:
        owner = None
    while owner is not None and owner.is_running() and owner.status() != psutil.STATUS_ZOMBIE:
        if process.find(record.pid, record.created, home.argument) is None:
            return
        time.sleep(_POLL_S)
    if home.process() == record:
        LocalServer(home.path, home.path).stop(force=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), Home(Path(sys.argv[2])))
