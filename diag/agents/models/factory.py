"""What `conf/agent/*.yaml` instantiates for a model: settings only, picklable; each attempt gets its own agent."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from diag.agents.models.agent import ModelAgent
from diag.agents.models.asking import Asker, LiveAsker, ReplayAsker
from diag.agents.models.calling import Caller, Gate, NoGate, Patience
from diag.agents.models.clients.contract import Client, Sampling
from diag.agents.models.coordinates import CoordinateContract
from diag.agents.models.formats.contract import Format
from diag.agents.models.gate import SharedGate
from diag.agents.models.image_tokens import ImageTokens
from diag.agents.models.ledger import Ledger, SpendingLimits
from diag.agents.models.pricing import Price, load_price
from diag.agents.models.prompts import VERSION, Language, Prompts
from diag.agents.models.recording import Recorder, Replayer
from diag.agents.models.screens import Screens
from diag.config import ClockKind
from diag.errors import ConfigError
from diag.session.contract import Privilege
from diag.session.history import HistoryPolicy


@dataclass(frozen=True)
class ModelFactory:
    """Settings of a model agent. `identity()` names those that can change an outcome; the others are free."""

    name: str
    model: str
    client: Client
    format: Format
    contract: CoordinateContract = field(default_factory=CoordinateContract)
    language: Language = "en"
    max_output_tokens: int = 4096
    temperature: float | None = None
    reasoning_effort: str | None = None
    seed: int | None = None
    attempt_limit_s: float = 300.0
    """Time limit of an attempt: set from the study by the config."""
    clock: str | ClockKind = "auto"
    """The study's clock: set from `clock.kind` by the config. On `auto` and `wall` failed tries and waits count."""
    patience: Patience = field(default_factory=Patience)
    places: int = 16
    """Requests at a time that all workers of this machine may have open at the endpoint; rate limits make it fewer."""
    price: Price | None = None
    """Price of the model; null: looked up in `prices`."""
    prices: str | None = None
    """A price table; null: no price is known and every cost is null."""
    image_tokens: ImageTokens | None = None
    """How the provider counts an image, for forecasts; null: unknown."""
    limits: SpendingLimits = field(default_factory=SpendingLimits)
    """Hard limits of the whole study."""
    outputs: str | None = None
    """Folder of all studies, for pictures that contexts name."""
    state: str | None = None
    """Folder of the ledger and of the gate; null keeps neither (and then no limit may be set)."""
    record: str | None = None
    """Folder that every request and answer is recorded to."""
    replay: str | None = None
    """Folder of a recording that answers instead of the endpoint."""
    simulated: bool = False
    """True only for an endpoint that is no model (a test server): shown wherever a number is shown."""

    def __post_init__(self) -> None:
        if self.attempt_limit_s <= 0 or self.places < 1 or self.max_output_tokens < 1:
            raise ValueError("attempt_limit_s is above 0, places and max_output_tokens are from 1")
        if self.limits.any and self.state is None:
            raise ValueError("agent.limits need agent.state, the folder where spending is kept")
        if self.limits.cost is not None and self.known_price is None:
            raise ConfigError(f"agent.limits.cost needs a price of {self.model}: agent.price or agent.prices")
        object.__setattr__(self, "clock", self.clock.value if isinstance(self.clock, ClockKind) else self.clock)
        for name in ("outputs", "state", "record", "replay", "prices"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, str(Path(value).expanduser().resolve()))

    @property
    def privilege(self) -> Privilege:
        """A model sees the screen and nothing else."""
        return "none"

    @property
    def episode_history(self) -> HistoryPolicy:
        """As its format declares."""
        return self.format.episode_history

    @property
    def known_price(self) -> Price | None:
        """The model's price; None: unknown."""
        if self.price is not None or self.prices is None:
            return self.price
        return load_price(Path(self.prices), self.model)

    @property
    def sampling(self) -> Sampling:
        """The settings that are sent."""
        return Sampling(self.model, self.max_output_tokens, self.temperature, self.reasoning_effort, self.seed)

    def build(self, seed: int) -> ModelAgent:
        """Return an agent for one attempt. Raises ConfigError without a key where one is needed."""
        return ModelAgent(
            name=self.name,
            simulated=self.simulated,
            client=self.client,
            sampling=self.sampling,
            format=self.format,
            contract=self.contract,
            prompts=Prompts(self.language),
            screens=Screens(self.contract, None if self.outputs is None else Path(self.outputs)),
            asker=self._asker(seed),
            attempt_limit_s=self.attempt_limit_s,
        )

    def identity(self) -> dict[str, Any]:
        """Return every setting that can change an outcome, as flat JSON. Addresses, keys, prices, limits cannot."""
        client = {key: value for key, value in asdict(self.client).items() if key not in ("base_url", "key_env")}  # type: ignore[call-overload]
        parts = {
            "client": client,
            "sampling": asdict(self.sampling),
            "contract": self.contract.to_json(),
        }
        return {
            "kind": "model",
            "format": self.format.name,
            "continuation_prompts": self.format.continuation_prompts,
            **{f"episode_history.{key}": value for key, value in asdict(self.episode_history).items()},
            "prompts": f"{VERSION}-{self.language}-{Prompts(self.language).digest[:16]}",
            **{f"{part}.{key}": value for part, values in parts.items() for key, value in values.items()},
        }

    def _asker(self, seed: int) -> Asker:
        price = self.known_price
        if self.replay is not None:
            return ReplayAsker(Replayer(Path(self.replay), seed, self.client), price)
        caller = Caller(
            client=self.client,
            connection=self.client.connect(),
            patience=self.patience,
            gate=self._gate(),
            rng=np.random.default_rng(seed),
            counts_waits=self.clock == "wall" or (self.clock == "auto" and not self.simulated),
        )
        recorder = None if self.record is None else Recorder(Path(self.record), seed)
        return LiveAsker(caller, price, self.limits, self._ledger(), recorder, self.endpoint_label)

    def _ledger(self) -> Ledger | None:
        return None if self.state is None else Ledger(Path(self.state))

    def _gate(self) -> Gate:
        if self.state is None:
            return NoGate()
        return SharedGate(Path(self.state) / f"endpoint-{self._endpoint_digest}", self.places)

    @property
    def _endpoint_digest(self) -> str:
        endpoint = f"{self.client.api} {getattr(self.client, 'base_url', None)}"
        return hashlib.sha256(endpoint.encode()).hexdigest()[:16]

    @property
    def endpoint_label(self) -> str:
        """Name of the serving endpoint in records: its API and a digest of its address, never the address."""
        return f"{self.client.api}-{self._endpoint_digest[:8]}"
