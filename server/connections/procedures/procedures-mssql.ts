import type { ConnectionTarget } from '../connection-target.ts';
import { readMssql } from '../read-mssql.ts';
import type { ResultValue } from '../types.ts';
import { callMssql } from './call-mssql.ts';
import { describeMssql, listMssql, type MssqlCallable, type MssqlQuery } from './catalog-mssql.ts';
import { KnownDescriptions } from './known-descriptions.ts';
import type { ProcedureDatabase } from './procedure-database.ts';
import { withMssqlSession } from './session-mssql.ts';

const BATCH_ROWS = 1000;

export function proceduresOfMssql(target: ConnectionTarget, schemas: readonly string[]): ProcedureDatabase {
  const known = new KnownDescriptions<MssqlCallable>(target.name);
  const { database, timeZone } = target;
  const reading =
    (signal: AbortSignal): MssqlQuery =>
    async (query) => {
      const rows: (readonly ResultValue[])[] = [];
      for await (const batch of readMssql(database.knex, query, signal, { timeZone, batchRows: BATCH_ROWS })) {
        for (const row of batch.rows) rows.push(row);
      }
      return rows;
    };
  return {
    list: ({ signal }) => listMssql(reading(signal), schemas),
    describe: async (name, { signal }) => {
      const found = await describeMssql(reading(signal), schemas, name);
      signal.throwIfAborted();
      return found === null ? null : known.add(found.description, found.callable);
    },
    call: async ({ procedure, arguments: args, mode }, { signal }, callbacks) => {
      const callable = known.of(procedure);
      return withMssqlSession(target, signal, (connection) =>
        callMssql(connection, { callable, arguments: args, mode, signal, timeZone, ...callbacks }),
      );
    },
  };
}
