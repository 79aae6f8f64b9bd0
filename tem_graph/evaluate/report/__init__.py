"""Reports of evaluation jobs: tables in the shape of the paper's, plots and examples, as Markdown and one HTML page.

A report reads run folders and nothing else, and asks nobody. What the runs do not hold is left out, with a line that
says so; no figure is made up for it.
"""

from tem_graph.evaluate.report.write import write_report

__all__ = ["write_report"]
