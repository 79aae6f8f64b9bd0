"""Candidate facts, events and notes by a language model: one structured reply per piece of a session, together.

The model is trusted with nothing: what it returns are candidates, and `verify` decides. It is told the
speakers, the relations and the turns; the session's date and the resolution of date words are not its job.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tem_graph.domain.conversation import Event, Note, Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction, Rejection, Usage
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import ModelError
from tem_graph.ingest.reply import read_items, reply_schema
from tem_graph.ingest.room import Room, room_for
from tem_graph.llm.structured import add_usage, answer, ask
from tem_graph.ports import ChatMessage, ChatModel
from tem_graph.prompts.loader import Prompt, load_prompt

INPUT_TOKENS = 2_000
"""Estimated tokens of turns up to which a session is read in one call; a longer one takes two. A guess: small models
lose items of longer texts. The longest session of LoCoMo has 1,787."""
MOST_INPUT_TOKENS = 12_000
"""Estimated tokens of turns in one call at most: only sessions of twice that take more than two calls."""


class ModelExtractor:
    """Reads sessions with `model`. `user` is the person behind the speaker `user`.

    A session is read in one call, a long one in two, cut between turns; no call gets more than `input_tokens`
    (estimated), for which a longer single turn is cut between sentences. A session without words costs no call.
    With `open_vocabulary` the model may name relations that `catalog` does not know; without `passages` it is asked
    for facts alone. A reply has as many tokens as the piece may need, and `max_tokens` where that was not enough.
    """

    def __init__(
        self,
        model: ChatModel,
        catalog: RelationCatalog,
        *,
        max_tokens: int = 8192,
        open_vocabulary: bool = False,
        user: str | None = None,
        input_tokens: int = MOST_INPUT_TOKENS,
        passages: bool = True,
    ) -> None:
        self._model = model
        self._catalog = catalog
        self._max_tokens = max_tokens
        self._user = user
        self._input_tokens = input_tokens
        self._prompt = load_prompt("extract_memory" if passages else "extract_facts")
        self._opening = _opening(self._prompt, catalog, open_vocabulary)
        self._open_vocabulary = open_vocabulary
        self._passages = passages
        self._schemas: dict[Room, dict[str, object]] = {}

    @property
    def name(self) -> str:
        return "model"

    async def extract(self, session: Session) -> Extraction:
        """Candidates, events and notes as the model proposes them, piece by piece.

        Raises:
            BadReply: a reply was unusable, also after one repair attempt; names the session and the field.
            ModelUnavailable: the model did not answer. Both carry what was spent on the session.
        """
        usage = Usage()
        candidates: list[Candidate] = []
        malformed: list[Rejection] = []
        events: list[Event] = []
        notes: list[Note] = []
        for piece in pieces(session.turns, piece_tokens(session.turns, self._input_tokens)):
            messages = (*self._opening, ChatMessage("user", render_turns(piece, self._user)))
            flow = ask(messages, read_items, about=f"session {session.id!r}")
            room = self._room(piece)
            try:
                answered = await answer(
                    self._model,
                    flow,
                    max_tokens=min(self._max_tokens, room.tokens),
                    max_tokens_after_cut=self._max_tokens,
                    schema=self._schema(room),
                )
            except ModelError as error:
                add_usage(error, usage)
                raise
            usage += answered.usage
            candidates += (replace(c, relation=self._catalog.get(c.relation).name) for c in answered.value.candidates)
            malformed += answered.value.malformed
            events += (
                Event(item.summary, session.id, item.when, tuple(item.participants), tuple(item.turns))
                for item in answered.value.events
            )
            notes += (Note(item.text, session.id, tuple(item.turns)) for item in answered.value.notes)
        return Extraction(
            extractor=self.name,
            candidates=tuple(candidates),
            malformed=tuple(malformed),
            events=tuple(events),
            notes=tuple(notes),
            model=self._model.name,
            prompt=self._prompt.label,
            usage=usage,
        )

    def _room(self, piece: Sequence[NumberedTurn]) -> Room:
        read = sum(_size(speaker, text) for _, speaker, text in piece)
        return room_for(len(piece), read, max_tokens=self._max_tokens, passages=self._passages)

    def _schema(self, room: Room) -> dict[str, object]:
        if room not in self._schemas:
            self._schemas[room] = reply_schema(
                self._catalog, room, open_vocabulary=self._open_vocabulary, passages=self._passages
            )
        return self._schemas[room]


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
        reply = {name: items for name, items in example.items() if name != "turns"}
        reply["facts"] = [fact for fact in reply["facts"] if open_vocabulary or fact["relation"] in catalog]
        messages.append(ChatMessage("user", render_turns(turns)))
        messages.append(ChatMessage("assistant", json.dumps(reply, ensure_ascii=False)))
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


def piece_tokens(turns: Sequence[Turn], most: int) -> int:
    """The estimated tokens of one call, so that a session takes one, or two if it is long, or as few as `most` allows.

    Whole turns are packed one after the other, so a piece may fall short by one turn: that much is allowed for.
    """
    sizes = [_size(turn.speaker, turn.content) for turn in turns if turn.content.strip()]
    total = sum(sizes)
    if total <= min(INPUT_TOKENS, most) or not sizes:
        return most
    calls = max(2, -(-total // most))
    return min(most, -(-total // calls) + max(sizes))


def _size(speaker: str, text: str) -> int:
    return estimate_tokens(text) + estimate_tokens(speaker) + 4


def pieces(turns: Sequence[Turn], input_tokens: int) -> Iterator[list[NumberedTurn]]:
    """The turns that say something, in runs of at most `input_tokens` estimated tokens. Pure."""
    piece: list[NumberedTurn] = []
    size = 0
    for turn in turns:
        for text in _cut(turn.content, input_tokens):
            cost = _size(turn.speaker, text)
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
