import { createRequire } from 'node:module';
import { MSSQL_EXACT } from './dialect/mssql.ts';

const require = createRequire(import.meta.url);

/** The parts used here of Knex's compilers for SQL Server, which have no types. */
interface ColumnCompilerBase {
  varchar(length?: number): string;
  text: string;
}

interface InStatement {
  value: unknown;
}

interface QueryCompilerBase {
  client: { parameter(value: unknown, builder: unknown, bindings: unknown): string };
  builder: unknown;
  bindingsHolder: unknown;
  whereIn(statement: InStatement): string;
  _columnClause(statement: InStatement): string;
  _not(statement: InStatement, text: string): string;
}

interface TableCompilerBase {
  dropColumn(...columns: (string | string[])[]): void;
}

type Constructor<T> = new (...args: never[]) => T;

const BaseColumns =
  require('knex/lib/dialects/mssql/schema/mssql-columncompiler.js') as Constructor<ColumnCompilerBase>;
const BaseTables = require('knex/lib/dialects/mssql/schema/mssql-tablecompiler.js') as Constructor<TableCompilerBase>;
const BaseQueries = require('knex/lib/dialects/mssql/query/mssql-querycompiler.js') as Constructor<QueryCompilerBase>;

/** Text columns compare exactly, as on PostgreSQL, whatever the collation of the database. */
export class MssqlColumnCompiler extends BaseColumns {
  override varchar(length?: number): string {
    return `${super.varchar(length)} collate ${MSSQL_EXACT}`;
  }
}
MssqlColumnCompiler.prototype.text = `nvarchar(max) collate ${MSSQL_EXACT}`;

/** Drops each column in its own statement: SQL Server-compatible servers of other vendors accept no list. */
export class MssqlTableCompiler extends BaseTables {
  override dropColumn(...columns: (string | string[])[]): void {
    for (const column of columns.flat()) super.dropColumn(column);
  }
}

/** A statement accepts 2,100 values and may have several lists: longer lists than this are sent as one JSON value. */
const LONG_LIST = 100;

export class MssqlQueryCompiler extends BaseQueries {
  override whereIn(statement: InStatement): string {
    const { value } = statement;
    if (!Array.isArray(value) || value.length <= LONG_LIST) return super.whereIn(statement);
    const list = listOf(value as unknown[]);
    if (list === undefined) return super.whereIn(statement);
    const json = this.client.parameter(JSON.stringify(value), this.builder, this.bindingsHolder);
    return `${this._columnClause(statement)} ${this._not(statement, 'in ')}(select ${list.read} from openjson(${json}) with ([Item] ${list.type} '$'))`;
  }
}

/** Returns how to read a list from JSON; undefined for values that JSON cannot represent. */
function listOf(values: readonly unknown[]): { type: string; read: string } | undefined {
  if (values.every(Number.isSafeInteger)) return { type: 'bigint', read: '[Item]' };
  // Longer texts do not occur in columns that are looked up.
  if (values.every((value) => typeof value === 'string' && value.length <= 4000))
    return { type: 'nvarchar(4000)', read: `[Item] collate ${MSSQL_EXACT}` };
  return undefined;
}
