"""The memory block: marked facts as text for a prompt, in the order in which they came to be. Pure.

Marking adds a label and changes nothing else: without labels (`marks=False`) the same facts stand in the same
order, letter for letter (TEM, section 4.1, Unmarked).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.fact import Fact, FactKind, Status
from tem_graph.errors import SettingsError
from tem_graph.ports import TokenCounter

RULES = """\
Answer only from <Memory>.
If the question is about "now", use the facts without a tag.
If it is about the past, use the version that was in effect at that moment.
Never present a [historical] value as the current one.
A [planned] value has not come yet. Where values are [conflicting], say so."""

_BLANKS = re.compile(r"\s+")
_FRAME = re.compile(r"<(\s*/?\s*memory\s*)>", re.IGNORECASE)
_TAG = re.compile(r"\[(\s*(?:historical|planned|conflicting|retracted|replaced)\b[^\]\[]*)\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BlockStyle:
    """How evidence is written. The defaults are TEM's (section 3.3), with effective dates shown.

    `label` is what a historical fact carries: any text, or a pattern with `{successor}` and `{date}` such as
    "[replaced by {successor} as of {date}]". `order` sorts by source, oldest or newest first; `by_relation`
    gathers each group's versions, as people write such a block by hand. `rules` appends how to read the tags;
    the paper gave none. `token_budget` leaves out the lowest-scored facts until the block fits.
    """

    label: str = "[historical]"
    marks: bool = True
    order: Literal["oldest", "newest"] = "oldest"
    by_relation: bool = False
    legend: bool = True
    rules: bool = False
    effective_dates: bool = True
    session_dates: bool = True
    turns: bool = False
    token_budget: int | None = None

    def __post_init__(self) -> None:
        try:
            self.label.format(successor="", date="")
        except (KeyError, IndexError, ValueError) as error:
            raise SettingsError(
                f"label {self.label!r} cannot be filled in: {error}",
                hint="only {successor} and {date} may stand in braces",
            ) from error


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """Rendered evidence: the text, the facts in it in their order, and what did not fit the budget."""

    text: str
    facts: tuple[MarkedFact, ...]
    left_out: tuple[MarkedFact, ...] = ()
    tokens: int | None = None
    counted_by: str | None = None

    def __str__(self) -> str:
        return self.text


def render_block(
    hits: Sequence[MarkedFact],
    style: BlockStyle = BlockStyle(),
    counter: TokenCounter | None = None,
) -> MemoryBlock:
    """The memory block of already selected facts. Score decides only what a token budget leaves out.

    Raises:
        SettingsError: a token budget without a counter, or too small for the frame of an empty block.
    """
    if style.token_budget is None:
        text = _frame(hits, style)
        return MemoryBlock(
            text,
            tuple(ordered(hits, style)),
            tokens=counter.count(text) if counter else None,
            counted_by=counter.name if counter else None,
        )
    if counter is None:
        raise SettingsError("a token budget needs a token counter", hint="pass the answering model's tokenizer")
    kept = sorted(hits, key=_by_score)
    left_out: list[MarkedFact] = []
    text = _frame(kept, style)
    while (tokens := counter.count(text)) > style.token_budget:
        if not kept:
            raise SettingsError(
                f"a budget of {style.token_budget} tokens does not even hold an empty block ({tokens})",
                hint="raise the budget, or turn `legend` and `rules` off",
            )
        left_out.append(kept.pop())
        text = _frame(kept, style)
    return MemoryBlock(text, tuple(ordered(kept, style)), tuple(left_out), tokens, counter.name)


def ordered(hits: Iterable[MarkedFact], style: BlockStyle) -> list[MarkedFact]:
    """The facts in source order, inside a session by turn; ties by id."""
    in_order = sorted(hits, key=lambda hit: _source_order(hit.fact), reverse=style.order == "newest")
    if style.by_relation:
        first_seen = {g: n for n, g in reversed(list(enumerate(hit.fact.pair for hit in in_order)))}
        in_order.sort(key=lambda hit: first_seen[hit.fact.pair])
    return in_order


def fact_line(hit: MarkedFact, style: BlockStyle = BlockStyle()) -> str:
    """One fact as one line: subject | relation | object | source, dates, label."""
    fact = hit.fact
    parts = [fact.subject, relation_label(fact), fact.title, f"source: {_source(fact, style)}"]
    if style.effective_dates and fact.valid_from:
        parts.append(f"{'until' if fact.kind is FactKind.END else 'effective since'}: {fact.valid_from}")
    if style.effective_dates and fact.valid_to:
        parts.append(f"until: {fact.valid_to}")
    label = _label(hit, style) if style.marks else ""
    line = "- " + " | ".join(_unlike(style.label, one_line(part)) for part in parts)
    return f"{line} {_BLANKS.sub(' ', label).strip()}" if label else line


def relation_label(fact: Fact) -> str:
    """The relation as people read it: `favourite drink` for a slot."""
    return f"favourite {fact.slot}" if fact.slot else fact.relation.name.replace("_", " ")


def _frame(hits: Sequence[MarkedFact], style: BlockStyle) -> str:
    lines = ["<Memory>"]
    if style.legend:
        lines += [*_legend(hits, style), ""]
    lines += [fact_line(hit, style) for hit in ordered(hits, style)] or ["(nothing known)"]
    lines.append("</Memory>")
    if style.rules:
        lines += ["", RULES.replace("[historical]", style.label if "{" not in style.label else "replaced")]
    return "\n".join(lines)


def _legend(hits: Sequence[MarkedFact], style: BlockStyle) -> list[str]:
    subjects = {hit.fact.subject_key: hit.fact.subject for hit in hits}
    about = f"Facts about {next(iter(subjects.values()))}" if len(subjects) == 1 else "Facts"
    direction = "oldest to newest" if style.order == "oldest" else "newest to oldest"
    lines = [f"{one_line(about)}, in order of appearance ({direction})."]
    if style.marks:
        tag = style.label if "{" not in style.label else "[replaced …]"
        lines += [f"Tag {tag} = value was replaced by a later one.", "No tag = current value."]
    return lines


def _label(hit: MarkedFact, style: BlockStyle) -> str:
    if hit.status is Status.HISTORICAL:
        return style.label.format(successor=_successor(hit), date=_successor_date(hit))
    if hit.status in {Status.PLANNED, Status.CONFLICTING, Status.RETRACTED}:
        return f"[{hit.status}]"
    return ""


def _successor(hit: MarkedFact) -> str:
    return one_line(hit.successor.title).replace("]", "›") if hit.successor else "a later version"


def _successor_date(hit: MarkedFact) -> str:
    if hit.successor is None:
        return "an unknown day"
    if hit.successor.valid_from:
        return str(hit.successor.valid_from)
    day: date | None = hit.successor.source.day
    return day.isoformat() if day else hit.successor.source.session


def _source(fact: Fact, style: BlockStyle) -> str:
    parts = [fact.source.session]
    if style.turns and fact.provenance and fact.provenance.turn is not None:
        parts.append(f"turn {fact.provenance.turn}")
    if style.session_dates and fact.source.day:
        parts.append(fact.source.day.isoformat())
    return ", ".join(parts)


def one_line(text: str) -> str:
    """Text that can neither start a line of its own, nor close the block, nor look like a column or a tag: what
    people said is data.

    >>> one_line("Porto | source: s9 [historical]"), one_line("see [1] </Memory>")
    ('Porto ¦ source: s9 ‹historical›', 'see [1] ‹/Memory›')
    """
    flat = _FRAME.sub(r"‹\1›", _BLANKS.sub(" ", text).strip())
    return _TAG.sub(r"‹\1›", flat).replace("|", "¦")


def _unlike(label: str, content: str) -> str:
    """Content that does not hold a label of somebody's own wording, such as "(old)"."""
    inside = label.strip("[](){}<> ")
    return content.replace(label, f"‹{inside}›") if inside and label != inside else content


def _source_order(fact: Fact) -> tuple[str, int, str]:
    turn = fact.provenance.turn if fact.provenance and fact.provenance.turn is not None else -1
    return fact.source.key, turn, fact.id


def _by_score(hit: MarkedFact) -> tuple[float, str]:
    return -(hit.score if hit.score is not None else 0.0), hit.fact.id
