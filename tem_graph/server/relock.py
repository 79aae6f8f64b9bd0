"""Writes `jars.lock` anew: `python -m tem_graph.server.relock 5.26.30`, for whoever moves to another Neo4j.

jgo resolves Neo4j's dependencies as Maven does; every jar is downloaded and hashed. The only place that decides which
jars there are: a start reads the lock and nothing else.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from jgo.maven import MavenContext

from tem_graph.server.jars import Jar
from tem_graph.server.maven import find_repository

BROWSER_VERSION = "5.24.0"
"""The newest Neo4j Browser on Maven Central that the 5.x server takes; it is released apart from the server."""

HEADER = """\
# Every jar of the local Neo4j {version}: group:artifact:version[:classifier], SHA-256, bytes.
# Written by `python -m tem_graph.server.relock {version}`; not edited by hand.
"""


def resolve(version: str, browser: str, repository: Path) -> list[Jar]:
    """The jars of a Neo4j Community server with Browser, sorted; downloads them into `repository`."""
    context = MavenContext(repo_cache=repository, remote_repos={"central": find_repository().url})
    roots = [
        context.create_dependency(coordinate)
        for coordinate in (
            f"org.neo4j:neo4j:{version}",
            f"org.neo4j.app:neo4j-server:{version}",
            f"org.neo4j.client:neo4j-browser:{browser}",
        )
    ]
    for root in roots:
        root.raw = True  # not as bills of materials, which would pin other versions than Maven does
    direct, transitive = context.resolver.resolve(roots)
    with ThreadPoolExecutor(8) as pool:
        return sorted(pool.map(_hashed, [*direct, *transitive]))


def _hashed(dependency) -> Jar:  # type: ignore[no-untyped-def]
    data = dependency.artifact.resolve().read_bytes()
    parts = [dependency.groupId, dependency.artifactId, dependency.version, dependency.classifier]
    return Jar(":".join(filter(None, parts)), hashlib.sha256(data).hexdigest(), len(data))


@click.command()
@click.argument("version")
@click.option("--browser", default=BROWSER_VERSION, show_default=True, help="Version of Neo4j Browser.")
def relock(version: str, browser: str) -> None:
    """Resolve Neo4j VERSION and write jars.lock."""
    with TemporaryDirectory() as folder:
        jars = resolve(version, browser, Path(folder))
    lines = [f"{jar.coordinate} {jar.sha256} {jar.size}\n" for jar in jars]
    target = Path(__file__).with_name("jars.lock")
    target.write_text(HEADER.format(version=version) + "".join(lines), encoding="utf-8")
    click.echo(f"{target.name}: {len(jars)} jars, {sum(jar.size for jar in jars) / 1e6:.0f} MB", err=True)


if __name__ == "__main__":
    relock()
