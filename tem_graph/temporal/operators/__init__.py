"""Questions about time as pure functions: a view of one subject and relation in, a result with its evidence out.

Nothing here guesses: what is not known, not yet, planned, contradicted or ambiguous is a status of the result.
"""

from tem_graph.temporal.operators.across import Claim, during, order, overlap
from tem_graph.temporal.operators.claims import changed, ever, still
from tem_graph.temporal.operators.counts import (
    count_changes,
    count_distinct,
    count_value,
    count_versions,
    distinct,
    history,
)
from tem_graph.temporal.operators.places import (
    Occurrence,
    after,
    as_of,
    as_of_session,
    before,
    current,
    first,
    nth,
    previous,
)
from tem_graph.temporal.operators.spans import became, duration, duration_total, ended, since
from tem_graph.temporal.operators.view import Held, View

__all__ = [
    "Claim",
    "Held",
    "Occurrence",
    "View",
    "after",
    "as_of",
    "as_of_session",
    "became",
    "before",
    "changed",
    "count_changes",
    "count_distinct",
    "count_value",
    "count_versions",
    "current",
    "distinct",
    "duration",
    "duration_total",
    "during",
    "ended",
    "ever",
    "first",
    "history",
    "nth",
    "order",
    "overlap",
    "previous",
    "since",
    "still",
]
