"""The model router: a language model names the operator and copies its arguments out of the question.

It chooses from the registry's operators and from nothing else, never sees a fact, and its reply is checked: a
value that the question does not name is not accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tem_graph.answer.route import Known, Routed
from tem_graph.domain.names import fold
from tem_graph.errors import UnknownOperator
from tem_graph.llm.structured import ReplyProblem, answer, ask, parse_reply, strict_schema
from tem_graph.ports import ChatMessage, ChatModel, ChatReply
from tem_graph.prompts.loader import Prompt, load_prompt
from tem_graph.temporal.registry import OPERATORS, Call, make_call

MAX_TOKENS = 300
"""Output limit of one routing: the longest reply (order, with both stays) takes about 150 tokens."""
CONFIDENCE = 0.8
"""How sure a reply that passed the checks is taken to be. A guess, above the 0.7 from which operators answer."""
_LISTED = 200
"""Subjects that the prompt names at most; those whose name stands in the question come first."""
_PAIRED = frozenset({"order", "overlap"})


class RouteReply(BaseModel):
    """What the model replies: an operator and every argument that any operator takes."""

    model_config = ConfigDict(extra="ignore")

    operator: str = Field(json_schema_extra={"enum": [*OPERATORS, "unknown"]})
    subject: str | None = None
    relation: str | None = None
    slot: str | None = None
    value: str | None = None
    occurrence: str | None = None
    n: int | None = None
    date: str | None = None
    until: str | None = None
    index: int | None = None
    from_value: str | None = None
    to_value: str | None = None
    other_subject: str | None = None
    other_relation: str | None = None
    other_value: str | None = None


class ModelRouter:
    """A `Router` that asks a language model. One call a question, two if the first reply is unusable."""

    def __init__(self, model: ChatModel, *, max_tokens: int = MAX_TOKENS) -> None:
        self._model = model
        self._max_tokens = max_tokens
        self._schema = strict_schema(RouteReply)
        self._prompt = load_prompt("route")

    @property
    def name(self) -> str:
        return f"model {self._model.name}, {self._prompt.label}"

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator that the model names; None where it says unknown.

        Raises:
            BadReply: the reply is no operator with fitting arguments, also after one repair attempt.
            ModelUnavailable: the model did not answer.
        """
        messages = [
            ChatMessage("system", _instructions(self._prompt, question, known)),
            ChatMessage("user", f"Question: {question}"),
        ]
        flow = ask(messages, _reader(question, known), about="routing the question")
        replied = await answer(self._model, flow, max_tokens=self._max_tokens, schema=self._schema)
        if replied.value is None:
            return None
        reading = f"Read by a model as {replied.value.operator}."
        return Routed(replied.value, CONFIDENCE, self.name, reading, usage=replied.usage)


def _instructions(prompt: Prompt, question: str, known: Known) -> str:
    asked = fold(question)
    subjects = sorted(known.subjects, key=lambda name: (fold(name) not in asked, name))[:_LISTED]
    relations = dict.fromkeys([*(r.name for r in known.catalog), *known.relations])
    return prompt.fill(
        operators="\n".join(f"- {spec.name}: {spec.answers}" for spec in OPERATORS.values()),
        subjects=", ".join(subjects) or "(none)",
        relations=", ".join(relations),
        user=known.user or "the subject called user",
        today=known.today.isoformat(),
    )


def _reader(question: str, known: Known) -> Callable[[ChatReply], Call | None]:
    """Reads a reply: None for unknown, a checked call otherwise; `ReplyProblem` where it cannot be used."""

    def read(reply: ChatReply) -> Call | None:
        fields = parse_reply(reply, RouteReply)
        if fields.operator == "unknown":
            return None
        asked = fold(question)
        for value in (fields.value, fields.from_value, fields.to_value, fields.other_value):
            if value and fold(value) not in asked:
                raise ReplyProblem(f"the question does not name {value!r}; copy values from the question")
        try:
            return make_call(fields.operator, _arguments(fields, known))
        except UnknownOperator as error:
            raise ReplyProblem(f"{error.message}; {error.hint}") from None

    return read


def _arguments(fields: RouteReply, known: Known) -> dict[str, object]:
    """The arguments that the operator takes; those of other operators are left out."""
    subject = _as_known(fields.subject, known)
    stay = _given(
        subject=subject,
        relation=fields.relation,
        slot=fields.slot,
        value=fields.value,
        occurrence=_occurrence(fields.occurrence),
    )
    other = _given(
        subject=_as_known(fields.other_subject, known) or subject,
        relation=fields.other_relation or fields.relation,
        value=fields.other_value,
    )
    if fields.operator in _PAIRED:
        return {"a": stay, "b": other}
    arguments = stay | _given(n=fields.n, date=fields.date, until=fields.until, index=fields.index)
    arguments |= _given(**{"from": fields.from_value, "to": fields.to_value})
    if fields.operator == "during":
        arguments["while"] = other
    spec = OPERATORS.get(fields.operator)
    if spec is None:
        return arguments
    taken = {field.alias or name for name, field in spec.args.model_fields.items()}
    return {name: value for name, value in arguments.items() if name in taken}


def _given(**arguments: object) -> dict[str, object]:
    return {name: value for name, value in arguments.items() if value not in {None, ""}}


def _as_known(subject: str | None, known: Known) -> str | None:
    """The subject in the memory's own spelling, where the memory has it."""
    return next((name for name in known.subjects if subject and fold(name) == fold(subject)), subject)


def _occurrence(text: str | None) -> Literal["first", "last"] | int | None:
    match text:
        case "first" | "last":
            return text
        case str() if text.isdigit():
            return int(text)
        case _:
            return None
