import { types, type Client, type QueryOptions } from "cassandra-driver";

// Errors

/** An error of a function: it names the function and, where there is one, the statement. */
export class AccessError extends Error {
  /** The function, by its name in the model. */
  readonly query: string;
  /** The table and the CQL of the statement; null where no statement failed. */
  readonly step: string | null;

  constructor(message: string, query: string, step: string | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.query = query;
    this.step = step;
  }
}

/** A statement failed; `cause` is the error of the driver. */
export class StatementError extends AccessError {}

/** A write that a constraint forbids: nothing was changed, or it was undone. */
export class ConstraintViolation extends AccessError {
  /** The constraint, as SQL declares it. */
  readonly constraint: string;

  constructor(query: string, constraint: string) {
    super(`${query}: violates ${constraint}`, query, null);
    this.constraint = constraint;
  }
}

/** A write that stopped after statements that could not be undone. */
export class PartialWrite extends AccessError {
  /** What was applied and stays: tables and CQL. */
  readonly applied: readonly string[];

  constructor(query: string, step: string, applied: readonly string[], cause?: unknown) {
    super(`${query}: stopped at ${step} after ${applied.join("; ")}`, query, step, cause);
    this.applied = applied;
  }
}

/** A column that is never null was null. */
export class UnexpectedNull extends Error {
  override readonly name = "UnexpectedNull";

  constructor(readonly column: string) {
    super(`the column ${column} is null`);
  }
}

/** A value that its type cannot hold. */
export class ValueOutOfRange extends RangeError {
  override readonly name = "ValueOutOfRange";
}

/** A position token of another query or version, or one that was changed. */
export class InvalidToken extends Error {
  override readonly name = "InvalidToken";

  constructor(query: string) {
    super(`the token is not a position of ${query}`);
  }
}

// Values

/** The type of a column, as the driver describes it. */
export interface DriverType {
  readonly code: number;
  readonly info?: unknown;
  readonly customTypeName?: string;
}

/** A row as the driver returns it. */
export type RawRow = Readonly<Record<string, unknown>>;

/** A value as it is bound: its bytes, null, or `types.unset`. */
export type BoundValue = Buffer | object | null;

/**
 * Converts values of a type. Values are bound as bytes, and what the driver returns is accepted in every form, so that
 * the `encoding` options of the client make no difference.
 */
export class Codec<T> {
  constructor(
    /** The name of the type in CQL. */
    readonly name: string,
    readonly type: DriverType,
    private readonly encodeValue: (value: T) => Buffer,
    private readonly decodeValue: (raw: NonNullable<unknown>) => T,
    private readonly compareValues: (one: T, other: T) => number,
    /** The least and the greatest value of a type of whole numbers. */
    readonly range?: readonly [bigint, bigint],
  ) {}

  /** The bytes of a value. */
  encode(value: T): Buffer {
    return this.encodeValue(value);
  }

  /** The bytes of a value, or null. */
  write(value: T | null | undefined): Buffer | null {
    return value === null || value === undefined ? null : this.encodeValue(value);
  }

  /** The bytes of a value; a null is left unset: it writes nothing. */
  writeOrUnset(value: T | null | undefined): Buffer | object {
    return value === null || value === undefined ? types.unset : this.encodeValue(value);
  }

  /** The value of a column. */
  read(raw: unknown): T | null {
    return raw === null || raw === undefined ? null : this.decodeValue(raw);
  }

  /** The order of two values: negative, 0 or positive. */
  compare(one: T, other: T): number {
    return this.compareValues(one, other);
  }
}

export function order<V extends number | bigint | boolean | string>(one: V, other: V): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function same<T>(raw: NonNullable<unknown>): T {
  return raw as T;
}

export function simple(code: number): DriverType {
  return { code };
}

/** Texts by code points, which is the order of the bytes of UTF-8. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (left !== right) {
      // A surrogate stands for a code point above all that have a unit of their own.
      const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
      return rank(left) - rank(right);
    }
  }
  return one.length - other.length;
}

/** NaN is the greatest number. */
export function compareNumbers(one: number, other: number): number {
  if (Number.isNaN(one) || Number.isNaN(other)) {
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  }
  return one - other;
}

export function compareUuids(one: types.Uuid, other: types.Uuid): number {
  const [left, right] = [one.getBuffer(), other.getBuffer()];
  const version = (bytes: Buffer): number => bytes.readUInt8(6) >> 4;
  const byVersion = version(left) - version(right);
  if (byVersion !== 0 || version(left) !== 1) {
    return byVersion === 0 ? Buffer.compare(left, right) : byVersion;
  }
  return order(countTicks(left), countTicks(right)) || Buffer.compare(left.subarray(8), right.subarray(8));
}

/** Time-based ids by time, then by their signed bytes. */
export function compareTimeUuids(one: types.TimeUuid, other: types.TimeUuid): number {
  const [left, right] = [one.getBuffer(), other.getBuffer()];
  const byTime = order(countTicks(left), countTicks(right));
  for (let at = 8; byTime === 0 && at < 16; at += 1) {
    const difference = left.readInt8(at) - right.readInt8(at);
    if (difference !== 0) {
      return difference;
    }
  }
  return byTime;
}

/** The 100 ns since 1582 of a time-based id. */
export function countTicks(id: Buffer): bigint {
  const low = BigInt(id.readUInt32BE(0));
  const middle = BigInt(id.readUInt16BE(4)) << 32n;
  return low | middle | (BigInt(id.readUInt16BE(6) & 0x0fff) << 48n);
}

export function allocate(length: number, fill: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  fill(buffer);
  return buffer;
}

export function encodeLong(value: bigint): Buffer {
  if (BigInt.asIntN(64, value) !== value) {
    throw new ValueOutOfRange(`${value} does not fit 64 bits`);
  }
  return allocate(8, (buffer) => buffer.writeBigInt64BE(value));
}

export function encodeVarint(value: bigint): Buffer {
  let length = 1;
  while (BigInt.asIntN(length * 8, value) !== value) {
    length += 1;
  }
  const digits = BigInt.asUintN(length * 8, value).toString(16);
  return Buffer.from(digits.padStart(length * 2, "0"), "hex");
}

export function decodeWhole(raw: NonNullable<unknown>): bigint {
  if (typeof raw === "bigint") {
    return raw;
  }
  return BigInt(raw instanceof types.Long || raw instanceof types.Integer ? raw.toString() : Number(raw));
}

export const TWO_31 = 2147483648;

/** The days since 1970 of a date. */
export function countDays(date: types.LocalDate): number {
  return date.toBuffer().readUInt32BE(0) - TWO_31;
}

/** The date so many days after 1970-01-01. */
export function dateOfDays(days: number): types.LocalDate {
  return types.LocalDate.fromBuffer(allocate(4, (buffer) => buffer.writeUInt32BE(days + TWO_31)));
}

/** The time of day so many nanoseconds after midnight. */
export function timeOfNanoseconds(nanoseconds: bigint): types.LocalTime {
  return types.LocalTime.fromBuffer(encodeLong(nanoseconds));
}

/** A duration of months, days and nanoseconds. */
export function durationOf(months: number, days: number, nanoseconds: bigint): types.Duration {
  return new types.Duration(months, days, types.Long.fromString(nanoseconds.toString()));
}

export const codes = types.dataTypes;
export const durationType: DriverType = { code: codes.custom, info: "org.apache.cassandra.db.marshal.DurationType" };
export const compareBytes = (one: Buffer, other: Buffer): number => Buffer.compare(one, other);
export const compareAddresses = (one: types.InetAddress, other: types.InetAddress): number =>
  Buffer.compare(one.getBuffer(), other.getBuffer());

export function wholeCodec(name: string, code: number, bytes: number): Codec<number> {
  const encode = (value: number): Buffer => allocate(bytes, (buffer) => buffer.writeIntBE(value, 0, bytes));
  const limit = 1n << BigInt(bytes * 8 - 1);
  return new Codec(name, simple(code), encode, Number, compareNumbers, [-limit, limit - 1n]);
}

export function longCodec(name: string, code: number): Codec<bigint> {
  return new Codec(name, simple(code), encodeLong, decodeWhole, order, [-(1n << 63n), (1n << 63n) - 1n]);
}

export function textCodec(name: string, code: number): Codec<string> {
  return new Codec(name, simple(code), (value: string) => Buffer.from(value, "utf8"), same<string>, compareTexts);
}

export const ascii = textCodec("ascii", codes.ascii);
export const text = textCodec("text", codes.text);
export const tinyint = wholeCodec("tinyint", codes.tinyint, 1);
export const smallint = wholeCodec("smallint", codes.smallint, 2);
export const int = wholeCodec("int", codes.int, 4);
export const bigint = longCodec("bigint", codes.bigint);
export const counter = longCodec("counter", codes.counter);
export const varint = new Codec("varint", simple(codes.varint), encodeVarint, decodeWhole, order<bigint>);
export const blob = new Codec<Buffer>("blob", simple(codes.blob), (value) => value, same<Buffer>, compareBytes);
export const boolean = new Codec<boolean>(
  "boolean",
  simple(codes.boolean),
  (value) => Buffer.of(value ? 1 : 0),
  same<boolean>,
  order,
);
export const float = new Codec<number>(
  "float",
  simple(codes.float),
  (value) => allocate(4, (buffer) => buffer.writeFloatBE(value)),
  Number,
  compareNumbers,
);
export const double = new Codec<number>(
  "double",
  simple(codes.double),
  (value) => allocate(8, (buffer) => buffer.writeDoubleBE(value)),
  Number,
  compareNumbers,
);
export const decimal = new Codec<types.BigDecimal>(
  "decimal",
  simple(codes.decimal),
  (value) => types.BigDecimal.toBuffer(value),
  same<types.BigDecimal>,
  (one, other) => compareDecimals(toDigits(one), toDigits(other)),
);
export const timestamp = new Codec<Date>(
  "timestamp",
  simple(codes.timestamp),
  (value) => encodeLong(BigInt(value.getTime())),
  same<Date>,
  (one, other) => one.getTime() - other.getTime(),
);
export const date = new Codec<types.LocalDate>(
  "date",
  simple(codes.date),
  (value) => value.toBuffer(),
  same<types.LocalDate>,
  (one, other) => countDays(one) - countDays(other),
);
export const time = new Codec<types.LocalTime>(
  "time",
  simple(codes.time),
  (value) => value.toBuffer(),
  same<types.LocalTime>,
  (one, other) => one.getTotalNanoseconds().compare(other.getTotalNanoseconds()),
);
export const duration = new Codec<types.Duration>(
  "duration",
  durationType,
  (value) => value.toBuffer(),
  same<types.Duration>,
  (one, other) => Buffer.compare(one.toBuffer(), other.toBuffer()),
);
export const inet = new Codec<types.InetAddress>(
  "inet",
  simple(codes.inet),
  (value) => value.getBuffer(),
  same<types.InetAddress>,
  compareAddresses,
);
export const uuid = new Codec<types.Uuid>(
  "uuid",
  simple(codes.uuid),
  (value) => value.getBuffer(),
  same<types.Uuid>,
  compareUuids,
);
export const timeuuid = new Codec<types.TimeUuid>(
  "timeuuid",
  simple(codes.timeuuid),
  (value) => value.getBuffer(),
  (raw) => (raw instanceof types.TimeUuid ? raw : new types.TimeUuid((raw as types.Uuid).getBuffer())),
  compareTimeUuids,
);

export function encodeParts(count: number | null, parts: readonly (Buffer | null)[]): Buffer {
  const lengths = (length: number): Buffer => allocate(4, (buffer) => buffer.writeInt32BE(length));
  const pieces = parts.flatMap((part) => (part === null ? [lengths(-1)] : [lengths(part.length), part]));
  return Buffer.concat(count === null ? pieces : [lengths(count), ...pieces]);
}

export function compareAll<T>(element: Codec<T>, one: readonly T[], other: readonly T[]): number {
  for (const [at, value] of one.entries()) {
    const against = other[at];
    const found = against === undefined ? 1 : element.compare(value, against);
    if (found !== 0) {
      return found;
    }
  }
  return one.length - other.length;
}

export function decodeAll<T>(element: Codec<T>, raw: unknown): T[] {
  const elements: unknown[] = [];
  // An array, or whatever the client's options make of a set.
  (raw as { forEach(visit: (value: unknown) => void): void }).forEach((value) => elements.push(value));
  return elements.map((value) => required(element.read(value), element.name));
}

export function collection<T>(name: string, code: number, element: Codec<T>): Codec<readonly T[]> {
  return new Codec<readonly T[]>(
    `${name}<${element.name}>`,
    { code, info: element.type },
    (values) =>
      encodeParts(
        values.length,
        values.map((value) => element.encode(value)),
      ),
    (raw) => decodeAll(element, raw),
    (one, other) => compareAll(element, one, other),
  );
}

/** `list`, as an array. */
export function list<T>(element: Codec<T>): Codec<readonly T[]> {
  return collection("list", codes.list, element);
}

/** `set`, as an array of different elements: a `Set` would compare ids by their identity. */
export function set<T>(element: Codec<T>): Codec<readonly T[]> {
  return collection("set", codes.set, element);
}

/** A key of a map that the driver returned as the name of a property. */
export function parseKey<K>(key: Codec<K>, raw: string): K | null {
  switch (key.name) {
    case "boolean":
      return key.read(raw === "true");
    case "bigint":
    case "counter":
    case "varint":
      return key.read(BigInt(raw));
    case "decimal":
      return key.read(types.BigDecimal.fromString(raw));
    case "uuid":
    case "timeuuid":
      return key.read(types.Uuid.fromString(raw));
    case "date":
      return key.read(types.LocalDate.fromString(raw));
    case "time":
      return key.read(types.LocalTime.fromString(raw));
    case "inet":
      return key.read(types.InetAddress.fromString(raw));
    case "ascii":
    case "text":
    case "tinyint":
    case "smallint":
    case "int":
    case "float":
    case "double":
      return key.read(raw);
    default:
      throw new TypeError(`maps with keys of ${key.name} need a client with encoding: { map: Map }`);
  }
}

/** `map` */
export function map<K, V>(key: Codec<K>, value: Codec<V>): Codec<ReadonlyMap<K, V>> {
  const decode = (raw: NonNullable<unknown>): ReadonlyMap<K, V> => {
    const entries: [K, V][] = [];
    const add = (rawKey: K | null, rawValue: unknown): void => {
      entries.push([required(rawKey, key.name), required(value.read(rawValue), value.name)]);
    };
    if (typeof (raw as Map<unknown, unknown>).forEach === "function") {
      (raw as Map<unknown, unknown>).forEach((rawValue, rawKey) => add(key.read(rawKey), rawValue));
    } else {
      Object.entries(raw).forEach(([rawKey, rawValue]) => add(parseKey(key, rawKey), rawValue));
    }
    return new Map(entries);
  };
  return new Codec<ReadonlyMap<K, V>>(
    `map<${key.name}, ${value.name}>`,
    { code: codes.map, info: [key.type, value.type] },
    (values) => {
      const sorted = [...values].sort(([one], [other]) => key.compare(one, other));
      const parts = sorted.flatMap(([name, part]) => [key.encode(name), value.encode(part)]);
      return encodeParts(values.size, parts);
    },
    decode,
    (one, other) => {
      const byKeys = compareAll(key, [...one.keys()], [...other.keys()]);
      return byKeys === 0 ? compareAll(value, [...one.values()], [...other.values()]) : byKeys;
    },
  );
}

/** The codec of any type: what it converts is known where it is used. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyCodec = Codec<any>;

export function comparePart(codec: AnyCodec, one: unknown, other: unknown): number {
  const [left, right] = [one ?? null, other ?? null];
  if (left === null || right === null) {
    return Number(right === null) - Number(left === null);
  }
  return codec.compare(left, right);
}

/** `tuple`; each part may be null. */
export function tuple<T extends readonly unknown[]>(...parts: readonly AnyCodec[]): Codec<T> {
  return new Codec<T>(
    `tuple<${parts.map((part) => part.name).join(", ")}>`,
    { code: codes.tuple, info: parts.map((part) => part.type) },
    (value) =>
      encodeParts(
        null,
        parts.map((part, at) => part.write(value[at])),
      ),
    (raw) => {
      const values: unknown[] = raw instanceof types.Tuple ? raw.elements : (raw as unknown[]);
      return parts.map((part, at): unknown => part.read(values[at])) as unknown as T;
    },
    (one, other) => {
      const orders = parts.map((part, at) => comparePart(part, one[at], other[at]));
      return orders.find((found) => found !== 0) ?? 0;
    },
  );
}

/** A user type: the names of its fields in CQL and here, and their types. */
export function userType<T extends object>(
  name: string,
  fields: readonly (readonly [string, keyof T & string, AnyCodec])[],
): Codec<T> {
  const described = fields.map(([field, , codec]) => ({ name: field, type: codec.type }));
  return new Codec<T>(
    name,
    { code: codes.udt, info: { name, fields: described } },
    (value) =>
      encodeParts(
        null,
        fields.map(([, property, codec]) => codec.write(value[property])),
      ),
    (raw) => {
      const values = raw as Record<string, unknown>;
      const read = fields.map(([field, property, codec]): [string, unknown] => [property, codec.read(values[field])]);
      return Object.fromEntries(read) as T;
    },
    (one, other) => {
      const orders = fields.map(([, property, codec]) => comparePart(codec, one[property], other[property]));
      return orders.find((found) => found !== 0) ?? 0;
    },
  );
}

export const fixedLengths = new Set<number>([
  codes.bigint,
  codes.boolean,
  codes.double,
  codes.float,
  codes.int,
  codes.timestamp,
  codes.timeuuid,
  codes.uuid,
]);

export function encodeVintLength(length: number): Buffer {
  if (length < 0x80) {
    return Buffer.of(length);
  }
  return length < 0x4000
    ? Buffer.of(0x80 | (length >> 8), length & 0xff)
    : Buffer.of(0xc0 | (length >> 16), (length >> 8) & 0xff, length & 0xff);
}

/** `vector`, as an array of its dimension. */
export function vector<T>(element: Codec<T>, dimension: number): Codec<readonly T[]> {
  const isFixed = fixedLengths.has(element.type.code);
  return new Codec<readonly T[]>(
    `vector<${element.name}, ${dimension}>`,
    { code: codes.custom, info: [element.type, dimension], customTypeName: "vector" },
    (values) => {
      if (values.length !== dimension) {
        throw new ValueOutOfRange(`a vector of ${dimension} elements has ${values.length}`);
      }
      const parts = values.map((value) => element.encode(value));
      return Buffer.concat(isFixed ? parts : parts.flatMap((part) => [encodeVintLength(part.length), part]));
    },
    (raw) => decodeAll(element, raw),
    (one, other) => compareAll(element, one, other),
  );
}

/** A value that is never null. */
export function required<T>(value: T | null, column: string): T {
  if (value === null) {
    throw new UnexpectedNull(column);
  }
  return value;
}

// Decimals

export interface Digits {
  readonly unscaled: bigint;
  readonly scale: number;
}

export function toDigits(value: types.BigDecimal): Digits {
  const bytes = types.BigDecimal.toBuffer(value);
  const number = bytes.subarray(4);
  const unscaled = BigInt.asIntN(number.length * 8, BigInt(`0x${number.toString("hex")}`));
  return { unscaled, scale: bytes.readInt32BE(0) };
}

export function fromDigits(digits: Digits): types.BigDecimal {
  const scale = allocate(4, (buffer) => buffer.writeInt32BE(digits.scale));
  return types.BigDecimal.fromBuffer(Buffer.concat([scale, encodeVarint(digits.unscaled)]));
}

export function rescale(digits: Digits, scale: number): bigint {
  return digits.unscaled * 10n ** BigInt(scale - digits.scale);
}

export function compareDecimals(one: Digits, other: Digits): number {
  const sign = (digits: Digits): number => order(digits.unscaled, 0n);
  if (sign(one) !== sign(other) || sign(one) === 0) {
    return sign(one) - sign(other);
  }
  // Numbers of different magnitude are not brought to one scale, which could be huge.
  const magnitude = ({ unscaled, scale }: Digits): number =>
    (unscaled < 0n ? -unscaled : unscaled).toString().length - scale;
  const byMagnitude = magnitude(one) - magnitude(other);
  if (byMagnitude !== 0) {
    return byMagnitude * sign(one);
  }
  const scale = Math.max(one.scale, other.scale);
  return order(rescale(one, scale), rescale(other, scale));
}

export function roundDigits(digits: Digits, scale: number): Digits {
  if (digits.scale <= scale) {
    return digits;
  }
  const unit = 10n ** BigInt(digits.scale - scale);
  const half = digits.unscaled < 0n ? -(unit / 2n) : unit / 2n;
  return { unscaled: (digits.unscaled + half) / unit, scale };
}

export function formatDigits({ unscaled, scale }: Digits): string {
  if (scale <= 0) {
    return (unscaled * 10n ** BigInt(-scale)).toString();
  }
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** A decimal of digits, perhaps with a point or an exponent. */
export function parseDecimal(written: string): types.BigDecimal {
  const [mantissa = "0", exponent = "0"] = written.toLowerCase().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return fromDigits({ unscaled: BigInt(whole + fraction), scale: fraction.length - Number(exponent) });
}

/** A decimal, rounded to so many digits after the point, halves away from zero. */
export function round(value: types.BigDecimal | null, scale: number): types.BigDecimal | null {
  return value === null ? null : fromDigits(roundDigits(toDigits(value), scale));
}

/** The same number without zeros at the end of its fraction. */
export function trimZeros(value: types.BigDecimal | null): types.BigDecimal | null {
  if (value === null) {
    return null;
  }
  let { unscaled, scale } = toDigits(value);
  while (scale > 0 && unscaled % 10n === 0n) {
    unscaled /= 10n;
    scale -= 1;
  }
  return fromDigits({ unscaled, scale });
}

// Expressions: null where a part is null

export type ComparisonOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";

export function meets(found: number, operator: ComparisonOperator): boolean {
  switch (operator) {
    case "=":
      return found === 0;
    case "!=":
      return found !== 0;
    case "<":
      return found < 0;
    case "<=":
      return found <= 0;
    case ">":
      return found > 0;
    case ">=":
      return found >= 0;
  }
}

/** A comparison: null where a value is null. */
export function compare<T>(
  codec: Codec<T>,
  one: T | null,
  operator: ComparisonOperator,
  other: T | null,
): boolean | null {
  return one === null || other === null ? null : meets(codec.compare(one, other), operator);
}

/** Whether a comparison holds: it does not where a value is null. */
export function compares<T>(codec: Codec<T>, one: T | null, operator: ComparisonOperator, other: T | null): boolean {
  return one !== null && other !== null && meets(codec.compare(one, other), operator);
}

/** Whether two values differ: null equals null only. */
export function differ<T>(codec: Codec<T>, one: T | null, other: T | null): boolean {
  return compareNullable(codec, one, other) !== 0;
}

/** The order of two values; null is the greatest. */
export function compareNullable<T>(codec: Codec<T>, one: T | null, other: T | null): number {
  if (one === null || other === null) {
    return Number(one === null) - Number(other === null);
  }
  return codec.compare(one, other);
}

/** Whether an array holds an element. */
export function holds<T>(codec: Codec<T>, array: readonly T[] | null, element: T | null): boolean {
  return array !== null && element !== null && array.some((one) => codec.compare(one, element) === 0);
}

/** Whether a value equals one of the others. */
export function isIn<T>(codec: Codec<T>, value: T | null, ...others: readonly (T | null)[]): boolean {
  return others.some((other) => compares(codec, value, "=", other));
}

/** A pair of values of a comparison of rows: their order, or null. */
export function pair<T>(codec: Codec<T>, one: T | null, other: T | null): number | null {
  return one === null || other === null ? null : codec.compare(one, other);
}

/** Whether the first of the pairs that differ is in this order; false after a null. */
export function rowCompares(operator: ComparisonOperator, ...pairs: readonly (number | null)[]): boolean {
  for (const found of pairs) {
    if (found !== 0) {
      return found !== null && meets(found, operator);
    }
  }
  return meets(0, operator);
}

/** Whether a text begins with another. */
export function startsWith(value: string | null, prefix: string | null): boolean {
  return value !== null && prefix !== null && value.startsWith(prefix);
}

/** Whether a truth value is true or null, and can be computed. */
export function isMet(condition: () => boolean | null): boolean {
  try {
    return condition() !== false;
  } catch (error) {
    if (error instanceof ValueOutOfRange) {
      return false;
    }
    throw error;
  }
}

export function isNull(value: unknown): boolean {
  return value === null;
}

export function not(truth: boolean): boolean {
  return !truth;
}

export function all(...truths: readonly boolean[]): boolean {
  return truths.every(Boolean);
}

export function any(...truths: readonly boolean[]): boolean {
  return truths.some(Boolean);
}

/** SQL's AND. */
export function and(one: boolean | null, other: boolean | null): boolean | null {
  if (one === false || other === false) {
    return false;
  }
  return one === null || other === null ? null : true;
}

/** SQL's OR. */
export function or(one: boolean | null, other: boolean | null): boolean | null {
  if (one === true || other === true) {
    return true;
  }
  return one === null || other === null ? null : false;
}

/** SQL's NOT. */
export function negate(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}

/** The first value that is not null. */
export function coalesce<T>(...values: readonly (T | null)[]): T | null {
  return values.find((value) => value !== null) ?? null;
}

/** The value of the first condition that is true, else the last one. Conditions and values take turns. */
export function choose<T>(otherwise: () => T | null, ...branches: readonly Branch<T>[]): T | null {
  const found = branches.find((branch) => branch.when() === true);
  return found === undefined ? otherwise() : found.then();
}

/** A branch of a CASE. */
export interface Branch<T> {
  readonly when: () => boolean | null;
  readonly then: () => T | null;
}

/** A branch of a CASE. */
export function branch<T>(when: () => boolean | null, then: () => T | null): Branch<T> {
  return { when, then };
}

export type Operator = "+" | "-" | "*";

export function operate<N extends number | bigint>(one: N, operator: Operator, other: N): N {
  const [left, right] = [one as number, other as number];
  return (operator === "+" ? left + right : operator === "-" ? left - right : left * right) as N;
}

export function fit<T>(codec: Codec<T>, number: bigint): bigint {
  if (codec.range !== undefined && (number < codec.range[0] || number > codec.range[1])) {
    throw new ValueOutOfRange(`${number} does not fit ${codec.name}`);
  }
  return number;
}

export function calculateDecimal(one: Digits, operator: Operator, other: Digits): Digits {
  if (operator === "*") {
    return { unscaled: one.unscaled * other.unscaled, scale: one.scale + other.scale };
  }
  const scale = Math.max(one.scale, other.scale);
  return { unscaled: operate(rescale(one, scale), operator, rescale(other, scale)), scale };
}

/** `+`, `-` or `*` of two numbers of a type. */
export function calculate<T>(codec: Codec<T>, one: T | null, operator: Operator, other: T | null): T | null {
  if (one === null || other === null) {
    return null;
  }
  const [left, right] = [one as unknown, other as unknown];
  if (typeof left === "bigint" && typeof right === "bigint") {
    return fit(codec, operate(left, operator, right)) as T;
  }
  if (left instanceof types.BigDecimal && right instanceof types.BigDecimal) {
    return fromDigits(calculateDecimal(toDigits(left), operator, toDigits(right))) as T;
  }
  if (codec.range !== undefined) {
    return Number(fit(codec, operate(BigInt(Number(left)), operator, BigInt(Number(right))))) as T;
  }
  const result = operate(Number(left), operator, Number(right));
  return (codec.name === "float" ? Math.fround(result) : result) as T;
}

/** The absolute value of a number. */
export function absolute<T>(codec: Codec<T>, value: T | null): T | null {
  const number: unknown = value;
  if (number instanceof types.BigDecimal) {
    const { unscaled, scale } = toDigits(number);
    return fromDigits({ unscaled: unscaled < 0n ? -unscaled : unscaled, scale }) as T;
  }
  const zero: unknown = typeof number === "bigint" ? 0n : 0;
  const isNegative = typeof number === "bigint" ? number < 0n : Number(number) < 0;
  return value !== null && isNegative ? calculate(codec, zero as T, "-", value) : value;
}

export function choosePeak<T>(codec: Codec<T>, sign: number, values: readonly (T | null)[]): T | null {
  let best: T | null = null;
  for (const value of values) {
    if (value !== null && (best === null || codec.compare(value, best) * sign > 0)) {
      best = value;
    }
  }
  return best;
}

/** The greatest value that is not null. */
export function greatest<T>(codec: Codec<T>, ...values: readonly (T | null)[]): T | null {
  return choosePeak(codec, 1, values);
}

/** The least value that is not null. */
export function least<T>(codec: Codec<T>, ...values: readonly (T | null)[]): T | null {
  return choosePeak(codec, -1, values);
}

export function toDouble(value: unknown): number {
  return value instanceof types.BigDecimal ? Number(formatDigits(toDigits(value))) : Number(value);
}

export function toWhole(value: unknown): bigint {
  if (value instanceof types.BigDecimal) {
    const digits = toDigits(value);
    const scale = Math.max(digits.scale, 0);
    return roundDigits({ unscaled: rescale(digits, scale), scale }, 0).unscaled;
  }
  return typeof value === "bigint" ? value : BigInt(Math.round(Number(value)));
}

export function toText(value: unknown): string {
  return value instanceof types.BigDecimal ? formatDigits(toDigits(value)) : String(value);
}

export function toDecimal(value: unknown): types.BigDecimal {
  if (value instanceof types.BigDecimal) {
    return value;
  }
  return typeof value === "bigint" ? fromDigits({ unscaled: value, scale: 0 }) : parseDecimal(String(value));
}

export function convertPresent(codec: AnyCodec, value: unknown): unknown {
  switch (codec.name) {
    case "tinyint":
    case "smallint":
    case "int":
      return Number(fit(codec, toWhole(value)));
    case "bigint":
    case "counter":
    case "varint":
      return fit(codec, toWhole(value));
    case "decimal":
      return toDecimal(value);
    case "double":
      return toDouble(value);
    case "float":
      return Math.fround(toDouble(value));
    case "text":
    case "ascii":
      return toText(value);
    case "date":
      return value instanceof Date ? dateOfDays(Math.floor(value.getTime() / DAY_MS)) : value;
    case "timeuuid":
      return codec.read(value);
    default:
      return value;
  }
}

/** The same value in another type. */
export function convert<T>(codec: Codec<T>, value: unknown): T | null {
  return value === null ? null : (convertPresent(codec, value) as T);
}

/** Two texts, one after the other. */
export function concatenate(one: string | null, other: string | null): string | null {
  return one === null || other === null ? null : one + other;
}

export function lower(value: string | null): string | null {
  return value === null ? null : value.toLowerCase();
}

export function upper(value: string | null): string | null {
  return value === null ? null : value.toUpperCase();
}

/** The number of characters (code points). */
export function length(value: string | null): number | null {
  return value === null ? null : Array.from(value).length;
}

/** A text without spaces at both ends. */
export function trim(value: string | null): string | null {
  return value === null ? null : value.replace(/^ +| +$/g, "");
}

/** The first characters (code points) of a text. */
export function prefix(value: string | null, length: number): string | null {
  return value === null ? null : Array.from(value).slice(0, length).join("");
}

/** The least text that is greater than every text with this prefix. */
export function prefixEnd(value: string | null): string | null {
  if (value === null) {
    return null;
  }
  const characters = Array.from(value);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next <= 0x10ffff) {
      // No character is a surrogate.
      return characters.join("") + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
    }
  }
  return "\u{10ffff}".repeat(4);
}

/** An array of one element. */
export function singleton<T>(element: T | null): readonly T[] | null {
  return element === null ? null : [element];
}

/** An array with an element at its end. */
export function append<T>(array: readonly T[] | null, element: T | null): readonly T[] {
  return element === null ? (array ?? []) : [...(array ?? []), element];
}

/** An array without the elements that equal a value. */
export function remove<T>(codec: Codec<T>, array: readonly T[] | null, element: T | null): readonly T[] | null {
  return array === null || element === null ? array : array.filter((one) => codec.compare(one, element) !== 0);
}

/** The values that are not null, each once. */
export function distinct<T>(codec: Codec<T>, values: readonly (T | null)[] | null): T[] {
  const seen = new Map<string, T>();
  for (const value of values ?? []) {
    if (value !== null) {
      const key = identify(codec, value);
      if (!seen.has(key)) {
        seen.set(key, value);
      }
    }
  }
  return [...seen.values()];
}

/** A text that equal values have in common. */
export function identify<T>(codec: Codec<T>, value: T | null): string {
  if (value === null) {
    return "-";
  }
  const known = codec.name === "decimal" ? trimZeros(value as types.BigDecimal) : value;
  return codec.encode(known as T).toString("hex");
}

// Shards

export const MASK = (1n << 64n) - 1n;
export const C1 = 0x87c37b91114253d5n;
export const C2 = 0x4cf5ad432745937fn;

export function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

export function scramble(value: bigint, first: bigint, bits: bigint, second: bigint): bigint {
  return (rotate((value * first) & MASK, bits) * second) & MASK;
}

export function finishHash(value: bigint): bigint {
  let mixed = ((value ^ (value >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  mixed = ((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return mixed ^ (mixed >> 33n);
}

/** The Murmur3 token of a partition key, in the variant of Cassandra: the last bytes count as signed. */
export function token(key: Buffer): bigint {
  if (key.length === 0) {
    return -(1n << 63n);
  }
  let [h1, h2] = [0n, 0n];
  const blocks = key.length - (key.length % 16);
  for (let at = 0; at < blocks; at += 16) {
    h1 ^= scramble(key.readBigUInt64LE(at), C1, 31n, C2);
    h1 = ((rotate(h1, 27n) + h2) * 5n + 0x52dce729n) & MASK;
    h2 ^= scramble(key.readBigUInt64LE(at + 8), C2, 33n, C1);
    h2 = ((rotate(h2, 31n) + h1) * 5n + 0x38495ab5n) & MASK;
  }
  const tail = (from: number): bigint => {
    let block = 0n;
    for (let at = from; at < Math.min(from + 8, key.length); at += 1) {
      block ^= (BigInt(key.readInt8(at)) << BigInt(8 * (at - from))) & MASK;
    }
    return block;
  };
  h2 ^= scramble(tail(blocks + 8), C2, 33n, C1);
  h1 ^= scramble(tail(blocks), C1, 31n, C2);
  const size = BigInt(key.length);
  h1 ^= size;
  h2 ^= size;
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  const found = BigInt.asIntN(64, finishHash(h1) + finishHash(h2));
  return found === -(1n << 63n) ? (1n << 63n) - 1n : found;
}

/** The shard of a key among so many: its token, modulo the count. */
export function shard(count: number, ...values: readonly (Buffer | null)[]): number | null {
  const parts: Buffer[] = [];
  for (const value of values) {
    if (value === null) {
      return null;
    }
    parts.push(value);
  }
  const isTooLong = parts.some((part) => part.length > 0xffff);
  const composed = parts.flatMap((part) => [Buffer.of(part.length >> 8, part.length & 0xff), part, Buffer.of(0)]);
  const found = token(Buffer.concat(parts.length === 1 || isTooLong ? parts : composed));
  const size = BigInt(Math.max(count, 1));
  return Number(((found % size) + size) % size);
}

/** The numbers of the shards. */
export function shards(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

// Buckets

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** 1970 began on a Thursday: the Monday of its week is three days before. */
export const DAYS_SINCE_MONDAY = 3;
export const GREGORIAN_MS = 12_219_292_800_000n;
export const TWO_52 = 1n << 52n;
export const LAST_NUMBER = (1n << 63n) - 1n;

/** What falls in a bucket: a time, a date, a time-based id or a whole number. */
export type BucketSource = Date | types.LocalDate | types.Uuid | number | bigint;

/** The width of buckets: how they are numbered, and what their column holds. */
export interface Width<B> {
  /** The number of the bucket of a value. */
  count(value: BucketSource): bigint;
  /** The value of the bucket's column. */
  toBucket(number: bigint): B;
  /** The number that a value of the bucket's column stands for. */
  fromBucket(bucket: B): bigint;
  /** Whether the buckets are times. */
  readonly isTime: boolean;
}

/** The milliseconds since 1970 of a time, a date or a time-based id. */
export function toMillis(value: BucketSource): number {
  if (value instanceof Date) {
    return value.getTime();
  }
  if (value instanceof types.LocalDate) {
    return countDays(value) * DAY_MS;
  }
  if (value instanceof types.Uuid) {
    return Number(countTicks(value.getBuffer()) / 10_000n - GREGORIAN_MS);
  }
  return Number(value);
}

export function timeWidth<B extends Date | types.LocalDate>(
  toUnits: (millis: number) => number,
  count: number,
  toStart: (units: number) => B,
): Width<B> {
  const number = (value: BucketSource): bigint => BigInt(Math.floor(toUnits(toMillis(value)) / count));
  const toBucket = (bucket: bigint): B => toStart(Number(bucket) * count);
  return { count: number, toBucket, fromBucket: number, isTime: true };
}

export const toDayCount = (millis: number): number => Math.floor(millis / DAY_MS);

/** Buckets of hours, as the `timestamp` of their start. */
export function hours(count: number): Width<Date> {
  return timeWidth(
    (millis) => Math.floor(millis / HOUR_MS),
    count,
    (units) => new Date(units * HOUR_MS),
  );
}

/** Buckets of days, as the `date` of the first. */
export function days(count: number): Width<types.LocalDate> {
  return timeWidth(toDayCount, count, dateOfDays);
}

/** Buckets of weeks, as the `date` of the first Monday. */
export function weeks(count: number): Width<types.LocalDate> {
  return timeWidth(
    (millis) => Math.floor((toDayCount(millis) + DAYS_SINCE_MONDAY) / 7),
    count,
    (units) => dateOfDays(units * 7 - DAYS_SINCE_MONDAY),
  );
}

/** Buckets of months, as the `date` of their first day. */
export function months(count: number): Width<types.LocalDate> {
  return timeWidth(
    (millis) => {
      const day = new Date(millis);
      return (day.getUTCFullYear() - 1970) * 12 + day.getUTCMonth();
    },
    count,
    (units) => dateOfDays(toDayCount(new Date(0).setUTCMonth(units))),
  );
}

export function divideDown(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}

/** Ranges of integers: the value divided by the width, rounded down. */
export function range(width: bigint): Width<bigint> {
  return {
    count: (value) => divideDown(typeof value === "bigint" ? value : BigInt(Number(value)), width),
    toBucket: (number) => number,
    fromBucket: (bucket) => bucket,
    isTime: false,
  };
}

/** The bucket in which a value falls. */
export function bucketOf<B>(width: Width<B>, value: BucketSource | null): B | null {
  return value === null ? null : width.toBucket(width.count(value));
}

export function toStartNumber(bucket: BucketSource): bigint {
  return typeof bucket === "bigint" || typeof bucket === "number" ? BigInt(bucket) : BigInt(toMillis(bucket));
}

/** A write timestamp with which the row of an older bucket wins. */
export function oldestWins(bucket: BucketSource | null): bigint | null {
  return bucket === null ? null : TWO_52 - toStartNumber(bucket);
}

/** A write timestamp with which the row of a newer bucket wins. */
export function newestWins(bucket: BucketSource | null): bigint | null {
  return bucket === null ? null : TWO_52 + toStartNumber(bucket);
}

/** The recorded ends of the buckets. */
export interface BucketEnds<B> {
  readonly oldest: B | null;
  readonly newest: B | null;
}

/** The buckets of a walk. A bound that is absent is not given; one that is null matches nothing. */
export interface WalkBounds<B> {
  readonly width: Width<B>;
  readonly from?: BucketSource | null;
  readonly to?: BucketSource | null;
  /** Milliseconds: buckets that end before are not read. */
  readonly retention?: number;
}

export interface NumberedEnds {
  readonly from: bigint | null;
  readonly to: bigint;
}

export function latest(one: bigint | null, other: bigint | null): bigint | null {
  return one === null || (other !== null && other > one) ? other : one;
}

export function findEnds<B>(walk: WalkBounds<B>, now: Date): NumberedEnds | null {
  if (walk.from === null || walk.to === null) {
    return null;
  }
  const last = walk.width.isTime ? walk.width.count(now) : LAST_NUMBER;
  const to = walk.to === undefined ? last : walk.width.count(walk.to);
  const given = walk.from === undefined ? null : walk.width.count(walk.from);
  const isKept = walk.retention !== undefined && walk.width.isTime;
  const kept = isKept ? walk.width.count(new Date(now.getTime() - (walk.retention ?? 0))) : null;
  return { from: latest(given, kept), to };
}

/** All buckets of a walk whose recorded ends were read before. */
export function listBuckets<B>(walk: WalkBounds<B>, now: Date, ends: BucketEnds<B> | null): B[] {
  const found = findEnds(walk, now);
  const oldest = ends === null || ends.oldest === null ? null : walk.width.fromBucket(ends.oldest);
  const from = found === null ? null : latest(found.from, oldest);
  if (found === null || from === null) {
    return [];
  }
  const newest = ends === null || ends.newest === null ? found.to : walk.width.fromBucket(ends.newest);
  const buckets: B[] = [];
  for (let number = from; number <= found.to && number <= newest; number += 1n) {
    buckets.push(walk.width.toBucket(number));
  }
  return buckets;
}

// Rows

/** A key of an order. */
export interface SortKey<R> {
  compare(one: R, other: R): number;
}

/** The order of a value: nulls are the greatest, unless a value stands for them. */
export function ascending<R, T>(value: (row: R) => T | null, codec: Codec<T>, nullAs: T | null = null): SortKey<R> {
  return {
    compare: (one, other) => compareNullable(codec, value(one) ?? nullAs, value(other) ?? nullAs),
  };
}

/** The opposite order. */
export function descending<R, T>(value: (row: R) => T | null, codec: Codec<T>, nullAs: T | null = null): SortKey<R> {
  const key = ascending(value, codec, nullAs);
  return { compare: (one, other) => key.compare(other, one) };
}

export function compareBy<R>(keys: readonly SortKey<R>[], one: R, other: R): number {
  for (const key of keys) {
    const found = key.compare(one, other);
    if (found !== 0) {
      return found;
    }
  }
  return 0;
}

/** All rows, sorted stably. */
export function sort<R>(rows: readonly R[], keys: readonly SortKey<R>[]): R[] {
  return [...rows].sort((one, other) => compareBy(keys, one, other));
}

/** Merges sorted streams; of equal rows, that of an earlier stream comes first. */
export function merge<R>(streams: readonly (readonly R[])[], keys: readonly SortKey<R>[]): R[] {
  const filled = streams.filter((stream) => stream.length > 0);
  // The sort is stable and finds sorted runs, so this merges them.
  return filled.length === 1 ? [...(filled[0] ?? [])] : sort(filled.flat(), keys);
}

/** The first rows; all where there is no limit. */
export function limitRows<R>(rows: readonly R[], limit: number | null): R[] {
  return rows.slice(0, limit ?? rows.length);
}

/** A LIMIT; null where it is none. */
export function toLimit(rows: number | bigint | null): number | null {
  return rows === null || rows < 0 ? null : Number(rows);
}

/** The part of a group's key that a value is. */
export function keyOf<T>(codec: Codec<T>, value: T | null): string {
  return identify(codec, value);
}

/** The key of a group. */
export function joinKeys(...parts: readonly string[]): string {
  return parts.join(",");
}

/** The rows of each group, in the order of the first ones. */
export function groupRows<R>(rows: readonly R[], key: (row: R) => string): R[][] {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const name = key(row);
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, [row]);
    } else {
      group.push(row);
    }
  }
  return [...groups.values()];
}

/** One row for each group, made of two at a time. */
export function combineRows<R>(rows: readonly R[], key: (row: R) => string, combine: (one: R, other: R) => R): R[] {
  return groupRows(rows, key).map((group) => group.reduce(combine));
}

/** The sum of two values; where one is null, the other. */
export function addValues<T>(codec: Codec<T>, one: T | null, other: T | null): T | null {
  return one === null || other === null ? (one ?? other) : calculate(codec, one, "+", other);
}

/** The value of the first row. */
export function firstOf<R, T>(value: (row: R) => T | null, rows: readonly R[]): T | null {
  const [row] = rows;
  return row === undefined ? null : value(row);
}

/** The sum of the values that are not null; null without any. */
export function sumOf<R, T>(value: (row: R) => T | null, codec: Codec<T>, rows: readonly R[]): T | null {
  return rows.reduce<T | null>((total, row) => addValues(codec, total, value(row)), null);
}

/** The number of values that are not null. */
export function countOf<R>(value: (row: R) => unknown, rows: readonly R[]): bigint {
  return BigInt(rows.filter((row) => value(row) !== null).length);
}

/** The average of the values that are not null. */
export function averageOf<R>(value: (row: R) => number | null, rows: readonly R[]): number | null {
  return average(sumOf(value, double, rows), countOf(value, rows));
}

/** The least value. */
export function leastOf<R, T>(value: (row: R) => T | null, codec: Codec<T>, rows: readonly R[]): T | null {
  return least(codec, ...rows.map(value));
}

/** The greatest value. */
export function greatestOf<R, T>(value: (row: R) => T | null, codec: Codec<T>, rows: readonly R[]): T | null {
  return greatest(codec, ...rows.map(value));
}

/** The rows, or this one where there is none. */
export function orElse<R>(rows: readonly R[], other: R): R[] {
  return rows.length === 0 ? [other] : [...rows];
}

/** The rows that were kept. */
export function present<R>(rows: readonly (R | null)[]): R[] {
  return rows.filter((row) => row !== null);
}

/** The rows under which nothing was found. */
export function findMissing<R>(outer: readonly R[], found: readonly (R | null)[]): R[] {
  const seen = new Set(found);
  return outer.filter((row) => !seen.has(row));
}

/** The array of the values of a column; null without rows. */
export function elementsOf<T>(codec: Codec<T>, rows: readonly RawRow[], column: string): T[] | null {
  return rows.length === 0 ? null : rows.map((row) => required(codec.read(row[column]), column));
}

/** A sum divided by a count, as doubles. */
export function average(total: unknown, rows: number | bigint | null): number | null {
  return total === null || isZero(rows) ? null : toDouble(total) / Number(rows);
}

/** Whether a count is 0 or null. */
export function isZero(rows: number | bigint | null): boolean {
  return rows === null || Number(rows) === 0;
}

// Observers and the clock

/** A call of a function. */
export interface CallInfo {
  /** The function, by its name in the model. */
  readonly query: string;
  readonly kind: "read" | "write";
}

/** How a call ended. */
export interface CallEnd {
  readonly milliseconds: number;
  /** Of a write that did not fail otherwise. */
  readonly outcome: OutcomeKind | null;
  readonly error: unknown;
}

/** A statement, or a batch of several. */
export interface StatementInfo {
  readonly call: CallInfo;
  readonly table: string;
  readonly cql: string;
  /** How many statements are sent together. */
  readonly statements: number;
}

/** How a statement ended. */
export interface StatementEnd {
  readonly milliseconds: number;
  readonly error: unknown;
}

/** What is told about each call and each statement when it begins; what is returned is called when it ends. */
export interface Observer {
  onCall?(call: CallInfo): (end: CallEnd) => void;
  onStatement?(statement: StatementInfo): (end: StatementEnd) => void;
}

/** An observer that logs calls, and statements that fail. */
export function loggingObserver(log: Pick<Console, "debug" | "error"> = console): Observer {
  return {
    onCall: (call) => (end) => {
      const line = `${call.kind} ${call.query}: ${end.outcome ?? "done"} in ${end.milliseconds.toFixed(1)} ms`;
      if (end.error === null) {
        log.debug(line);
      } else {
        log.error(line, end.error);
      }
    },
    onStatement: (statement) => (end) => {
      if (end.error !== null) {
        log.error(`${statement.call.query}: ${statement.table}: ${statement.cql}`, end.error);
      }
    },
  };
}

/** A statement, unless a value of it is null. */
export function bindAll(statement: Statement, values: readonly (Buffer | null)[]): BoundStatement | null {
  return values.includes(null) ? null : { statement, values };
}

/** What can be chosen. */
export interface AccessOptions {
  /** Statements in flight in one call; 50. */
  readonly concurrency?: number;
  /** Rows that the server returns at once; the client's setting. */
  readonly pageSize?: number;
  /** Milliseconds that a statement may take; the client's setting. */
  readonly requestTimeout?: number;
  /** How often a write is tried whose rows others change in between; 3. */
  readonly attempts?: number;
  /** The most statements of a batch; 100. */
  readonly batchStatements?: number;
  /** About the most bytes of a batch; 40 KiB. Cassandra refuses batches above 50 KiB. */
  readonly batchBytes?: number;
  readonly observer?: Observer;
  /** The clock, in UTC; that of the machine. */
  readonly clock?: () => Date;
}

/** A shift of the current time. */
export interface TimeShift {
  readonly months: number;
  readonly days: number;
  readonly millis: number;
}

/** A time, shifted; a day that a month does not have becomes its last one. */
export function shift(time: Date, by: TimeShift): Date {
  const moved = new Date(time);
  moved.setUTCMonth(moved.getUTCMonth() + by.months);
  if (moved.getUTCDate() !== time.getUTCDate()) {
    moved.setUTCDate(0);
  }
  moved.setUTCDate(moved.getUTCDate() + by.days);
  return new Date(moved.getTime() + by.millis);
}

/** The date of a time, in UTC. */
export function toDate(moment: Date): types.LocalDate {
  return dateOfDays(toDayCount(moment.getTime()));
}

/** The time of day of a time, in UTC. */
export function toTime(moment: Date): types.LocalTime {
  const millis = moment.getTime() - toDayCount(moment.getTime()) * DAY_MS;
  return timeOfNanoseconds(BigInt(millis) * 1_000_000n);
}

// Statements

/** A prepared statement. */
export interface Statement {
  readonly table: string;
  readonly cql: string;
  readonly consistency: types.consistencies;
  readonly idempotent: boolean;
}

export type BatchKind = "logged" | "unlogged" | "counter";

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly BoundValue[];
}

/** A part of a result: how many rows, from which position; afterwards, the next position. */
export interface Page {
  readonly size: number;
  state: string | null;
}

/** Rows and the position after them; null at the end. */
export interface PageOfRows<R> {
  readonly rows: R[];
  readonly token: string | null;
}

export const TOKEN_VERSION = 1;

export interface Position {
  readonly bucket: bigint | null;
  readonly state: string | null;
}

export function encodeToken(query: string, position: Position): string {
  const bucket = position.bucket === null ? null : position.bucket.toString();
  return Buffer.from(JSON.stringify([TOKEN_VERSION, query, bucket, position.state])).toString("base64url");
}

export function decodeToken(query: string, token: string | null): Position | null {
  if (token === null) {
    return null;
  }
  try {
    const parts = JSON.parse(Buffer.from(token, "base64url").toString()) as unknown[];
    const [version, name, bucket, state] = parts;
    const isText = (part: unknown): part is string | null => part === null || typeof part === "string";
    if (version === TOKEN_VERSION && name === query && isText(bucket) && isText(state)) {
      return { bucket: bucket === null ? null : BigInt(bucket), state };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
  }
  throw new InvalidToken(query);
}

export function estimateBytes(bound: BoundStatement): number {
  let bytes = 32;
  for (const value of bound.values) {
    bytes += value instanceof Buffer ? value.length + 8 : 8;
  }
  return bytes;
}

export function splitBatch(bounds: readonly BoundStatement[], session: Session): (readonly BoundStatement[])[] {
  const total = bounds.reduce((sum, bound) => sum + estimateBytes(bound), 0);
  if (bounds.length <= session.batchStatements && total <= session.batchBytes) {
    return bounds.length === 0 ? [] : [bounds];
  }
  const parts: BoundStatement[][] = [];
  let part: BoundStatement[] = [];
  let bytes = 0;
  for (const bound of bounds) {
    const size = estimateBytes(bound);
    if (part.length > 0 && (part.length === session.batchStatements || bytes + size > session.batchBytes)) {
      parts.push(part);
      [part, bytes] = [[], 0];
    }
    part.push(bound);
    bytes += size;
  }
  if (part.length > 0) {
    parts.push(part);
  }
  return parts;
}

export function describe(what: Statement | string): string {
  return typeof what === "string" ? what : `${what.table}: ${what.cql}`;
}

/** The client, and what was chosen. */
export class Session {
  readonly concurrency: number;
  readonly attempts: number;
  readonly batchStatements: number;
  readonly batchBytes: number;
  readonly #observer: Observer | undefined;
  readonly #clock: () => Date;
  readonly #common: QueryOptions;
  readonly #known = new Map<Statement, QueryOptions>();
  readonly #knownOfBatches = new Map<Statement, QueryOptions>();
  readonly #knownOfUnrepeatableBatches = new Map<Statement, QueryOptions>();

  constructor(
    readonly client: Client,
    options: AccessOptions,
  ) {
    this.concurrency = options.concurrency ?? 50;
    this.attempts = options.attempts ?? 3;
    this.batchStatements = options.batchStatements ?? 100;
    this.batchBytes = options.batchBytes ?? 40 * 1024;
    this.#observer = options.observer;
    this.#clock = options.clock ?? (() => new Date());
    this.#common = {
      prepare: true,
      ...(options.pageSize === undefined ? {} : { fetchSize: options.pageSize }),
      ...(options.requestTimeout === undefined ? {} : { readTimeout: options.requestTimeout }),
    };
  }

  now(): Date {
    return this.#clock();
  }

  /** The options of a statement. */
  optionsOf(statement: Statement): QueryOptions {
    let options = this.#known.get(statement);
    if (options === undefined) {
      options = { ...this.#common, consistency: statement.consistency, isIdempotent: statement.idempotent };
      this.#known.set(statement, options);
    }
    return options;
  }

  /** The options of a batch that begins with a statement. They are kept: to spread an object is slow. */
  batchOptionsOf(first: Statement, kind: BatchKind, isIdempotent: boolean): QueryOptions {
    const known = isIdempotent ? this.#knownOfBatches : this.#knownOfUnrepeatableBatches;
    let options = known.get(first);
    if (options === undefined) {
      options = { ...this.optionsOf(first), isIdempotent, logged: kind === "logged", counter: kind === "counter" };
      known.set(first, options);
    }
    return options;
  }

  /** A call that reads. */
  read<T>(query: string, run: (call: Call) => Promise<T>): Promise<T> {
    const call = new Call(this, { query, kind: "read" }, this.#observer);
    return this.#observe(call, () => run(call));
  }

  /** A call that reads a page from the position of a token. */
  readPage<R>(
    query: string,
    size: number,
    token: string | null,
    run: (call: Call, page: Page) => Promise<R[]>,
  ): Promise<PageOfRows<R>> {
    return this.read(query, async (call) => {
      const page: Page = { size, state: decodeToken(query, token)?.state ?? null };
      const rows = await run(call, page);
      return { rows, token: page.state === null ? null : encodeToken(query, { bucket: null, state: page.state }) };
    });
  }

  /** A call that reads a page of a walk over buckets. */
  readWalkPage<B, R>(
    query: string,
    size: number,
    token: string | null,
    plan: (call: Call) => WalkPage<B, R>,
  ): Promise<PageOfRows<R>> {
    return this.read(query, async (call) => {
      const found = await call.walkPage(plan(call), size, decodeToken(query, token));
      return { rows: found.rows, token: found.next === null ? null : encodeToken(query, found.next) };
    });
  }

  /** A call that writes: the rows that it returns, and whether it was applied. */
  write<R>(query: string, run: (call: Call) => Promise<Outcome<R>>): Promise<Outcome<R>> {
    const call = new Call(this, { query, kind: "write" }, this.#observer);
    return this.#observe(call, () => call.apply(run));
  }

  #observe<T>(call: Call, run: () => Promise<T>): Promise<T> {
    const onCall = this.#observer?.onCall?.(call.info);
    return onCall === undefined ? run() : this.#report(call, onCall, run);
  }

  async #report<T>(call: Call, onCall: (end: CallEnd) => void, run: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const end = (error: unknown): void => {
      onCall({ milliseconds: performance.now() - begin, outcome: call.outcome, error });
    };
    try {
      const result = await run();
      end(null);
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  }
}

/** A walk over buckets at one turn of the repetitions around it. */
export interface Walk<B, R> extends WalkBounds<B> {
  readonly newestFirst: boolean;
  /** Rows after which it stops; null: it does not stop before its end. */
  readonly stopsAt: number | null;
  /** Buckets that are asked at once. */
  readonly ahead: number;
  /** Reads the recorded ends. */
  readonly ends?: () => Promise<BucketEnds<B> | null>;
  /** Whether the ends are read before the first bucket. */
  readonly readsEndsFirst: boolean;
  /** The streams of rows of a bucket. */
  readonly visit: (bucket: B) => Promise<R[][]>;
}

/** A walk that is read page by page. */
export interface WalkPage<B, R> extends WalkBounds<B> {
  readonly newestFirst: boolean;
  readonly ends?: () => Promise<BucketEnds<B> | null>;
  readonly visit: (bucket: B, page: Page) => Promise<R[]>;
}

export function appendStreams<R>(streams: R[][], next: readonly R[][]): void {
  for (const [at, stream] of next.entries()) {
    const before = streams[at];
    if (before === undefined) {
      streams.push([...stream]);
    } else {
      for (const row of stream) {
        before.push(row);
      }
    }
  }
}

/** One call of a function. */
export class Call {
  outcome: OutcomeKind | null = null;
  readonly #waiting: (() => void)[] = [];
  readonly #running: string[] = [];
  #inFlight = 0;

  constructor(
    readonly session: Session,
    readonly info: CallInfo,
    private readonly observer: Observer | undefined,
  ) {}

  /** The rows of a SELECT; none where a value is null, and then nothing is sent. */
  async select(statement: Statement, values: readonly (Buffer | null)[], page: Page | null = null): Promise<RawRow[]> {
    if (values.includes(null)) {
      if (page !== null) {
        page.state = null;
      }
      return [];
    }
    const common = this.session.optionsOf(statement);
    if (page !== null) {
      const options = { ...common, fetchSize: page.size };
      const result = await this.#execute(
        statement,
        values,
        page.state === null ? options : { ...options, pageState: page.state },
      );
      page.state = readState(result);
      return result.rows;
    }
    let result = await this.#execute(statement, values, common);
    let state = readState(result);
    if (state === null) {
      return result.rows;
    }
    const pages: RawRow[][] = [result.rows];
    while (state !== null) {
      result = await this.#execute(statement, values, { ...common, pageState: state });
      state = readState(result);
      pages.push(result.rows);
    }
    return pages.flat();
  }

  /** The first row of a SELECT. */
  async selectFirst(statement: Statement, values: readonly (Buffer | null)[]): Promise<RawRow | null> {
    if (values.includes(null)) {
      return null;
    }
    const common = this.session.optionsOf(statement);
    let result = await this.#execute(statement, values, common);
    for (let state = readState(result); result.rows.length === 0 && state !== null; state = readState(result)) {
      result = await this.#execute(statement, values, { ...common, pageState: state });
    }
    return result.rows[0] ?? null;
  }

  /** Sends a statement; whether it was applied. */
  async send(bound: BoundStatement): Promise<boolean> {
    const options = this.session.optionsOf(bound.statement);
    const result = await this.#execute(bound.statement, bound.values, options);
    return result.wasApplied();
  }

  /** Sends statements together, in parts that the server accepts. Calls after each part. */
  async batch(
    kind: BatchKind,
    bounds: readonly BoundStatement[],
    onSent: (part: readonly BoundStatement[]) => void,
  ): Promise<void> {
    for (const part of splitBatch(bounds, this.session)) {
      const [first] = part;
      if (first === undefined) {
        continue;
      }
      if (part.length === 1) {
        await this.send(first);
      } else {
        const isIdempotent = part.every((bound) => bound.statement.idempotent);
        const options = this.session.batchOptionsOf(first.statement, kind, isIdempotent);
        const queries = part.map((bound) => ({ query: bound.statement.cql, params: bound.values as unknown[] }));
        await this.#observe(first.statement, part.length, () => this.session.client.batch(queries, options));
      }
      onSent(part);
    }
  }

  /** Runs at each turn, so many at once, and returns the results in the order of the turns. */
  async mapTurns<T, U>(turns: readonly T[], run: (turn: T) => Promise<U>): Promise<U[]> {
    const [only] = turns;
    if (turns.length === 1 && only !== undefined) {
      return [await run(only)];
    }
    const results = new Array<U>(turns.length);
    const entries = turns.entries();
    let hasFailed = false;
    const work = async (): Promise<void> => {
      for (const [at, turn] of entries) {
        if (hasFailed) {
          return;
        }
        try {
          results[at] = await run(turn);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.session.concurrency, turns.length) }, work));
    return results;
  }

  /** The streams of all turns, in their order. */
  async each<T, R>(turns: readonly T[], run: (turn: T) => Promise<R[][]>): Promise<R[][]> {
    const streams = await this.mapTurns(turns, run);
    return streams.flat();
  }

  /** The streams of a walk over buckets: each bucket appends to the stream of the same position. */
  async walk<B, R>(walk: Walk<B, R>): Promise<R[][]> {
    const found = findEnds(walk, this.session.now());
    if (found === null) {
      return [];
    }
    let { from, to } = found;
    if (walk.readsEndsFirst || (from === null && !walk.newestFirst)) {
      const ends = await this.#readEnds(walk);
      if (ends === null || (walk.readsEndsFirst && ends.newest === null)) {
        return [];
      }
      from = latest(from, ends.oldest);
      to = walk.readsEndsFirst && ends.newest !== null && ends.newest < to ? ends.newest : to;
    }
    return this.#visitBuckets(walk, from, to);
  }

  async #visitBuckets<B, R>(walk: Walk<B, R>, first: bigint | null, to: bigint): Promise<R[][]> {
    const streams: R[][] = [];
    const visit = (number: bigint): Promise<R[][]> => walk.visit(walk.width.toBucket(number));
    const isEnough = (): boolean =>
      walk.stopsAt !== null && streams.reduce((rows, stream) => rows + stream.length, 0) >= walk.stopsAt;
    const step = walk.newestFirst ? -1n : 1n;
    let from = first;
    let number = walk.newestFirst || from === null ? to : from;
    let visited = 0;
    if (from === null) {
      // The oldest bucket is not known: it is read while the newest is asked, unless that may suffice.
      const isLate = walk.stopsAt !== null && walk.ahead <= 1;
      const early = isLate ? null : this.#readEnds(walk);
      const [rows, known] = await Promise.all([visit(number), early]);
      appendStreams(streams, rows);
      if (isLate && isEnough()) {
        return streams;
      }
      from = (isLate ? await this.#readEnds(walk) : known)?.oldest ?? null;
      number += step;
      visited = 1;
    }
    while (from !== null && from <= number && number <= to) {
      const numbers: bigint[] = [];
      const most = walk.stopsAt === null ? this.session.concurrency : Math.max(walk.ahead, 1) - visited;
      for (; numbers.length < most && from <= number && number <= to; number += step) {
        numbers.push(number);
      }
      for (const next of await this.mapTurns(numbers, visit)) {
        appendStreams(streams, next);
      }
      visited = 0;
      if (isEnough()) {
        break;
      }
    }
    return streams;
  }

  async #readEnds<B, R>(walk: Walk<B, R> | WalkPage<B, R>): Promise<{ oldest: bigint; newest: bigint | null } | null> {
    const ends = walk.ends === undefined ? null : await walk.ends();
    if (ends === null || ends.oldest === null) {
      return null;
    }
    const newest = ends.newest === null ? null : walk.width.fromBucket(ends.newest);
    return { oldest: walk.width.fromBucket(ends.oldest), newest };
  }

  /** A page of a walk over buckets, and the position after it. */
  async walkPage<B, R>(
    walk: WalkPage<B, R>,
    size: number,
    position: Position | null,
  ): Promise<{ rows: R[]; next: Position | null }> {
    const found = findEnds(walk, this.session.now());
    const ends = found === null ? null : await this.#readEnds(walk);
    const from = latest(found?.from ?? null, ends?.oldest ?? null);
    if (found === null || from === null || (walk.ends !== undefined && ends === null)) {
      return { rows: [], next: null };
    }
    const to = ends !== null && ends.newest !== null && ends.newest < found.to ? ends.newest : found.to;
    const rows: R[] = [];
    let number = position?.bucket ?? (walk.newestFirst ? to : from);
    let state = position?.state ?? null;
    while (from <= number && number <= to) {
      const page: Page = { size: size - rows.length, state };
      rows.push(...(await walk.visit(walk.width.toBucket(number), page)));
      state = page.state;
      if (state === null) {
        number += walk.newestFirst ? -1n : 1n;
      }
      if (rows.length >= size) {
        return { rows, next: from <= number && number <= to ? { bucket: number, state } : null };
      }
    }
    return { rows, next: null };
  }

  /** Runs a command; throws an error where it violates a constraint or is interrupted. */
  async apply<R>(run: (call: Call) => Promise<Outcome<R>>): Promise<Outcome<R>> {
    const outcome = await this.attempt(run);
    this.outcome = outcome.kind;
    if (outcome.kind === "violation") {
      throw new ConstraintViolation(this.info.query, outcome.reason);
    }
    if (outcome.kind === "interrupted") {
      throw new PartialWrite(this.info.query, outcome.reason, outcome.applied, outcome.cause);
    }
    return outcome;
  }

  /** Tries again while others change the rows in between. */
  async attempt<R>(run: (call: Call) => Promise<Outcome<R>>): Promise<Outcome<R>> {
    for (let tried = 1; ; tried += 1) {
      const outcome = await run(this);
      if (outcome.kind !== "refused" || !outcome.isStale || tried >= this.session.attempts) {
        return outcome;
      }
    }
  }

  /** Runs another command, unless it is running already with these values: then it counts as applied. */
  async runOnce<R>(
    command: string,
    values: readonly (Buffer | null)[],
    run: () => Promise<Outcome<R>>,
  ): Promise<Outcome<R>> {
    const key = [command, ...values.map((value) => value?.toString("hex") ?? "-")].join(",");
    if (this.#running.includes(key)) {
      return { kind: "applied", rows: [] };
    }
    this.#running.push(key);
    try {
      return await this.attempt(run);
    } finally {
      this.#running.pop();
    }
  }

  #execute(statement: Statement, values: readonly BoundValue[], options: QueryOptions): Promise<types.ResultSet> {
    const client = this.session.client;
    return this.#observe(statement, 1, () => client.execute(statement.cql, values as unknown[], options));
  }

  async #observe<T>(statement: Statement, statements: number, run: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= this.session.concurrency) {
      await new Promise<void>((resume) => this.#waiting.push(resume));
    } else {
      this.#inFlight += 1;
    }
    const end = this.observer === undefined ? undefined : this.#begin(this.observer, statement, statements);
    try {
      const result = await run();
      end?.(null);
      return result;
    } catch (error) {
      end?.(error);
      const step = describe(statement);
      const message = error instanceof Error ? error.message : String(error);
      throw new StatementError(`${this.info.query}: ${message} (${step})`, this.info.query, step, error);
    } finally {
      const resume = this.#waiting.shift();
      if (resume === undefined) {
        this.#inFlight -= 1;
      } else {
        resume();
      }
    }
  }

  /** Tells the observer that a statement is sent; the function tells how it ended. */
  #begin(observer: Observer, { table, cql }: Statement, statements: number): ((error: unknown) => void) | undefined {
    const onStatement = observer.onStatement?.({ call: this.info, table, cql, statements });
    const begin = performance.now();
    return onStatement && ((error) => onStatement({ milliseconds: performance.now() - begin, error }));
  }
}

export function readState(result: types.ResultSet): string | null {
  // The driver leaves it out at the end, against its types.
  return result.pageState ?? null;
}

// Writes

export type OutcomeKind = "applied" | "refused" | "violation" | "interrupted";

/** What a write did. */
export type Outcome<R> =
  | { readonly kind: "applied"; readonly rows: R[] }
  | {
      readonly kind: "refused";
      readonly rows: R[];
      /** Whether another client changed what had been read. */
      readonly isStale: boolean;
    }
  | { readonly kind: "violation"; readonly rows: R[]; readonly reason: string }
  | {
      readonly kind: "interrupted";
      readonly rows: R[];
      readonly reason: string;
      readonly applied: readonly string[];
      readonly cause?: unknown;
    };

/** What it means that a conditional statement is not applied. */
export interface Refusal {
  readonly kind: "refused" | "violation";
  /** The condition, in words. */
  readonly condition: string;
  readonly isStale: boolean;
}

export interface AppliedStep {
  /** A statement, those of a batch, or the name of another command. */
  readonly what: Statement | readonly BoundStatement[] | string;
  readonly inverse: BoundStatement | null;
}

export function describeStep({ what }: AppliedStep): string[] {
  return what instanceof Array ? what.map((bound) => describe(bound.statement)) : [describe(what)];
}

/** The progress of a write. */
export class Write<R> {
  readonly rows: R[] = [];
  readonly #applied: AppliedStep[] = [];
  #wasRefused = false;

  constructor(private readonly call: Call) {}

  /** A check that is not met: nothing is sent. */
  violate(reason: string): Outcome<R> {
    return { kind: "violation", rows: this.rows, reason };
  }

  /** Sends statements together. */
  async batch(kind: BatchKind, bounds: readonly BoundStatement[]): Promise<void> {
    try {
      await this.call.batch(kind, bounds, (part) => {
        this.#applied.push({ what: part, inverse: null });
      });
    } catch (error) {
      throw this.#complete(error);
    }
  }

  /** Sends a statement; where it is conditional and not applied, the outcome after undoing. */
  async send(
    bound: BoundStatement,
    inverse: BoundStatement | null = null,
    refusal: Refusal | null = null,
  ): Promise<Outcome<R> | null> {
    const isApplied = await this.#guard(() => this.call.send(bound));
    if (refusal !== null && !isApplied) {
      const reason = refusal.condition === "" ? describe(bound.statement) : refusal.condition;
      return this.#undo(
        refusal.kind === "violation"
          ? { kind: "violation", rows: this.rows, reason }
          : { kind: "refused", rows: [], isStale: refusal.isStale },
        describe(bound.statement),
      );
    }
    this.#applied.push({ what: bound.statement, inverse });
    return null;
  }

  /** Takes the outcome of another command; where it ends this one, the outcome after undoing. */
  async join(name: string, outcome: Outcome<unknown>, violationEnds: boolean): Promise<Outcome<R> | null> {
    switch (outcome.kind) {
      case "applied":
        this.#applied.push({ what: name, inverse: null });
        return null;
      case "violation":
        if (violationEnds) {
          return this.#undo({ kind: "violation", rows: this.rows, reason: outcome.reason }, name);
        }
        this.#wasRefused = true;
        return null;
      case "refused":
        this.#wasRefused = true;
        return null;
      case "interrupted":
        return { ...outcome, rows: this.rows, applied: [...this.#list(), ...outcome.applied] };
    }
  }

  /** The outcome when all steps are done. */
  end(): Outcome<R> {
    if (this.#wasRefused && this.#applied.length === 0) {
      return { kind: "refused", rows: this.rows, isStale: false };
    }
    return { kind: "applied", rows: this.rows };
  }

  #list(): string[] {
    return this.#applied.flatMap(describeStep);
  }

  async #guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw this.#complete(error);
    }
  }

  /** A failure after statements that were applied tells which. */
  #complete(error: unknown): unknown {
    if (this.#applied.length === 0 || !(error instanceof StatementError)) {
      return error;
    }
    return new PartialWrite(error.query, error.step ?? "", this.#list(), error.cause);
  }

  /** Undoes what was applied, the last statement first. What has no inverse stays. */
  async #undo(outcome: Outcome<R>, reason: string): Promise<Outcome<R>> {
    for (const { inverse } of [...this.#applied].reverse()) {
      if (inverse !== null) {
        await this.#guard(() => this.call.send(inverse));
      }
    }
    const applied = this.#applied.filter((step) => step.inverse === null).flatMap(describeStep);
    return applied.length === 0 ? outcome : { kind: "interrupted", rows: this.rows, reason, applied };
  }
}
