/** Approvals for which too few people are left who may decide. */
import { expect } from 'vitest';
import type { Knex } from 'knex';
import { test } from '#test/support/fixtures/approval-bench.ts';
import { APPROVERS } from '#test/support/approval-bench.ts';

const NOBODY_LEFT =
  'Nobody can approve anymore: no member of its roles and none of the people listed may still decide. ' +
  'Add members to its roles or enable people, then resume the run';

const disable = (knex: Knex, UserId: number) => knex('Users').where({ UserId }).update({ Enabled: false });
const leave = (knex: Knex, UserId: number) => knex('RoleUsers').where({ UserId }).delete();

test.for([
  ['lose their role', (knex: Knex) => knex('RoleUsers').delete()],
  ['are in a role that is disabled', (knex: Knex) => knex('Roles').update({ IsActive: false })],
  [
    'are disabled',
    (knex: Knex, { ada, bob }: Record<'ada' | 'bob', number>) =>
      knex('Users').whereIn('UserId', [ada, bob]).update({ Enabled: false }),
  ],
] as const)(
  'an approval whose approvers %s fails once, and says so',
  async ([, change], { approvals, workerBench }) => {
    const { knex } = workerBench.database;
    const { start, approval, people, asked, ended, log, mails, stored, rowOf } = approvals;
    const engine = approvals.startEngine();
    const id = await start([approval('ok', [], { UserIds: [people.eve] })]);
    const { Id } = await asked(id, 'ok');
    await disable(knex, people.eve);
    await engine.sweep();
    expect((await rowOf(id, 'ok')).Status).toBe('Open');
    await change(knex, people);
    await Promise.all([engine.sweep(), approvals.engine(workerBench.otherSignals()).sweep(), engine.sweep()]);
    expect(await ended(id)).toBe('Failed');
    expect(await log(id)).toEqual(['Waits for approval', NOBODY_LEFT]);
    expect((await rowOf(id, 'ok')).Status).toBe('NoApprovers');
    expect(await mails(Id)).toEqual([{ Kind: 'Ended', UserId: (await stored(id)).UserId }]);
    expect(await approvals.decide(Id, people.ada)).toEqual({ result: 'late', Status: 'NoApprovers' });
  },
);

test('an approval that is open since somebody decided waits for those who are left, and fails without them', async ({
  approvals,
  workerBench,
}) => {
  const { knex } = workerBench.database;
  const { start, approval, people, asked, decide, ended, log, rowOf } = approvals;
  const engine = approvals.startEngine();
  const id = await start([approval('ok', [], { UserIds: [people.eve], Needed: 3 })]);
  const { Id } = await asked(id, 'ok');
  await decide(Id, people.ada);
  // The decision of a person who left still counts.
  await leave(knex, people.ada);
  await engine.sweep();
  expect((await rowOf(id, 'ok')).Status).toBe('Open');
  await leave(knex, people.bob);
  await engine.sweep();
  expect(await ended(id)).toBe('Failed');
  expect((await log(id)).at(-1)).toBe(
    'It still needs 2 approvers, but only 1 may approve. ' +
      'Add members to its roles or enable people, then resume the run',
  );
});

test('who started the run does not count as somebody who is left', async ({ approvals, workerBench }) => {
  const { knex } = workerBench.database;
  const { start, approval, asked, ended, stored } = approvals;
  const engine = approvals.startEngine();
  const id = await start([approval('ok', [])]);
  await asked(id, 'ok');
  await knex('RoleUsers').delete();
  await knex('RoleUsers').insert({ RoleName: APPROVERS, UserId: (await stored(id)).UserId });
  await engine.sweep();
  expect(await ended(id)).toBe('Failed');
});

test('all open approvals are looked at in one statement', async ({ approvals, workerBench }) => {
  const { knex } = workerBench.database;
  const { start, approval, asked } = approvals;
  const engine = approvals.startEngine();
  for (let count = 0; count < 3; count++) await asked(await start([approval('ok', [])]), 'ok');
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }): void => void statements.push(sql);
  knex.on('query', listen);
  await engine.sweep();
  knex.off('query', listen);
  expect(statements.filter((sql) => sql.includes('RoleUsers'))).toHaveLength(1);
});
