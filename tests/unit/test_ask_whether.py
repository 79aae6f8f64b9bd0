"""A question whether one stay came before another is answered with yes or no, and with both days."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from tem_graph.answer.ask import Asker
from tem_graph.answer.resolve import FactsAtHand
from tem_graph.answer.rules import ENGLISH, RULES
from tem_graph.domain.time import AsOf
from tem_graph.retrieve.block import MemoryBlock
from tests.unit.strategies import CATALOG
from tests.unit.test_operators import told

FACTS = (told("Porto", 1), told("translator", 4, relation="occupation"), told("Marseille", 6))


def ask(question: str) -> str:
    async def no_evidence(question: str) -> MemoryBlock:
        raise AssertionError(question)

    asker = Asker(FactsAtHand(FACTS, CATALOG), ENGLISH, RULES, None, no_evidence)
    return asyncio.run(asker.ask(question, AsOf(date(2024, 1, 1)))).text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Did Ana move to Marseille before she became a translator?",
            "no: translator began 2023-04-01 (session s4), Marseille 2023-06-01 (session s6).",
        ),
        (
            "Was Ana a translator before she moved to Marseille?",
            "yes: translator began 2023-04-01 (session s4), Marseille 2023-06-01 (session s6).",
        ),
        ("Which came first for Ana, Marseille or Porto?", "Porto"),
    ],
)
def test_before_or_not(question: str, answer: str) -> None:
    assert ask(question) == answer
