/**
 * The portal for the desktop client in tests: a server as a separate process, on the PostgreSQL server shared by all
 * tests. The first file that needs it in a vitest run starts it, the others use it too, and
 * test/support/global-setup.ts stops it. Each file has its own user.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createDatabase } from '#server/db/database.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { nodeOptions } from '#test/support/child-options.ts';
import { testDatabase } from '#test/support/database.ts';
import { SERVER_MAIN } from '#test/support/server-program.ts';
import { until } from '#test/support/until.ts';
import { TEST_PASSWORD } from '#test/support/users.ts';

const START_TIMEOUT_MS = 120_000;
const DAY_MINUTES = 24 * 60;

export interface ClientPortal {
  /** The address to enter in the client: with a base path and a trailing '/'. */
  address: string;
  /** Creates an administrator. */
  createPerson(options?: { mustChangePassword?: boolean }): Promise<Person>;
}

export interface Person {
  userName: string;
  password: string;
  /** Calls the portal with a session of the user and returns the result. */
  call<T>(path: string, body?: object): Promise<T>;
  /** Publishes a workbook as an activity with simultaneous runs, or as the next version of `Id`, and returns its Id. */
  publish(name: string, workbook: WorkbookSpec, Id?: number): Promise<number>;
}

interface Started {
  address: string;
  databaseUrl: string;
}

export async function clientPortal(): Promise<ClientPortal> {
  const shared = process.env.RUNSHEET_TEST_RUN_DIR;
  if (!shared) throw new Error('RUNSHEET_TEST_RUN_DIR is missing: vitest has not run test/support/global-setup.ts');
  const folder = join(shared, 'desktop-portal');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) await start(shared, folder);
  const read = (): Promise<string> => readFile(join(folder, 'portal.json'), 'utf8').catch(() => '');
  const { address, databaseUrl } = JSON.parse(await until('the portal', read, START_TIMEOUT_MS)) as Started;
  return {
    address,
    createPerson: async ({ mustChangePassword = false } = {}) => {
      const UserName = `person-${randomBytes(4).toString('hex')}`;
      const token = await createSession(databaseUrl, { UserName, MustChangePassword: mustChangePassword });
      return {
        userName: UserName,
        password: TEST_PASSWORD,
        ...callsOf(address, { authorization: `Bearer ${token}` }),
      };
    },
  };
}

async function start(shared: string, folder: string): Promise<void> {
  const database = await testDatabase();
  await database.close();
  const logFile = join(folder, 'log');
  const log = await open(logFile, 'w');
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    ...nodeOptions(),
    RUNSHEET_PORT: '0',
    RUNSHEET_BASE_PATH: '/portal',
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: join(folder, 'data'),
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_WORKER_THREADS: '1',
    RUNSHEET_INACTIVITY_MINUTES: String(DAY_MINUTES),
  };
  // The server continues after the process of this file ends, and therefore writes to a file.
  const server = spawn(process.execPath, [SERVER_MAIN], { env, stdio: ['ignore', log.fd, log.fd], detached: true });
  server.unref();
  await log.close();
  await mkdir(join(shared, 'servers'), { recursive: true });
  await writeFile(join(shared, 'servers/desktop-portal.pid'), String(server.pid));
  const address = await until(
    'the start of the portal',
    async () => {
      const lines = await readFile(logFile, 'utf8');
      if (server.exitCode !== null) throw new Error(`the portal ended with ${server.exitCode}:\n${lines}`);
      return /Runsheet \S+ is at (\S+)\n/.exec(lines)?.[1];
    },
    START_TIMEOUT_MS,
  );
  const started: Started = { address: address.replace(/\/*$/, '/'), databaseUrl: database.url };
  // Use another name until the file is complete.
  await writeFile(join(folder, 'portal.part'), JSON.stringify(started));
  await rename(join(folder, 'portal.part'), join(folder, 'portal.json'));
}

/** Returns a token of the new user. */
async function createSession(url: string, user: { UserName: string; MustChangePassword: boolean }): Promise<string> {
  const database = createDatabase({ url, poolSize: 1 });
  try {
    const person = { ...user, password: TEST_PASSWORD, IsUserAdmin: true };
    const userId = await createUsersService(database).createUser(person);
    const minutes = { tokenMinutes: DAY_MINUTES, inactivityMinutes: DAY_MINUTES, sessionHours: 24 };
    const sessions = createSessionsService({ database, log: pino({ level: 'silent' }), ...minutes });
    return (await sessions.start(database.knex, userId, '127.0.0.1')).token;
  } finally {
    await database.close();
  }
}

function callsOf(address: string, authorization: { authorization: string }): Pick<Person, 'call' | 'publish'> {
  const read = async (answered: Promise<Response>): Promise<unknown> => {
    const answer = await answered;
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    call: async <T>(path: string, body?: object) => {
      const headers = { ...authorization, 'content-type': 'application/json' };
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      return ((await read(fetch(address + path, { ...init, headers }))) as { result: T }).result;
    },
    publish: async (Name, workbook, Id = 0) => {
      const form = new FormData();
      const fields = { Id: String(Id), Schema: 'General', Name, SingleRun: 'false', ChangeDescription: 'Changed' };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', new Blob([new Uint8Array(await buildWorkbook(workbook))]), `${Name}.xlsx`);
      const init = { method: 'POST', body: form, headers: authorization };
      return ((await read(fetch(`${address}api/activities/create`, init))) as { Id: number }).Id;
    },
  };
}

/** An activity whose output Double is twice its input Amount. */
export const DOUBLE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 21, B1: { formula: 'A1*2', value: 42 } } }],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$B$1' },
};
