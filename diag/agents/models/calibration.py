"""The calibration page: targets at known pixels, what a model is asked about them, and what its answers measure."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from diag.agents.models.coordinates import VIEWPORT, CoordinateContract, FitWithin, Multiples, Size
from diag.agents.models.formats.contract import ENCODED_TWICE
from games.contract import JsonObject

RADIUS_PX = 18
TARGETS: dict[str, tuple[int, int]] = {
    "A": (28, 28),
    "B": (1251, 28),
    "C": (28, 871),
    "D": (1251, 871),
    "E": (640, 450),
    "F": (333, 617),
    "G": (911, 208),
    "H": (150, 420),
}
COLOURS = {
    "A": (215, 38, 61), "B": (27, 116, 228), "C": (22, 138, 74), "D": (150, 70, 200),
    "E": (230, 126, 20), "F": (0, 150, 160), "G": (120, 85, 40), "H": (60, 60, 70),
}  # fmt: skip
MAX_SCALE_ERROR = 0.03
MAX_OFFSET_PX = 15.0
MIN_HIT_RATE = 0.5


@dataclass(frozen=True)
class Task:
    """One question about the page and the actions that answer it."""

    kind: Literal["click", "drag", "swipe", "key"]
    words: str
    points: tuple[tuple[int, int], ...] = ()
    key: str | None = None


def tasks() -> tuple[Task, ...]:
    """Return all questions: a click on every target, a drag, a swipe, a key."""
    clicks = [
        Task("click", f"Click the middle of the disk with the letter {name}, once.", (point,))
        for name, point in TARGETS.items()
    ]
    drag = Task("drag", "Drag from the disk F to the disk G, in one action.", (TARGETS["F"], TARGETS["G"]))
    swipe = Task("swipe", "Swipe from the disk E to the disk H, in one action.", (TARGETS["E"], TARGETS["H"]))
    return (*clicks, drag, swipe, Task("key", "Press the key k, once.", key="k"))


def page_png(device_scale: float = 1.0) -> bytes:
    """Draw the page as a screenshot of it would be, with that many screenshot pixels for each of the viewport."""
    width, height = (math.floor(side * device_scale + 0.5) for side in VIEWPORT)
    image = Image.new("RGB", (width, height), (250, 250, 248))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(20 * device_scale)
    radius = RADIUS_PX * device_scale
    for name, point in TARGETS.items():
        x, y = ((place + 0.5) * device_scale - 0.5 for place in point)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=COLOURS[name])
        draw.text((x, y), name, font=font, fill=(255, 255, 255), anchor="mm")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


class LenientContract(CoordinateContract):
    """The same contract without its limits, so that wrong numbers can be measured instead of refused."""

    def to_screen(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel a point means, wherever that is."""
        return self.meant(x, y) if math.isfinite(x) and math.isfinite(y) else super().to_screen(x, y)


@dataclass(frozen=True)
class Answer:
    """What a model did about one task."""

    task: Task
    actions: tuple[JsonObject, ...]
    usage: JsonObject
    latency_s: float

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The points of the first action of the right kind, as pixels; empty if there is none."""
        wanted = ("drag", "swipe") if self.task.kind in ("drag", "swipe") else (self.task.kind,)
        action = next((one for one in self.actions if one.get("name") in wanted), {})
        pairs = [(action.get(x), action.get(y)) for x, y in (("x", "y"), ("x2", "y2"))]
        return tuple((float(x), float(y)) for x, y in pairs if isinstance(x, int) and isinstance(y, int))

    @property
    def hit(self) -> bool:
        """Tell whether every point lies on its target, or the key is the one asked for."""
        if self.task.kind == "key":
            return any(one.get("name") == "key" and one.get("key") == self.task.key for one in self.actions)
        found = self.points
        if len(found) < len(self.task.points):
            return False
        return all(math.dist(a, b) <= RADIUS_PX for a, b in zip(found, self.task.points, strict=False))

    @property
    def readable(self) -> bool:
        """Tell whether everything the model wrote was an action."""
        return bool(self.actions) and not set(self.usage.get("malformed", ())) - {ENCODED_TWICE}

    @property
    def encoded_twice(self) -> bool:
        """Tell whether the server encoded the arguments of a call twice."""
        return ENCODED_TWICE in self.usage.get("malformed", ())


@dataclass(frozen=True)
class Axis:
    """Least squares of what was clicked against where the target was: clicked = scale * target + offset_px."""

    scale: float
    offset_px: float
    residual_px: float
    """Root mean square of what the line leaves."""


@dataclass(frozen=True)
class Measured:
    """What the page showed about a model and its contract."""

    n_tasks: int
    n_readable: int
    n_hits: int
    n_encoded_twice: int
    """Answers whose calls came encoded twice: read all the same."""
    x: Axis | None
    y: Axis | None
    """None with fewer than three points."""
    suggestion: str | None
    """A contract that would explain the numbers better, if one does."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong; empty if the model may play."""
        found = []
        if self.n_readable < self.n_tasks:
            found.append(f"{self.n_tasks - self.n_readable} of {self.n_tasks} answers could not be read whole")
        for name, axis in (("x", self.x), ("y", self.y)):
            if axis is None:
                found.append(f"too few points to measure {name}")
            elif abs(axis.scale - 1) > MAX_SCALE_ERROR or abs(axis.offset_px) > MAX_OFFSET_PX:
                found.append(
                    f"the coordinate space of {name} looks wrong: "
                    f"scale {axis.scale:.3f}, offset {axis.offset_px:+.1f} px"
                )
        if self.n_hits < MIN_HIT_RATE * self.n_tasks:
            found.append(f"only {self.n_hits} of {self.n_tasks} tasks were hit")
        return tuple(found)


def measure(answers: Sequence[Answer], contract: CoordinateContract) -> Measured:
    """Return what the answers say about a model under its contract."""
    pairs = [pair for one in answers for pair in zip(one.points, one.task.points, strict=False)]
    x, y = (_fit([(b[axis], a[axis]) for a, b in pairs]) for axis in (0, 1))
    return Measured(
        n_tasks=len(answers),
        n_readable=sum(one.readable for one in answers),
        n_hits=sum(one.hit for one in answers),
        n_encoded_twice=sum(one.encoded_twice for one in answers),
        x=x,
        y=y,
        suggestion=_suggestion(x, y, contract),
    )


def _fit(pairs: Sequence[tuple[float, float]]) -> Axis | None:
    if len(pairs) < 3:
        return None
    true, clicked = np.array(pairs, dtype=float).T
    design = np.stack([true, np.ones_like(true)], axis=1)
    (scale, offset), *_ = np.linalg.lstsq(design, clicked, rcond=None)
    residual = clicked - design @ np.array([scale, offset])
    return Axis(float(scale), float(offset), float(np.sqrt(np.mean(residual**2))))


_CANDIDATES: dict[str, tuple[CoordinateContract, str]] = {
    "pixels of the screenshot": (CoordinateContract(), "space=pixels"),
    "a 0-1000 grid": (CoordinateContract("grid"), "space=grid"),
    "a 0-100 grid": (CoordinateContract("grid", 100), "space=grid grid_max=100"),
    "pixels of an image shrunk to 1024 px": (CoordinateContract(seen=FitWithin(1024)), "seen=FitWithin(1024)"),
    "pixels of an image shrunk to 768 px": (CoordinateContract(seen=FitWithin(768)), "seen=FitWithin(768)"),
    "pixels of a 28 px smart resize to 1 megapixel": (
        CoordinateContract(seen=Multiples(28, 3_136, 1_003_520)),
        "seen=Multiples(28, max_pixels=1003520)",
    ),
}


def _suggestion(x: Axis | None, y: Axis | None, contract: CoordinateContract) -> str | None:
    """Name the candidate space whose scales come nearest, if they are near and it is not the contract's own."""
    if x is None or y is None or _distance(x, y, 1.0, 1.0) <= MAX_SCALE_ERROR:
        return None
    own = _units_per_pixel(contract)
    best: tuple[float, str] | None = None
    for words, (candidate, setting) in _CANDIDATES.items():
        theirs = _units_per_pixel(candidate)
        distance = _distance(x, y, theirs[0] / own[0], theirs[1] / own[1])
        if best is None or distance < best[0]:
            best = distance, f"the numbers look like {words} (contract: {setting})"
    return best[1] if best is not None and best[0] <= 2 * MAX_SCALE_ERROR else None


def _distance(x: Axis, y: Axis, scale_x: float, scale_y: float) -> float:
    return max(abs(x.scale / scale_x - 1), abs(y.scale / scale_y - 1))


def _units_per_pixel(contract: CoordinateContract) -> tuple[float, float]:
    size: Size = (contract.grid_max, contract.grid_max) if contract.space == "grid" else contract.size_seen
    return size[0] / VIEWPORT[0], size[1] / VIEWPORT[1]


def sums(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return latency and spending of the calls: medians and sums, null where a part is unknown."""
    latencies = [one.latency_s for one in answers]
    known: dict[str, list[Any]] = {
        name: [one.usage.get(name) for one in answers] for name in ("input_tokens", "output_tokens", "cost", "images")
    }
    totals = {name: None if None in values else sum(values) for name, values in known.items()}
    return {
        "latency_median_s": float(np.median(latencies)),
        "latency_max_s": max(latencies),
        "n_failed_tries": sum(len(one.usage.get("tries", ())) - 1 for one in answers),
        **totals,
    }
