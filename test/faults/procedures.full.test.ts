/** A procedure whose portal or database is killed in the middle of the call. */
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { cleanUp, endLeases, eventually, temporaryDatabase, temporaryFolder, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { asleep, expectAtRest, shopIn, startPortal } from './procedure-faults.ts';

test(
  'a portal that is killed in the middle of a procedure ends the run with a clear text, and leaves nothing in the database',
  async () => {
    const procedures = await temporaryDatabase({ migrated: false });
    const portal = await startPortal(await shopIn(procedures, procedures.url));
    const id = await asleep(portal);
    await portal.server.kill();
    // Before the portal comes back to clean up.
    await expectAtRest(portal.shop);
    await endLeases(portal.database.knex);
    await portal.server.start();
    const run = await portal.ended(id);
    expect(run.Status).toBe('Abandoned');
    expect(run.LogEntries.at(-1)!.Message).not.toBe('asleep');
    await expectAtRest(portal.shop);
    // No worker executes it a second time.
    expect(await portal.database.knex('ActivityRuns').where('RetryOf', id)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test(
  'a database that is killed in the middle of a procedure ends the run with a clear text, and has nothing half done',
  async () => {
    const postgres = await startEmbeddedPostgres(join(await temporaryFolder(), 'shop'), pino({ level: 'silent' }));
    cleanUp(() => postgres.stop());
    const procedures = createDatabase({ url: postgres.url });
    cleanUp(() => procedures.close());
    const portal = await startPortal(await shopIn(procedures, postgres.url));
    const id = await asleep(portal);
    process.kill(postgres.pid()!, 'SIGKILL');
    const run = await portal.ended(id);
    expect(run.Status).toBe('Failed');
    expect(run.LogEntries.at(-1)!.Message).toBe(
      "The connection to the database of 'Shop' was lost while the procedure was running; its changes were rolled back",
    );
    await eventually('the database is back', () => procedures.knex.raw('select 1').then(Boolean, () => false));
    await expectAtRest(portal.shop);
  },
  TEST_TIMEOUT_MS,
);
