"""Whether a typed result is the expected one: the measure of operator sets. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tem_graph.domain.names import fold


def same_result(got: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Whether two results in the form of `expected` are equal: strings folded, a conflict's values in any order.

    >>> same_result({"status": "ok", "value": "lyon"}, {"status": "ok", "value": "Lyon"})
    True
    >>> same_result({"status": "none", "reason": "no_dates"}, {"status": "none", "reason": "out_of_range"})
    False
    """
    status = expected["status"]
    if got.get("status") != status:
        return False
    if status in {"conflict", "ambiguous"}:
        key = "value" if status == "conflict" else "choices"
        return sorted(map(plain, got.get(key) or ())) == sorted(map(plain, expected[key]))
    key = "reason" if status == "none" else "value"
    return plain(got.get(key)) == plain(expected[key])


def plain(value: Any) -> str:
    """A value as folded JSON with sorted keys, for comparing."""
    return fold(json.dumps(value, ensure_ascii=False, sort_keys=True))
