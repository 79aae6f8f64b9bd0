"""Names are compared folded, by one rule for every script."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.names import fold


@given(st.text(st.characters(codec="ascii")))
def test_ascii_is_folded_as_every_other_script_is(name: str) -> None:
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())

    assert fold(name) == re.sub(r"\s+", " ", composed).strip()


@given(st.text())
def test_folding_twice_changes_nothing(name: str) -> None:
    assert fold(fold(name)) == fold(name)
