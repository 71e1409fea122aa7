/** Under load, the database's connections are cut and another server takes over: no run is lost or duplicated. */
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { replicatedPostgres } from '#test/support/replicated-postgres.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { untilProgress } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, untilNothingPending } from './check-runs.ts';
import {
  cleanUp,
  eventually,
  launch,
  publish,
  temporaryFolder,
  TEST_TIMEOUT_MS,
  untilMoreSucceeded,
} from './fault-bench.ts';
import { startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());

const CUTS = 10;
const LISTENERS = `select pid from pg_stat_activity where application_name = 'runsheet listener'`;

test(
  `connections that are cut, and a failover to another server, lose no run and double none (seed ${random.seed})`,
  async (context) => {
    context.skip(process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined, 'It brings up two servers of PostgreSQL');
    const postgres = await replicatedPostgres(await temporaryFolder());
    cleanUp(() => postgres.stop());
    const dataDir = await temporaryFolder();
    const shared = { RUNSHEET_DATABASE_URL: postgres.url, RUNSHEET_DATA_DIR: dataDir };
    const portal = launch('portal', shared);
    const servers = [portal, launch('worker', { ...shared, RUNSHEET_ROLE: 'worker' })];
    for (const server of servers) await server.start();
    const database = createDatabase({ url: postgres.url, poolSize: 2 });
    cleanUp(() => database.close());
    const { knex } = database;
    const { token } = await administratorToken(database);
    const client = portalClient(() => portal.address, token);
    const load = startLoad(client, await publish(client), random, 3);
    const succeeded = async (): Promise<number> =>
      Number((await postgres.ask(`select count(*) as n from "ActivityRuns" where "Status" = 'Succeeded'`))[0]!['n']);
    const untilMore = (runs: number): Promise<void> => untilMoreSucceeded(load, succeeded, runs);
    await untilMore(5);

    // First cut only the connections for notifications between servers.
    const listeners = (await postgres.ask(LISTENERS)).map(({ pid }) => pid);
    expect(listeners).toHaveLength(servers.length);
    await postgres.ask(`select pg_terminate_backend(pid) from (${LISTENERS}) as l`);
    await untilMore(5);
    await untilProgress(
      'the servers listen again',
      async () => (await postgres.ask(LISTENERS)).map(({ pid }) => pid).filter((pid) => !listeners.includes(pid)),
      (pids) => pids.length === servers.length,
    );

    for (let cuts = 0; cuts < CUTS; cuts++) {
      await pause(random.between(50, 400));
      postgres.cut();
    }
    await untilMore(5);

    await postgres.failOver();
    await untilMore(10);
    await load.stop();
    await eventually('the connections are back', () => knex.raw('select 1').catch(() => false));
    await untilNothingPending(knex);
    const counts = await checkRuns(knex, {
      acknowledged: load.acknowledged,
      endedBefore: new Map(),
      files: join(dataDir, 'files'),
    });
    expect(counts['Succeeded']).toBeGreaterThan(20);
    expect((await postgres.ask('select pg_is_in_recovery() as standby'))[0]).toEqual({ standby: false });
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
