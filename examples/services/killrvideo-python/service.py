"""KillrVideo over HTTP. Each handler calls functions that `helenus generate` printed.

What the comment of a function lists under "What must hold, and is not checked" is checked here.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import os
import sys
import traceback
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid1, uuid4

from http_json import Answer, HttpError, Request, Router, serve_connection
from killrvideo import ConstraintViolation, InvalidToken, KillrvideoAccess, Page

HASH_ROUNDS = 20_000


class Service:
    """The handlers."""

    def __init__(self, access: KillrvideoAccess) -> None:
        self._access = access
        self._router = Router()
        for route, handler in {
            "POST /users": self.register,
            "POST /login": self.login,
            "GET /users/{user}": self.user,
            "PUT /users/{user}/email": self.change_email,
            "GET /users/{user}/videos": self.videos_of_user,
            "GET /users/{user}/comments": self.comments_of_user,
            "GET /users/{user}/ratings": self.ratings_of_user,
            "GET /videos": self.videos,
            "POST /videos": self.add_video,
            "GET /videos/{video}": self.video,
            "PUT /videos/{video}/name": self.rename_video,
            "POST /videos/{video}/tags": self.add_tag,
            "DELETE /videos/{video}": self.remove_video,
            "POST /videos/{video}/plays": self.play_video,
            "GET /videos/{video}/comments": self.comments_of_video,
            "POST /videos/{video}/comments": self.comment_on_video,
            "GET /videos/{video}/ratings/{user}": self.rating,
            "PUT /videos/{video}/ratings/{user}": self.rate_video,
            "DELETE /comments/{comment}": self.remove_comment,
        }.items():
            self._router.add(route, handler)

    async def answer(self, method: str, target: str, body: bytes) -> Answer:
        """The status and the JSON value of a request; never raises."""
        try:
            status, value = await self._router.answer(method, target, body)
            return status, to_json(value)
        except HttpError as error:
            return error.status, {"error": str(error)}
        except ConstraintViolation as error:
            return 409, {"error": str(error)}
        except InvalidToken as error:
            return 400, {"error": str(error)}
        except Exception:
            traceback.print_exc()
            return 500, {"error": "the request failed; see the log"}

    # Users

    async def register(self, request: Request) -> Answer:
        body = request.body
        userid = uuid_of(body, "userid") if "userid" in body else uuid4()
        applied = await self._access.register(
            userid=userid,
            email=text(body, "email"),
            password=hash_password(text(body, "password")),
            firstname=body.get("firstname"),
            lastname=body.get("lastname"),
            created_date=now(),
        )
        if not applied:
            raise HttpError(409, "the email address is taken")
        return 201, {"userid": userid}

    async def login(self, request: Request) -> Answer:
        found = await self._access.login(text(request.body, "email"))
        if found is None or not is_password(text(request.body, "password"), found.password):
            raise HttpError(401, "wrong email address or password")
        return 200, {"userid": found.userid}

    async def user(self, request: Request) -> Answer:
        found = await self._access.user_by_id(uuid_of(request.parts, "user"))
        if found is None:
            raise HttpError(404, "no such user")
        return 200, found

    async def change_email(self, request: Request) -> Answer:
        await self.user(request)
        userid = uuid_of(request.parts, "user")
        if not await self._access.change_email(text(request.body, "email"), userid):
            raise HttpError(409, "the email address is taken")
        return 204, None

    async def videos_of_user(self, request: Request) -> Answer:
        userid, query = uuid_of(request.parts, "user"), request.query
        if "size" in query:
            page = self._access.videos_by_user_page
            return 200, await page(userid, size_of(query), query.get("token"))
        if "before" in query:
            before, videoid = time_of(query, "before"), uuid_of(query, "videoid")
            return 200, await self._access.more_videos_by_user(userid, before, videoid)
        return 200, await self._access.videos_by_user(userid)

    async def comments_of_user(self, request: Request) -> Answer:
        return 200, await self._access.comments_by_user(uuid_of(request.parts, "user"))

    async def ratings_of_user(self, request: Request) -> Answer:
        return 200, await self._access.ratings_by_user(uuid_of(request.parts, "user"))

    # Videos

    async def videos(self, request: Request) -> Answer:
        query = request.query
        if "tag" not in query:
            return 200, await self._access.latest_videos()
        if "size" in query:
            page = self._access.videos_by_tag_page
            return 200, await page(query["tag"], size_of(query), query.get("token"))
        return 200, await self._access.videos_by_tag(query["tag"])

    async def add_video(self, request: Request) -> Answer:
        body = request.body
        videoid = uuid_of(body, "videoid") if "videoid" in body else uuid4()
        userid = uuid_of(body, "userid")
        user, video = await asyncio.gather(
            self._access.user_by_id(userid), self._access.video_by_id(videoid)
        )
        if user is None:
            raise HttpError(404, "no such user")
        if video is not None:
            raise HttpError(409, "the video exists")
        await self._access.add_video(
            videoid=videoid,
            userid=userid,
            name=text(body, "name"),
            description=body.get("description"),
            location=text(body, "location"),
            preview=body.get("preview"),
            tags=set(body.get("tags", [])),
            added_date=time_of(body, "added_date") if "added_date" in body else now(),
        )
        return 201, {"videoid": videoid}

    async def video(self, request: Request) -> Answer:
        videoid = uuid_of(request.parts, "video")
        video, views, rating = await asyncio.gather(
            self._access.video_by_id(videoid),
            self._access.views_of_video(videoid),
            self._access.rating_of_video(videoid),
        )
        if video is None:
            raise HttpError(404, "no such video")
        return 200, {**to_json(video), **to_json(views), **to_json(rating)}

    async def rename_video(self, request: Request) -> Answer:
        videoid = await self.check_video(request)
        await self._access.rename_video(text(request.body, "name"), videoid)
        return 204, None

    async def add_tag(self, request: Request) -> Answer:
        videoid = await self.check_video(request)
        await self._access.add_tag(text(request.body, "tag"), videoid)
        return 204, None

    async def remove_video(self, request: Request) -> Answer:
        videoid = await self.check_video(request)
        comments, rating = await asyncio.gather(
            self._access.comments_of_video(videoid), self._access.rating_of_video(videoid)
        )
        if comments or (rating and rating.num_ratings > 0):
            raise HttpError(409, "the video has comments or ratings")
        await self._access.remove_video(videoid)
        return 204, None

    async def play_video(self, request: Request) -> Answer:
        await self._access.play_video(await self.check_video(request))
        return 204, None

    async def check_video(self, request: Request) -> UUID:
        videoid = uuid_of(request.parts, "video")
        if await self._access.video_by_id(videoid) is None:
            raise HttpError(404, "no such video")
        return videoid

    # Comments and ratings

    async def comments_of_video(self, request: Request) -> Answer:
        return 200, await self._access.comments_of_video(uuid_of(request.parts, "video"))

    async def comment_on_video(self, request: Request) -> Answer:
        videoid = await self.check_video(request)
        userid, comment = uuid_of(request.body, "userid"), text(request.body, "comment")
        await self.check_user(userid)
        commentid = uuid1()
        await self._access.comment_on_video(commentid, videoid, userid, comment)
        return 201, {"commentid": commentid}

    async def remove_comment(self, request: Request) -> Answer:
        await self._access.remove_comment(uuid_of(request.parts, "comment"))
        return 204, None

    async def rating(self, request: Request) -> Answer:
        parts = request.parts
        found = await self._access.my_rating(uuid_of(parts, "video"), uuid_of(parts, "user"))
        if found is None:
            raise HttpError(404, "not rated")
        return 200, found

    async def rate_video(self, request: Request) -> Answer:
        videoid, userid = await self.check_video(request), uuid_of(request.parts, "user")
        await self.check_user(userid)
        rating = request.body.get("rating")
        if not isinstance(rating, int) or not 1 <= rating <= 5:
            raise HttpError(400, "rating must be a number from 1 to 5")
        if await self._access.my_rating(videoid, userid) is not None:
            raise HttpError(409, "already rated")
        await self._access.rate_video(videoid, userid, rating, now())
        return 204, None

    async def check_user(self, userid: UUID) -> None:
        if await self._access.user_by_id(userid) is None:
            raise HttpError(404, "no such user")


# Values


def to_json(value: Any) -> Any:
    """A row, a page or a value of a column as JSON."""
    if isinstance(value, Page):
        return {"rows": to_json(value.rows), "next": value.token}
    if is_dataclass(value):
        return {it.name: to_json(getattr(value, it.name)) for it in fields(value)}
    if isinstance(value, dict):
        return {name: to_json(it) for name, it in value.items()}
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, list):
        return [to_json(it) for it in value]
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return str(value) if isinstance(value, UUID) else value


def text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str) or not value:
        raise HttpError(400, f"{name} is missing")
    return value


def uuid_of(values: dict[str, Any], name: str) -> UUID:
    try:
        return UUID(text(values, name))
    except ValueError as error:
        raise HttpError(400, f"{name} is not a UUID") from error


def time_of(values: dict[str, Any], name: str) -> datetime:
    try:
        return datetime.fromisoformat(text(values, name).replace("Z", "+00:00"))
    except ValueError as error:
        raise HttpError(400, f"{name} is not a time") from error


def size_of(query: dict[str, str]) -> int:
    size = query["size"]
    if not size.isdecimal() or not 1 <= int(size) <= 100:
        raise HttpError(400, "size must be a number from 1 to 100")
    return int(size)


def now() -> datetime:
    return datetime.now(timezone.utc)


def hash_password(password: str) -> str:
    salt = os.urandom(16)
    return f"{salt.hex()}${derive(password, salt).hex()}"


def is_password(password: str, stored: str) -> bool:
    salt, _, key = stored.partition("$")
    return hmac.compare_digest(derive(password, bytes.fromhex(salt)), bytes.fromhex(key))


def derive(password: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, HASH_ROUNDS)


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cassandra-port", type=int, default=9042)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--port-file", type=Path)
    options = parser.parse_args()
    access = await KillrvideoAccess.connect(["127.0.0.1"], options.cassandra_port)
    service = Service(access)
    handle = partial(serve_connection, service.answer)
    server = await asyncio.start_server(handle, "127.0.0.1", options.port)
    if options.port_file:
        port = server.sockets[0].getsockname()[1]
        options.port_file.with_suffix(".new").write_text(f"{port}\n")
        options.port_file.with_suffix(".new").replace(options.port_file)
    try:
        await server.serve_forever()
    finally:
        await access.close()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(0)
