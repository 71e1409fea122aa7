/** Converts column filters to SQL. */
import type { SqlKind, SqlFragment } from '#shared/codecs/query-text.ts';
import { escapeLike } from '#server/db/dialect/like.ts';
import { columnName, textOf, typedText } from './column-sql.ts';
import type { CatalogColumn } from './types.ts';

export interface TableFilter {
  column: CatalogColumn;
  /** What is compared: the column's own kind, or its text. */
  by: CatalogColumn['kind'];
  operator:
    | 'equals'
    | 'notEquals'
    | 'less'
    | 'greater'
    | 'between'
    | 'contains'
    | 'startsWith'
    | 'in'
    | 'blank'
    | 'notBlank';
  /** As typed: numbers with a decimal point, '2026-01-31', '2026-01-31 13:45:00', 'TRUE'. */
  values: readonly string[];
}

/** Why a filter is invalid; the message is for people. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

/** Returns the condition in parentheses. Throws FilterError. */
export function filterSql(filter: TableFilter, kind: SqlKind): SqlFragment[] {
  checkCount(filter);
  switch (filter.operator) {
    case 'blank':
      return [{ text: `(${blank(filter, kind)})` }];
    case 'notBlank':
      return [{ text: `(not (${blank(filter, kind)}))` }];
    case 'contains':
    case 'startsWith':
      return like(filter, kind);
    case 'in':
      return either(
        filter.values.map((value) => compared(filter, 'equals', value, kind)),
        ' or ',
      );
    case 'between':
      return [
        { text: '(' },
        ...compared(filter, 'atLeast', filter.values[0]!, kind),
        { text: ' and ' },
        ...compared(filter, 'atMost', filter.values[1]!, kind),
        { text: ')' },
      ];
    case 'notEquals':
      return [
        { text: `(${columnName(filter.column, kind)} is null or not ` },
        ...compared(filter, 'equals', filter.values[0]!, kind),
        { text: ')' },
      ];
    default:
      return compared(filter, filter.operator, filter.values[0]!, kind);
  }
}

function checkCount({ column, by, operator, values }: TableFilter): void {
  const wanted = operator === 'blank' || operator === 'notBlank' ? 0 : operator === 'between' ? 2 : 1;
  const isRight = operator === 'in' ? values.length > 0 : values.length === wanted;
  if (!isRight) throw new FilterError(`The filter of ${column.name} has the wrong number of values`);
  const isOrder = operator === 'less' || operator === 'greater' || operator === 'between';
  const isText = operator === 'contains' || operator === 'startsWith';
  if ((isText && by !== 'Text') || (isOrder && by === 'Boolean'))
    throw new FilterError(`${column.name} cannot be filtered like that`);
}

const either = (parts: readonly SqlFragment[][], word: string): SqlFragment[] => [
  { text: '(' },
  ...parts.flatMap((part, index) => (index === 0 ? part : [{ text: word }, ...part])),
  { text: ')' },
];

function blank({ column, by }: TableFilter, kind: SqlKind): string {
  const isNull = `${columnName(column, kind)} is null`;
  const isText = column.storage === 'text' || column.storage === 'narrowText';
  return by === 'Text' && isText ? `${isNull} or ${columnName(column, kind)} = ''` : isNull;
}

function like({ column, operator, values }: TableFilter, kind: SqlKind): SqlFragment[] {
  const pattern = `${operator === 'contains' ? '%' : ''}${escapeLike(values[0]!)}%`;
  const text = textOf(column, kind);
  const test = kind === 'pg' ? `${text} ilike ` : `${text} collate Latin1_General_100_CI_AS like `;
  return [{ text: `(${test}` }, { value: pattern }, { text: " escape '!')" }];
}

type Comparing = 'equals' | 'less' | 'greater' | 'atLeast' | 'atMost';

const SIGNS: Record<Comparing, string> = { equals: '=', less: '<', greater: '>', atLeast: '>=', atMost: '<=' };

function compared({ column, by }: TableFilter, how: Comparing, value: string, kind: SqlKind): SqlFragment[] {
  if (by === 'Date') return comparedDates(column, how, value, kind);
  if (by === 'Number' && column.storage === 'money' && kind === 'pg') return comparedMoney(column, how, value);
  const side =
    by === 'Text' && !COMPARED_AS_TYPED.has(column.storage) ? textOf(column, kind) : columnName(column, kind);
  const bound =
    by === 'Number'
      ? numberValue(column, value, kind)
      : by === 'Boolean'
        ? booleanValue(column, value, kind)
        : typedText(column, value, kind);
  return [{ text: `(${side} ${SIGNS[how]} ` }, ...bound, { text: ')' }];
}

/** Other storage types are compared as texts. */
const COMPARED_AS_TYPED: ReadonlySet<CatalogColumn['storage']> = new Set(['text', 'narrowText', 'ordered']);

/** PostgreSQL's money has at most 19 digits, by default with two decimals. */
const LARGEST_MONEY = 1e12;

/**
 * PostgreSQL compares money only with money, and rounds numbers to it. The comparison with the number decides; the
 * comparison with rounded money lets an index find the candidate rows.
 */
function comparedMoney(column: CatalogColumn, how: Comparing, value: string): SqlFragment[] {
  const name = columnName(column, 'pg');
  const number = numberValue(column, value, 'pg');
  const exact: SqlFragment[] = [{ text: `(${name}::numeric ${SIGNS[how]} ` }, ...number, { text: ')' }];
  if (Math.abs(Number(value)) > LARGEST_MONEY) return exact;
  const wide = { equals: '=', less: '<=', greater: '>=', atLeast: '>=', atMost: '<=' }[how];
  return [{ text: `(${name} ${wide} ` }, ...number, { text: '::numeric::money and ' }, ...exact, { text: ')' }];
}

function booleanValue({ name }: CatalogColumn, value: string, kind: SqlKind): SqlFragment[] {
  if (value !== 'TRUE' && value !== 'FALSE') throw new FilterError(`The filter of ${name} must be TRUE or FALSE`);
  return kind === 'pg'
    ? [{ value }, { text: '::boolean' }]
    : [{ text: 'convert(bit, ' }, { value: value === 'TRUE' ? 1 : 0 }, { text: ')' }];
}

const NUMBER = /^[+-]?(\d+)(?:\.(\d+))?(e[+-]?\d{1,3})?$/i;

/** Converts to a type with which an index of the column can be used: an integer if there are no decimals. */
function numberValue(column: CatalogColumn, typed: string, kind: SqlKind): SqlFragment[] {
  const value = typed.trim();
  const [, whole = '', fraction = '', exponent] = NUMBER.exec(value) ?? [];
  if (whole === '') throw new FilterError(`The filter of ${column.name} must be a number`);
  if (column.storage === 'float') return cast(value, column.type, kind);
  if (fraction === '' && exponent === undefined && whole.length <= 9) return cast(value, 'int', kind);
  if (fraction === '' && exponent === undefined && whole.length <= 18) return cast(value, 'bigint', kind);
  if (kind === 'pg') return cast(value, 'numeric', kind);
  if (exponent !== undefined) return cast(value, 'float', kind);
  if (whole.length + fraction.length > 38)
    throw new FilterError(`The filter of ${column.name} has more than 38 digits`);
  return cast(value, `decimal(38,${fraction.length})`, kind);
}

const cast = (value: string, type: string, kind: SqlKind): SqlFragment[] =>
  kind === 'pg' ? [{ value }, { text: `::${type}` }] : [{ text: `convert(${type}, ` }, { value }, { text: ')' }];

/**
 * Returns the column's own type if it can hold that time exactly. With datetime2, which has the higher precedence, the
 * column would be converted row by row. Source: Transact-SQL Reference, "Data type precedence"; "datetime",
 * "smalldatetime", "date" (ranges and accuracy).
 */
function timestampType({ type }: CatalogColumn, timestamp: string): string {
  const [day = '', time = ''] = timestamp.split(' ');
  const isMidnight = time === '00:00:00';
  const isWholeSecond = !time.includes('.');
  if (type === 'date' && isMidnight) return type;
  if (type === 'datetime' && isWholeSecond && day >= '1753-01-01') return type;
  if (type === 'smalldatetime' && time.endsWith(':00') && day >= '1900-01-01' && day <= '2079-06-06') return type;
  return 'datetime2';
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?)?$/;

/** Many tables use this day to mean that something has no end. */
const LAST_DAY = '9999-12-31';

/** SQL Server has no day after it. Source: "datetime2 (Transact-SQL)", date range. */
const dayAfterTheLast = (kind: SqlKind): string | null => (kind === 'pg' ? '10000-01-01' : null);

/** A date means the whole day, even if the column contains times: 'after the 5th' begins on the 6th. */
function comparedDates(column: CatalogColumn, how: Comparing, typed: string, kind: SqlKind): SqlFragment[] {
  const [, day, time, seconds = ':00'] = DATE.exec(typed.trim()) ?? [];
  const start = day === undefined ? Number.NaN : Date.parse(`${day}T${time ?? '00:00'}${time ? seconds : ':00'}Z`);
  // Date.parse turns 30 February into a day in March.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day)
    throw new FilterError(`The filter of ${column.name} must be a date`);
  const name = columnName(column, kind);
  const at = (text: string): SqlFragment[] =>
    kind === 'pg'
      ? [{ value: text }, { text: '::timestamp' }]
      : [{ text: `convert(${timestampType(column, text)}, ` }, { value: text }, { text: ', 121)' }];
  const test = (sign: string, text: string): SqlFragment[] => [
    { text: `(${name} ${sign} ` },
    ...at(text),
    { text: ')' },
  ];
  if (time !== undefined) return test(SIGNS[how], `${day} ${time}${seconds}`);
  const from = `${day} 00:00:00`;
  const next = day === LAST_DAY ? dayAfterTheLast(kind) : new Date(start + 86_400_000).toISOString().slice(0, 10);
  const until = next === null ? null : `${next} 00:00:00`;
  switch (how) {
    case 'equals':
      if (until === null) return test('>=', from);
      return [{ text: '(' }, ...test('>=', from), { text: ' and ' }, ...test('<', until), { text: ')' }];
    case 'less':
      return test('<', from);
    case 'atLeast':
      return test('>=', from);
    case 'greater':
      return until === null ? [{ text: '(1 = 0)' }] : test('>=', until);
    case 'atMost':
      return until === null ? [{ text: `(${name} is not null)` }] : test('<', until);
  }
}
