/**
 * Compiles conditions to SQL. Column names come from the catalog and are quoted; every value is a bound parameter. See
 * condition-filter.ts for the semantics.
 */
import type { ColumnKind, ConditionColumn, KindValue, TypedCondition } from './condition-columns.ts';
import { ConditionError, NOT_SUPPORTED } from './condition.ts';
import { digitsNeeded, exactCell } from './exact-number.ts';
import { quoteName } from './query-text.ts';
import type { SqlKind, SqlParameter, SqlFragment } from './query-text.ts';
import { fromSerial } from './serial-date.ts';

/** A blank condition matches everything. */
export function conditionSql(condition: TypedCondition | null, kind: SqlKind): SqlFragment[] {
  return condition === null ? [{ text: '(1 = 1)' }] : compile(condition, kind);
}

function compile(condition: TypedCondition, kind: SqlKind): SqlFragment[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return bracketed(
        joined(
          condition.of.map((part) => compile(part, kind)),
          ` ${condition.kind} `,
        ),
      );
    case 'not':
      return [{ text: 'not ' }, ...bracketed(compile(condition.of, kind))];
    case 'compare':
      return bracketed(comparison(condition, kind));
    case 'in':
      return membership(condition, kind);
  }
}

const bracketed = (fragments: readonly SqlFragment[]): SqlFragment[] => [{ text: '(' }, ...fragments, { text: ')' }];

const joined = (parts: readonly (readonly SqlFragment[])[], separator: string): SqlFragment[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [{ text: separator }, ...part]));

type Compare = Extract<TypedCondition, { kind: 'compare' }>;

/** Two-valued: a null never makes a part unknown, so NOT around it matches exactly the other rows. */
function comparison({ column, operator, value }: Compare, kind: SqlKind): SqlFragment[] {
  if (value === null) {
    const blank = blankTest(column, kind);
    return [{ text: operator === '=' ? blank : `not (${blank})` }];
  }
  const side = operand(column, kind);
  const test: SqlFragment[] = [{ text: `${side} ${operator} ` }, ...bound(column.Kind, value, kind)];
  const name = quoteName(column.Name, kind);
  if (operator === '<>') return [{ text: `${name} is null or ` }, ...test];
  // Excludes blank texts, which would otherwise sort before all other texts.
  const isOrdered = operator !== '=' && column.Kind === 'Text';
  return [{ text: `${name} is not null and ${isOrdered ? `${side} <> '' and ` : ''}` }, ...test];
}

type Membership = Extract<TypedCondition, { kind: 'in' }>;

function membership({ column, negated, values }: Membership, kind: SqlKind): SqlFragment[] {
  const said = values.filter((value) => value !== null);
  const parts: SqlFragment[][] = [];
  if (said.length > 0) {
    const list = joined(
      said.map((value) => bound(column.Kind, value, kind)),
      ', ',
    );
    const test = `${quoteName(column.Name, kind)} is not null and ${operand(column, kind)} in (`;
    parts.push([{ text: `(${test}` }, ...list, { text: '))' }]);
  }
  if (said.length < values.length) parts.push([{ text: `(${blankTest(column, kind)})` }]);
  // The list is empty, for example the roles of a user who has none.
  const either = parts.length === 0 ? [{ text: '(1 = 0)' }] : bracketed(joined(parts, ' or '));
  return negated ? [{ text: 'not ' }, ...either] : either;
}

function blankTest(column: ConditionColumn, kind: SqlKind): string {
  const isNull = `${quoteName(column.Name, kind)} is null`;
  return column.Kind === 'Text' ? `${isNull} or ${operand(column, kind)} = ''` : isNull;
}

/** Returns the SQL expression of the column for comparisons. */
function operand({ Name, Kind, IsMoney = false }: ConditionColumn, kind: SqlKind): string {
  const name = quoteName(Name, kind);
  if (Kind !== 'Text') return IsMoney && kind === 'pg' ? `${name}::numeric` : name;
  return kind === 'pg' ? folded(`${name}::text`, kind) : folded(`cast(${name} as nvarchar(4000))`, kind);
}

/**
 * Also determines how SQL Server converts to lower case. It is applied to both sides, because one has the column's
 * collation and the other the database's.
 */
const MSSQL_COLLATION = 'Latin1_General_100_BIN2';

/** Converts to lower case without trailing spaces, ordered by code points independently of the database's locale. */
function folded(text: string, kind: SqlKind): string {
  return kind === 'pg' ? `rtrim(lower(${text})) collate "C"` : `rtrim(lower(${text} collate ${MSSQL_COLLATION}))`;
}

const PG_TYPES: Record<ColumnKind, string> = { Text: 'text', Number: 'numeric', Date: 'timestamp', Boolean: 'boolean' };

function bound(columnKind: ColumnKind, value: KindValue, kind: SqlKind): SqlFragment[] {
  const parameter: SqlFragment = { value: sqlValue(columnKind, value) };
  if (kind === 'pg') {
    if (columnKind !== 'Text') return [parameter, { text: `::${PG_TYPES[columnKind]}` }];
    return [{ text: 'rtrim(lower(' }, parameter, { text: '::text)) collate "C"' }];
  }
  if (columnKind === 'Number' && typeof value === 'string') return longNumber(value);
  if (columnKind !== 'Text') return [parameter];
  return [{ text: 'rtrim(lower(' }, parameter, { text: ` collate ${MSSQL_COLLATION}))` }];
}

/**
 * For numbers with more than 15 digits, which a float would round. Source: decimal and numeric (Transact-SQL), a
 * precision of 38 at most.
 */
function longNumber(value: string): SqlFragment[] {
  const { whole, fraction } = digitsNeeded(value)!;
  if (whole + fraction > 38) {
    const float = Number(value);
    if (exactCell(String(float)) !== value) throw new ConditionError(NOT_SUPPORTED);
    return [{ value: float }];
  }
  // Allows SQL Server to use an index of an integer column.
  const type = fraction === 0 && whole <= 18 ? 'bigint' : `decimal(38,${fraction})`;
  return [{ text: `convert(${type}, ` }, { value }, { text: ')' }];
}

function sqlValue(columnKind: ColumnKind, value: KindValue): SqlParameter {
  return columnKind === 'Date' && typeof value === 'number' ? dateOfSerial(value) : value;
}

/**
 * Converts a serial day to a parameter: its date and time become UTC parts. Returns null for days that databases do not
 * know.
 */
export function dateOfSerial(serial: number): Date | null {
  const parts = fromSerial(serial);
  if (!parts || parts.day === 0 || (parts.year === 1900 && parts.month === 2 && parts.day === 29)) return null;
  const { year, month, day, hour, minute, second, millisecond } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
}
