"""Drinks in running words: where one stands, and which of the words around it belong to its name."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.ingest.grammar.lexicon import singular, words
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.words import Sentence, Word

_LONGEST_NAME = 5


def drinks_in(sentence: Sentence, first: int = 0, stop: int | None = None) -> tuple[Phrase, ...]:
    """The drinks that the words name, each cut as an object would be: without measure, owner and praise."""
    items = sentence.words
    stop = len(items) if stop is None else stop
    found: list[Phrase] = []
    i = first
    while i < stop:
        end = _drink_end(items, i, stop)
        if end == i or items[i].is_time or items[i].quoted or (i and items[i - 1].text == "%"):
            i += 1
            continue
        begin = i
        floor = max(first, found[-1].stop if found else first)
        while begin > floor and _belongs(items, begin - 1):
            begin -= 1
        end = _with_second(items, end, stop)
        if _describes(items, end):
            i = end
            continue
        found.append(Phrase(sentence, "", begin, end))
        i = end
    return tuple(found)


def _drink_end(items: Sequence[Word], i: int, stop: int) -> int:
    """One past the last word of the drink whose known words begin at `i`; `i` where none begins."""
    for j in range(min(i + _LONGEST_NAME, stop), i, -1):
        text = " ".join(w.lower for w in items[i:j]).replace(" - ", "-")
        is_noun = items[j - 1].is_noun or text not in words("tags", "drinks_and_verbs")
        if is_noun and names_a_drink(text):
            return max(j, _end_of_what_goes_on(items, j, stop))
    return i


def _end_of_what_goes_on(items: Sequence[Word], j: int, stop: int) -> int:
    """Where a longer name ends: "milk" in "oat milk latte" goes on, and so does "decaf" in "decaf oat cappuccino"."""
    onward = j
    while onward < stop and items[onward].lower in words("drink", "flavours"):
        onward += 1
    end = _drink_end(items, onward, stop) if onward < stop else onward
    return end if end > onward else _drink_end(items, j, stop) if j < stop else j


def names_a_drink(text: str) -> bool:
    """Whether the whole text is a drink by the list, and not a mere kind of drink."""
    nouns = words("drink", "nouns")
    if singular(text) in words("drink", "kinds"):
        return False
    return text in nouns or singular(text) in nouns


def _describes(items: Sequence[Word], end: int) -> bool:
    """Whether the drink only describes the noun behind it: "coconut milk ice cream", but not "a kvass person"."""
    if end >= len(items) or not items[end].is_noun or items[end].is_time or items[end].is_name:
        return False
    if items[end].lower in words("nouns", "never_inside") | words("preference", "intensifiers"):
        return False
    return singular(items[end].lower) not in words("drink", "followers") and items[end].lower not in words(
        "drink", "followers"
    )


def _with_second(items: Sequence[Word], end: int, stop: int) -> int:
    """Where the name ends if it is one of two: "gin and tonic"."""
    pair = "-".join(w.lower for w in items[end - 1 : end + 2])
    return end + 2 if end + 2 <= stop and pair in words("drink", "pairs") else end


def _belongs(items: Sequence[Word], i: int) -> bool:
    """Whether the word in front of a drink is part of its name."""
    word = items[i]
    if word.lower in words("drink", "flavours"):
        return True
    if word.lower == "and" and i + 1 < len(items):
        # "lemon and ginger tea"
        return {items[i - 1].lower, items[i + 1].lower} <= words("drink", "flavours") and i > 0
    if word.is_time or not word.text[0].isalnum() or "/" in word.text or word.lower in words("drink", "apart"):
        return False
    if word.lower in words("nouns", "articles") | words("nouns", "praise") - {"plain"}:
        return False
    if word.lower in words("drink", "farewells") | words("tags", "behind_has") or word.lower == "home":
        return False  # "brought home mate", "nothing's replaced mate", "sorry tea"
    if word.lower in words("people", "owners") | words("people", "first") | words("nouns", "empty"):
        return False
    return word.is_noun or word.tag == "JJ" or word.lower in words("tags", "prepared")
