"""`tem-graph demo` on a Neo4j that runs already: everything in one go, and again at once."""

from __future__ import annotations

import subprocess
import uuid

from tests.acceptance.conftest import Cli


def test_the_demo_shows_everything_and_again_in_no_time(cli: Cli) -> None:
    memory = f"demo-{uuid.uuid4().hex[:12]}"
    first = cli("demo", "-m", memory, "--json").json
    assert first["ingest"]["totals"]["stored"] == 10
    answers = {q["question"]: q for q in first["questions"]}
    assert answers["Where does Maya live now?"]["answer"] == "Porto"
    assert answers["Where did Maya live before she moved back to Porto?"]["answer"] == "Lisbon"
    assert all("[historical]" in q["evidence"]["text"] for q in first["questions"])
    assert memory in first["neo4j"]["query"]

    again = cli("demo", "-m", memory)
    assert again.code == 0, again.err
    for words in ("What held when", "Lisbon", "<Memory>", "A: Porto", "Paste this query", "MATCH"):
        assert words in again.out

    (shown,) = (line.strip() for line in again.out.splitlines() if "--html timeline.html" in line)
    pasted = subprocess.run(
        shown, shell=True, cwd=cli.folder, env=dict(cli.environment), capture_output=True, text=True
    )
    assert (pasted.returncode, pasted.stdout) == (0, "timeline.html\n"), pasted.stderr

    fresh = cli("demo", "-m", memory, "--fresh", "--json").json
    assert fresh["ingest"]["totals"]["stored"] == 10
    assert fresh["history"] == first["history"] or len(fresh["history"]) == len(first["history"])
    assert cli("forget", "memory", memory, "--yes").code == 0
