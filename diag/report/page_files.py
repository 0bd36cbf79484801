"""The templates of a report, and how its pages are written."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from diag.foreign_text import neutral
from diag.reading.style import counted, number, p_value, signed, words
from diag.records.sealed import write_whole

TEMPLATES = Path(__file__).parent / "templates"


def file_name(name: str) -> str:
    """Return a unit's or block's id as a file name: anything but letters, digits, `.`, `_`, `-` becomes `_`."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def report_environment() -> Environment:
    """Return the templates with the filters that they use."""
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(("html", "j2"), default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    jinja.globals["script_sha256"] = csp_hash((TEMPLATES / "report.js").read_text())
    jinja.filters.update(words=words, signed=signed, number=number, p=p_value, file_name=file_name, counted=counted)
    return jinja


def csp_hash(script: str) -> str:
    """Return the source expression by which a page's policy lets this inline script run, and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def report_style() -> Markup:
    """Return the style sheet of every page, for use inside one."""
    return Markup((TEMPLATES / "report.css").read_text())  # noqa: S704 - our own


def write_page(path: Path, text: str) -> None:
    """Write a page, what others wrote in it neutral; a reader sees the old one or the new. Raises StorageError."""
    write_whole(path, neutral(text).encode(), durable=False)
