"""Facts that you already have: no model, no conversation, the same law. Then two stories about one day."""

from datetime import date

from tem_graph import BlockStyle, FactInput, TemporalMemory

CLIENT = "Cozy Home Co."
FACTS = [
    FactInput(CLIENT, "main sales channel", "Amazon", source="call Feb 12", date="2024-02-12"),
    FactInput(CLIENT, "main sales channel", "Etsy", source="call Jun 20", date="2024-06-20"),
    FactInput(CLIENT, "main sales channel", "own shop", source="call Oct 3", date="2024-10-03", effective="2024-09"),
    FactInput(CLIENT, "ad budget", "$3,000/mo", source="call Feb 12", date="2024-02-12"),
    FactInput(CLIENT, "ad budget", "$4,500/mo", source="call Oct 3", date="2024-10-03"),
    FactInput(CLIENT, "reason for leaving Amazon", "rising fees", source="call Jun 20", date="2024-06-20"),
]


def main() -> None:
    with TemporalMemory("example-by-hand") as memory:
        memory.add_facts(FACTS)
        style = BlockStyle(by_relation=True, rules=True, label="[replaced by {successor} as of {date}]")
        print(memory.evidence(f"Where does {CLIENT} sell, and what is the ad budget?", style=style))
        for known_after in ("call Jun 20", "call Oct 3"):
            point = memory.as_of(valid_at=date(2024, 9, 15), known_after=known_after)
            told = memory.operator("current", as_of=point, subject=CLIENT, relation="main sales channel")
            print(f"On 15 September, as known after {known_after}: {told.value}")


if __name__ == "__main__":
    main()
