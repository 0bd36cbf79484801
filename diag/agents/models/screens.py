"""The screenshots an agent may be shown: those it has seen in this attempt, and those its context names."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from diag.agents.models.conversation import Picture, picture_name
from diag.agents.models.coordinates import VIEWPORT, CoordinateContract, Same, Size
from diag.errors import ConfigError
from diag.records import InfrastructureFailure


@dataclass
class Screens:
    """Pictures by name, as the coordinate contract has them sent."""

    contract: CoordinateContract
    outputs: Path | None
    """Folder of all studies; the pictures of a checkpoint's prefix lie in the picture store of the study's folder."""
    _seen: dict[str, Picture] = field(default_factory=dict, init=False)

    def add(self, png: bytes) -> None:
        """Keep a screenshot that was just observed."""
        if png:
            name = picture_name(png)
            self._seen.setdefault(name, self._as_sent(name, png))

    def load(self, name: str) -> Picture:
        """Return a picture by its SHA-256 name.

        Raises:
            InfrastructureFailure: there is no picture of this name and content (kind `restoration`).
        """
        if name not in self._seen:
            self._seen[name] = self._as_sent(name, self._stored(name))
        return self._seen[name]

    def _stored(self, name: str) -> bytes:
        for path in sorted(self.outputs.glob(f"*/*/pictures/{name[:2]}/{name}.png")) if self.outputs else ():
            png = path.read_bytes()
            if picture_name(png) == name:
                return png
        raise InfrastructureFailure("restoration", f"picture {name[:12]} of the context is in no store of the outputs")

    def _as_sent(self, name: str, png: bytes) -> Picture:
        size = self._checked_size(png)
        if isinstance(self.contract.send, Same):
            return Picture(name, png, size)
        return Picture(name, resized(png, self.contract.size_sent), self.contract.size_sent)

    def _checked_size(self, png: bytes) -> Size:
        with Image.open(io.BytesIO(png)) as image:
            size: Size = image.size
        wanted = tuple(round(side * self.contract.device_scale) for side in VIEWPORT)
        if size != wanted:
            raise ConfigError(f"a screenshot is {size} px, the agent's coordinate contract expects {wanted}")
        return size


def resized(png: bytes, size: Size) -> bytes:
    """Return a PNG at another size (Lanczos); equal bytes give equal bytes."""
    with Image.open(io.BytesIO(png)) as image:
        smaller = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    smaller.save(buffer, "PNG")
    return buffer.getvalue()
