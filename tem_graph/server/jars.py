"""Neo4j's jars: the committed lock, and a cache that holds exactly what the lock names.

A jar enters the cache only after its SHA-256 has been compared with the lock's, and is compared again at every
start; one that differs is never put on a class path.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import httpx
from filelock import FileLock

from tem_graph.errors import ServerError
from tem_graph.server.maven import Repository
from tem_graph.server.model import Reporter

PARALLEL_DOWNLOADS = 8
ATTEMPTS = 4
"""Tries per jar; each goes on where the last one broke off."""

_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, order=True)
class Jar:
    """One line of the lock. `coordinate` is group:artifact:version, with a fourth part where there is a classifier."""

    coordinate: str
    sha256: str
    size: int

    @property
    def path(self) -> str:
        """Where every Maven repository keeps it, with forward slashes."""
        group, artifact, version, *classifier = self.coordinate.split(":")
        name = "-".join([artifact, version, *classifier]) + ".jar"
        return "/".join([*group.split("."), artifact, version, name])


def read_lock(text: str | None = None) -> list[Jar]:
    """The jars of a lock's text, by default the committed one, in class-path order.

    Raises:
        ServerError: a line is not `coordinate sha256 bytes`; names the line.
    """
    if text is None:
        text = resources.files("tem_graph.server").joinpath("jars.lock").read_text(encoding="utf-8")
    jars = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            coordinate, sha256, size = line.split()
            jar = Jar(coordinate, sha256, int(size))
        except ValueError:
            raise ServerError(f"jars.lock, line {number}: not 'coordinate sha256 bytes'") from None
        if len(sha256) != 64 or not 3 <= len(coordinate.split(":")) <= 4:
            raise ServerError(f"jars.lock, line {number}: not 'coordinate sha256 bytes'")
        jars.append(jar)
    return jars


def locked_version(jars: Iterable[Jar]) -> str:
    """The Neo4j version that a lock holds."""
    return next(jar.coordinate.split(":")[2] for jar in jars if jar.coordinate.startswith("org.neo4j:neo4j:"))


def fetch_jars(
    jars: list[Jar], cache: Path, repository: Callable[[], Repository], reporter: Reporter | None = None
) -> list[Path]:
    """The jars' paths below `cache`, in the given order, each present and with the right hash.

    Downloads what is missing or damaged, several at once, and goes on where a broken download stopped.
    `repository` is asked only when something has to be downloaded. Retry: harmless; two processes take turns.

    Raises:
        ServerError: a jar cannot be had, or the repository sent one with another hash.
    """
    reporter = reporter or Reporter()
    paths = [cache / jar.path for jar in jars]
    cache.mkdir(parents=True, exist_ok=True)
    with FileLock(cache / ".lock"), ThreadPoolExecutor(PARALLEL_DOWNLOADS) as pool:
        sound = list(pool.map(lambda pair: _is_sound(*pair), zip(jars, paths, strict=True)))
        missing = [(jar, path) for jar, path, good in zip(jars, paths, sound, strict=True) if not good]
        if missing:
            _download_all(missing, repository(), pool, reporter)
    return paths


def _download_all(
    missing: list[tuple[Jar, Path]], repository: Repository, pool: ThreadPoolExecutor, reporter: Reporter
) -> None:
    reporter.download_begins(sum(jar.size for jar, _ in missing), len(missing))
    with ExitStack() as stack:
        client = stack.enter_context(repository.client(PARALLEL_DOWNLOADS))
        # The largest first, so that none of them is left alone at the end.
        pending = [
            pool.submit(_download, jar, path, f"{repository.url}/{jar.path}", client, reporter)
            for jar, path in sorted(missing, key=lambda pair: -pair[0].size)
        ]
        stack.callback(lambda: [future.cancel() for future in pending])
        for future in pending:
            future.result()


def _download(jar: Jar, path: Path, url: str, client: httpx.Client, reporter: Reporter) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _download_rest(jar, part, url, client, reporter)
            break
        except httpx.HTTPStatusError as error:
            if attempt == ATTEMPTS or error.response.status_code < 500:
                raise _unreachable(jar, url, f"HTTP {error.response.status_code}") from error
        except httpx.TransportError as error:
            if attempt == ATTEMPTS:
                raise _unreachable(jar, url, str(error) or type(error).__name__) from error
    found = _sha256(part)
    if found != jar.sha256:
        part.unlink()
        raise ServerError(
            f"{jar.coordinate} from {url} is not the jar in the lock: its SHA-256 is {found}, not {jar.sha256}",
            hint="nothing of it was kept; the repository or a proxy changed the file: "
            "set TEM_GRAPH_MAVEN_URL to one you trust",
        )
    part.replace(path)


def _download_rest(jar: Jar, part: Path, url: str, client: httpx.Client, reporter: Reporter) -> None:
    """Appends what `part` lacks; begins anew where the server does not do ranges."""
    have = part.stat().st_size if part.exists() else 0
    if have > jar.size:
        part.unlink()
        have = 0
    if have == jar.size:
        reporter.downloaded(have)
        return
    headers = {"Range": f"bytes={have}-"} if have else {}
    with client.stream("GET", url, headers=headers) as response:
        response.raise_for_status()
        resumed = response.status_code == httpx.codes.PARTIAL_CONTENT
        with part.open("ab" if resumed else "wb") as file:
            for chunk in response.iter_bytes(_CHUNK_BYTES):
                file.write(chunk)
                reporter.downloaded(len(chunk))


def _unreachable(jar: Jar, url: str, why: str) -> ServerError:
    return ServerError(
        f"{jar.coordinate} cannot be downloaded from {url}: {why}",
        hint="check the network and HTTPS_PROXY, or name a mirror of Maven Central in TEM_GRAPH_MAVEN_URL or "
        "in ~/.m2/settings.xml; what was downloaded so far is kept",
    )


def _is_sound(jar: Jar, path: Path) -> bool:
    return path.is_file() and path.stat().st_size == jar.size and _sha256(path) == jar.sha256


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
