/** The codecs of the driver, which its types leave out. */
interface DriverEncoder {
  decode(bytes: Buffer, type: h.DriverType): unknown;
}
type EncoderClass = new (version: number, options: object) => DriverEncoder;
const { Encoder } = driver as unknown as { readonly Encoder: EncoderClass };
const encoder = new Encoder(4, { encoding: { map: Map } });

type Datum = Buffer | null;

/** A value that the types of the functions cannot hold. */
class Unrepresentable extends Error {}

/** The values of a call. */
class CallArguments {
  constructor(private readonly values: readonly (string | null)[]) {}

  nullable<T>(at: number, codec: h.Codec<T>): T | null {
    const value = this.values[at] ?? null;
    return value === null ? null : codec.read(encoder.decode(Buffer.from(value, "hex"), codec.type));
  }

  required<T>(at: number, codec: h.Codec<T>): T {
    const value = this.nullable(at, codec);
    if (value === null) {
      throw new Unrepresentable(`the parameter ${at} cannot be null`);
    }
    return value;
  }
}

interface PageRequest {
  readonly size: number;
  readonly token: string | null;
}

/** The rows of an answer; where they are a page, the token of the next one. */
interface Found {
  readonly rows: Datum[][];
  readonly token?: string | null;
}

function encodeRows<R>(found: R | readonly R[] | null, encode: (row: R) => Datum[]): Found {
  const rows: readonly R[] = found === null ? [] : Array.isArray(found) ? (found as readonly R[]) : [found as R];
  return { rows: rows.map(encode) };
}

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly keyspace: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly limits: {
    readonly concurrency: number;
    readonly page_size: number;
    readonly batch_statements: number;
    readonly batch_bytes: number;
  };
}

interface ProofRequest {
  readonly connect?: Connection;
  readonly id?: number;
  readonly call?: string;
  readonly now?: number;
  readonly args?: readonly (string | null)[];
  readonly page?: PageRequest;
}

const state: {
  now: Date;
  end: h.CallEnd | null;
  client: Client | null;
  access: Access | null;
} = { now: new Date(), end: null, client: null, access: null };

async function connect({ host, port, keyspace, user, password, limits }: Connection): Promise<object> {
  const client = new Client({
    contactPoints: [`${host}:${port}`],
    keyspace,
    policies: { loadBalancing: new policies.loadBalancing.RoundRobinPolicy() },
    socketOptions: { connectTimeout: 20_000, readTimeout: 20_000 },
    ...(user === null ? {} : { credentials: { username: user, password: password ?? "" } }),
  });
  await client.connect();
  state.client = client;
  state.access = new Access(client, {
    concurrency: limits.concurrency,
    pageSize: limits.page_size,
    batchStatements: limits.batch_statements,
    batchBytes: limits.batch_bytes,
    clock: () => state.now,
    observer: {
      onCall: () => (end) => {
        state.end = end;
      },
    },
  });
  return { ready: true };
}

function describeError(error: unknown): object {
  const message = error instanceof Error ? error.message : String(error);
  const isValue =
    error instanceof Unrepresentable || error instanceof h.UnexpectedNull || error instanceof h.ValueOutOfRange;
  const kind = isValue ? "unrepresentable" : error instanceof h.AccessError ? "driver" : "internal";
  const place = error instanceof h.AccessError ? { query: error.query, step: error.step } : {};
  return { kind, message, ...place };
}

async function answer(request: ProofRequest): Promise<object> {
  const { id, call = "", now, args = [], page } = request;
  try {
    if (request.connect !== undefined) {
      return await connect(request.connect);
    }
    const run = calls.get(call);
    if (run === undefined || state.access === null) {
      throw new TypeError(`there is no function ${call}, or no connection`);
    }
    state.now = new Date(Math.floor((now ?? 0) / 1000));
    state.end = null;
    const found = await run(state.access, new CallArguments(args), page ?? null);
    const written = found.rows.map((row) => row.map((value) => value?.toString("hex") ?? null));
    if (found.token !== undefined) {
      return { id, rows: written, token: found.token };
    }
    const end = state.end as h.CallEnd | null;
    return end === null || end.outcome === null ? { id, rows: written } : { id, outcome: end.outcome, rows: written };
  } catch (error) {
    if (error instanceof h.ConstraintViolation) {
      return { id, outcome: "violation", rows: [] };
    }
    if (error instanceof h.PartialWrite && error.cause === undefined) {
      return { id, outcome: "interrupted", rows: [] };
    }
    return { id, error: describeError(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== "") {
    const text = JSON.stringify(await answer(JSON.parse(line) as ProofRequest));
    process.stdout.write(`${text}\n`);
  }
}
await state.client?.shutdown();
