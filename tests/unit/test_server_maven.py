"""Which repository is asked, as Maven's own settings have it."""

from __future__ import annotations

from pathlib import Path

import pytest
from jgo.constants import MAVEN_CENTRAL_URL

from tem_graph.errors import SettingsError
from tem_graph.server.maven import Repository, find_repository, mirrors_central, settings_files

NAMESPACE = 'xmlns="http://maven.apache.org/SETTINGS/1.2.0"'


def settings(folder: Path, inside: str, *, namespace: str = NAMESPACE) -> list[Path]:
    file = folder / "settings.xml"
    file.write_text(f"<settings {namespace}>{inside}</settings>", encoding="utf-8")
    return [folder / "missing.xml", file]


def mirror(of: str, url: str = "https://mirror.example/m2/", more: str = "") -> str:
    return f"<mirrors><mirror><id>ours</id><url>{url}</url><mirrorOf>{of}</mirrorOf>{more}</mirror></mirrors>"


def test_without_settings_it_is_maven_central() -> None:
    assert find_repository(files=[]) == Repository(MAVEN_CENTRAL_URL)


def test_the_setting_wins(tmp_path: Path) -> None:
    files = settings(tmp_path, mirror("*"))
    assert find_repository("https://other.example/repo/", files).url == "https://other.example/repo"


@pytest.mark.parametrize("namespace", [NAMESPACE, ""])
@pytest.mark.parametrize("of", ["central", "*", "external:*", "internal, central"])
def test_a_mirror_of_central_is_used(tmp_path: Path, of: str, namespace: str) -> None:
    assert find_repository(files=settings(tmp_path, mirror(of), namespace=namespace)).url == "https://mirror.example/m2"


@pytest.mark.parametrize("of", ["internal", "*,!central", "centrale", ""])
def test_a_mirror_of_something_else_is_not(tmp_path: Path, of: str) -> None:
    assert not mirrors_central(of)
    assert find_repository(files=settings(tmp_path, mirror(of))).url == MAVEN_CENTRAL_URL


def test_a_blocked_mirror_is_not_used(tmp_path: Path) -> None:
    files = settings(tmp_path, mirror("*", more="<blocked>true</blocked>"))
    assert find_repository(files=files).url == MAVEN_CENTRAL_URL


def test_login_and_variables_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIRROR_HOST", "inner.example")
    monkeypatch.setenv("MIRROR_PASSWORD", "s3cret")
    password = "<password>${env.MIRROR_PASSWORD}</password>"
    login = f"<servers><server><id>ours</id><username>me</username>{password}</server></servers>"
    found = find_repository(files=settings(tmp_path, login + mirror("*", "https://${env.MIRROR_HOST}/m2")))
    assert (found.url, found.auth) == ("https://inner.example/m2", ("me", "s3cret"))
    assert "s3cret" not in repr(found)


def test_an_encrypted_password_is_said_to_be_one(tmp_path: Path) -> None:
    login = "<servers><server><id>ours</id><username>me</username><password>{abc=}</password></server></servers>"
    with pytest.raises(SettingsError, match=r"'ours' .* is encrypted"):
        find_repository(files=settings(tmp_path, login + mirror("*")))


def test_the_active_proxy_is_used(tmp_path: Path) -> None:
    proxies = """<proxies>
      <proxy><active>false</active><host>off.example</host></proxy>
      <proxy><host>proxy.example</host><port>3128</port><username>me</username><password>pw</password></proxy>
    </proxies>"""
    assert find_repository(files=settings(tmp_path, proxies)).proxy == "http://me:pw@proxy.example:3128"


def test_broken_settings_name_their_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.xml"
    file.write_text("<settings>", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"settings\.xml is not valid XML"):
        find_repository(files=[file])


def test_an_installed_maven_is_asked_after_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAVEN_HOME", str(tmp_path))
    monkeypatch.delenv("M2_HOME", raising=False)
    assert settings_files() == [Path.home() / ".m2" / "settings.xml", tmp_path / "conf" / "settings.xml"]
