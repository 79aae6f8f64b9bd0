"""The lock and the cache: nothing but what the lock names ever reaches a class path."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tem_graph.errors import ServerError
from tem_graph.server.jars import Jar, fetch_jars, locked_version, read_lock
from tem_graph.server.maven import Repository
from tem_graph.server.model import Reporter

CONTENT = bytes(range(256)) * 1000
JAR = Jar("org.example:thing:1.2", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))

Answer = Callable[[httpx.Request], httpx.Response]


def repository(answer: Answer) -> Repository:
    return Repository("https://maven.example/m2", transport=httpx.MockTransport(answer))


def fetch(cache: Path, answer: Answer, jars: list[Jar] | None = None, reporter: Reporter | None = None) -> list[Path]:
    return fetch_jars(jars or [JAR], cache, lambda: repository(answer), reporter)


def serve(request: httpx.Request) -> httpx.Response:
    """What a repository that knows ranges answers."""
    begin = int(match[1]) if (match := re.match(r"bytes=(\d+)-", request.headers.get("range", ""))) else None
    return httpx.Response(200, content=CONTENT) if begin is None else httpx.Response(206, content=CONTENT[begin:])


def refuse(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"{request.url} was asked for")


def files(cache: Path) -> set[str]:
    return {file.name for file in cache.rglob("*.*") if file.is_file() and file.name != ".lock"}


def test_the_committed_lock_is_whole() -> None:
    jars = read_lock()
    assert locked_version(jars).startswith("5.26.")
    assert len(jars) > 200
    assert jars == sorted(set(jars))
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in jars)
    assert {jar.coordinate.split(":")[1] for jar in jars} >= {"neo4j", "neo4j-server", "neo4j-browser", "lucene-core"}


def test_every_jar_of_neo4j_itself_has_one_version() -> None:
    versions = {jar.coordinate.split(":")[2] for jar in read_lock() if jar.coordinate.startswith("org.neo4j:")}
    assert len(versions) == 1


@pytest.mark.parametrize(
    ("coordinate", "path"),
    [
        ("org.neo4j.app:neo4j-server:5.26.0", "org/neo4j/app/neo4j-server/5.26.0/neo4j-server-5.26.0.jar"),
        ("io.netty:epoll:4.1:linux-x86_64", "io/netty/epoll/4.1/epoll-4.1-linux-x86_64.jar"),
    ],
)
def test_a_coordinate_has_its_place_in_a_repository(coordinate: str, path: str) -> None:
    assert Jar(coordinate, "0" * 64, 1).path == path


@pytest.mark.parametrize("line", ["a:b:1 abc 1", f"a:b {'0' * 64} 1", f"a:b:1 {'0' * 64}", f"a:b:1 {'0' * 64} many"])
def test_a_broken_line_of_the_lock_is_named(line: str) -> None:
    with pytest.raises(ServerError, match=r"jars\.lock, line 2"):
        read_lock(f"# head\n{line}\n")


def test_a_jar_is_downloaded_once(tmp_path: Path) -> None:
    pieces: list[int] = []
    begun: list[tuple[int, int]] = []
    reporter = Reporter(
        download_begins=lambda size, count: begun.append((size, count)), downloaded=lambda size: pieces.append(size)
    )
    (path,) = fetch(tmp_path, serve, reporter=reporter)
    assert path.read_bytes() == CONTENT
    assert begun == [(len(CONTENT), 1)]
    assert sum(pieces) == len(CONTENT)
    assert fetch(tmp_path, refuse) == [path]
    assert files(tmp_path) == {"thing-1.2.jar"}


def test_a_repository_is_not_even_looked_for_when_all_is_there(tmp_path: Path) -> None:
    fetch(tmp_path, serve)

    def nowhere() -> Repository:
        raise AssertionError("the repository was asked for")

    assert fetch_jars([JAR], tmp_path, nowhere) == [tmp_path / JAR.path]


def test_another_hash_is_refused_and_nothing_of_it_kept(tmp_path: Path) -> None:
    forged = CONTENT[:-1] + b"!"
    with pytest.raises(ServerError, match=r"org\.example:thing:1\.2 .* is not the jar in the lock") as caught:
        fetch(tmp_path, lambda request: httpx.Response(200, content=forged))
    assert hashlib.sha256(forged).hexdigest() in caught.value.message
    assert JAR.sha256 in caught.value.message
    assert files(tmp_path) == set()


def test_a_longer_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="is not the jar in the lock"):
        fetch(tmp_path, lambda request: httpx.Response(200, content=CONTENT + b"more"))


def test_a_jar_that_was_changed_in_the_cache_is_not_used(tmp_path: Path) -> None:
    (path,) = fetch(tmp_path, serve)
    path.write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(ServerError, match="HTTP 404"):
        fetch(tmp_path, lambda request: httpx.Response(404))
    assert fetch(tmp_path, serve)[0].read_bytes() == CONTENT


def test_a_broken_download_goes_on_where_it_stopped(tmp_path: Path) -> None:
    part = (tmp_path / JAR.path).with_suffix(".jar.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(CONTENT[:1000])
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers["range"])
        return serve(request)

    assert fetch(tmp_path, answer)[0].read_bytes() == CONTENT
    assert asked == ["bytes=1000-"]


def test_a_server_without_ranges_sends_it_anew(tmp_path: Path) -> None:
    part = (tmp_path / JAR.path).with_suffix(".jar.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x" * 1000)
    assert fetch(tmp_path, lambda request: httpx.Response(200, content=CONTENT))[0].read_bytes() == CONTENT


def test_a_passing_failure_is_tried_again(tmp_path: Path) -> None:
    answers = [httpx.Response(503), httpx.ConnectError("refused"), None]

    def answer(request: httpx.Request) -> httpx.Response:
        following = answers.pop(0)
        if isinstance(following, Exception):
            raise following
        return following or serve(request)

    assert fetch(tmp_path, answer)[0].read_bytes() == CONTENT


def test_an_unreachable_repository_is_named_with_what_to_do(tmp_path: Path) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route to host")

    with pytest.raises(ServerError, match=r"https://maven\.example/m2/org/example/.*no route to host") as caught:
        fetch(tmp_path, answer)
    assert "TEM_GRAPH_MAVEN_URL" in (caught.value.hint or "")


def test_one_missing_jar_fails_the_start_and_keeps_the_others(tmp_path: Path) -> None:
    missing = Jar("org.example:gone:1", "0" * 64, 5)
    with pytest.raises(ServerError, match=r"org\.example:gone:1 cannot be downloaded"):
        fetch(
            tmp_path,
            lambda request: httpx.Response(404) if "gone" in request.url.path else serve(request),
            [JAR, missing],
        )
    assert files(tmp_path) == {"thing-1.2.jar"}
