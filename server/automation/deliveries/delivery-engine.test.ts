/** Tests that a delivery is not sent again without a wait if the database cannot store what became of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { renameTable } from '#test/support/rename-table.ts';
import { until } from '#test/support/until.ts';
import { createDeliveryEngine, type SendDelivery } from './delivery-engine.ts';
import { insertDeliveries } from './delivery-rows.ts';

let database: TestDatabase;
beforeAll(async () => (database = await testDatabase()));
afterAll(() => database.drop());
beforeEach(async () => {
  await database.knex('Deliveries').delete();
  await insertDeliveries(database.knex, [
    { Channel: 'Mail', Event: 'summary', SubjectId: null, TargetKey: 'mail', Body: '{}' },
  ]);
});

/** Long enough for many more attempts if they followed without a wait. */
const WHILE_MS = 300;
const accepted: SendDelivery = async () => ({ StatusCode: 200, Error: null, Answer: '' });
const refused: SendDelivery = async () => ({ StatusCode: 500, Error: 'It answered 500', Answer: '' });

/** Sends until the condition holds and for a short time longer. Returns the number of attempts and the row. */
async function sendUntil(send: SendDelivery, condition: (row: { [column: string]: unknown }) => boolean) {
  let attempts = 0;
  const counted: SendDelivery = (delivery, signal) => {
    attempts += 1;
    return send(delivery, signal);
  };
  const channels = { Webhook: counted, Teams: counted, Slack: counted, Mail: counted };
  const stop = createDeliveryEngine({ database, log: pino({ level: 'silent' }), channels }).start();
  const read = async () => (await database.knex('Deliveries').first()) as { [column: string]: unknown };
  try {
    await until('the outcome', async () => attempts > 0 && condition(await read()));
    await pause(WHILE_MS);
    return { attempts, row: await read() };
  } finally {
    await stop();
  }
}

async function withoutAttemptsTable<T>(work: () => Promise<T>): Promise<T> {
  await renameTable(database.knex, 'DeliveryAttempts', 'OtherAttempts');
  try {
    return await work();
  } finally {
    await renameTable(database.knex, 'OtherAttempts', 'DeliveryAttempts');
  }
}

test('a delivery that arrived is sent once, even if its attempt cannot be recorded', async () => {
  const { attempts, row } = await withoutAttemptsTable(() =>
    sendUntil(accepted, ({ Status }) => Status === 'Delivered'),
  );
  expect([attempts, row.Status]).toEqual([1, 'Delivered']);
});

test('a refused delivery waits before its next attempt, even if the attempt cannot be recorded', async () => {
  const { attempts, row } = await withoutAttemptsTable(() =>
    sendUntil(refused, ({ TakenUntil }) => TakenUntil === null),
  );
  expect(attempts).toBe(1);
  expect(row).toMatchObject({ Status: 'Waiting', TakenUntil: null });
  expect((row.DueTime as Date).getTime()).toBeGreaterThan(Date.now() + 5000);
});

test('a delivery is given up after three days, even if its attempts cannot be recorded', async () => {
  await database.knex('Deliveries').update({ CreateTime: new Date(Date.now() - 4 * 86_400_000) });
  const { attempts, row } = await withoutAttemptsTable(() => sendUntil(refused, ({ Status }) => Status === 'GivenUp'));
  expect([attempts, row.Status]).toEqual([1, 'GivenUp']);
});

test('a delivery whose outcome cannot be stored at all keeps its lease', async () => {
  const { attempts, row } = await withoutAttemptsTable(async () => {
    await database.knex.schema.alterTable('Deliveries', (t) => t.renameColumn('EndTime', 'OtherTime'));
    try {
      return await sendUntil(accepted, ({ TakenUntil }) => TakenUntil !== null);
    } finally {
      await database.knex.schema.alterTable('Deliveries', (t) => t.renameColumn('OtherTime', 'EndTime'));
    }
  });
  expect(attempts).toBe(1);
  expect(row).toMatchObject({ Status: 'Waiting', Attempts: 1, TakenUntil: expect.any(Date) });
});

test('a delivery that a stopping server interrupts is due again at once', async () => {
  const interrupted: SendDelivery = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  await sendUntil(interrupted, () => true);
  expect(await database.knex('Deliveries').first()).toMatchObject({ Status: 'Waiting', TakenUntil: null });
});
