"""Whether a tool without annotations only reads: a guess from its name and description that errs to "no".

The paper (section 5) classifies such tools by name and description. This rule says yes only where the name has a word
for reading or computing and neither name nor description has one for changing something.
"""

import re

_READING = frozenset(
    re.findall(
        r"\w+",
        """
        analyze area calc calculate check compare compute convert count current detail details distance estimate
        evaluate fetch find forecast generate get history info list locate lookup predict price query read retrieve
        return search show solve stats status sum value verify view weather
        """,
    )
)
_CHANGING = frozenset(
    re.findall(
        r"\w+",
        """
        activate add apply arrange assign block book buy call cancel change clear close configure connect control copy
        create delete deploy disable download edit enable execute hire install invest invite lock make manage modify
        move open order paint pay play post publish purchase put record register remove rename rent request reserve
        reset restart run save schedule sell send set share start stop store submit switch transfer turn unlock update
        upload write
        """,
    )
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def looks_read_only(name: str, description: str) -> bool:
    """Whether a tool of this name and description can be run twice without effect, as far as words tell."""
    words = _words(name)
    first_words = _words(description)[:3]
    doubtful = {*words, *first_words, *(form for verb in first_words[:1] for form in _base_forms(verb))}
    return bool(_READING & set(words)) and not _CHANGING & doubtful


def _base_forms(verb: str) -> tuple[str, ...]:
    """What `verb` may be the third person of: descriptions say `Books a cab` as well as `Book a cab`."""
    return verb.removesuffix("s"), verb.removesuffix("es"), verb.removesuffix("ies") + "y"


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
