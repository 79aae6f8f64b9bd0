"""The demo that is shipped: ten conversations of two friends over two years, and three questions about them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.time import SessionDate


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question with the value that answers it; None where the right answer is that none is known."""

    question: str
    answer: str | None
    shows: str


def load_sessions() -> tuple[Session, ...]:
    """The ten sessions, oldest first, in the form in which they are ingested."""
    return tuple(
        Session(
            id=entry["id"],
            turns=tuple(Turn(n, turn["speaker"], turn["text"]) for n, turn in enumerate(entry["turns"])),
            date=SessionDate.parse(entry["date"]),
        )
        for entry in _read("sessions.json")["sessions"]
    )


def load_questions() -> tuple[DemoQuestion, ...]:
    """The three questions that the demo asks, in order."""
    return tuple(DemoQuestion(**entry) for entry in _read("questions.json")["questions"])


def _read(name: str) -> Any:
    return json.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))
