"""What somebody does for a living and for whom, often both in one clause."""

from __future__ import annotations

from dataclasses import replace

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Person, Role
from tem_graph.ingest.grammar.fillers import profession
from tem_graph.ingest.grammar.force import force
from tem_graph.ingest.grammar.frames import Reading, dated, read_frames
from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.names import organisation, without
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.relations.residence import leaves_home
from tem_graph.ingest.grammar.verbs import Tense

_POSTS = frozenset(("job", "position", "post", "role"))
_GIVING_UP = frozenset(("quit", "leave", "lose", "resign", "resign from", "give up", "chuck in", "jack in", "pack in"))
_LEAVING = frozenset(("resign", "retire", "be retired"))
_DISMISSED = frozenset(
    ("be fired", "be sacked", "be dismissed", "be laid off", "be let", "be let go", "be made", "be axed")
)
_WHEN_OR_WHY = frozenset(
    ("last", "in", "on", "yesterday", "today", "after", "and", "because", "as", "this", "when", "but")
)
_DISMISSING = frozenset(("fire", "sack", "lay off", "dismiss"))


def read(clause: Clause) -> list[Reading]:
    """Occupation and employer facts of a clause, also those told in passing: "As a nurse, I …"."""
    found = read_frames(clause, "work") or _named_job(clause) or _in_passing(clause)
    if leaves_home(clause):
        return []
    return found if any(r.relation == "employer" for r in found) else [*found, *_unemployed(clause)]


def _unemployed(clause: Clause) -> list[Reading]:
    """ "I quit my job as a welder", "I was laid off": the employment ends, at whatever place it was."""
    job = next((p for p in clause.tail if p.head.lower in _POSTS), None)
    others = [p for p in clause.tail if p is not job]
    if any(p.prep == "at" or (p.prep == "from" and p.owner not in words("people", "owners")) for p in others):
        return []  # a place of work is named, or what was left is no job
    bare = [p for p in others if not p.prep and not p.after_comma and not p.conjoined]
    person = clause.person
    if job is not None and (clause.key in _GIVING_UP or clause.key in _DISMISSED):
        ends = not bare and _is_own_job(job, person)
    elif clause.key in _LEAVING:
        ends = not bare and not any(p.prep in {"to", "from", "as"} for p in others)
    elif clause.key in _DISMISSED:
        ends = _says_how(clause) if clause.key in {"be let", "be made"} else not bare
    elif _sends_away(clause):
        ends, person = True, SPEAKER
    else:
        ends = clause.key in _DISMISSING and [p.text.lower() for p in bare] == ["me"]
        person = SPEAKER
    kind = force(clause, stative=clause.key == "be retired")
    if (
        not ends
        or kind is not FactKind.VALUE
        or _is_of_then(clause)
        or person.role is Role.NOBODY
        or clause.group is None
    ):
        return []
    told = job or Phrase(clause.sentence, "", clause.group.first, clause.group.stop)
    return [replace(dated(clause, person, "employer", told, FactKind.END, stative=False), open=True)]


def _is_own_job(job: Phrase, person: Person) -> bool:
    """Whether it is the job of the person, and the only one: no side job, no earlier one."""
    owners = {"my", "our"} if person.role is Role.SPEAKER else {"his", "her", "their"}
    return job.owner in owners and not {w.lower for w in job.words} & words("occupation", "minor")


def _is_of_then(clause: Clause) -> bool:
    """ "I quit my job when I was twenty": the job of those days."""
    behind = clause.sentence.lowers(clause.stop, clause.stop + 3)
    return behind[:1] == ["when"] and behind[2:] in (["was"], ["were"])


def _says_how(clause: Clause) -> bool:
    """ "I was let go", "I was made redundant": the word behind the verb says it."""
    if clause.key == "be made":
        return "redundant" in clause.words
    behind = clause.sentence.lowers(clause.stop, clause.stop + 3)
    return behind[:1] == ["go"] and (behind[1:2] not in (["to"], ["of"], ["at"], ["from"]) or behind[2:] == ["my"])


def _sends_away(clause: Clause) -> bool:
    """ "They laid me off", "the firm let us all go"."""
    if clause.key not in {"lay", "let"} or clause.group is None:
        return False
    behind = [w for w in clause.sentence.lowers(clause.group.stop, clause.group.stop + 5) if w not in {"all", "of"}]
    is_sent = behind[:2] in (["me", "off"], ["us", "off"], ["me", "go"], ["us", "go"])
    return is_sent and (not behind[2:] or not behind[2].isalpha() or behind[2] in _WHEN_OR_WHY)


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
