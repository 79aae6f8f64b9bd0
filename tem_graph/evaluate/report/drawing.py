"""Plots as SVG and PNG, drawn by matplotlib: bars with intervals, and boxes of lengths. No other module draws.

Figures are made without pyplot, so nothing global is touched, and the same data gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar

from tem_graph.errors import SettingsError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = TypeVar("P")

INK = "#1d1f24"
_PAGE = 6.4
"""Width of a figure in inches."""
_LEGEND_COLUMNS = 3
"""So many of the longest names of a configuration stand beside each other on a page."""
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": "#888e99",
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "grid.color": "#e3e5e9",
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.left": False,
    "text.color": INK,
    "figure.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "tem-graph",
    "hatch.linewidth": 0.6,
}


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawn plot. `name` is its file name without ending, `alt` what it shows in words."""

    name: str
    title: str
    alt: str
    svg: bytes
    png: bytes


@dataclass(frozen=True, slots=True)
class Bar:
    """One share with its interval, all in per cent. `upper` is where open cases would lift it to, else the value."""

    label: str
    value: float
    low: float
    high: float
    upper: float
    colour: str


@dataclass(frozen=True, slots=True)
class Lengths:
    """The evidence lengths of one configuration, in tokens."""

    label: str
    tokens: Sequence[int]
    colour: str


def draw_bars(name: str, title: str, alt: str, panels: Sequence[tuple[str, Sequence[Bar]]], axis: str) -> Plot:
    """Horizontal bars, a panel a run; whiskers are 95 % intervals."""

    def draw(axes: Axes, panel: tuple[str, Sequence[Bar]]) -> None:
        heading, bars = panel
        axes.set_title(heading)
        for place, bar in enumerate(bars):
            _bar(axes, place, bar, 0.62)
        _labels(axes, [bar.label for bar in bars])
        _percent_axis(axes, axis)

    return _panels(name, title, alt, panels, draw, height=lambda panel: 0.9 + 0.34 * len(panel[1]))


def draw_groups(
    name: str,
    title: str,
    alt: str,
    panels: Sequence[tuple[str, Sequence[tuple[str, Sequence[Bar]]]]],
    axis: str,
) -> Plot:
    """Groups of bars, a panel a run: within a group one bar a configuration, each in its colour."""
    colours = {bar.label: bar.colour for _, groups in panels for _, bars in groups for bar in bars}
    names = list(colours)
    thick = 0.8 / max(1, len(names))

    def draw(axes: Axes, panel: tuple[str, Sequence[tuple[str, Sequence[Bar]]]]) -> None:
        heading, groups = panel
        axes.set_title(heading)
        for place, (_, bars) in enumerate(groups):
            for bar in bars:
                offset = (names.index(bar.label) - (len(names) - 1) / 2) * thick
                _bar(axes, place + offset, bar, thick * 0.9)
        _labels(axes, [group for group, _ in groups])
        _percent_axis(axes, axis)

    return _panels(
        name,
        title,
        alt,
        panels,
        draw,
        height=lambda panel: 0.9 + (0.2 * len(names) + 0.16) * len(panel[1]),
        legend=list(colours.items()),
    )


def draw_lengths(name: str, title: str, alt: str, panels: Sequence[tuple[str, Sequence[Lengths]]]) -> Plot:
    """Boxes of evidence lengths, a panel a run: the middle half, median, shortest and longest; a dot is the mean.

    The axis is logarithmic where the longest evidence is more than eight times the shortest.
    """
    every = [tokens for _, rows in panels for row in rows for tokens in row.tokens]
    is_wide = max(every) > 8 * max(1, min(every))

    def draw(axes: Axes, panel: tuple[str, Sequence[Lengths]]) -> None:
        heading, rows = panel
        axes.set_title(heading)
        for place, row in enumerate(rows):
            colour = row.colour
            axes.boxplot(
                [row.tokens],
                positions=[place],
                orientation="horizontal",
                widths=0.55,
                whis=(0, 100),
                manage_ticks=False,
                patch_artist=True,
                boxprops={"facecolor": colour, "alpha": 0.55, "edgecolor": colour},
                medianprops={"color": INK, "linewidth": 1.4},
                whiskerprops={"color": colour},
                capprops={"color": colour},
            )
            axes.plot(sum(row.tokens) / len(row.tokens), place, "o", color=INK, markersize=3.5)
        _labels(axes, [row.label for row in rows])
        if is_wide:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(lambda tokens, _: f"{tokens:,.0f}")
        else:
            axes.set_xlim(0, max(every) * 1.06)
        axes.set_xlabel("tokens of evidence" + (" (logarithmic)" if is_wide else ""))

    return _panels(name, title, alt, panels, draw, height=lambda panel: 0.9 + 0.36 * len(panel[1]))


def _bar(axes: Axes, place: float, bar: Bar, thick: float) -> None:
    axes.barh(place, bar.value, height=thick, color=bar.colour)
    if bar.upper > bar.value:
        open_part = bar.upper - bar.value
        axes.barh(place, open_part, left=bar.value, height=thick, color="white", edgecolor=bar.colour, hatch="//////")
    for colour, width in (("white", 2.4), (INK, 1.0)):  # a rim, to be seen on dark bars too
        axes.plot([bar.low, bar.high], [place, place], color=colour, linewidth=width, solid_capstyle="butt")
    end = max(bar.high, bar.upper)
    axes.text(end + 1.2, place, f"{bar.value:.1f}", va="center", fontsize=min(8.0, 5.5 + 5 * thick))


def _labels(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)


def _percent_axis(axes: Axes, label: str) -> None:
    axes.set_xlim(0, 110)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel(label)


def _panels(
    name: str,
    title: str,
    alt: str,
    panels: Sequence[P],
    draw: Callable[[Axes, P], None],
    *,
    height: Callable[[P], float],
    legend: Sequence[tuple[str, str]] = (),
) -> Plot:
    try:
        import matplotlib
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch
    except ImportError as error:
        raise SettingsError("plots need matplotlib", hint="install it: pip install 'tem-graph[evaluate]'") from error
    # One under the other: beside each other, a phone would shrink the letters beyond reading.
    heights = [height(panel) for panel in panels]
    rows = -(-len(legend) // _LEGEND_COLUMNS)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_PAGE, sum(heights) + (0.25 * rows + 0.1) * bool(legend)), layout="constrained")
        grid = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)
        for axes, panel in zip(grid[:, 0], panels, strict=True):
            draw(axes, panel)
        for axes in grid[:-1, 0]:
            axes.set_xlabel("")  # the axis is shared; its name stands once, at the bottom
        if legend:
            patches = [Patch(color=colour, label=label) for label, colour in legend]
            figure.legend(handles=patches, loc="outside upper left", ncols=_LEGEND_COLUMNS, frameon=False)
        svg = _saved(figure, "svg", metadata={"Date": None, "Creator": None})
        png = _saved(figure, "png", metadata={"Software": None}, dpi=160)
    return Plot(name, title, alt, svg, png)


def _saved(figure: Figure, form: str, **options: Any) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format=form, **options)
    return buffer.getvalue()
