"""A clause, normalised: who, which verb, when, whether it is so, and the phrases around the verb."""

from __future__ import annotations

from dataclasses import dataclass

from tem_graph.ingest.grammar.people import NOBODY, SPEAKER, Person, Role
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.times import TimeSpan
from tem_graph.ingest.grammar.verbs import Effect, Negation, Tense, VerbGroup
from tem_graph.ingest.grammar.words import Sentence, find

__all__ = ["NOBODY", "SPEAKER", "Clause", "Person", "Role"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement. `lead` are the phrases in front of the subject, `tail` those after the verb.

    `key` is the verb as frames name it: a lemma ("move"), with its particle ("give up"), or what is said
    with "be" ("be hooked", "be back"); "label" for a title and its value without a verb ("New job: welder").
    """

    sentence: Sentence
    group: VerbGroup | None
    key: str
    person: Person
    subject: Phrase | None
    tail: tuple[Phrase, ...]
    first: int
    stop: int
    tense: Tense = Tense.PRESENT
    progressive: bool = False
    effect: Effect | None = None
    negation: Negation = Negation.NONE
    unreal: bool = False
    """Wished, asked, imagined, reported: whether it is so is not said."""
    embedded_unreal: bool = False
    """Unreal because of what governs the clause; a second verb shares that."""
    anchored: bool = False
    """Set in another time by "when I was a child", "back then": says nothing about today."""
    times: tuple[TimeSpan, ...] = ()
    words: tuple[str, ...] = ()
    """The lowercase words, those in front of the subject included."""
    lead: tuple[Phrase, ...] = ()
    subject_tail: tuple[Phrase, ...] = ()
    """Phrases inside the subject, behind its head: "my job as a nurse"."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The key, and the same without a mere direction: "move back" is also "move"."""
        plain = self.key.removesuffix(" back").removesuffix(" over")
        if plain.startswith("be ") and plain.endswith(" up"):
            plain = plain.removesuffix(" up")
        return (self.key,) if plain == self.key else (self.key, plain)

    def says(self, *wanted: str) -> bool:
        """Whether the words stand in the clause side by side.

        `<starts>`, `<stops>`, `<holds>` ask for the effect instead, `<long>` for a duration up to today.
        """
        if wanted == ("<long>",):
            return self.tense is Tense.PERFECT and bool(self.time_text("duration") or self.time_text("since"))
        if self.effect is not None and wanted == (f"<{self.effect.value}>",):
            return True
        return find(self.words, *wanted)

    def time_text(self, role: str) -> str | None:
        """The words of the first time expression with that role."""
        span = next((t for t in self.times if t.role == role), None)
        return self.sentence.cut(span.first, span.stop) if span else None

    @property
    def lasts(self) -> bool:
        """Whether "for three years" counts from today backwards: "I have lived here for three years"."""
        return self.tense is Tense.PERFECT

    @property
    def is_past_state(self) -> bool:
        is_plain = self.effect not in {Effect.STOPS, Effect.STARTS} and self.negation is Negation.NONE
        return self.tense is Tense.PAST and is_plain

    @property
    def quote(self) -> str:
        """The clause verbatim."""
        return self.sentence.cut(self.first, self.stop)
