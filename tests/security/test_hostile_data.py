"""Packs, libraries and agents that carry code, markup or paths: refused, or shown as the text that they are."""

import copy
import html.parser
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hostile_agent import PAYLOADS

import games
from checkpoints.store import SHIPPED, Library, load_library, save_library
from games.catalogue import check_pack, load_catalogue
from games.contract import LevelError

HERE = Path(__file__).parent


class Markup(html.parser.HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.acting: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag, attrs):
        self._inside.append(tag)
        for name, value in attrs:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.acting.append((tag, name, value or ""))

    def handle_endtag(self, tag):
        if tag in self._inside:
            del self._inside[len(self._inside) - 1 - self._inside[::-1].index(tag) :]

    def handle_data(self, data):
        (self.scripts if "script" in self._inside[-1:] else self.texts).append(data)


@pytest.fixture(scope="module")
def pack() -> dict:
    return json.loads((Path(games.__file__).parent / "maze_paint" / "levels.json").read_text())


def written(pack: dict, folder: Path, name: str = "maze_paint.json") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(pack))
    return folder


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("place", ["game", "difficulty", "number", "layout", "optimum"])
def test_a_pack_with_code_where_a_value_belongs_is_refused_in_words(pack, tmp_path, payload, place):
    changed = copy.deepcopy({**pack, "levels": pack["levels"][:2]})
    holder = changed if place == "game" else changed["levels"][0]
    holder[place] = payload
    folder = written(changed, tmp_path / "pack")
    with pytest.raises(LevelError) as refused:
        load_catalogue(folder)
    assert place in str(refused.value) or "levels" in str(refused.value)
    assert check_pack(folder)


def test_code_in_the_free_text_of_a_pack_stays_text(pack, tmp_path):
    changed = copy.deepcopy({**pack, "levels": pack["levels"][:1]})
    changed["levels"][0]["provenance"] = {payload: payload for payload in PAYLOADS}
    (level,) = load_catalogue(written(changed, tmp_path / "pack")).entries
    assert level.provenance == {payload: payload for payload in PAYLOADS}


@pytest.mark.parametrize("name", ["os.json", "..json", "suite.json", "sys;import os.json"])
def test_the_name_of_a_pack_s_file_chooses_no_module_outside_the_games(tmp_path, name):
    benchmark = {"source": "x", "levels": [{"difficulty": "easy", "number": 1}], "name": "x", "game": name}
    folder = written(benchmark, tmp_path / "pack", name)
    with pytest.raises(LevelError):
        load_catalogue(folder)


@pytest.mark.parametrize("name", ["../../../evil", "/absolute", "a/b", "..", "<script>alert(1)</script>", "a\x00b", ""])
def test_a_library_whose_checkpoint_names_lead_elsewhere_writes_nothing(study, tmp_path, capsys, name):
    shipped = load_library("rq2")
    first = replace(shipped.checkpoints[0], checkpoint_id=name, prefix=())
    library = tmp_path / "library"
    other = replace(shipped.checkpoints[-1], prefix=())
    save_library(Library("hostile", (first, other), library), {})
    before = set(tmp_path.rglob("*"))
    code = study(f"catalog.library={library}", "agent=null", "suite=rules", "tracking=none", "mode=plan")
    assert code == 3
    assert "wanted letters, digits" in capsys.readouterr().err
    assert set(tmp_path.rglob("*")) == before


def test_a_checkpoint_with_an_object_s_name_for_a_state_is_refused(study, tmp_path, capsys):
    library = tmp_path / "library"
    library.mkdir()
    text = (SHIPPED / "rq2" / "library.json").read_text()
    state = json.loads(text)["checkpoints"][0]["checkpoint"]["state"]
    key = next(iter(state))
    (library / "library.json").write_text(text.replace(f'"{key}": ', f'"__class__": "os.system", "{key}": ', 1))
    assert study(f"catalog.library={library}", "agent=null", "suite=rules", "tracking=none", "mode=plan") == 3
    assert "library.json" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore")  # of MLflow's own packages
def test_what_an_agent_says_is_text_in_log_report_and_tracker(study, tmp_path):
    words = ("--config-dir", str(HERE / "hostile_conf"), "agent=hostile", "suite=rules", "study.max_units=2")
    assert study(*words, "mode=all", "tracking.traces=1") == 0
    (log, *_) = tmp_path.rglob("events.jsonl")
    assert all(json.dumps(payload)[1:-1] in log.read_text() for payload in PAYLOADS), "the record keeps it as it is"
    pages = [page for page in tmp_path.rglob("*.html") if "units" not in page.parts]
    assert len(pages) >= 5
    own = [path.read_text() for path in tmp_path.rglob("assets/report.js")]
    shown = ""
    for page in pages:
        read = Markup()
        read.feed(page.read_text())
        assert read.acting == [], page
        assert not [script for script in read.scripts if "taken" in script or "alert(" in script], page
        shown += "".join(read.texts)
    assert own
    assert "1337" not in shown, "a template in a text was run"
    assert PAYLOADS[0] in shown
    assert PAYLOADS[4] in shown
