/**
 * Pages of a query's values. The first column of the query are the values, a second one their groups. Each page begins behind
 * the last value of the one before (keyset), so that an index of the table serves page after page, wherever it lies.
 */
import type { NamedConnection, ResultColumn, ResultValue } from '#server/connections/types.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { escapeLike } from '#server/db/dialect/like.ts';
import { bindPieces, quoteName, type SqlKind, type SqlParameter, type SqlPiece } from '#shared/codecs/query-text.ts';
import { dateOfSerial } from '#shared/codecs/condition-sql.ts';
import type { PickerPage, PickerQuery } from '#shared/contract/activities.ts';

/** A query with its parameters bound, and what it answers. */
export interface ValueSource {
  connection: NamedConnection;
  pieces: readonly SqlPiece[];
  value: ResultColumn;
  group: ResultColumn | null;
}

const PAGE = 20;
/** Values that are answered at once where all are asked for. */
const ALL = 10_000;
/** Milliseconds: a person waits for the list. */
export const PICKER_TIME_LIMIT = 20_000;
/** Values looked for in one statement. */
const CHUNK = 500;

export type PageQuery = Pick<
  PickerQuery,
  'Value' | 'Last' | 'First' | 'LastGroup' | 'FirstGroup' | 'FetchNext' | 'FetchPrevious' | 'All'
>;

type Item = PickerPage['Items'][number];

/**
 * A page of values that contain the text, whatever its case. The value that is the text itself comes first of all, so that
 * whoever looks for one value finds it there (specification of activities, section 5).
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

/** Those of the values that the query does not answer. */
export async function missingValues(
  source: ValueSource,
  values: readonly ResultValue[],
  signal: AbortSignal,
): Promise<Set<ResultValue>> {
  const { kind } = source.connection;
  const { value } = columnsOf(source);
  const missing = new Set(values);
  for (let at = 0; at < values.length; at += CHUNK) {
    const chunk = values.slice(at, at + CHUNK).map((one) => parameterOf(one, source.value));
    const said = chunk.filter((one) => one !== undefined);
    if (said.length === 0) continue;
    const list = said.flatMap((one, index): SqlPiece[] => [{ text: index === 0 ? '' : ', ' }, { value: one }]);
    const pieces: SqlPiece[] = [
      { text: `select distinct ${value} from ` },
      ...derived(source),
      { text: ` where ${value} in (` },
      ...list,
      { text: ')' },
    ];
    const { rows } = await run(source.connection, bindPieces(pieces, kind), signal);
    const found = new Set(rows.map(([one]) => comparable(one ?? null)));
    for (const one of missing) if (found.has(comparable(one))) missing.delete(one);
  }
  return missing;
}

/** Texts are the same where the database takes them as the same; its spelling may be another. */
const comparable = (value: ResultValue): ResultValue => (typeof value === 'string' ? value.toLowerCase() : value);

/** The columns that a query answers, found out without reading a row. Throws ConnectionError. */
export async function describeQuery(
  connection: NamedConnection,
  pieces: readonly SqlPiece[],
  signal: AbortSignal,
): Promise<Pick<ValueSource, 'value' | 'group'>> {
  const probe: SqlPiece[] = [{ text: 'select * from (' }, ...pieces, { text: '\n) as picked where 1 = 0' }];
  const { columns } = await run(connection, bindPieces(probe, connection.kind), signal);
  const [value, group = null] = columns;
  if (!value || columns.length > 2) {
    throw new ConnectionError(
      'invalid',
      `The query has ${columns.length} columns: it needs one of values, and may have one of groups`,
    );
  }
  if (columns.some(({ name }) => name === '') || value.name === group?.name) {
    throw new ConnectionError('invalid', 'Each column of the query needs a name of its own');
  }
  return { value, group };
}

const run = (connection: NamedConnection, query: ReturnType<typeof bindPieces>, signal: AbortSignal) =>
  connection.readAll(query, { signal, timeLimit: PICKER_TIME_LIMIT, maxRows: ALL + 1 });

const derived = ({ pieces }: ValueSource): SqlPiece[] => [{ text: '(' }, ...pieces, { text: '\n) as picked' }];

interface Columns {
  value: string;
  /** As it is ordered by: never null, which databases order each in its own way. */
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
  // R: as many digits as tell the number from all others, where CAST gives 6. Source: FORMAT (Transact-SQL), standard numeric format strings.
  return isFloat ? `format(${column}, 'R', 'en-US')` : `cast(${column} as nvarchar(4000))`;
}

interface Wanted {
  text: string;
  /** Where the page begins: value and group. */
  key: { value: SqlParameter; group: string } | null;
  isBack: boolean;
  size: number;
}

function pageSql(source: ValueSource, { text, key, isBack, size }: Wanted): SqlPiece[] {
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

/** Values that contain the text; the text itself is answered apart. */
function searched(source: ValueSource, text: string): SqlPiece[] {
  if (text === '') return [];
  const { kind } = source.connection;
  const { value } = columnsOf(source);
  const shown = textOf(source.value, kind);
  const like: SqlPiece = { value: `%${escapeLike(text)}%` };
  const exact = parameterOfText(text, source.value);
  const contains: SqlPiece[] =
    kind === 'pg'
      ? [{ text: ` and ${shown} ilike ` }, like, { text: " escape '!'" }]
      : [{ text: ` and ${shown} collate Latin1_General_100_CI_AS like ` }, like, { text: " escape '!'" }];
  return exact === undefined ? contains : [...contains, { text: ` and ${value} <> ` }, { value: exact }];
}

function beyond({ value, group }: Columns, key: NonNullable<Wanted['key']>, isBack: boolean): SqlPiece[] {
  const sign = isBack ? '<' : '>';
  const byValue: SqlPiece[] = [{ text: `${value} ${sign} ` }, { value: key.value }];
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
  const value = parameterOfText(text, source.value);
  if (value === undefined) return null;
  if (!source.group || (group !== null && group !== undefined)) return { value, group: group ?? '' };
  return { value, group: (await exactItem(source, text, signal))?.Group ?? '' };
}

async function exactItem(source: ValueSource, text: string, signal: AbortSignal): Promise<Item | null> {
  const exact = parameterOfText(text, source.value);
  if (exact === undefined) return null;
  const { value, group } = columnsOf(source);
  const pieces: SqlPiece[] = [
    { text: `select distinct ${group ? `${group} as picked_group, ` : ''}${value} from ` },
    ...derived(source),
    { text: ` where ${value} = ` },
    { value: exact },
    { text: ` order by ${group ? 'picked_group, ' : ''}${value}` },
  ];
  const [first] = await itemsOf(source, pieces, signal);
  return first ?? null;
}

async function itemsOf(source: ValueSource, pieces: readonly SqlPiece[], signal: AbortSignal): Promise<Item[]> {
  const { rows } = await run(source.connection, bindPieces(pieces, source.connection.kind), signal);
  if (!source.group) return rows.map(([value]) => ({ Value: itemText(value ?? null) }));
  return rows.map(([group, value]) => ({ Value: itemText(value ?? null), Group: String(group ?? '') }));
}

/** As items of lists are: numbers and serial days in digits. */
function itemText(value: ResultValue): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

/** What the text of an item stands for in the query; undefined where the column can have no such value. */
function parameterOfText(text: string, column: ResultColumn): SqlParameter | undefined {
  if (column.kind === 'Number' || column.kind === 'Date') {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(number) ? parameterOf(number, column) : undefined;
  }
  if (column.kind === 'Boolean') return { TRUE: true, FALSE: false }[text.toUpperCase()];
  return text;
}

function parameterOf(value: ResultValue, { kind }: ResultColumn): SqlParameter | undefined {
  if (value === null) return undefined;
  if (kind === 'Date') return typeof value === 'number' ? (dateOfSerial(value) ?? undefined) : undefined;
  if (kind === 'Number') return typeof value === 'number' ? value : undefined;
  if (kind === 'Boolean') return typeof value === 'boolean' ? value : undefined;
  return String(value);
}
