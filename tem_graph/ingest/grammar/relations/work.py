"""What somebody does for a living and for whom, often both in one clause."""

from __future__ import annotations

from dataclasses import replace

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.clause import SPEAKER, Clause
from tem_graph.ingest.grammar.fillers import profession
from tem_graph.ingest.grammar.force import force
from tem_graph.ingest.grammar.frames import Reading, dated, read_frames
from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.names import organisation, without
from tem_graph.ingest.grammar.relations.residence import leaves_home
from tem_graph.ingest.grammar.verbs import Tense


def read(clause: Clause) -> list[Reading]:
    """Occupation and employer facts of a clause, also those told in passing: "As a nurse, I …"."""
    found = read_frames(clause, "work") or _named_job(clause) or _in_passing(clause)
    return [] if leaves_home(clause) else found


def _named_job(clause: Clause) -> list[Reading]:
    """ "I got the tram conductor job": the title in front of the noun."""
    job = clause.tail[0] if clause.tail else None
    if job is None or job.prep or clause.key not in {"get", "land", "take", "accept", "start"}:
        return []
    if job.head.lower not in {"job", "position", "role", "post"} or len(job.words) < 2:
        return []
    kind = force(clause, stative=False)
    before = replace(job, stop=job.head.i)
    span = without(before, words("nouns", "articles") | words("nouns", "praise") | words("people", "owners"))
    if kind is None or span is None or not lexicon.is_occupation(span.words[-1].text):
        return []
    return [dated(clause, clause.person, "occupation", span, kind, stative=False)]


def _in_passing(clause: Clause) -> list[Reading]:
    """What the phrases around the statement say: "As a nurse at Acme, I …", "My work as a nurse is …"."""
    if clause.tense is not Tense.PRESENT or clause.unreal or clause.anchored:
        return []
    subject = clause.subject
    if subject is not None and subject.owner in {"my", "our"} and subject.head.lower in words("labels", "occupation"):
        around, person = clause.subject_tail, SPEAKER
    else:
        around, person = clause.lead, clause.person
    found: list[Reading] = []
    for k, phrase in enumerate(around):
        rest = around[k + 1 :]
        if phrase.prep == "as" and phrase.determiner in {"a", "an"} and (span := profession(phrase, rest)):
            found.append(dated(clause, person, "occupation", span, FactKind.VALUE, stative=True))
        elif found and phrase.prep in {"at", "for", "with"} and (span := organisation(phrase, rest)):
            found.append(dated(clause, person, "employer", span, FactKind.VALUE, stative=True))
    return found
