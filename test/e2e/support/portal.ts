/** The portal for browser tests: a whole server in the test process, with its own data folder and database. */
import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import { startServer, type RunningServer } from '#server/compose/start-server.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { ADMINISTRATOR_NAME } from '#server/features/users/administrator.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { emptyFolder, startedFolder, type FirstWords } from './data-folder.ts';
import { bufferLogLines } from './portal-logs.ts';

export { openBrowser, reportingPage as telling, visit, type Browser } from './browser.ts';
export { firstSignIn, signIn } from './sign-in.ts';

export interface Portal {
  address: string;
  userName: string;
  /** The one-time password generated at the first start. */
  password: string;
  stop(): Promise<void>;
}

/**
 * Settings that a first start does not read: portals that differ only in these can share the results of a first start.
 */
const NOT_READ_AT_FIRST_START = new Set([
  'RUNSHEET_ASSISTANTS',
  'RUNSHEET_BASE_PATH',
  'RUNSHEET_CONNECTIONS',
  'RUNSHEET_MAIL_FROM',
  'RUNSHEET_PUBLIC_URL',
  'RUNSHEET_SIGN_IN_FILE',
  'RUNSHEET_SMTP_HOST',
  'RUNSHEET_SMTP_PORT',
  'RUNSHEET_SMTP_SECURITY',
  'RUNSHEET_STATIC_FOLDERS',
  'RUNSHEET_WEBHOOK_PRIVATE_ADDRESSES',
]);

export const isReadAtFirstStart = (name: string): boolean => !NOT_READ_AT_FIRST_START.has(name);

/**
 * Starts a portal to which nobody has signed in yet. It shares the process and the PostgreSQL server of the tests; a
 * start therefore costs a fraction of that of a program. `startPortalProcess` starts the program itself.
 * @param settings environment variables
 */
export async function startPortal(settings: Record<string, string> = {}): Promise<Portal> {
  const { RUNSHEET_SAMPLES = 'true', ...others } = settings;
  const isLikeOthers = !Object.keys(others).some(isReadAtFirstStart);
  const { path, firstWords } = isLikeOthers
    ? await startedFolder('server', { RUNSHEET_SAMPLES }, firstStart)
    : await emptyFolder();
  const database = settings.RUNSHEET_DATABASE_URL ? undefined : await testDatabase({ template: firstWords?.template });
  const { server, password } = await serve(path, { ...(database && urlOf(database)), ...settings });
  return {
    address: server.address!,
    userName: ADMINISTRATOR_NAME,
    password: (password ?? firstWords?.password)!,
    stop: async () => {
      await server.stop();
      await database?.drop();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Creates a folder with all samples, unless the settings exclude them. The database is retained as a template. */
async function firstStart(folder: string, settings: Record<string, string>): Promise<FirstWords> {
  const database = await testDatabase();
  const { server, password } = await serve(folder, { ...urlOf(database), ...settings });
  await server.stop();
  await database.close();
  return {
    userName: ADMINISTRATOR_NAME,
    password: password!,
    template: new URL(database.url).pathname.slice(1),
  };
}

const urlOf = (database: TestDatabase): Record<string, string> => ({ RUNSHEET_DATABASE_URL: database.url });

async function serve(
  folder: string,
  settings: Record<string, string>,
): Promise<{ server: RunningServer; password: string | null }> {
  const config = loadConfig({ RUNSHEET_DATA_DIR: folder, RUNSHEET_PORT: '0', ...settings });
  let password: string | null = null;
  const server = await startServer({
    config,
    log: pino({ level: 'warn' }, bufferLogLines),
    onAdministrator: (generated) => void (password = generated),
    // Many files run no workbook.
    startsThreadsAhead: false,
  });
  return { server, password };
}
