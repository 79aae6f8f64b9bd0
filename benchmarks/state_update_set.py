"""The state-update set: personas whose home, job and favourite drink change over ten sessions.

Sizes as in TEM, section 4.1: 60 personas, 600 sessions, 420 questions (180 about the current state, 180 about
an earlier one, 60 about the residence just before the latest move). Everything follows from the seed. File form:
`write_set`. Sessions of a persona are at least 62 days apart, so that "last month" or "since March" never
reaches back before the session in which an earlier value was told: source order and the order in the world agree.
"""

from __future__ import annotations

import json
from calendar import month_name
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.wording import OTHER_SPEAKER, Deck, Template, Value, Voice, fill, load

WORDINGS = ("a", "b", "c", "d", "e", "f", "g", "h", "g_held", "h_held")
RELATIONS = ("residence", "occupation", "drink")
SESSIONS_PER_PERSONA = 10
MIN_DAYS_APART, MAX_DAYS_APART = 62, 95
STINTS = {"residence": (3, 3, 4, 4), "occupation": (2, 3, 3, 4), "drink": (2, 3, 3, 4)}
RETURN_CHANCE = 0.4
COMBINED_CHANCE = 0.35
OTHER_SCRIPT_CHANCE = 0.4
MERGE_CHANCE = 0.35
REPLY_CHANCE = 0.55
OFFSETS_H = (-8, -5, -3, 0, 0, 1, 1, 2, 3, 5.5, 8, 9, 13)


@dataclass(frozen=True)
class Stint:
    """One stay at one value: which update began it and in which session (0-based)."""

    value: Value
    kind: str
    session: int


@dataclass
class Persona:
    id: str
    name: str
    friend: str
    voice: Voice
    offset: timezone
    stints: dict[str, list[Stint]] = field(default_factory=dict)
    reaffirmed: dict[tuple[int, str], Value] = field(default_factory=dict)
    unused: dict[str, Deck] = field(default_factory=dict)
    """Per relation, values that this persona never holds: they are what distractors talk about."""

    def update_in(self, session: int, relation: str) -> tuple[Stint, Stint | None] | None:
        """The stint that begins in this session and the one before it."""
        for before, stint in zip([None, *self.stints[relation]], self.stints[relation], strict=False):
            if stint.session == session:
                return stint, before
        return None


@dataclass
class Block:
    """An exchange that belongs together. `facts` and `negatives` carry the number of their turn in it."""

    turns: list[tuple[str, str]]
    facts: list[tuple[int, str, str, str]] = field(default_factory=list)
    negatives: list[tuple[int, str, str, str]] = field(default_factory=list)


@dataclass
class StateUpdateSet:
    sessions: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    negatives: list[dict[str, Any]] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)


def generate(seed: int, personas: int = 60, wording: str = "both") -> StateUpdateSet:
    """The whole set. The same arguments give the same set, byte for byte."""
    rng = Random(f"state-update/{seed}/{wording}")
    values = load("values")
    voices = [Voice(name, rng) for name in (("a", "b") if wording == "both" else (wording,))]
    names = _names(values["people"], personas, rng)
    question_decks = _question_decks(rng)
    result = StateUpdateSet()
    for number, name in enumerate(names):
        persona = _plan(f"p{number + 1:03d}", name, voices[number % len(voices)], values, rng)
        _write_sessions(persona, values, rng, result)
        result.questions.extend(_questions(persona, question_decks, rng))
    return result


def write_set(data: StateUpdateSet, folder: Path) -> None:
    """One JSONL file per part of the set: sessions, facts, negatives, questions."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in asdict(data).items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def _names(people: dict[str, Any], count: int, rng: Random) -> list[str]:
    """Names of which a fifth is in another script; numbered again when there are more personas than names."""
    latin, other = list(people["personas"]), list(people["personas_other_scripts"])
    rng.shuffle(latin)
    rng.shuffle(other)
    names: list[str] = []
    for number in range(count):
        pool = other if number % 5 == 4 else latin
        position = number // 5 if pool is other else number - number // 5
        again, index = divmod(position, len(pool))
        names.append(pool[index] + (f" {'I' * (again + 1)}" if again else ""))
    return names


def _plan(id: str, name: str, voice: Voice, values: dict[str, Any], rng: Random) -> Persona:
    persona = Persona(
        id, name, rng.choice(values["people"]["friends"]), voice, timezone(timedelta(hours=rng.choice(OFFSETS_H)))
    )
    for relation in RELATIONS:
        pool = [Value(v["name"], tuple(v.get("aliases", ()))) for v in values[relation]["latin"]]
        foreign = [Value(v["name"], tuple(v.get("aliases", ()))) for v in values[relation]["other_scripts"]]
        rng.shuffle(pool)
        rng.shuffle(foreign)
        if foreign and rng.random() < OTHER_SCRIPT_CHANCE:
            pool = [*pool[:2], *foreign[:2], *pool[2:]] if rng.random() < 0.5 else [*foreign[:2], *pool]
        sequence = _value_sequence(pool, rng.choice(STINTS[relation]), rng)
        held = {value.name for value, _ in sequence}
        first = rng.choice((0, 0, 1))
        later = sorted(rng.sample(range(first + 1, SESSIONS_PER_PERSONA), len(sequence) - 1))
        persona.stints[relation] = [
            Stint(value, kind, at) for (value, kind), at in zip(sequence, (first, *later), strict=True)
        ]
        persona.unused[relation] = Deck([v for v in pool if v.name not in held], rng)
        free = [n for n in range(first + 1, SESSIONS_PER_PERSONA) if n not in later]
        for session in rng.sample(free, rng.choice((1, 1, 2))):
            running = [s for s in persona.stints[relation] if s.session < session][-1]
            persona.reaffirmed[session, relation] = running.value
    return persona


def _value_sequence(pool: Sequence[Value], length: int, rng: Random) -> list[tuple[Value, str]]:
    """Values with their kind; at most one return, and no value is held more than twice."""
    sequence = [(pool[0], "initial")]
    fresh = iter(pool[1:])
    for _ in range(length - 1):
        earlier = [value for value, _ in sequence[:-1]]
        if earlier and all(kind != "return" for _, kind in sequence) and rng.random() < RETURN_CHANCE:
            sequence.append((rng.choice(earlier), "return"))
        else:
            sequence.append((next(fresh), "change"))
    return sequence


def _write_sessions(persona: Persona, values: dict[str, Any], rng: Random, result: StateUpdateSet) -> None:
    at = datetime(2021, 1, 4, tzinfo=persona.offset) + timedelta(days=rng.randrange(300), hours=rng.randrange(8, 22))
    for number in range(SESSIONS_PER_PERSONA):
        session_id = f"{persona.id}-s{number + 1:02d}"
        at += timedelta(days=rng.randint(MIN_DAYS_APART, MAX_DAYS_APART)) if number else timedelta()
        stamp = at.replace(minute=rng.randrange(60))
        blocks = _blocks(persona, number, _Words(persona, values, stamp, rng), rng)
        turns: list[dict[str, str]] = []
        for block in blocks:
            start = len(turns)
            turns.extend({"speaker": speaker, "text": text} for speaker, text in block.turns)
            for turn, relation, value, kind in block.facts:
                result.facts.append(
                    {
                        "persona_id": persona.id,
                        "subject": persona.name,
                        "relation": relation,
                        "object": value,
                        "session_id": session_id,
                        "index": number + 1,
                        "date": stamp.isoformat(),
                        "turn": start + turn,
                        "kind": kind,
                    }
                )
            for turn, relation, value, why in block.negatives:
                result.negatives.append(
                    {
                        "persona_id": persona.id,
                        "relation": relation,
                        "value": value,
                        "session_id": session_id,
                        "turn": start + turn,
                        "why": why,
                    }
                )
        result.sessions.append(
            {
                "persona_id": persona.id,
                "persona": persona.name,
                "session_id": session_id,
                "session": number + 1,
                "date": stamp.isoformat(),
                "wording": persona.voice.name,
                "turns": turns,
            }
        )


class _Words:
    """The words that fill a template in one session."""

    def __init__(self, persona: Persona, values: dict[str, Any], at: datetime, rng: Random) -> None:
        self._persona, self._values, self._at, self._rng = persona, values, at, rng

    def __call__(self, **given: str) -> dict[str, str]:
        rng, people = self._rng, self._values["people"]
        third, relative = rng.choice(people["third"]), rng.choice(people["relatives"])
        month = month_name[(self._at - timedelta(days=rng.randint(5, 30))).month]
        return {
            "me": self._persona.name,
            "friend": self._persona.friend,
            "when": rng.choice(self._values["times"]["recent"]),
            "when_since": rng.choice(self._values["times"]["since"]).format(month=month),
            "who": third["name"],
            "kin": f"my {rng.choice(people['kin'])} {third['name']}",
            "rel": relative["word"],
            **given,
        }

    def pronouns(self, template: Template, words: dict[str, str]) -> dict[str, str]:
        """The words with he or she, whoever of the third persons the template speaks of."""
        people = self._values["people"]
        if any("{rel}" in turn for turn in template):
            she = next(r["she"] for r in people["relatives"] if r["word"] == words["rel"])
        else:
            she = next(p["she"] for p in people["third"] if p["name"] == words["who"])
        return words | ({"he": "she", "him": "her", "his": "her"} if she else {"he": "he", "him": "him", "his": "his"})


def _blocks(persona: Persona, number: int, words: _Words, rng: Random) -> list[Block]:
    middle = _fact_blocks(persona, number, words, rng)
    quiet = not middle
    has_friend = persona.friend != _assistant_name()
    for _ in range(rng.choice((2, 3)) if quiet else rng.choice((0, 1, 1, 2))):
        relation = rng.choice(RELATIONS)
        why, template = persona.voice.draw_distractor(relation)
        while why == "other_speaker" and not has_friend:
            why, template = persona.voice.draw_distractor(relation)
        value = persona.unused[relation].draw().name
        middle.append(_exchange(persona, template, words(other=value), words, negative=(relation, value, why)))
    for _ in range(rng.choice((2, 3)) if quiet else rng.choice((1, 1, 2))):
        middle.append(_exchange(persona, persona.voice.draw("talk", "persona"), words(), words))
    if has_friend and rng.random() < 0.5:
        middle.append(Block([(persona.friend, persona.voice.draw("talk", "friend")[0])]))
    rng.shuffle(middle)
    blocks = _opening(persona, words, rng)
    greetings = len(blocks)
    for block in middle:
        _append(persona, blocks, block, rng, may_reply=len(blocks) > greetings)
    if rng.random() < 0.5:
        blocks.append(_exchange(persona, persona.voice.draw("talk", "close"), words(), words))
    return blocks


def _assistant_name() -> str:
    return str(load("values")["people"]["assistant"])


def _opening(persona: Persona, words: _Words, rng: Random) -> list[Block]:
    blocks = []
    if rng.random() < 0.6:
        text = fill(persona.voice.draw("talk", "open_friend")[0], words())
        blocks.append(Block([(persona.friend, text)]))
    if not blocks or rng.random() < 0.6:
        blocks.append(_exchange(persona, persona.voice.draw("talk", "open_persona"), words(), words))
    return blocks


def _append(persona: Persona, blocks: list[Block], block: Block, rng: Random, *, may_reply: bool) -> None:
    """Put a block at the end: sometimes in the same turn as the one before, sometimes after a reply to it."""
    last = blocks[-1]
    both_monologues = len(last.turns) == len(block.turns) == 1 and last.turns[0][0] == block.turns[0][0] == persona.name
    if both_monologues and len(last.facts) + len(block.facts) < 3 and rng.random() < MERGE_CHANCE:
        last.turns[0] = (persona.name, f"{last.turns[0][1]} {block.turns[0][1]}")
        last.facts += block.facts
        last.negatives += block.negatives
        return
    same_speaker = last.turns[-1][0] == block.turns[0][0] == persona.name
    if may_reply and same_speaker and rng.random() < REPLY_CHANCE:
        section = "assistant" if persona.friend == _assistant_name() else "reply"
        blocks.append(Block([(persona.friend, persona.voice.draw("talk", section)[0])]))
    blocks.append(block)


def _fact_blocks(persona: Persona, number: int, words: _Words, rng: Random) -> list[Block]:
    updates = {r: found for r in RELATIONS if (found := persona.update_in(number, r))}
    blocks: list[Block] = []
    changed = [r for r, (stint, _) in updates.items() if stint.kind == "change"]
    if len(changed) >= 2 and rng.random() < COMBINED_CHANCE:
        pair = changed[:2]
        told = {r: updates.pop(r)[0].value.name for r in pair}
        template = persona.voice.draw("combined", "_".join(pair))
        block = _exchange(persona, template, words(**told), words)
        block.facts = [(0, r, value, "change") for r, value in told.items()]
        blocks.append(block)
    for relation, (stint, before) in updates.items():
        template = persona.voice.draw(stint.kind, relation)
        filled = words(new=stint.value.name, **({"old": before.value.name} if before else {}))
        blocks.append(_exchange(persona, template, filled, words, fact=(relation, stint.value.name, stint.kind)))
    for relation in RELATIONS:
        if value := persona.reaffirmed.get((number, relation)):
            template = persona.voice.draw("reaffirm", relation)
            fact = (relation, value.name, "reaffirm")
            blocks.append(_exchange(persona, template, words(cur=value.name), words, fact=fact))
    return blocks


def _exchange(
    persona: Persona,
    template: Template,
    filled: dict[str, str],
    words: _Words,
    *,
    fact: tuple[str, str, str] | None = None,
    negative: tuple[str, str, str] | None = None,
) -> Block:
    """The template as turns, with the fact at the persona's turn that names its value, and the distractor's
    value at the first turn that names it."""
    filled = words.pronouns(template, filled)
    block = Block([])
    for line in template:
        speaker = persona.friend if line.startswith(OTHER_SPEAKER) else persona.name
        block.turns.append((speaker, fill(line.removeprefix(OTHER_SPEAKER), filled)))
    if fact:
        relation, value, kind = fact
        turn = next(n for n, (who, text) in enumerate(block.turns) if who == persona.name and _names_value(text, value))
        block.facts.append((turn, relation, value, kind))
    if negative:
        relation, value, why = negative
        turn = next(n for n, (_, text) in enumerate(block.turns) if _names_value(text, value))
        block.negatives.append((turn, relation, value, why))
    return block


def _names_value(text: str, value: str) -> bool:
    return value.casefold() in text.casefold()


def _question_decks(rng: Random) -> dict[tuple[str, str], Deck]:
    return {
        (kind, relation): Deck(wordings, rng)
        for kind, relations in load("questions").items()
        for relation, wordings in relations.items()
    }


def _questions(persona: Persona, decks: dict[tuple[str, str], Deck], rng: Random) -> Iterable[dict[str, Any]]:
    """Seven questions: the current value and an earlier one per relation, and the residence before the latest move."""
    asked: list[tuple[str, str, str, Stint, Stint | None]] = []
    for relation, stints in persona.stints.items():
        asked.append((relation, "current", "current", stints[-1], None))
        # The latest move has a question of its own.
        updates = range(1, len(stints) - 1) if relation == "residence" else range(1, len(stints))
        at = rng.choice(updates)
        asked.append((relation, "historical", _naming(stints, at), stints[at - 1], stints[at]))
    homes = persona.stints["residence"]
    naming = rng.choice(("previous", _naming(homes, len(homes) - 1)))
    named = None if naming == "previous" else homes[-1]
    asked.append(("residence", "previous_residence", naming, homes[-2], named))
    for number, (relation, kind, naming, answer, target) in enumerate(asked, start=1):
        words = {"me": persona.name} | ({"target": target.value.name} if target else {})
        shown = {answer.value.name} | ({target.value.name} if target else set())
        others = {s.value.name: s.value for s in persona.stints[relation] if s.value.name not in shown}
        yield {
            "id": f"{persona.id}-q{number}",
            "persona_id": persona.id,
            "persona": persona.name,
            "relation": relation,
            "kind": kind,
            "question": fill(decks[naming, relation].draw(), words),
            "key_entity": answer.value.name,
            "aliases": list(answer.value.aliases),
            "other_values": [form for value in others.values() for form in value.forms],
        }


def _naming(stints: Sequence[Stint], target: int) -> str:
    """How a question names the update to `stints[target]` so that only one update can be meant: a value that
    was held twice is "moved back to" or "first moved to"."""
    stint = stints[target]
    if stint.kind == "return":
        return "before_return"
    return "before_first" if sum(s.value == stint.value for s in stints) > 1 else "before"
