import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SecurityActionSearch } from '#shared/contract/security.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { signedInUser } from '#test/support/users.ts';
import { actionHash, type SecurityActionRow } from '#server/access/audit/action-hash.ts';
import { THE_PROGRAM } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { createSecurityActionsService, verifyChain } from './security-actions-service.ts';

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
  expect(await verifyChain(app.database.knex, last)).toEqual({ count: 10, last, defect: null });
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
  expect((await verifyChain(app.database.knex, last)).defect).toMatchObject({ Id: at });
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

describe('a search', () => {
  const files = { tokenForNew: () => Promise.reject(new Error('nothing is downloaded here')) };
  /** Scans ten rows per call. */
  const service = () => createSecurityActionsService(app.database, files, 10);
  const found = async (search: SecurityActionSearch): Promise<{ roles: string[]; calls: number }> => {
    const roles: string[] = [];
    for (let lastId = 0, calls = 1; ; calls += 1) {
      const { Items, HasMore, LookedTo } = await service().list(lastId, search);
      roles.push(...Items.map(({ TargetRole }) => TargetRole));
      if (!HasMore) return { roles, calls };
      expect(LookedTo).toBeGreaterThan(0);
      lastId = LookedTo;
    }
  };

  test('finds what every word and the kind say, however far back, and looks at few rows a call', async () => {
    await record('Tellers', ...Array.from({ length: 43 }, (_, index) => `role ${index}`));
    await inTransaction(app.database.knex, (trx) =>
      recordActions(trx, { ...THE_PROGRAM, UserFullName: 'Ada 100% Lovelace' }, [
        { Action: 'DeleteRole', TargetRole: 'Auditors' },
      ]),
    );
    expect(await found({ Search: 'tellers' })).toEqual({ roles: ['Tellers'], calls: 5 });
    expect((await found({ Search: 'lovelace AUDIT' })).roles).toEqual(['Auditors']);
    // Wildcard characters of databases are matched literally.
    expect((await found({ Search: '100%' })).roles).toEqual(['Auditors']);
    expect((await found({ Search: '1%e' })).roles).toEqual([]);
    // Words in the person's language come with the names that they stand for.
    const meant = { Search: 'gelöscht ada', Meant: 'DeleteRole,DeleteUser;' };
    expect((await found(meant)).roles).toEqual(['Auditors']);
    expect((await found({ ...meant, Search: 'gelöscht grace' })).roles).toEqual([]);
    expect((await found({ Search: 'gelöscht' })).roles).toEqual([]);
    expect((await found({ Action: 'DeleteRole' })).roles).toEqual(['Auditors']);
    expect((await found({ Action: 'CreateRole', Search: 'auditors' })).roles).toEqual([]);
    expect((await found({})).roles).toHaveLength(45);
  });

  test('by days ends where all that follows is older', async () => {
    await record(...Array.from({ length: 45 }, (_, index) => `role ${index}`));
    const age = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    await app.database
      .knex('SecurityActions')
      .where('Id', '<=', 25)
      .update({ Time: age(48) });
    const since = await found({ From: age(24).toISOString() });
    expect(since.roles).toHaveLength(20);
    expect(since.calls).toBe(3);
    expect((await found({ Until: age(24).toISOString() })).roles).toHaveLength(25);
    expect((await found({ From: age(49).toISOString(), Until: age(47).toISOString() })).roles).toHaveLength(25);
  });

  test('is asked for by the route, which refuses what it does not know', async () => {
    const { headers } = await signedInUser(app, ['sk.ViewSecurityActions']);
    await app.database.knex('SecurityActions').delete();
    await record('Clerks', 'Tellers');
    const get = (query: string) => app.http.inject({ url: `/api/rights/securityActionsList/0?${query}`, headers });
    const answer = (await get('Search=clerk&Action=CreateRole')).json<{
      result: { Items: { TargetRole: string }[] };
    }>();
    expect(answer.result.Items.map(({ TargetRole }) => TargetRole)).toEqual(['Clerks']);
    for (const query of ['Action=Nothing', 'From=yesterday', 'Other=1', `Search=${'x'.repeat(101)}`])
      expect((await get(query)).statusCode).toBe(400);
  });
});
