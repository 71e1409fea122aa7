/**
 * Reads exact values from SQL Server. The driver (tedious 19) reads decimals and money through doubles, and times
 * through Dates: the decimal 12345678901234.5678 becomes ….568. There is no setting for this, and the results of a
 * procedure cannot be converted on the server, because WITH RESULT SETS must know all of them. So this file bypasses
 * the driver's value reader, only for connections that request it. Source: [MS-TDS] 2.2.5.5.1 "System Data Type
 * Values", 2.2.5.5.4 "sql_variant Values".
 */
import { createRequire } from 'node:module';
import type { Connection } from 'tedious';
import { shortestFloat32 } from './exact-float.ts';

interface Metadata {
  type: { name: string };
  scale?: number;
}

interface Read {
  value: unknown;
  offset: number;
}

type ReadValue = (buffer: Buffer, offset: number, metadata: Metadata, options: object) => Read;

const require = createRequire(import.meta.url);
const parser = require('tedious/lib/value-parser.js') as { readValue: ReadValue };
const { TYPE } = require('tedious/lib/data-type.js') as { TYPE: Record<number, { name: string }> };
const { NotEnoughDataError } = require('tedious/lib/token/helpers.js') as {
  NotEnoughDataError: new (bytes: number) => Error;
};

/** Keyed by the connection's options, because the driver passes these to its reader. */
const exact = new WeakMap<object, 'all' | 'numbers'>();

/** From now on, the connection reads values as ProcedureCell, except integers that fit and floats. */
export const readExactly = (connection: Connection): void => void exact.set(optionsOf(connection), 'all');
/** From now on, the connection reads decimals, money and floats as texts with all their digits. */
export const readNumbersExactly = (connection: Connection): void => void exact.set(optionsOf(connection), 'numbers');
export const readAsDriverDoes = (connection: Connection): void => void exact.delete(optionsOf(connection));

const optionsOf = (connection: Connection): object =>
  (connection as unknown as { config: { options: object } }).config.options;

const asDriver = parser.readValue;
parser.readValue = (buffer, offset, metadata, options) => {
  const which = exact.get(options);
  const isExact = which === 'all' || (which === 'numbers' && NUMBERS.has(metadata.type.name));
  return (isExact ? readExact(buffer, offset, metadata) : null) ?? asDriver(buffer, offset, metadata, options);
};

const NUMBERS = new Set(['DecimalN', 'NumericN', 'MoneyN', 'Money', 'SmallMoney', 'FloatN', 'Float', 'Real']);

/** Types whose values start with a length byte; the types in FIXED always have the same length. */
const LENGTH_FIRST = new Set([
  'DecimalN',
  'NumericN',
  'MoneyN',
  'FloatN',
  'DateTimeN',
  'Date',
  'Time',
  'DateTime2',
  'DateTimeOffset',
]);
const FIXED: Record<string, number> = { Money: 8, SmallMoney: 4, Real: 4, Float: 8, DateTime: 8, SmallDateTime: 4 };

function readExact(buffer: Buffer, offset: number, { type, scale = 0 }: Metadata): Read | null {
  if (type.name === 'Variant') return readVariant(buffer, offset);
  const fixed = FIXED[type.name];
  if (fixed !== undefined) {
    return { value: textOf(type.name, slice(buffer, offset, fixed), scale), offset: offset + fixed };
  }
  if (!LENGTH_FIRST.has(type.name)) return null;
  const length = slice(buffer, offset, 1)[0]!;
  if (length === 0) return { value: null, offset: offset + 1 };
  const value = textOf(type.name, slice(buffer, offset + 1, length), scale);
  return { value, offset: offset + 1 + length };
}

function slice(buffer: Buffer, offset: number, length: number): Buffer {
  if (buffer.length < offset + length) throw new NotEnoughDataError(offset + length);
  return buffer.subarray(offset, offset + length);
}

/** Number of bytes between the type and the value: precision and scale for decimals, the scale for times. */
const VARIANT_SCALES: Record<string, number> = { DecimalN: 1, NumericN: 1, Time: 0, DateTime2: 0, DateTimeOffset: 0 };
const VARIANT_TYPES = new Set([...Object.keys(VARIANT_SCALES), ...Object.keys(FIXED), 'Date']);

function readVariant(buffer: Buffer, offset: number): Read | null {
  const length = slice(buffer, offset, 4).readUInt32LE();
  if (length === 0) return { value: null, offset: offset + 4 };
  const whole = slice(buffer, offset + 4, length);
  const name = TYPE[whole[0]!]?.name ?? '';
  if (!VARIANT_TYPES.has(name)) return null;
  const properties = whole.subarray(2, 2 + whole[1]!);
  const scale = properties[VARIANT_SCALES[name] ?? 0] ?? 0;
  return { value: textOf(name, whole.subarray(2 + properties.length), scale), offset: offset + 4 + length };
}

function textOf(name: string, bytes: Buffer, scale: number): string {
  switch (name) {
    case 'DecimalN':
    case 'NumericN':
      return (bytes[0] === 1 ? '' : '-') + scaled(unsigned(bytes.subarray(1)), scale);
    case 'Money':
    case 'SmallMoney':
    case 'MoneyN':
      return moneyOf(bytes);
    case 'Real':
    case 'Float':
    case 'FloatN':
      return bytes.length === 4 ? shortestFloat32(bytes.readFloatLE()) : String(bytes.readDoubleLE());
    case 'Date':
      return dateOf(Number(unsigned(bytes)));
    case 'Time':
      return timeOf(unsigned(bytes), scale);
    case 'DateTime2':
      return `${dateOf(Number(unsigned(bytes.subarray(-3))))} ${timeOf(unsigned(bytes.subarray(0, -3)), scale)}`;
    case 'DateTimeOffset':
      return timestampOf(bytes, scale);
    default:
      return bytes.length === 4 ? smallDateTimeOf(bytes) : dateTimeOf(bytes);
  }
}

/** Reads bytes with the least significant byte first. */
function unsigned(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at -= 1) value = value * 256n + BigInt(bytes[at]!);
  return value;
}

function scaled(digits: bigint, scale: number): string {
  const text = String(digits).padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

const MONEY_SCALE = 4;

/** In 8 bytes, the upper half comes first. */
function moneyOf(bytes: Buffer): string {
  const value =
    bytes.length === 4
      ? BigInt(bytes.readInt32LE())
      : BigInt(bytes.readInt32LE()) * 2n ** 32n + BigInt(bytes.readUInt32LE(4));
  return value < 0n ? `-${scaled(-value, MONEY_SCALE)}` : scaled(value, MONEY_SCALE);
}

/** Days from the year 1 until 1970, and until 1900. */
const DAYS_TO_1970 = 719_162;
const DAYS_TO_1900 = 693_595;
const DAY_MS = 86_400_000;

/** Converts days since 0001-01-01. */
function dateOf(days: number): string {
  return new Date((days - DAYS_TO_1970) * DAY_MS).toISOString().slice(0, 10);
}

/** Converts fractions of a second since midnight; the scale is their number of decimals. */
function timeOf(parts: bigint, scale: number): string {
  const second = 10n ** BigInt(scale);
  const whole = Number(parts / second);
  const clock = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return scale === 0 ? clock.join(':') : `${clock.join(':')}.${String(parts % second).padStart(scale, '0')}`;
}

/** The time and date are in UTC, followed by the offset of the zone in minutes. */
function timestampOf(bytes: Buffer, scale: number): string {
  const minutes = bytes.readInt16LE(bytes.length - 2);
  const day = 86_400n * 10n ** BigInt(scale);
  const parts =
    unsigned(bytes.subarray(0, -5)) +
    unsigned(bytes.subarray(-5, -2)) * day +
    BigInt(minutes * 60) * 10n ** BigInt(scale);
  const zone = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${dateOf(Number(parts / day))} ${timeOf(parts % day, scale)}${minutes < 0 ? '-' : '+'}${zone.join(':')}`;
}

/** Converts days since 1900 and minutes. */
function smallDateTimeOf(bytes: Buffer): string {
  return `${dateOf(bytes.readUInt16LE() + DAYS_TO_1900)} ${timeOf(BigInt(bytes.readUInt16LE(2) * 60), 0)}`;
}

/** Converts days since 1900 and 300ths of a second, which SQL Server displays as rounded milliseconds. */
function dateTimeOf(bytes: Buffer): string {
  const milliseconds = Math.round((bytes.readUInt32LE(4) * 10) / 3);
  return `${dateOf(bytes.readInt32LE() + DAYS_TO_1900)} ${timeOf(BigInt(milliseconds), 3)}`;
}
