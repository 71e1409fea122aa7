import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createApp, type App, type AppDeps } from '#server/compose/app.ts';
import type { Config } from '#server/config/config-schema.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { createConnections } from '#server/connections/connections.ts';
import { createCodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import { createFailedAttempts } from '#server/access/sign-in/failed-attempts.ts';
import { createSignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { withDeltas } from '#server/files/deltas.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import { withClearFaults } from '#server/files/store-faults.ts';
import { createRunSignals, type RunSignals } from '#server/queue/run-signals.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { createFakeExecutor } from './fake-executor.ts';
import { runFolder } from './run-folder.ts';

export interface TestApp extends App {
  database: TestDatabase;
  fileStore: FileStore;
  /** RUNSHEET_DATA_DIR for a command that runs next to the server. */
  dataDir: string;
  signals: RunSignals;
  /** Closes the server and drops its database; call it in afterAll. */
  close(): Promise<void>;
}

/**
 * Creates the whole API with its own database. It does not listen on a port: use `http.inject`. Failed sign-ins are not
 * delayed.
 */
export async function testApp(
  changes: Partial<AppDeps> & { settings?: Partial<Config>; poolSize?: number } = {},
): Promise<TestApp> {
  const { settings, poolSize, ...deps } = changes;
  const database = await testDatabase({ poolSize });
  const folder = await mkdtemp(join(runFolder(), 'files-'));
  const log = pino({ level: 'silent' });
  const folderStore = withClearFaults(await createFolderFileStore(join(folder, 'files')), log);
  const fileStore = withDeltas(folderStore, database);
  const signals = createRunSignals(database, log);
  const attempts = createFailedAttempts(database);
  const connections = createConnections(settings?.connections ?? {}, { timeZone: 'UTC' });
  const app = await createApp({
    config: { ...loadConfig({}), tokenMinutes: 30, ...settings },
    database,
    fileStore,
    executor: createFakeExecutor(),
    connections,
    signals,
    log,
    rendererFolder: join(folder, 'no-renderer'),
    limits: { calls: 1_000_000, signIns: 1_000_000 },
    secretKey: 'a key of the tests, of no other use',
    codeAttempts: createCodeAttempts(attempts, { sleep: async () => {} }),
    signInDelays: createSignInDelays(attempts, {
      clock: { now: () => performance.now(), sleep: async () => {} },
      signInsPerMinute: 1_000_000,
      takesAll: true,
    }),
    ...deps,
  });
  return {
    ...app,
    database,
    fileStore,
    dataDir: folder,
    signals,
    close: async () => {
      await closeServer(app.http);
      await connections.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Clients open connections in advance. Without this, the server would wait a minute for the first call of each. */
async function closeServer(http: FastifyInstance): Promise<void> {
  const closed = http.close();
  while (http.server.listening) await turn();
  http.server.closeAllConnections();
  await closed;
}
