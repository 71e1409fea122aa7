/**
 * Returns pages of a query's values. The first column of the query contains the values, an optional second one their
 * groups. Each page continues after the last value of the previous page (keyset pagination), so an index serves every
 * page equally fast.
 */
import type { NamedConnection, ResultColumn, ResultValue } from '#server/connections/types.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { escapeLike } from '#server/db/dialect/like.ts';
import { bindFragments, quoteName, type SqlKind, type SqlFragment } from '#shared/codecs/query-text.ts';
import type { PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import { comparedFragments, comparedText, comparedValue } from './compared-value.ts';

/** A query with bound parameters, and its result columns. */
export interface ValueSource {
  connection: NamedConnection;
  fragments: readonly SqlFragment[];
  value: ResultColumn;
  group: ResultColumn | null;
  /** True if numbers keep all their digits; numbers with more than 15 digits are then returned as texts. */
  isExact: boolean;
}

const PAGE = 20;
/** Maximum number of values returned if all are requested. */
const ALL = 10_000;
/** In milliseconds. Short, because a person waits for the list. */
export const PICKER_TIME_LIMIT = 20_000;
/** Number of values looked up per statement, which has two parameters for each. SQL Server allows 2100 in all. */
const CHUNK = 500;

export type PageQuery = Pick<
  PickerQuery,
  'Value' | 'Last' | 'First' | 'LastGroup' | 'FirstGroup' | 'FetchNext' | 'FetchPrevious' | 'All'
>;

type Item = PickerPage['Items'][number];

/**
 * Returns a page of values that contain the text, ignoring case. A value that equals the text comes first, so that a
 * search for one value finds it there (specification of activities, section 5).
 */
export async function pageOf(source: ValueSource, query: PageQuery, signal: AbortSignal): Promise<PickerPage> {
  const size = query.All ? ALL : PAGE;
  const text = query.Value ?? '';
  const isBack = query.FetchPrevious === true && query.First != null;
  const isOn = !isBack && query.FetchNext === true && query.Last != null;
  const key = isBack
    ? await keyOf(source, query.First!, query.FirstGroup, signal)
    : isOn
      ? await keyOf(source, query.Last!, query.LastGroup, signal)
      : null;
  const exact = text !== '' && !isBack && !isOn ? await exactItem(source, text, signal) : null;
  const wanted = { text, key, isBack, size: size + 1 };
  const found = await itemsOf(source, pageSql(source, wanted), signal);
  const hasMore = found.length > size;
  const items = found.slice(0, size);
  if (isBack) items.reverse();
  return {
    Items: exact ? [exact, ...items] : items,
    HasMore: isBack || hasMore,
    HasMorePrecedingItems: isBack ? hasMore : isOn,
  };
}

/**
 * Returns those of the values that are not in the query's result. Only the database knows which values are equal: that
 * depends on the column's type and collation.
 */
export async function missingValues(
  source: ValueSource,
  values: readonly ResultValue[],
  signal: AbortSignal,
): Promise<Set<ResultValue>> {
  const missing = new Set(values);
  for (let at = 0; at < values.length; at += CHUNK) {
    const possible = values.slice(at, at + CHUNK).flatMap((one) => {
      const compared = comparedValue(one, source.value);
      const fragment =
        compared === undefined ? undefined : comparedFragments(compared, source.value, source.connection.kind);
      return fragment ? [{ one, place: fragment }] : [];
    });
    if (possible.length === 0) continue;
    const places = possible.map(({ place }) => place);
    const { rows } = await run(source, whichAreThere(source, places), signal);
    for (const [index, { one }] of possible.entries()) if (Number(rows[0]?.[index]) === 1) missing.delete(one);
  }
  return missing;
}

/** Returns a query whose single row has 1 for each of the values that the source contains. */
function whichAreThere(source: ValueSource, places: readonly SqlFragment[][]): SqlFragment[] {
  const { value } = columnsOf(source);
  const flags = places.flatMap((place, index): SqlFragment[] => [
    { text: `${index === 0 ? '' : ', '}max(case when ${value} = ` },
    ...place,
    { text: ` then 1 else 0 end) as v${index}` },
  ]);
  const list = places.flatMap((place, index): SqlFragment[] => [{ text: index === 0 ? '' : ', ' }, ...place]);
  return [
    { text: 'select ' },
    ...flags,
    // Each value is compared with distinct ones only, however many rows contain them.
    { text: ` from (select distinct ${value} from ` },
    ...derived(source),
    { text: ` where ${value} in (` },
    ...list,
    { text: ')) as found' },
  ];
}

/** Returns the result columns of a query without reading rows. Throws a ConnectionError. */
export async function describeQuery(
  connection: NamedConnection,
  fragments: readonly SqlFragment[],
  signal: AbortSignal,
): Promise<Pick<ValueSource, 'value' | 'group'>> {
  const probe: SqlFragment[] = [{ text: 'select * from (' }, ...fragments, { text: '\n) as picked where 1 = 0' }];
  const { columns } = await run({ connection, isExact: false }, probe, signal);
  const [value, group = null] = columns;
  if (!value || columns.length > 2) {
    throw new ConnectionError(
      'invalid',
      `The query has ${columns.length} columns: it needs one column of values and can have one of groups`,
    );
  }
  if (columns.some(({ name }) => name === '') || value.name === group?.name) {
    throw new ConnectionError('invalid', 'Each column of the query needs a unique name');
  }
  return { value, group };
}

const run = (
  { connection, isExact }: Pick<ValueSource, 'connection' | 'isExact'>,
  fragments: readonly SqlFragment[],
  signal: AbortSignal,
) => {
  const options = { signal, timeLimit: PICKER_TIME_LIMIT, maxRows: ALL + 1, exactNumbers: isExact };
  return connection.readAll(bindFragments(fragments, connection.kind), options);
};

const derived = ({ fragments }: ValueSource): SqlFragment[] => [{ text: '(' }, ...fragments, { text: '\n) as picked' }];

interface Columns {
  value: string;
  /** The expression used for ordering. It is never null, because databases order nulls differently. */
  group: string | null;
}

function columnsOf({ connection: { kind }, value, group }: ValueSource): Columns {
  return {
    value: quoteName(value.name, kind),
    group: group && `coalesce(${textOf(group, kind)}, '')`,
  };
}

function textOf({ name, isFloat }: ResultColumn, kind: SqlKind): string {
  const column = quoteName(name, kind);
  if (kind === 'pg') return `${column}::text`;
  // Format R yields enough digits to identify the number; CAST would yield only 6. Source: FORMAT (Transact-SQL),
  // standard numeric format strings.
  return isFloat ? `format(${column}, 'R', 'en-US')` : `cast(${column} as nvarchar(4000))`;
}

interface Wanted {
  text: string;
  /** The value and group after which the page begins. */
  key: { value: SqlFragment[]; group: string } | null;
  isBack: boolean;
  size: number;
}

function pageSql(source: ValueSource, { text, key, isBack, size }: Wanted): SqlFragment[] {
  const { kind } = source.connection;
  const { value, group } = columnsOf(source);
  const selected = group ? `${group} as picked_group, ${value}` : value;
  const direction = isBack ? ' desc' : '';
  const order = `${group ? `picked_group${direction}, ` : ''}${value}${direction}`;
  const top = kind === 'mssql' ? ` top (${size})` : '';
  const limit = kind === 'pg' ? ` limit ${size}` : '';
  return [
    { text: `select distinct${top} ${selected} from ` },
    ...derived(source),
    { text: ` where ${value} is not null` },
    ...searched(source, text),
    ...(key ? beyond({ value, group }, key, isBack) : []),
    { text: ` order by ${order}${limit}` },
  ];
}

/** Restricts the result to values that contain the text, except the text itself, which is looked up separately. */
function searched(source: ValueSource, text: string): SqlFragment[] {
  if (text === '') return [];
  const { kind } = source.connection;
  const { value } = columnsOf(source);
  const shown = textOf(source.value, kind);
  const like: SqlFragment = { value: `%${escapeLike(text)}%` };
  const exact = itemFragments(source, text);
  const contains: SqlFragment[] =
    kind === 'pg'
      ? [{ text: ` and ${shown} ilike ` }, like, { text: " escape '!'" }]
      : [{ text: ` and ${shown} collate Latin1_General_100_CI_AS like ` }, like, { text: " escape '!'" }];
  return exact === undefined ? contains : [...contains, { text: ` and ${value} <> ` }, ...exact];
}

function beyond({ value, group }: Columns, key: NonNullable<Wanted['key']>, isBack: boolean): SqlFragment[] {
  const sign = isBack ? '<' : '>';
  const byValue: SqlFragment[] = [{ text: `${value} ${sign} ` }, ...key.value];
  if (!group) return [{ text: ' and ' }, ...byValue];
  return [
    { text: ` and (${group} ${sign} ` },
    { value: key.group },
    { text: ` or (${group} = ` },
    { value: key.group },
    { text: ' and ' },
    ...byValue,
    { text: '))' },
  ];
}

async function keyOf(
  source: ValueSource,
  text: string,
  group: string | null | undefined,
  signal: AbortSignal,
): Promise<Wanted['key']> {
  const value = itemFragments(source, text);
  if (value === undefined) return null;
  if (!source.group || (group !== null && group !== undefined)) return { value, group: group ?? '' };
  return { value, group: (await exactItem(source, text, signal))?.Group ?? '' };
}

async function exactItem(source: ValueSource, text: string, signal: AbortSignal): Promise<Item | null> {
  const exact = itemFragments(source, text);
  if (exact === undefined) return null;
  const { value, group } = columnsOf(source);
  const fragments: SqlFragment[] = [
    { text: `select distinct ${group ? `${group} as picked_group, ` : ''}${value} from ` },
    ...derived(source),
    { text: ` where ${value} = ` },
    ...exact,
    { text: ` order by ${group ? 'picked_group, ' : ''}${value}` },
  ];
  const [first] = await itemsOf(source, fragments, signal);
  return first ?? null;
}

/** Returns the SQL fragments for the text of an item; undefined if the column cannot contain such a value. */
function itemFragments({ value, connection: { kind } }: ValueSource, text: string): SqlFragment[] | undefined {
  const compared = comparedText(text, value);
  return compared === undefined ? undefined : comparedFragments(compared, value, kind);
}

async function itemsOf(source: ValueSource, pieces: readonly SqlFragment[], signal: AbortSignal): Promise<Item[]> {
  const { rows } = await run(source, pieces, signal);
  if (!source.group) return rows.map(([value]) => ({ Value: itemText(value ?? null) }));
  return rows.map(([group, value]) => ({ Value: itemText(value ?? null), Group: String(group ?? '') }));
}

/** Formats a value like the items of lists: numbers and serial days as digits. */
function itemText(value: ResultValue): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}
