/** Tests the calls for approvals: who sees them, who decides, and what is refused. */
import { describe, expect } from 'vitest';
import { insertStoredFiles } from '#server/files/stored-files.ts';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import type { ChecklistPortal, User } from '#test/support/checklist-portal.ts';
import { createUser, bearer, signedInUser, signIn } from '#test/support/users.ts';

const people = {} as { ada: User; bob: User; viewer: User };
const ROLE = 'Controllers';
let workflow = 0;
let version = 1;

const approval = (more: object = {}) => ({
  Kind: 'Approval',
  Key: 'ok',
  Name: 'Is it right?',
  After: [],
  Join: 'AllSucceeded',
  OnFailure: 'Stop',
  Roles: [ROLE],
  UserIds: [],
  Needed: 1,
  StarterMayApprove: false,
  Text: 'Please look at the month\nand its papers',
  Values: [
    { Name: 'The month', From: { Kind: 'Input', Name: 'Month' } },
    { Name: 'The papers', From: { Kind: 'Input', Name: 'Papers' } },
  ],
  ExpiresAfterHours: 48,
  OnExpiry: 'Fail',
  ...more,
});

const test = base.extend('approvals', { scope: 'file', auto: true }, async ({ portal }) => {
  /** Saves the workflow with the given approval as its first step. */
  async function save(more: object = {}): Promise<void> {
    const { Graph, NewestVersion } = (await portal.get(`workflows/details/${workflow}`)).body.result;
    const [first, ...steps] = Graph.Steps.filter(({ Kind }: { Kind: string }) => Kind !== 'Approval');
    const Steps = [approval(more), { ...first, After: [{ Step: 'ok', When: 'success' }] }, ...steps];
    const answer = await portal.post('workflows/update', {
      Id: workflow,
      Version: NewestVersion,
      Graph: { ...Graph, Steps },
    });
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    version = answer.body.result.Version;
  }

  const startBody = (FileId: string) => ({
    ChecklistId: workflow,
    WorkflowId: workflow,
    WorkflowVersion: version,
    Inputs: [
      { ChecklistInputName: 'Month', ActivityParameterId: portal.inputs['collect.Month'], Value: '"May"' },
      { ChecklistInputName: 'Limit', Value: '5' },
      { ChecklistInputName: 'Rate', Value: '2' },
      {
        ChecklistInputName: 'Papers',
        ActivityParameterId: portal.inputs['report.Papers'],
        FileId,
        FileName: 'papers.txt',
      },
    ],
  });

  async function upload(UserId: number): Promise<string> {
    const { app } = portal;
    const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('what is to be approved'));
    const FileId = `papers-${Math.random()}`;
    await insertStoredFiles(app.database.knex, [
      {
        FileId,
        StoreKey: key,
        FileName: 'papers.txt',
        ContentLength: contentLength,
        Sha256: sha256,
        Purpose: 'upload',
        UserId,
        ActivityParameterId: portal.inputs['report.Papers']!,
      },
    ]);
    return FileId;
  }

  /** Starts the workflow and returns the ids of the run and of its approval. */
  async function begun(starter: User = portal.runner): Promise<{ run: number; id: number }> {
    const answer = await portal.post('checklists/start', startBody(await upload(starter.UserId)), starter);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    const run = answer.body.result.Id;
    await portal.app.portal.chains.advance(run);
    const { Id } = await portal.app.database.knex('Approvals').where({ ChecklistRunId: run }).first('Id');
    return { run, id: Id };
  }

  const decide = (id: number, user: User, Approved = true, Comment?: string) =>
    portal.post(`approvals/decide/${id}`, { Approved, ...(Comment === undefined ? {} : { Comment }) }, user);
  const details = async (id: number, user: User) => (await portal.get(`approvals/details/${id}`, user)).body.result;
  const waiting = async (user: User) => (await portal.get('approvals', user)).body.result.Items;
  const bell = async (user: User) => (await portal.get('activities/notifications', user)).body.result;
  const { app } = portal;
  people.ada = await signedInUser(app);
  people.bob = await signedInUser(app);
  people.viewer = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  await app.database.knex('Roles').insert({ Name: ROLE, IsActive: true });
  await app.database
    .knex('RoleUsers')
    .insert([people.ada, people.bob].map(({ UserId }) => ({ RoleName: ROLE, UserId })));
  workflow = await portal.saved();
  expect((await portal.post('workflows/create', { ChecklistId: workflow })).status).toBe(200);
  await save();
  return { save, startBody, upload, begun, decide, details, waiting, bell };
});

describe('an approval', () => {
  test('is shown to those who decide, with its text, values and files, and nothing else of the run', async ({
    portal,
    approvals: { begun, details },
  }) => {
    const { run, id } = await begun();
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
    approvals: { begun, details, decide },
  }) => {
    const { run, id } = await begun();
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
    approvals: { begun, decide },
  }) => {
    const { id } = await begun();
    const state = async (user: User) => portal.get(`approvals/state/${id}`, user);
    expect((await state(people.ada)).body).toEqual({ result: { Outcome: 'Open', Given: 0, MayDecide: true } });
    expect((await state(people.viewer)).body.result).toEqual({ Outcome: 'Open', Given: 0, MayDecide: false });
    expect((await state(portal.stranger)).status).toBe(404);
    await decide(id, people.ada);
    expect((await state(people.bob)).body.result).toEqual({ Outcome: 'Approved', Given: 1, MayDecide: false });
    expect((await state(people.ada)).body.result).toEqual({ Outcome: 'Approved', Given: 1, MayDecide: false });
  });

  test('is decided once; what comes too late is told who was faster', async ({
    portal,
    approvals: { begun, decide, details },
  }) => {
    const { id, run } = await begun();
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
    await portal.app.portal.chains.advance(run);
    const { ActivityRuns } = (await portal.get(`checklists/status/workflow/${run}`, portal.runner)).body.result;
    expect(ActivityRuns).toMatchObject([
      { Status: 'Succeeded', Message: `Approved by ${name}: Fine`, Approval: { Outcome: 'Approved' } },
      { Status: 'Queued' },
      { Status: 'QueuedInSeq' },
    ]);
  });

  test('is rejected with a comment alone, and stands among the security actions', async ({
    portal,
    approvals: { begun, decide },
  }) => {
    const { id } = await begun();
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
    approvals: { begun, decide, details },
    skip,
  }) => {
    const { knex, dialect } = portal.app.database;
    skip(dialect.name === 'mssql', 'servers that only speak its protocol rename no table');
    const { id } = await begun();
    await knex.schema.renameTable('SecurityActions', 'SecurityActionsAway');
    const { status } = await decide(id, people.ada);
    await knex.schema.renameTable('SecurityActionsAway', 'SecurityActions');
    expect(status).toBe(500);
    expect(await details(id, people.ada)).toMatchObject({ Outcome: 'Open', Decisions: [] });
  });

  test('counts two people where two are needed, each once', async ({ approvals: { save, begun, decide, details } }) => {
    await save({ Needed: 2 });
    const { id } = await begun();
    await save();
    expect((await decide(id, people.ada)).body.result).toEqual({ Outcome: 'Open' });
    const again = await decide(id, people.ada);
    expect([again.status, again.body.message]).toEqual([409, 'You have decided already']);
    expect(await details(id, people.bob)).toMatchObject({ Given: 1, MayDecide: true });
    expect((await decide(id, people.bob)).body.result).toEqual({ Outcome: 'Approved' });
  });
});

describe('the list', () => {
  test('holds what waits for oneself, page by page, and what one has decided', async ({
    portal: { get },
    approvals: { begun, decide, waiting },
  }) => {
    const ids: number[] = [];
    for (let count = 0; count < 22; count++) ids.unshift((await begun()).id);
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

  test('is empty for who may decide nothing, and says so', async ({ portal, approvals: { begun, waiting } }) => {
    await begun();
    expect((await portal.get('approvals/count', people.ada)).body.result).toMatchObject({ HasAny: true });
    expect((await portal.get('approvals/count', people.ada)).body.result.Waiting).toBeGreaterThan(0);
    expect((await portal.get('approvals/count', portal.stranger)).body.result).toEqual({ Waiting: 0, HasAny: false });
    expect(await waiting(portal.runner)).toEqual([]);
  });

  test('loses what somebody who is no longer in the role was asked', async ({
    portal,
    approvals: { begun, waiting, decide },
  }) => {
    const { app } = portal;
    const carl = await signedInUser(app);
    await app.database.knex('RoleUsers').insert({ RoleName: ROLE, UserId: carl.UserId });
    const { id } = await begun();
    expect((await waiting(carl))[0]).toMatchObject({ Id: id });
    await app.database.knex('RoleUsers').where({ UserId: carl.UserId }).delete();
    expect(await waiting(carl)).toEqual([]);
    expect((await decide(id, carl)).status).toBe(404);
  });
});

describe('what is pending', () => {
  const pending = async (portal: ChecklistPortal, user: User) =>
    (await portal.get('activities/pendingruns', user)).body.result;

  test('holds a workflow that waits for an approval, and says for whom', async ({ portal, approvals: { begun } }) => {
    const { run } = await begun();
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
    approvals: { begun },
  }) => {
    const { knex } = portal.app.database;
    const { run } = await begun();
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
  test('tells those who may decide until they have, and then the starter, until they dismiss it', async ({
    portal,
    approvals: { begun, bell, decide },
  }) => {
    const { id } = await begun();
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
    approvals: { begun, bell },
  }) => {
    const { id } = await begun();
    const { knex } = portal.app.database;
    await knex('Approvals')
      .where({ Id: id })
      .update({ RemindTime: new Date(Date.now() - 1000) });
    await portal.app.portal.chains.sweep();
    const [notice] = (await bell(people.ada)).Approvals;
    expect(notice).toMatchObject({ ApprovalId: id, Category: 2, Message: expect.stringContaining('expires soon') });
  });
});

test('a key for running activities neither sees approvals nor decides them; one without limits is its user', async ({
  portal,
  approvals: { begun, decide },
}) => {
  const { app } = portal;
  const admin = await createUser(app, { isUserAdmin: true });
  const headers = bearer(await signIn(app, admin));
  const keyOf = async (body: object): Promise<User> => {
    const made = await portal.post(`users/apikeys/create/${people.ada.UserId}`, body, { ...people.ada, headers });
    return { ...people.ada, headers: bearer(made.body.result.Key) };
  };
  const { id } = await begun();
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
  await save();
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringMatching(
      /^The workflow cannot be run\. Is it right\?: Nobody can approve.*Who started the run may not/,
    ),
  ]);
  expect(await knex('ChecklistRuns').where({ UserId: runner.UserId, WorkflowVersion: version - 1 })).toEqual([]);
});
