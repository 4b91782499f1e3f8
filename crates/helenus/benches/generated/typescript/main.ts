// Calls generated and hand-written functions, as the lines of standard input ask.
//
// A line has a side, a row, the calls in flight and the seconds. The line that is printed has the seconds that it took,
// and the nanoseconds of each call.

import { createInterface } from "node:readline";
import { Client, types } from "cassandra-driver";
import { ByHand } from "./byHand.js";
import { KillrvideoAccess } from "./killrvideo/index.js";
import { MetricsAccess } from "./metrics/index.js";

type Call = (number: number) => Promise<unknown>;

let numbers = 1 << 24;

function makeId(number: number): string {
  return `${number.toString(16).padStart(8, "0")}-0000-1000-8000-000000000001`;
}

const IDS = Array.from({ length: 1000 }, (_, number) => types.Uuid.fromString(makeId(number)));

function id(number: number): types.Uuid {
  return IDS[number] as types.Uuid;
}

function yesterday(): Date {
  return new Date(Date.now() - 24 * 3_600_000);
}

async function connect(port: number, keyspace: string): Promise<Client> {
  const client = new Client({
    contactPoints: ["127.0.0.1"],
    protocolOptions: { port },
    localDataCenter: "datacenter1",
    keyspace,
    queryOptions: { prepare: true, isIdempotent: true, consistency: types.consistencies.localQuorum },
  });
  await client.connect();
  return client;
}

async function listGenerated(port: number, delayed: number): Promise<Record<string, Call>> {
  const videos = new KillrvideoAccess(await connect(port, "killrvideo"));
  const metrics = new MetricsAccess(await connect(delayed, "metrics"));
  return {
    read: (number) => videos.videoById({ videoid: id(number % 1000) }),
    slice: (number) => videos.commentsOfVideo({ videoid: id(number % 100) }),
    write: (number) =>
      videos.commentOnVideo({
        commentid: types.TimeUuid.fromString(makeId(number)),
        videoid: id(500 + (number % 500)),
        userid: id(number % 100),
        comment: "a comment",
      }),
    range: () => metrics.recentMetrics({ metricName: "cpu", recordedAt: yesterday() }),
  };
}

async function listByHand(port: number, delayed: number): Promise<Record<string, Call>> {
  const code = new ByHand(await connect(port, "killrvideo"), await connect(delayed, "metrics"));
  return {
    read: (number) => code.videoById(id(number % 1000)),
    slice: (number) => code.commentsOfVideo(id(number % 100)),
    write: (number) =>
      code.commentOnVideo(
        types.TimeUuid.fromString(makeId(number)),
        id(500 + (number % 500)),
        id(number % 100),
        "a comment",
      ),
    range: () => code.recentMetrics("cpu", yesterday()),
  };
}

async function run(call: Call, inFlight: number, seconds: number): Promise<string> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1e3;
  const repeat = async (): Promise<void> => {
    for (let began = performance.now(); began < end; ) {
      await call(numbers++);
      const now = performance.now();
      latencies.push(Math.round((now - began) * 1e6));
      began = now;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, repeat));
  return `${(performance.now() - start) / 1e3} ${latencies.join(" ")}`;
}

const [port, delayed] = [Number(process.argv[2]), Number(process.argv[3])];
const sides: Record<string, Record<string, Call>> = {
  generated: await listGenerated(port, delayed),
  by_hand: await listByHand(port, delayed),
};
const [one, other] = [await sides["generated"]?.["range"]?.(0), await sides["by_hand"]?.["range"]?.(0)] as unknown[][];
if (one === undefined || one.length === 0 || one.length !== other?.length) {
  throw new Error(`${one?.length} rows, and by hand ${other?.length}`);
}
for await (const line of createInterface({ input: process.stdin })) {
  const [side = "", row = "", inFlight, seconds] = line.split(" ");
  console.log(await run(sides[side]?.[row] as Call, Number(inFlight), Number(seconds)));
}
process.exit(0);
