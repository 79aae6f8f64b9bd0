"""What an OpenAI-compatible endpoint answers, read from its bytes. Pure: nothing here talks to a server.

A proxy's login page, an empty body or an error object comes with status 200, too. The SDK hands such things on as
text, lists or objects without fields; here they are what they are: no completion, and no list of models.
"""

from __future__ import annotations

import json
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ValidationError

from tem_graph.domain.extraction import Usage
from tem_graph.ports import ChatReply

M = TypeVar("M", bound=BaseModel)


class NotTheirs(Exception):
    """The body is not what the interface promises. `said` is the error that stands there instead, if one does."""

    def __init__(self, said: str | None = None) -> None:
        super().__init__(said)
        self.said = said


def _text_of(content: object) -> object:
    """The text of a message, of which some endpoints make a list of parts, with `\\ufffd` for half a character."""
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        content = "".join(text for text in texts if isinstance(text, str))
    return (
        content.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(content, str) else content
    )


# A reply is not lost for what merely counts or describes it.
_Count = Annotated[int, BeforeValidator(lambda given: given if isinstance(given, int) and given > 0 else 0)]
_Window = Annotated[int | None, BeforeValidator(lambda given: given if isinstance(given, int) and given > 0 else None)]
_Reason = Annotated[str, BeforeValidator(lambda given: given if given and isinstance(given, str) else "stop")]


class _Usage(BaseModel):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0


_MaybeUsage = Annotated[_Usage, BeforeValidator(lambda given: given if isinstance(given, dict) else {})]


class _Message(BaseModel):
    content: Annotated[str | None, BeforeValidator(_text_of)] = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: _Reason = "stop"


class _Completion(BaseModel):
    choices: list[_Choice]
    usage: _MaybeUsage = _Usage()


class Model(BaseModel):
    """A model in an endpoint's list, with its window in tokens where the endpoint tells it (vLLM does)."""

    id: str
    max_model_len: _Window = None


class _Models(BaseModel):
    data: list[Model]


def read_completion(body: str) -> ChatReply:
    """The reply in a body. Its text may be empty: a refusal, or thinking without an end.

    Raises:
        NotTheirs: the body is no completion.
    """
    completion = _read(_Completion, body)
    usage = Usage(1, completion.usage.prompt_tokens, completion.usage.completion_tokens)
    if not completion.choices:
        return ChatReply("", "error", usage)
    choice = completion.choices[0]
    return ChatReply(choice.message.content or "", choice.finish_reason, usage)


def read_models(body: str) -> list[Model]:
    """The models that a body lists.

    Raises:
        NotTheirs: the body is no list of models.
    """
    return _read(_Models, body).data


def _read(form: type[M], body: str) -> M:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise NotTheirs from None
    try:
        return form.model_validate(data)
    except ValidationError:
        raise NotTheirs(_complaint(data)) from None


def _complaint(data: object) -> str | None:
    error = data.get("error") if isinstance(data, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else None
