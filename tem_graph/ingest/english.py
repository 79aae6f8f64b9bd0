"""The English words that decide whether a clause states something. Data only, read by `clauses`.

Patterns run over the folded words of a clause, joined by single blanks: `before` ends where the object
begins, `after` starts where it ends. They were written against invented sentences; a text in another
language matches none of them and is judged by what the text holds alone.
"""

from __future__ import annotations

import re
from typing import Final


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _words(*words: str) -> re.Pattern[str]:
    return _any(*(rf"\b{w}(?![\w'])" for w in words))


ABBREVIATIONS: Final = _set(
    """
    mr mrs ms dr prof st co inc ltd corp vs etc jr sr no dept approx e.g i.e
    """
)

FIRST: Final = _set(
    """
    i i'm i've i'd i'll im ive we we're we've we'd we'll myself
    """
)
SECOND: Final = _set(
    """
    you you're you've you'd you'll u ya
    """
)
THIRD: Final = _set(
    """
    he he's he'd he'll she she's she'd she'll they they're they've they'd they'll who who's who've someone
    somebody everyone everybody people anyone
    """
)
NOMINATIVE: Final = FIRST | SECOND | THIRD | {"it", "it's", "there", "there's", "that's", "this"}
FIRST_POSSESSIVE: Final = frozenset({"my", "our", "mine", "ours"})
THIRD_POSSESSIVE: Final = frozenset({"his", "her", "hers", "their", "theirs"})
SECOND_POSSESSIVE: Final = frozenset({"your", "yours"})
PREPOSITIONS: Final = _set(
    """
    with to for from by of at in on near like than about without around beside behind after before and or
    """
)

PERSONS: Final = _set(
    """
    brother sister sibling mother father mom mum mommy dad daddy parent son daughter kid child children wife
    husband spouse partner girlfriend boyfriend fiancé fiancée fiance fiancee cousin aunt auntie uncle nephew
    niece grandma grandmother grandpa grandfather grandparent granny nan friend bestie buddy mate pal colleague
    coworker co-worker boss manager supervisor neighbour neighbor roommate flatmate housemate landlord landlady
    teacher professor tutor ex twin in-laws inlaws relative relatives family folks client customer mentor intern
    assistant guy girl man woman boy lady dude person student classmate teammate dog cat puppy kitten doctor
    dentist stepbrother stepsister stepdad stepmom stepson stepdaughter godmother godfather
    """
)
"""Who a possessive or an article may introduce as somebody else."""

NOT_NAMES: Final = _set(
    """
    just finally also now still today yesterday recently really actually honestly anyway so then and well yeah
    yes no oh wow hey hi hello ok okay guess big great good nice sorry thanks thank after before since when
    while what where which how why that this these those it there here maybe perhaps plus but or because if as
    once next last not only sure right the a an in at on for to from with by got moved went started became been
    is was has had monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december never always sometimes nothing everything something
    """
)
"""Words that a capital at the head of a sentence does not make a name."""

SUBORDINATORS: Final = _set(
    """
    but because although though whereas unless if whether while who which where cuz cos cause however
    """
)
BEFORE_SUBJECT: Final = _set(
    """
    and so or then when until till since as before after that plus yet once where than
    """
)
"""Words that open a clause when a subject follows."""
PAST_VERBS: Final = _set(
    """
    moved got went left bought joined found took started quit became sold switched landed settled adopted gave
    made came began ended relocated accepted signed picked decided opened stopped traded swapped returned
    """
)
"""Verbs after "and" or "then" that open a clause whose subject is the one before."""
FINITE: Final = _set(
    """
    is was has had does did lives likes loves hates works owns moved got went left bought joined found took
    started quit became sold switched adopted gave made came began wants says said told thinks will would can
    could just now also still recently finally really never isn't wasn't hasn't doesn't didn't won't prefers
    enjoys drives used
    """
)
"""Words that, after a name, show that the name is a subject."""

IDIOMS: Final = _words(
    r"(?:can't|cannot|couldn't) (?:wait|believe|complain|get enough|live without|do without|go without|resist)",
    r"could(?:n't| not) (?:be|have been) (?:\w+er|more|better)", r"(?:no|without a) doubt",
    r"not (?:only|just|gonna lie)", r"(?:don't|do not) (?:worry|get me wrong|regret)",
    r"(?:never|not) been (?:happier|better|busier)", r"why not",
    r"no (?:kidding|joke|wonder|problem|worries|lie)", r"(?:no|not) (?:big|a big) deal", r"nothing beats",
    r"not to mention", r"not bad",
)  # fmt: skip
"""Negative in form, not in meaning."""
NEGATIONS: Final = _any(
    r"\b\w+n't\b",
    r"\b(?:not|never|no|none|nobody|neither|nor|hardly|barely|without|cannot|dont|doesnt|didnt|cant|isnt|wasnt|arent)\b",
    r"\b(?:instead of|rather than|other than|anything but|far from|as opposed to)\b",
)

CONDITIONS: Final = _words(
    r"if", r"unless", r"whether", r"in case", r"suppos(?:e|ing)", r"provided", r"imagine", r"pretend\w*",
    r"assuming", r"wonder\w*", r"as though",
)  # fmt: skip
HYPOTHETICAL: Final = _any(r"\b(?:would|will|could|might)\b", r"\b\w+'(?:d|ll)\b")
"""In the other half of a sentence with a condition: what depends on it."""

WISHES: Final = _words(
    r"want(?:s|ed|ing)?", r"wanna", r"wish(?:es|ed|ing)?", r"hop(?:e|es|ed|ing)", r"dream(?:s|ed|t|ing)?",
    r"(?:would|i'd|we'd|he'd|she'd|they'd|you'd)", r"(?:might|may|could|should|shall)", r"maybe", r"perhaps",
    r"(?:think|thinking|thought) (?:about|of)", r"consider(?:s|ed|ing)?", r"tempted",
    r"looking (?:for|into|at|forward)", r"look(?:ed|ing)? (?:for|into|at)", r"interested in",
    r"appl(?:y|ied|ying|ication)", r"interview(?:s|ed|ing)?", r"tr(?:y|ied|ying) to", r"let's", r"almost",
    r"nearly", r"one day", r"some day", r"someday", r"fantas\w+", r"aspir\w+", r"need", r"saving (?:up )?for",
    r"(?:job|career) (?:ad|advert|opening)s?", r"supposed to", r"visit(?:ed|ing|s)?", r"travel(?:l?ed|l?ing|s)?",
    r"(?:trip|flight|holiday|vacation|weekend|train|bus|drive) (?:to|in)",
)  # fmt: skip
"""Not a statement of what is: wishes, possibilities, visits."""
PLANS: Final = _words(
    r"going to", r"gonna", r"will", r"i'll", r"we'll", r"he'll", r"she'll", r"they'll", r"about to",
    r"plan(?:s|ned|ning)?(?: to| on)?", r"intend\w*",

       r"(?:i'm|we're|am|is|are|he's|she's|they're) (?:\w+ )?(?:moving|relocating|starting|joining|buying|adopting|getting)",
)  # fmt: skip
"""What is to come: taken only together with a date."""

_GIVEN = r"(?:(?!(?:for|to|into|join|joined|joining|instead)\b)\S+ )*"
_LEAVE = "|".join(
    (
        r"left|leav(?:e|es|ing)|quit(?:ting|s)?|resign(?:ed|ing)?|retir(?:ed|es|ing)|sold|sell(?:ing)?|lost|got rid of",
        r"(?:gave|given|giving) (?:up|away)|dropp(?:ed|ing)|ditch(?:ed|ing)|swapp(?:ed|ing)|trad(?:ed|ing)",
        r"replac(?:ed|ing)|return(?:ed|ing)|cancel(?:l?ed|l?ing)|donat(?:ed|ing)|rehomed|totall?ed|crashed",
        r"fired|laid off|let go|parted (?:ways )?with|said goodbye to|mov(?:ed|ing) (?:out|away)|got out|broke up",
        r"went off|cut out|kicked|done with|finished (?:up )?(?:at|with)|last day|stepp(?:ed|ing) down",
        r"walked (?:out|away)|outgrew|grew out of",
    )
)
ENDS: Final = _any(
    rf"\b(?:{_LEAVE}) {_GIVEN}$",
    r"\b(?:used to|no longer|no more|any ?longer|stopped (?!by\b)|formerly|previously|once)\b[^,;]*$",
    r"\b(?:my|our|his|her|their|the) (?:old|former|previous|last) (?:\S+ ){0,4}$",
    r"\bafter (?:\S+ ){1,5}(?:in|at|with|as|of|for) (?:\S+ ){0,2}$",
    r"\b(?:mov|relocat|switch|chang|transferr?|migrat|went|gone|convert|com|came)\w* "
    r"(?:\S+ ){0,3}?from (?:(?!to\b)\S+ ){0,3}$",
    r"\b(?:closed|ended) (?:\S+ ){0,3}$",
)
"""The object is what has ended. A word of arrival (for, to, join) between the verb and the object turns it round:
"left Acme for Northwind" ends Acme and not Northwind."""
ENDS_AFTER: Final = _any(
    r"^(?:\S+ ){0,3}?(?:anymore|any ?more|any longer|no longer|no more)\b",
    r"^(?:\S+ ){0,4}?(?:is|was|are|were) (?:over|history|behind|gone|done)\b",
    r"^(?:\S+ )?(?:let (?:me|us|him|her) go|laid (?:me|us) off|fired (?:me|us))\b",
    r"^for good\b",
    r"^behind\b",
)
_CHILDHOOD = r"as a (?:child|kid|teenager|student|boy|girl)"
PAST: Final = _any(
    r"(?<!have )(?<!'ve )(?<!has )(?<!had )\b(?:lived|worked|resided|rented|belonged)\b[^,;]*$",
    r"\b(?:was|were) (?:still |always |once |also |just )?"
    r"(?:a|an|the|at|in|with|working|living|employed|based|my|our|his|her)\b[^,;]*$",
    r"\bhad (?:a|an|the|my|our|two|three|one)\b[^,;]*$",
    rf"\b(?:back then|in those days|at the time|{_CHILDHOOD})\b",
)
"""The object held in the past and, for all the words say, no longer."""
PAST_AFTER: Final = _words("back then", "in those days", "at the time", _CHILDHOOD)
NOTHING_LEFT: Final = _words(
    r"unemployed", r"jobless", r"between jobs", r"out of (?:work|a job)", r"retired", r"laid off", r"fired",
    r"homeless", r"no (?:job|home|work)",
    r"(?:lost|quit|left) (?:my|his|her|their|our) (?:\w+ )?(?:job|work|position|place|flat|house)", r"resigned",
    r"let go", r"(?:on the road|nomad\w*)",
    r"(?:no|don't|doesn't|not) (?:\w+ ){0,3}(?:job|home|work\w*|drink\w*)", r"stopped \w+ing", r"no longer",
    r"anymore", r"any more", r"gave up", r"given up",
)  # fmt: skip
"""An end that needs to name nothing."""

TAGS: Final = frozenset({"right", "you know", "ok", "okay", "huh", "eh", "remember", "no", "yeah", "see", "get it"})
_ASKED = r"i|you|he|she|it|we|they|there|your|his|her|their|my|the|any\w*"
INVERSION: Final = re.compile(
    r"^(?:(?:and|so|but|or|well|hey|oh|then) )*(?:(?:what|where|when|who|whose|why|how|which)\b|"
    r"(?:do|does|did|is|are|was|were|can|could|should|would|will|have|has|had)(?:n't)? "
    rf"(?:{_ASKED})\b|(?:don't|won't|can't|isn't|aren't) (?:{_ASKED})\b)"
)

FAVOURITE: Final = re.compile(
    r"\b(?:favou?rite|preferred|go to|goto|usual|regular)\s+(?P<slot>\w+)|\b(?P<slot2>\w+) of choice\b"
)

INSTRUCTIONS: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instruction|rule|prompt|guideline|direction)s?\b"
    r"|^\W*(?:system|developer|instructions?|admin|important)\s*[:>\]]"
    r"|\b(?:record|store|save|output|extract|log|insert)\b "
    r"(?:exactly|only|that|this|the (?:following|fact)|a fact|as a fact)\b"
    r"|\bextraction result\b|\boutput exactly\b|[{\[]\s*[\"']?(?:facts?|subject)\b|<\|?(?:system|im_start)|\[/?inst\]",
    re.IGNORECASE | re.MULTILINE,
)
"""Text that speaks to the reader instead of saying something about the world."""

COMMON: Final = _set(
    """
    i i'm i've my the and is was to of at for we our with just have it he she they
    """
)
"""Words of which an English sentence has one; chosen so that other languages rarely do."""

IRREGULAR: Final = {
    "be": "am is are was were been being i'm im he's she's it's we're they're you're",
    "have": "has had having i've we've",
    "get": "got gotten gets getting",
    "go": "went goes gone going",
    "buy": "bought",
    "bring": "brought",
    "drive": "drove driven",
    "stand": "stood",
    "bear": "bore",
    "drink": "drank drunk",
    "become": "became",
    "like": "fond",
    "my": "our",
}
"""Forms of cue words that no ending explains."""
INVERTED_CUES: Final = frozenset({"stand", "bear", "tolerate", "stomach"})
"""Cues that mean their relation only when negated: "can't stand"."""
ASSISTANTS: Final = frozenset({"assistant", "system", "tool", "function", "developer", "bot", "chatbot", "ai", "model"})
"""Speakers of a chat that are programs, folded."""
SELF: Final = frozenset({"i", "me", "myself", "speaker", "the speaker", "self"})
"""What a model may write where it means the speaker."""
