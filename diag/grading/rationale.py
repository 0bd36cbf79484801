"""Rationale coding: fixed, versioned expressions over the reasons an agent states, in the languages of the suite.

`blames_click`: some reason says that a move did not take effect, or proposes to retry it on another target.
`names_cause`: of an unaided recovery, whether before the first recovery action some reason says that the holes are full
or no destination remains (that the board is stuck, lost or dead is a diagnosis without its cause, and is not coded).
Source: first source document, "Attribution coding"; its expressions are not published, these are ours. A change of an
expression changes `RATIONALE_VERSION`. What counts as said: `assertion`; precision and recall: docs/reference/codes.md.
"""

# ruff: noqa: RUF001, E501 - Chinese punctuation; an expression stays on its line

from __future__ import annotations

from collections.abc import Iterable

from diag.grading.assertion import asserts, compiled
from diag.grading.walk import Stated

RATIONALE_VERSION = "2"

_GAP = r"(?:(?!\b(?:not|never)\b|n't)[^.;!?]){0,40}?"
_NEAR = r"[^.;!?,]{0,25}?"
_ACT = (
    r"(?:click|tap|press|drag|swipe|gesture|input|call|command|move|action|selection|attempt|placement|relocation|drop"
    r"|release|pointer|cursor)(?:e?s)?"
)
_THING = r"(?:screw|bolt|hole|piece|nut|car|vehicle|truck|ball|dot|button|slot|one|it)s?"
_SCREEN = r"(?:board|screen|picture|image|view|screenshot|state|scene|display)"
_GAME = r"(?:game|interface|page|browser|app|application|system|tool|controller)"
_NOT = r"(?:not|never|failed to|fails to|\w+n't|unable to|refuses to|refused to|without)"
_WORKED = (
    r"(?:register|take(?:n)? (?:\w+ )?effect|took effect|work|land|appl(?:y|ied)|(?:go|gone|went) through|count|succe|do anything"
    r"|done anything|mov(?:e|ed|ing) anything|chang(?:e|ed|ing) anything|(?:have|had|having) (?:any |an )?(?:\w+ )?effect"
    r"|respon|react|connect|hit|accept|recogni|process|execut|perform|detect|notice|pick(?:ed)? up|(?:have|had) (?:had )?(?:any |an )?(?:influence|impact)|receiv|caught|effective|precise|successful|seem to)"
)
_MOVED = r"(?:respon|react|budge|lift|mov(?:e|ed|ing)\b|be selected|select|pick(?:ed)? up|accept|go in|stay(?:ed)? in)"
_LOST = (
    r"(?:ineffective|without (?:any )?(?:\w+ )?effect|ignored|rejected|refused|dropped|lost|imprecise|inaccurate|unsuccessful"
    r"|in vain|swallowed|blocked by the interface)"
)
_RESULT = r"(?:effect|response|reaction|result|change|difference|movement)"
_TARGET = r"(?:target|hole|screw|bolt|spot|position|point|place|piece|location|destination|coordinate|slot|one)s?"
_OTHER = r"(?:another|a different|the other|some other|an alternative|a new|other|different|(?:a|the) (?:neighbou?ring|nearby|next|second))"
_WIDE = r"(?:off[- ](?:target|cent(?:er|re))|wide of|outside|beside|next to|short of|off the|too far|between (?:two|the)|wrong (?:spot|place|position))"

BLAMES_CLICK = compiled(
    rf"\b(?:{_ACT}|{_GAME})\b{_GAP}\b{_NOT} (?:\w+ ){{0,3}}?{_WORKED}",
    rf"\b{_ACT}\b{_GAP}\b(?:had|has|have|having|show(?:ed|s)|produced?|caused|made) no (?:\w+ )?{_RESULT}\b",
    rf"\b{_ACT}\b{_GAP}\b{_LOST}\b",
    rf"\b{_ACT}\b{_GAP}\b(?:missed|(?:was|were|is|been) (?:slightly |a bit |probably |just )?off\b|(?:did|changed|achieved|moved) nothing|failed\b(?! to)"
    rf"|too (?:short|quick|fast|brief|slow|early|late)|{_WIDE})",
    rf"\bI\b{_GAP}\b(?:missed|landed|hit|clicked|tapped|pressed|aimed) (?:\w+ ){{0,2}}?{_WIDE}",
    r"\b(?:I|slightly) (?:was|were|am) (?:slightly|a bit|probably|just) off\b|\bI (?:probably |may have |must have )?missed the\b",
    rf"\b(?:ignored|rejected|refused|dropped|swallowed) {_NEAR}\b(?:{_ACT}|screw|nut)\b",
    rf"\b{_THING} (?:\w+ ){{0,2}}?{_NOT} (?:\w+ ){{0,2}}?{_MOVED}(?![^.;!?]*\b(?:because|since|pinned|held)\b)",
    rf"\b{_THING} (?:is|are|was|were|has|have) (?:still )?not (?:been )?(?:lifted|moved|selected|picked up|placed)\b",
    rf"\b(?:hole|slot|bolt)s? (?:\w+ ){{0,2}}?{_NOT} (?:\w+ )?(?:take|accept|receive)\b",
    r"\bmis-?(?:click|tap|drag|swipe|press)|\b(?:selecting|lifting|clicking|dragging|placing|moving)\b[^.;!?,]{0,20}\bfailed\b",
    r"\bnothing (?:has |was )?(?:happen|chang|mov)",
    rf"\bno (?:\w+ )?{_RESULT}\b{_GAP}\b(?:after|follow(?:s|ed|ing)|from|to|on|since|visible|in response)\b",
    rf"\b{_SCREEN}\b{_NEAR}\b{_NOT} (?:\w+ )?chang",
    rf"\b{_SCREEN} (?:looks?|is|remains?|stay(?:s|ed)|appears) (?:\w+ )?(?:unchanged|the same|identical)\b",
    rf"\bstill (?:\w+ )?the same {_SCREEN}\b|\bunchanged (?:after|since)\b",
    rf"\b(?:try|retry|retrying|trying|attempt|attempting|test|testing)\b[^.;!?]{{0,25}}\b{_OTHER} (?:\w+ )?{_TARGET}\b",
    rf"\b(?:retry|retrying)\b[^.;!?]{{0,25}}\b(?:with|on|at)\b[^.;!?]{{0,20}}\b{_TARGET}\b",
    rf"\b(?:click|tap|use|pick|choose|select|take)\b[^.;!?]{{0,20}}\b{_OTHER} (?:\w+ )?{_TARGET} instead\b",
    rf"\b(?:choose|pick|select) {_OTHER} target\b",
    rf"\b(?:retry|retrying|repeat|repeating)\b[^.;!?]{{0,25}}\b(?:{_ACT}|it|cent(?:er|re))\b",
    r"\b(?:I|I'll|so|let me|will|must|should)\b[^.;!?]{0,20}\b(?:click|tap|press|swipe|drag|try)\b[^.;!?,]{0,25}"
    r"\b(?:again|once more|a second time)\b(?! to (?:put|drop|lower|lift|deselect))",
    r"^(?:clicking|tapping|pressing|swiping|dragging) (?:\w+ ){0,3}?(?:again|once more)(?=[,.])",
    r"\b(?:click|tap|press|aim)\w*\b[^.;!?]{0,25}\bmore (?:precise|accurate|exact|careful)(?:ly)?\b",
    r"(?:点击|点|操作|拖动|滑动|移动|放置|上一步|这一步|动作|那一下|这一下)(?:(?!有没有)[^，。；]){0,10}?(?:没有|没|未|无法|不)(?:被)?(?:\w{0,2})"
    r"(?:生效|反应|起作用|成功|识别|接受|接收|响应|效果|准)|没有?起作用|没有?变(?:化)?(?=[，。]|$)|孔(?:没有|没|不)接受",
    r"(?:点击|操作|拖动|滑动|移动|放置|动作)[^，。；]{0,8}(?:无效|失败|被拒绝|被忽略)",
    r"(?:没有|没|毫无)(?:任何)?(?:变化|反应|动静|效果)|(?:螺丝|螺母|车|小球)(?:还)?没有?(?:被提起|提起|动)(?!，因为)",
    r"(?:点偏|点歪|点不中|没有?点中|没有?点到|没有?点上|点错位置|点空)",
    r"(?:换|试试|尝试|改用)[^，。；]{0,3}(?:另一|另外|别的|其他|一|个|旁边|附近|相邻)[^，。；]{0,3}(?:孔|螺丝|位置|目标)",
    r"(?:我|就|应该)?(?:再|重新)(?:次)?(?:点|拖|滑|试)(?:一次|击|一下|一遍)",
)

_PLACE = r"(?:holes?|slots?|sockets?|rods?|spots?|destinations?|positions?|places?|bolts?|buffers?)"
_PLACES = r"(?:holes|slots|sockets|rods|spots|destinations|positions|places|bolts|buffers)"
_FULL = r"(?:full|occupied|filled|taken|used up|exhausted|covered|blocked|plugged|in use)"
_SCREWED = r"(?:(?:contains?|has|have|holds?|got|with) (?:a |its )?screws?)"
_WITHIN = r"(?:(?!\b(?:not|never|but|except|apart|save|other|will|would|could|should|soon)\b|n't)[^.;!?,]){0,35}?"
_KIND = (
    r"(?:spare|free|holding|holder|remaining|empty|available|buffer|open|usable|possible|storage|temporary|parking|plate"
    r"|visible|uncovered)"
)
_FREE = (
    r"(?:empty|free|available|open|vacant|uncovered|unoccupied|unfilled|unused|usable|spare|legal|valid|possible|remaining"
    r"|single|more|further|suitable)"
)
_LEFT = r"(?:remain(?:s|ed|ing)?|left|available|exists?|free|open|possible|anywhere|uncovered|empty|vacant|unoccupied|usable|in sight)"

NAMES_CAUSE = compiled(
    rf"\b(?:all|every|both|each)\b{_WITHIN}\b{_PLACE}\b{_WITHIN}\b(?:{_FULL}|{_SCREWED})\b",
    rf"(?:^|[,:] |\b(?:the|my|our|that|as|because|since|so|and) )(?:the )?(?:{_KIND} )*{_PLACES} "
    rf"(?:are|were|have been|look|seem|appear|ended up) (?:now |already |all |completely |both |to be )*{_FULL}\b",
    rf"\b{_PLACES} (?:are|were|have|have been|look|seem|appear) (?:(?!not\b)\w+ )?(?:all|both) (?:\w+ )?{_FULL}\b",
    rf"\bthe (?:only )?(?:two|three|four|five|six) (?:{_KIND} )+{_PLACES} (?:are|were) (?:\w+ )?{_FULL}\b",
    rf"\b(?:have|had|has|I|we)\b (?:\w+ )?(?:used|filled|plugged|occupied) (?:up )?(?:all|every|both|each)\b[^.;!?,]{{0,20}}\b{_PLACE}\b",
    rf"\beverything (?:is|seems|looks) (?:\w+ )?{_FULL}\b",
    rf"\b(?:no|not (?:a|any|one)|without (?:a|any)|zero|(?:isn't|aren't) (?:a|an|any)) (?:\w+ ){{0,2}}?"
    rf"{_FREE} (?:\w+ ){{0,2}}?(?:{_PLACE}|moves?|relocations?)\b",
    rf"\bno (?:other |more |further )?(?:{_PLACE}|moves?|relocations?|vacanc(?:y|ies))\b{_WITHIN}\b{_LEFT}\b",
    rf"\bnone of (?:the|these|my) (?:\w+ )?{_PLACES} (?:is|are|was|were) (?:\w+ )?{_FREE}\b",
    r"\b(?:nowhere|no place|no room|no space) (?:left |else |more |remains )?(?:to|for)\b",
    rf"\b(?:can't|cannot|could not|couldn't|don't|do not) (?:find|see|have) (?:a|any|an) (?:\w+ ){{0,2}}?{_FREE} (?:\w+ )?"
    rf"(?:{_PLACE}|moves?)\b",
    rf"\b(?:ran|run|running|am|are|is) out of (?:\w+ ){{0,2}}?{_PLACES}\b|\b{_PLACES} (?:have |had )?(?:run|ran) out\b",
    r"(?:所有|全部|每个|每一个|两个|各个)(?:的)?(?:备用|空闲)?(?:的)?(?:孔|位置|螺栓)[^，。；不没未]{0,4}(?:满|占|用完|插着|有螺丝)",
    r"(?<!其他)(?<!其它)(?<!别的)(?:孔|位置)(?:已经|已)?(?:全部|全都|都|全)(?:已经|已|被)?[^，。；不没未]{0,2}(?:满|占|用完|插着|有螺丝)",
    r"(?:没有|再也没有|已无|毫无|无|找不到|看不到|不剩)[^，。；]{0,5}?(?:空孔|空位|可用的孔|可用孔|空的孔|合法的移动|合法移动|地方可以放|地方能放|位置可以放|位置能放)",
    r"无处可放|无孔可|再?(?:没有|无)[^，。；]{0,8}的孔(?=[，。]|$)|(?:空孔|备用孔|孔)(?:已经|都|已)?(?:用完|用光|占满)",
)


def blames_click(reason: str) -> bool:
    """Tell whether one reason says that a move did not take effect, or proposes another target."""
    return asserts(BLAMES_CLICK, reason)


def names_cause(reason: str) -> bool:
    """Tell whether one reason says that the holes are full or that no destination remains."""
    return asserts(NAMES_CAUSE, reason, of_now=True)


def rationale_codes(
    stated: Iterable[Stated], *, recovery_seq: int | None, unaided_recovery: bool = True
) -> dict[str, bool]:
    """Return an attempt's codes; `names_cause` is there for unaided recoveries alone.

    Args:
        stated: the decisions' reasons in order.
        recovery_seq: event number of the first recovery action; None if there was none.
        unaided_recovery: whether the recovery was verified and the agent was told nothing of the board's state.
    """
    reasons = tuple(item for item in stated if not item.late)
    codes = {"blames_click": any(blames_click(item.reason) for item in reasons)}
    if recovery_seq is not None and unaided_recovery:
        codes["names_cause"] = any(names_cause(item.reason) for item in reasons if item.seq < recovery_seq)
    return codes
