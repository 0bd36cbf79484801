"""No stale page: every command and every link in the documents is one that exists."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

from diag.app.dispatch import command_names
from diag.app.door import as_hydra_reads
from diag.studies.registry import register

REPOSITORY = Path(__file__).parent.parent.parent
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def commands() -> Iterator[tuple[str, str]]:
    """Return (page, command) of each `python -m diag ...` and `./diag.sh run ...`, up to its comment."""
    for page in PAGES:
        for line in page.read_text().splitlines():
            for found in re.findall(r"(?:python -m diag|\./diag\.sh run)(?![.\w])((?: [^`|]*)?)", line):
                text = re.split(r' #|\s{3,}|\)|, (?!")| wrap it|;', found)[0].strip()
                yield page.relative_to(REPOSITORY).as_posix(), text


FOUND = list(dict.fromkeys(commands()))


def test_the_documents_hold_commands() -> None:
    assert len(FOUND) > 30


@pytest.fixture(scope="module")
def hydra() -> Iterator[None]:
    register()
    GlobalHydra.instance().clear()
    with initialize_config_dir(version_base="1.3", config_dir=str(REPOSITORY / "conf")):
        yield
    GlobalHydra.instance().clear()


@pytest.mark.usefixtures("hydra")
@pytest.mark.parametrize(("page", "text"), FOUND, ids=lambda value: value if value.endswith(".md") else value[:60])
def test_every_command_exists(page: str, text: str) -> None:
    words = shlex.split(text)
    if not words or words[0] in ("ARGS", "key=value"):
        return
    if re.fullmatch(r"[a-z][a-z-]*", words[0]):
        assert words[0] in command_names(), f"{page}: python -m diag {text}"
        return
    own = "--config-dir" in words
    typed = [word for word in words if "=" in word or word.startswith("~")]
    overrides = [first_value(word) for word in as_hydra_reads(typed)]
    overrides = [
        word
        for word in overrides
        if not re.search(r"=(?:NAME|X|encouragement|kind_words)$", word) or "." in word.partition("@")[0]
    ]
    if own:  # options of the reader's own folder are not in ours
        overrides = [
            word
            for word in overrides
            if not word.startswith(("+intervention@", "+experiment=", "agent=", "hydra.searchpath="))
        ]
    if not any(word.startswith("+experiment=") for word in overrides):
        overrides.append("+experiment=rq2")
    composed = compose("config", overrides=overrides)
    assert composed.study is not None, f"{page}: python -m diag {text}"


def first_value(word: str) -> str:
    """Return the first value of a sweep; lists stay whole."""
    key, equals, value = word.partition("=")
    return word if not equals or value.startswith(("[", "{")) else f"{key}={value.split(',')[0]}"


def test_every_word_of_diag_sh_exists() -> None:
    script = (REPOSITORY / "diag.sh").read_text()
    known = {"run", *command_names(), *re.findall(r"^([a-z]+)\)$", script, re.MULTILINE)}
    used = {word for page in PAGES for word in re.findall(r"\./diag\.sh ([a-z]+)", page.read_text()) if word != "or"}

    assert used
    assert used <= known


def test_every_other_module_and_script_exists() -> None:
    for page in PAGES:
        text = page.read_text()
        for module in re.findall(r"python -m ((?:diag|games|solvers|checkpoints|benchmarks)\.[\w.]*\w)", text):
            place = REPOSITORY / module.replace(".", "/")
            assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), f"{page.name}: {module}"
        for script in re.findall(r"python ((?:benchmarks|tests)/[\w/]+\.py)", text):
            assert (REPOSITORY / script).is_file(), f"{page.name}: {script}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        assert file.exists(), f"{page.name}: {target}"
        if anchor and file.suffix == ".md":
            assert anchor in headings(file), f"{page.name}: {target}"


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in titles}


def test_the_site_leaves_no_page_out() -> None:
    listed = set(re.findall(r": ([\w/-]+\.md)$", (REPOSITORY / "mkdocs.yml").read_text(), re.MULTILINE))
    pages = {page.relative_to(REPOSITORY / "docs").as_posix() for page in PAGES if page.name != "README.md"}

    assert listed == pages
