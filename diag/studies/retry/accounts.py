"""Coding of the accounts that memory arm M2 writes: fixed, versioned expressions, in the languages of the suite.

| code | holds if |
|---|---|
| blames_execution | Failure Experience cites unconfirmed outcomes, missing screenshots or rejected placements |
| names_holes | Failure Experience says that the free holes were used up or that no destination remained |
| resumes_plan | Next Attempt directs to continue, re-test or repeat the previous intention |
| different_plan | Next Attempt calls for an alternative or a safer order |

Source: first source document, "Failure summaries"; its expressions are not published, these are ours. A change of an
expression changes `ACCOUNT_VERSION`. Precision and recall: docs/reference/codes.md. `tables/accounts.csv` holds every text beside its codes for manual reading.
"""

# ruff: noqa: RUF001, E501 - Chinese punctuation; an expression stays on its line

from __future__ import annotations

from collections.abc import Mapping

from diag.grading.assertion import asserts, compiled
from diag.grading.rationale import blames_click, names_cause

ACCOUNT_VERSION = "2"
SECTIONS = ("Failure Experience", "Next Attempt")
HEADINGS = (SECTIONS, ("失败经验", "下一次尝试"))
"""The two headings in each language of the suite."""

_DONE = r"(?:placement|move|click|tap|action|drop|relocation|result|outcome|screw)s?"
_EXECUTION = compiled(
    r"\b(?:could not|couldn't|cannot|can't|unable to|did not|didn't|never) (?:be )?(?:\w+ )?(?:confirm|verif|see\b|get to see)",
    r"\bwithout (?:seeing|confirming|checking|verifying|knowing|a view)\b",
    r"\b(?:observation|picture|image|view|frame|feedback)s?\b[^.;!?,]{0,20}\b(?:not (?:\w+ )?|un)(?:available|returned|shown|visible)\b",
    r"\bnothing (?:\w+ )?(?:confirmed|verified|showed)\b|\b(?:picture|image|observation|view|frame)s?\b[^.;!?]{0,25}\b(?:was|were) (?:missing|absent)\b",
    r"\b(?:unconfirmed|unverified|unclear whether|unclear if)\b",
    rf"\b{_DONE}\b[^.;!?]{{0,40}}\b(?:not|never) (?:\w+ )?(?:confirmed|verified|accepted|registered|shown|seen)\b",
    r"\b(?:no|missing|without (?:a|any|the)?|lack(?:ing|ed)?(?: of)?) ?(?:\w+ ){0,2}screenshots?\b",
    r"\bscreenshots?\b[^.;!?]{0,20}\b(?:were|was|are|is) (?:often |mostly )?(?:missing|absent|unavailable)\b",
    rf"\b(?:rejected|refused|ignored)\b[^.;!?]{{0,20}}\b{_DONE}\b",
    rf"\b{_DONE}\b[^.;!?]{{0,40}}\b(?:rejected|refused|imprecise|inaccurate)\b",
    r"(?:无法|没能|未能|不能|没有|没)(?:确认|验证|看到)|(?:未经|没有得到|没有)(?:确认|验证)|(?:没有|缺少|缺失|缺乏)[^，。；]{0,8}截图|截图[^，。；]{0,3}(?:缺失|缺少)",
    r"(?:放置|点击|移动|操作)[^，。；]{0,6}(?:被拒绝|未被接受|没有被接受)",
)
_HOLES = compiled(
    r"\b(?:ran|run|running) out of (?:\w+ ){0,2}(?:holes?|slots?|destinations?|places?)\b",
    r"\b(?:used up|exhausted|used all|took up)\b[^.;!?]{0,30}\b(?:holes|slots|buffers)\b",
    r"\bfilled (?:up )?(?:all|both|every)\b[^.;!?]{0,30}\b(?:holes?|slots?)\b",
    r"\b(?:holes|slots)\b[^.;!?,]{0,20}\b(?:used up|exhausted)\b",
    r"\b(?:filling|occupying|using|taking)\b[^.;!?,]{0,10}\b(?:last|all|every|both)\b[^.;!?,]{0,15}\bholes?\b",
    r"\bfilled all\b|\bexhaustion of\b[^.;!?]{0,30}\bholes?\b",
    r"(?:空孔|备用孔|孔)[^，。；不没未]{0,3}(?:用完|用光|占满)|用(?:完|光)了[^，。；]{0,4}孔|孔[^，。；不没未]{0,3}(?:耗尽|不够)",
)
_OLD = (
    r"(?:same|previous|original|earlier|old|intended|planned|prior|initial|unfinished|last|first|current|that|this|my)"
)
_LINE = (
    r"(?:plan|intention|moves?|placement|sequence|approach|order|target|relocation|route|line|steps?|strategy|attempt)"
)
_RESUME = compiled(
    rf"\b(?:continue|resume|repeat|re-?test|re-?attempt|re-?try|go on|carry (?:on|out)|execute|return to|go back to|keep (?:to|on)|stick (?:to|with)|follow|finish|complete"
    rf"|proceed|redo|perform)\b[^.;!?,]{{0,25}}\b{_OLD} (?:\w+ )?{_LINE}\b",
    rf"\b(?:continue|resume|repeat|re-?test|re-?attempt|re-?try|go on|carry (?:on|out)|return to|go back to|keep to|stick (?:to|with)|proceed)\b[^.;!?,]{{0,25}}\b{_LINE}\b",
    rf"\b(?:try|attempt|do|make|perform|redo|following|continuing|repeating)\b(?:(?!\bnot\b|\bnever\b|n't)[^.;!?,]){{0,20}}\b"
    rf"(?:same|previous|original|earlier|old|intended|planned|prior|unfinished) (?:\w+ )?{_LINE}\b",
    r"\b(?:rest|remainder) of (?:the|my|that) (?:plan|sequence|order|line|route)\b|\b(?:move|plan|order|sequence|placement)s? (?:that )?I (?:had |have )?(?:planned|intended|begun|started|chosen)\b|\bwhat I (?:had |have )?(?:started|begun|planned|intended)\b",
    r"\bsame (?:order|plan|sequence|approach|line|route)\b|\bsame (?:thing|way|moves?|steps?) (?:once )?again\b",
    r"\bpick up where\b|\bwhere (?:I|it|we) (?:left off|stopped)\b",
    r"(?:继续|接着|重复|恢复|按照|按|沿用|重新尝试)[^，。；]{0,4}(?:原来|之前|上一次|上次|同样|刚才|原定|先前)",
    r"按(?:照)?原?(?:定)?计划|(?:没做完|未做完|未完成|剩下|剩余)的(?:步骤|移动|计划|操作)|再(?:做|试|来|走|移动)(?:一次|一遍)",
)
_DIFFERENT = compiled(
    r"\b(?:different|alternative|another|new|safer|other|better) (?:\w+ )?(?:plan|order(?:ing)?|sequence|approach|strategy|route|line|one"
    r"|way|series)\b",
    rf"\binstead of (?:the |my )?(?:{_OLD}\b|(?:repeating|continuing|from|starting|upper|lower|left|right|top|bottom|large|small|long)\b)",
    r"\b(?:keep|leave|reserve|hold|make sure|ensure)\b[^.;!?]{0,30}\b(?:holes?|slots?) (?:\w+ )?(?:free|empty|open|unused|spare|in reserve|as a (?:buffer|spare|reserve))\b",
    r"\b(?:change|reverse|swap|alter|revise|rethink)\b[^.;!?]{0,20}\b(?:plan|order|sequence|approach|strategy)\b",
    r"\w+ (?:the|that|a) (?:\w+ ){1,3}first\b|\bunlike (?:before|last time|the)\b|\bnot (?:\w+ ){1,4}(?:as )?(?:last time|before|again)\b|\bthis time\b[^.;!?]{0,30}\bfirst\b",
    r"\b(?:release|free|remove|clear|move|open)\b[^.;!?,]{0,30}\b(?:before|ahead of)\b",
    r"(?:换|采用|选|走|使用|选择|尝试|改变|调整|改用)[^，。；]{0,3}(?:一种|一个|一条|个|不同|更安全|更稳妥|别的|其他|另|新)[^，。；]{0,4}(?:顺序|方案|做法|方法|计划|策略|路线)",
    r"(?:保留|留出|留着|空出)[^，。；]{0,3}空?孔|先(?:移|释放|拆|清|拿|松)",
)


def sections_of(text: str) -> Mapping[str, str]:
    """Return the two sections' bodies; the body of a heading that is not there is empty."""
    headings = next((pair for pair in HEADINGS if any(name in text for name in pair)), SECTIONS)
    first, second = (text.find(name) for name in headings)
    if second == -1:
        return {SECTIONS[0]: text[first + len(headings[0]) :] if first >= 0 else "", SECTIONS[1]: ""}
    before = text[first + len(headings[0]) : second] if 0 <= first < second else ""
    return {SECTIONS[0]: before, SECTIONS[1]: text[second + len(headings[1]) :]}


def account_codes(text: str) -> dict[str, bool]:
    """Return the codes of one account."""
    bodies = sections_of(text)
    failure, attempt = (bodies[name] for name in SECTIONS)
    return {
        "blames_execution": asserts(_EXECUTION, failure) or blames_click(failure),
        "names_holes": asserts(_HOLES, failure) or names_cause(failure),
        "resumes_plan": asserts(_RESUME, attempt),
        "different_plan": asserts(_DIFFERENT, attempt),
    }
