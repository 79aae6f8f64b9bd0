"""Every error that this package raises on purpose.

TemGraphError
├── SettingsError             a setting is missing, malformed or contradicts another
├── InputError                a file, session, fact or question from the caller cannot be used
├── GraphError                something about Neo4j
│   ├── NotFound              the named memory, session, subject or fact does not exist
│   ├── Conflict              the write contradicts what is stored and nobody said "replace"
│   ├── SchemaMismatch        the database holds another embedding size or a newer schema
│   ├── GraphRefused          wrong password, missing database, unsupported version
│   └── GraphUnavailable      unreachable, shut down, or still starting (retryable)
├── ModelError                something about a language model or an embedder
│   ├── ModelUnavailable      unreachable or overloaded
│   │   └── ModelRefused      answered and said no: wrong key, unknown model, request too long
│   └── BadReply              answered, but not with what was asked for
├── TemporalError             a question about time that cannot be asked
│   ├── NaiveDatetime         a time without an offset where one is needed
│   └── UnknownOperator       no operator of that name, or wrong arguments
├── ServerError               the local Neo4j that `tem-graph server` runs
└── EvaluationError           a job's files or settings do not fit together

Absence is a value (`None`, a result status), failure is an exception. Each error says in `hint` what
to do about it, and in `retryable` whether the same call may succeed later. The cause of a wrapped error
stays in `__cause__`. Messages never contain a password or an API key.
"""

from __future__ import annotations

from typing import ClassVar


class TemGraphError(Exception):
    """Root of the tree. `hint` says what to change; `exit_code` is what the CLI ends with."""

    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class SettingsError(TemGraphError):
    """A setting is missing, malformed or contradicts another."""

    exit_code = 2


class InputError(TemGraphError):
    """A file, session, fact or question from the caller cannot be used; the message names the field."""

    exit_code = 2


class GraphError(TemGraphError):
    """Something about Neo4j."""

    exit_code = 3


class NotFound(GraphError):
    """The named memory, session, subject or fact does not exist."""

    exit_code = 4


class Conflict(GraphError):
    """The write contradicts what is stored, and nothing was changed."""

    exit_code = 5


class SchemaMismatch(GraphError):
    """The database was made for another embedding size, or by a newer tem-graph."""


class GraphRefused(GraphError):
    """Neo4j answered and said no: wrong password, missing database, unsupported version."""


class GraphUnavailable(GraphError):
    """Neo4j did not answer."""

    retryable = True


class ModelError(TemGraphError):
    """Something about a language model or an embedder.

    `calls`, `prompt_tokens` and `output_tokens` are what was spent before it failed, so that a failure is
    not free in the books.
    """

    exit_code = 6
    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0


class ModelUnavailable(ModelError):
    """The model did not answer."""

    retryable = True


class ModelRefused(ModelUnavailable):
    """The model answered and said no: wrong key, unknown model, request too long for it."""

    retryable = False


class BadReply(ModelError):
    """The model answered, but not with what was asked for, also after one repair attempt."""

    retryable = True


class TemporalError(TemGraphError):
    """A question about time that cannot be asked."""

    exit_code = 2


class NaiveDatetime(TemporalError):
    """A time without an offset where one is needed."""


class UnknownOperator(TemporalError):
    """No operator of that name, or arguments that it does not take."""


class ServerError(TemGraphError):
    """The local Neo4j could not be started, stopped or found."""

    exit_code = 7


class EvaluationError(TemGraphError):
    """A job's files or settings do not fit together."""

    exit_code = 8
