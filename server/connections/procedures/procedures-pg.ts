import type { ConnectionTarget } from '../connections.ts';
import { callPg } from './call-pg.ts';
import { describePg, listPg, type PgCallable } from './catalog-pg.ts';
import { KnownDescriptions } from './known-descriptions.ts';
import type { ProcedureDatabase } from './procedures.ts';
import { withPgSession, type PgSession } from './session-pg.ts';

export function proceduresOfPg(target: ConnectionTarget, schemas: readonly string[]): ProcedureDatabase {
  const known = new KnownDescriptions<PgCallable>(target.name);
  return {
    list: ({ signal, timeLimit }) =>
      withPgSession(target, signal, async (client) => {
        await readCatalog(client, timeLimit);
        return listPg(client, schemas);
      }),
    describe: (name, { signal, timeLimit }) =>
      withPgSession(target, signal, async (client) => {
        await readCatalog(client, timeLimit);
        const found = await describePg(client, schemas, name);
        return found === null ? null : known.add(found.description, found.callable);
      }),
    call: ({ procedure, arguments: given, mode }, { signal, timeLimit }, callbacks) => {
      const callable = known.of(procedure);
      const { timeZone } = target;
      return withPgSession(target, signal, (client) =>
        callPg(client, {
          description: procedure,
          callable,
          arguments: given,
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

/** Names stand with their schemas, whatever the login's search_path is. */
async function readCatalog(client: PgSession, timeLimit: number): Promise<void> {
  await client.query(
    `begin read only; set local search_path = pg_catalog; set local statement_timeout = ${Math.ceil(timeLimit)}`,
  );
}
