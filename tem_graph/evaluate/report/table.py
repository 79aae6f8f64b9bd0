"""What a report is made of, before it is Markdown or HTML: tables of cells, and how a figure is written in one. Pure.

A figure is never alone in its cell: under it stand its interval and its counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from tem_graph.evaluate.scoring.figures import Difference, Figure

NOT_MEASURED = "not measured"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: the figure or word, and under it in small type what belongs to it, line by line."""

    text: str
    detail: tuple[str, ...] = ()
    is_number: bool = True


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a number or name, a caption, and remarks below it."""

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()
    is_grouped: bool = False
    """Whether rows belong together by their first cell, which is then shown once."""

    @property
    def groups(self) -> list[tuple[str, list[Row]]]:
        """The rows without their first cell, under what it says; all under "" where the table is not grouped."""
        if not self.is_grouped:
            return [("", list(self.rows))]
        rows = groupby(self.rows, key=lambda row: row[0].text)
        return [(name, [row[1:] for row in members]) for name, members in rows]

    @property
    def id(self) -> str:
        """An anchor for links, other than any section's."""
        return "-".join(("of", *"".join(c if c.isalnum() else " " for c in self.name.lower()).split()))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A table that could not be made, and why."""

    name: str
    reason: str


def gather(pieces: Iterable[LeftOut]) -> tuple[LeftOut, ...]:
    """The same with those of one reason together.

    >>> gather([LeftOut("Table 1", "no run"), LeftOut("Table 7", "no judge"), LeftOut("Table 2", "no run")])
    (LeftOut(name='Table 1, Table 2', reason='no run'), LeftOut(name='Table 7', reason='no judge'))
    """
    names: dict[str, list[str]] = {}
    for piece in pieces:
        names.setdefault(piece.reason, []).append(piece.name)
    return tuple(LeftOut(", ".join(those), reason) for reason, those in names.items())


Piece = Table | LeftOut


def word(text: str, *detail: str) -> Cell:
    """A cell of words, set at its left."""
    return Cell(text, detail, is_number=False)


def dash(*detail: str) -> Cell:
    """A figure that is not there."""
    return Cell("–", detail or (NOT_MEASURED,))


def number(value: float | None, digits: int = 0) -> Cell:
    """A plain number with thousands apart, or a dash.

    >>> number(29671.84, 1).text, number(None).text
    ('29,671.8', '–')
    """
    return Cell("–" if value is None else f"{value:,.{digits}f}")


def percent(figure: Figure | None) -> Cell:
    """A share in per cent with one decimal; under it interval and counts.

    >>> percent(Figure("c", "overall", "all", "m", 0.5, 2, 4, 1, 0.1, 0.9))
    Cell(text='50.0', detail=('[10.0, 90.0]', '2/4, 1 left out'), is_number=True)
    """
    if figure is None or figure.value is None:
        return dash()
    return Cell(_p(figure.value), (f"[{_p(figure.low)}, {_p(figure.high)}]", counts(figure)))


def bounds(low: Figure | None, high: Figure | None) -> Cell:
    """A score with unresolved cases as wrong and as right; the interval spans both."""
    if low is None or high is None or low.value is None or high.value is None:
        return dash()
    value = _p(low.value) if low.total == high.total else f"{_p(low.value)}–{_p(high.value)}"
    right = _n(low.total) if low.total == high.total else f"{_n(low.total)}–{_n(high.total)}"
    return Cell(value, (f"[{_p(low.low)}, {_p(high.high)}]", f"{right}/{low.asked}"))


def points(difference: Difference | None) -> Cell:
    """A difference in percentage points with its sign; under it interval and how many questions changed sides."""
    if difference is None:
        return dash()
    return Cell(
        _signed(difference.value),
        (
            f"[{_signed(difference.low)}, {_signed(difference.high)}]",
            f"{difference.better} better, {difference.worse} worse of {difference.asked}",
        ),
    )


def counts(figure: Figure) -> str:
    """`235/420`, and how many questions have nothing to measure."""
    left_out = f", {figure.left_out} left out" if figure.left_out else ""
    return f"{_n(figure.total)}/{figure.asked}{left_out}"


def _p(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _signed(share: float) -> str:
    points = round(100 * share, 1) + 0.0  # −0.0 becomes 0.0
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"


def _n(total: float) -> str:
    return str(round(total)) if total == round(total) else f"{total:.1f}"
