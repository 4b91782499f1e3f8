"""The functions of the benchmark as one writes them by hand with the driver."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

from cassandra import ConsistencyLevel
from cassandra.query import BatchStatement, BatchType, tuple_factory


@dataclass(frozen=True)
class Video:
    videoid: UUID
    userid: UUID
    name: str
    description: str | None
    location: str
    preview: str | None
    tags: set[str] | None
    added_date: datetime


@dataclass(frozen=True)
class Comment:
    commentid: UUID
    userid: UUID
    firstname: str | None
    comment: str


@dataclass(frozen=True)
class Measurement:
    recorded_at: datetime
    value: float
    tags: dict[str, str] | None


class Statements:
    """A session and its prepared statements."""

    def __init__(self, session: Any) -> None:
        session.row_factory = tuple_factory
        self.session = session

    def prepare(self, cql: str) -> Any:
        prepared = self.session.prepare(cql)
        prepared.consistency_level = ConsistencyLevel.LOCAL_QUORUM
        prepared.is_idempotent = True
        return prepared

    def execute(self, statement: Any, values: Any = None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()

        def succeed(rows: Any) -> None:
            loop.call_soon_threadsafe(future.set_result, rows)

        def fail(error: BaseException) -> None:
            loop.call_soon_threadsafe(future.set_exception, error)

        self.session.execute_async(statement, values).add_callbacks(succeed, fail)
        return future


class Videos(Statements):
    """KillrVideo."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.video = self.prepare(
            "SELECT videoid, userid, name, description, location, preview, tags, added_date"
            " FROM videos WHERE videoid = ?"
        )
        self.comments = self.prepare(
            "SELECT commentid, userid, firstname, comment FROM comments_by_video"
            " WHERE videoid = ? LIMIT 50"
        )
        self.firstname = self.prepare("SELECT firstname FROM users WHERE userid = ?")
        self.name = self.prepare("SELECT name FROM videos WHERE videoid = ?")
        self.by_video = self.prepare(
            "INSERT INTO comments_by_video (videoid, commentid, userid, comment, firstname)"
            " VALUES (?, ?, ?, ?, ?)"
        )
        self.by_user = self.prepare(
            "INSERT INTO comments_by_user (userid, commentid, videoid, comment, video_name)"
            " VALUES (?, ?, ?, ?, ?)"
        )
        self.by_id = self.prepare(
            "INSERT INTO comments (commentid, videoid, userid) VALUES (?, ?, ?)"
        )

    async def video_by_id(self, videoid: UUID) -> Video | None:
        for row in await self.execute(self.video, (videoid,)):
            tags = None if row[6] is None else set(row[6])
            return Video(*row[:6], tags, row[7].replace(tzinfo=timezone.utc))
        return None

    async def comments_of_video(self, videoid: UUID) -> list[Comment]:
        return [Comment(*row) for row in await self.execute(self.comments, (videoid,))]

    async def comment_on_video(
        self, commentid: UUID, videoid: UUID, userid: UUID, comment: str
    ) -> None:
        users = await self.execute(self.firstname, (userid,))
        videos = await self.execute(self.name, (videoid,))
        firstname = users[0][0] if users else None
        name = videos[0][0] if videos else None
        batch = BatchStatement(BatchType.LOGGED, consistency_level=ConsistencyLevel.LOCAL_QUORUM)
        batch.is_idempotent = True
        batch.add(self.by_video, (videoid, commentid, userid, comment, firstname))
        batch.add(self.by_user, (userid, commentid, videoid, comment, name))
        batch.add(self.by_id, (commentid, videoid, userid))
        await self.execute(batch)


class Metrics(Statements):
    """Metrics in buckets of an hour."""

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self.bucket = self.prepare(
            "SELECT recorded_at, value, tags FROM metrics_by_metric"
            " WHERE metric_name = ? AND hour = ? AND recorded_at >= ?"
        )

    async def recent_metrics(self, name: str, since: datetime) -> list[Measurement]:
        """Reads one bucket after the other."""
        found: list[Measurement] = []
        hour = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0)
        while hour + timedelta(hours=1) > since:
            for at, value, tags in await self.execute(self.bucket, (name, hour, since)):
                tags = None if tags is None else dict(tags)
                found.append(Measurement(at.replace(tzinfo=timezone.utc), value, tags))
            hour -= timedelta(hours=1)
        return found
