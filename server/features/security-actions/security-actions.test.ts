import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';
import { actionHash, type SecurityActionRow } from './action-hash.ts';
import { THE_PROGRAM } from './actor.ts';
import { recordActions } from './record-actions.ts';
import { verifyChain } from './security-actions-service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(() => app.database.knex('SecurityActions').delete());

const record = (...names: string[]): Promise<void> =>
  inTransaction(app.database.knex, (trx) =>
    recordActions(
      trx,
      THE_PROGRAM,
      names.map((TargetRole) => ({ Action: 'CreateRole', TargetRole })),
    ),
  );

const rows = (): Promise<SecurityActionRow[]> =>
  app.database.knex('SecurityActions').orderBy('Id') as unknown as Promise<SecurityActionRow[]>;

test('rows are counted and chained, even those that many write at once', async () => {
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => record(name, `${name}2`)));
  const all = await rows();
  expect(all.map(({ Id }) => Id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const last = { Id: 10, Hash: all.at(-1)!.Hash };
  expect(await verifyChain(app.database.knex, last)).toEqual({ count: 10, last, fault: null });
});

test('nothing is logged of a change that did not take place, and nothing outside of a transaction', async () => {
  const { knex } = app.database;
  const broken = inTransaction(knex, async (trx) => {
    await recordActions(trx, THE_PROGRAM, [{ Action: 'CreateRole', TargetRole: 'x' }]);
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  await expect(recordActions(knex, THE_PROGRAM, [{ Action: 'CreateRole' }])).rejects.toThrow('in the transaction');
  expect(await rows()).toEqual([]);
});

test.each<[string, (knex: TestApp['database']['knex']) => Promise<unknown>, number]>([
  ['a changed row', (knex) => knex('SecurityActions').where({ Id: 2 }).update({ TargetRole: 'other' }), 2],
  ['a row taken out', (knex) => knex('SecurityActions').where({ Id: 2 }).delete(), 3],
  ['rows cut off the end', (knex) => knex('SecurityActions').where('Id', '>', 2).delete(), 3],
  [
    'a row that was changed and hashed anew',
    async (knex) => {
      const row = (await knex('SecurityActions').where({ Id: 2 }).first()) as SecurityActionRow;
      const changed = { ...row, Id: 2, TargetRole: 'other' };
      await knex('SecurityActions')
        .where({ Id: 2 })
        .update({ TargetRole: 'other', Hash: actionHash(changed) });
    },
    3,
  ],
])('%s is found', async (_, change, at) => {
  await record('a', 'b', 'c');
  const { last } = await verifyChain(app.database.knex);
  await change(app.database.knex);
  expect((await verifyChain(app.database.knex, last)).fault).toMatchObject({ Id: at });
});

test('the log is read page by page, newest first, and exported with its hashes', async () => {
  const { headers } = await signedInUser(app, ['sk.ViewSecurityActions']);
  await app.database.knex('SecurityActions').delete();
  await record(...Array.from({ length: 130 }, (_, index) => `role ${index + 1}`));
  const page = async (lastId: number) =>
    (await app.http.inject({ url: `/api/rights/securityActionsList/${lastId}`, headers })).json<{
      result: { Items: { Id: number; TargetRole: string; Action: string }[]; HasMore: boolean };
    }>().result;
  const first = await page(0);
  expect(first.HasMore).toBe(true);
  expect(first.Items[0]).toMatchObject({ Id: 130, Action: 'CreateRole', TargetRole: 'role 130', UserName: 'system' });
  const second = await page(first.Items.at(-1)!.Id);
  expect(second.HasMore).toBe(false);
  expect(first.Items.length + second.Items.length).toBe(130);

  const url = '/api/rights/securityActionsList/download';
  const token = (await app.http.inject({ method: 'POST', url, headers })).json<{ result: string }>().result;
  const file = await app.http.inject({ url: `/api/files/download/${token}` });
  const lines = file.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SecurityActionRow);
  expect(lines).toHaveLength(130);
  const [line] = lines.slice(-1) as [SecurityActionRow];
  expect(actionHash({ ...line, Time: new Date(line.Time) })).toBe(line.Hash);
});
