import { createRequire } from 'node:module';
import { MSSQL_EXACT } from './dialect/mssql.ts';

const require = createRequire(import.meta.url);

/** What is used here of Knex's compilers for SQL Server, which have no types of their own. */
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

/** Texts are told apart to the letter, as on PostgreSQL, whatever collation the database has. */
export class MssqlColumnCompiler extends BaseColumns {
  override varchar(length?: number): string {
    return `${super.varchar(length)} collate ${MSSQL_EXACT}`;
  }
}
MssqlColumnCompiler.prototype.text = `nvarchar(max) collate ${MSSQL_EXACT}`;

/** A statement for each column that is dropped: servers of other makers take no list of them. */
export class MssqlTableCompiler extends BaseTables {
  override dropColumn(...columns: (string | string[])[]): void {
    for (const column of columns.flat()) super.dropColumn(column);
  }
}

/** A statement takes 2,100 values and may have several lists: a longer one than this goes as one value. */
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

/** How a list is read out of JSON; undefined for values that JSON has no such thing for. */
function listOf(values: readonly unknown[]): { type: string; read: string } | undefined {
  if (values.every(Number.isSafeInteger)) return { type: 'bigint', read: '[Item]' };
  // A text longer than that is in no column that is looked up.
  if (values.every((value) => typeof value === 'string' && value.length <= 4000))
    return { type: 'nvarchar(4000)', read: `[Item] collate ${MSSQL_EXACT}` };
  return undefined;
}
