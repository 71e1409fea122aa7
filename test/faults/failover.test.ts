/** The database is there under load, its connections are cut, and another server takes its place: nothing is lost, and nothing is there twice. */
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { replicatedPostgres } from '#test/support/replicated-postgres.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { until } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, untilNothingPending } from './check-runs.ts';
import { cleanUp, launch, publish, temporaryFolder } from './fault-bench.ts';
import { startLoad } from './load.ts';
import { portalClient } from './portal-client.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());

const LISTENERS = `select pid from pg_stat_activity where application_name = 'runsheet listener'`;

test(`connections that are cut, and a failover to another server, lose no run and double none (seed ${random.seed})`, async (context) => {
  context.skip(process.env['RUNSHEET_TEST_DATABASE_URL'] !== undefined, 'It brings up two servers of PostgreSQL');
  const postgres = await replicatedPostgres(await temporaryFolder());
  cleanUp(() => postgres.stop());
  const dataDir = await temporaryFolder();
  const shared = { RUNSHEET_DATABASE_URL: postgres.url, RUNSHEET_DATA_DIR: dataDir };
  const portal = launch('portal', shared);
  const worker = launch('worker', { ...shared, RUNSHEET_ROLE: 'worker' });
  await portal.start();
  await worker.start();
  const database = createDatabase({ url: postgres.url, poolSize: 2 });
  cleanUp(() => database.close());
  const { knex } = database;
  const { token } = await administratorToken(database);
  const client = portalClient(() => portal.address, token);
  const load = startLoad(client, await publish(client), random, 3);
  const succeeded = async (): Promise<number> =>
    Number((await postgres.ask(`select count(*) as n from "ActivityRuns" where "Status" = 'Succeeded'`))[0]!['n']);
  const untilMore = async (runs: number): Promise<void> => {
    const wanted = (await succeeded()) + runs;
    await until(`${runs} more runs have succeeded`, async () => (await succeeded()) >= wanted, 60_000);
  };
  await untilMore(5);

  // Those alone by which servers hear of each other.
  const listeners = (await postgres.ask(LISTENERS)).map(({ pid }) => pid);
  expect(listeners).toHaveLength(2);
  await postgres.ask(`select pg_terminate_backend(pid) from (${LISTENERS}) as l`);
  await untilMore(5);
  await until('both listen again', async () => {
    const now = (await postgres.ask(LISTENERS)).map(({ pid }) => pid);
    return now.length === 2 && !now.some((pid) => listeners.includes(pid));
  });

  for (let cuts = 0; cuts < 5; cuts++) {
    await pause(random.between(50, 400));
    postgres.cut();
  }
  await untilMore(5);

  await postgres.failOver();
  await untilMore(10);
  await load.stop();
  await until('the pool of the test has its connections again', () => knex.raw('select 1').catch(() => false));
  await untilNothingPending(knex);
  const counts = await checkRuns(knex, {
    acknowledged: load.acknowledged,
    endedBefore: new Map(),
    files: join(dataDir, 'files'),
  });
  expect(counts['Succeeded']).toBeGreaterThan(20);
  expect((await postgres.ask('select pg_is_in_recovery() as standby'))[0]).toEqual({ standby: false });
  process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
}, 180_000);
