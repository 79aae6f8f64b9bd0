"""Settings: where they come from, which wins, and errors that name the setting and hide secrets."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tem_graph.domain.relation import Cardinality
from tem_graph.errors import SettingsError
from tem_graph.settings import Settings, load_relations, load_settings


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    for name in list(os.environ):
        if name.startswith(("TEM_GRAPH_", "NEO4J_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_the_defaults_are_the_papers() -> None:
    settings = load_settings()
    assert (settings.limit, settings.temperature, settings.seed) == (15, 0.0, 42)
    assert (settings.extraction_max_tokens, settings.answer_max_tokens) == (8192, 512)
    assert not settings.thinking
    assert settings.zone is UTC
    weights = {r.name: r.weight for r in load_relations()}
    assert weights == {
        "residence": 1.0, "employer": 1.0, "occupation": 0.9, "possession": 0.8, "likes": 0.6, "dislikes": 0.6,
    }  # fmt: skip


def test_arguments_win_over_the_environment_and_that_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("tem-graph.toml").write_text('memory = "file"\nlimit = 3\nconcurrency = 2\n', encoding="utf-8")
    monkeypatch.setenv("TEM_GRAPH_LIMIT", "5")
    monkeypatch.setenv("TEM_GRAPH_CONCURRENCY", "6")
    settings = load_settings(concurrency=7, limit=None)
    assert (settings.memory, settings.limit, settings.concurrency) == ("file", 5, 7)


def test_a_file_elsewhere_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "mine.toml"
    elsewhere.write_text('memory = "mine"\nneo4j_uri = "bolt://db:7687"\n', encoding="utf-8")
    monkeypatch.setenv("TEM_GRAPH_CONFIG", str(elsewhere))
    settings = load_settings()
    assert (settings.memory, settings.neo4j_uri) == ("mine", "bolt://db:7687")


def test_the_connection_has_neo4js_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("URI", "neo4j://h"), ("USERNAME", "u"), ("PASSWORD", "very-secret"), ("DATABASE", "d")):
        monkeypatch.setenv(f"NEO4J_{name}", value)
    settings = load_settings()
    assert (settings.neo4j_uri, settings.neo4j_username, settings.neo4j_database) == ("neo4j://h", "u", "d")
    assert settings.neo4j_password is not None
    assert settings.neo4j_password.get_secret_value() == "very-secret"
    assert "very-secret" not in f"{settings!r} {settings.model_dump()} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", 0),
        ("concurrency", 0),
        ("timezone", "Mars/Olympus"),
        ("extractor", "guess"),
        ("memory", ""),
        ("temperature", -1),
        ("connect_timeout_s", 0),
        ("model_timeout_s", "soon"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: object) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings(**{name: value})


def test_a_misspelt_setting_is_named_and_secrets_are_not_shown() -> None:
    Path("tem-graph.toml").write_text('limitt = 3\nmodel_key = "very-secret"\nlimit = "x"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="limitt") as caught:
        load_settings()
    assert "very-secret" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_file_that_is_no_toml_says_so() -> None:
    Path("tem-graph.toml").write_text("memory = ", encoding="utf-8")
    with pytest.raises(SettingsError, match="not valid TOML"):
        load_settings()


def test_a_zone_is_a_zone() -> None:
    assert load_settings(timezone="Europe/Vienna").zone == ZoneInfo("Europe/Vienna")


def test_every_setting_is_described() -> None:
    assert [name for name, field in Settings.model_fields.items() if not (field.description or "").endswith(".")] == []


def test_own_relations_are_added_and_replace_by_name(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        '[[relation]]\nname = "ad budget"\naliases = ["budget"]\n\n'
        '[[relation]]\nname = "occupation"\nweight = 0.5\ncardinality = "multi"\n',
        encoding="utf-8",
    )
    catalog = load_settings(relations=own).catalog()
    assert (catalog.get("Budget").name, catalog.get("ad_budget").weight) == ("ad budget", 1.0)
    assert (catalog.get("occupation").weight, catalog.get("occupation").cardinality) == (0.5, Cardinality.MULTI)
    assert catalog.get("residence").weight == 1.0


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[[relation]]\nname = "x"\nweigth = 1\n', "weigth"),
        ('[[relation]]\nname = "x"\nweight = 0\n', "weight"),
        ('[[relation]]\nname = "x"\ncardinality = "some"\n', "cardinality"),
        ('[[relation]]\nname = "x"\naliases = ["lives in"]\n', "'lives in' is used by both"),
        ('[[relation]]\nname = "x"\nopposite = "y"\n', "opposite 'y'"),
        ("[[relation]\n", "not valid TOML"),
    ],
)
def test_a_wrong_relations_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=named):
        load_relations(own)


def test_a_missing_relations_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml cannot be read"):
        load_relations(tmp_path / "nowhere.toml")
