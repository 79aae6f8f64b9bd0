"""Token counters: exact where there is a tokenizer or a server, on the safe side where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from tem_graph.embed.minilm import _load_tokenizer
from tem_graph.embed.tokens import BertCounter, EstimateCounter, ServerTokenCounter, TokenizerCounter
from tem_graph.errors import BadReply, ModelUnavailable, SettingsError
from tem_graph.ports import TokenCounter


class TestEstimate:
    @pytest.mark.parametrize(
        ("text", "tokens"),
        [("", 0), ("Ana", 1), ("Ana lives.", 3), ("photographer", 2), ("2024-03-02", 6), ("上海", 2), (" \n ", 0)],
    )
    def test_counts_by_its_rule(self, text: str, tokens: int) -> None:
        assert EstimateCounter().count(text) == tokens

    def test_is_on_the_safe_side_of_a_real_tokenizer(self) -> None:
        text = (
            "[historical] Ana | residence | Lisbon (session s3, 2 March 2024)\nAna | occupation | photographer at a "
            "small studio near the river (session s7)\nAna told Ivo that she had drunk coffee until the summer."
        )
        exact = len(_load_tokenizer().encode(text, add_special_tokens=False).ids)
        assert exact <= EstimateCounter().count(text) <= 1.4 * exact

    @given(st.text(), st.text())
    def test_joining_lines_adds_up(self, left: str, right: str) -> None:
        counter = EstimateCounter()
        assert counter.count(f"{left}\n{right}") == counter.count(left) + counter.count(right)


@pytest.fixture
def tokenizer_folder(tmp_path: Path) -> Path:
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "[CLS]": 1, "ana": 2}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 1)])
    tokenizer.enable_truncation(3)
    tokenizer.enable_padding(length=8)
    folder = tmp_path / "tiny-model"
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


class TestTokenizer:
    @pytest.mark.parametrize("file", ["", "tokenizer.json"])
    def test_counts_the_text_alone_and_uncut(self, tokenizer_folder: Path, file: str) -> None:
        counter = TokenizerCounter(tokenizer_folder / file)
        assert counter.name == "tiny-model"
        assert (counter.count("ana lives in Lisbon now"), counter.count("")) == (5, 0)

    def test_names_what_is_no_tokenizer(self, tmp_path: Path) -> None:
        broken = tmp_path / "tokenizer.json"
        broken.write_text("{}")
        with pytest.raises(SettingsError, match=r"no tokenizer at '.*tokenizer\.json'"):
            TokenizerCounter(broken)


def server(handler: httpx.MockTransport) -> ServerTokenCounter:
    return ServerTokenCounter("http://127.0.0.1:8000/v1/", model="m", client=httpx.Client(transport=handler))


class TestServer:
    def test_asks_beside_v1_once_per_text(self) -> None:
        asked: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            return httpx.Response(200, json={"count": 4, "max_model_len": 4096, "tokens": [1, 2, 3, 4]})

        counter = server(httpx.MockTransport(answer))
        assert [counter.count("Ana lives in Lisbon"), counter.count("Ana lives in Lisbon"), counter.count("")] == [
            4,
            4,
            0,
        ]
        assert [str(request.url) for request in asked] == ["http://127.0.0.1:8000/tokenize"]
        body = json.loads(asked[0].content)
        assert (body["model"], body["prompt"], body["add_special_tokens"]) == ("m", "Ana lives in Lisbon", False)
        counter.close()

    def test_understands_llama_cpp(self) -> None:
        counter = server(httpx.MockTransport(lambda _: httpx.Response(200, json={"tokens": [5, 6]})))
        assert counter.count("Ana lives") == 2
        counter.close()

    @pytest.mark.parametrize(
        ("response", "error", "says"),
        [
            (httpx.Response(404), BadReply, "answered 404"),
            (httpx.Response(200, json=[]), BadReply, "without a token count"),
            (httpx.Response(200, text="<html>"), BadReply, "without a token count"),
            (httpx.ConnectError("refused"), ModelUnavailable, "did not answer: refused"),
        ],
    )
    def test_says_what_went_wrong(self, response: object, error: type[Exception], says: str) -> None:
        def answer(_: httpx.Request) -> httpx.Response:
            if isinstance(response, httpx.Response):
                return response
            assert isinstance(response, Exception)
            raise response

        counter = server(httpx.MockTransport(answer))
        with pytest.raises(error, match=says):
            counter.count("x")
        counter.close()


def test_all_fit_the_port(tokenizer_folder: Path) -> None:
    counter = server(httpx.MockTransport(lambda _: httpx.Response(404)))
    assert all(isinstance(c, TokenCounter) for c in (EstimateCounter(), TokenizerCounter(tokenizer_folder), counter))
    counter.close()


def test_berts_word_pieces_are_counted_without_special_tokens_and_without_a_limit() -> None:
    counter = BertCounter()
    assert counter.name == "bert-base-uncased"
    assert counter.count("") == 0
    assert counter.count("Unaffordable!") == 5  # una ##ff ##ord ##able !
    assert counter.count("word " * 1000) == 1000
