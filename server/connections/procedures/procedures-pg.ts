import type { ConnectionTarget } from '../connection-target.ts';
import { callPg } from './call-pg.ts';
import { describePg, listPg, type PgCallable } from './catalog-pg.ts';
import { KnownDescriptions } from './known-descriptions.ts';
import type { CallBounds, ProcedureDatabase } from './procedure-database.ts';
import { withPgSession, type PgSession } from './session-pg.ts';

export function proceduresOfPg(target: ConnectionTarget, schemas: readonly string[]): ProcedureDatabase {
  const known = new KnownDescriptions<PgCallable>(target.name);
  return {
    list: (bounds) => readCatalog(target, bounds, (client) => listPg(client, schemas)),
    describe: async (name, bounds) => {
      const found = await readCatalog(target, bounds, (client) => describePg(client, schemas, name));
      return found === null ? null : known.add(found.description, found.callable);
    },
    call: ({ procedure, arguments: args, mode }, { signal, timeLimit }, callbacks) => {
      const callable = known.of(procedure);
      const { timeZone } = target;
      return withPgSession(target, signal, (client) =>
        callPg(client, {
          description: procedure,
          callable,
          arguments: args,
          mode,
          signal,
          timeLimit,
          timeZone,
          ...callbacks,
        }),
      );
    },
  };
}

/** Reads the catalog with names that include their schemas, whatever the search_path of the login is. */
function readCatalog<T>(
  target: ConnectionTarget,
  { signal, timeLimit }: CallBounds,
  read: (client: PgSession) => Promise<T>,
): Promise<T> {
  const limit = `set local statement_timeout = ${Math.ceil(timeLimit)}`;
  const work = async (client: PgSession): Promise<T> => {
    await client.query(`begin read only; set local search_path = pg_catalog; ${limit}`);
    return read(client);
  };
  return withPgSession(target, signal, work, { isCatalog: true });
}
