"""One conversation of ChatGPT's `conversations.json`: a tree of messages, of which one branch was shown last."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from tem_graph.ingest.readers.border import Words, validated
from tem_graph.ingest.readers.document import Record

EMPTY_NODE = "empty_node"
"""Marks a message that the exporting program keeps for itself and nobody wrote."""


class _Author(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    role: Words
    name: Words | None = None


class _Content(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    content_type: str = "text"
    parts: list[Any] = []
    text: str | None = None


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    author: _Author
    content: _Content
    create_time: float | None = None


class _Node(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    parent: str | None = None
    message: _Message | None = None


class _Tree(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    mapping: dict[str, _Node]
    current_node: Words


def shown_branch(record: Record) -> tuple[list[Record], int]:
    """The messages from the root to the node shown last, in the form of a plain chat, and how many others there are.

    Raises:
        InputError: a parent is not in the tree, or the tree turns back on itself.
    """
    tree = validated(_Tree, record.value, record.place)
    branch: list[str] = []
    node_id: str | None = tree.current_node
    while node_id is not None:
        if node_id not in tree.mapping or node_id in branch:
            raise record.place.error(f"names the node {node_id!r}, which is not there or comes twice", "mapping")
        branch.append(node_id)
        node_id = tree.mapping[node_id].parent
    written = sum(node.message is not None for node in tree.mapping.values())
    messages = [
        Record(_plain(message), record.place.at("mapping", id_, "message"))
        for id_ in reversed(branch)
        if (message := tree.mapping[id_].message) is not None
    ]
    return messages, written - len(messages)


def _plain(message: _Message) -> dict[str, Any]:
    content = message.content
    parts = [_part(part) for part in (content.parts or [content.text or ""])]
    shown = content.content_type in {"text", "multimodal_text", "code", "execution_output", "tether_quote"}
    plain = {
        "role": message.author.role,
        "name": message.author.name if message.author.role == "user" else None,
        "content": parts if shown else None,
        "create_time": message.create_time,
    }
    # The program's own empty and hidden nodes are routine, and another thing than a person's empty message.
    is_empty = not any(part if isinstance(part, str) else True for part in parts)
    if not shown or (is_empty and message.author.role != "user"):
        plain |= {"content": None, EMPTY_NODE: True}
    return plain


def _part(part: Any) -> Any:
    if isinstance(part, dict) and "type" not in part:
        return {"type": str(part.get("content_type", "file")).removesuffix("_asset_pointer"), **part}
    return part
