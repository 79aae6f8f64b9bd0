"""Scoring apart from answering, through the command line: a judge behind a real HTTP server, and nobody to answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tem_graph.evaluate.scoring.verdict_file import VERDICTS_FILE
from tem_graph.prompts.loader import load_prompt
from tests.unit.scored import locomo_run

SIZE = 12


@contextmanager
def judge(name: str, verdict: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A judge that always says the same, at an address; and what it is asked."""
    asked: list[dict[str, Any]] = []
    grade = {"right": "correct", "wrong": "incorrect"}[verdict]
    reply = json.dumps({"reason": "so it is", "factual": grade, "temporal": grade, "verdict": verdict})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send({"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": "x"}]})

        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            message = {"role": "assistant", "content": reply}
            self.send(
                {
                    "id": "1",
                    "object": "chat.completion",
                    "created": 0,
                    "model": name,
                    "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                    "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
                }
            )

        def send(self, document: object) -> None:
            body = json.dumps(document).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def rescore(folder: Path, *options: str) -> dict[str, Any]:
    """`scores.json` after the command, in an environment whose answering model and Neo4j are nowhere."""
    nowhere = {
        "TEM_GRAPH_MODEL_URL": "http://127.0.0.1:1/v1",
        "TEM_GRAPH_MODEL": "tiny-instruct",
        "NEO4J_URI": "bolt://127.0.0.1:1",
    }
    command = [sys.executable, "-m", "tem_graph.cli", "evaluate", "locomo", "--rescore", "--out", str(folder)]
    done = subprocess.run(
        [*command, *options], env=os.environ | nowhere, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert isinstance(scores, dict)
    return scores


def right(scores: dict[str, Any], config: str) -> int:
    (account,) = (a for a in scores["accounts"] if (a["config"], a["group"]) == (config, "all"))
    return int(account["right"])


def test_judges_score_a_finished_log_apart_and_are_kept_apart(tmp_path: Path) -> None:
    folder = locomo_run(tmp_path / "run", size=SIZE)
    label = load_prompt("judge").label
    with judge("mild-judge", "right") as (mild, asked), judge("strict-judge", "wrong") as (strict, also_asked):
        by_mild = rescore(folder, "--judge-model", mild)
        assert by_mild["judge"] == {"model": "mild-judge", "prompt": label, "tokens": 12 * len(asked)}
        assert {request["model"] for request in asked} == {"mild-judge"}, "not the name of the answering model"
        assert right(by_mild, "session-rag") == SIZE - 1, "all but the one that was cut off"
        assert f"mild-judge, {label}".replace("_", "\\_") in (folder / "report.md").read_text(encoding="utf-8")

        by_strict = rescore(folder, "--judge-model", strict)
        assert by_strict["judge"]["model"] == "strict-judge"
        assert right(by_strict, "session-rag") == 0
        assert len(also_asked) == len(asked)
        assert "strict-judge" in (folder / "report.html").read_text(encoding="utf-8")

        before = (folder / VERDICTS_FILE).read_bytes()
        again = rescore(folder, "--judge-model", mild)
        assert again == by_mild, "the judge that is named, though another judged last"
        assert "mild-judge" in (folder / "report.md").read_text(encoding="utf-8")
        assert "strict-judge" not in (folder / "report.md").read_text(encoding="utf-8")
        assert (folder / VERDICTS_FILE).read_bytes() == before, "nothing is asked twice"
    assert rescore(folder) == by_strict, "without a name, whoever judged last; no judge has to be there"


def test_corrected_references_add_their_own_scores(tmp_path: Path) -> None:
    folder = locomo_run(tmp_path / "run", size=SIZE)
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"name": "checked", "references": {"conv-0-q001": "nowhere at all"}}))
    scores = rescore(folder, "--overlay", str(overlay))
    assert scores["overlays"] == ["checked"]
    measured = {figure["measure"]: figure["value"] for figure in scores["figures"] if figure["by"] == "overall"}
    assert measured["locomo_f1@checked"] != measured["locomo_f1"]
    assert "checked" in (folder / "report.md").read_text(encoding="utf-8")
    assert rescore(folder)["overlays"] == []
