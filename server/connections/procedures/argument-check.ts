/** Checks whether the type of a parameter can hold a value exactly: databases silently round, truncate and pad. */
import { counted } from '#shared/codecs/counted.ts';
import { digitsNeeded, plainNumber } from '#shared/codecs/exact-number.ts';
import { isExactFloat } from './exact-float.ts';
import type { ProcedureCell, ProcedureType, ProcedureValue } from '#server/base/procedure-types.ts';
import { ArgumentError } from './types.ts';

/** The differences between the two databases. */
export interface ArgumentRules {
  /** Integer types by their system name, with their bounds. */
  integers: ReadonlyMap<string, readonly [bigint, bigint]>;
  /** Approximate number types, with their bits. */
  floats: ReadonlyMap<string, 32 | 64>;
  /** Types that accept NaN and the infinities. */
  specialNumbers: ReadonlySet<string>;
  /** Checks bounds that are not limits on digits. */
  numberProblem: (plain: string, type: ProcedureType) => string | null;
  /** Returns the problem with a text; null if it may be sent. */
  textProblem: (text: string, type: ProcedureType) => string | null;
  /** Returns the problem with a well-formed date. */
  dateProblem: (date: WrittenDate, type: ProcedureType) => string | null;
  /** Returns true for dates in formats other than year, month, day, which are sent unchanged. */
  isOtherDate: (text: string) => boolean;
  /** Binary types with a fixed length. */
  fixedBytes: ReadonlySet<string>;
}

export interface WrittenDate {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Digits of the fractional second, without trailing zeros. */
  fraction: string;
  /** Such as '+01:00'; null without a zone. */
  zone: string | null;
}

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?)?\s?(Z|[+-]\d{2}(?::?\d{2}(?::\d{2})?)?)?$/;

export function readDate(text: string): WrittenDate | null {
  const found = DATE.exec(text.trim());
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isReal = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days;
  if (!isReal || hour > 23 || minute > 59 || second > 59) return null;
  const fraction = (found[7] ?? '').replace(/0+$/, '');
  return { year, month, day, hour, minute, second, fraction, zone: zoneOf(found[8]) };
}

function zoneOf(written: string | undefined): string | null {
  if (written === undefined) return null;
  if (written === 'Z') return '+00:00';
  if (written.length === 3) return `${written}:00`;
  return written.includes(':') ? written : `${written.slice(0, 3)}:${written.slice(3)}`;
}

/** Throws an ArgumentError that describes the problem with the value. */
export function checkArgument(name: string, type: ProcedureType, value: ProcedureValue, rules: ArgumentRules): void {
  if (typeof value === 'object' && value !== null && 'rows' in value) {
    if (type.kind !== 'Table') throw new ArgumentError(name, `${name} is ${type.declared}, and takes no rows`);
    for (const [row, cells] of value.rows.entries()) {
      if (cells.length !== type.columns.length) {
        const message = `Row ${row + 1} of ${name} has ${counted(cells.length, 'cell')}, where its type has ${counted(type.columns.length, 'column')}`;
        throw new ArgumentError(name, message);
      }
      for (const [index, column] of type.columns.entries()) {
        const problem = problemOf(column.type, cells[index]!, rules);
        if (problem === null) continue;
        throw new ArgumentError(name, `Row ${row + 1} of ${name}, column ${column.name}: ${problem}`);
      }
    }
    return;
  }
  const problem = type.kind === 'Table' && value !== null ? `takes rows` : problemOf(type, value, rules);
  if (problem !== null) throw new ArgumentError(name, `${name}: ${problem}`);
}

const shown = (text: string): string => `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;

function problemOf(type: ProcedureType, value: ProcedureCell, rules: ArgumentRules): string | null {
  if (value === null) return null;
  if (type.kind === 'Boolean') return typeof value === 'boolean' ? null : `${type.declared} takes true or false`;
  if (type.kind === 'File') return value instanceof Uint8Array ? bytesProblem(type, value, rules) : 'takes a file';
  if (typeof value !== 'string') return `${type.declared} takes a text`;
  switch (type.kind) {
    case 'Number':
      return numberProblem(type, value, rules);
    case 'Date':
      return dateProblem(type, value, rules);
    case 'Enum':
      return type.labels.includes(value) ? null : `${shown(value)} is none of ${type.labels.map(shown).join(', ')}`;
    default:
      return textProblem(type, value, rules);
  }
}

function bytesProblem({ declared, base, maxLength }: ProcedureType, bytes: Uint8Array, rules: ArgumentRules) {
  if (maxLength === null || bytes.length === maxLength) return null;
  if (bytes.length > maxLength) return `${bytes.length} bytes are more than ${declared} holds`;
  return rules.fixedBytes.has(base) ? `${declared} would add zeros to ${counted(bytes.length, 'byte')}` : null;
}

function numberProblem(type: ProcedureType, text: string, rules: ArgumentRules): string | null {
  const { declared, base, precision, scale } = type;
  if (/^(NaN|[+-]?Infinity)$/.test(text)) return rules.specialNumbers.has(base) ? null : `${declared} holds no ${text}`;
  const plain = plainNumber(text);
  const needed = digitsNeeded(text);
  if (plain === null || needed === null) return `${shown(text)} is not a number`;
  const bits = rules.floats.get(base);
  if (bits !== undefined)
    return isExactFloat(text, bits) ? null : `${declared} does not hold all digits of ${shown(text)}`;
  const bounds = rules.integers.get(base);
  if (bounds) {
    if (needed.fraction > 0) return `${declared} holds whole numbers, and ${shown(text)} is none`;
    const whole = BigInt(plain);
    return whole < bounds[0] || whole > bounds[1] ? `${shown(text)} is out of the bounds of ${declared}` : null;
  }
  if (scale !== null && needed.fraction > scale) {
    return `${declared} holds ${counted(scale, 'decimal place')}, and ${shown(text)} has ${needed.fraction}`;
  }
  const whole = precision === null ? Infinity : precision - (scale ?? 0);
  if (needed.whole > whole) return `${shown(text)} is out of the bounds of ${declared}`;
  return rules.numberProblem(plain, type);
}

function dateProblem(type: ProcedureType, text: string, rules: ArgumentRules): string | null {
  if (rules.isOtherDate(text)) return null;
  const date = readDate(text);
  if (date === null) return `${shown(text)} is not a date`;
  const hasTime = date.hour + date.minute + date.second > 0 || date.fraction !== '';
  if (type.base === 'date' && hasTime) return `${type.declared} holds no time of day, and ${shown(text)} has one`;
  if (!type.hasZone && date.zone !== null) return `${type.declared} holds no zone, and ${shown(text)} has one`;
  if (type.scale !== null && date.fraction.length > type.scale) {
    return `${type.declared} holds ${counted(type.scale, 'digit')} of a second, and ${shown(text)} has ${date.fraction.length}`;
  }
  return rules.dateProblem(date, type);
}

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/;

function textProblem(type: ProcedureType, text: string, rules: ArgumentRules): string | null {
  const problem = rules.textProblem(text, type);
  if (problem !== null) return problem;
  if (type.base === 'time') {
    const found = TIME.exec(text);
    const isTime = found && Number(found[1]) < 24 && Number(found[2]) < 60 && Number(found[3] ?? 0) < 60;
    if (!isTime) return `${shown(text)} is no time of day such as 13:45:00`;
    const digits = (found[4] ?? '').replace(/0+$/, '').length;
    return type.scale !== null && digits > type.scale
      ? `${type.declared} holds ${counted(type.scale, 'digit')} of a second`
      : null;
  }
  if (type.maxLength === null || text.length <= type.maxLength) return null;
  return `${text.length} characters are more than ${type.declared} holds`;
}
