"""Sends calls: credentials, retries, errors, files.

Written by "treadle client" from the API's own document: change that, and write it again.
"""

from __future__ import annotations

import random as _random
import time as _time
import uuid as _uuid
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import IO, Any, Generic, Literal, TypedDict, TypeVar
from urllib.parse import quote

import httpx

Row = TypeVar("Row")
Access = Literal["public", "app", "user"]


class Fault(TypedDict, total=False):
    """One error of a request, with the place that is wrong: in the body, a parameter, or a header."""

    pointer: str
    parameter: str
    header: str
    rule: str
    detail: str
    params: dict[str, Any]
    suggestion: str


class ApiError(Exception):
    """Raised if the API answers with an error."""

    def __init__(self, call: str, answer: httpx.Response, problem: Mapping[str, Any], now: float) -> None:
        super().__init__(f"{call}: {answer.status_code} {problem.get('message', answer.reason_phrase)}")
        self.call = call
        self.status = answer.status_code
        self.code: str | None = problem.get("code")
        self.errors: list[Fault] = list(problem.get("errors", []))
        self.problem = problem
        self.request_id: str | None = answer.headers.get("x-request-id")
        self.retry_after = _to_seconds(answer.headers.get("retry-after"), now)
        """Seconds to wait, if the server sends them."""
        self.etag: str | None = answer.headers.get("etag")
        """Current version of the row after a 412."""

    def has_code(self, *codes: str) -> bool:
        """Whether the error has one of these codes."""
        return self.code in codes

    def message_of(self, place: str) -> str | None:
        """The message for a column, or for a path such as `lines.0.name`."""
        at: Any = self.problem.get("validation")
        for key in place.split("."):
            if isinstance(at, list) and key.isdigit() and int(key) < len(at):
                at = at[int(key)]
            else:
                at = at.get(key) if isinstance(at, dict) else None
        return at if isinstance(at, str) else None


@dataclass(frozen=True)
class AnswerFacts:
    """Status and headers of an answer."""

    status: int
    etag: str | None
    """Version of the row, for `if_match`."""
    request_id: str | None
    is_replayed: bool
    """True if this is the stored answer to an earlier request with the same key."""


class Results(dict[str, Any]):
    """The results of a call: a dictionary that keeps the facts about its answer."""

    facts: AnswerFacts | None = None


def facts_of(results: object) -> AnswerFacts | None:
    """The facts about the answer with these results."""
    return results.facts if isinstance(results, (Results, Page)) else None


@dataclass
class Page(Generic[Row]):
    """One page of a search."""

    rows: list[Row]
    total: int | None = None
    """Rows on all pages; None with `total=0`."""
    total_more: bool = False
    """True if the count stopped at the number that `total` asked for, and there are more rows."""
    next: str | None = None
    """Value for `after`, if there are rows after this page."""
    previous: str | None = None
    """Value for `before`, if there may be rows before this page."""
    facts: AnswerFacts | None = None


@dataclass(frozen=True)
class Call:
    name: str
    method: str
    path: str
    access: Access


def _to_seconds(header: str | None, now: float) -> float | None:
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except ValueError:
        return None


def _to_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _list_query(name: str, value: object) -> Iterator[tuple[str, str]]:
    """`{"price": {"gte": 5}}` as `filter` becomes `filter[price][gte]=5`.

    A list is joined with commas; one of alternatives, or with a comma in an item, is numbered: `filter[or][0][price]=5`.
    """
    if value is None:
        return
    if isinstance(value, Sequence) and not isinstance(value, str) and "[" in name:
        if any(isinstance(item, Mapping) or "," in _to_text(item) for item in value):
            value = {str(index): item for index, item in enumerate(value)}
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _list_query(f"{name}[{key}]", inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield name, ",".join(_to_text(item) for item in value)
    else:
        yield name, _to_text(value)


@dataclass
class Transport:
    """Sends calls. The clock, chance, the pause and keys may be the caller's, for tests."""

    base_url: str
    token: str | Callable[[], str] | None = None
    client_id: str | None = None
    client_secret: str | None = None
    retries: int = 2
    max_wait: float = 60.0
    http: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=30.0))
    now: Callable[[], float] = _time.time
    random: Callable[[], float] = _random.random
    sleep: Callable[[float], None] = _time.sleep
    make_key: Callable[[], str] = lambda: str(_uuid.uuid4())

    def send(
        self,
        call: Call,
        *,
        path: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        files: Mapping[str, tuple[str, bytes | IO[bytes], str]] | None = None,
        if_match: str | None = None,
        idempotency_key: str | Literal[False] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The results of a call. Raises ApiError, or httpx.TransportError if no answer came."""
        url = call.path
        for name, value in (path or {}).items():
            url = url.replace("{" + name + "}", quote(str(value), safe=""))
        pairs = [pair for name, value in (query or {}).items() for pair in _list_query(name, value)]
        sent = {"accept": "application/json, application/problem+json"}
        self._prove(call, sent, pairs)
        if if_match is not None:
            sent["if-match"] = if_match
        # One key for all attempts: a write that is repeated happens once.
        key = None if call.method == "GET" or idempotency_key is False else (idempotency_key or self.make_key())
        if key is not None:
            sent["idempotency-key"] = key
        request: dict[str, Any] = {"params": pairs, "headers": {**sent, **(headers or {})}}
        if files is not None:
            # Read once: a stream has ended when a request is repeated.
            request["files"] = {
                name: (file, data if isinstance(data, bytes) else data.read(), kind) for name, (file, data, kind) in files.items()
            }
        elif body is not None:
            request["json"] = body
        return self._repeat(call, f"{self.base_url}{url}", request, may_repeat=call.method == "GET" or key is not None)

    def _repeat(self, call: Call, url: str, request: Mapping[str, Any], *, may_repeat: bool) -> Any:
        attempt = 0
        while True:
            pause = 2**attempt * 0.2 * (0.5 + self.random() / 2)
            is_last = attempt >= self.retries
            attempt += 1
            try:
                answer = self.http.request(call.method, url, **request)
            except httpx.TransportError:
                # A write without a key may have happened even if its answer was lost.
                if is_last or not may_repeat:
                    raise
                self.sleep(pause)
                continue
            if answer.is_success:
                return self._read(answer)
            failure = ApiError(call.name, answer, _read_problem(answer), self.now())
            is_busy = answer.status_code in (429, 503) or (answer.status_code == 409 and failure.retry_after is not None)
            wait = pause if failure.retry_after is None else failure.retry_after
            if is_last or not is_busy or wait > self.max_wait:
                raise failure
            self.sleep(wait)

    def _read(self, answer: httpx.Response) -> Any:
        results: Any = answer.json().get("results") if answer.content else {}
        facts = AnswerFacts(
            status=answer.status_code,
            etag=answer.headers.get("etag"),
            request_id=answer.headers.get("x-request-id"),
            is_replayed=answer.headers.get("idempotency-replayed") == "true",
        )
        if isinstance(results, dict):
            results = Results(results)
            results.facts = facts
        return results

    def page(self, call: Call, **sent: Any) -> Page[Any]:
        """The results of a search."""
        results = self.send(call, **sent)
        return Page(
            rows=results["rows"],
            total=results.get("total"),
            total_more=results.get("total_more") is True,
            next=results.get("next"),
            previous=results.get("previous"),
            facts=results.facts,
        )

    def iterate(self, call: Call, *, query: Mapping[str, object], **sent: Any) -> Iterator[Any]:
        """Every row of a search, page after page."""
        page = self.page(call, query={**query, "total": 0}, **sent)
        while True:
            yield from page.rows
            if page.next is None:
                return
            page = self.page(call, query={**query, "total": 0, "offset": None, "before": None, "after": page.next}, **sent)

    def _prove(self, call: Call, headers: dict[str, str], pairs: list[tuple[str, str]]) -> None:
        """Adds the credentials."""
        if call.access == "app":
            if self.client_id is None:
                raise ValueError(f"{call.name} is an app call: give the client a client_id.")
            if self.client_secret is None:
                pairs.append(("client_id", self.client_id))
                return
            # Both are percent-encoded first: see RFC 6749, section 2.3.1.
            pair = f"{quote(self.client_id, safe='')}:{quote(self.client_secret, safe='')}"
            headers["authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        if call.access == "user":
            if self.token is None:
                raise ValueError(f"{call.name} is a user call: give the client a token.")
            headers["authorization"] = f"Bearer {self.token() if callable(self.token) else self.token}"


def _read_problem(answer: httpx.Response) -> Mapping[str, Any]:
    try:
        problem = answer.json()
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
