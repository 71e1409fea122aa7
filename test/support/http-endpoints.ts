/** A server with a few endpoints of every kind, and pages as in the built renderer. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Type } from 'typebox';
import { closed, get, needs, nullable, post, publicAccess, signedIn, Timestamp } from '#shared/contract/endpoint.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { createHttpServer, type HttpOptions } from '#server/http/http-server.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';

const PERSON: Person = {
  UserId: 1,
  UserName: 'anna',
  FirstName: 'Anna',
  LastName: 'Arnold',
  Source: 'Local',
  IsUserAdmin: false,
  SessionId: 's',
};

const Item = closed({ Id: Type.Integer(), Name: Type.String(), Note: nullable(Type.String()) });

const echo = post('/api/echo/:id', {
  access: publicAccess,
  summary: 'Says what it was told',
  parts: {
    params: closed({ id: Type.Integer({ minimum: 1 }) }),
    query: closed({ deep: Type.Optional(Type.Boolean()) }),
    body: closed({
      Count: Type.Integer(),
      Inputs: Type.Array(closed({ Value: nullable(Type.String({ maxLength: 5 })) })),
      Kind: Type.Optional(Type.Enum(['a', 'b'])),
      Time: Type.Optional(Timestamp),
      Note: Type.Optional(Type.String()),
    }),
    result: closed({ id: Type.Integer(), deep: nullable(Type.Boolean()), Count: Type.Integer() }),
  },
});
export const item = get('/api/item', { access: publicAccess, summary: 'An item', parts: { result: Item } });
const noBody = post('/api/nobody', { access: publicAccess, summary: 'Takes nothing', parts: { result: Type.Null() } });
export const who = get('/api/who', { access: signedIn, summary: 'Who am I', parts: { result: Type.String() } });
const manage = get('/api/manage', { access: needs('sk.ManageUsers'), summary: 'x', parts: { result: Type.String() } });
const failing = (transport: 'json' | 'form' | 'multipart') =>
  post(`/api/failing/${transport}/:how`, {
    access: publicAccess,
    summary: 'Fails',
    transport,
    parts: {
      params: closed({ how: Type.String() }),
      ...(transport === 'form' ? { body: closed({ a: Type.String() }) } : {}),
    },
  });
const slow = post('/api/slow', { access: publicAccess, summary: 'x', parts: { result: Type.Null() } });

function fail(how: string): never {
  if (how === 'outage') throw new Error('outage');
  if (how === 'bug') throw new Error('secret detail', { cause: new Error('deep cause') });
  throw new AppError('broken', 422, 'It is broken', { modelState: { Name: ['wrong'] }, answer: { Faults: [] } });
}

export function registerAll(server: FastifyInstance): void {
  registerPublicEndpoint(server, echo, ({ params, query, body }) => ({
    id: params.id,
    deep: query.deep ?? null,
    Count: body.Count,
  }));
  registerPublicEndpoint(
    server,
    item,
    () => ({ Id: 1, Name: 'x', Note: null, Secret: 'not in the contract' }) as never,
  );
  registerPublicEndpoint(server, noBody, () => null);
  registerEndpoint(server, who, ({ person }) => person.UserName);
  registerEndpoint(server, manage, () => 'in');
  for (const transport of ['json', 'form', 'multipart'] as const) {
    registerPublicEndpoint(server, failing(transport), ({ params }) => fail(params.how));
  }
  registerPublicEndpoint(server, slow, () => null, { callsPerMinute: 2, bodyLimit: 10 });
}

export interface EndpointServer {
  app: FastifyInstance;
  /** Lines of the log. */
  logged: string[];
  /** Creates another server without the endpoints. */
  createServer: (changes?: Partial<HttpOptions>) => Promise<FastifyInstance>;
  close: () => Promise<void>;
}

export async function serveEndpoints(): Promise<EndpointServer> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/app-1a2b.js'), 'run()');
  await writeFile(join(folder, 'robots.txt'), 'no');
  await mkdir(join(folder, 'excel/assets'), { recursive: true });
  await writeFile(
    join(folder, 'excel/index.html'),
    '<!doctype html><head><base href="/excel/" /></head><body>pane</body>',
  );
  await writeFile(join(folder, 'excel/assets/pane-1a2b.js'), 'pane()');
  await writeFile(join(folder, 'excel/icon-32.png'), 'icon');
  await writeFile(join(folder, 'excel/secret.txt'), 'no');
  await writeFile(join(folder, 'index.html'), '<!doctype html><head><base href="/" /></head><body>portal</body>');
  const logged: string[] = [];
  const createServer: EndpointServer['createServer'] = async (changes = {}) =>
    createHttpServer({
      pageSettings: { title: 'Portal' },
      frameOrigins: [],
      log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
      guard: {
        authenticate: async (token) => {
          if (token !== 'good') throw new AppError('notSignedIn', 401, 'no');
          return PERSON;
        },
        mayCall: async (_person, access) => access.kind !== 'right',
      },
      outageOf: (error) => ((error as Error).message === 'outage' ? 'away' : null),
      version: '1.2.3',
      basePath: '/',
      trustedProxies: [],
      secure: false,
      maxUploadBytes: 1000,
      callsPerMinute: 10_000,
      rendererFolder: folder,
      ...changes,
    });
  const app = await createServer();
  registerAll(app);
  const close = async (): Promise<void> => {
    await app.close();
    await rm(folder, { recursive: true });
  };
  return { app, logged, createServer, close };
}
