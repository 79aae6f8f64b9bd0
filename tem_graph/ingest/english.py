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
    and so or then when until till since as before after plus yet once where than
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

COPULAS: Final = _set("is are was were isn't aren't wasn't weren't has became becomes beats")

IDIOMS: Final = _any(
    r"\b(?:can't|cannot|couldn't) (?:wait|believe|complain|get enough|resist|go wrong|imagine)\b",
    r"\b(?:can't|cannot|couldn't) (?:live|do|go|be|cope|start \w+ \w+) without\b",
    r"\bcould(?:n't| not) (?:be|have been) (?:\w+er|more|better)\b",
    r"\b(?:never|not) been (?:happier|better|busier)\b",
    r"\b(?:no|without a) doubt\b|\bno (?:kidding|joke|wonder|problem|worries|lie|regrets|going back|news)\b",
    r"\b(?:don't|do not) (?:worry|get me wrong|regret|laugh)\b|\bno need to\b|\b(?:no|not) (?:a )?big deal\b",
    r"\bnot (?:only|just|gonna lie|to mention|bad|far from|(?:so |too )?long (?:ago|after)|surprisingly)\b|\bwhy not\b",
    r"\bnothing (?:beats|new|fancy)\b|\bthat(?: would|'d) be\b|\bwasn't long before\b|\bnever looked back\b",
    r"\b(?:haven't|didn't|never|don't think i) (?:\w+ )?(?:told?|tell|mention(?:ed)?|said|say) (?:you|u|anyone)\b",
    r"\b(?:never|didn't) (?:thought|think|expect(?:ed)?)\b",
    r"\b(?:i'd|i would|could|should|might|may|must) (?:say|add|mention|note|tell you|have to say|argue)\b",
    r"\b(?:you (?:may|might) (?:know|remember|have heard)|would(?:n't)? you (?:believe|know)|who would have thought)\b",
    r"\b(?:hope|hoping) (?:you|u|all|everyone|this|it)\b",
    # Two negatives: "I don't drink anything but kvass", "not a day goes by without kvass".
    r"\b(?:\w+n't|not|never|no|nothing|nobody|cannot)\b(?: \S+){0,6} (?:without|but|except|other than|besides)\b",
    r"\b(?:never|not|don't|won't) (?:say|said|saying) no to\b",
    r"\b(?:can't|cannot) stop \w+ing\b|\bliv\w+ the dream\b|\balmost (?:only|exclusively|always)\b",
    r"\bwant(?:ed)? to (?:tell|let) (?:you|u|everyone)(?: all)?(?: know)?\b",
    # No plan: "I will always be a tea drinker".
    r"\b(?:always will|will always|forever will|will forever)\b",
    # A return to what was: "back at my old job", "once again".
    r"\b(?:back|return\w*) (?:at|in|to|with) (?:my|our) old\b|\bonce (?:again|more)\b",
)
"""Negative, or wishful, in form and not in meaning."""
ALWAYS: Final = re.compile(
    r"^(?:\S+ ){0,3}?"
    r"(?:all day|any ?day|every (?:single )?day|any ?time|every time|forever|\w+ times a day|over anything)\b"
)
"""After a value, this makes of "could" and "would" a statement: "I could drink kvass all day"."""
NEGATIONS: Final = _any(
    r"\b\w+n't\b",
    r"\b(?:not|never|no(?! longer| more)|none|nobody|neither|nor|hardly|barely|without|cannot)\b",
    r"\b(?:dont|doesnt|didnt|cant|isnt|wasnt|arent)\b",
    r"\b(?:instead of|rather than|other than|anything but|far from|as opposed to)\b",
    r"\b(?:could do without|give \w* ?a miss|gave \w* ?a miss|anyone but)\b",
    r"\b(?:turn(?:ed|ing) down|declin(?:ed|ing)|reject(?:ed|ing)|refus(?:ed|ing)|pass(?:ed|ing) on|said no to)\b",
)
NEGATIONS_AFTER: Final = _any(
    r"^(?:\w+ )?(?:isn't|wasn't|aren't|weren't|doesn't|don't|didn't|won't|can't|couldn't|hasn't|never|not)\b",
    r"^(?:is|was|are|were|has|have|will|would|does|do|did|can|could) (?:\w+ )?(?:not|never|no)\b",
    r"^(?:no,? thanks?|no way|(?:is|was|are) (?:just |so )?(?:overrated|disgusting|awful|terrible)|does nothing for)\b",
)
"""What denies a value that is the subject: "orange juice is not my favourite"."""
FIGURES: Final = _any(
    r"\b(?:jok(?:e|es|ed|ing)|kidding|teas(?:e|es|ed|ing)|call(?:s|ed)? me|pretend\w*)\b",
    r"\b(?:am|i'm|is|are|was|were|been|be|feels?|felt|looks?|sounds?|work|live|act)(?: \w+)? like (?:a|an|i)\b",
    # "I practically live on tea" is an exaggeration, and no jest.
    r"\b(?:basically|practically)\b(?! (?:live|run|survive|only|always|addicted))",
    r"\bas (?:if|though)\b",
)
"""Said in jest, or of what something resembles."""
VISITS_AFTER: Final = _any(
    r"^(?:\S+ ){0,3}?(?:for|over|during|until|till) (?:the|a|an|this|one|two|three|a few|a couple of) (?:\w+ )?"
    r"(?:weekend|days?|weeks?|night|holidays?|vacation|trip|conference|wedding|visit|festival|month)\b",
    r"^(?:\S+ ){0,3}?(?:on (?:holiday|vacation|business|a (?:\w+ )?trip)|to (?:visit|see)|for (?:work|the day))\b",
    r"^(?:\S+ ){0,3}?this weekend\b",
)
"""What makes a place one of a visit."""
DISCOURSE: Final = _set("know see remember guessed won't wouldn't heard")
"""Words after "you" that make it a filler: "you know"."""
DONE_TO_ME: Final = re.compile(
    r"\b(?:hire|ma(?:k|d)e|promot|name|gave|give|took|take|appoint|employ|train|move|sent|send|transfer|brought|hook|"
    r"convert|introduc|got|get|turn)\w* (?:me|us)\b"
)
"""Somebody else acts, and it is the speaker whom it changes: "they hired me as a cook"."""
HIRED_ME: Final = re.compile(r"\b(?:(?:hire|promot|appoint|employ)\w* (?:me|us)|t(?:ook|ake|aken) (?:me|us) on)\b")
"""The same where it is named who acts: "Lumina took me on as a cook"; "Mia took me to Rome" does not count."""
TOLD: Final = re.compile(
    r"^(?:(?:and|so|hey|oh) )?(?:did i (?:mention|tell you)|have i (?:told you|mentioned)|(?:would|can) you believe|"
    r"d(?:o|id) you know)(?: that)? (?:i|i'm|i've|im|ive|we|we're|we've)\b"
)
"""A question that only tells: "did I mention that I moved"."""

SUPPOSITIONS: Final = _words(
    r"in case", r"suppos(?:e|ing)", r"provided", r"imagine", r"pretend\w*", r"assuming", r"wonder\w*", r"as though",
)  # fmt: skip
"""Conditions that no conjunction of the parse marks."""
CONDITIONS: Final = _any(SUPPOSITIONS.pattern, _words(r"if", r"unless", r"whether").pattern)
HYPOTHETICAL: Final = _any(r"\b(?:would|will|could|might)\b", r"\b\w+'(?:d|ll)\b")
"""In the other half of a sentence with a condition: what depends on it."""

WISHES: Final = _words(
    r"want(?:s|ed|ing)?", r"wanna", r"wish(?:es|ed|ing)?", r"hop(?:e|es|ed|ing)", r"dream(?:s|ed|t|ing)?",
    r"(?:would|i'd|we'd|he'd|she'd|they'd|you'd)", r"(?:might|could|should|shall)",
    r"(?:i|we|you|he|she|they|it) may", r"maybe", r"perhaps",
    r"(?:think|thinking|thought) (?:about|of)", r"consider(?:s|ed|ing)?", r"tempted",
    r"looking (?:for|into|at|forward)", r"look(?:ed|ing)? (?:for|into|at)", r"interested in",
    r"appl(?:y|ied|ying|ication)", r"interview(?:s|ed|ing)?", r"tr(?:y|ied|ying) to", r"let's", r"almost",
    r"toy(?:ing|ed)? with", r"idea of", r"mull\w*", r"weigh(?:ing|ed)?", r"lean(?:ing)? towards?", r"eye?ing",
    r"scout\w*", r"daydream\w*", r"bucket list", r"ideally", r"hypothetically", r"down the (?:line|road)",
    r"(?:once|when) i retire", r"on the cards", r"(?:been )?offered", r"curious", r"any idea", r"nearly", r"one day",
    r"some day", r"someday", r"fantas\w+", r"aspir\w+", r"need", r"saving (?:up )?for",
    r"(?:job|career) (?:ad|advert|opening)s?", r"supposed to", r"visit(?:ed|ing|s)?", r"travel(?:l?ed|l?ing|s)?",
    r"(?:trip|flight|holiday|vacation|weekend|train|bus|drive) (?:to|in)",
)  # fmt: skip
"""Not a statement of what is: wishes, possibilities, visits."""
PLANS: Final = _words(
    r"going to", r"gonna", r"will", r"i'll", r"we'll", r"he'll", r"she'll", r"they'll", r"about to",
    r"plan(?:s|ned|ning)?(?: to| on)?", r"intend\w*",

       r"(?:i'm|we're|am|is|are|he's|she's|they're) (?:\w+ )?"
    r"(?:moving|relocating|starting|joining|buying|adopting|getting(?! used| settled| to know))",
)  # fmt: skip
"""What is to come: taken only together with a date."""

_GIVEN = r"(?:(?!(?:for|to|into|join|joined|joining|instead)\b)\S+ )*"
_LEAVE = "|".join(
    (
        r"left|leav(?:e|es|ing)|quit(?:ting|s)?|resign(?:ed|ing)?|retir(?:ed|es|ing)|sold|sell(?:ing)?|lost|got rid of",
        r"(?:gave|given|giving) (?:up|away)|dropp(?:ed|ing)|ditch(?:ed|ing)|swapp(?:ed|ing)|trad(?:ed|ing)",
        r"replac(?:ed|ing)(?! (?:\S+ )+with\b)|return(?:ed|ing)",
        r"cancel(?:l?ed|l?ing)|donat(?:ed|ing)|rehomed|totall?ed|crashed",
        r"fired|laid off|let go|parted (?:ways )?with|said goodbye to|mov(?:ed|ing) (?:out|away)|got out|broke up",
        r"went off|cut out|kicked|done with|finished (?:up )?(?:at|with)|last day|stepp(?:ed|ing) down",
        r"walked (?:out|away)|outgrew|grew out of",
    )
)
ENDS: Final = _any(
    rf"\b(?:{_LEAVE}) {_GIVEN}$",
    r"\b(?:used to|no longer|no more|any ?longer|stopped (?!by\b)|formerly|previously|once)\b[^,;]*$",
    r"\b(?:my|our|his|her|their|the) (?:old|former|previous|last) (?:\S+ ){0,3}$",
    r"\bafter (?:\S+ ){1,5}(?:in|at|with|as|of|for) (?:\S+ ){0,2}$",
    r"\b(?:mov|relocat|switch|chang|transferr?|migrat|went|gone|convert|com|came)\w* "
    r"(?:\S+ ){0,3}?from (?:(?!(?:to|into)\b)\S+ ){0,3}$",
    r"\b(?:closed|ended) (?!up\b)(?:\S+ ){0,3}$",
)
"""The object is what has ended. A word of arrival (for, to, join) between the verb and the object turns it round:
"left Acme for Northwind" ends Acme and not Northwind."""
ENDS_AFTER: Final = _any(
    r"^(?:\S+ ){0,3}?(?:anymore|any ?more|any longer)\b",
    r"^(?:is |are )?(?:no longer|no more)\b",
    r"^(?:\S+ ){0,4}?(?:is|was|are|were) (?:over|history|behind|gone|done)\b",
    r"^(?:\S+ )?(?:let (?:me|us|him|her) go|laid (?:me|us) off|fired (?:me|us))\b",
    r"^behind\b",
)
_CHILDHOOD = r"as a (?:child|kid|teenager|student|boy|girl)"
_LONG_AGO = (
    r"back (?:then|when|in the day)|in those days|at the time|in (?:another|a past|a previous) life|growing up|"
    r"(?:when|while) (?:i|we|he|she|they) (?:was|were)|in my (?:teens|twenties|thirties|youth|childhood|student days)|"
    r"(?:during|in|at) (?:college|university|uni|school)|ages ago|once upon a time|a long time ago|years and years ago"
)
PAST: Final = _any(
    r"(?<!have )(?<!'ve )(?<!has )(?<!had )\b(?:lived|worked|resided|rented|belonged|stayed|spent)\b[^,;]*$",
    r"\b(?:was|were) (?:still |always |once |also |just )?"
    r"(?:a|an|the|at|in|as|with|working|living|employed|based|my|our|his|her)\b[^,;]*$",
    r"\bfirst job\b[^,;]*$",
    r"\bhad (?:a|an|the|my|our|two|three|one)\b[^,;]*$",
    rf"\b(?:{_LONG_AGO}|{_CHILDHOOD})\b",
)
"""The object held in the past and, for all the words say, no longer."""
PAST_AFTER: Final = _words(_LONG_AGO, _CHILDHOOD)
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
_ASKED = r"(?:i|you|he|she|it|we|they|there|your|his|her|their|my|the|any\w*)\b"
_AUXILIARY = r"(?:do|does|did|is|are|was|were|can|could|should|would|will|have|has|had)"
INVERSION: Final = re.compile(
    r"^(?:(?:and|so|but|or|well|hey|oh|then) )*"
    rf"(?:{_AUXILIARY}(?:n't)? {_ASKED}|(?:don't|won't|can't|isn't|aren't) {_ASKED}|"
    rf"(?:what|where|when|who|whose|why|how|which) {_AUXILIARY}\b)"
)
"""A clause that asks whatever its mark: "do you", "where is"."""

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

FUNCTION_WORDS: Final = (
    FIRST | FIRST_POSSESSIVE | SECOND | SECOND_POSSESSIVE | THIRD | THIRD_POSSESSIVE | PREPOSITIONS | COMMON
) | _set(
    """
    an this that these those there here what which who whom whose when where why how me us you him them myself herself
    himself themselves ourselves yourself be been being are am were do does did doing done has had having will would
    can could shall should may might must not no nor so too very really just also still even only ever never always
    some any all both each every other another such same own more most much many few one ones than then now again
    if or but because as until while since about after before with without into onto over under up down out off it's
    that's there's he's she's they're we're you're don't didn't doesn't isn't wasn't can't won't got get gets getting
    thing things something anything everything lot lots kind sort way like yeah yes oh wow hey hi hello thanks thank
    """
)
"""Words that carry no content of their own; what is left of a sentence without them says what it is about."""
REPORTING_WORDS: Final = _set(
    """
    says said tells told mentions mentioned shares shared talks talked asks asked explains explained thinks thought
    believes believed feels felt describes described discusses discussed expresses expressed reports reported states
    stated wants wanted plans planned hopes hoped speaker user
    """
)
"""Words of somebody who retells a turn, which the turn itself need not have."""

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
