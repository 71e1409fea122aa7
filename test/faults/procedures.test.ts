/** A procedure whose portal is killed in the middle of the call. */
import { expect, test } from 'vitest';
import { endLeases, temporaryDatabase, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { asleep, expectAtRest, shopIn, startPortal } from './procedure-faults.ts';

test(
  'a portal that is killed in the middle of a procedure ends the run with a clear text, and leaves nothing in the database',
  async () => {
    const procedures = await temporaryDatabase({ migrated: false });
    const portal = await startPortal(await shopIn(procedures, procedures.url));
    const id = await asleep(portal);
    await portal.server.kill();
    // Before the portal comes back to tidy up.
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
