"""FactConsolidation (MemoryAgentBench, split Conflict_Resolution): numbered facts, a larger number is newer.

Every fact is a source of its own, its number the source index. Sets of one size share their facts, and so one
memory: `sh_6k` and `mh_6k` are two kinds of question about the same group.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tem_graph.domain.conversation import Session
from tem_graph.evaluate.datasets.shape import DataSet, digest, items_of, open_document
from tem_graph.evaluate.questions import Question
from tem_graph.ingest.readers.border import Words, validated
from tem_graph.ingest.triples import parse_fact_list

_PREFIX = "factconsolidation_"
USUAL = ("sh_6k", "mh_6k")
"""The sizes that others report; the larger ones are asked when they are named."""


class _Metadata(BaseModel):
    model_config = ConfigDict(extra="allow")

    source: Words
    qa_pair_ids: list[Words] | None = None


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore")

    context: Words
    questions: list[Words]
    answers: list[list[Words]]
    metadata: _Metadata


def read(path: Path) -> DataSet:
    """Every set of the file; the kind of a question is the name of its set.

    Raises:
        InputError: an item cannot be used: a missing field, lists of different length, a line without number.
    """
    document, content = open_document(path)
    questions: list[Question] = []
    conversations: dict[str, tuple[Session, ...]] = {}
    for record in items_of(document):
        item = validated(_Item, record.value, record.place)
        name = item.metadata.source.removeprefix(_PREFIX)
        ids = item.metadata.qa_pair_ids or [f"{name}-q{n:03d}" for n in range(len(item.questions))]
        if not len(ids) == len(item.questions) == len(item.answers):
            raise record.place.error(
                f"has {len(item.questions)} questions, {len(item.answers)} answers and {len(ids)} ids", "questions"
            )
        group = digest(item.context.encode())[:16]
        if group not in conversations:
            conversations[group] = tuple(parse_fact_list(item.context, origin=f"{path}, set {name}"))
        for id_, question, answers in zip(ids, item.questions, item.answers, strict=True):
            if not answers:
                raise record.place.error(f"has no answer to {id_}", "answers")
            questions.append(
                Question(id_, question, name, answers[0], tuple(answers[1:]), group=group, metadata={"set": name})
            )
    usual = USUAL if set(USUAL) <= {q.kind for q in questions} else ()
    return DataSet(
        "factconsolidation",
        path.name,
        digest(content),
        tuple(questions),
        conversations,
        usual_kinds=usual,
        extractor="triples",
    )
