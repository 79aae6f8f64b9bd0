"""The Docker files, read and run without an engine: health commands, waiting, and passwords with every character."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from yamllint import linter
from yamllint.config import YamlLintConfig

from tem_graph.errors import GraphRefused, GraphUnavailable
from tem_graph.graph.connection import Address
from tem_graph.server.jars import locked_version, read_lock

DOCKER = Path(__file__).parents[2] / "docker"
PASSWORDS = [
    "pa$$ w#rd'9",
    '"double" \\back',
    " blanks at both ends ",
    "$HOME `id` $(id)",
    "Пароль-密碼-ñ",
    "%s\\n{}!*?~",
]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def entrypoint() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docker_entrypoint", DOCKER / "entrypoint.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def secret(tmp_path: Path, password: str) -> Path:
    """What `docker/set-password -` writes for the password."""
    script = shutil.copy(DOCKER / "set-password", tmp_path)
    subprocess.run([script, "-"], input=password.encode(), check=True)
    return tmp_path / "secrets" / "neo4j_auth"


def seconds(duration: str) -> int:
    return sum(int(n) * {"s": 1, "m": 60, "h": 3600}[unit] for n, unit in re.findall(r"(\d+)([smh])", duration))


def test_the_compose_file_is_clean_yaml() -> None:
    config = YamlLintConfig(file=str(DOCKER / ".yamllint"))
    assert list(linter.run((DOCKER / "compose.yaml").read_text(encoding="utf-8"), config)) == []


def test_every_image_is_pinned_and_neo4j_is_the_locked_one(compose: dict[str, Any]) -> None:
    images = {name: service["image"] for name, service in compose["services"].items() if "tem-graph" not in name}
    assert images["neo4j"] == f"neo4j:{locked_version(read_lock())}-community"
    assert all(re.search(r":v?\d+\.\d+\.\d+", image) for image in images.values())
    bases = re.findall(r"^FROM (\S+)", (DOCKER / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert all(re.fullmatch(r"python:3\.12\.\d+-slim-\w+", base) for base in bases)


def test_health_is_asked_with_what_the_images_have_and_with_patience(compose: dict[str, Any]) -> None:
    """DK-01: the command exists in the image (Neo4j's has cypher-shell and wget, no curl), and nothing is hurried."""
    neo4j, vllm = compose["services"]["neo4j"]["healthcheck"], compose["services"]["vllm"]["healthcheck"]
    assert "curl" not in str([neo4j["test"], vllm["test"]])
    assert neo4j["test"][0] == "CMD-SHELL"
    assert " cypher-shell " in neo4j["test"][1]
    assert vllm["test"][:2] == ["CMD", "python3"]
    compile(vllm["test"][3], "health", "exec")
    for check in (neo4j, vllm):
        assert seconds(check["timeout"]) >= 15
        assert seconds(check["start_period"]) >= 30
        assert check["retries"] >= 3


def test_jobs_wait_for_health(compose: dict[str, Any]) -> None:
    job, with_model = compose["services"]["tem-graph"], compose["services"]["tem-graph-model"]
    assert job["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert {name: c["condition"] for name, c in with_model["depends_on"].items()} == {
        "neo4j": "service_healthy",
        "vllm": "service_healthy",
    }
    assert with_model["environment"]["TEM_GRAPH_MODEL_URL"] == "http://vllm:8000/v1"


def test_a_job_retries_anyway(entrypoint: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    address = Address("bolt://neo4j:7687", "neo4j", "secret-word")
    answers: list[Exception | str] = [GraphUnavailable("not yet"), GraphUnavailable("not yet"), "5.26"]
    pauses: list[float] = []

    def ask(asked: Address) -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert entrypoint.wait_for(address, ask=ask, sleep=pauses.append)
    assert len(pauses) == 2
    shown = capsys.readouterr().err
    assert "bolt://neo4j:7687" in shown
    assert "secret-word" not in shown


def test_a_job_does_not_try_a_wrong_password_again(entrypoint: ModuleType) -> None:
    tries = []

    def ask(address: Address) -> str:
        tries.append(address)
        raise GraphRefused("wrong password")

    assert not entrypoint.wait_for(Address("bolt://neo4j:7687", "neo4j", "x"), ask=ask, sleep=lambda pause: None)
    assert len(tries) == 1


def test_a_job_gives_up_waiting_at_last(entrypoint: ModuleType) -> None:
    pauses: list[float] = []

    def ask(address: Address) -> str:
        raise GraphUnavailable("never")

    assert not entrypoint.wait_for(Address("bolt://neo4j:7687", "neo4j", "x"), ask=ask, sleep=pauses.append)
    assert sum(pauses) == entrypoint.PATIENCE_S


def test_only_loopback_is_published(compose: dict[str, Any]) -> None:
    ports = [port for service in compose["services"].values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_password_is_in_no_variable_of_the_compose_file(compose: dict[str, Any]) -> None:
    for name in ("neo4j", "tem-graph", "tem-graph-model"):
        service = compose["services"][name]
        assert service["secrets"] == ["neo4j_auth"]
        assert service["environment"]["NEO4J_AUTH_PATH"] == "/run/secrets/neo4j_auth"
        assert not {"NEO4J_AUTH", "NEO4J_PASSWORD"} & service["environment"].keys()
    text = re.sub(r"\$\$", "", (DOCKER / "compose.yaml").read_text(encoding="utf-8"))
    assert not [name for name in re.findall(r"\$\{(\w+)", text) if "AUTH" in name or "PASSWORD" in name]


def test_neo4j_gets_no_variable_that_its_image_would_take_for_a_setting(compose: dict[str, Any]) -> None:
    names = compose["services"]["neo4j"]["environment"].keys() - {"NEO4J_AUTH_PATH"}
    assert all(re.fullmatch(r"NEO4J_(server|dbms|db|client)_\w+", name) for name in names)


@pytest.mark.parametrize("password", PASSWORDS)
def test_the_same_password_reaches_both_containers(secret: Path, password: str, entrypoint: ModuleType) -> None:
    """DK-03. Neo4j's image splits the file with this pattern and hands the second group on in quotes."""
    text = secret.read_text(encoding="utf-8").removesuffix("\n")
    match = re.fullmatch(r"([^/]+)/([^/]+)/?([tT][rR][uU][eE])?", text)
    assert match is not None
    assert match.groups() == ("neo4j", password, None)
    assert entrypoint.read_login(secret) == ("neo4j", password)


@pytest.mark.parametrize("password", PASSWORDS)
def test_the_health_command_hands_the_password_on_unseen(
    compose: dict[str, Any], tmp_path: Path, secret: Path, password: str
) -> None:
    """DK-03: whole in the environment of cypher-shell, absent from every command line."""
    shell = tmp_path / "cypher-shell"
    shell.write_text(
        f"#!{sys.executable}\nimport json, os, sys\n"
        "json.dump([os.environ['NEO4J_USERNAME'], os.environ['NEO4J_PASSWORD'], sys.argv[1:]], sys.stdout)\n",
        encoding="utf-8",
    )
    shell.chmod(0o755)
    command = compose["services"]["neo4j"]["healthcheck"]["test"][1].replace("$$", "$")
    command = command.replace("/run/secrets/neo4j_auth", str(secret))
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONUTF8": "1"}
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True, env=environment)
    username, received, arguments = json.loads(done.stdout)
    assert (username, received) == ("neo4j", password)
    assert password not in " ".join(arguments)
    assert password not in command


@pytest.mark.parametrize("password", ["pa$$ w#rd'9"])
def test_the_secret_is_closed_to_other_people(secret: Path) -> None:
    assert secret.parent.stat().st_mode & 0o777 == 0o700
    ignored = (DOCKER / ".gitignore").read_text(encoding="utf-8").split()
    assert "/secrets/" in ignored


@pytest.mark.parametrize("wrong", ["with/slash-in-it", "short", "two\nlines-of-it"])
def test_a_password_that_neo4j_would_refuse_is_refused_first(tmp_path: Path, wrong: str) -> None:
    script = shutil.copy(DOCKER / "set-password", tmp_path)
    done = subprocess.run([script, "-"], input=wrong.encode(), capture_output=True, check=False)
    assert done.returncode == 2
    assert b"the password must" in done.stderr
    assert wrong.encode() not in done.stderr
    assert not (tmp_path / "secrets").exists()


def test_a_random_password_is_long_and_new_each_time(tmp_path: Path) -> None:
    script = shutil.copy(DOCKER / "set-password", tmp_path)
    written = set()
    for _ in range(2):
        subprocess.run([script], check=True)
        written.add((tmp_path / "secrets" / "neo4j_auth").read_text())
    assert len(written) == 2
    assert all(re.fullmatch(r"neo4j/[0-9a-f]{48}\n", text) for text in written)


def test_the_image_runs_as_nobody_special_from_the_hashed_lock() -> None:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    assert "--require-hashes -r requirements/demo.txt" in text
    assert re.search(r"^USER tem-graph$", text, re.MULTILINE)
    wanted = {
        source for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE) for source in line.split()[:-1]
    }
    root = DOCKER.parent
    assert all((root / source).exists() for source in wanted)
    let_in = {line[1:] for line in (DOCKER / "Dockerfile.dockerignore").read_text().split() if line.startswith("!")}
    assert wanted == let_in
