import { pino } from 'pino';
import { createApp, type App, type AppDeps } from '#server/app.ts';
import { createSignInDelays } from '#server/features/sessions/sign-in-delays.ts';
import { testDatabase, type TestDatabase } from './database.ts';

export interface TestApp extends App {
  database: TestDatabase;
  /** Closes the server and drops its database: for afterAll. */
  close(): Promise<void>;
}

const SETTINGS: AppDeps['config'] = {
  basePath: '/',
  trustProxy: false,
  secure: false,
  tokenMinutes: 30,
  inactivityMinutes: 20,
  maxUploadBytes: 10 * 1024 * 1024,
  title: 'Runsheet',
  rendererFolder: '/nonexistent',
  callsPerMinute: 100_000,
  signInsPerMinute: 10_000,
};

/** The whole API on a database of its own. Nothing listens: use `http.inject`. Failed sign-ins are not slowed down. */
export async function testApp(
  changes: Partial<AppDeps> & { settings?: Partial<AppDeps['config']> } = {},
): Promise<TestApp> {
  const { settings, ...deps } = changes;
  const database = await testDatabase();
  const app = await createApp({
    config: { ...SETTINGS, ...settings },
    database,
    log: pino({ level: 'silent' }),
    signInDelays: createSignInDelays({ now: () => performance.now(), sleep: async () => {} }),
    ...deps,
  });
  return {
    ...app,
    database,
    close: async () => {
      await app.http.close();
      await database.drop();
    },
  };
}
