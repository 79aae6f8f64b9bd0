"""A chart on a terminal and as a web page."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tem_graph.domain.fact import Fact, FactKind
from tem_graph.timeline.chart import Chart
from tem_graph.timeline.html import render_page
from tem_graph.timeline.terminal import NARROW, draw
from tests.unit.test_timeline_chart import A_B_A, chart_of, fact

TODAY = date(2024, 12, 1)
EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}'


def lines(chart: Chart, width: int = 100, *, unicode: bool = True) -> list[str]:
    return [line.plain for line in draw(chart, width, unicode=unicode)]


def test_a_b_a_on_a_terminal() -> None:
    drawn = lines(chart_of(*A_B_A, today=date(2024, 5, 1)))
    assert drawn[0] == "Ana"
    porto, lund = drawn[2], drawn[3]
    assert porto.startswith(" residence  Porto")
    assert porto.count("├") == porto.count("┣") == 1
    assert "▶" in porto
    assert "▶" not in lund
    assert lund.index("├") == porto.index("┤") + 1
    assert "since 2024-01-01 (2x)" in porto
    assert drawn[-1].split() == ["┣━━▶", "holds", "now", "├──┤", "held", "once", "╎", "today"]


def test_status_is_told_without_colour_and_without_unicode() -> None:
    drawn = lines(chart_of(*A_B_A, fact("nurse", "s3", "2024-01-01", relation="occupation"),
                           fact("baker", "s3", "2024-01-01", relation="occupation")), unicode=False)  # fmt: skip
    text = "\n".join(drawn)
    assert text.isascii()
    assert all(glyph in text for glyph in ("[=", ">", "|-", "[x"))


def test_a_narrow_terminal_gets_sentences() -> None:
    drawn = lines(chart_of(*A_B_A), 40)
    assert drawn == [
        "Ana",
        " residence: Porto [historical], 2023-01-01 to 2023-07-01",
        " residence: Lund [historical], 2023-07-01 to 2024-01-01",
        " residence: Porto, since 2024-01-01",
    ]


@given(st.integers(NARROW, 200), st.text(max_size=60), st.booleans())
def test_no_line_is_wider_than_the_terminal(width: int, name: str, unicode: bool) -> None:
    chart = chart_of(fact(f"x{name}", "s1", "2023-01-01"), fact("林小雨", "s2", "2024-01-01", subject=f"y{name}"))
    for line in lines(chart, width, unicode=unicode):
        assert cell_len(line) <= width
        assert not any(c in line for c in "\x1b\r\n\x07")


class Page(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, name: str) -> list[str | None]:
        return [value for key, value in self.attributes if key == name]


@pytest.fixture
def page() -> Page:
    chart = chart_of(*A_B_A, fact(EVIL, "s4", "2024-02-01", subject=EVIL, relation=EVIL))
    return Page(render_page(chart, title=EVIL, today=TODAY))


def test_the_page_runs_nothing_and_loads_nothing(page: Page) -> None:
    assert not {"script", "img", "link", "iframe", "object", "embed"} & page.tags.keys()
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in {"src", "srcset"}]
    assert all(value and value.startswith("#") for value in page.values("href"))
    policy = next(v for v in page.values("content") if v and "default-src" in v)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_names_are_shown_as_they_are(page: Page) -> None:
    assert "".join(page.text).count(EVIL) >= 4


def test_every_bar_opens_its_own_card(page: Page) -> None:
    ids = [v for v in page.values("id") if v]
    assert len(ids) == len(set(ids))
    assert set(page.values("popovertarget")) <= set(ids)
    assert page.tags["blockquote"] >= 4


def test_every_quote_and_session_is_on_the_page(page: Page) -> None:
    text = " ".join(page.text)
    assert all(words in text for words in ("Porto!", "Lund!", "s1", "s2", "s3", "2023-07-01", "As of"))


def test_an_empty_memory_has_a_page() -> None:
    assert "Nothing is known yet" in render_page(chart_of(), title="empty", today=TODAY)


@pytest.mark.parametrize(
    "wanted", ["prefers-color-scheme: dark", "@media print", "max-width", "prefers-reduced-motion"]
)
def test_the_page_fits_dark_rooms_paper_and_phones(wanted: str) -> None:
    assert wanted in render_page(chart_of(*A_B_A), title="t", today=TODAY)


def test_what_holds_is_drawn_up_to_the_day_of_the_page() -> None:
    """Two years after the last move, in a history of one and a half."""
    chart = chart_of(*A_B_A, today=date(2026, 11, 30))
    assert chart.axis.today is not None
    (lane,) = (lane for subject in chart.subjects for lane in subject.lanes)
    assert lane.bars[-1].finish == chart.axis.today
    page = Page(render_page(chart, title="t", today=date(2026, 11, 30)))
    assert "key today" in page.values("class")


def test_the_legend_fits_bars_of_every_colour() -> None:
    page = render_page(chart_of(*A_B_A), title="t", today=TODAY)
    assert "solid: holds now" in page
    assert "pale: historical" in page
    assert not re.search(r"\.(?:key|tag)\.(?:current|past) {[^}]*oklch", page)


def side_of(label: str, *facts: Fact) -> str:
    """Where the label of the only bar of that value stands."""
    page = render_page(chart_of(*facts, today=TODAY), title="t", today=TODAY)
    (side,) = re.findall(rf'<span class="label (\w+)" dir="auto">{label}<', page)
    return str(side)


def test_a_short_bar_has_its_label_beside_it_where_there_is_room_for_just_that() -> None:
    porto, rome = fact("Porto", "s1", "2023-01-01"), fact("Rome", "s2", "2024-10-10")
    assert side_of("Rome", porto, rome) == "inside"
    gone = fact("Ulm", "s3", "2024-08-01", kind=FactKind.END)
    elsewhere = fact("Acme", "s0", "2023-01-01", relation="employer")
    assert side_of("Ulm", fact("Ulm", "s1", "2024-07-15"), gone, elsewhere) == "before"
    between = (porto, fact("Ulm", "s2", "2024-01-01"), fact("Lund", "s3", "2024-01-15"))
    assert side_of("Ulm", *between) == "nowhere"  # its tip and its card tell it
    assert 'class="tip"><b dir="auto">Ulm</b>' in render_page(chart_of(*between), title="t", today=TODAY)
