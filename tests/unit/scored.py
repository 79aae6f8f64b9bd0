"""Runs as jobs leave them behind, made up and seeded: what tests of scores and reports read."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tem_graph.evaluate.log import LogLine, LogWriter
from tem_graph.evaluate.questions import Question, write_questions
from tem_graph.evaluate.spec import ModelSpec, RetrievalSpec, Spec

TOWNS = ("Lyon", "Porto", "Ghent", "Turin", "Graz", "Brno")
STATE_CONFIGS = ("session-rag", "full-context", "overwrite", "unmarked", "tem-status")
HYBRID_CONFIGS = ("session-rag", "full-context", "tem-hybrid-unmarked", "tem-hybrid-state")
SKILL: Mapping[str, float] = {
    "session-rag": 0.55,
    "full-context": 0.65,
    "overwrite": 0.3,
    "unmarked": 0.5,
    "tem-status": 0.9,
    "tem-hybrid-unmarked": 0.6,
    "tem-hybrid-state": 0.62,
}
LENGTH: Mapping[str, int] = {"session-rag": 240, "full-context": 900, "overwrite": 60, "unmarked": 100}


def model_spec(name: str = "tiny-instruct", **changes: Any) -> ModelSpec:
    return ModelSpec(
        name=name,
        temperature=0.0,
        seed=42,
        window=4096,
        answer_max_tokens=512,
        extraction_max_tokens=8192,
        **changes,
    )


def make_spec(job: str, configs: Sequence[str], model: str | None = "tiny-instruct", **changes: Any) -> Spec:
    retrieval = RetrievalSpec(extractor="model", embedder="all-mpnet-base-v2", counter="all-mpnet-base-v2", limit=15)
    return Spec(
        job=job,
        data_name=f"{job}-set",
        data_sha256="ab" * 32,
        configs=tuple(configs),
        prompts=("answer.v1@c929eca7",),
        model=model_spec(model) if model else None,
        retrieval=retrieval,
        code="0.1.0+0123456789ab",
        **changes,
    )


def question(id_: str = "q1", kind: str = "current", reference: str | None = "Lyon", **changes: Any) -> Question:
    return replace(Question(id_, f"Where does Ada live ({id_})?", kind, reference, group="ada"), **changes)


def answered(id_: str = "q1", config: str = "tem-status", answer: str = "Lyon.", **changes: Any) -> LogLine:
    given = {
        "id": id_,
        "config": config,
        "question": f"Where does Ada live ({id_})?",
        "raw_reply": answer,
        "answer": answer,
        "path": "model",
        "finish_reason": "stop",
        "calls": 1,
        "prompt_tokens": 150,
        "evidence_tokens": 100,
        "output_tokens": 8,
        "seconds": 0.5,
    }
    return LogLine.model_validate(given | changes)


def write_run(folder: Path, spec: Spec, questions: Sequence[Question], log: Iterable[LogLine]) -> Path:
    with LogWriter(folder, spec) as writer:
        writer.append(log)
    write_questions(folder, questions)
    return folder


def state_update_run(folder: Path, *, model: str = "tiny-instruct", seed: int = 1, size: int = 70) -> Path:
    """Questions of three kinds under five configurations; one answer each failed, truncated and empty."""
    choose = random.Random(seed)
    kinds = ("current", "historical", "previous_residence")
    questions = []
    for number in range(size):
        kind, town = kinds[number % 3], TOWNS[number % len(TOWNS)]
        others = tuple(t for t in TOWNS[:3] if t != town)
        relation = "residence" if kind == "previous_residence" else ("residence", "occupation", "drink")[number % 2]
        questions.append(question(f"su-{number:03d}", kind, town, other_values=others, metadata={"relation": relation}))
    log = []
    for config in STATE_CONFIGS:
        for asked in questions:
            is_hit = choose.random() < SKILL[config] - (
                0.25 if asked.kind != "current" and config != "tem-status" else 0
            )
            town = asked.reference if is_hit else asked.other_values[0]
            length = LENGTH.get(config, 105) + choose.randint(-15, 20)
            log.append(
                answered(
                    asked.id, config, f"Ada lived in {town}.", question=asked.text, kind=asked.kind,
                    evidence_tokens=length, prompt_tokens=length + 60, seconds=round(choose.uniform(0.2, 2), 3),
                )
            )  # fmt: skip
    log[0] = answered(log[0].id, log[0].config, "", path=None, error="ModelRefused: too long", evidence_tokens=None)
    log[1] = answered(log[1].id, log[1].config, "Ada lived in", finish_reason="length")
    log[2] = answered(log[2].id, log[2].config, "  ")
    return write_run(folder, make_spec("state-update", STATE_CONFIGS, model), questions, log)


def locomo_run(
    folder: Path, *, model: str | None = "tiny-instruct", seed: int = 2, size: int = 80, adversarial: int = 0
) -> Path:
    """Made-up questions in LoCoMo's categories; with `model=None` evidence alone."""
    choose = random.Random(seed)
    kinds = ("multi-hop", "temporal", "open-domain", "single-hop", "single-hop")
    questions = [
        question(
            f"conv-0-q{number:03d}", kind := kinds[number % 5], f"{TOWNS[number % 6]}, in {2000 + number}",
            text=f"Made-up question {number}?", group="conv-0", evidence=(f"D1:{number}", f"D2:{number}"),
            support=(f"(2023-05-08) Ada: I was in {TOWNS[number % 6]} in {2000 + number}",),
            metadata={"category": {"multi-hop": 1, "temporal": 2, "open-domain": 3, "single-hop": 4}[kind]},
        )
        for number in range(size)
    ]  # fmt: skip
    questions[0] = replace(questions[0], evidence=(), support=())
    questions += [
        question(f"conv-0-q{size + n:03d}", "adversarial", None, group="conv-0", metadata={"category": 5})
        for n in range(adversarial)
    ]
    log = []
    for config in HYBRID_CONFIGS:
        for asked in questions:
            found = tuple(id_ for id_ in asked.evidence if choose.random() < SKILL[config] + 0.2)
            if model is None:
                log.append(answered(asked.id, config, "", path="evidence", calls=0, evidence_turns=found))
                continue
            right = choose.random() < SKILL[config]
            said = (asked.reference or "not mentioned") if right else "Somewhere in spring"
            tokens = 30_000 if config == "full-context" else choose.randint(990, 1024)
            log.append(
                answered(asked.id, config, said, question=asked.text, kind=asked.kind, evidence_turns=found,
                         evidence_tokens=tokens, prompt_tokens=tokens + 80)
            )  # fmt: skip
    if model is not None:
        log[3] = answered(log[3].id, log[3].config, "cut", finish_reason="length")
    return write_run(folder, make_spec("locomo", HYBRID_CONFIGS, model, no_model=model is None), questions, log)
