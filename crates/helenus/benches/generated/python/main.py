"""Calls generated and hand-written functions, as the lines of standard input ask.

A line has a side, a row, the calls in flight and the seconds. The line that is printed has the
seconds that it took, and the nanoseconds of each call.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import time
from collections.abc import Awaitable
from datetime import datetime, timedelta, timezone
from typing import Any, Callable
from uuid import UUID

from by_hand import Metrics, Videos
from cassandra.cluster import Cluster
from killrvideo import KillrvideoAccess
from metrics import MetricsAccess

NUMBERS = itertools.count(1 << 24)


def make_id(number: int) -> UUID:
    return UUID(f"{number:08x}-0000-1000-8000-000000000001")


IDS = [make_id(number) for number in range(1000)]


def list_calls(videos: Any, metrics: Any) -> dict[str, Callable[[int], Awaitable[Any]]]:
    def read(number: int) -> Awaitable[Any]:
        return videos.video_by_id(IDS[number % 1000])

    def slice_(number: int) -> Awaitable[Any]:
        return videos.comments_of_video(IDS[number % 100])

    def write(number: int) -> Awaitable[Any]:
        video, user = IDS[500 + number % 500], IDS[number % 100]
        return videos.comment_on_video(make_id(number), video, user, "a comment")

    def range_(number: int) -> Awaitable[Any]:
        return metrics.recent_metrics("cpu", datetime.now(timezone.utc) - timedelta(hours=24))

    return {"read": read, "slice": slice_, "write": write, "range": range_}


async def run(call: Callable[[int], Awaitable[Any]], in_flight: int, seconds: float) -> str:
    latencies: list[int] = []
    start = time.perf_counter_ns()
    end = start + int(seconds * 1e9)

    async def repeat() -> None:
        began = time.perf_counter_ns()
        while began < end:
            await call(next(NUMBERS))
            now = time.perf_counter_ns()
            latencies.append(now - began)
            began = now

    await asyncio.gather(*(repeat() for _ in range(in_flight)))
    elapsed = (time.perf_counter_ns() - start) / 1e9
    return f"{elapsed} {' '.join(map(str, latencies))}"


async def main(port: int, delayed: int) -> None:
    clusters = [Cluster(["127.0.0.1"], port=it) for it in (port, delayed)]
    sides = {
        "generated": list_calls(
            await KillrvideoAccess.connect(port=port), await MetricsAccess.connect(port=delayed)
        ),
        "by_hand": list_calls(
            Videos(clusters[0].connect("killrvideo")), Metrics(clusters[1].connect("metrics"))
        ),
    }
    assert len(await sides["generated"]["range"](0)) == len(await sides["by_hand"]["range"](0)) > 0
    for line in sys.stdin:
        side, row, in_flight, seconds = line.split()
        print(await run(sides[side][row], int(in_flight), float(seconds)), flush=True)


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
