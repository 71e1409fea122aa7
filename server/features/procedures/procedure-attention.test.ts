/**
 * Tests what is sent to SQL Server to stop a running statement. Compatible servers of other vendors react only when the
 * statement has ended; tests what then happens to the run.
 */
import { describe, expect, test as base } from 'vitest';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { isRowHeld } from '#test/support/held-row.ts';
import { ATTENTION, END_OF_MESSAGE, startWatchedTdsPeer } from '#test/support/peers/tds.ts';
import { procedureBench } from '#test/support/procedures.ts';
import { startProcedurePortal } from '#test/support/procedure-portal.ts';
import { isOtherMakersServer } from '#test/support/sql-server.ts';
import { until } from '#test/support/until.ts';

const serverUrl = process.env['RUNSHEET_TEST_DATABASE_URL'] ?? '';
const isMssql = serverUrl.startsWith('mssql:');
/** An RPC request, which carries statements with values. [MS-TDS] 2.2.3.1.1 */
const STATEMENT = 0x03;
/** Seconds that the procedure runs; longer than anyone may have to wait for the end of its run. */
const WORK = 40;
/**
 * Milliseconds. The driver waits 5 s for the server's response (cancelTimeout of tedious), and the machine may be busy.
 */
const STOP_TIMEOUT_MS = 30_000;

const statements = (name: string): string[] => [
  `create table ${name}_kept (n int)`,
  `create table ${name}_held (n int)`,
  `insert into ${name}_held values (0)`,
  `create procedure ${name} as begin insert into ${name}_kept values (1); update ${name}_held set n = 1; waitfor delay '00:00:${WORK}' end`,
];

const test = base
  .extend('peer', { scope: 'file' }, async ({}, { onCleanup }) => {
    const peer = await startWatchedTdsPeer(serverUrl);
    onCleanup(() => peer.stop());
    return peer;
  })
  // What the peer has forwarded since the test started.
  .extend('sent', ({ peer }) => {
    peer.sent.splice(0);
    return peer.sent;
  })
  .extend('direct', { scope: 'file' }, async ({}, { onCleanup }) => {
    const direct = await procedureBench();
    onCleanup(() => direct.end());
    return direct;
  })
  // Connects to the database of `direct` through the peer.
  .extend('other', { scope: 'file' }, async ({ peer, direct }, { onCleanup }) => {
    const other = await procedureBench({ url: peer.urlOf(direct.database.url) });
    onCleanup(() => other.end());
    return other;
  })
  .extend('isOther', { scope: 'file' }, ({ direct }) => isOtherMakersServer(direct.database.knex))
  .extend('portal', { scope: 'file' }, async ({ peer }, { onCleanup }) => {
    const wayTo = (url: string): string => peer.urlOf(url);
    const portal = await startProcedurePortal({ pg: [], mssql: statements('works') }, { wayTo });
    onCleanup(() => portal.close());
    return portal;
  })
  .extend('expectStopped', ({ sent }) => {
    const attentions = () => sent.filter(({ type }) => type === ATTENTION);

    /** Expects that the client sent one attention of eight bytes, and that the call ended before its statement. */
    return async (since: number, isHeld: () => Promise<boolean>, isOtherServer: boolean): Promise<void> => {
      expect(performance.now() - since).toBeLessThan(STOP_TIMEOUT_MS);
      expect(attentions()).toEqual([
        { type: ATTENTION, status: END_OF_MESSAGE, length: 8, time: expect.any(Number) as number },
      ]);
      // A server that reacts late did not delay the call: the statement is still running and holds the row.
      if (isOtherServer) expect(await isHeld()).toBe(true);
      await until('nothing holds its row', async () => !(await isHeld()), WORK * 4000);
    };
  });

describe.runIf(isMssql)('a statement that is stopped on SQL Server', () => {
  const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  for (const [name, by] of [
    ['stopped', 'a cancellation'],
    ['limited', 'the time limit'],
  ] as const) {
    test(`by ${by} is sent the attention of the protocol, and the call ends in time`, async ({
      direct,
      other,
      isOther,
      expectStopped,
    }) => {
      await direct.run(...statements(name));
      const isHeld = () => isRowHeld(direct.database, `${name}_held`);
      const controller = new AbortController();
      const timeLimit = by === 'the time limit' ? { timeLimit: 8000 } : {};
      const calling = thrownBy(other.call(name, {}, { signal: controller.signal, ...timeLimit }));
      await until('it is at work', isHeld);
      const stopped = performance.now();
      if (by === 'a cancellation') controller.abort();
      expect(((await calling) as ConnectionError).kind).toBe(by === 'the time limit' ? 'timeLimit' : 'cancelled');
      await expectStopped(stopped, isHeld, isOther);
      expect(await direct.database.knex(`${name}_kept`)).toEqual([]);
    });
  }

  test('that reads is sent it too', async ({ sent, other, isOther, expectStopped }) => {
    const controller = new AbortController();
    const query = { sql: `waitfor delay '00:00:${WORK}'; select 1 as n`, values: [] };
    const reading = thrownBy(other.connection.readAll(query, { signal: controller.signal }));
    await until('the statement is sent', () => sent.some(({ type }) => type === STATEMENT));
    const stopped = performance.now();
    controller.abort();
    const error = await reading;
    expect([error instanceof ConnectionError, (error as ConnectionError).kind]).toEqual([true, 'cancelled']);
    await expectStopped(stopped, async () => isOther && performance.now() - stopped < STOP_TIMEOUT_MS, isOther);
  });
});

describe.runIf(isMssql)('a run whose procedure is at work on SQL Server', () => {
  test('ends as cancelled in time, and none of its work is stored', async ({ sent, portal, expectStopped }) => {
    const isHeld = () => isRowHeld(portal.shop, 'works_held');
    const started = await portal.start(await portal.create('works'));
    const { Id } = started.body.result;
    await until('it is at work', isHeld);
    sent.splice(0);
    const stopped = performance.now();
    expect((await portal.post(`cancel/${Id}`)).status).toBe(200);
    expect((await portal.ended(Id)).Status).toBe('Cancelled');
    await expectStopped(stopped, isHeld, await isOtherMakersServer(portal.shop.knex));
    expect(await portal.shop.knex('works_kept')).toEqual([]);
  });
});
