/**
 * Converts values from and to PostgreSQL: all as texts in its own format, so nothing passes through a double or a Date.
 */
import type { ArgumentRules } from './argument-check.ts';
import { plainNumber } from '#shared/codecs/exact-number.ts';
import { ConnectionError } from '../connection-error.ts';
import type {
  ProcedureCell,
  ProcedureColumn,
  ProcedureTable,
  ProcedureType,
  ProcedureValue,
} from '#server/base/procedure-types.ts';

/** Years with more than four digits, BC dates, and the infinities. */
const OTHER_DATE = /^(?:-?infinity|\d{4,6}-\d\d-\d\d(?: [0-9:.+-]+)?(?: BC)?)$/;

export const RULES_PG: ArgumentRules = {
  integers: new Map([
    ['int2', [-(2n ** 15n), 2n ** 15n - 1n]],
    ['int4', [-(2n ** 31n), 2n ** 31n - 1n]],
    ['int8', [-(2n ** 63n), 2n ** 63n - 1n]],
    ['oid', [0n, 2n ** 32n - 1n]],
  ]),
  floats: new Map([
    ['float4', 32],
    ['float8', 64],
  ]),
  specialNumbers: new Set(['float4', 'float8', 'numeric']),
  numberProblem: () => null,
  textProblem: (text) => {
    if (text.includes('\0')) return 'PostgreSQL cannot store a text that contains the character 0';
    return text.isWellFormed() ? null : 'it has half of a character that takes two (a lone surrogate)';
  },
  dateProblem: () => null,
  isOtherDate: (text) => OTHER_DATE.test(text) && (/^-?i|BC$/.test(text) || /^\d{5}/.test(text)),
  fixedBytes: new Set(),
};

/** Converts a value for binding by the driver. */
export function boundPg(type: ProcedureType, value: ProcedureValue): string | Buffer | null {
  if (value === null) return null;
  if (typeof value === 'object') return 'rows' in value ? arrayOfRows(type, value) : Buffer.from(value);
  return textOfCell(type, value);
}

function textOfCell(type: ProcedureType, value: Exclude<ProcedureCell, null>): string {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value !== 'string') return `\\x${Buffer.from(value).toString('hex')}`;
  return type.kind === 'Number' ? (plainNumber(value) ?? value) : value;
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Source: "Arrays", Array Input and Output Syntax; "Composite Types", Composite Type Input and Output Syntax. */
function arrayOfRows({ columns }: ProcedureType, { rows }: ProcedureTable): string {
  const rowTexts = rows.map((cells) => {
    const parts = cells.map((cell, index) => (cell === null ? '' : quoted(textOfCell(columns[index]!.type, cell))));
    return quoted(`(${parts.join(',')})`);
  });
  return `{${rowTexts.join(',')}}`;
}

/** @param moneyDigits number of decimals of the session's money */
export function readCell(type: ProcedureType, text: string | null, moneyDigits: number): ProcedureCell {
  if (text === null) return null;
  switch (type.kind) {
    case 'Boolean':
      return text === 't' || text === 'true';
    case 'File':
      return bytesOf(text);
    case 'Number':
      return type.base === 'money' ? moneyOf(text, moneyDigits) : text;
    case 'Date':
      return type.hasZone ? text.replace(/([+-]\d\d)$/, '$1:00') : text;
    default:
      return text;
  }
}

/** Reads an output: as rows if it is an array of composites. */
export function readValue(type: ProcedureType, text: string | null, moneyDigits: number): ProcedureValue {
  if (type.kind !== 'Table' || text === null) return readCell(type, text, moneyDigits);
  return { rows: rowsOf(text, type.columns, moneyDigits) };
}

function bytesOf(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  // Format of bytea_output = escape.
  const bytes = text.replace(/\\(\\|\d{3})/g, (_, code: string) =>
    code === '\\' ? '\\' : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return Buffer.from(bytes, 'latin1');
}

/**
 * Reads money such as '-$1,234.56' or '(1.234,56 €)': in every language, the digits and the number of decimals are
 * known.
 */
function moneyOf(text: string, digitsBehind: number): string {
  const digits = text.replace(/\D/g, '').padStart(digitsBehind + 1, '0');
  const whole = digits.slice(0, digits.length - digitsBehind).replace(/^0+(?=\d)/, '');
  const amount = digitsBehind === 0 ? whole : `${whole}.${digits.slice(-digitsBehind)}`;
  return /[-(]/.test(text) ? `-${amount}` : amount;
}

/** Returns the number of decimals in zero as money: '$0.00' has two. */
export const moneyDigitsOf = (zero: string): number => zero.replace(/\D/g, '').length - 1;

function rowsOf(text: string, columns: readonly ProcedureColumn[], moneyDigits: number): ProcedureCell[][] {
  return elementsOf(text).map((row) => {
    if (row === null) return columns.map(() => null);
    const cells = fieldsOf(row);
    return columns.map(({ type }, index) => readCell(type, cells[index] ?? null, moneyDigits));
  });
}

/** Splits an array such as '{"(1,a)",NULL}', with or without bounds before it. */
function elementsOf(text: string): (string | null)[] {
  const start = text.indexOf('{');
  if (text.startsWith('{', start + 1)) {
    throw new ConnectionError('refused', 'A multidimensional array is not a table and cannot be used');
  }
  return split(text.slice(start + 1, -1), 'NULL');
}

const fieldsOf = (row: string): (string | null)[] => split(row.slice(1, -1), '', true);

/** Splits at commas and removes quotes; an unquoted `nothing` is null. */
function split(text: string, nothing: string, isRow = false): (string | null)[] {
  if (text === '' && !isRow) return [];
  const parts: (string | null)[] = [];
  let part = '';
  let isQuoted = false;
  let wasQuoted = false;
  const end = (): void => {
    parts.push(!wasQuoted && part === nothing ? null : part);
    part = '';
    wasQuoted = false;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\\') part += text[(at += 1)] ?? '';
    else if (character === '"') {
      // Within a row, a quote can also be escaped by doubling it.
      if (isQuoted && text[at + 1] === '"') part += text[(at += 1)]!;
      else isQuoted = !isQuoted;
      wasQuoted = true;
    } else if (character === ',' && !isQuoted) end();
    else part += character;
  }
  end();
  return parts;
}
