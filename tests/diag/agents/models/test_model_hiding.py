"""No form of a secret gets past the place where an endpoint's words enter."""

import base64
import html
import json
import time
from urllib.parse import quote

import pytest
from fake_server import Behaviour, serving

from diag.agents.models.hiding import HIDDEN, Hider, credentials_in

KEY = 'sk-Proj_9+x/=Ω7 "q\\z'
FORMS = {
    "plain": lambda key: key,
    "capitals": str.upper,
    "percent": lambda key: quote(key, safe=""),
    "percent, every character": lambda key: "".join(f"%{byte:02X}" for byte in key.encode()),
    "percent twice": lambda key: quote(quote(key, safe=""), safe=""),
    "JSON": lambda key: json.dumps(key)[1:-1],
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "every character": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "every character in braces": lambda key: "".join(f"\\u{{{ord(one):x}}}" for one in key),
    "HTML": html.escape,
    "HTML numbers": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "repr": lambda key: repr({"k": key}),
    "hex": lambda key: key.encode().hex(),
    "hex with colons": lambda key: key.encode().hex(":").upper(),
    "backwards": lambda key: key[::-1],
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of a URL": lambda key: base64.urlsafe_b64encode(key.encode()).decode().rstrip("="),
    **{
        f"basic credential of a user of {n}": lambda key, n=n: base64.b64encode(f"{'u' * n}:{key}!".encode()).decode()
        for n in range(1, 5)
    },
    "base64 twice": lambda key: base64.b64encode(base64.b64encode(f"my {key}".encode())).decode(),
    "base64 of base64 of a URL in lines": lambda key: base64.encodebytes(
        base64.urlsafe_b64encode(f"{key} is all I know, and {key} once more".encode())
    ).decode(),
    "base64 of hex": lambda key: base64.b64encode(key.encode().hex().encode()).decode(),
    "hex of base64 of hex": lambda key: base64.b64encode(key.encode().hex().encode()).hex(),
    "base32": lambda key: base64.b32encode(key.encode()).decode(),
    "base32 of a longer text, small": lambda key: base64.b32encode(f"a {key} b".encode()).decode().lower(),
    "base64 of JSON": lambda key: base64.b64encode(json.dumps({"k": key}).encode()).decode(),
    "spelt out": " ".join,
    "spelt with marks": ", ".join,
    "spelt in lines": "\n".join,
    "base64, percent": lambda key: quote(base64.b64encode(key.encode()).decode(), safe=""),
}


def leaks(text: str) -> bool:
    """Return whether the middle of the key can be read out of a text in any of the forms."""
    middle = KEY[3:-3]
    return any(form(middle)[3:-4].lower() in text.lower() for name, form in FORMS.items() if "user" not in name)


@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_hidden_at_any_depth(name):
    said = FORMS[name](KEY)
    answer = {"choices": [{"message": {"content": f"before {said} after", said: [said]}}], "n": 3, "none": None}
    hidden = Hider([KEY]).hide_in(answer)
    text = json.dumps(hidden, ensure_ascii=False)
    assert said not in text
    assert text.count(HIDDEN) == 3
    assert not leaks(text)
    assert "before" in text
    assert "after" in text
    assert hidden["n"] == 3
    assert hidden["none"] is None


def test_other_words_are_left_alone():
    text = "Click the red bolt at (120, 40); 6b65 is hex, a2V5 is base64."
    assert Hider([KEY, "not-needed", "EMPTY", "abc", ""]).hide(text + " EMPTY abc not-needed") == (
        text + " EMPTY abc not-needed"
    )


def test_a_secret_in_lines_of_base64_or_split_over_parts_is_hidden():
    key = KEY * 4
    mail = base64.encodebytes(f"before {key} after".encode()).decode()
    assert not any(line in Hider([key]).hide(mail) for line in mail.splitlines()[1:-1])
    parts = [{"type": "text", "text": f"a {KEY[:7]}"}, {"type": "image"}, {"type": "text", "text": f"{KEY[7:]} b"}]
    assert "".join(part.get("text", "") for part in Hider([KEY]).hide_in(parts)) == f"a {HIDDEN} b"


def test_credentials_of_an_address():
    assert set(credentials_in("http://me:p%40ss@host/v1")) == {"p%40ss", "p@ss", "me:p%40ss", "me:p@ss"}
    assert credentials_in("http://host/v1") == credentials_in(None) == credentials_in("http://[") == ()
    echoed = base64.b64encode(b"me:p@ss").decode()
    assert echoed not in Hider(credentials_in("http://me:p%40ss@host/v1")).hide(f"Authorization: Basic {echoed}")


def processor_s_of_hiding(text: str) -> float:
    began = time.process_time()
    Hider([KEY]).hide(text)
    return time.process_time() - began


@pytest.mark.parametrize("filler", ["\\", "%25", "&#0", "s", "sk-Proj_9", "0", "c2sr", "ON", "s k ", "YzJ"])
def test_twice_the_answer_takes_about_twice_the_time(filler):
    short = filler * (60_000 // len(filler))
    once, twice = (min(processor_s_of_hiding(text) for _ in range(2)) for text in (short, short * 2))
    assert twice < 3 * once + 0.05


def test_nothing_of_a_study_holds_what_an_endpoint_echoes(diag, library_folder, tmp_path, monkeypatch, capsys):
    key, password = "sk-proj-0123456789abcdef", "correct horse"
    forms = [key, base64.b64encode(f"me:{password}".encode()).decode(), quote(password), key.encode().hex()]
    evil = "\x1b]0;owned\x07\u202e"

    def echo(request):
        return {"text": f"{' '.join(forms)} {evil}", "actions": [{"name": "key", "key": forms[0] + forms[1]}]}

    refusal = json.dumps({"error": {"message": f"no {' '.join(forms)} {evil}"}})
    with serving(echo, Behaviour(), Behaviour(), Behaviour("status", status=403, body=refusal)) as server:
        monkeypatch.setenv("OPENAI_API_KEY", key)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url.replace("://", f"://me:{quote(password)}@"))
        code = diag(
            "+experiment=rq2", "agent=local", "agent.model=fake-1", "agent.simulated=true", "clock=virtual",
            f"catalog.library={library_folder}", "suite=rules", f"outputs={tmp_path}", "execution.n_jobs=1",
            "execution.progress=false", "tracking=none", "study.max_units=1", f"agent.record={tmp_path / 'recording'}",
            "mode=run",
        )  # fmt: skip
    assert code == 2
    assert len(server.requests) == 3
    shown = "".join(capsys.readouterr())
    assert "refuses" in shown
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert any(HIDDEN.encode() in content for content in written)
    for form in [*forms, password]:
        assert form not in shown
        assert not any(form.encode() in content for content in written)
    assert not set(shown) & set(evil[0] + "\x07\u202e")
