"""Plays a file of requests and expected answers against a service."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote


@dataclass
class Step:
    """A request and what must come back; `line` is where it is written."""

    line: int
    method: str
    path: str
    body: str
    status: int
    answer: Any


def play(file: Path, url: str) -> int:
    """Sends each request and prints it with its answer; ends at the first unexpected one."""
    steps = read(file)
    names: dict[str, str] = {}
    for step in steps:
        method, path = step.method, fill(step.path, names, quote)
        body = fill(step.body, names, str)
        print(f"{method} {path} {body}".rstrip())
        status, answer = send(method, url + path, body)
        print(status, "" if answer is None else json.dumps(answer), "\n")
        if status != step.status or not matches(step.answer, answer, names):
            print(f"{file.name}:{step.line}: expected {step.status} {json.dumps(step.answer)}")
            return 1
    if not steps:
        print(f"{file.name} has no requests")
        return 1
    print(f"{len(steps)} requests, all answers as expected")
    return 0


def read(file: Path) -> list[Step]:
    """The steps of a file: a line of a request, a line of an answer, and so on."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line.startswith(" "):
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {line.strip()}")
        elif line and not line.startswith("#"):
            lines.append((number, line))
    steps = []
    for (number, request), (_, answer) in zip(lines[::2], lines[1::2]):
        method, path, *body = request.split(" ", 2)
        status, *value = answer.split(" ", 1)
        expected = json.loads(value[0]) if value else None
        steps.append(Step(number, method, path, "".join(body), int(status), expected))
    if len(lines) % 2:
        raise ValueError(f"{file.name}: the last request has no answer")
    return steps


def fill(text: str, names: dict[str, str], write: Any) -> str:
    """Replaces `$name` by what it stands for."""
    return re.sub(r"\$(\w+)", lambda found: write(names[found[1]]), text)


def matches(expected: Any, answer: Any, names: dict[str, str]) -> bool:
    """Whether an answer is the expected one; learns what names stand for."""
    if isinstance(expected, str) and expected.startswith("$"):
        is_text = isinstance(answer, str) and answer != ""
        return is_text and (expected == "$" or names.setdefault(expected[1:], answer) == answer)
    if isinstance(expected, dict) and isinstance(answer, dict):
        same = expected.keys() == answer.keys()
        return same and all(matches(expected[it], answer[it], names) for it in expected)
    if isinstance(expected, list) and isinstance(answer, list):
        same = len(expected) == len(answer)
        return same and all(map(lambda one, other: matches(one, other, names), expected, answer))
    return type(expected) is type(answer) and expected == answer


def send(method: str, url: str, body: str) -> tuple[int, Any]:
    data = body.encode() if body else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            status, content = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, content = error.code, error.read()
    return status, json.loads(content) if content else None
