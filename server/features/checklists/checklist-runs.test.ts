/** Checklists started, and what there is to see of their runs. */
import { describe, expect, test } from 'vitest';
import { checklistPortal, type User } from '#test/support/checklist-portal.ts';
import { grant, signedInUser } from '#test/support/users.ts';

const portal = checklistPortal();
const { activities, inputs, save, saved, details, get, post } = portal;
const { insertInto, rows } = {
  insertInto: async (table: string, row: object) => void (await portal.app.database.knex(table).insert(row)),
  rows: (table: string, where: object) => portal.app.database.knex(table).where(where),
};

const value = (ChecklistInputName: string, Value: string | null, more: object = {}) => ({
  ChecklistInputName,
  Value,
  ...more,
});
const entered = () => [value('Month', '"June"'), value('Limit', '100'), value('Rate', '0.5'), value('Papers', '[]')];

const start = (ChecklistId: number, more: object = {}, user: User = portal.runner) =>
  post('checklists/start', { ChecklistId, Inputs: entered(), ...more }, user);
async function started(ChecklistId: number, more: object = {}, user: User = portal.runner): Promise<number> {
  const { status, body } = await start(ChecklistId, more, user);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result.Id;
}
const stepsOf = (ChecklistRunId: number) => rows('ActivityRuns', { ChecklistRunId }).orderBy('Id');
const status = async (runId: number, user: User = portal.runner) => get(`checklists/status/checklist/${runId}`, user);

/** As the engine of chains ends a step. */
async function end(runId: number, Status: string, line?: string): Promise<void> {
  const { knex } = portal.app.database;
  await knex('ActivityRuns').where('Id', runId).update({ Status, EndTime: knex.fn.now(), WaitsForSteps: false });
  if (line !== undefined)
    await insertInto('RunLogEntries', { ActivityRunId: runId, Message: line, StatusCode: 1, Category: 3 });
}
const endChain = (runId: number, Status: string) =>
  portal.app.database.knex('ChecklistRuns').where('Id', runId).update({ Status, EndTime: new Date() });

describe('a start', () => {
  test('stores the runs of all steps with their inputs, those of one name with the same value', async () => {
    const Id = await saved();
    const { WorkflowId, WorkflowVersion } = await details(Id);
    const runId = await started(Id, { WorkflowId, WorkflowVersion, UniqueId: null });
    const steps = await stepsOf(runId);
    expect(steps).toMatchObject([
      { ActivityId: activities.collect, Status: 'QueuedInSeq', WaitsForSteps: true, UserId: portal.runner.UserId },
      { ActivityId: activities.report, Status: 'QueuedInSeq', WaitsForSteps: true },
    ]);
    const stored = async (step: number) =>
      Object.fromEntries(
        (await rows('RunInputs', { ActivityRunId: steps[step].Id })).map((row) => [row.ActivityParameterId, row.Value]),
      );
    expect(await stored(0)).toMatchObject({ [inputs['collect.Month']!]: '"June"', [inputs['collect.Limit']!]: '100' });
    expect(await stored(1)).toMatchObject({ [inputs['report.Period']!]: '"June"', [inputs['report.Rate']!]: '0.5' });
  });

  test('takes values by the inputs of activities too, and of each its own where several were sent', async () => {
    const Id = await saved();
    const sent = [
      { ActivityParameterId: inputs['collect.Month'], Value: '"May"' },
      { ActivityParameterId: inputs['report.Period'], Value: '"June"' },
      ...entered().slice(1),
    ];
    const [first, second] = await stepsOf(await started(Id, { Inputs: sent }));
    const [month] = await rows('RunInputs', { ActivityRunId: first.Id, ActivityParameterId: inputs['collect.Month'] });
    const [period] = await rows('RunInputs', {
      ActivityRunId: second.Id,
      ActivityParameterId: inputs['report.Period'],
    });
    expect([month.Value, period.Value]).toEqual(['"May"', '"June"']);
  });

  test('gives a file that was uploaded for one input to all of its name', async () => {
    const { knex } = portal.app.database;
    const twin = { ...portal.named('Files', 'report.Papers') };
    const Id = await saved({ Inputs: [...portal.mapped().slice(0, 3), twin] });
    const { key, contentLength, sha256 } = await portal.app.fileStore.put(Buffer.from('paper'));
    const file = { StoreKey: key, ContentLength: contentLength, Sha256: sha256, FileName: 'p.txt', Purpose: 'upload' };
    const of = (FileId: string, UserId: number) => ({
      ...file,
      FileId,
      UserId,
      ActivityParameterId: inputs['report.Papers'],
    });
    await knex('StoredFiles').insert([of('theirs', portal.runner.UserId), of('others', portal.editor.UserId)]);
    const withFile = (FileId: string) => ({
      Inputs: [...entered().slice(0, 3), { ChecklistInputName: 'Files', ArrayIndex: 0, FileId, FileName: 'p.txt' }],
    });
    const [, report] = await stepsOf(await started(Id, withFile('theirs')));
    expect(await rows('RunInputs', { ActivityRunId: report.Id, FileId: 'theirs' })).toHaveLength(1);
    const refused = await start(Id, withFile('others'));
    expect([refused.status, refused.body.modelState]).toEqual([400, { Files: ['Please choose a file'] }]);
  });

  test('is one run, though the form is sent twice', async () => {
    const Id = await saved();
    const UniqueId = 'start of a checklist';
    const ids = await Promise.all([started(Id, { UniqueId }), started(Id, { UniqueId }), started(Id, { UniqueId })]);
    expect(new Set(ids).size).toBe(1);
    const other = await start(await saved(), { UniqueId });
    expect([other.status, other.body.message]).toEqual([409, 'The UniqueId belongs to another start']);
  });

  test('repeated is the run it was, though an activity of it is not active any more', async () => {
    const { knex } = portal.app.database;
    const Id = await saved();
    const UniqueId = 'a checklist whose answer was lost';
    const runId = await started(Id, { UniqueId });
    const steps = await stepsOf(runId);
    const of = steps.map(({ ActivityId }: { ActivityId: number }) => ActivityId);
    await knex('Activities').whereIn('Id', of).update({ IsActive: false });
    const [refused, again] = [await start(Id, { UniqueId: 'another' }), await started(Id, { UniqueId })];
    await knex('Activities').whereIn('Id', of).update({ IsActive: true });
    expect([refused.status, again]).toEqual([404, runId]);
  });

  test('stores nothing where an input of any step is wrong, and names it as it is asked for', async () => {
    const Id = await saved();
    const Inputs = [value('Month', null), value('Limit', '"much"'), value('Rate', '"x"'), value('Papers', '[]')];
    const { status, body } = await start(Id, { Inputs });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: 'Please correct the errors shown.',
      modelState: {
        Month: ['Value must be provided'],
        Limit: [expect.any(String)],
        Rate: [expect.any(String)],
      },
    });
    expect(await rows('ChecklistRuns', { ChecklistId: Id })).toEqual([]);
  });

  test('refuses a value for an input that there is not', async () => {
    const { status, body } = await start(await saved(), { Inputs: [...entered(), value('Colour', '"red"')] });
    expect([status, body.message]).toEqual([400, 'There is a value for an input that does not exist']);
  });

  test('is refused where inputs are not mapped, or it was edited as a workflow, or changed since', async () => {
    const unmapped = await start(await saved({ Inputs: null }), { Inputs: [] });
    expect([unmapped.status, unmapped.body.message]).toEqual([
      409,
      'The checklist cannot be run because some inputs have not been mapped',
    ]);
    const Id = await saved();
    await save({ Id, Name: 'Changed' });
    const old = await start(Id, { WorkflowId: Id, WorkflowVersion: 1 });
    expect([old.status, old.body.message]).toEqual([409, expect.stringContaining('has been changed since')]);
    await insertInto('WorkflowVersions', { ChecklistId: Id, Version: 1, Graph: '{}', UserId: portal.editor.UserId });
    await portal.app.database.knex('Checklists').where({ Id }).update({ WorkflowVersion: 1 });
    const edited = await start(Id);
    expect([edited.status, edited.body.message]).toEqual([
      409,
      'The checklist cannot be run because it has been edited as a workflow',
    ]);
  });

  test('is refused to who may not run one of the activities, and says which', async () => {
    const Id = await saved();
    const lacking = await start(Id, {}, portal.collectOnly);
    expect([lacking.status, lacking.body.message]).toEqual([
      403,
      "You do not have permissions to run these activities of the checklist: 'Report'",
    ]);
    expect((await start(Id, {}, portal.stranger)).status).toBe(404);
    const { knex } = portal.app.database;
    await knex('Activities').where('Id', activities.report).update({ IsActive: false });
    const inactive = await start(Id);
    await knex('Activities').where('Id', activities.report).update({ IsActive: true });
    expect([inactive.status, inactive.body.message]).toEqual([
      409,
      "The checklist cannot be run because of activities that are not active: 'Report'",
    ]);
  });
});

describe('the status of a run', () => {
  test('has the steps in order, what they wait for, and what was entered', async () => {
    const Id = await saved();
    const runId = await started(Id);
    const { body } = await status(runId);
    const { Checklist, ActivityRuns, message } = body.result;
    expect(Checklist).toMatchObject({
      Id,
      Name: 'Month-end close',
      RunId: runId,
      Status: 'Started',
      EndTime: null,
      IsWorkflow: false,
      WorkflowId: null,
      ResumeOf: null,
      CanRun: true,
      CanEdit: false,
      CanCancel: true,
      CanResume: false,
      CanPurge: false,
    });
    expect(message).toBeNull();
    const [collect, report] = await stepsOf(runId);
    expect(ActivityRuns).toMatchObject([
      {
        Id: collect.Id,
        Name: 'Collect',
        Status: 'QueuedInSeq',
        QueueTime: null,
        WaitsFor: [],
        CanView: true,
        Kind: 'Activity',
      },
      { Id: report.Id, Name: 'Report', Status: 'QueuedInSeq', WaitsFor: ['Collect'], KeptRunId: null, Message: '' },
    ]);
    const month = Checklist.Inputs.find((one: { ChecklistInputName: string }) => one.ChecklistInputName === 'Month');
    expect(month).toMatchObject({
      Value: '"June"',
      ActivityParameterId: inputs['collect.Month'],
      ParameterInfo: { CellUsages: ['Text'] },
    });
    // A link from a run leads to the checklist's path, a list of workflows to the other.
    expect((await get(`checklists/status/workflow/${runId}`, portal.runner)).status).toBe(200);
    expect((await get(`checklists/status/other/${runId}`, portal.runner)).status).toBe(400);
  });

  test('says what went wrong with a step, and why others were not run', async () => {
    const runId = await started(await saved());
    const [collect, report] = await stepsOf(runId);
    await end(collect.Id, 'Failed', 'The ledger is locked');
    await end(report.Id, 'Cancelled', 'Not run: step "Collect" did not succeed');
    await endChain(runId, 'Failed');
    const { Checklist, ActivityRuns } = (await status(runId)).body.result;
    expect(Checklist).toMatchObject({
      Status: 'Failed',
      EndTime: expect.any(String),
      CanCancel: false,
      CanResume: true,
    });
    expect(ActivityRuns).toMatchObject([
      { Status: 'Failed', Message: 'The ledger is locked', WaitsFor: [] },
      { Status: 'Cancelled', Message: 'Not run: step "Collect" did not succeed', WaitsFor: [] },
    ]);
  });

  test('is for who started it, and for who may see runs of others', async () => {
    const { app } = portal;
    const runId = await started(await saved());
    const other = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'Finance' }]);
    const hidden = await status(runId, other);
    expect([hidden.status, hidden.body]).toEqual([404, { message: 'There is no such run' }]);
    expect((await status(999_999)).status).toBe(404);
    await grant(app, other.UserId, { right: 'sk.ViewRuns', Schema: 'Finance' });
    expect((await status(runId, other)).body.result.Checklist).toMatchObject({ CanCancel: false });
    await grant(app, other.UserId, { right: 'sk.CancelAnyRun', Schema: 'Finance' });
    expect((await status(runId, other)).body.result.Checklist).toMatchObject({ CanCancel: true });
  });

  test('shows the run of a step to its own page with the checklist it belongs to, and pending runs once they run', async () => {
    const runId = await started(await saved({ Name: 'Close of June' }));
    const [collect] = await stepsOf(runId);
    const run = await get(`activities/status/${collect.Id}?activity=true`, portal.runner);
    expect(run.body.result).toMatchObject({ ChecklistRunId: runId, ChecklistName: 'Close of June' });
    const pending = async () =>
      (await get('activities/pendingruns', portal.runner)).body.result.Items.filter(
        ({ ChecklistName }: { ChecklistName: string | null }) => ChecklistName === 'Close of June',
      );
    expect(await pending()).toEqual([]);
    await portal.app.database
      .knex('ActivityRuns')
      .where('Id', collect.Id)
      .update({ Status: 'Queued', WaitsForSteps: false });
    expect(await pending()).toMatchObject([{ Id: collect.Id, Status: 'Queued' }]);
  });
});

describe('the history of a checklist', () => {
  const history = (ChecklistId: number, more: object = {}, user: User = portal.runner) =>
    post('checklists/runhistory', { ChecklistId, ApproxRows: 20, ...more }, user);

  test('lists the runs a person may see, newest first, a page at a time, with what was entered', async () => {
    const Id = await saved();
    const ids = [await started(Id), await started(Id), await started(Id, {}, portal.editor)];
    const page = (await history(Id, { ApproxRows: 1 })).body.result;
    expect([page.Runs.map((run: { Id: number }) => run.Id), page.HasMore]).toEqual([[ids[1]], true]);
    const next = (await history(Id, { PrevRunId: ids[1], ActivityId: null })).body.result;
    expect([next.Runs.map((run: { Id: number }) => run.Id), next.HasMore]).toEqual([[ids[0]], false]);
    expect(next.Checklist).toMatchObject({
      Id,
      Name: 'Month-end close',
      CanEdit: false,
      LastRunId: ids[1],
      IsLastRunWorkflow: false,
    });
    expect(next.Checklist.Inputs).toMatchObject([{ InputId: inputs['collect.Month'], InputName: 'Month' }, {}, {}, {}]);
    const [run] = next.Runs;
    expect(run).toMatchObject({ Status: 'Started', IsWorkflow: false, Outputs: [] });
    expect(run.Inputs).toContainEqual(
      expect.objectContaining({
        ActivityParameterId: inputs['collect.Month'],
        ChecklistInputName: 'Month',
        Value: '"June"',
      }),
    );
    expect((await history(Id, {}, portal.editor)).body.result.Runs).toHaveLength(3);
  });

  test('is narrowed by status, by who ran it, and to those that were no workflow', async () => {
    const Id = await saved();
    const failed = await started(Id);
    await endChain(failed, 'Failed');
    const running = await started(Id, {}, portal.editor);
    const ids = async (more: object) =>
      (await history(Id, more, portal.editor)).body.result.Runs.map((run: { Id: number }) => run.Id);
    expect(await ids({ Statuses: ['Failed'] })).toEqual([failed]);
    expect(await ids({ UserIds: [portal.editor.UserId] })).toEqual([running]);
    await insertInto('WorkflowVersions', { ChecklistId: Id, Version: 1, Graph: '{}', UserId: portal.editor.UserId });
    await portal.app.database.knex('ChecklistRuns').where('Id', running).update({ WorkflowVersion: 1 });
    expect(await ids({ FetchWorkflowRuns: false })).toEqual([failed]);
    expect(await ids({ FetchWorkflowRuns: true })).toEqual([running, failed]);
    expect((await details(Id)).IsLastRunWorkflow).toBe(true);
  });

  test('is not for who does not see the checklist', async () => {
    expect((await history(await saved(), {}, portal.stranger)).status).toBe(404);
  });
});

describe('the files of a run', () => {
  const download = (runId: number, user: User = portal.runner, kind = 'checklists') =>
    get(`${kind}/downloadFiles/${runId}`, user);

  async function withFile(ActivityRunId: number, FileName: string, isThere = true): Promise<void> {
    const { key, contentLength, sha256 } = await portal.app.fileStore.put(Buffer.from(FileName));
    const FileId = `${FileName} ${ActivityRunId}`.slice(0, 43);
    if (!isThere) await portal.app.fileStore.delete(key);
    await insertInto('StoredFiles', {
      FileId,
      StoreKey: key,
      FileName,
      ContentLength: contentLength,
      Sha256: sha256,
      Purpose: 'output',
    });
    await insertInto('RunOutputs', { ActivityRunId, FileId, FileName, ContentLength: contentLength });
  }

  test('are one file, with a folder for each step, of which some may be missing', async () => {
    const runId = await started(await saved());
    expect((await download(runId)).body).toEqual({ message: 'The run has no files' });
    const [collect, report] = await stepsOf(runId);
    await withFile(collect.Id, 'book.xlsx');
    await withFile(report.Id, 'book.xlsx');
    const { body } = await download(runId);
    expect(body.result).not.toContain('<PARTIAL>');
    const file = await portal.app.http.inject({ url: `/api/files/download/${body.result}` });
    expect(file.headers['content-disposition']).toContain(`Month-end close ${runId}.zip`);
    const names = [...file.rawPayload.toString('latin1').matchAll(/0[12] (?:Collect|Report)\/book\.xlsx/g)].map(
      ([name]) => name,
    );
    expect(new Set(names)).toEqual(new Set(['01 Collect/book.xlsx', '02 Report/book.xlsx']));
    await withFile(report.Id, 'gone.pdf', false);
    expect((await download(runId, portal.runner, 'workflows')).body.result).toMatch(/^<PARTIAL>/);
    expect((await download(runId, portal.stranger)).status).toBe(404);
  });

  test('are offered once it has ended, to who may see one of them', async () => {
    const hasFiles = async (runId: number, user?: User) => (await status(runId, user)).body.result.Checklist.HasFiles;
    const runId = await started(await saved());
    const [, report] = await stepsOf(runId);
    await withFile(report.Id, 'report.pdf');
    expect(await hasFiles(runId)).toBe(false);
    await endChain(runId, 'Succeeded');
    expect(await hasFiles(runId)).toBe(true);
    const other = await signedInUser(portal.app, [
      { right: 'sk.RunActivity', Id: activities.collect },
      { right: 'sk.ViewRuns', Schema: 'Finance' },
    ]);
    expect(await hasFiles(runId, other)).toBe(false);
    const without = await started(await saved());
    await endChain(without, 'Succeeded');
    expect(await hasFiles(without)).toBe(false);
  });
});
