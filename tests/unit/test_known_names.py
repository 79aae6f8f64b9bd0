"""The names that a question is read with: both reads at once, and none kept from an earlier question."""

from __future__ import annotations

from asyncio import Barrier, wait_for
from datetime import date
from typing import cast

from tem_graph.answer.resolve import Resolver
from tem_graph.domain.time import AsOf
from tem_graph.graph.store import GraphReader, SubjectInfo
from tests.unit.strategies import CATALOG

Value = tuple[str, str, str, str | None]


class MeetingReader:
    """A reader whose two reads each wait for the other to have begun."""

    def __init__(self) -> None:
        self.stored: list[Value] = [("Ana", "residence", "Lund", None)]
        self._both_begun = Barrier(2)

    async def subjects(self, memory: str) -> list[SubjectInfo]:
        await self._both_begun.wait()
        return [SubjectInfo("Ana", "ana", len(self.stored), ("residence",))]

    async def known_values(self, memory: str) -> list[Value]:
        await self._both_begun.wait()
        return list(self.stored)


async def test_both_reads_are_under_way_at_once_and_see_what_another_process_wrote() -> None:
    reader = MeetingReader()
    law, today = Resolver(cast(GraphReader, reader), "m", CATALOG), AsOf(date(2024, 6, 1))
    first = await wait_for(law.known(today), timeout=5)
    assert [v.object for v in first.values] == ["Lund"]
    reader.stored.append(("Ana", "residence", "Graz", None))
    second = await wait_for(law.known(today), timeout=5)
    assert [v.object for v in second.values] == ["Lund", "Graz"]
