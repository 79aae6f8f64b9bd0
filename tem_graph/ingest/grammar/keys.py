"""The key of a verb group, as frames name it: "move", "give up", "be back", "be hooked"."""

from __future__ import annotations

from tem_graph.ingest.grammar.verbs import VerbGroup
from tem_graph.ingest.grammar.words import Sentence

_PARTICLES = frozenset(("up", "down", "off", "out", "over", "back", "away", "in", "on", "behind"))
# Verbs that say what their subject is or becomes.
_LINKING = frozenset(("be", "get", "feel", "become", "grow"))
_ALWAYS_PARTICLES = frozenset(("up", "back", "off", "away"))
_PREDICATES = frozenset(("back", "home", "into", "off", "done", "over", "through", "all"))
_BEFORE_NOUNS = frozenset(("into", "off", "over"))


def key_of(sentence: Sentence, group: VerbGroup, labelled: bool, *, leaves_out_be: bool) -> str:
    if leaves_out_be:
        return f"be {group.head.lower}"
    if group.key in {"be", "become"} and labelled:
        return group.key
    if group.key in _LINKING and (said := predicate(sentence, group)):
        return f"be {said}"
    moved = particle(sentence, group)
    return f"{group.key} {moved}" if moved else group.key


def particle(sentence: Sentence, group: VerbGroup) -> str:
    """The particle of a phrasal verb: "up" in "gave up"."""
    if group.stop >= len(sentence.words):
        return ""
    word = sentence.words[group.stop]
    follows = sentence.words[group.stop + 1].lower if group.stop + 1 < len(sentence.words) else ""
    if word.lower not in _PARTICLES or (word.lower, follows) in {("out", "of"), ("away", "from")}:
        return ""
    is_particle = word.tag == "RP" or word.dep == "prt" or word.lower in _ALWAYS_PARTICLES
    return word.lower if is_particle or follows in {"of", "to", "with", "as"} else ""


def predicate(sentence: Sentence, group: VerbGroup) -> str:
    """The adjective or adverb that "be" says of its subject: "back", "fond", "hooked"."""
    if group.key not in _LINKING:
        return ""
    for j in range(group.stop, min(group.stop + 3, len(sentence.words))):
        word = sentence.words[j]
        after = sentence.words[j + 1] if j + 1 < len(sentence.words) else None
        if group.key != "be" and word.lower in _PREDICATES:
            return ""  # "got back": a particle
        if word.tag in {"JJ", "VBN", "VBD", "RP"} or word.lower in _PREDICATES:
            is_attribute = after is not None and (after.is_noun or after.tag in {"JJ", "HYPH", "CC"})
            return "" if is_attribute and word.lower not in _BEFORE_NOUNS else word.lower
        if word.tag not in {"RB", "RBR"} and not word.is_time:
            return ""
    return ""
