"""A job on a Ray with two workers: the same log as in this process, also when a worker is lost.

`TEM_GRAPH_TEST_RAY=<address>` takes a cluster that runs on this machine already (`ray start --head --num-cpus 4`), on
machines where starting one takes longer than Ray waits; else the tests start their own.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.evaluate.builds import read_builds
from tem_graph.evaluate.job import Adapters
from tem_graph.evaluate.log import LOG_FILE
from tem_graph.evaluate.prepare import JobOptions
from tem_graph.evaluate.run import JobResult, run_job
from tem_graph.graph.connection import Address
from tem_graph.settings import load_settings
from tests.integration.test_evaluate import EVERYTHING, answers, write_set

ray = pytest.importorskip("ray", reason="needs the extra `ray`")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


CLUSTER = os.environ.get("TEM_GRAPH_TEST_RAY", "local")


class SlowEmbedder(HashingEmbedder):
    """Takes its time, so that a worker can be caught at work."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        time.sleep(0.2)
        return await super().embed(texts)


def run(data: Path, folder: Path, address: Address, *, ray_address: str | None, slow: bool = False) -> JobResult:
    adapters = Adapters(address=address, embedder=SlowEmbedder() if slow else HashingEmbedder())
    options = JobOptions("state-update", data, configs=EVERYTHING, no_model=True)
    settings = load_settings(embedder="hashing")
    work = run_job(options, settings, folder, adapters=adapters, ray_address=ray_address, forget=ray_address is None)
    return asyncio.run(work)


def kill_a_worker_at_work(log: Path, killed: list[int]) -> None:
    """Ends one answering worker, as `kill -9` does, as soon as the log has its first lines."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if log.exists() and log.read_bytes().count(b"\n") > 2:
            workers = (p for p in psutil.process_iter(["cmdline"]) if "(Answerer)" in "".join(p.info["cmdline"] or ()))
            for worker in workers:
                worker.kill()
                killed.append(worker.pid)
                return
        time.sleep(0.01)


def test_two_workers_fill_one_log_and_a_lost_one_loses_nothing(
    tmp_path: Path, migrated: Address, memory_id: str
) -> None:
    # One test: Ray Data keeps handles of a cluster that it has left, so a process joins only one.
    data = write_set(tmp_path / "set", memory_id)
    killed: list[int] = []
    killer = threading.Thread(target=kill_a_worker_at_work, args=(tmp_path / "ray" / LOG_FILE, killed))
    killer.start()
    on_ray = run(data, tmp_path / "ray", migrated, ray_address=CLUSTER, slow=True)
    killer.join()
    assert len(killed) == 1
    assert len(read_builds(tmp_path / "ray")) == 6
    here = run(data, tmp_path / "here", migrated, ray_address=None)
    assert read_builds(tmp_path / "here") == []
    assert on_ray.failed == 0
    assert answers(list(on_ray.lines)) == answers(list(here.lines))
