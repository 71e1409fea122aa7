/** Tests the calls for approvals: who sees them, who decides, and what is refused. */
import { describe, expect } from 'vitest';
import type { User } from '#test/support/checklist-portal.ts';
import { people, ROLE, test } from '#test/support/fixtures/approval-calls.ts';
import { renameTable } from '#test/support/rename-table.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';

describe('an approval', () => {
  test('is shown to those who decide, with its text, values and files, and nothing else of the run', async ({
    portal,
    approvals: { startApproval, details },
  }) => {
    const { run, id } = await startApproval();
    const shown = await details(id, people.ada);
    expect(shown).toMatchObject({
      Id: id,
      Name: 'Is it right?',
      ChecklistName: 'Month-end close',
      ChecklistRunId: run,
      Outcome: 'Open',
      Needed: 1,
      Given: 0,
      Text: 'Please look at the month\nand its papers',
      Values: [
        { Name: 'The month', Value: '"May"', Files: [], Info: { RangeType: 'SingleCell', CellUsages: ['Text'] } },
        { Name: 'The papers', Value: null, Files: [{ FileName: 'papers.txt', ContentLength: 22 }] },
      ],
      WaitsFor: [ROLE],
      MayDecide: true,
      CanViewRun: false,
    });
    expect(Date.parse(shown.ExpiryTime) - Date.parse(shown.StartTime)).toBeCloseTo(48 * 3_600_000, -4);
    expect((await portal.get(`checklists/status/workflow/${run}`, people.ada)).status).toBe(404);
    const token = (await portal.get(`approvals/download/${id}/1/0`, people.ada)).body.result;
    const file = await portal.app.http.inject({ url: `/api/files/download/${token}` });
    expect(file.payload).toBe('what is to be approved');
    expect((await portal.get(`approvals/download/${id}/0/0`, people.ada)).status).toBe(404);
  });

  test('is nobody else’s: who sees the run sees its course, without its values, and others see nothing', async ({
    portal,
    approvals: { startApproval, details, decide },
  }) => {
    const { run, id } = await startApproval();
    expect(await details(id, people.viewer)).toMatchObject({ Values: null, MayDecide: false, CanViewRun: true });
    expect(await details(id, portal.runner)).toMatchObject({ Values: null, MayDecide: false });
    expect((await portal.get(`approvals/download/${id}/1/0`, people.viewer)).status).toBe(404);
    expect((await portal.get(`approvals/details/${id}`, portal.stranger)).status).toBe(404);
    expect((await decide(id, people.viewer)).status).toBe(403);
    expect((await decide(id, portal.runner)).status).toBe(403);
    expect((await decide(id, portal.stranger)).status).toBe(404);
    const { ActivityRuns } = (await portal.get(`checklists/status/workflow/${run}`, portal.runner)).body.result;
    expect(ActivityRuns[0]).toMatchObject({
      Kind: 'Approval',
      Status: 'Started',
      Approval: { Id: id, Outcome: 'Open', MayDecide: false, WaitsFor: [ROLE], Decisions: [], KeptOf: null },
    });
    expect(ActivityRuns[1]).toMatchObject({ Status: 'QueuedInSeq', WaitsFor: ['Is it right?'], Approval: null });
  });

  test('says how far it is without its values, to those who see it', async ({
    portal,
    approvals: { startApproval, decide },
  }) => {
    const { id } = await startApproval();
    const state = async (user: User) => portal.get(`approvals/state/${id}`, user);
    expect((await state(people.ada)).body).toEqual({ result: { Outcome: 'Open', Given: 0, MayDecide: true } });
    expect((await state(people.viewer)).body.result).toEqual({ Outcome: 'Open', Given: 0, MayDecide: false });
    expect((await state(portal.stranger)).status).toBe(404);
    await decide(id, people.ada);
    expect((await state(people.bob)).body.result).toEqual({ Outcome: 'Approved', Given: 1, MayDecide: false });
    expect((await state(people.ada)).body.result).toEqual({ Outcome: 'Approved', Given: 1, MayDecide: false });
  });

  test('is decided once; a late decision says who was faster', async ({
    portal,
    approvals: { startApproval, decide, details },
  }) => {
    const { id, run } = await startApproval();
    expect((await decide(id, people.ada, true, ' Fine ')).body).toEqual({ result: { Outcome: 'Approved' } });
    const late = await decide(id, people.bob, false, 'No');
    const name = (await portal.app.users.findById(people.ada.UserId))!.FirstName;
    expect([late.status, late.body.message]).toEqual([409, `Too late: it was approved by ${name}`]);
    expect(await details(id, people.ada)).toMatchObject({
      Outcome: 'Approved',
      Decisions: [{ UserFullName: name, Approved: true, Comment: 'Fine' }],
      MayDecide: false,
      Values: [{}, {}],
    });
    expect((await details(id, people.bob)).Values).toBeNull();
    const [, waitingStep] = (await portal.get(`checklists/status/workflow/${run}`, portal.runner)).body.result
      .ActivityRuns;
    expect(waitingStep.Status).toBe('QueuedInSeq');
    await portal.app.workflowEngine.advance(run);
    const { ActivityRuns } = (await portal.get(`checklists/status/workflow/${run}`, portal.runner)).body.result;
    expect(ActivityRuns).toMatchObject([
      { Status: 'Succeeded', Message: `Approved by ${name}: Fine`, Approval: { Outcome: 'Approved' } },
      { Status: 'Queued' },
      { Status: 'QueuedInSeq' },
    ]);
  });

  test('is rejected with a comment alone, and stands among the security actions', async ({
    portal,
    approvals: { startApproval, decide },
  }) => {
    const { id } = await startApproval();
    const silent = await decide(id, people.ada, false, '  ');
    expect([silent.status, silent.body.modelState]).toEqual([400, { Comment: ['Enter a reason for rejecting it'] }]);
    const why = `${'Too much '.repeat(20)}for May`;
    expect((await decide(id, people.ada, false, why)).body.result).toEqual({ Outcome: 'Rejected' });
    const { knex } = portal.app.database;
    const [action] = await knex('SecurityActions').orderBy('Id', 'desc').limit(1);
    expect(action).toMatchObject({
      UserId: people.ada.UserId,
      Action: 'RejectStep',
      KeyColumnName: `Approval ${id}`,
      KeyColumnValue: why.slice(0, 100),
    });
    expect((await decide(id, people.ada, true, 'x'.repeat(1001))).status).toBe(400);
  });

  test('is not decided where the log of security actions cannot be written', async ({
    portal,
    approvals: { startApproval, decide, details },
  }) => {
    const { knex } = portal.app.database;
    const { id } = await startApproval();
    await renameTable(knex, 'SecurityActions', 'SecurityActionsAway');
    const { status } = await decide(id, people.ada);
    await renameTable(knex, 'SecurityActionsAway', 'SecurityActions');
    expect(status).toBe(500);
    expect(await details(id, people.ada)).toMatchObject({ Outcome: 'Open', Decisions: [] });
  });

  test('counts two people where two are needed, each once', async ({
    approvals: { save, startApproval, decide, details },
  }) => {
    await save({ Needed: 2 });
    const { id } = await startApproval();
    await save();
    expect((await decide(id, people.ada)).body.result).toEqual({ Outcome: 'Open' });
    const again = await decide(id, people.ada);
    expect([again.status, again.body.message]).toEqual([409, 'You have already decided']);
    expect(await details(id, people.bob)).toMatchObject({ Given: 1, MayDecide: true });
    expect((await decide(id, people.bob)).body.result).toEqual({ Outcome: 'Approved' });
  });
});

test('a key for running activities neither sees approvals nor decides them; one without limits is its user', async ({
  portal,
  approvals: { startApproval, decide },
}) => {
  const { app } = portal;
  const admin = await createUser(app, { isUserAdmin: true });
  const headers = bearer(await signIn(app, admin));
  const keyOf = async (body: object): Promise<User> => {
    const made = await portal.post(`users/apikeys/create/${people.ada.UserId}`, body, { ...people.ada, headers });
    return { ...people.ada, headers: bearer(made.body.result.Key) };
  };
  const { id } = await startApproval();
  const toRun = await keyOf({ Name: 'Nightly', Scope: 'Run' });
  for (const url of [
    'approvals',
    'approvals/count',
    `approvals/details/${id}`,
    `approvals/state/${id}`,
    `approvals/download/${id}/1/0`,
  ]) {
    expect([url, (await portal.get(url, toRun)).status]).toEqual([url, 403]);
  }
  expect((await decide(id, toRun)).status).toBe(403);
  const whole = await keyOf({ Name: 'Mine', Scope: 'All' });
  expect((await decide(id, whole)).body.result).toEqual({ Outcome: 'Approved' });
});

test('a workflow is not started where nobody but its starter could approve', async ({
  portal,
  approvals: { save, startBody, upload },
}) => {
  const { knex } = portal.app.database;
  const { runner } = portal;
  await save({ Roles: [], UserIds: [runner.UserId] });
  const refused = await portal.post('checklists/start', startBody(await upload(runner.UserId)), runner);
  const version = await save();
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringMatching(
      /^The workflow cannot be run\. Is it right\?: Nobody can approve.*The user who started the run may not/,
    ),
  ]);
  expect(await knex('ChecklistRuns').where({ UserId: runner.UserId, WorkflowVersion: version - 1 })).toEqual([]);
});
