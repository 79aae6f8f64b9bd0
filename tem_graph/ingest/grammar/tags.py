"""Tags put right where the tagger is known to stumble over chat.

Each rule looks at a word and its neighbours only, and stands here because sentences of everyday chat were
read wrongly without it. The first rule that speaks wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.words import Word

_BASE_FORMS = frozenset(("VB", "VBP"))
_EARLY = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """A word among its neighbours; beyond the edges stands an empty word."""

    words: Sequence[Word]
    i: int

    def at(self, offset: int) -> Word:
        j = self.i + offset
        return self.words[j] if 0 <= j < len(self.words) else _NO_WORD

    @property
    def word(self) -> Word:
        return self.words[self.i]

    @property
    def lower(self) -> str:
        return self.word.lower

    def follows_pronoun(self) -> bool:
        """Whether "I" or "we" stands before, with nothing but adverbs between."""
        j = self.i - 1
        while j >= 0 and (self.words[j].lower in listed("tags", "between") or self.words[j].tag == "RB"):
            j -= 1
        return j >= 0 and self.words[j].lower in {"i", "we", "they", "you"}


_NO_WORD = Word(-1, "\0", "", "", "", -1, "", -9, -9)


def repaired(words: Sequence[Word]) -> list[Word]:
    """The words with repaired tags, one for one; a word whose tag changes is its own lemma, or a known one."""
    fixed = list(words)
    for i, word in enumerate(fixed):
        place = _Place(fixed, i)
        tag = next((found for rule in _RULES if (found := rule(place))), None)
        if tag is not None:
            fixed[i] = replace(word, tag=tag, lemma=_LEMMAS.get(word.lower, word.lower))
            if i == 0 and tag == "VBD":
                fixed[i] = replace(fixed[i], dep="ROOT")  # no attribute of the noun behind it
        if word.lower == "'s" and fixed[i].tag == "VBZ" and _is_has(fixed, i):
            fixed[i] = replace(fixed[i], lemma="have")
    return fixed


def _is_has(words: Sequence[Word], i: int) -> bool:
    """Whether "'s" stands for "has": "it's been", "the family's moved"."""
    behind = next((w for w in words[i + 1 :] if w.tag != "RB"), _NO_WORD)
    return behind.lower in listed("tags", "behind_has")


_LEMMAS = {
    "'s": "be",
    "used": "use",
    "wound": "wind",
    "left": "leave",
    "got": "get",
    "swapped": "swap",
    "ditched": "ditch",
    "dropped": "drop",
    "traded": "trade",
    "switched": "switch",
    "moved": "move",
    "landed": "land",
    "relocated": "relocate",
    "settled": "settle",
    "exchanged": "exchange",
    "replaced": "replace",
    "took": "take",
    "unpacked": "unpack",
    "started": "start",
    "joined": "join",
    "signed": "sign",
    "rented": "rent",
    "bought": "buy",
    "gave": "give",
    "packed": "pack",
    "sold": "sell",
    "found": "find",
    "suits": "suit",
    **{verb: verb.removesuffix("s") for verb in ("lives", "works", "drinks", "loves", "owns")},
}


def _verb_behind_i(at: _Place) -> str | None:
    """ "I no longer like sushi": neither noun nor preposition."""
    is_plain = at.lower in listed("tags", "plain_verbs") and not at.word.is_verb
    return "VBP" if is_plain and at.follows_pronoun() else None


def _past_without_ending(at: _Place) -> str | None:
    """ "I quit teaching", "I set up shop": said once it is done."""
    is_form = (
        at.lower in {"quit", "set", "put", "cut", "shut"}
        and at.word.tag in {"VBP", "VB", "NN"}
        and at.follows_pronoun()
    )
    return "VBD" if is_form and at.at(-1).lower not in {"to", "not", "n't", "will", "ca", "wo"} else None


def _verb_behind_name(at: _Place) -> str | None:
    """ "Mia lives in Turin"."""
    is_form = at.lower in listed("tags", "third_person") and at.word.tag == "NNS"
    return "VBZ" if is_form and at.at(-1).tag == "NNP" else None


def _used_to(at: _Place) -> str | None:
    is_habit = at.lower == "used" and at.at(1).lower == "to" and at.at(-1).lemma not in {"be", "get"}
    return "VBD" if is_habit and at.i else None


def _wound_up(at: _Place) -> str | None:
    """ "I wound up in Lund": the past of "wind"."""
    return "VBD" if at.lower == "wound" and at.at(1).lower == "up" else None


def _hands_down(at: _Place) -> str | None:
    """ "Chai, hands down": an adverb, no verb."""
    return "NNS" if at.lower == "hands" and at.at(1).lower == "down" and at.at(-1).tag != "PRP" else None


def _go_to(at: _Place) -> str | None:
    """ "My go-to drink", "my go to drink"."""
    if at.lower == "go" and at.at(-1).tag == "PRP$":
        return "JJ"
    if at.lower == "to" and (at.at(-1).text == "-" or (at.at(-1).lower == "go" and at.at(-2).tag == "PRP$")):
        return "JJ"
    return "NN" if at.at(-1).lower == "to" and at.at(-1).tag == "JJ" and at.word.tag in _BASE_FORMS else None


def _trade_behind_preposition(at: _Place) -> str | None:
    """ "From accounting into teaching": lines of work, unless an object follows."""
    is_trade = at.word.tag == "VBG" and at.at(-1).tag == "IN" and at.lower in listed("occupation", "fields")
    after = at.at(1)
    has_object = after.is_noun or after.tag in {"DT", "PRP$", "PRP", "JJ"}
    return "NN" if is_trade and not has_object else None


def _hooked(at: _Place) -> str | None:
    """ "The trip got me hooked on chai": a passive."""
    is_state = at.lower in listed("verbs", "states") and at.at(-1).lower in {"me", "us"}
    return "VBN" if is_state and at.at(-2).lemma == "get" else None


def _food_participle(at: _Place) -> str | None:
    """ "I can't stand pickled herring"."""
    if at.word.tag == "VBN" and at.at(-1).lower in listed("tags", "taste_verbs"):
        return "JJ"
    is_noun = at.word.tag == "VBG" and at.at(-1).tag == "JJ" and at.at(-2).lower in listed("tags", "taste_verbs")
    return "NN" if is_noun else None


def _work_joined(at: _Place) -> str | None:
    """ "I moved and work as a cook now"."""
    is_form = at.lower in {"work", "live"} and not at.word.is_verb and at.at(1).lower in {"as", "at", "in"}
    return "VBP" if is_form and at.at(-1).lower in {"and", "now", "finally", "then", "still"} else None


def _promoted_to(at: _Place) -> str | None:
    """ "Promoted to head of logistics": a title, no infinitive."""
    is_infinitive = at.at(-1).tag == "TO" and at.word.tag in _BASE_FORMS and at.i >= 2
    after = at.at(1)
    starts_a_title = after.is_noun or after.lower == "of" or not after.text.isalpha()
    is_verb = at.lower in {"be", "become", "work", "live", "have", "do"}
    is_promotion = at.at(-2).lower in listed("tags", "promoting")
    return "NN" if is_infinitive and starts_a_title and is_promotion and not is_verb else None


def _title_behind_to(at: _Place) -> str | None:
    """ "From tailor to nurse", "change my title to cook": a title, unless an object follows."""
    if at.at(-1).lower != "to" or at.word.tag not in _BASE_FORMS:
        return None
    last = 0
    while at.at(last + 1).is_noun:
        last += 1
    ends_in_title = at.at(last).lower in listed("occupation", "nouns")
    has_object = at.at(last + 1).tag in {"DT", "PRP", "PRP$"}
    from_one = any(at.at(-k).lower == "from" for k in (3, 4, 5, 6))
    is_label = at.at(-2).lower in listed("labels", "occupation")
    is_given = at.at(-2).lower in {"me", "us"} and at.at(-3).lower in listed("tags", "promoting")
    turns = from_one or is_label or is_given or at.at(-2).lower in listed("tags", "turning")
    return "NN" if ends_in_title and not has_object and turns else None


def _compound_title(at: _Place) -> str | None:
    """ "New job: call centre agent": a noun where two more follow that end in a title."""
    is_form = at.word.tag in _BASE_FORMS and at.at(1).is_noun and at.at(2).lower in listed("occupation", "nouns")
    return "NN" if is_form and at.at(-1).tag not in {"PRP", "TO", "MD", "RB"} else None


def _suits_me(at: _Place) -> str | None:
    """ "Being a cook suits me": a verb."""
    return "VBZ" if at.lower == "suits" and at.word.tag == "NNS" and at.at(1).tag == "PRP" else None


def _flat_to_live_in(at: _Place) -> str | None:
    """ "Our Le Havre flat", "a third-floor flat in Lund": no adverb or adjective."""
    return "NN" if at.lower == "flat" and at.word.tag in {"RB", "JJ"} and at.at(-1).is_noun else None


def _noun_behind_preposition(at: _Place) -> str | None:
    """ "All about lemonade": no base form stands behind a preposition or article."""
    is_form = at.word.tag in _BASE_FORMS and at.at(-1).tag not in {"TO", "RP"}
    if at.lower in {"addict", "convert"} and at.word.tag in _BASE_FORMS and at.at(-1).is_noun:
        return "NN"
    return "NN" if is_form and at.at(-1).lower in listed("tags", "before_nouns") else None


def _participle_in_noun(at: _Place) -> str | None:
    """ "A rented flat"."""
    is_form = at.word.tag in {"VBD", "VBN"} and at.at(1).is_noun
    return "JJ" if is_form and at.at(-1).lower in {"a", "an", "my", "our"} else None


def _noun_known_by_list(at: _Place) -> str | None:
    """ "My favourite drink is oolong", "switched to lemonade": nouns that the tagger takes for something else."""
    is_dated = at.at(1).lower in {"last", "this", "next"}
    is_last = is_dated or not (at.at(1).is_noun or at.at(1).tag in {"JJ", "VBN", "VBG"} or at.at(1).text == "-")
    is_drink = at.lower in listed("drink", "nouns") and at.lower not in listed("tags", "drinks_and_verbs")
    is_job = at.lower in listed("occupation", "nouns") and len(at.lower) > 5 and at.at(-1).tag != "TO"
    return "NN" if at.word.tag in {"JJ", "VBP", "VB", "RB"} and is_last and (is_drink or is_job) else None


def _trade_done(at: _Place) -> str | None:
    """ "I do tailoring for a living": an object, not a verb."""
    return "NN" if at.word.tag == "VBG" and at.at(-1).lower in {"do", "does", "did"} else None


def _chief_of(at: _Place) -> str | None:
    """ "I'm chief of staff", "they made me lead engineer"."""
    if at.lower not in {"chief", "head", "lead"}:
        return None
    if at.at(1).lower == "of":
        return "NN" if at.word.tag == "JJ" else None
    is_given = at.at(-1).lower in {"me", "us"} or (at.at(-1).lower == "to" and at.at(-2).lower in {"me", "us"})
    return "JJ" if is_given and at.at(1).is_noun else None


def _name_in_front(at: _Place) -> str | None:
    """ "Tomás lives in Rome": a capital at the start, in front of what only a person does."""
    is_name = at.i == 0 and at.word.tag == "JJ" and at.word.is_name
    return "NNP" if is_name and at.at(1).tag in {"VBZ", "VBD"} else None


def _name_is_home(at: _Place) -> str | None:
    """ "Lund's home now", "Leo's a nurse": a verb, not a possessive."""
    if at.word.tag != "POS":
        return None
    is_home = at.at(1).lower == "home" and not at.at(2).is_noun
    return "VBZ" if is_home or at.at(1).lower in {"where", "a", "an"} else None


def _label_is(at: _Place) -> str | None:
    """ "My drink's oolong", "chai's my favourite now", "the family's moved to Lund": a verb, not a possessive."""
    if at.word.tag != "POS":
        return None
    after, later = at.at(1), at.at(2)
    is_owner = after.is_noun and later.tag in {"VBZ", "VBD", "VBP", "MD", "POS"}
    is_label = at.at(-1).lower in listed("tags", "is_behind") and (not is_owner or after.is_name or after.tag == "JJ")
    is_perfect = after.tag in {"VBN", "VBD"} and later.tag in {"IN", "TO", "RB", "RP", ":", ","}
    return "VBZ" if is_label or is_perfect or after.lower in {"my", "our", "still", "back", "not", "been"} else None


def _prepared(at: _Place) -> str | None:
    """ "Sparkling water", "iced matcha": how a drink is made, no verb."""
    is_form = at.lower in listed("tags", "prepared") and at.word.is_verb
    return "JJ" if is_form and at.at(1).is_noun else None


def _answer(at: _Place) -> str | None:
    """ "Yep, chai is still my favourite": no subject."""
    return "UH" if at.i == 0 and at.lower in listed("tags", "answers") and at.word.tag != "UH" else None


def _order_at_the_start(at: _Place) -> str | None:
    """ "Put nurse, please", "just make it Lund": an order, no part of a name."""
    opens = at.i == 0 or at.at(-1).lower in {"just", "please", ",", "ok", "okay"}
    is_form = opens and at.i < _EARLY and at.lower in listed("tags", "orders")
    return "VB" if is_form and at.at(1).tag not in {"VBZ", "VBD", "MD", "POS"} else None


def _event_at_the_start(at: _Place) -> str | None:
    """ "Swapped coffee for tea", "Got made a foreman": a verb without its subject, not a name."""
    is_own = at.lower == "quit" and at.at(1).lower in {"my", "our"}  # nobody else is told to quit it
    is_listed = is_own or at.lower in listed("tags", "events_at_the_start")
    is_form = at.i == 0 and is_listed and at.word.tag not in {"VBD", "VBN"}
    return "VBD" if is_form and at.at(1).tag not in {"VBZ", "VBD", "MD", "POS"} else None


_RULES: tuple[Callable[[_Place], str | None], ...] = (
    _verb_behind_i,
    _past_without_ending,
    _verb_behind_name,
    _used_to,
    _wound_up,
    _hands_down,
    _go_to,
    _trade_behind_preposition,
    _hooked,
    _food_participle,
    _work_joined,
    _order_at_the_start,
    _promoted_to,
    _title_behind_to,
    _compound_title,
    _flat_to_live_in,
    _suits_me,
    _noun_behind_preposition,
    _participle_in_noun,
    _noun_known_by_list,
    _trade_done,
    _chief_of,
    _name_in_front,
    _name_is_home,
    _label_is,
    _prepared,
    _answer,
    _event_at_the_start,
)
