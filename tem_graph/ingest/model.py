"""Candidate facts by a language model: one structured reply per piece of a session.

The model is trusted with nothing: what it returns are candidates, and `verify` decides. It is told the
speakers, the relations and the turns; the session's date and the resolution of date words are not its job.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction, Rejection, Usage
from tem_graph.domain.fact import FactKind
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import ModelError
from tem_graph.llm.structured import ReplyProblem, add_usage, answer, ask, describe, parse_reply, strict_schema
from tem_graph.ports import ChatMessage, ChatModel, ChatReply
from tem_graph.prompts.loader import Prompt, load_prompt

INPUT_TOKENS = 2_000
"""Estimated tokens of turns in one call. A guess: it leaves half of a 4,096-token window to prompt and reply."""
_NOTHING = {"", "null", "none", "n/a", "unknown"}


def _as_words(value: object) -> object:
    """Numbers are taken as written (34 → "34"); everything else is left to the type check."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return json.dumps(value) if is_number else value.strip() if isinstance(value, str) else value


def _or_none(value: object) -> object:
    return None if isinstance(value, str) and value.strip().lower() in _NOTHING else _as_words(value)


def _number_or_none(value: object) -> object:
    """A turn number that is none costs nothing: the quote still finds the turn."""
    digits = str(value).strip().strip("[]").removeprefix("turn ")
    return int(digits) if digits.isdecimal() and not isinstance(value, bool) else None


_Words = Annotated[str, BeforeValidator(_as_words), Field(min_length=1)]
_Optional = Annotated[str | None, BeforeValidator(_or_none)]


class FactItem(BaseModel):
    """One fact of a reply. The quote comes first: a model that has copied the words invents less after them.

    Unknown fields are ignored. A list, an object, null or an empty text where words are needed is refused.
    """

    model_config = ConfigDict(extra="ignore")

    quote: _Optional = None
    subject: _Words
    relation: _Words
    object: Annotated[str, BeforeValidator(_as_words)]
    kind: Literal["value", "end"] = "value"
    slot: _Optional = None
    since: _Optional = None
    until: _Optional = None
    turn: Annotated[int | None, BeforeValidator(_number_or_none)] = None

    @model_validator(mode="before")
    @classmethod
    def _other_names(cls, data: Any) -> Any:
        if isinstance(data, dict) and "since" not in data and "effective_date" in data:
            return {**data, "since": data["effective_date"]}
        return data

    @model_validator(mode="after")
    def _value_has_an_object(self) -> FactItem:
        if self.kind == "value" and not self.object:
            raise ValueError("object is empty; only an end may have none")
        return self

    def candidate(self) -> Candidate:
        return Candidate(
            subject=self.subject,
            relation=self.relation,
            object=self.object,
            turn=self.turn,
            quote=self.quote,
            kind=FactKind(self.kind),
            slot=self.slot,
            since=self.since,
            until=self.until,
        )


class FactsReply(BaseModel):
    """The whole reply. Items are read one by one afterwards, so that a bad one does not cost the good ones."""

    model_config = ConfigDict(extra="ignore")

    facts: list[Any]


class _StrictFactsReply(BaseModel):
    """The form that decoding is constrained to."""

    facts: list[FactItem]


@dataclass(frozen=True, slots=True)
class ReadItems:
    """The items of one reply: those that fit, and the others with what is wrong with them."""

    candidates: tuple[Candidate, ...]
    malformed: tuple[Rejection, ...]


class ModelExtractor:
    """Reads sessions with `model`. `user` is the person behind the speaker `user`.

    Sessions over `input_tokens` (estimated) are read in pieces cut between turns; a longer single turn is cut
    between sentences. A session without words costs no call. With `open_vocabulary` the model may name
    relations that `catalog` does not know.
    """

    def __init__(
        self,
        model: ChatModel,
        catalog: RelationCatalog,
        *,
        max_tokens: int = 8192,
        open_vocabulary: bool = False,
        user: str | None = None,
        input_tokens: int = INPUT_TOKENS,
    ) -> None:
        self._model = model
        self._catalog = catalog
        self._max_tokens = max_tokens
        self._user = user
        self._input_tokens = input_tokens
        self._prompt = load_prompt("extract_facts")
        self._opening = _opening(self._prompt, catalog, open_vocabulary)
        self._schema = facts_schema(catalog, open_vocabulary=open_vocabulary)

    @property
    def name(self) -> str:
        return "model"

    async def extract(self, session: Session) -> Extraction:
        """Candidates in text order, piece by piece.

        Raises:
            BadReply: a reply was unusable, also after one repair attempt; names the session and the field.
            ModelUnavailable: the model did not answer. Both carry what was spent on the session.
        """
        usage = Usage()
        candidates: list[Candidate] = []
        malformed: list[Rejection] = []
        for piece in pieces(session.turns, self._input_tokens):
            messages = (*self._opening, ChatMessage("user", render_turns(piece, self._user)))
            flow = ask(messages, read_items, about=f"session {session.id!r}")
            try:
                answered = await answer(self._model, flow, max_tokens=self._max_tokens, schema=self._schema)
            except ModelError as error:
                add_usage(error, usage)
                raise
            usage += answered.usage
            candidates += (replace(c, relation=self._catalog.get(c.relation).name) for c in answered.value.candidates)
            malformed += answered.value.malformed
        return Extraction(
            extractor=self.name,
            candidates=tuple(candidates),
            malformed=tuple(malformed),
            model=self._model.name,
            prompt=self._prompt.label,
            usage=usage,
        )


def read_items(reply: ChatReply) -> ReadItems:
    """The facts of one reply, good ones and refused ones apart. Pure.

    Raises:
        ReplyProblem: the reply is unusable, or holds items and not one that fits; names each `facts[i].field`.
    """
    items = parse_reply(reply, FactsReply, wrapper="facts").facts
    candidates: list[Candidate] = []
    malformed: list[Rejection] = []
    for place, item in enumerate(items):
        try:
            candidates.append(FactItem.model_validate(item).candidate())
        except ValidationError as error:
            detail = describe(error, within=f"facts[{place}].").replace(f"facts[{place}].:", f"facts[{place}]:")
            malformed.append(Rejection(_shown(item), "malformed", detail))
    if malformed and not candidates:
        raise ReplyProblem("; ".join(rejection.detail for rejection in malformed))
    return ReadItems(tuple(candidates), tuple(malformed))


def _shown(item: object) -> Candidate:
    """What can be shown of an item that is no fact."""
    fields = item if isinstance(item, dict) else {"object": item}
    shown = {
        k: v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for k, v in fields.items() if v is not None
    }
    return Candidate(
        shown.get("subject", ""), shown.get("relation", ""), shown.get("object", ""), None, shown.get("quote")
    )


def facts_schema(catalog: RelationCatalog, *, open_vocabulary: bool) -> dict[str, Any]:
    """The JSON schema of a reply; in a closed vocabulary, `relation` is one of the catalog's names. Pure."""
    schema = strict_schema(_StrictFactsReply)
    properties = schema["properties"]["facts"]["items"]["properties"]
    properties["object"] = {"type": "string"}
    if not open_vocabulary:
        properties["relation"] = {"type": "string", "enum": [relation.name for relation in catalog]}
    return schema


def _opening(prompt: Prompt, catalog: RelationCatalog, open_vocabulary: bool) -> tuple[ChatMessage, ...]:
    """System prompt and worked examples, the same for every session, so that a server can cache them."""
    vocabulary = (
        "Facts of other relations count too: name the relation in one to three words."
        if open_vocabulary
        else "Write no facts of other relations."
    )
    system = prompt.fill(relations="\n".join(_lines(catalog)), vocabulary=vocabulary)
    messages = [ChatMessage("system", system)]
    for example in prompt.examples:
        turns = [(t["turn"], t["speaker"], t["text"]) for t in example["turns"]]
        facts = [fact for fact in example["facts"] if open_vocabulary or fact["relation"] in catalog]
        messages.append(ChatMessage("user", render_turns(turns)))
        messages.append(ChatMessage("assistant", json.dumps({"facts": facts}, ensure_ascii=False)))
    return tuple(messages)


def _lines(catalog: RelationCatalog) -> Iterator[str]:
    for relation in catalog:
        line = f"- {relation.name}: {relation.description or relation.name.replace('_', ' ')}"
        if relation.examples:
            line += " (" + "; ".join(relation.examples) + ")"
        if relation.slots:
            line += f" [slots: {', '.join(relation.slots)}]"
        yield line


NumberedTurn = tuple[int, str, str]
"""Position, speaker, words."""


def render_turns(turns: Iterable[NumberedTurn], user: str | None = None) -> str:
    """The turns as the model reads them, one a line. A turn cannot forge another: its line breaks are blanks.

    >>> render_turns([(0, "user", "I live in Ravn.\\n[1] Mia: me too")], user="Ana")
    '[0] Ana: I live in Ravn. [1] Mia: me too'
    """
    return "\n".join(
        f"[{position}] {_one_line(user if user and speaker == 'user' else speaker)}: {_one_line(text)}"
        for position, speaker, text in turns
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def pieces(turns: Sequence[Turn], input_tokens: int) -> Iterator[list[NumberedTurn]]:
    """The turns that say something, in runs of at most `input_tokens` estimated tokens. Pure."""
    piece: list[NumberedTurn] = []
    size = 0
    for turn in turns:
        for text in _cut(turn.content, input_tokens):
            cost = estimate_tokens(text) + estimate_tokens(turn.speaker) + 4
            if piece and size + cost > input_tokens:
                yield piece
                piece, size = [], 0
            piece.append((turn.position, turn.speaker, text))
            size += cost
    if piece:
        yield piece


def _cut(text: str, input_tokens: int) -> Iterator[str]:
    """The text in parts within the budget, cut after a sentence where there is one, else after a word."""
    rest = text.strip()
    while rest:
        if estimate_tokens(rest) <= input_tokens:
            yield rest
            return
        stop = max(1, len(rest) * input_tokens // estimate_tokens(rest))
        while stop > 1 and estimate_tokens(rest[:stop]) > input_tokens:
            stop = stop * 9 // 10
        for mark in (". ", "! ", "? ", "。", "\n", " "):
            if (found := rest.rfind(mark, stop // 2, stop)) > 0:
                stop = found + len(mark)
                break
        yield rest[:stop].strip()
        rest = rest[stop:].strip()


def estimate_tokens(text: str) -> int:
    """Roughly the tokens of a text, rather too many: four ASCII characters a token, one of any other script.

    Source: the usual rule for English; CJK takes about one token a character in current tokenizers. A guess
    for everything else, which only decides where a long session is cut.
    """
    ascii_characters = sum(char.isascii() for char in text)
    return -(-ascii_characters // 4) + len(text) - ascii_characters
