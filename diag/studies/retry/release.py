"""Coding of a move's stated reason: does it predict that the move releases a piece? Fixed, versioned expressions.

`predicts_release` holds if the reason mentions releasing, freeing, dropping or clearing a piece of the board (English
and Chinese), unless the mention itself is denied. A free hole is no freed piece, and a cleared level no cleared piece.
Source: first source document, "Bolt Unscrew capacity"; its expressions are not published, these are ours. A change of
an expression changes `RELEASE_VERSION`, and the sentences in tests/diag/studies/retry/test_capacity.py.
"""

from __future__ import annotations

import re

RELEASE_VERSION = "1"

_PIECE = (
    r"(?:boards?|plates?|planks?|pieces?|panels?|bars?|beams?|strips?|slats?|blocks?|wood|parts?|shapes?|"
    r"(?:it|them|this one|that one|these|those|another|one)(?! (?:in|into|onto|at)\b))"
)
_VERB = (
    r"(?:releas(?:e|es|ed|ing)|free(?:s|d|ing)?|unpin(?:s|ned|ning)?|drop(?:s|ped|ping)?|clear(?:s|ed|ing)?|"
    r"let(?:s|ting)? go of|detach(?:es|ed|ing)?)"
)
_BETWEEN = r"(?:(?:up|off|out|away|down) )?(?:(?:the|a|an|this|that|its|my|whole|entire|last|next|first|second) )*"
_WORD = r"(?!holes?\b|slots?\b|spots?\b|space\b|room\b|sockets?\b|destinations?\b|places?\b|levels?\b|screws?\b)[\w-]+ "
_FALLS = r"(?:drops?|dropped|falls?|fell|comes? (?:off|loose|free)|swings? free|is freed|are freed)"
_DONE = r"(?:released|freed|dropped|cleared|unpinned|detached|removed|free to (?:drop|fall|move|swing))"

PREDICTS_RELEASE: tuple[str, ...] = (
    rf"\b{_VERB} {_BETWEEN}(?:{_WORD}){{0,3}}?{_PIECE}\b(?! (?:holes?|slots?|spots?|screws?))",
    rf"\b{_PIECE}\b[^.;!?,]{{0,30}}?\b{_FALLS}\b(?! (?:in|into|onto)\b)",
    rf"\b{_PIECE}\b[^.;!?,]{{0,30}}?\b(?:is|are|be|gets?|being) (?:\w+ ){{0,2}}?{_DONE}\b",
    r"(?:释放|松开|解放|放开|清除|取下|拿下|移除)[^。；！？，]{0,8}(?:板|木|块|片|条|零件)",  # noqa: RUF001 - Chinese punctuation
    r"(?:板|木块|木片|木条|零件)[^。；！？，]{0,8}(?:掉|落下|脱落|松开|释放|下落|滑落)",  # noqa: RUF001
)
_DENIED = re.compile(
    r"(?:\b(?:not|never|no|cannot|can't|won't|doesn't|don't|didn't|isn't|aren't|wouldn't|without|nothing|neither|nor)\b"
    r"[^.;!?,]{0,40}|[不没未无][^。；！？，]{0,6})$",  # noqa: RUF001
    re.IGNORECASE,
)
_DENIED_INSIDE = re.compile(
    r"\b(?:not|never|cannot|can't|won't|doesn't|don't|didn't|isn't|aren't|wouldn't|nothing)\b|[不没未]",
    re.IGNORECASE,
)
_COMPILED = tuple(re.compile(pattern, re.IGNORECASE) for pattern in PREDICTS_RELEASE)


def predicts_release(reason: str) -> bool:
    """Tell whether a reason says that the move releases, frees, drops or clears a piece."""
    plain = reason.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    found = (match for pattern in _COMPILED for match in pattern.finditer(plain))
    return any(
        _DENIED.search(plain[: match.start()]) is None and _DENIED_INSIDE.search(match[0]) is None for match in found
    )
