/** Finds the embedded PostgreSQL that another process of this program has started. */
import { readFile, realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#server/base/start-error.ts';
import { clusterPaths } from './cluster.ts';
import { prepareEndpoint } from './endpoint.ts';
import { clientConfig, DATABASE_NAME, databaseUrl, withClient } from './provision.ts';
import { chooseRunAs } from './run-as.ts';

/** How long to wait for the database of a portal that is just starting. */
const START_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 250;

/** Returns its URL. Throws a StartError if it cannot be reached; only the user who runs it can reach it. */
export async function findRunningPostgres(dataDir: string): Promise<string> {
  const paths = clusterPaths(await realpath(dataDir));
  const password = await readFile(paths.password, 'utf8').catch((cause: unknown) => {
    throw new StartError(`${paths.password} cannot be read: run this as the user who runs the portal`, { cause });
  });
  const endpoint = await prepareEndpoint(paths, await chooseRunAs(paths.folder));
  const address = { ...endpoint, password: password.trim() };
  const until = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await withClient(clientConfig(address, DATABASE_NAME, DATABASE_NAME), async () => {});
      return databaseUrl(address, DATABASE_NAME, DATABASE_NAME);
    } catch (cause) {
      if (performance.now() > until) {
        throw new StartError(`the database of the running portal cannot be reached: ${(cause as Error).message}`, {
          cause,
        });
      }
      await pause(POLL_INTERVAL_MS);
    }
  }
}
