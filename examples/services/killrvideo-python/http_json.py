"""A small HTTP server for JSON on asyncio: just enough for a service without a framework."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any, Awaitable, Callable
from urllib.parse import parse_qsl, unquote, urlsplit

BODY_MAX = 1024 * 1024
REASONS = {
    200: "OK",
    201: "Created",
    204: "No Content",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    409: "Conflict",
    500: "Internal Server Error",
}


@dataclass
class Request:
    """What a handler gets: the parts of the path that its route names, and the rest."""

    parts: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]


class HttpError(Exception):
    """Ends a handler with a status and a sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


Answer = tuple[int, Any]
Handler = Callable[[Request], Awaitable[Answer]]


class Router:
    """Finds the handler of a request: routes are written as `GET /videos/{video}`."""

    def __init__(self) -> None:
        self._routes: list[tuple[str, re.Pattern[str], Handler]] = []

    def add(self, route: str, handler: Handler) -> None:
        method, path = route.split(" ")
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)
        self._routes.append((method, re.compile(pattern), handler))

    async def answer(self, method: str, target: str, body: bytes) -> Answer:
        split = urlsplit(target)
        for own_method, pattern, handler in self._routes:
            match = pattern.fullmatch(split.path)
            if match and own_method == method:
                parts = {name: unquote(part) for name, part in match.groupdict().items()}
                query = dict(parse_qsl(split.query))
                return await handler(Request(parts, query, parse_body(body)))
        raise HttpError(404, f"no such resource: {method} {split.path}")


def parse_body(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body) if body else {}
    except ValueError as error:
        raise HttpError(400, f"the body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise HttpError(400, "the body is not a JSON object")
    return value


async def serve_connection(
    answer: Callable[[str, str, bytes], Awaitable[Answer]],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Answers the requests of a connection, one after the other."""
    try:
        while request := await read_request(reader):
            status, value = await answer(*request)
            body = b"" if status == 204 else json.dumps(value).encode() + b"\n"
            head = (
                f"HTTP/1.1 {status} {REASONS[status]}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            writer.write(head.encode() + body)
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        pass  # The client went away, or does not speak HTTP.
    finally:
        writer.close()


async def read_request(reader: asyncio.StreamReader) -> tuple[str, str, bytes] | None:
    """The method, the target and the body; `None` at the end of the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").rstrip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (it.partition(":") for it in lines)}
    length = int(headers.get("content-length", "0"))
    if not 0 <= length <= BODY_MAX:
        return None
    return method, target, await reader.readexactly(length)
