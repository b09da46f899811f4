"""Whether two refusals of a call complain about the same thing: its types, its shapes or its values, and which argument.

Of real MindSpore's words only that is kept with the recorded answers: ``~sv`` for shapes and values.
"""

from __future__ import annotations

import re

COMPLAINTS = {
    "t": r"\btypes?\b|dtype|[Tt]ensors?\b|\b(int|float|bool|str|tuple|list|number|string)s?\b|Failed calling|support"
    r"|instance|has no attribute|not iterable|([Ff]loat|[Ii]nt)\d|complex",
    "s": r"[Rr]ank|[Dd]im|ndim|\d-?[dD]\b|scalar|\bax[ei]s|[Ss]hape|[Ss]ize|broadcast|equal|same|[Ll]ength|match|\bfit\b"
    r"|elements?\b|empty|number of|consistent|square|columns?|rows?|[Cc]hannels?|col\b|_out|must have",
    "v": r"range|\bin\b|out of|greater|less|positive|negative|at least|at most|larger|smaller|between|[<>]|one of|zero"
    r"|exceed|must (not )?be \W?-?\d|either|invalid|twice|multiple times|divi[ds]|equal|enum|only|lie|fit|inside",
}
STUMBLED = re.compile(
    r"(tuple|list|string)( assignment)? index out of range|list\.remove|not enough values|^'\w+'$|^\W*$"
)
CHANGED = re.compile(r"(?:empty|one|longer|0-d|rank[+-]) ([A-Za-z]\w*)|(\w+)=")


def complaints(text: str) -> set[str]:
    """What an error is about; nothing where Python itself stumbled."""
    if text.startswith("~"):
        return set(text[1:])
    if STUMBLED.match(text):
        return set()
    said = re.sub(r"^For (primitive\[\w+\]|['`]?[\w.]+['`]?)( op)?,?", "", text, flags=re.IGNORECASE)
    return {letter for letter, pattern in COMPLAINTS.items() if re.search(pattern, said)}


def kept(text: str) -> str:
    """The short form of real MindSpore's words."""
    return "~" + "".join(sorted(complaints(text)))


def unrelated(label: str, ours: str, real: str) -> bool:
    """Whether our refusal is about something else than real MindSpore's, or does not name the argument that is wrong."""
    if label.startswith(("misspelt", "without", "one more")):
        return False  # the signature; that our error shows it is seen elsewhere
    changed = CHANGED.match(label)
    argument = (changed[1] or changed[2]) if changed else None
    named = argument in (None, "all") or re.search(rf"\b{re.escape(str(argument))}\b", ours) is not None
    mine, theirs = complaints(ours), complaints(real)
    if not theirs or mine & theirs:
        return "=" in label and "t" in theirs and not (named or "s" in mine)
    return not (named and "=" in label)
