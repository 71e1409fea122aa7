/** Lists, creates and changes views of tables. */
import type { Knex } from 'knex';
import { Compile } from 'typebox/compile';
import { AppError } from '#server/base/app-error.ts';
import type { Holder, Person } from '#server/base/person.ts';
import { recordEdit, revisionOf, type EditedRecord, type SeenBy } from '#server/access/edits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { findTable, listTables } from '#server/connections/tables/catalog.ts';
import { fullName, type CatalogTable } from '#server/connections/tables/types.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { NamedConnection } from '#server/connections/types.ts';
import type { Database } from '#server/db/database.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import {
  ViewInfo,
  type ConnectionTable,
  type createTableView,
  type sampleTableRows,
  type TableColumn,
  type TableView,
  type TableViewItem,
  type updateTableView,
} from '#shared/contract/tableviews.ts';
import { cleanViewName, tableViewIssues } from '#shared/rules/table-view-rules.ts';
import { conditionIssue } from '#shared/codecs/condition-columns.ts';
import { bindFragments } from '#shared/codecs/query-text.ts';
import { comparedColumns } from '#server/connections/tables/compared-columns.ts';
import { pageSql } from '#server/connections/tables/page-sql.ts';
import { asking, type TableAccess } from './table-access.ts';
import {
  deleteView,
  findView,
  insertView,
  listViews,
  updateViewInfo,
  type StoredView,
} from './table-views-repository.ts';

const SAMPLE_ROWS = 5;
/** Maximum number of characters of a text in a sample. */
const SAMPLE_TEXT = 200;
/** In milliseconds. */
const SAMPLE_TIME_LIMIT = 10_000;

export interface TableViewsService {
  list(person: Person): Promise<TableViewItem[]>;
  tables(person: Person, signal: AbortSignal): Promise<{ Items: ConnectionTable[]; Messages: string[] }>;
  columns(person: Person, table: string, connection: string | undefined, signal: AbortSignal): Promise<TableColumn[]>;
  /** Throws an AppError 404 if the person may not see the view. */
  find(person: Person, id: number): Promise<StoredView>;
  /** Returns the view as it is shown. Its row condition is only included for people who may change it. */
  details(person: Person, id: number): Promise<TableView>;
  /** Throws an AppError viewNameTaken if the table already has a view with that name. */
  create(person: Holder, view: BodyOf<typeof createTableView>, signal: AbortSignal): Promise<number>;
  update(person: Person, view: BodyOf<typeof updateTableView>, signal: AbortSignal): Promise<void>;
  delete(person: Person, id: number): Promise<void>;
  sample(
    person: Person,
    table: BodyOf<typeof sampleTableRows>,
    signal: AbortSignal,
  ): Promise<ResultOf<typeof sampleTableRows>>;
}

const viewOf = (id: number): EditedRecord => ({ table: 'TableViews', key: id });

export function createTableViewsService(database: Database, access: TableAccess): TableViewsService {
  const { knex, dialect } = database;
  const { tableOf, columns } = createTableFinder(access);

  async function find(person: Person, id: number): Promise<StoredView> {
    const view = await findView(knex, id);
    if (!view || !(await access.connectionFor(person, view.ConnectionName, view.TableName))) throw viewNotFound();
    return view;
  }

  return {
    find,
    columns,
    details: async (person, id) => {
      const Revision = await revisionOf(knex, viewOf(id));
      const view = await find(person, id);
      const shown = (await access.canManage(person)) ? view : withoutCondition(view);
      return { ...shown, Revision };
    },
    list: async (person) => {
      const mayView = await access.filter(person);
      return (await listViews(knex)).filter(({ ConnectionName, TableName }) => mayView(ConnectionName, TableName));
    },
    tables: async (person, signal) => {
      const mayView = await access.filter(person);
      const connections = await access.connections(person);
      const asked = await Promise.all(connections.map((connection) => tablesOf(connection, mayView, signal)));
      return {
        Items: asked.flatMap(({ Items }) => Items),
        Messages: asked.flatMap(({ Message }) => (Message === null ? [] : [Message])),
      };
    },
    create: async (person, { ConnectionName, TableName, ViewName, ViewInfo: info }, signal) => {
      const { connection, table } = await tableOf(person, ConnectionName, TableName, signal);
      const row = {
        ConnectionName: connection.name,
        TableName: fullName(table.table),
        ViewName: cleanViewName(ViewName),
        ViewInfo: checkedInfo({ TableName, ViewName, ViewInfo: info }, table),
      };
      try {
        return await insertView(knex, row);
      } catch (error) {
        if (dialect.classify(error).fault !== 'unique') throw error;
        throw refused('ViewName', 'The table already has a view with this name', 'viewNameTaken');
      }
    },
    update: async (person, { Id, ViewInfo: info, Revision }, signal) => {
      const view = await find(person, Id);
      const { table } = await tableOf(person, view.ConnectionName, view.TableName, signal);
      await storeInfo(knex, { Id, ViewInfo: checkedInfo({ ...view, ViewInfo: info }, table) }, { person, Revision });
    },
    delete: async (person, id) => {
      await find(person, id);
      await deleteView(knex, id);
    },
    sample: async (person, { ConnectionName, TableName }, signal) => {
      const { connection, table } = await tableOf(person, ConnectionName, TableName, signal);
      return asking(() => sampleOf(connection, table, signal));
    },
  };
}

const storeInfo = (
  knex: Knex,
  { Id, ViewInfo: info }: Pick<StoredView, 'Id' | 'ViewInfo'>,
  seen: SeenBy,
): Promise<void> =>
  inTransaction(knex, async (trx) => {
    await recordEdit(trx, viewOf(Id), seen);
    await updateViewInfo(trx, Id, info);
  });

/** Finds tables for which the person may create views. Both functions throw an AppError 404 for other tables. */
function createTableFinder(access: TableAccess) {
  /** @param connection if undefined, the only connection that the person may use */
  async function tableOf(person: Holder, connection: string | undefined, name: string, signal: AbortSignal) {
    const usable = await access.connections(person);
    if (connection === undefined && usable.length > 1)
      throw new AppError('connectionMissing', 400, `Specify the connection of '${name}': you can use several`);
    const found = usable.find((one) => connection === undefined || one.name.toLowerCase() === connection.toLowerCase());
    const table = found && (await asking(() => findTable(found, name, signal)));
    if (!found || !table || !(await access.connectionFor(person, found.name, fullName(table.table))))
      throw noTable(name);
    return { connection: found, table };
  }

  const columns: TableViewsService['columns'] = async (person, table, connection, signal) =>
    columnsOf((await tableOf(person, connection, table, signal)).table);

  return { tableOf, columns };
}

async function tablesOf(
  connection: NamedConnection,
  mayView: (connection: string, table: string) => boolean,
  signal: AbortSignal,
): Promise<{ Items: ConnectionTable[]; Message: string | null }> {
  try {
    const names = (await listTables(connection, signal)).map(fullName);
    const shown = names.filter((name) => mayView(connection.name, name));
    return { Items: shown.map((TableName) => ({ ConnectionName: connection.name, TableName })), Message: null };
  } catch (error) {
    // One unreachable database must not hide the tables of the others.
    if (!(error instanceof ConnectionError)) throw error;
    return { Items: [], Message: error.message };
  }
}

const columnsOf = ({ columns }: CatalogTable): TableColumn[] =>
  columns.map(({ name, type }) => ({ ColumnName: name, DataType: type }));

/** Returns the columns to store, with the data types of the catalog. Throws an AppError 400. */
function checkedInfo(view: Pick<TableView, 'TableName' | 'ViewName' | 'ViewInfo'>, table: CatalogTable): string {
  const { Columns, RowCondition = '' } = parseViewInfo(view.ViewInfo);
  const [issue] = tableViewIssues({ ...view, Columns });
  if (issue) throw refused(issue.field, issue.message);
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const unknown = Columns.find(({ ColumnName }) => !types.has(ColumnName));
  if (unknown) throw refused('Columns', `The table has no column ${unknown.ColumnName}`);
  const storedColumns = Columns.map((column) => ({
    ...column,
    DisplayName: column.DisplayName.trim(),
    DataType: types.get(column.ColumnName)!,
  }));
  const conditionProblem = conditionIssue(RowCondition, comparedColumns(table.columns), ANYBODY);
  if (conditionProblem !== null) throw refused('RowCondition', conditionProblem);
  const condition = RowCondition.trim() === '' ? {} : { RowCondition: RowCondition.trim() };
  return JSON.stringify({ Columns: storedColumns, ...condition } satisfies ViewInfo);
}

/** Placeholder for the person when a condition is validated. */
const ANYBODY = { UserName: 'somebody', Roles: ['some role'] };

function withoutCondition(view: StoredView): StoredView {
  const { RowCondition: _, ...info } = parseViewInfo(view.ViewInfo);
  return { ...view, ViewInfo: JSON.stringify(info) };
}

async function sampleOf(
  connection: NamedConnection,
  table: CatalogTable,
  signal: AbortSignal,
): Promise<ResultOf<typeof sampleTableRows>> {
  const read = { table, columns: table.columns, filters: [], conditions: [], sort: [], after: null };
  // The sample is not ordered: the first rows of a key may be years old, and those of a view would have to be sorted.
  const fragments = pageSql(
    { ...read, table: { ...table, key: [] }, limit: SAMPLE_ROWS, cutAt: SAMPLE_TEXT },
    connection.kind,
  );
  const { rows } = await connection.readAll(bindFragments(fragments, connection.kind), {
    signal,
    timeLimit: SAMPLE_TIME_LIMIT,
  });
  return {
    Columns: table.columns.map(({ name, kind }) => ({ ColumnName: name, FilterKind: kind })),
    Rows: rows.map((row) => row.map((value) => (value === null ? null : String(value)))),
  };
}

/** Compiled, because each read of a view parses its columns and a compiled schema validates them much faster. */
const VIEW_INFO = Compile(ViewInfo);

/** Parses the text of a view. Throws an AppError 400. */
export function parseViewInfo(text: string): ViewInfo {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (cause) {
    throw new AppError('viewInvalid', 400, 'ViewInfo is not valid JSON', { cause });
  }
  if (VIEW_INFO.Check(sent)) return sent;
  const [first] = VIEW_INFO.Errors(sent);
  const where = first?.instancePath ? ` (${first.instancePath})` : '';
  throw new AppError('viewInvalid', 400, `ViewInfo must be {Columns}, each with its six fields${where}`);
}

const refused = (field: string, message: string, code = 'viewInvalid'): AppError =>
  new AppError(code, 400, message, { modelState: { [field]: [message] } });

const viewNotFound = (): AppError => new AppError('viewNotFound', 404, 'There is no such table view');

export const noTable = (name: string): AppError => new AppError('tableNotFound', 404, `There is no table '${name}'`);
