"""Whether a tool only reads, so that a call of it may run before it is certain; and which rule says so.

Four rules, the first that applies decides:

* `override`: the user says so, by `x-read-only` in the definition or by a flag of the command line;
* `annotation`: MCP's `readOnlyHint`; among annotations without it a tool is not read-only (MCP's specification, tool
  annotations), and neither is an MCP tool without annotations;
* `classifier`: words of name and description, in forms that have no annotations (the paper, section 5);
* `default`: nothing tells, and then the tool is taken to change something.

Running a tool early that changes something is the worse mistake. So the classifier says yes only where a word for
reading or computing leads, and no word for changing, starting or asking the user stands against it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

ReadOnlyRule = Literal["override", "annotation", "classifier", "default"]


@dataclass(frozen=True, slots=True)
class ReadOnlyDecision:
    """Whether a tool only reads, and the rule that decided it."""

    read_only: bool
    rule: ReadOnlyRule


def decide_read_only(
    name: str, description: str, *, override: bool | None = None, hint: bool | None = None, words_tell: bool = True
) -> ReadOnlyDecision:
    """Apply the rules to one tool; None stands for "not stated", and `words_tell` lets the classifier speak."""
    if override is not None:
        return ReadOnlyDecision(override, "override")
    if hint is not None:
        return ReadOnlyDecision(hint, "annotation")
    told = classify(name, description) if words_tell else None
    return ReadOnlyDecision(False, "default") if told is None else ReadOnlyDecision(told, "classifier")


def classify(name: str, description: str) -> bool | None:
    """Whether a tool of this name and description only reads, as far as words tell; None where they tell nothing.

    Both have their say, and a word for changing in either is a no. The last part of a name counts
    (`mcp_server__get_x`, `Maps.findRoute`) unless it says nothing. A description has to begin with a verb for reading,
    and the name has to hold one too, or a noun for what is computed (`math.factorial`). A name alone has to begin with
    such a verb.
    """
    by_name = _of_name(name)
    by_description = _of_description(description)
    if by_name is False or by_description is False:
        return False
    if description.strip():
        by_name = by_description and not (_READING | _NOUNS).isdisjoint(_words(name))
    return True if by_name and not _needs_screen(description) else None


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_READING = _set(
    """
    analyse analyze calc calculate check compare compute convert count describe detect determine diff estimate fetch
    find forecast get identify inspect list locate look lookup measure parse predict query read recommend retrieve
    search solve suggest sum summarize translate validate view
    """
)
_READING_IN_TEXT = _READING | _set("evaluate obtain provide return verify")
"""Descriptions begin with them; as names (`return_item`, `verify_email`, `evaluate_script`) they would be doubtful."""

_NOUNS = _set(
    """
    age area average balance capital circumference coefficient count current density derivative detail details
    difference distance energy entropy factorial factors fibonacci force forecast frequency gcd hcf height history
    hypotenuse index info information integral interest lcm length location mass mean median mode momentum news
    percentage perimeter permutation power price prices prime primes probability product profile ratio roots score
    similarity size speed standings statistics stats status sum temperature time total value variance velocity
    volume weather winner
    """
)
"""What is computed or looked up."""

_CHANGING = _set(
    """
    accept activate add adjust allocate append apply approve archive arrange assign attach authenticate authorize
    ban begin block buy cancel clean clear click commit compose configure confirm connect consume create deactivate
    decrease delete delist deploy destroy dial dim disable disconnect dispatch download drag drain drop duplicate
    edit emit empty enable encrypt enqueue enroll erase escalate evict execute expire export extend flush fork
    generate grant hire import increment init initialize initiate inject insert install invest invite invoke join
    kill launch leave login logout make manage merge migrate modify mount move mute navigate notify open override
    overwrite patch pause pay persist populate prepare press print promote provision publish purge push put
    randomize react reboot redeem refresh register reject reload remind remove rename render reorder repair repay
    replace reply reschedule reset resize resolve restart restore resume retry revert revoke rollback run save
    scroll sell send setup shuffle shutdown skip spawn spend start stop submit subscribe swap synchronize terminate
    throw toggle transition trash trigger truncate turn unblock undo unfollow uninstall unlock unmute unpin
    unsubscribe update upgrade upload upsert vote wipe withdraw write
    """
)
_NOUNS_TOO = _set(
    """
    book call capture change charge close control copy display export fill follow lock log mail mark message order
    paint pick pin place plan play post process purchase rate record refund rent report request reserve rotate
    schedule set share ship sign stage stash store stream sync tag test train transfer type
    """
)
"""Verbs for changing that are as often nouns: after a verb for reading (`get_book_details`) they are its object."""

_ASKING = _set("ask choose let perform prompt select show")
"""A description that begins with one starts something, or puts something before the user."""

_PLAIN_NOUNS = _set("rate rates type types")
"""Nouns too, which descriptions list: `by season and type`."""

_JOINS = _set("and or then also")
_LEADS_TO_VERB = _JOINS | _set(
    "to for by that which can will must user users you it function tool api endpoint method operation call"
)
_CHECK_IN = _set("in out off into")
_FILES = _set("file files video image pdf document audio")
_SCREENS = _set("app application browser camera dialer screen")
_FIRST_WORDS = 8

_SEPARATORS = re.compile(r"__|[./:#]")
_SENTENCE_END = re.compile(r"[.!?;]\s|\n\s*\n")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def _of_name(name: str) -> bool | None:
    """What the verbs of a name say; None where no known one leads, for `zap_search_index` begins with a verb too."""
    parts = [_words(part) for part in _SEPARATORS.split(name)]
    known = [words for words in parts if not (_READING | _CHANGING | _NOUNS_TOO | _NOUNS).isdisjoint(words)]
    words = known[-1] if known else []
    verbs = [word for word in words if word in _READING | _CHANGING | _NOUNS_TOO]
    if not verbs:
        everywhere = {word for part in parts for word in part}
        return None if everywhere.isdisjoint(_CHANGING | _NOUNS_TOO) else False
    if verbs[0] not in _READING or not _CHANGING.isdisjoint(words) or _changes_something(words):
        return False
    return True if words[0] == verbs[0] else None


def _changes_something(words: Sequence[str]) -> bool:
    """Whether words after a verb for reading turn it: `find_and_book`, `check_in`, `look_at`, `convert_video`."""
    pairs = list(pairwise([*words, ""]))
    joined = any(first in _JOINS and second in _NOUNS_TOO for first, second in pairs)
    phrasal = any(
        (first == "check" and second in _CHECK_IN) or (first == "look" and second != "up") for first, second in pairs
    )
    return joined or phrasal or ("convert" in words and not _FILES.isdisjoint(words))


def _of_description(description: str) -> bool | None:
    """What the verbs say that lead a description, its sentences and their joined parts."""
    sentences = [_words(sentence) for sentence in _SENTENCE_END.split(description)]
    if any(_changes(words) for words in sentences):
        return False
    for before, word in pairwise(["to", *sentences[0][:_FIRST_WORDS]]):
        is_verb = before in _LEADS_TO_VERB or before.endswith("ly")
        if is_verb and _forms(word) & _READING_IN_TEXT:
            return True
        if _forms(word) & _CHANGING or (is_verb and _forms(word) & _NOUNS_TOO):
            return False
    return None


def _changes(sentence: Sequence[str]) -> bool:
    """Whether a sentence begins with a verb for changing or asking, or joins one to another verb."""
    joined = (second for first, second in pairwise(sentence) if first in _JOINS)
    return any(_forms(verb) & (_CHANGING | _NOUNS_TOO | _ASKING) for verb in sentence[:1]) or any(
        _forms(verb) & _CHANGING or (_forms(verb) & _NOUNS_TOO and verb not in _PLAIN_NOUNS) for verb in joined
    )


def _needs_screen(description: str) -> bool:
    """Whether something appears before the user, which early and twice is once too often."""
    return not _SCREENS.isdisjoint(_words(description))


def _forms(verb: str) -> frozenset[str]:
    """What `verb` may be the third person or gerund of: `Books a cab`, `for calculating` as well as `Book a cab`."""
    stem = verb.removesuffix("ing")
    gerund = () if stem == verb else (stem, stem + "e", stem[:-1])
    return frozenset((verb, verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ies") + "y", *gerund))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
