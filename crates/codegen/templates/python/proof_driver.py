"""Runs the functions of this package for a proof: JSON lines in, JSON lines out."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from . import support
from .access import ACCESS_CLASS

# Seconds: a machine that builds other programs meanwhile answers late.
TIMEOUT = 20.0


@dataclass(frozen=True)
class Value:
    """A parameter or a column: its name and how it is read and written."""

    name: str
    type: Any
    decode: support.Converter
    encode: support.Converter
    nullable: bool


@dataclass(frozen=True)
class Function:
    """A function: its names in Python, its parameters and the columns of its rows."""

    name: str
    page_name: str | None
    is_write: bool
    parameters: tuple[Value, ...]
    columns: tuple[Value, ...]


class Recorder:
    """Remembers how the last write ended."""

    def __init__(self) -> None:
        self.outcome: str | None = None

    def call_started(self, call: support.Call) -> None:
        self.outcome = None

    def call_ended(self, call: support.Call) -> None:
        self.outcome = call.outcome

    def statement_started(self, run: support.StatementRun) -> None:
        pass

    def statement_ended(self, run: support.StatementRun) -> None:
        pass


class Driver:
    """The state between requests."""

    def __init__(self) -> None:
        self.now = datetime(1970, 1, 1, tzinfo=timezone.utc)
        self.recorder = Recorder()
        self.access: ACCESS_CLASS | None = None

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if "connect" in request:
            return await self.connect(request["connect"])
        answer: dict[str, Any] = {"id": request.get("id")}
        name = request.get("call", "")
        try:
            answer.update(await self.call(name, request))
        except support.AccessError as error:
            if error.kind in (support.VIOLATION, support.INTERRUPTED):
                answer.update(outcome=error.kind, rows=[])
            else:
                answer["error"] = describe(error.kind, error, error.query, error.step)
        except Unrepresented as error:
            answer["error"] = describe("unrepresentable", error, name, "")
        except Exception as error:  # noqa: BLE001
            answer["error"] = describe("unexpected", error, name, "")
        return answer

    async def connect(self, target: dict[str, Any]) -> dict[str, Any]:
        limits = target["limits"]
        options = support.Options(
            observer=self.recorder,
            clock=lambda: self.now,
            concurrency=limits["concurrency"],
            page_size=limits["page_size"],
            batch_statements=limits["batch_statements"],
            batch_bytes=limits["batch_bytes"],
            timeout=TIMEOUT,
        )
        try:
            self.access = await ACCESS_CLASS.connect(
                [target["host"]],
                target["port"],
                target["keyspace"],
                target.get("user"),
                target.get("password"),
                options,
                connect_timeout=TIMEOUT,
                control_connection_timeout=TIMEOUT,
            )
        except Exception as error:  # noqa: BLE001
            return {"error": describe("driver", error, "", "")}
        return {"ready": True}

    async def call(self, name: str, request: dict[str, Any]) -> dict[str, Any]:
        function = FUNCTIONS.get(name)
        if function is None or self.access is None:
            raise Unrepresented(f"there is no function {name}, or no connection")
        epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
        self.now = epoch + timedelta(microseconds=request.get("now") or 0)
        values = zip(function.parameters, request["args"])
        arguments = [decode(parameter, text) for parameter, text in values]
        self.recorder.outcome = None
        answer: dict[str, Any] = {}
        page = request.get("page")
        if page is not None and function.page_name is not None:
            read = getattr(self.access, function.page_name)
            found = await read(*arguments, page["size"], page["token"])
            result: Any = found.rows
            answer["token"] = found.token
        else:
            result = await getattr(self.access, function.name)(*arguments)
        if function.is_write:
            answer["outcome"] = self.recorder.outcome or support.APPLIED
        rows: list[Any] = []
        if function.columns:
            rows = result if isinstance(result, list) else [result]
        rows = [row for row in rows if row is not None]
        answer["rows"] = [[encode(it, row) for it in function.columns] for row in rows]
        return answer


class Unrepresented(Exception):
    """A value has no counterpart in the signature of a function."""


def describe(kind: str, error: BaseException, query: str, step: str) -> dict[str, str]:
    message = f"{type(error).__name__}: {error}"
    return {"kind": kind, "message": message, "query": query, "step": step}


def decode(parameter: Value, text: str | None) -> Any:
    """The value of a parameter."""
    if text is None:
        if not parameter.nullable:
            raise Unrepresented(f"{parameter.name} cannot be null")
        return None
    try:
        value = support.from_bytes(parameter.type, bytes.fromhex(text))
        value = parameter.decode(value)
    except Exception as error:
        raise Unrepresented(f"{parameter.name}: {error}") from error
    if value is None:
        raise Unrepresented(f"{parameter.name} cannot be an empty value")
    return value


def encode(column: Value, row: Any) -> str | None:
    """The value of a column."""
    value = getattr(row, column.name)
    if value is None:
        return None
    return support.to_bytes(column.type, column.encode(value)).hex()


async def main() -> None:
    driver = Driver()
    for line in sys.stdin:
        if line.strip():
            answer = await driver.answer(json.loads(line))
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    if driver.access is not None:
        await driver.access.close()
