"""Which Maven repository the jars come from, as this user's machine has it configured.

In this order: the setting `maven_url`; the mirror of `central` in Maven's own settings files; Maven Central, whose
address jgo knows. Proxies and certificates come from the usual environment variables, and a proxy also from Maven's
settings. Nothing else of those files is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import httpx
from jgo.constants import MAVEN_CENTRAL_URL

from tem_graph.errors import SettingsError

_CENTRAL = "central"
_VARIABLE = re.compile(r"\$\{env\.(\w+)\}")


@dataclass(frozen=True, slots=True)
class Repository:
    """A Maven repository: base address without a final slash, and who we are there, if anybody.

    `transport` replaces the network in tests.
    """

    url: str
    auth: tuple[str, str] | None = field(default=None, repr=False)
    proxy: str | None = field(default=None, repr=False)
    transport: httpx.BaseTransport | None = None

    def client(self, connections: int) -> httpx.Client:
        """A client for that many downloads at once; honours the proxy and certificate variables."""
        return httpx.Client(
            auth=self.auth,
            proxy=self.proxy,
            transport=self.transport,
            follow_redirects=True,
            timeout=httpx.Timeout(30.0, connect=15.0),
            limits=httpx.Limits(max_connections=connections),
        )


def find_repository(maven_url: str | None = None, files: list[Path] | None = None) -> Repository:
    """The repository to download from. `files` are Maven's settings files, the user's before the machine's.

    Raises:
        SettingsError: a settings file is not XML, or holds an encrypted password for the mirror it names.
    """
    if maven_url is not None:
        return Repository(maven_url.rstrip("/"))
    proxy = None
    for file in settings_files() if files is None else files:
        if not file.is_file():
            continue
        root = _parse(file)
        proxy = proxy or _proxy(root)
        if (mirror := _mirror_of_central(root)) is not None:
            url, mirror_id = mirror
            return Repository(url.rstrip("/"), _credentials(root, mirror_id, file), proxy)
    return Repository(MAVEN_CENTRAL_URL, None, proxy)


def settings_files() -> list[Path]:
    """Maven's settings files, whether they exist or not: the user's, then those of an installed Maven."""
    homes = [os.environ[name] for name in ("MAVEN_HOME", "M2_HOME") if os.environ.get(name)]
    machine = [Path(home) / "conf" / "settings.xml" for home in homes] or [Path("/etc/maven/settings.xml")]
    return [Path.home() / ".m2" / "settings.xml", *machine]


def _parse(file: Path) -> ElementTree.Element:
    try:
        root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise SettingsError(
            f"{file} is not valid XML: {error}", hint="correct it, or set TEM_GRAPH_MAVEN_URL"
        ) from error
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def _mirror_of_central(root: ElementTree.Element) -> tuple[str, str] | None:
    for mirror in root.iterfind("mirrors/mirror"):
        url = _text(mirror, "url")
        if url and mirrors_central(_text(mirror, "mirrorOf")) and _text(mirror, "blocked") != "true":
            return url, _text(mirror, "id")
    return None


def mirrors_central(pattern: str) -> bool:
    """Whether Maven's `mirrorOf` pattern takes in Maven Central. Pure.

    >>> [mirrors_central(p) for p in ("central", "*", "external:*", "mine,central", "*,!central", "mine")]
    [True, True, True, True, False, False]
    """
    parts = [part.strip() for part in pattern.split(",")]
    return f"!{_CENTRAL}" not in parts and any(part in (_CENTRAL, "*", "external:*") for part in parts)


def _credentials(root: ElementTree.Element, mirror_id: str, file: Path) -> tuple[str, str] | None:
    for server in root.iterfind("servers/server"):
        if _text(server, "id") != mirror_id or not _text(server, "username"):
            continue
        password = _text(server, "password")
        if password.startswith("{") and password.endswith("}"):
            raise SettingsError(
                f"the password of server {mirror_id!r} in {file} is encrypted, which only Maven itself can read",
                hint="set TEM_GRAPH_MAVEN_URL to a mirror that needs no password",
            )
        return _text(server, "username"), password
    return None


def _proxy(root: ElementTree.Element) -> str | None:
    for proxy in _active_proxies(root):
        user, password = _text(proxy, "username"), _text(proxy, "password")
        login = f"{user}:{password}@" if user else ""
        return f"http://{login}{_text(proxy, 'host')}:{_text(proxy, 'port') or '8080'}"
    return None


def _active_proxies(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    for proxy in root.iterfind("proxies/proxy"):
        if _text(proxy, "active") != "false" and _text(proxy, "host"):
            yield proxy


def _text(element: ElementTree.Element, name: str) -> str:
    """The child's text, stripped, with `${env.NAME}` replaced as Maven does; empty where there is none."""
    text = (element.findtext(name) or "").strip()
    return _VARIABLE.sub(lambda match: os.environ.get(match[1], ""), text)
