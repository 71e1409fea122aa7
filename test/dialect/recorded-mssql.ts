import type { Knex } from 'knex';
import type { Request } from 'tedious';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';

export interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

export interface RecordedMssql extends Database {
  /** The statements that would have been sent to the server so far. */
  statements: Statement[];
  /** How each was sent: by sp_executesql, or as a plain batch. */
  sentAs: ('procedure' | 'batch')[];
  connection: RecordedConnection;
}

export interface RecordedConnection {
  state: { name: string };
  inTransaction: boolean;
  /** Ends the statement without a response. Like the driver, it notifies the request only when the server is done. */
  cancel?: () => boolean;
}

/** A cell of a result: column, the driver's type name, value. */
export type Cell = [column: string, type: string, value: unknown];
/**
 * The server's response to a statement: one row, no row if there are no cells, an error, or nothing until the statement
 * is cancelled.
 */
export type Answer = (sql: string) => Cell[] | Error | undefined;

/** The methods that Knex's client requires of its pool. */
interface Pooling {
  acquireConnection(): Promise<unknown>;
  releaseConnection(): Promise<void>;
}

const zeros: Answer = () => [
  ['', 'Int', 0],
  ['Result', 'Int', 0],
];

/**
 * A SQL Server database without a server. It records each statement as the driver would send it and returns one row, of
 * zeros by default.
 */
export function recordedMssql(answer: Answer = zeros): RecordedMssql {
  const database = createDatabase({ url: 'mssql://nobody:nothing@localhost/none' });
  const statements: Statement[] = [];
  const sentAs: RecordedMssql['sentAs'] = [];
  const state: RecordedConnection = { state: { name: 'LoggedIn' }, inTransaction: false };
  const execute = (request: Request): void => {
    const { sqlTextOrProcedure: sql, parameters, callback } = request as unknown as SentRequest;
    // Like the driver, a connection handles one request at a time.
    if (state.state.name !== 'LoggedIn')
      return callback.call(request, fault('Requests can only be made in the LoggedIn state', 'EINVALIDSTATE'));
    statements.push({ sql, bindings: parameters.map(({ type, value }) => `${type.name} ${JSON.stringify(value)}`) });
    const answered = answer(sql);
    if (answered === undefined) return waitForCancel(state, (error) => callback.call(request, error));
    if (answered instanceof Error) return callback.call(request, answered);
    if (answered.length > 0)
      request.emit(
        'row',
        answered.map(([colName, name, value]) => ({ value, metadata: { colName, type: { name } } })),
      );
    callback.call(request, null);
  };
  const connection = Object.assign(state, {
    ...transactions(state),
    execSql: (request: Request): void => {
      sentAs.push('procedure');
      execute(request);
    },
    execSqlBatch: (request: Request): void => {
      sentAs.push('batch');
      execute(request);
    },
  });
  const pooling = database.knex.client as Pooling;
  pooling.acquireConnection = async () => connection;
  pooling.releaseConnection = async () => {};
  return { ...database, statements, sentAs, connection };
}

function waitForCancel(state: RecordedConnection, end: Done): void {
  state.state = { name: 'SentClientRequest' };
  Object.assign(state, {
    cancel: () => {
      state.state = { name: 'SentAttention' };
      setImmediate(() => {
        state.state = { name: 'LoggedIn' };
        end(fault('Canceled.', 'ECANCEL'));
      });
      return true;
    },
  });
}

type Done = (error: Error | null) => void;

function transactions(connection: RecordedConnection) {
  const now = (inTransaction: boolean) => (done: Done) => {
    connection.inTransaction = inTransaction;
    done(null);
  };
  return { beginTransaction: now(true), commitTransaction: now(false), rollbackTransaction: now(false) };
}

/** Creates an error like the driver's. */
export function fault(message: string, code: string, number?: number): Error {
  return Object.assign(new Error(message), { code, ...(number === undefined ? {} : { number }) });
}

/** The fields of a tedious request. */
interface SentRequest {
  sqlTextOrProcedure: string;
  parameters: { type: { name: string }; value: unknown }[];
  callback: (error: Error | null) => void;
}

/** Returns an expression as a separate statement. */
export function statementOf(expression: Knex.Raw | Knex.QueryBuilder): Statement {
  const { sql, bindings } = expression.toSQL().toNative();
  return { sql, bindings: bindings as readonly unknown[] };
}
