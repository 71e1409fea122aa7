/** Portals with their own embedded PostgreSQL servers and the sample database. */
import { pino } from 'pino';
import { expect } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { startServer } from '#server/compose/start-server.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '#server/db/embedded/running-postgres.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import type { ActivityList } from '#shared/contract/activities.ts';
import type { TableViewItem } from '#shared/contract/tableviews.ts';
import { until } from './until.ts';

/** A single statement creates 200,000 rows, without output until it ends. */
const FILL_TIMEOUT_MS = 100_000;

export interface SamplePortal {
  lines: { level: number; msg: string }[];
  get<T>(path: string, body?: object): Promise<T>;
  /** Waits until the portal has filled the sample database and published its views and activities. */
  complete(): Promise<void>;
  views(): Promise<TableViewItem[]>;
  /** Names of activities that call procedures. */
  procedures(): Promise<string[]>;
  stop(): Promise<void>;
}

export interface SamplePortals {
  /** Starts a portal like `npm start`. Its user may do everything. */
  start: (settings?: Record<string, string>) => Promise<SamplePortal>;
  /** Reads the embedded database of a stopped portal. */
  whileStopped: <T>(work: (url: string) => Promise<T>) => Promise<T>;
  /** Stops the running portals. */
  stop: () => Promise<void>;
}

export function createSamplePortals(folder: string): SamplePortals {
  const running: (() => Promise<void>)[] = [];

  async function start(settings: Record<string, string> = {}): Promise<SamplePortal> {
    const lines: SamplePortal['lines'] = [];
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
    const config = loadConfig({
      RUNSHEET_DATA_DIR: folder,
      RUNSHEET_PORT: '0',
      RUNSHEET_WORKER_THREADS: '1',
      ...settings,
    });
    const server = await startServer({ config, log, onAdministrator: () => {} });
    const stop = (): Promise<void> => server.stop();
    running.push(stop);
    const token = await withDatabaseOf(folder, administratorToken);
    const get = async <T>(path: string, body?: object): Promise<T> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(new URL(path, server.address!), { headers, ...sent });
      expect(answer.status, path).toBe(200);
      return ((await answer.json()) as { result: T }).result;
    };
    return {
      lines,
      get,
      complete: async () => {
        const isComplete = () => lines.some(({ msg }) => msg === 'the sample database is complete');
        await until('the sample database is complete', isComplete, FILL_TIMEOUT_MS);
      },
      procedures: async () =>
        (await get<ActivityList>('/api/activities')).Activities.filter(({ Type }) => Type === 'StoredProcedure')
          .map(({ Name }) => Name)
          .toSorted(),
      views: async () => (await get<{ Items: TableViewItem[] }>('/api/tableviews')).Items,
      stop: async () => {
        running.splice(running.indexOf(stop), 1);
        await stop();
      },
    };
  }

  async function whileStopped<T>(work: (url: string) => Promise<T>): Promise<T> {
    const server = await startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false });
    try {
      return await work(server.adminUrl('runsheet'));
    } finally {
      await server.stop();
    }
  }

  return {
    start,
    whileStopped,
    stop: async () => {
      for (const stop of running.splice(0)) await stop();
    },
  };
}

/** Connects to the database of a running portal. */
async function withDatabaseOf<T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url: await findRunningPostgres(folder) });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function administratorToken(database: Database): Promise<string> {
  const log = pino({ level: 'silent' });
  const sessions = createSessionsService({ database, log, tokenMinutes: 30, inactivityMinutes: 30, sessionHours: 24 });
  const users = createUsersService(database);
  const found = await users.findByName('somebody');
  const UserId =
    found?.UserId ?? (await users.createUser({ UserName: 'somebody', password: 'Correct-Horse-7', IsUserAdmin: true }));
  return (await sessions.start(database.knex, UserId, '127.0.0.1')).token;
}

export const warnings = ({ lines }: SamplePortal): string[] =>
  lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);
