/** Tests what people can see of the runs of checklists. */
import { describe, expect } from 'vitest';
import type { User } from '#test/support/checklist-portal.ts';
import { test as base } from '#test/support/fixtures/checklist-starts.ts';
import { grant, signedInUser } from '#test/support/users.ts';

const test = base.extend('runs', { scope: 'file' }, ({ starts: { insertInto }, portal }) => {
  const status = async (runId: number, user: User = portal.runner) =>
    portal.get(`checklists/status/checklist/${runId}`, user);

  /** Ends a step as the workflow engine does. */
  async function end(runId: number, Status: string, line?: string): Promise<void> {
    const { knex } = portal.app.database;
    await knex('ActivityRuns').where('Id', runId).update({ Status, EndTime: knex.fn.now(), WaitsForSteps: false });
    if (line !== undefined)
      await insertInto('RunLogEntries', { ActivityRunId: runId, Message: line, StatusCode: 1, Category: 3 });
  }

  const endWorkflowRun = (runId: number, Status: string) =>
    portal.app.database.knex('ChecklistRuns').where('Id', runId).update({ Status, EndTime: new Date() });
  const history = (ChecklistId: number, more: object = {}, user: User = portal.runner) =>
    portal.post('checklists/runhistory', { ChecklistId, ApproxRows: 20, ...more }, user);
  const download = (runId: number, user: User = portal.runner, kind = 'checklists') =>
    portal.get(`${kind}/downloadFiles/${runId}`, user);

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

  return { status, end, endWorkflowRun, history, download, withFile };
});

describe('the status of a run', () => {
  test('has the steps in order, what they wait for, and what was entered', async ({
    starts: { started, stepsOf },
    portal,
    runs: { status },
  }) => {
    const Id = await portal.saved();
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
      ActivityParameterId: portal.inputs['collect.Month'],
      ParameterInfo: { CellUsages: ['Text'] },
    });
    // Links from a run use the checklist path; the list of workflows uses the other one.
    expect((await portal.get(`checklists/status/workflow/${runId}`, portal.runner)).status).toBe(200);
    expect((await portal.get(`checklists/status/other/${runId}`, portal.runner)).status).toBe(400);
  });

  test('says what went wrong with a step, and why others were not run', async ({
    starts: { started, stepsOf },
    portal: { saved },
    runs: { end, endWorkflowRun, status },
  }) => {
    const runId = await started(await saved());
    const [collect, report] = await stepsOf(runId);
    await end(collect.Id, 'Failed', 'The ledger is locked');
    await end(report.Id, 'Cancelled', 'Not run: step "Collect" did not succeed');
    await endWorkflowRun(runId, 'Failed');
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

  test('is for the person who started it, and for people who may see runs of others', async ({
    starts: { started },
    portal,
    runs: { status },
  }) => {
    const { app } = portal;
    const runId = await started(await portal.saved());
    const other = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'Finance' }]);
    const hidden = await status(runId, other);
    expect([hidden.status, hidden.body]).toEqual([404, { message: 'There is no such run' }]);
    expect((await status(999_999)).status).toBe(404);
    await grant(app, other.UserId, { right: 'sk.ViewRuns', Schema: 'Finance' });
    expect((await status(runId, other)).body.result.Checklist).toMatchObject({ CanCancel: false });
    await grant(app, other.UserId, { right: 'sk.CancelAnyRun', Schema: 'Finance' });
    expect((await status(runId, other)).body.result.Checklist).toMatchObject({ CanCancel: true });
  });

  test('shows the run of a step to its own page with the checklist it belongs to, and pending runs once they run', async ({
    starts: { started, stepsOf },
    portal,
  }) => {
    const runId = await started(await portal.saved({ Name: 'Close of June' }));
    const [collect] = await stepsOf(runId);
    const run = await portal.get(`activities/status/${collect.Id}?activity=true`, portal.runner);
    expect(run.body.result).toMatchObject({ ChecklistRunId: runId, ChecklistName: 'Close of June' });
    const pending = async () =>
      (await portal.get('activities/pendingruns', portal.runner)).body.result.Items.filter(
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
  test('lists the runs a person may see, newest first, a page at a time, with what was entered', async ({
    starts: { started },
    portal,
    runs: { history },
  }) => {
    const Id = await portal.saved();
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
    expect(next.Checklist.Inputs).toMatchObject([
      { InputId: portal.inputs['collect.Month'], InputName: 'Month' },
      {},
      {},
      {},
    ]);
    const [run] = next.Runs;
    expect(run).toMatchObject({ Status: 'Started', IsWorkflow: false, Outputs: [] });
    expect(run.Inputs).toContainEqual(
      expect.objectContaining({
        ActivityParameterId: portal.inputs['collect.Month'],
        ChecklistInputName: 'Month',
        Value: '"June"',
      }),
    );
    expect((await history(Id, {}, portal.editor)).body.result.Runs).toHaveLength(3);
  });

  test('is narrowed by status, by who ran it, and to those that were no workflow', async ({
    starts: { started, insertInto },
    portal,
    runs: { endWorkflowRun, history },
  }) => {
    const Id = await portal.saved();
    const failed = await started(Id);
    await endWorkflowRun(failed, 'Failed');
    const running = await started(Id, {}, portal.editor);
    const ids = async (more: object) =>
      (await history(Id, more, portal.editor)).body.result.Runs.map((run: { Id: number }) => run.Id);
    expect(await ids({ Statuses: ['Failed'] })).toEqual([failed]);
    expect(await ids({ UserIds: [portal.editor.UserId] })).toEqual([running]);
    await insertInto('WorkflowVersions', { ChecklistId: Id, Version: 1, Graph: '{}', UserId: portal.editor.UserId });
    await portal.app.database.knex('ChecklistRuns').where('Id', running).update({ WorkflowVersion: 1 });
    expect(await ids({ FetchWorkflowRuns: false })).toEqual([failed]);
    expect(await ids({ FetchWorkflowRuns: true })).toEqual([running, failed]);
    // As specified: empty lists filter nothing, and a PrevRunId of 0 means no previous run.
    expect(await ids({ Statuses: [], UserIds: [], PrevRunId: 0 })).toEqual(await ids({}));
    expect((await portal.details(Id)).IsLastRunWorkflow).toBe(true);
  });

  test('is not for who does not see the checklist', async ({ portal, runs: { history } }) => {
    expect((await history(await portal.saved(), {}, portal.stranger)).status).toBe(404);
  });
});

describe('the files of a run', () => {
  test('are one file, with a folder for each step, of which some may be missing', async ({
    starts: { started, stepsOf },
    portal,
    runs: { download, withFile },
  }) => {
    const runId = await started(await portal.saved());
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

  test('are offered once it has ended, to who may see one of them', async ({
    starts: { started, stepsOf },
    portal,
    runs: { status, withFile, endWorkflowRun },
  }) => {
    const hasFiles = async (runId: number, user?: User) => (await status(runId, user)).body.result.Checklist.HasFiles;
    const runId = await started(await portal.saved());
    const [, report] = await stepsOf(runId);
    await withFile(report.Id, 'report.pdf');
    expect(await hasFiles(runId)).toBe(false);
    await endWorkflowRun(runId, 'Succeeded');
    expect(await hasFiles(runId)).toBe(true);
    const other = await signedInUser(portal.app, [
      { right: 'sk.RunActivity', Id: portal.activities.collect },
      { right: 'sk.ViewRuns', Schema: 'Finance' },
    ]);
    expect(await hasFiles(runId, other)).toBe(false);
    const without = await started(await portal.saved());
    await endWorkflowRun(without, 'Succeeded');
    expect(await hasFiles(without)).toBe(false);
  });
});
