"""Which extractor reads: the configured one, or what the settings allow."""

from __future__ import annotations

from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import SettingsError
from tem_graph.ports import ChatModel, Extractor
from tem_graph.settings import Settings


def make_extractor(settings: Settings, catalog: RelationCatalog, model: ChatModel | None) -> Extractor:
    """The extractor that the setting `extractor` names; `auto` is the model where one is set, else the grammar.

    Raises:
        SettingsError: a model is asked for and none is set, or the extra `grammar` is not installed.
    """
    wanted = settings.extractor
    if wanted == "auto":
        wanted = "grammar" if model is None else "model"
    if wanted == "grammar":
        return _grammar(settings, catalog)
    if wanted == "triples":
        if not settings.open_vocabulary:
            raise SettingsError(
                "extractor 'triples' reads whatever relations the statements name",
                hint="set TEM_GRAPH_OPEN_VOCABULARY=true",
            )
        from tem_graph.ingest.triples import TripleExtractor

        return TripleExtractor()
    if model is None:
        raise SettingsError(
            f"extractor {wanted!r} needs a language model and none is set",
            hint="set TEM_GRAPH_MODEL_URL to an OpenAI-compatible server, or use --extractor grammar",
        )
    from tem_graph.ingest.model import ModelExtractor

    reader = ModelExtractor(
        model,
        catalog,
        max_tokens=settings.extraction_max_tokens,
        open_vocabulary=settings.open_vocabulary,
        user=settings.user,
        passages=settings.passages == "all",
    )
    if wanted == "model":
        return reader
    from tem_graph.ingest.checked import CheckedExtractor

    return CheckedExtractor(reader, _grammar(settings, catalog), catalog)


def _grammar(settings: Settings, catalog: RelationCatalog) -> Extractor:
    from tem_graph.ingest.grammar import GrammarExtractor

    return GrammarExtractor(catalog, user=settings.user)
