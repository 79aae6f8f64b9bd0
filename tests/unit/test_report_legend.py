"""The legend of a plot stays on the page, however long the names of the configurations are."""

from __future__ import annotations

from typing import Any

import pytest

from tem_graph.evaluate.report import drawing


@pytest.mark.parametrize("count", [1, 3, 4, 9])
def test_the_legend_of_long_names_stays_on_the_page(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    saved = drawing._saved

    def keep(figure: Any, form: str, **options: Any) -> bytes:
        figures.append(figure)
        return saved(figure, form, **options)

    def bar(axes: Any, _: None) -> None:
        axes.barh([0], [1])

    monkeypatch.setattr(drawing, "_saved", keep)
    drawing._panels(
        "plot",
        "Title",
        "What it shows",
        [None],
        bar,
        height=lambda _: 1.5,
        legend=[("TEM-Hybrid-Unmarked", "#123456")] * count,
    )
    figure = figures[0]
    figure.draw_without_rendering()
    drawn = figure.legends[0].get_window_extent()
    assert drawn.x0 >= 0
    assert drawn.x1 <= figure.bbox.x1
    assert drawn.y1 <= figure.bbox.y1
    assert figure.axes[0].get_window_extent().y1 <= drawn.y0
