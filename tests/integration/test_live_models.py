"""Real models, where one is named: a vLLM server, and vLLM in this process.

TEM_GRAPH_TEST_MODEL_URL   address of an OpenAI-compatible server (http://127.0.0.1:8000/v1)
TEM_GRAPH_TEST_VLLM_MODEL  folder of a model for vLLM in process; run by a Python that has vLLM

What a model finds is its own affair; what is tested is the chain: replies that fit the schema, the same reply
to the same request, facts that stand in the text.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.ingest.model import ModelExtractor
from tem_graph.ingest.verify import verify
from tem_graph.ports import ChatMessage, ChatModel
from tem_graph.settings import load_relations

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.filterwarnings("default"),  # vLLM and torch warn about themselves
]

CATALOG = load_relations()
SESSIONS = [
    Session("s1", (Turn(0, "Ana", "I finally moved to Porto last month!"), Turn(1, "Ben", "Lucky you."))),
    Session("s2", (Turn(0, "Ben", "Awful weather again."), Turn(1, "Ana", "I adopted a beagle called Pickle."))),
]
QUESTION = [ChatMessage("user", "Name one colour. Reply as JSON.")]
COLOUR = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}


@pytest.fixture(params=["server", "in process"])
async def model(request: pytest.FixtureRequest) -> AsyncIterator[ChatModel]:
    if request.param == "server":
        url = os.environ.get("TEM_GRAPH_TEST_MODEL_URL")
        if not url:
            pytest.skip("TEM_GRAPH_TEST_MODEL_URL names no server")
        from tem_graph.llm.openai_http import OpenAIChat

        chat: ChatModel = OpenAIChat(url, timeout_s=900, concurrency=2)
    else:
        folder = os.environ.get("TEM_GRAPH_TEST_VLLM_MODEL")
        if not folder:
            pytest.skip("TEM_GRAPH_TEST_VLLM_MODEL names no folder")
        from tem_graph.llm.vllm_offline import VllmChat

        options = {"dtype": "float32", "max_model_len": 4096, "max_num_seqs": 4, "enforce_eager": True}
        chat = VllmChat(folder, engine=options)
    yield chat
    await chat.aclose()


async def test_the_whole_chain_from_session_to_believed_facts(model: ChatModel) -> None:
    # One model, one test: loading it takes minutes.
    first, second = await asyncio.gather(*(model.chat(QUESTION, max_tokens=40, schema=COLOUR) for _ in range(2)))
    assert first.text == second.text
    assert first.text.replace(" ", "").replace("\n", "") in {'{"colour":"red"}', '{"colour":"blue"}'}
    assert first.usage.prompt_tokens > 0
    assert first.usage.output_tokens > 0

    extractor = ModelExtractor(model, CATALOG, max_tokens=400)
    extractions = await asyncio.gather(*(extractor.extract(session) for session in SESSIONS))
    for session, extraction in zip(SESSIONS, extractions, strict=True):
        assert extraction.usage.calls >= 1
        accepted, rejected = verify(session, extraction, CATALOG)
        assert len(accepted) + len(rejected) >= len(extraction.candidates) > 0 or not extraction.candidates
        for fact in accepted:
            assert fact.quote in " ".join(turn.text for turn in session.turns)
        print(session.id, extraction.usage, [(c.subject, c.relation, c.object) for c in extraction.candidates])
        print("  believed:", [(c.subject, c.relation, c.object) for c in accepted])
