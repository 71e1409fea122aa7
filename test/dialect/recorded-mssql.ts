import type { Knex } from 'knex';
import type { Request } from 'tedious';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';

export interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

export interface RecordedMssql extends Database {
  /** What would have gone to the server so far. */
  statements: Statement[];
}

/** What Knex's client asks of its pool. */
interface Pooling {
  acquireConnection(): Promise<unknown>;
  releaseConnection(): Promise<void>;
}

/** A SQL Server database without a server: it records each statement as the driver would send it, and answers one row of zeros. */
export function recordedMssql(): RecordedMssql {
  const database = createDatabase({ url: 'mssql://nobody:nothing@localhost/none' });
  const statements: Statement[] = [];
  const done = (answer: (error: null) => void): void => answer(null);
  const execute = (request: Request): void => {
    const { sqlTextOrProcedure: sql, parameters } = request as unknown as SentRequest;
    statements.push({ sql, bindings: parameters.map(({ type, value }) => `${type.name} ${JSON.stringify(value)}`) });
    request.emit('row', [zero(''), zero('Result')]);
    request.emit('requestCompleted');
  };
  const connection = {
    state: { name: 'LoggedIn' },
    beginTransaction: done,
    commitTransaction: done,
    rollbackTransaction: done,
    execSql: execute,
    execSqlBatch: execute,
  };
  const pooling = database.knex.client as Pooling;
  pooling.acquireConnection = async () => connection;
  pooling.releaseConnection = async () => {};
  return { ...database, statements };
}

/** What tedious keeps of a request. */
interface SentRequest {
  sqlTextOrProcedure: string;
  parameters: { type: { name: string }; value: unknown }[];
}

function zero(colName: string): { value: number; metadata: { colName: string; type: { name: string } } } {
  return { value: 0, metadata: { colName, type: { name: 'Int' } } };
}

/** An expression as a statement of its own. */
export function statementOf(expression: Knex.Raw | Knex.QueryBuilder): Statement {
  const { sql, bindings } = expression.toSQL().toNative();
  return { sql, bindings: bindings as readonly unknown[] };
}
