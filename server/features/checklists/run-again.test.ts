/** Tests running an ended checklist again from a step: what is said beforehand, confirmations, changed inputs, rights. */
import { describe, expect } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { value } from '#test/support/checklist-starts.ts';
import { test as base } from '#test/support/fixtures/checklist-starts.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertVersion, insertVersionFile } from '#test/support/runs.ts';
import { grant, signedInUser } from '#test/support/users.ts';

const COLLECT: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [input('Month', { CellUsages: ['Text'] }), input('Limit')],
  outputs: [output('Total')],
};
const step = (Action: 'Mail' | 'Write') => ({ Step: Action, Action, options: {} });
/** Sends a mail and writes to a database. */
const POST: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [input('Rate'), input('Papers', { CellUsages: ['FilePath'], Blanks: [true] })],
  steps: [step('Write'), step('Mail')],
};
const CLOSE: ActivityDefinition = { ...EMPTY_DEFINITION, inputs: [input('Period', { CellUsages: ['Text'] })] };

const INPUTS = [value('Month', '"June"'), value('Limit', '100'), value('Rate', '0.5'), value('Papers', '[]')];
let made = 0;

const test = base.extend('close', async ({ portal, starts }) => {
  const { knex } = portal.app.database;
  made += 1;
  const make = async (name: string, definition: ActivityDefinition) => {
    const FileId = await insertVersionFile(knex, `${name} ${made}`);
    const activity = { UserId: portal.editor.UserId, Name: `${name} ${made}`, Schema: 'Finance', definition, FileId };
    return insertActivity(knex, activity);
  };
  const [collect, post, close] = [await make('Collect', COLLECT), await make('Post', POST), await make('Close', CLOSE)];
  const inputs = await starts
    .rows('ActivityParameters', { Direction: 'input' })
    .whereIn('ActivityId', [collect, post, close]);
  const idOf = (name: string): number => inputs.find(({ Name }: { Name: string }) => Name === name).Id;
  const named = (InputName: string, ...names: string[]) => ({
    InputName,
    ActivityInputs: names.map((name) => ({ Id: idOf(name) })),
  });
  const Inputs = [
    named('Month', 'Month', 'Period'),
    named('Limit', 'Limit'),
    named('Rate', 'Rate'),
    named('Papers', 'Papers'),
  ];
  const ChecklistId = await portal.saved({
    Activities: [{ Id: collect }, { Id: post }, { Id: close }],
    Inputs,
  });

  /** Ends a run of the checklist and of its steps, as the engine does. */
  async function endRun(runId: number, Status = 'Succeeded'): Promise<void> {
    const end = { Status, EndTime: new Date() };
    await knex('ActivityRuns')
      .where('ChecklistRunId', runId)
      .update({ ...end, StartTime: new Date(), WaitsForSteps: false });
    await knex('ChecklistRuns').where('Id', runId).update(end);
  }

  const runId = await starts.started(ChecklistId, { Inputs: INPUTS });
  await endRun(runId);
  const from = (activityId: number) => ({ Steps: [String(activityId)], Following: 'All' });
  const resume = (body: object, user = portal.runner, id = runId) => portal.post(`checklists/resume/${id}`, body, user);
  const plan = (body: object, user = portal.runner, id = runId) =>
    portal.post(`checklists/resumeplan/${id}`, body, user);
  /** The stored values of the run of a step, by input name. */
  async function valuesOf(ChecklistRunId: number, activityId: number): Promise<Record<string, string | null>> {
    const rows = await knex('RunInputs as I')
      .join('ActivityRuns as R', 'R.Id', 'I.ActivityRunId')
      .join('ActivityParameters as P', 'P.Id', 'I.ActivityParameterId')
      .where({ 'R.ChecklistRunId': ChecklistRunId, 'R.ActivityId': activityId })
      .select('P.Name', 'I.Value');
    return Object.fromEntries(rows.map(({ Name, Value }) => [Name, Value]));
  }
  return { collect, post, close, runId, endRun, from, resume, plan, valuesOf };
});

describe('the plan', () => {
  test('lists what is reused, what runs, why, and what must be confirmed, and starts nothing', async ({
    portal,
    close: { collect, post, close, runId, from, plan },
  }) => {
    const { status, body } = await plan({ From: from(post) });
    expect([status, body.message]).toEqual([200, undefined]);
    const { Steps, Inputs, Problem, NewerVersions } = body.result;
    expect({ Problem, NewerVersions }).toEqual({ Problem: null, NewerVersions: [] });
    expect(Inputs.map(({ InputName }: { InputName: string }) => InputName)).toEqual([
      'Month',
      'Limit',
      'Rate',
      'Papers',
    ]);
    expect(Steps).toMatchObject([
      { StepKey: String(collect), Will: 'Reuse', Because: null, Effects: [], MustConfirm: false },
      {
        StepKey: String(post),
        Will: 'Run',
        Because: 'Chosen',
        Effects: ['Write', 'Mail'],
        HasRun: true,
        MustConfirm: true,
      },
      { StepKey: String(close), Will: 'Run', Because: 'After', Effects: [], MustConfirm: false },
    ]);
    expect(await portal.app.database.knex('ChecklistRuns').where('ResumeOf', runId)).toEqual([]);
  });

  test('follows changed inputs, and knows only those of the workflow', async ({ close: { post, from, plan } }) => {
    const willOf = async (body: object) =>
      (await plan({ From: from(post), ...body })).body.result.Steps.map(
        ({ Will, Because }: { Will: string; Because: string | null }) => `${Will} ${Because}`,
      );
    expect(await willOf({ ChangedInputs: ['month'] })).toEqual(['Run Input', 'Run After', 'Run Input']);
    expect(await willOf({ ChangedInputs: ['Rate'] })).toEqual(['Reuse null', 'Run Input', 'Run After']);
    expect((await plan({ ChangedInputs: ['Other'] })).status).toBe(400);
  });

  test('says what makes it impossible: a lost right, a purged output, a version that does not fit', async ({
    portal,
    close: { collect, post, close, runId, from, plan },
  }) => {
    const { knex } = portal.app.database;
    const problem = async (more: object = {}) => (await plan({ From: from(close), ...more })).body.result.Problem;
    await knex('Activities').where('Id', post).update({ IsActive: false });
    expect((await plan({ From: from(close) })).status).toBe(403);
    await knex('Activities').where('Id', post).update({ IsActive: true });
    const inputs = [input('Period')];
    await insertVersion(knex, close, 2, { ...EMPTY_DEFINITION, inputs });
    expect(await problem()).toBeNull();
    expect(await problem({ LatestVersions: true })).toMatch(
      /^The run cannot be resumed with the latest versions\. .*'Month'$/,
    );
    await knex('ActivityRuns')
      .where({ ChecklistRunId: runId, ActivityId: collect })
      .update({ OutputsPurgedTime: new Date() });
    expect(await problem()).toMatch(/^Outputs of steps that succeeded were purged.*"Collect \d+"$/);
  });
});

describe('steps with effects', () => {
  test('run again only if each of them was confirmed, which the log of the new run says', async ({
    portal,
    close: { post, from, resume, runId },
  }) => {
    const refused = await resume({ From: from(post), Confirmed: ['other'] });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(/^Confirm that these steps may change something outside the portal: "Post \d+"$/),
    ]);
    expect(await portal.app.database.knex('ChecklistRuns').where('ResumeOf', runId)).toEqual([]);
    const { status, body } = await resume({ From: from(post), Confirmed: [String(post)] });
    expect([status, body.message]).toEqual([200, undefined]);
    const { ActivityRuns } = (await portal.get(`checklists/status/checklist/${body.result.Id}`, portal.runner)).body
      .result;
    expect(ActivityRuns[1].Message).toBe(
      'It was confirmed that this step runs and changes something outside the portal',
    );
  });

  test('have run before if an earlier run reached them, even if the last one did not', async ({
    portal,
    close: { collect, post, from, resume, plan, endRun },
  }) => {
    const { Id } = (await resume({ From: from(collect), Confirmed: [String(post)] })).body.result;
    await endRun(Id, 'Cancelled');
    await portal.app.database
      .knex('ActivityRuns')
      .where('ChecklistRunId', Id)
      .update({ StartTime: null, NotRunBecause: 'Cancelled' });
    const { Steps } = (await plan({ From: from(collect) }, portal.runner, Id)).body.result;
    expect(Steps[1]).toMatchObject({ StepKey: String(post), Status: 'Cancelled', HasRun: true, MustConfirm: true });
  });

  test('need no confirmation if nothing that succeeded runs again', async ({
    close: { post, from, resume, endRun, runId },
  }) => {
    await endRun(runId, 'Failed');
    const only = { ...from(post), Following: 'Unsuccessful' };
    expect((await resume({ From: only })).body.message).toMatch(/cannot run again without the steps before it/);
    expect((await resume({})).status).toBe(200);
  });

  test('are run once if the call is repeated, and a second person is refused', async ({
    portal,
    close: { close, from, resume },
  }) => {
    const body = { From: from(close), UniqueId: `again ${close}` };
    const [first, second] = [await resume(body), await resume(body)];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const other = await signedInUser(portal.app, [
      { right: 'sk.RunActivity', Schema: 'Finance' },
      { right: 'sk.ViewRuns', Schema: 'Finance' },
    ]);
    const late = await resume({ From: from(close) }, other);
    expect([late.status, late.body.message]).toEqual([409, 'The run is already being resumed']);
  });
});

describe('changed inputs', () => {
  test('reach the steps that read them, with all other values as they were', async ({
    portal,
    close: { collect, post, close, from, resume, valuesOf },
  }) => {
    const { status, body } = await resume({
      From: from(close),
      Inputs: [value('Rate', '0.7')],
      Confirmed: [String(post)],
    });
    expect([status, body]).toEqual([200, { result: { Id: expect.any(Number) } }]);
    const { Id } = body.result;
    expect(await valuesOf(Id, post)).toEqual({ Rate: '0.7', Papers: null });
    expect(await valuesOf(Id, close)).toEqual({ Period: '"June"' });
    expect(await valuesOf(Id, collect)).toEqual({});
    const { Inputs } = (await portal.get(`checklists/status/checklist/${Id}`, portal.runner)).body.result.Checklist;
    expect(
      Inputs.map((one: { ChecklistInputName: string; Value: string | null }) => [one.ChecklistInputName, one.Value]),
    ).toEqual([
      ['Month', '"June"'],
      ['Limit', '100'],
      ['Rate', '0.7'],
      ['Papers', null],
    ]);
  });

  test('are checked like those of a form, by name, and nothing starts', async ({
    portal,
    close: { post, runId, resume },
  }) => {
    const send = (name: string, json: string) => resume({ Inputs: [value(name, json)], Confirmed: [String(post)] });
    const wrong = await send('Rate', '"much"');
    expect([wrong.status, Object.keys(wrong.body.modelState ?? {})]).toEqual([400, ['Rate']]);
    expect((await send('Other', '1')).status).toBe(400);
    expect(await portal.app.database.knex('ChecklistRuns').where('ResumeOf', runId)).toEqual([]);
    // Without a step, only what reads the input runs again, and what follows.
    expect((await send('Rate', '0.9')).status).toBe(200);
  });
});

test('a right that was lost since refuses the start, and one for the steps that run is enough for nobody', async ({
  portal,
  close: { collect, post, close, from, resume },
}) => {
  const some = await signedInUser(portal.app, [{ right: 'sk.ViewRuns', Schema: 'Finance' }]);
  for (const Id of [collect, close]) await grant(portal.app, some.UserId, { right: 'sk.RunActivity', Id });
  expect((await resume({ From: from(close) }, some)).status).toBe(403);
  await grant(portal.app, some.UserId, { right: 'sk.RunActivity', Id: post });
  expect((await resume({ From: from(close) }, some)).status).toBe(200);
});
