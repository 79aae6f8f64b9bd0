"""What every record of an exported memory is, and how one refers to another. Pure."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Ref = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
"""An id that refers to a record of the same file."""


class StrictRecord(BaseModel):
    """A line of the file: its fields and no others, each of its own type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
