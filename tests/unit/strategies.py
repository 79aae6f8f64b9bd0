"""Generated histories for property tests: a few sessions, a few values, every trap of the law."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import strategies as st

from tem_graph.domain.conversation import Provenance
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.time import PartialDate, Precision, SessionDate
from tem_graph.settings import load_relations

CATALOG = load_relations()
TODAY = date(2024, 1, 20)
_START = datetime(2024, 1, 1, tzinfo=UTC)

sources = st.integers(0, 9).map(lambda n: Source(f"s{n}", SessionDate(_START + timedelta(days=n, hours=n)), None))
"""Up to ten dated sessions whose order follows from their dates."""

stated_days = st.one_of(
    st.none(),
    st.none(),
    st.builds(
        PartialDate,
        st.integers(-10, 40).map(lambda n: date(2024, 1, 1) + timedelta(days=n)),
        st.sampled_from([Precision.DAY, Precision.DAY, Precision.MONTH]),
    ),
)


@st.composite
def facts(draw: st.DrawFn, relation: str = "residence", memory: str = "m") -> Fact:
    kind = draw(st.sampled_from([FactKind.VALUE, FactKind.VALUE, FactKind.VALUE, FactKind.END]))
    per_object = relation in {"likes", "dislikes"}
    name = draw(st.sampled_from(["Porto", "Lund", "Graz"] if not per_object else ["tea"]))
    if kind is FactKind.END and not per_object and draw(st.booleans()):
        name = draw(st.sampled_from([name, ""]))
    return Fact.create(
        CATALOG,
        memory=memory,
        subject=draw(st.sampled_from(["Ana", "ANA", " ana "])),
        relation=draw(st.sampled_from(["likes", "dislikes"])) if per_object else relation,
        object=name,
        source=draw(sources),
        kind=kind,
        valid_from=draw(stated_days),
        provenance=Provenance("by-hand", turn=draw(st.integers(0, 2))),
    )


def histories(relation: str = "residence", memory: str = "m") -> st.SearchStrategy[list[Fact]]:
    """Up to a dozen facts of one version group, each id once."""
    return st.lists(facts(relation, memory), max_size=12, unique_by=lambda f: f.id)
