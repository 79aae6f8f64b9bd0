"""A job, ready to run: the frozen spec, the chosen questions and the settings that follow from both.

A `Job` holds data only, so it can be sent to another process; models, embedders and connections are made there,
where `Adapters` does not bring them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from tem_graph.domain.conversation import Session
from tem_graph.evaluate.configurations import Configuration
from tem_graph.evaluate.datasets import DataSet
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.spec import Spec
from tem_graph.graph.connection import Address
from tem_graph.ports import ChatModel, Embedder, TokenCounter
from tem_graph.settings import Settings

UNDATED = datetime(2024, 6, 1, tzinfo=UTC)
"""The day of a set without dates: any will do, as long as it is the same tomorrow."""
Sample = tuple[Configuration, Question]


@dataclass(frozen=True, slots=True)
class Adapters:
    """What a job uses in place of the configured adapters; None: made from the settings."""

    model: ChatModel | None = None
    embedder: Embedder | None = None
    counter: TokenCounter | None = None
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that a worker needs to build memories and to answer."""

    spec: Spec
    data: DataSet
    """With the chosen questions only, and what they are asked of."""
    settings: Settings
    tokenizer: str | None = None
    adapters: Adapters = field(default_factory=Adapters)

    @property
    def configs(self) -> tuple[Configuration, ...]:
        return tuple(map(Configuration, self.spec.configs))

    @property
    def samples(self) -> list[Sample]:
        """Every question under every configuration, the questions of a memory together."""
        groups = {group: number for number, group in enumerate(dict.fromkeys(q.group for q in self.data.questions))}
        ordered = sorted(self.data.questions, key=lambda q: groups[q.group])
        return [(config, question) for question in ordered for config in self.configs]

    def memory_of(self, group: str) -> str:
        """The id of the group's memory: named after what it is built from, so that runs never mix, and runs that
        build the same share it."""
        return f"evaluate-{self.spec.job}-{self.spec.build[:12]}-{group}"


def now_of(sessions: Sequence[Session], metadata: Mapping[str, object] | None = None) -> datetime:
    """When a question is asked: on the day that it names, else at the end of the last dated session."""
    named = (metadata or {}).get("asked_on")
    if isinstance(named, str):
        return datetime.combine(date.fromisoformat(named), time(), tzinfo=UTC)
    instants = [session.date.instant for session in sessions if session.date]
    return max(instants) + timedelta(hours=1) if instants else UNDATED
