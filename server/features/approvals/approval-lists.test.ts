/** Tests where approvals are listed: for those who decide, among what is pending, and at the bell. */
import { describe, expect } from 'vitest';
import type { ChecklistPortal, User } from '#test/support/checklist-portal.ts';
import { people, ROLE, test } from '#test/support/fixtures/approval-calls.ts';
import { signedInUser } from '#test/support/users.ts';

describe('the list', () => {
  test('holds what waits for oneself, page by page, and what one has decided', async ({
    portal: { get },
    approvals: { startApproval, decide, waiting },
  }) => {
    const ids: number[] = [];
    for (let count = 0; count < 22; count++) ids.unshift((await startApproval()).id);
    const first = (await get('approvals', people.bob)).body.result;
    expect(first.HasMore).toBe(true);
    const before = first.Items.at(-1).Id;
    const second = (await get(`approvals?Before=${before}`, people.bob)).body.result;
    const all = [...first.Items, ...second.Items].map(({ Id }: { Id: number }) => Id);
    expect(all.slice(0, 22)).toEqual(ids);
    expect(first.Items[0]).toMatchObject({ Name: 'Is it right?', Outcome: 'Open', Own: null });
    await decide(ids[0]!, people.bob, false, 'Not this one');
    expect((await waiting(people.bob)).map(({ Id }: { Id: number }) => Id)).not.toContain(ids[0]);
    expect((await waiting(people.ada)).map(({ Id }: { Id: number }) => Id)).not.toContain(ids[0]);
    const decided = (await get('approvals?Show=decided', people.bob)).body.result.Items;
    expect(decided[0]).toMatchObject({
      Id: ids[0],
      Outcome: 'Rejected',
      Own: { Approved: false, Comment: 'Not this one' },
    });
  });

  test('is empty for who may decide nothing, and says so', async ({
    portal,
    approvals: { startApproval, waiting },
  }) => {
    await startApproval();
    expect((await portal.get('approvals/count', people.ada)).body.result).toMatchObject({ HasAny: true });
    expect((await portal.get('approvals/count', people.ada)).body.result.Waiting).toBeGreaterThan(0);
    expect((await portal.get('approvals/count', portal.stranger)).body.result).toEqual({ Waiting: 0, HasAny: false });
    expect(await waiting(portal.runner)).toEqual([]);
  });

  test('loses what somebody who is no longer in the role was asked', async ({
    portal,
    approvals: { startApproval, waiting, decide },
  }) => {
    const { app } = portal;
    const carl = await signedInUser(app);
    await app.database.knex('RoleUsers').insert({ RoleName: ROLE, UserId: carl.UserId });
    const { id } = await startApproval();
    expect((await waiting(carl))[0]).toMatchObject({ Id: id });
    await app.database.knex('RoleUsers').where({ UserId: carl.UserId }).delete();
    expect(await waiting(carl)).toEqual([]);
    expect((await decide(id, carl)).status).toBe(404);
  });
});

describe('what is pending', () => {
  const pending = async (portal: ChecklistPortal, user: User) =>
    (await portal.get('activities/pendingruns', user)).body.result;

  test('holds a workflow that waits for an approval, and says for whom', async ({
    portal,
    approvals: { startApproval },
  }) => {
    const { run } = await startApproval();
    const { Approvals } = await pending(portal, portal.runner);
    expect(Approvals.find(({ ChecklistRunId }: { ChecklistRunId: number }) => ChecklistRunId === run)).toEqual({
      ChecklistRunId: run,
      Schema: 'Finance',
      Name: 'Is it right?',
      Status: 'QueuedInSeq',
      QueueTime: expect.any(String),
      UserFullName: expect.any(String),
      ChecklistName: 'Month-end close',
      WaitsFor: [ROLE],
      ExpiryTime: expect.any(String),
      OnExpiry: 'Fail',
      CanCancel: true,
    });
    const seen = (await pending(portal, people.viewer)).Approvals;
    expect(seen).toContainEqual(expect.objectContaining({ ChecklistRunId: run, CanCancel: false }));
    const other = await signedInUser(portal.app, ['sk.RunActivity']);
    expect((await pending(portal, other)).Approvals).toEqual([]);
    expect((await pending(portal, people.ada)).Approvals).toEqual([]);
  });

  test('ends with all that is cancelled, also where an approval is the last step', async ({
    portal,
    approvals: { startApproval },
  }) => {
    const { knex } = portal.app.database;
    const { run } = await startApproval();
    const isDone = { Status: 'Succeeded', WaitsForSteps: false, EndTime: new Date() };
    await knex('ActivityRuns').where({ ChecklistRunId: run }).update(isDone);
    expect((await portal.post('activities/cancel/all', {}, people.viewer)).status).toBe(200);
    expect((await pending(portal, portal.runner)).Approvals).not.toEqual([]);
    expect((await portal.post('activities/cancel/all', {}, portal.runner)).status).toBe(200);
    expect((await pending(portal, portal.runner)).Approvals).toEqual([]);
    expect(await knex('ChecklistRuns').where('Id', run).first('CancelTime')).not.toEqual({ CancelTime: null });
  });
});

describe('the bell', () => {
  test('notifies those who may decide until they have, and then the starter, until the starter dismisses it', async ({
    portal,
    approvals: { startApproval, bell, decide },
  }) => {
    const { id } = await startApproval();
    const before = await bell(people.ada);
    expect(before.Approvals[0]).toMatchObject({
      ApprovalId: id,
      Name: 'Month-end close: Is it right?',
      IsWaiting: true,
      Category: 1,
    });
    expect((await bell(portal.runner)).Approvals.map((one: { ApprovalId: number }) => one.ApprovalId)).not.toContain(
      id,
    );
    await decide(id, people.ada, false, 'No');
    const after = await bell(people.ada);
    expect(after.Count).toBe(before.Count - 1);
    expect(after.Approvals.map((one: { ApprovalId: number }) => one.ApprovalId)).not.toContain(id);
    const [notice] = (await bell(portal.runner)).Approvals;
    expect(notice).toMatchObject({ ApprovalId: id, IsWaiting: false, Category: 3 });
    expect(notice.Message).toMatch(/^Was rejected by /);
    expect((await portal.post(`approvals/dismiss/${id}`, {}, people.bob)).status).toBe(404);
    expect((await portal.post(`approvals/dismiss/${id}`, {}, portal.runner)).status).toBe(200);
    expect((await bell(portal.runner)).Approvals.map((one: { ApprovalId: number }) => one.ApprovalId)).not.toContain(
      id,
    );
  });

  test('says that an approval expires soon when people are reminded', async ({
    portal,
    approvals: { startApproval, bell },
  }) => {
    const { id } = await startApproval();
    const { knex } = portal.app.database;
    await knex('Approvals')
      .where({ Id: id })
      .update({ RemindTime: new Date(Date.now() - 1000) });
    await portal.app.workflowEngine.sweep();
    const [notice] = (await bell(people.ada)).Approvals;
    expect(notice).toMatchObject({ ApprovalId: id, Category: 2, Message: expect.stringContaining('expires soon') });
  });
});
