/**
 * The peer of a table view: a route on the same server stack that sends an SQL statement and returns its rows without
 * checking rights.
 */
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { IdParams, post, signedIn } from '#shared/contract/endpoint.ts';
import { FilterCriteria, TableValues } from '#shared/contract/tableviews.ts';
import { createDatabase } from '#server/db/database.ts';
import { createHttpServer } from '#server/http/http-server.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';

const bareRows = post('/api/bare/:id', {
  access: signedIn,
  summary: 'The rows of a statement',
  parts: { params: IdParams, body: FilterCriteria, result: TableValues },
});

export interface BareRoute {
  /** Requests the rows of one of the statements by its number, counted from 1. */
  ask(statement: number, criteria: FilterCriteria): Promise<void>;
  stop(): Promise<void>;
}

/** @param answer the remaining fields of the table view's response, to send the same number of bytes */
export async function startBareRoute(
  databaseUrl: string,
  statements: readonly string[],
  answer: Omit<TableValues, 'Rows'>,
): Promise<BareRoute> {
  const person = {
    SessionId: 's',
    UserId: 1,
    UserName: 'bench',
    FirstName: '',
    LastName: '',
    Source: 'Local',
  } as const;
  const app = await createHttpServer({
    pageSettings: { title: '' },
    frameOrigins: [],
    log: pino({ level: 'silent' }),
    guard: { authenticate: async () => ({ ...person, IsUserAdmin: false }), mayCall: async () => true },
    outageOf: () => null,
    version: '0',
    basePath: '/',
    trustedProxies: [],
    secure: false,
    maxUploadBytes: 1000,
    callsPerMinute: 10_000_000,
    rendererFolder: tmpdir(),
  });
  const database = createDatabase({ url: databaseUrl, poolSize: 4 });
  registerEndpoint(app, bareRows, async ({ params }) => {
    const { rows } = (await database.knex.raw(statements[params.id - 1]!)) as { rows: Record<string, string | null>[] };
    return { ...answer, Rows: rows.map((row) => Object.values(row)) };
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ask: async (statement, criteria) => {
      const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
      const body = JSON.stringify(criteria);
      const answered = await fetch(`${address}/api/bare/${statement}`, { method: 'POST', headers, body });
      if (!answered.ok) throw new Error(await answered.text());
      await answered.json();
    },
    stop: async () => {
      await app.close();
      await database.close();
    },
  };
}
