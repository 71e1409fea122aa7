/** Tests what the start of a checklist stores, and which starts are refused. */
import { describe, expect } from 'vitest';
import { test } from '#test/support/fixtures/checklist-starts.ts';
import { entered, value } from '#test/support/checklist-starts.ts';

describe('a start', () => {
  test('stores the runs of all steps with their inputs, those of one name with the same value', async ({
    starts: { started, stepsOf, rows },
    portal,
  }) => {
    const Id = await portal.saved();
    const { WorkflowId, WorkflowVersion } = await portal.details(Id);
    const runId = await started(Id, { WorkflowId, WorkflowVersion, UniqueId: null });
    const steps = await stepsOf(runId);
    expect(steps).toMatchObject([
      {
        ActivityId: portal.activities.collect,
        Status: 'QueuedInSeq',
        WaitsForSteps: true,
        UserId: portal.runner.UserId,
      },
      { ActivityId: portal.activities.report, Status: 'QueuedInSeq', WaitsForSteps: true },
    ]);
    const stored = async (step: number) =>
      Object.fromEntries(
        (await rows('RunInputs', { ActivityRunId: steps[step].Id })).map((row) => [row.ActivityParameterId, row.Value]),
      );
    expect(await stored(0)).toMatchObject({
      [portal.inputs['collect.Month']!]: '"June"',
      [portal.inputs['collect.Limit']!]: '100',
    });
    expect(await stored(1)).toMatchObject({
      [portal.inputs['report.Period']!]: '"June"',
      [portal.inputs['report.Rate']!]: '0.5',
    });
  });

  test('takes values by the inputs of activities too, and of each its own where several were sent', async ({
    starts: { stepsOf, started, rows },
    portal: { saved, inputs },
  }) => {
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

  test('gives a file that was uploaded for one input to all of its name', async ({
    starts: { stepsOf, started, rows, start },
    portal,
  }) => {
    const { knex } = portal.app.database;
    const twin = { ...portal.named('Files', 'report.Papers') };
    const Id = await portal.saved({ Inputs: [...portal.mapped().slice(0, 3), twin] });
    const { key, contentLength, sha256 } = await portal.app.fileStore.put(Buffer.from('paper'));
    const file = { StoreKey: key, ContentLength: contentLength, Sha256: sha256, FileName: 'p.txt', Purpose: 'upload' };
    const of = (FileId: string, UserId: number) => ({
      ...file,
      FileId,
      UserId,
      ActivityParameterId: portal.inputs['report.Papers'],
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

  test('is one run, though the form is sent twice', async ({ starts: { started, start }, portal: { saved } }) => {
    const Id = await saved();
    const UniqueId = 'start of a checklist';
    const ids = await Promise.all([started(Id, { UniqueId }), started(Id, { UniqueId }), started(Id, { UniqueId })]);
    expect(new Set(ids).size).toBe(1);
    const other = await start(await saved(), { UniqueId });
    expect([other.status, other.body.message]).toEqual([409, 'The UniqueId belongs to another start']);
  });

  test('repeated returns the same run, although one of its activities is no longer active', async ({
    starts: { started, stepsOf, start },
    portal,
  }) => {
    const { knex } = portal.app.database;
    const Id = await portal.saved();
    const UniqueId = 'a checklist whose answer was lost';
    const runId = await started(Id, { UniqueId });
    const steps = await stepsOf(runId);
    const of = steps.map(({ ActivityId }: { ActivityId: number }) => ActivityId);
    await knex('Activities').whereIn('Id', of).update({ IsActive: false });
    const [refused, again] = [await start(Id, { UniqueId: 'another' }), await started(Id, { UniqueId })];
    await knex('Activities').whereIn('Id', of).update({ IsActive: true });
    expect([refused.status, again]).toEqual([404, runId]);
  });

  test('stores nothing where an input of any step is wrong, and names it as it is asked for', async ({
    starts: { start, rows },
    portal: { saved },
  }) => {
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

  test('refuses a value for an input that there is not', async ({ starts: { start }, portal: { saved } }) => {
    const { status, body } = await start(await saved(), { Inputs: [...entered(), value('Colour', '"red"')] });
    expect([status, body.message]).toEqual([400, 'There is a value for an input that does not exist']);
  });

  test('is refused where inputs are not mapped, or it was edited as a workflow, or changed since', async ({
    starts: { start, insertInto },
    portal,
  }) => {
    const unmapped = await start(await portal.saved({ Inputs: null }), { Inputs: [] });
    expect([unmapped.status, unmapped.body.message]).toEqual([
      409,
      'The checklist cannot be run because some inputs have not been mapped',
    ]);
    const Id = await portal.saved();
    await portal.save({ Id, Name: 'Changed' });
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

  test('is refused to who may not run one of the activities, and says which', async ({ starts: { start }, portal }) => {
    const Id = await portal.saved();
    const lacking = await start(Id, {}, portal.collectOnly);
    expect([lacking.status, lacking.body.message]).toEqual([
      403,
      "You do not have permissions to run these activities of the checklist: 'Report'",
    ]);
    expect((await start(Id, {}, portal.stranger)).status).toBe(404);
    const { knex } = portal.app.database;
    await knex('Activities').where('Id', portal.activities.report).update({ IsActive: false });
    const inactive = await start(Id);
    await knex('Activities').where('Id', portal.activities.report).update({ IsActive: true });
    expect([inactive.status, inactive.body.message]).toEqual([
      409,
      "The checklist cannot be run because of activities that are not active: 'Report'",
    ]);
  });
});
