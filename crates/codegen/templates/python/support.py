"""What the functions of this package share: statements, calls, values and rows.

The driver has no complete type stubs. What is not typed is used here and nowhere else.
"""

from __future__ import annotations

import asyncio
import base64
import calendar
import heapq
import ipaddress
import logging
import math
import struct
import threading
import time
from collections import deque
from collections.abc import Awaitable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta, timezone
from decimal import ROUND_HALF_UP, Context, Decimal, DecimalException, Inexact
from typing import Any, Callable, Generic, Protocol, TypeVar, Union
from uuid import UUID, uuid4

import cassandra.cqltypes as _types  # type: ignore[import-untyped,unused-ignore]
import cassandra.protocol as _protocol  # type: ignore[import-untyped,unused-ignore]
import cassandra.util as _util  # type: ignore[import-untyped,unused-ignore]
from cassandra import ConsistencyLevel  # type: ignore[import-untyped,unused-ignore]
from cassandra.auth import PlainTextAuthProvider  # type: ignore[import-untyped,unused-ignore]
from cassandra.cluster import (  # type: ignore[import-untyped,unused-ignore]
    EXEC_PROFILE_DEFAULT,
    Cluster,
    ResultSet,
)
from cassandra.murmur3 import murmur3 as _murmur3  # type: ignore[import-untyped,unused-ignore]
from cassandra.query import (  # type: ignore[import-untyped,unused-ignore]
    UNSET_VALUE,
    BatchStatement,
    BatchType,
    tuple_factory,
)
from cassandra.util import Date as FarDate  # type: ignore[import-untyped,unused-ignore]
from cassandra.util import Duration, Time

__all__ = ["UUID", "Decimal", "Duration", "FarDate", "Sequence", "Time"]

T = TypeVar("T")
R = TypeVar("R")

Session = Any
"""A session of the driver."""
Row = Sequence[Any]
"""The values of a row, in order."""
Turn = tuple[Any, ...]
"""The values of the repetitions around a statement, outermost first."""
Timestamp = datetime
"""A time with its zone, which is UTC in rows; one without a zone is taken as UTC."""
CqlDate = Union[date, FarDate]
"""A date; one before the year 1 or after the year 9999 is the driver's."""
Inet = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]

Outcome = str
APPLIED: Outcome = "applied"
REFUSED: Outcome = "refused"
VIOLATION: Outcome = "violation"
INTERRUPTED: Outcome = "interrupted"
_AGAIN: Outcome = "again"

LOGGED = BatchType.LOGGED
UNLOGGED = BatchType.UNLOGGED
COUNTER = BatchType.COUNTER


class FarTimestamp(datetime):
    """A timestamp before the year 1 or after the year 9999.

    As a `datetime` it is the least or the greatest one; `milliseconds` since 1970 is exact.
    """

    milliseconds: int

    def __new__(cls, milliseconds: int) -> FarTimestamp:  # noqa: PYI034
        end = datetime.max if milliseconds > 0 else datetime.min
        made = super().__new__(cls, *end.timetuple()[:6], end.microsecond, timezone.utc)
        made.milliseconds = milliseconds
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FarTimestamp):
            return self.milliseconds == other.milliseconds
        return False

    def __hash__(self) -> int:
        return hash(self.milliseconds)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return (FarTimestamp, (self.milliseconds,))

    def __repr__(self) -> str:
        return f"FarTimestamp({self.milliseconds})"

    __str__ = __repr__


# Errors


class AccessError(Exception):
    """A function failed; `query` names it, `step` the statement (its table and text)."""

    kind = "access"

    def __init__(self, query: str, step: str, message: str) -> None:
        super().__init__(f"{query}: {message}" + (f" ({step})" if step else ""))
        self.query = query
        self.step = step


class StatementFailed(AccessError):
    """The driver or the server refused a statement; the cause is the driver's error."""

    kind = "driver"

    applied: tuple[str, ...] = ()
    """The statements of the same write that were applied before."""


class Unrepresentable(AccessError):
    """A value does not fit its type, here or in the database."""

    kind = "unrepresentable"


class ConstraintViolation(AccessError):
    """A value is not allowed or a key is taken; nothing was changed, or it was undone."""

    kind = "violation"


class PartialWrite(AccessError):
    """A condition did not hold after statements that cannot be undone."""

    kind = "interrupted"

    def __init__(self, query: str, step: str, applied: Sequence[str]) -> None:
        done = "; ".join(applied)
        super().__init__(query, step, f"a condition does not hold; applied: {done}")
        self.applied = tuple(applied)


class InvalidToken(AccessError):
    """A position of another query, or no position at all."""

    kind = "token"


class OutOfRange(ArithmeticError):
    """A computed number does not fit its type."""


# Observers


class Observer(Protocol):
    """Is told about calls and statements. Its methods run in the event loop: be quick."""

    def call_started(self, call: Call) -> None: ...

    def call_ended(self, call: Call) -> None: ...

    def statement_started(self, run: StatementRun) -> None: ...

    def statement_ended(self, run: StatementRun) -> None: ...


class StatementRun:
    """A statement that was sent for a call."""

    __slots__ = ("call", "context", "cql", "error", "seconds", "started", "table")

    def __init__(self, call: Call, table: str, cql: str) -> None:
        self.call = call
        self.table = table
        self.cql = cql
        self.error: BaseException | None = None
        self.seconds = 0.0
        self.started = time.perf_counter()
        self.context: Any = None
        """Whatever the observer wants to keep."""


class LoggingObserver:
    """Writes calls and statements to a logger: those that fail as warnings."""

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or logging.getLogger(__package__)

    def call_started(self, call: Call) -> None:
        pass

    def call_ended(self, call: Call) -> None:
        level = logging.WARNING if call.error else logging.DEBUG
        text = "%s: %.1f ms%s"
        self._logger.log(
            level, text, call.name, call.seconds * 1e3, _suffix(call.error)
        )

    def statement_started(self, run: StatementRun) -> None:
        pass

    def statement_ended(self, run: StatementRun) -> None:
        level = logging.WARNING if run.error else logging.DEBUG
        text = "%s: %s: %.1f ms%s: %s"
        millis, suffix = run.seconds * 1e3, _suffix(run.error)
        name, table = run.call.name, run.table
        self._logger.log(level, text, name, table, millis, suffix, run.cql)


class OpenTelemetryObserver:
    """Makes a span for each call, and one below it for each statement.

    Does nothing where `opentelemetry` is not installed.
    """

    def __init__(self, name: str = __package__ or "access") -> None:
        try:
            from opentelemetry import (  # type: ignore[import-not-found,unused-ignore]
                trace,
            )
        except ImportError:
            self._trace: Any = None
        else:
            self._trace = trace
            self._tracer = trace.get_tracer(name)

    def call_started(self, call: Call) -> None:
        if self._trace is not None:
            call.context = self._tracer.start_span(call.name)

    def call_ended(self, call: Call) -> None:
        self._end(call.context, call.error)

    def statement_started(self, run: StatementRun) -> None:
        if self._trace is not None:
            parent = self._trace.set_span_in_context(run.call.context)
            attributes = {
                "db.system.name": "cassandra",
                "db.collection.name": run.table,
                "db.query.text": run.cql,
            }
            run.context = self._tracer.start_span(
                f"{run.call.name} {run.table}",
                context=parent,
                kind=self._trace.SpanKind.CLIENT,
                attributes=attributes,
            )

    def statement_ended(self, run: StatementRun) -> None:
        self._end(run.context, run.error)

    def _end(self, span: Any, error: BaseException | None) -> None:
        if span is None:
            return
        if error is not None:
            span.record_exception(error)
            span.set_status(self._trace.StatusCode.ERROR, str(error))
        span.end()


def _suffix(error: BaseException | None) -> str:
    return f" failed: {error}" if error else ""


# Statements and calls


def utc_now() -> datetime:
    """The clock, unless the options have another."""
    return datetime.now(timezone.utc)


@dataclass(frozen=True)
class Options:
    """How functions work."""

    concurrency: int = 50
    """Statements that one call has under way at most."""
    page_size: int = 5000
    """Rows that the server sends at once."""
    timeout: float | None = None
    """Seconds for which a statement is waited for; `None`: as the session has it."""
    attempts: int = 3
    """How often a write is tried whose rows another client changes meanwhile."""
    batch_bytes: int = 40 * 1024
    """Bytes of values in one batch; the server refuses batches of 50 KiB."""
    batch_statements: int = 100
    observer: Observer | None = None
    clock: Callable[[], datetime] = utc_now


class Statement:
    """A statement that is prepared when it is first used."""

    __slots__ = ("conditional", "consistency", "cql", "idempotent", "query", "table")

    def __init__(
        self,
        *,
        query: str,
        table: str,
        cql: str,
        consistency: str,
        idempotent: bool,
        conditional: bool = False,
    ) -> None:
        self.query = query
        self.table = table
        self.cql = cql
        self.consistency = consistency
        self.idempotent = idempotent
        self.conditional = conditional

    def __str__(self) -> str:
        return f"{self.table}: {self.cql}"


@dataclass(frozen=True)
class Page(Generic[T]):
    """Rows, and where the next ones begin."""

    rows: list[T]
    token: str | None
    """Give it to the same function for the next page; `None`: there is none."""


class Record:
    """A base of rows, which have slots and can be pickled and copied nevertheless."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        own: Any = self
        return (type(self), tuple(getattr(self, it.name) for it in fields(own)))


class Client:
    """A session with the prepared statements of this package."""

    def __init__(self, session: Session, options: Options | None) -> None:
        self.options = options or Options()
        self._session = session
        changes: dict[str, Any] = {"row_factory": tuple_factory}
        if self.options.timeout is not None:
            changes["request_timeout"] = self.options.timeout
        clone = session.execution_profile_clone_update
        self._profile = clone(EXEC_PROFILE_DEFAULT, **changes)
        self.prepared: dict[Statement, Any] = {}
        self._lock = threading.Lock()
        self._inbox: _Inbox | None = None

    def call(self, name: str) -> Call:
        return Call(self, name)

    async def close(self) -> None:
        cluster = self._session.cluster
        await asyncio.get_running_loop().run_in_executor(None, cluster.shutdown)

    def bind(self, statement: Statement, values: Row) -> Any:
        """The statement, which is prepared, with its values."""
        try:
            return self.prepared[statement].bind(values)
        except (TypeError, ValueError, OverflowError, struct.error) as error:
            raise Unrepresentable(
                statement.query, str(statement), str(error)
            ) from error

    async def prepare(self, statement: Statement) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, self._prepare, statement)
        except Exception as error:
            raise _failure(statement, error) from error

    def _prepare(self, statement: Statement) -> None:
        with self._lock:
            if statement not in self.prepared:
                prepared = self._session.prepare(statement.cql)
                level = ConsistencyLevel.name_to_value[statement.consistency]
                prepared.consistency_level = level
                prepared.is_idempotent = statement.idempotent
                prepared.fetch_size = self.options.page_size
                self.prepared[statement] = prepared

    async def send(self, statement: Statement, bound: Any) -> list[Row]:
        """Sends a bound statement, or the batch that begins with it.

        Returns the rows of all pages.
        """
        try:
            response = self._session.execute_async(
                bound, execution_profile=self._profile
            )
            rows = await self._receive(response) or []
            while response.has_more_pages:
                response.clear_callbacks()
                response.start_fetching_next_page()
                rows.extend(await self._receive(response) or [])
            return rows
        except Exception as error:
            raise _failure(statement, error) from error

    async def send_page(
        self, statement: Statement, bound: Any, size: int, state: bytes | None
    ) -> tuple[list[Row], bytes | None]:
        """Sends a statement and returns the rows of one page and the position after it."""
        bound.fetch_size = size
        try:
            response = self._session.execute_async(
                bound, execution_profile=self._profile, paging_state=state
            )
            rows = await self._receive(response) or []
            return rows, ResultSet(response, rows).paging_state
        except Exception as error:
            raise _failure(statement, error) from error

    def _receive(self, response: Any) -> asyncio.Future[list[Row] | None]:
        """The rows of a response of the driver; none of a write."""
        loop = asyncio.get_running_loop()
        inbox = self._inbox
        if inbox is None or inbox.loop is not loop:
            inbox = self._inbox = _Inbox(loop)
        waiter: asyncio.Future[list[Row] | None] = loop.create_future()
        # What the callbacks hold must not hold the response: a cycle is garbage that
        # lives until the next collection.
        response.add_callbacks(
            inbox.put,
            inbox.put,
            callback_args=(waiter.set_result,),
            errback_args=(waiter.set_exception,),
        )
        return waiter


class _Inbox:
    """Answers on their way from the threads of the driver to an event loop.

    However many arrive until the loop takes them, it is woken once.
    """

    __slots__ = ("_answers", "_is_woken", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._answers: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._is_woken = False

    def put(self, answer: Any, settle: Callable[[Any], None]) -> None:
        """Takes rows or an error, and the function that hands them to who waits."""
        self._answers.append((settle, answer))
        # The loop forgets that it was woken before it takes the answers: none is left.
        if not self._is_woken:
            self._is_woken = True
            try:
                self.loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:
                pass  # The loop was closed: nobody waits.

    def _deliver(self) -> None:
        self._is_woken = False
        answers = self._answers
        while answers:
            settle, answer = answers.popleft()
            try:
                settle(answer)
            except asyncio.InvalidStateError:
                pass  # The call was cancelled: nobody waits.


def _failure(statement: Statement, error: Exception) -> AccessError:
    text = f"{type(error).__name__}: {error}"
    if "Failed decoding result column" in str(error):
        return Unrepresentable(statement.query, str(statement), text)
    return StatementFailed(statement.query, str(statement), text)


async def _no_rows() -> list[Row]:
    return []


class Call:
    """A call of a function: what its statements have in common."""

    error: BaseException | None = None
    outcome: Outcome | None = None
    """How a write ended."""
    seconds = 0.0
    context: Any = None
    """Whatever the observer wants to keep."""
    _started = 0.0
    _now: datetime | None = None
    _slots: asyncio.Semaphore | None = None
    _is_parallel = False

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self._observer = client.options.observer

    def __enter__(self) -> Call:  # noqa: PYI034
        if self._observer is not None:
            self._started = time.perf_counter()
            self._observer.call_started(self)
        return self

    def __exit__(
        self, kind: object, error: BaseException | None, trace: object
    ) -> None:
        if self._observer is not None:
            self.seconds = time.perf_counter() - self._started
            self.error = error
            self._observer.call_ended(self)
        if error is not None and isinstance(error, OutOfRange):
            raise Unrepresentable(self.name, "", str(error)) from error

    @property
    def now(self) -> datetime:
        """The time of the call: the same for everything in it."""
        if self._now is None:
            self._now = self.client.options.clock().astimezone(timezone.utc)
        return self._now

    def fetch(self, statement: Statement, values: Row) -> Awaitable[list[Row]]:
        """The rows of a statement."""
        client = self.client
        if statement in client.prepared:
            return self.send(statement, client.bind(statement, values))
        return self._fetch_first(statement, values)

    async def _fetch_first(self, statement: Statement, values: Row) -> list[Row]:
        await self.client.prepare(statement)
        return await self.fetch(statement, values)

    async def fetch_page(
        self, statement: Statement, values: Row, size: int, state: bytes | None
    ) -> tuple[list[Row], bytes | None]:
        """The rows of one page, and the position after it."""
        client = self.client
        if statement not in client.prepared:
            await client.prepare(statement)
        bound = client.bind(statement, values)
        work = client.send_page(statement, bound, size, state)
        if self._observer is None:
            return await work
        return await self._watch(self._observer, statement, work)

    def fetch_turn(self, statement: Statement, values: Row) -> Awaitable[list[Row]]:
        """The rows of a statement that is one of many; none where a value is null."""
        for value in values:
            if value is None:
                return _no_rows()
        if self._is_parallel:
            return self._fetch_in_slot(statement, values)
        return self.fetch(statement, values)

    async def _fetch_in_slot(self, statement: Statement, values: Row) -> list[Row]:
        if self._slots is None:
            self._slots = asyncio.Semaphore(max(1, self.client.options.concurrency))
        async with self._slots:
            return await self.fetch(statement, values)

    def send(self, statement: Statement, bound: Any) -> Awaitable[list[Row]]:
        """Sends a bound statement, or the batch that begins with it."""
        work = self.client.send(statement, bound)
        if self._observer is None:
            return work
        return self._watch(self._observer, statement, work)

    async def _watch(
        self, observer: Observer, statement: Statement, work: Coroutine[Any, Any, T]
    ) -> T:
        run = StatementRun(self, statement.table, statement.cql)
        observer.statement_started(run)
        try:
            return await work
        except AccessError as error:
            run.error = error.__cause__ or error
            raise
        finally:
            run.seconds = time.perf_counter() - run.started
            observer.statement_ended(run)

    async def each(
        self, work: Callable[[T], Awaitable[R]], items: Sequence[T]
    ) -> list[R]:
        """The results of work on all items, in their order, done side by side."""
        if len(items) == 1:
            return [await work(items[0])]
        self._is_parallel = True
        results: list[Any] = [None] * len(items)
        rest = iter(enumerate(items))

        async def run() -> None:
            for at, item in rest:
                results[at] = await work(item)

        count = min(max(1, self.client.options.concurrency), len(items))
        tasks = [asyncio.ensure_future(run()) for _ in range(count)]
        try:
            await asyncio.gather(*tasks)
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
        return results


def connect(
    contact_points: Sequence[str],
    port: int,
    keyspace: str,
    user: str | None,
    password: str | None,
    settings: dict[str, Any],
) -> Session:
    """A session. Blocks until it is connected."""
    if user is not None:
        settings["auth_provider"] = PlainTextAuthProvider(user, password or "")
    cluster = Cluster(list(contact_points), port=port, **settings)
    try:
        session = cluster.connect(keyspace)
        accept_far_timestamps(session)
        return session
    except BaseException:
        cluster.shutdown()
        raise


class LoopThread:
    """An event loop in a thread of its own, for callers without one."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


# Reads with repetitions


class Found:
    """A row that a step returned, and the rows under which it was read."""

    __slots__ = ("parents", "values")

    def __init__(self, values: Row, parents: Sequence[Found] = ()) -> None:
        self.values = values
        self.parents = parents


def step_rows(rows: list[Row], convert: Sequence[Converter] = ()) -> list[Found]:
    """The rows of a step, converted."""
    if not convert:
        return [Found(row) for row in rows]
    return [Found(tuple(it(of) for it, of in zip(convert, row))) for row in rows]


def or_nulls(found: list[Found], width: int) -> list[Found]:
    """The rows of a step, or one of nulls."""
    return found or [Found((None,) * width)]


def one(make: Callable[[Row], T], rows: Sequence[Row]) -> T | None:
    """The first row, if any."""
    return make(rows[0]) if rows else None


def first(found: Sequence[Found], column: int) -> Any:
    """A column of the first row; null without rows."""
    return found[0].values[column] if found else None


TurnLevel = Callable[[Turn], Sequence[Any]]
Level = Union[TurnLevel, "Walk"]


class Walk:
    """A walk over buckets."""

    def __init__(
        self,
        *,
        width: Width,
        newest_first: bool,
        bounds: Callable[[Turn], tuple[Any, Any]],
        has_from: bool,
        has_to: bool,
        retention: int | None,
        ends: Callable[[Turn], Awaitable[tuple[Any, Any] | None]] | None,
        has_newest: bool,
        stops: bool,
        ahead: int,
    ) -> None:
        self.width = width
        self.newest_first = newest_first
        self.bounds = bounds
        self.has_from = has_from
        self.has_to = has_to
        self.retention = retention
        self.ends = ends
        self.has_newest = has_newest
        self.stops = stops
        self.ahead = max(1, ahead)

    def limits(self, turn: Turn, now: datetime) -> tuple[int | None, int] | None:
        """The lowest bucket, where it is known, and the highest; nothing for a null."""
        low, high = self.bounds(turn)
        width, millis = self.width, to_millis(now)
        top = width.number(high) if self.has_to else _BIGINT_MAX
        if not self.has_to and width.unit != "range":
            top = width.number_at(millis)
        bottom = width.number(low) if self.has_from else None
        if top is None or (self.has_from and bottom is None):
            return None
        if self.retention is not None:
            expired = width.number_at(millis - self.retention)
            bottom = expired if bottom is None else max(bottom, expired)
        return bottom, top

    async def read_ends(self, turn: Turn) -> tuple[int | None, int | None]:
        """The recorded ends of the buckets."""
        found = await self.ends(turn) if self.ends is not None else None
        if found is None:
            return None, None
        return self.width.decode(found[0]), self.width.decode(found[1])

    async def range(self, turn: Turn, now: datetime) -> tuple[int | None, int] | None:
        """The ends that must be known before the first bucket is read."""
        limits = self.limits(turn, now)
        if limits is None:
            return None
        low, high = limits
        if self.has_newest:
            oldest, newest = await self.read_ends(turn)
            if oldest is None or newest is None:
                return None
            low = oldest if low is None else max(low, oldest)
            return low, min(high, newest)
        if low is None and not (self.newest_first and self.stops):
            low, _ = await self.read_ends(turn)
            if low is None:
                return None
        return low, high


def turns(levels: Sequence[Callable[[Turn], Sequence[Any]]]) -> list[Turn]:
    """All turns of repetitions."""
    found: list[Turn] = [()]
    for level in levels:
        found = [(*turn, value) for turn in found for value in level(turn)]
    return found


def shards(count: int) -> Callable[[Turn], Sequence[Any]]:
    """A repetition over shards."""
    return lambda _: range(count)


def once(_: Turn) -> Sequence[Any]:
    """A repetition over the row for which a lookup runs."""
    return (None,)


def rows_of(found: Sequence[Found]) -> Callable[[Turn], Sequence[Any]]:
    """A repetition over rows."""
    return lambda _: found


def buckets(
    walk: Walk, now: datetime, ends: Callable[[Turn], tuple[Any, Any]]
) -> Callable[[Turn], Sequence[Any]]:
    """A repetition over all buckets of a walk whose ends were read before."""

    def list_buckets(turn: Turn) -> Sequence[Any]:
        limits = walk.limits(turn, now)
        if limits is None:
            return ()
        low, high = limits
        oldest, newest = (walk.width.decode(end) for end in ends(turn))
        lows = [number for number in (low, oldest) if number is not None]
        if not lows:
            return ()
        if newest is not None:
            high = min(high, newest)
        return [walk.width.value(number) for number in range(max(lows), high + 1)]

    return list_buckets


class Reader(Generic[T]):
    """A SELECT with repetitions: a stream of rows for each turn other than buckets."""

    def __init__(
        self,
        call: Call,
        statement: Statement,
        levels: Sequence[Level],
        bind: Callable[[Turn], Row],
        make: Callable[[Row, Turn], T],
        settle: Callable[[list[T]], Awaitable[list[T]]] | None = None,
        limit: int | None = None,
    ) -> None:
        self._call = call
        self._statement = statement
        self._levels = levels
        self._bind = bind
        self._make = make
        self._settle = settle
        self._limit = limit

    async def streams(self) -> list[list[T]]:
        return await self._collect(0, ())

    async def rows(self) -> list[T]:
        return flatten(await self._collect(0, ()))

    async def _collect(self, depth: int, turn: Turn) -> list[list[T]]:
        found = [turn]
        for at in range(depth, len(self._levels)):
            level = self._levels[at]
            if isinstance(level, Walk):
                return await self._walk_all(level, at, found)
            found = [(*turn, value) for turn in found for value in level(turn)]
        return await self._call.each(self._read, found)

    async def _read(self, turn: Turn) -> list[T]:
        found = await self._call.fetch_turn(self._statement, self._bind(turn))
        rows = [self._make(row, turn) for row in found]
        return await self._settle(rows) if self._settle is not None else rows

    async def _walk_all(self, walk: Walk, at: int, found: list[Turn]) -> list[list[T]]:
        async def visit(turn: Turn) -> list[list[T]]:
            return await self._walk(walk, at, turn)

        return flatten(await self._call.each(visit, found))

    async def _walk(self, walk: Walk, at: int, turn: Turn) -> list[list[T]]:
        limits = await walk.range(turn, self._call.now)
        if limits is None:
            return []
        low, high = limits

        async def visit(number: int) -> list[list[T]]:
            return await self._collect(at + 1, (*turn, walk.width.value(number)))

        stops = walk.stops and self._limit is not None
        streams: list[list[T]] = []
        number = high if walk.newest_first or low is None else low
        while number <= high and (low is None or low <= number):
            if low is None:
                chunk = [number]
            elif walk.newest_first:
                size = walk.ahead if stops else number - low + 1
                chunk = list(range(number, max(low, number - size + 1) - 1, -1))
            else:
                size = walk.ahead if stops else high - number + 1
                chunk = list(range(number, min(high, number + size - 1) + 1))
            for part in await self._call.each(visit, chunk):
                _append_streams(streams, part)
            if stops and sum(map(len, streams)) >= (self._limit or 0):
                break
            if low is None:
                low, _ = await walk.read_ends(turn)
                if low is None:
                    break
            number = chunk[-1] + (-1 if walk.newest_first else 1)
        return streams


def _append_streams(streams: list[list[T]], part: list[list[T]]) -> None:
    for at, stream in enumerate(part):
        if at < len(streams):
            streams[at].extend(stream)
        else:
            streams.append(stream)


async def read_optional(
    reader: Reader[Found], outer: Sequence[Found] | None, width: int
) -> list[Found]:
    """The rows of a step, with a row of nulls where it returns none.

    That is once, or for each row of the outermost repetition.
    """
    found = await reader.rows()
    nulls = (None,) * width
    if outer is None:
        return found or [Found(nulls)]
    known = {id(row.parents[0]) for row in found}
    return found + [Found(nulls, (row,)) for row in outer if id(row) not in known]


async def attach(
    call: Call,
    statement: Statement,
    levels: Callable[[T], Sequence[Callable[[Turn], Sequence[Any]]]],
    bind: Callable[[T, Turn], Row],
    rows: list[T],
) -> list[list[Row]]:
    """What a statement returns for each row."""
    jobs = [(at, turn) for at, row in enumerate(rows) for turn in turns(levels(row))]

    async def read(job: tuple[int, Turn]) -> list[Row]:
        return await call.fetch_turn(statement, bind(rows[job[0]], job[1]))

    found: list[list[Row]] = [[] for _ in rows]
    for (at, _), answer in zip(jobs, await call.each(read, jobs)):
        found[at].extend(answer)
    return found


def join_columns(
    rows: list[list[Any]],
    found: list[list[Row]],
    columns: Sequence[tuple[int, int, Converter]],
    optional: bool,
) -> list[list[Any]]:
    """Adds the columns of the first row returned; drops rows without one."""
    kept = []
    for row, answer in zip(rows, found):
        if answer:
            for position, column, convert in columns:
                row[position] = convert(answer[0][column])
        if answer or optional:
            kept.append(row)
    return kept


def join_counters(
    rows: list[list[Any]],
    found: list[list[Row]],
    columns: Sequence[tuple[int, int, Converter]],
    zeros: Sequence[int],
) -> list[list[Any]]:
    """Adds the counters of the first row returned; absent ones are 0."""
    for row, answer in zip(rows, found):
        if answer:
            for position, column, convert in columns:
                value = answer[0][column]
                row[position] = 0 if value is None else convert(value)
        for position in zeros:
            if row[position] is None:
                row[position] = 0
    return rows


def join_elements(
    rows: list[list[Any]],
    found: list[list[Row]],
    arrays: Sequence[tuple[int, Converter]],
    convert: Converter,
) -> list[list[Any]]:
    """Adds the array of the values of all rows returned; null without rows."""
    for row, answer in zip(rows, found):
        for position, make in arrays:
            values = [convert(it[0]) for it in answer]
            row[position] = make(values) if values else None
    return rows


# Pages


def encode_token(query: str, bucket: int | None, state: bytes | None) -> str:
    """A position as text."""
    name = query.encode()
    head = f"1:{'' if bucket is None else bucket}:{len(name)}:".encode()
    return base64.urlsafe_b64encode(head + name + (state or b"")).decode("ascii")


def decode_token(query: str, token: str | None) -> tuple[int | None, bytes | None]:
    """The bucket and the paging state of a position."""
    if token is None:
        return None, None
    try:
        data = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True)
        version, bucket, length, rest = data.split(b":", 3)
        number = int(bucket) if bucket else None
        name, state = rest[: int(length)], rest[int(length) :]
    except ValueError as error:
        raise InvalidToken(query, "", "this is not a position of a page") from error
    if version != b"1" or name != query.encode():
        raise InvalidToken(query, "", "this is a position of another query")
    return number, state or None


async def read_page(
    call: Call,
    statement: Statement,
    walk: Walk | None,
    bind: Callable[[Turn], Row],
    settle: Callable[[list[Row], Turn], Awaitable[list[T]]],
    size: int,
    token: str | None,
) -> Page[T]:
    """A page of the rows of a statement, or of those of all buckets of a walk."""
    bucket, state = decode_token(call.name, token)
    rows: list[T] = []
    if walk is None:
        values = bind(())
        if any(value is None for value in values):
            return Page([], None)
        found, state = await call.fetch_page(statement, values, size, state)
        rows = await settle(found, ())
        return Page(rows, encode_token(call.name, None, state) if state else None)
    limits = await walk.range((), call.now)
    if limits is None:
        return Page([], None)
    low, high = limits
    if low is None:
        low, _ = await walk.read_ends(())
        if low is None:
            return Page([], None)
    number = bucket if bucket is not None else (high if walk.newest_first else low)
    while low <= number <= high:
        turn = (walk.width.value(number),)
        values = bind(turn)
        if any(value is None for value in values):
            return Page([], None)
        wanted = max(1, size - len(rows))
        found, state = await call.fetch_page(statement, values, wanted, state)
        rows.extend(await settle(found, turn))
        if state:
            return Page(rows, encode_token(call.name, number, state))
        number += -1 if walk.newest_first else 1
        if len(rows) >= size and low <= number <= high:
            return Page(rows, encode_token(call.name, number, None))
    return Page(rows, None)


# Stages


def flatten(streams: Sequence[Sequence[T]]) -> list[T]:
    if len(streams) == 1:
        return list(streams[0])
    return [row for stream in streams for row in stream]


class _Descending:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Descending) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and bool(other.value == self.value)


def ascending(value: Any) -> Any:
    """A part of a sort key; null is the greatest."""
    return (1, 0) if value is None else (0, value)


def descending(value: Any) -> Any:
    """A part of a sort key; null comes first."""
    return _Descending(ascending(value))


def merge(streams: Sequence[Sequence[T]], key: Callable[[T], Any]) -> list[T]:
    """Merges streams that are sorted."""
    return list(heapq.merge(*streams, key=key))


def groups(rows: Sequence[T], key: Callable[[T], Any]) -> list[list[T]]:
    """The rows of each group, in the order of the first ones."""
    found: dict[Any, list[T]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return list(found.values())


def combine(
    rows: Sequence[list[Any]],
    key: Callable[[list[Any]], Any],
    folds: Sequence[tuple[int, Callable[[Any, Any], Any]]],
) -> list[list[Any]]:
    """Makes one row of the rows of each group."""
    made = []
    for group in groups(rows, key):
        row = group[0]
        for other in group[1:]:
            for column, fold in folds:
                row[column] = fold(row[column], other[column])
        made.append(row)
    return made


def fold_sum(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return one if other is None else other
    return _add(one, other)


def fold_least(key: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def fold(one: Any, other: Any) -> Any:
        if one is None or other is None:
            return one if other is None else other
        return other if key(other) < key(one) else one

    return fold


def fold_greatest(key: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def fold(one: Any, other: Any) -> Any:
        if one is None or other is None:
            return one if other is None else other
        return other if key(one) < key(other) else one

    return fold


def fold_rows(
    rows: Iterable[T], value: Callable[[T], Any], fold: Callable[[Any, Any], Any]
) -> Any:
    """One value of all rows."""
    result: Any = None
    for row in rows:
        result = fold(result, value(row))
    return result


def first_value(rows: Sequence[T], value: Callable[[T], Any]) -> Any:
    return value(rows[0]) if rows else None


def count(rows: Iterable[T], value: Callable[[T], Any]) -> int:
    """The number of values that are not null."""
    return sum(1 for row in rows if value(row) is not None)


def average(total: Any, number: Any) -> float | None:
    return float(total) / number if number and total is not None else None


def mean(rows: Sequence[T], value: Callable[[T], Any]) -> float | None:
    return average(fold_rows(rows, value, fold_sum), count(rows, value))


# Writes


class Write:
    """A run of a command: what was applied, and how it is undone."""

    step = ""
    message = ""
    _refused = False
    _done = False

    def __init__(
        self,
        call: Call,
        query: str,
        running: tuple[tuple[str, tuple[Any, ...]], ...] = (),
    ) -> None:
        self.call = call
        self.query = query
        self.rows: list[Row] = []
        self.applied: list[Statement | str] = []
        """Texts are made of them only where they are needed."""
        self._running = running
        self._inverses: list[tuple[Statement, Row] | None] = []

    def violate(self, sql: str) -> Outcome:
        """Ends the command before anything was sent: a check is not met."""
        self.message = f"the values violate {sql}"
        return VIOLATION

    async def send(
        self,
        statement: Statement,
        values: Row,
        *,
        refusal: Outcome | None = None,
        message: str = "",
        depends_on_read: bool = False,
        inverse: tuple[Statement, Row] | None = None,
    ) -> Outcome | None:
        """Sends a statement; the outcome where it ends the command."""
        found = await self.call.fetch(statement, values)
        if refusal is not None and found and found[0][0] is False:
            self.step, self.message = str(statement), message
            return await self._undo(_AGAIN if depends_on_read else refusal, refusal)
        self._note(statement, inverse)
        return None

    async def send_batch(
        self, kind: Any, items: Sequence[tuple[Statement, Row]]
    ) -> None:
        """Sends statements together, in parts of allowed size."""
        client = self.call.client
        options = client.options
        part: list[Statement] = []
        batch: list[Any] = []
        size = 0
        for statement, values in items:
            if statement not in client.prepared:
                await client.prepare(statement)
            bound = client.bind(statement, values)
            weight = _weigh(bound.values)
            size += weight
            if size > options.batch_bytes or len(part) >= options.batch_statements:
                if part:
                    await self._send_part(kind, part, batch)
                part, batch, size = [], [], weight
            part.append(statement)
            batch.append(bound)
        if part:
            await self._send_part(kind, part, batch)

    async def _send_part(
        self, kind: Any, part: list[Statement], batch: list[Any]
    ) -> None:
        first, sent = part[0], batch[0]
        if len(part) > 1:
            level = ConsistencyLevel.name_to_value[first.consistency]
            sent = BatchStatement(kind, consistency_level=level)
            sent.is_idempotent = True
            for statement, bound in zip(part, batch):
                sent.add(bound)
                if not statement.idempotent:
                    sent.is_idempotent = False
        await self.call.send(first, sent)
        self._done = True
        self.applied += part
        self._inverses += [None] * len(part)

    async def run(
        self,
        command: Callable[..., Awaitable[Outcome]],
        query: str,
        arguments: tuple[Any, ...],
        *,
        violation_ends: bool,
    ) -> Outcome | None:
        """Runs another command; the outcome where it ends this one."""
        running = (query, arguments)
        if running in self._running:
            self._note(query, None)
            return None
        inner = Write(self.call, query, (*self._running, running))
        outcome = await _attempt(inner, command, arguments)
        self.rows.extend(inner.rows)
        if outcome == APPLIED:
            self._note(query, None)
            return None
        self.step, self.message = inner.step, inner.message
        if outcome == INTERRUPTED:
            self.applied.extend(inner.applied)
            return INTERRUPTED
        if outcome == VIOLATION and violation_ends:
            return await self._undo(VIOLATION, VIOLATION)
        self._refused = True
        return None

    def finish(self) -> Outcome:
        """The outcome after all steps."""
        return REFUSED if self._refused and not self._done else APPLIED

    def reset(self) -> None:
        """Forgets a run that was undone."""
        self.rows, self.applied, self._inverses = [], [], []
        self._refused = self._done = False

    def _note(
        self, step: Statement | str, inverse: tuple[Statement, Row] | None
    ) -> None:
        self._done = True
        self.applied.append(step)
        self._inverses.append(inverse)

    async def _undo(self, again: Outcome, outcome: Outcome) -> Outcome:
        for inverse in reversed(self._inverses):
            if inverse is not None and is_complete(inverse[1]):
                await self.call.fetch(*inverse)
        if any(inverse is None for inverse in self._inverses):
            return INTERRUPTED
        self.rows, self.applied, self._inverses = [], [], []
        return again


def _weigh(values: Sequence[Any]) -> int:
    """The bytes of a statement in a batch, about."""
    try:
        return 32 + 8 * len(values) + sum(map(len, values))
    except TypeError:  # Some are null or unset.
        return 32 + sum(8 + len(it) for it in values if isinstance(it, bytes))


async def _attempt(
    write: Write, command: Callable[..., Awaitable[Outcome]], arguments: tuple[Any, ...]
) -> Outcome:
    for _ in range(max(1, write.call.client.options.attempts)):
        try:
            outcome = await command(write, *arguments)
        except StatementFailed as error:
            error.applied = (*map(str, write.applied), *error.applied)
            raise
        if outcome != _AGAIN:
            return outcome
        write.reset()
    return REFUSED


async def write(
    call: Call,
    command: Callable[..., Awaitable[Outcome]],
    arguments: tuple[Any, ...],
) -> Write:
    """Runs a command; raises an error where it violates a constraint or is interrupted."""
    run = Write(call, call.name, ((call.name, arguments),))
    call.outcome = await _attempt(run, command, arguments)
    if call.outcome == VIOLATION:
        raise ConstraintViolation(call.name, run.step, run.message)
    if call.outcome == INTERRUPTED:
        raise PartialWrite(call.name, run.step, [str(it) for it in run.applied])
    return run


# Values: times, dates and buckets


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NAIVE_EPOCH = datetime(1970, 1, 1)
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_MILLISECOND = timedelta(milliseconds=1)
_DAY_MS = 86_400_000
_GREGORIAN_MS = 12_219_292_800_000
_OLDEST_WINS = 1 << 52
_BIGINT_MAX = (1 << 63) - 1
_DATE_OFFSET = 1 << 31


def utc(value: Any) -> Any:
    """A timestamp of a row, which has no zone in sessions of others."""
    if value is None or value.tzinfo is not None:
        return value
    micros = value.microsecond % 1000
    if micros:
        # The driver counts seconds as floating point: far dates are off by microseconds.
        value += timedelta(microseconds=(1000 if micros >= 500 else 0) - micros)
    return value.replace(tzinfo=timezone.utc)


def to_millis(value: datetime) -> int:
    """Milliseconds since 1970; a time without a zone is one of UTC."""
    if isinstance(value, FarTimestamp):
        return value.milliseconds
    if value.tzinfo is None:
        return (value - _NAIVE_EPOCH) // _MILLISECOND
    return (value - _EPOCH) // _MILLISECOND


def millis(value: datetime | None) -> int | None:
    """A timestamp as it is bound."""
    return None if value is None else to_millis(value)


def from_millis(value: int) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except OverflowError:
        return FarTimestamp(value)


def to_days(value: CqlDate) -> int:
    """Days since 1970."""
    if isinstance(value, date):
        return value.toordinal() - _EPOCH_DAY
    days: int = value.days_from_epoch
    return days


def from_days(days: int) -> CqlDate:
    try:
        return date.fromordinal(days + _EPOCH_DAY)
    except (ValueError, OverflowError):
        far: CqlDate = FarDate(days)
        return far


def days(value: CqlDate | None) -> int | None:
    """A date as it is bound."""
    return None if value is None else to_days(value) + _DATE_OFFSET


def to_date(value: Any) -> Any:
    """A date of the driver."""
    return None if value is None else from_days(value.days_from_epoch)


def to_inet(value: str | None) -> Any:
    """An address of the driver."""
    return None if value is None else ipaddress.ip_address(value)


def shift_now(now: datetime, months: int, days: int, milliseconds: int) -> datetime:
    """A time of UTC, so much later."""
    now = now.astimezone(timezone.utc)
    if months:
        index = now.year * 12 + now.month - 1 + months
        year, month = index // 12, index % 12 + 1
        last = calendar.monthrange(year, month)[1]
        now = now.replace(year=year, month=month, day=min(now.day, last))
    now += timedelta(days=days, milliseconds=milliseconds)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def today(now: datetime) -> CqlDate:
    """The date of UTC."""
    return from_days(to_millis(now) // _DAY_MS)


def time_of_day(now: datetime) -> Time:
    seconds = now.hour * 3600 + now.minute * 60 + now.second
    found: Time = Time((seconds * 1_000_000 + now.microsecond) * 1000)
    return found


def new_id() -> UUID:
    return uuid4()


def new_timeuuid(now: datetime) -> UUID:
    found: UUID = _util.uuid_from_time(now.replace(tzinfo=None))
    return found


def _moment(value: Any) -> int | None:
    """Milliseconds since 1970 of a time, a date or a time-based id."""
    if isinstance(value, datetime):
        return to_millis(value)
    if isinstance(value, (date, FarDate)):
        return to_days(value) * _DAY_MS
    if isinstance(value, UUID):
        return value.time // 10_000 - _GREGORIAN_MS
    return None


class Width:
    """The width of buckets: a unit and how many of them."""

    __slots__ = ("count", "unit")

    def __init__(self, unit: str, count: int) -> None:
        self.unit = unit
        self.count = max(1, count)

    def number(self, value: Any) -> int | None:
        """The number of the bucket of a value."""
        if value is None:
            return None
        if self.unit == "range":
            return int(value) // self.count
        moment = _moment(value)
        return None if moment is None else self.number_at(moment)

    def number_at(self, moment: int) -> int:
        """The number of the bucket of a time in milliseconds."""
        if self.unit == "hours":
            return moment // 3_600_000 // self.count
        day = moment // _DAY_MS
        if self.unit == "weeks":
            return (day + 3) // 7 // self.count
        if self.unit == "months":
            year, month, _ = _civil(day)
            return ((year - 1970) * 12 + month - 1) // self.count
        return day // self.count

    def decode(self, value: Any) -> int | None:
        """The number of the bucket that a column holds."""
        if self.unit == "range" and value is not None:
            return int(value)
        return self.number(value)

    def value(self, number: int) -> Any:
        """The value of the bucket's column."""
        units = number * self.count
        if self.unit == "range":
            return number
        if self.unit == "hours":
            return from_millis(units * 3_600_000)
        if self.unit == "weeks":
            return from_days(_clamp_days(units * 7 - 3))
        if self.unit == "months":
            return from_days(_clamp_days(_days(units // 12 + 1970, units % 12 + 1)))
        return from_days(_clamp_days(units))


def _clamp_days(number: int) -> int:
    return min(max(number, -_DATE_OFFSET), _DATE_OFFSET - 1)


def _days(year: int, month: int) -> int:
    """Days from 1970 to the first day of a month, in any year."""
    year -= month <= 2
    era, rest = divmod(year, 400)
    day = (153 * ((month + 9) % 12) + 2) // 5
    return era * 146_097 + rest * 365 + rest // 4 - rest // 100 + day - 719_468


def _civil(day: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970."""
    era, rest = divmod(day + 719_468, 146_097)
    year = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
    rest -= 365 * year + year // 4 - year // 100
    month = (5 * rest + 2) // 153
    last = rest - (153 * month + 2) // 5 + 1
    month += 3 if month < 10 else -9
    return year + era * 400 + (month <= 2), month, last


def bucket(width: Width, value: Any) -> Any:
    """The bucket in which a value falls."""
    number = width.number(value)
    return None if number is None else width.value(number)


def oldest_wins(value: Any) -> int | None:
    """A write timestamp with which the row of an older bucket wins."""
    if value is None:
        return None
    start = value if isinstance(value, int) else _moment(value)
    return None if start is None else _OLDEST_WINS - start


def newest_wins(value: Any) -> int | None:
    """A write timestamp with which the row of a newer bucket wins."""
    return _OLDEST_WINS + value if isinstance(value, int) else None


def shard(count: int, *parts: tuple[Any, Any]) -> int | None:
    """The shard of values, each given with its type."""
    if any(value is None for _, value in parts):
        return None
    pieces = [to_bytes(ty, value) for ty, value in parts]
    if len(pieces) == 1:
        key: bytes = pieces[0]
    elif any(len(piece) > 0xFFFF for piece in pieces):
        key = b"".join(pieces)
    else:
        composed = (struct.pack(">H", len(it)) + it + b"\0" for it in pieces)
        key = b"".join(composed)
    return token(key) % count


def token(key: bytes) -> int:
    """The token of a partition key."""
    if not key:
        return -_BIGINT_MAX - 1
    value = int(_murmur3(key))
    return _BIGINT_MAX if value == -_BIGINT_MAX - 1 else value


# Values: types of CQL


_NATIVE = {
    "ascii": "AsciiType",
    "bigint": "LongType",
    "blob": "BytesType",
    "boolean": "BooleanType",
    "counter": "CounterColumnType",
    "date": "SimpleDateType",
    "decimal": "DecimalType",
    "double": "DoubleType",
    "duration": "DurationType",
    "float": "FloatType",
    "inet": "InetAddressType",
    "int": "Int32Type",
    "smallint": "ShortType",
    "text": "UTF8Type",
    "time": "TimeType",
    "timeuuid": "TimeUUIDType",
    "tinyint": "ByteType",
    "uuid": "UUIDType",
    "varint": "IntegerType",
}
_PROTOCOL = 4


def _read_timestamp(data: bytes, _: int) -> Any:
    (number,) = struct.unpack(">q", data)
    return from_millis(number)


# Types whose names begin with an underscore are not known to the rest of the driver.
_timestamp_type: Any = type(
    "_Timestamp", (_types.DateType,), {"deserialize": staticmethod(_read_timestamp)}
)


def accept_far_timestamps(session: Session) -> None:
    """Lets a session read timestamps that no datetime can hold: as `FarTimestamp`.

    By itself, the driver closes the connection on such a row. All timestamps of the
    session have their zone then.
    """
    code = _protocol.ResultMessage.opcode
    messages = _protocol.ProtocolHandler.message_types_by_opcode
    types = {**messages[code].type_codes, 0x000B: _timestamp_type}
    result = type("Result", (messages[code],), {"type_codes": types})
    handler = {"message_types_by_opcode": {**messages, code: result}}
    session.client_protocol_handler = type(
        "Handler", (_protocol.ProtocolHandler,), handler
    )


def native(name: str) -> Any:
    """A type of the driver."""
    return _timestamp_type if name == "timestamp" else getattr(_types, _NATIVE[name])


def list_type(element: Any) -> Any:
    return _types.ListType.apply_parameters([element])


def set_type(element: Any) -> Any:
    return _types.SetType.apply_parameters([element])


def map_type(key: Any, value: Any) -> Any:
    return _types.MapType.apply_parameters([key, value])


def tuple_type(*parts: Any) -> Any:
    return _types.TupleType.apply_parameters(list(parts))


def user_type(keyspace: str, name: str, fields: Sequence[tuple[str, Any]]) -> Any:
    names = tuple(field for field, _ in fields)
    parts = tuple(ty for _, ty in fields)
    attributes = {
        "subtypes": parts,
        "fieldnames": names,
        "cassname": _types.UserType.cassname,
        "typename": name,
        "keyspace": keyspace,
        "mapped_class": None,
        "tuple_type": None,
    }
    return type("_UserType", (_types.UserType,), attributes)


def vector_type(element: Any, size: int) -> Any:
    return type(
        "_VectorType", (_types.VectorType,), {"vector_size": size, "subtype": element}
    )


def to_bytes(ty: Any, value: Any) -> bytes:
    """A value as CQL serialises it."""
    data: bytes = ty.to_binary(value, _PROTOCOL)
    return data


def from_bytes(ty: Any, data: bytes) -> Any:
    """The value that CQL serialised so."""
    return ty.from_binary(data, _PROTOCOL)


Converter = Callable[[Any], Any]


def keep(value: Any) -> Any:
    """Converts nothing."""
    return value


def convert(converter: Converter, value: Any) -> Any:
    """Converts a value."""
    return converter(value)


def as_tuple(value: Any) -> Any:
    return None if value is None else tuple(value)


def as_list(value: Any) -> Any:
    return None if value is None else list(value)


def as_set(value: Any) -> Any:
    return None if value is None else set(value)


def as_frozenset(value: Any) -> Any:
    return None if value is None else frozenset(value)


def as_dict(value: Any) -> Any:
    return None if value is None else dict(value)


def as_items(value: Any) -> Any:
    return None if value is None else tuple(value.items())


def each(convert: Converter, make: Converter) -> Converter:
    """Converts the elements of a list or set."""

    def convert_all(value: Any) -> Any:
        return None if value is None else make([convert(it) for it in value])

    return convert_all


def entries(key: Converter, value: Converter, make: Converter) -> Converter:
    """Converts the entries of a map, which is a mapping or has pairs."""

    def convert_all(given: Any) -> Any:
        if given is None:
            return None
        items = given.items() if hasattr(given, "items") else given
        return make([(key(one), value(other)) for one, other in items])

    return convert_all


def part(value: Any, at: int) -> Any:
    """A part of a tuple, which is shorter where parts were added later."""
    return value[at] if at < len(value) else None


def map_entries(value: Any) -> Any:
    """The entries of a map as they are bound."""
    return _util.OrderedMap(value)


def parts(*converters: Converter) -> Converter:
    """Converts the parts of a tuple."""

    def convert_all(value: Any) -> Any:
        if value is None:
            return None
        return tuple(convert(it) for convert, it in zip(converters, value))

    return convert_all


def unset(value: Any) -> Any:
    """A null that writes nothing."""
    return UNSET_VALUE if value is None else value


def is_complete(values: Row) -> bool:
    """Whether no value is null."""
    return all(value is not None for value in values)


# Values: order


def float_key(value: float | None) -> Any:
    """NaN is the greatest, and -0.0 is less than 0.0."""
    if value is None:
        return None
    if math.isnan(value):
        return (1, 0.0, 0.0)
    return (0, value, math.copysign(1.0, value))


def single_key(value: float | None) -> Any:
    """The same of a float of 32 bits."""
    return float_key(to_single(value))


def to_single(value: float | None) -> Any:
    if value is None:
        return None
    try:
        return struct.unpack(">f", struct.pack(">f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def number_key(value: float | None) -> Any:
    """The order of SQL's floating point."""
    if value is None:
        return None
    return (1, 0.0) if math.isnan(value) else (0, value)


def uuid_key(value: UUID | None) -> Any:
    """The order of Cassandra: by version, then by time or bytes."""
    if value is None:
        return None
    version = value.int >> 76 & 15
    high = value.time if version == 1 else value.int >> 64
    return (version, high, value.int & 0xFFFF_FFFF_FFFF_FFFF)


def timeuuid_key(value: UUID | None) -> Any:
    """The order of Cassandra: by time, then by signed bytes."""
    if value is None:
        return None
    low = (value.int & 0xFFFF_FFFF_FFFF_FFFF) ^ 0x0080_8080_8080_8080
    return (value.time, low - (1 << 64) if low >> 63 else low)


def date_key(value: CqlDate | None) -> int | None:
    return None if value is None else to_days(value)


def time_key(value: Any) -> int | None:
    return None if value is None else value.nanosecond_time


def inet_key(value: Any) -> bytes | None:
    return None if value is None else value.packed


def duration_key(value: Any) -> Any:
    return None if value is None else to_bytes(native("duration"), value)


def elements_key(key: Converter) -> Converter:
    def make(value: Any) -> Any:
        return None if value is None else tuple(ascending(key(it)) for it in value)

    return make


def set_key(key: Converter) -> Converter:
    def make(value: Any) -> Any:
        return None if value is None else tuple(sorted(key(it) for it in value))

    return make


def map_key(key: Converter, value: Converter) -> Converter:
    def make(given: Any) -> Any:
        if given is None:
            return None
        items = given.items() if hasattr(given, "items") else given
        return tuple(
            sorted((key(one), ascending(value(other))) for one, other in items)
        )

    return make


def parts_key(*keys: Converter) -> Converter:
    def make(value: Any) -> Any:
        if value is None:
            return None
        given = value.__reduce__()[1] if isinstance(value, Record) else value
        return tuple(ascending(key(it)) for key, it in zip(keys, given))

    return make


def distinct(values: Iterable[Any], key: Converter) -> list[Any]:
    """Values without nulls, each once."""
    found: dict[Any, Any] = {}
    for value in values:
        if value is not None:
            found.setdefault(key(value), value)
    return list(found.values())


def elements(array: Any, key: Converter) -> list[Any]:
    """The elements of an array without nulls, each once; those of a set in their order."""
    if array is None:
        return []
    if isinstance(array, (set, frozenset)):
        return sorted((it for it in array if it is not None), key=key)
    return distinct(array, key)


# Values: conditions. A comparison with null does not hold.


def eq(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one == other)


def ne(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one != other)


def lt(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one < other)


def le(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one <= other)


def gt(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one > other)


def ge(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one >= other)


def differ(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return (one is None) != (other is None)
    return bool(one != other)


def is_null(value: Any) -> bool:
    return value is None


def not_null(value: Any) -> bool:
    return value is not None


def negate(truth: bool) -> bool:
    return not truth


def holds(array: Any, element: Any, key: Converter) -> bool:
    if array is None or element is None:
        return False
    wanted = key(element)
    return any(it is not None and key(it) == wanted for it in array)


def is_in(value: Any, others: Sequence[Any]) -> bool:
    return value is not None and any(eq(value, other) for other in others)


def row_compares(
    compare: Callable[[Any, Any], bool], pairs: Sequence[tuple[Any, Any]]
) -> bool:
    for one, other in pairs:
        if one is None or other is None:
            return False
        if one != other:
            return compare(one, other)
    return compare(0, 0)


def starts_with(text: str | None, prefix: str | None) -> bool:
    return text is not None and prefix is not None and text.startswith(prefix)


def is_met(truth: Callable[[], bool | None]) -> bool:
    """Whether a truth value is true or null, and can be computed."""
    try:
        return truth() is not False
    except (OutOfRange, DecimalException):
        return False


# Values: expressions. The result is null where a part is null.


_EXACT = Context(prec=3000, Emin=-999_999, Emax=999_999, traps=[Inexact])
_RANGES = {
    "tinyint": 1 << 7,
    "smallint": 1 << 15,
    "int": 1 << 31,
    "bigint": 1 << 63,
    "counter": 1 << 63,
}


def _fit(ty: str, value: Any) -> Any:
    most = _RANGES.get(ty)
    if most is not None and not -most <= value < most:
        raise OutOfRange(f"{value} is no {ty}")
    if isinstance(value, Decimal):
        return _trim(value)
    return to_single(value) if ty == "float" else value


def _trim(value: Decimal) -> Decimal:
    """Without zeros at the end."""
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return value
    if not value:
        return Decimal(0) if exponent < 0 else value
    kept = len(digits)
    while exponent < 0 and digits[kept - 1] == 0:
        kept -= 1
        exponent += 1
    return Decimal((sign, digits[:kept], exponent))


def _add(one: Any, other: Any) -> Any:
    if isinstance(one, float) or isinstance(other, float):
        return float(one) + float(other)
    if isinstance(one, Decimal) or isinstance(other, Decimal):
        return _EXACT.add(Decimal(one), Decimal(other))
    return one + other


def add(ty: str, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return None
    return _fit(ty, _add(one, other))


def subtract(ty: str, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return None
    if isinstance(one, Decimal):
        return _fit(ty, _EXACT.subtract(one, Decimal(other)))
    return _fit(ty, one - other)


def multiply(ty: str, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return None
    if isinstance(one, Decimal):
        return _fit(ty, _EXACT.multiply(one, Decimal(other)))
    return _fit(ty, one * other)


def absolute(ty: str, value: Any) -> Any:
    if value is None:
        return None
    return _fit(ty, value.copy_abs() if isinstance(value, Decimal) else abs(value))


def round_half_up(value: Decimal | None, digits: int) -> Decimal | None:
    """So many digits after the point, halves away from zero."""
    if value is None:
        return None
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -digits:
        context = Context(prec=3000, rounding=ROUND_HALF_UP)
        value = value.quantize(Decimal((0, (1,), -digits)), context=context)
    return _trim(value)


def to_whole(ty: str, value: Any) -> Any:
    """A number as a whole number."""
    if value is None:
        return None
    if isinstance(value, Decimal):
        rounded = round_half_up(value, 0)
        value = int(rounded) if rounded is not None else 0
    return _fit(ty, int(value))


def to_decimal(value: Any) -> Decimal | None:
    if value is None:
        return None
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def to_double(value: Any) -> float | None:
    return None if value is None else float(value)


def to_text(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def day_of(value: datetime | None) -> CqlDate | None:
    """The date of a timestamp."""
    return None if value is None else from_days(to_millis(value) // _DAY_MS)


def concatenate(one: str | None, other: str | None) -> str | None:
    return None if one is None or other is None else one + other


def prefix(text: str | None, length: int) -> str | None:
    return None if text is None else text[:length]


def prefix_end(text: str | None) -> str | None:
    """The least text that is greater than every text with this prefix."""
    if text is None:
        return None
    while text:
        code = ord(text[-1]) + 1
        text = text[:-1]
        if 0xD800 <= code <= 0xDFFF:
            code = 0xE000
        if code <= 0x10FFFF:
            return text + chr(code)
    return "\U0010ffff" * 4


def case(
    otherwise: Callable[[], Any],
    *branches: tuple[Callable[[], Any], Callable[[], Any]],
) -> Any:
    """The value of the first condition that is true."""
    for when, then in branches:
        if when() is True:
            return then()
    return otherwise()


def case_at(
    turn: Turn,
    otherwise: Callable[[Turn], Any],
    *branches: tuple[Callable[[Turn], Any], Callable[[Turn], Any]],
) -> Any:
    """The same for values that use the turn of a repetition."""
    for when, then in branches:
        if when(turn) is True:
            return then(turn)
    return otherwise(turn)


def coalesce(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def greatest(key: Converter, *values: Any) -> Any:
    return fold_rows(values, keep, fold_greatest(key))


def least(key: Converter, *values: Any) -> Any:
    return fold_rows(values, keep, fold_least(key))


def length(text: str | None) -> int | None:
    return None if text is None else len(text)


def lower(text: str | None) -> str | None:
    return None if text is None else text.lower()


def upper(text: str | None) -> str | None:
    return None if text is None else text.upper()


def trim(text: str | None) -> str | None:
    return None if text is None else text.strip(" ")


def compare(
    comparison: Callable[[Any, Any], bool], one: Any, other: Any
) -> bool | None:
    return None if one is None or other is None else comparison(one, other)


def both(one: bool | None, other: bool | None) -> bool | None:
    """AND of three truth values."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def either(one: bool | None, other: bool | None) -> bool | None:
    """OR of three truth values."""
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def opposite(truth: bool | None) -> bool | None:
    """NOT of three truth values."""
    return None if truth is None else not truth


def singleton(make: Converter, value: Any) -> Any:
    """An array of one element."""
    return None if value is None else make([value])


def append(make: Converter, array: Any, element: Any) -> Any:
    """An array with one more element."""
    found = list(array) if array is not None else []
    if element is not None:
        found.append(element)
    return make(found)


def remove(make: Converter, array: Any, element: Any, key: Converter) -> Any:
    """An array without the elements that equal a value."""
    if array is None or element is None:
        return array
    wanted = key(element)
    return make([it for it in array if key(it) != wanted])
