"""Conversations in, marked evidence out. Needs a running Neo4j (`tem-graph server start`) and no language model."""

from tem_graph import Session, SessionDate, TemporalMemory, Turn

SESSIONS = [
    Session(
        "s1",
        (Turn(0, "Ana", "I live in Lund and I work as a nurse."), Turn(1, "Ben", "Nice! I'm still in Graz.")),
        SessionDate.parse("2023-03-01"),
    ),
    Session("s2", (Turn(0, "Ana", "Guess what, I moved to Porto last week!"),), SessionDate.parse("2024-06-08")),
]


def main() -> None:
    with TemporalMemory("example-quickstart") as memory:
        report = memory.ingest(SESSIONS)
        print(f"{report.facts} facts, {report.rejected} not believed")
        print(memory.evidence("Where has Ana lived?"))
        for question in ("Where does Ana live now?", "Where did Ana live before Porto?", "Where does Ben live?"):
            answer = memory.ask(question)
            print(f"{question}  {answer.text}  (by {answer.path})")


if __name__ == "__main__":
    main()
