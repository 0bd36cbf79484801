"""How an attempt's requests are answered: live (and perhaps recorded), or from a recording; with what each one cost."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Protocol

from diag.agents.models.calling import Answered, Caller
from diag.agents.models.conversation import Conversation
from diag.agents.models.ledger import Ledger, SpendingLimits
from diag.agents.models.pricing import Price
from diag.agents.models.recording import Recorder, Replayer, without_pictures
from diag.records import InfrastructureFailure
from games.contract import JsonObject


class Asker(Protocol):
    """Answers requests and says what they took."""

    def ask(self, kind: str, elapsed_s: float, request: JsonObject, sent: Conversation, remaining_s: float) -> Answered:
        """Return the answer. Raises InfrastructureFailure, RecordingEnds, DiagError."""

    def usage(self, got: Answered, sent: Conversation) -> JsonObject:
        """Return the record of a call: tokens, images, cost, tries, times."""


def named(request: JsonObject, sent: Conversation) -> JsonObject:
    """Return a request with its pictures by name: what is recorded and compared."""
    names = {base64.b64encode(picture.png).decode(): picture.sha256 for picture in sent.pictures}
    return dict(without_pictures(request, names))


def usage_of(got: Answered, sent: Conversation, price: Price | None) -> JsonObject:
    """Return the record of a call; unknown counts and an unknown price are null."""
    tokens = got.reply.tokens
    cost = None if price is None else price.cost(tokens)
    return {
        "endpoint": got.endpoint,
        "model": got.reply.model,
        "response_id": got.reply.response_id,
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cached_tokens": tokens.cached,
        "images": len(sent.pictures),
        "image_pixels": sum(picture.size[0] * picture.size[1] for picture in sent.pictures),
        "text_characters": sum(map(len, sent.texts)),
        "cost": cost,
        "currency": None if price is None else price.currency,
        "throttled_s": got.throttled_s,
        "tries": list(got.tries),
    }


@dataclass
class LiveAsker:
    """Asks an endpoint within the study's limits."""

    caller: Caller
    price: Price | None
    limits: SpendingLimits
    ledger: Ledger | None
    recorder: Recorder | None
    endpoint: str
    """Label of the address that answers, by which a study is analysed (`python -m diag serving`)."""

    def ask(self, kind: str, elapsed_s: float, request: JsonObject, sent: Conversation, remaining_s: float) -> Answered:
        """Ask, pay, record. Raises InfrastructureFailure, EndpointRefused, LimitReached."""
        if self.limits.any and self.ledger is not None:
            self.limits.require(self.ledger.spent())
        try:
            got = replace(self.caller.ask(request, remaining_s), endpoint=self.endpoint)
        except InfrastructureFailure as failure:
            if self.recorder is not None:
                self.recorder.failed(kind, elapsed_s, named(request, sent), failure)
            raise
        used = usage_of(got, sent, self.price)
        if self.ledger is not None:
            self.ledger.add(got.reply.tokens, used["images"], used["cost"])
        if self.recorder is not None:
            self.recorder.answered(kind, elapsed_s, named(request, sent), sent, got)
        return got

    def usage(self, got: Answered, sent: Conversation) -> JsonObject:
        """Return the record of a call."""
        return usage_of(got, sent, self.price)


@dataclass
class ReplayAsker:
    """Answers from a recording; spends nothing and needs no key."""

    replayer: Replayer
    price: Price | None

    def ask(self, kind: str, elapsed_s: float, request: JsonObject, sent: Conversation, remaining_s: float) -> Answered:
        """Return the recorded answer. Raises RecordingEnds, CorruptRecord, InfrastructureFailure."""
        return self.replayer.ask(kind, elapsed_s, named(request, sent))

    def usage(self, got: Answered, sent: Conversation) -> JsonObject:
        """Return the record of the call as it was when it was recorded."""
        return usage_of(got, sent, self.price)
