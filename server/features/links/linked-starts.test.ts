/** Tests runs that a link starts. */
import { describe, expect, test } from 'vitest';
import { linkedActivities } from '#test/support/linked-activities.ts';
import { insertActivity, insertRun, insertSecondVersion } from '#test/support/runs.ts';

const links = linkedActivities();
const { finishedRun, get, mapping, post, write, startLink, storedInputs } = links;

describe('a linked start', () => {
  test('takes what the run gave, its chosen rows and its files, and remembers where from', async () => {
    const OutputTransforms = [{ ActivityParameterId: links.outputs['Rows'], FilteredRowIndices: [2, 0] }];
    const { status, body } = await startLink({ OutputTransforms });
    expect(status).toBe(200);
    const { Id } = body.result;
    expect(await storedInputs(Id)).toEqual({
      Amount: 16,
      Lines: [
        ['cog', 8],
        ['bolt', 3],
      ],
      Papers: 'report.txt',
      Guarded: 16,
    });
    expect((await get(`status/${Id}`)).body.result).toMatchObject({
      SourceRunId: links.runId,
      ActivityId: links.targetId,
    });
    const [shown] = (await get(`status/${links.runId}`)).body.result.ActivityLinks;
    expect(shown).toMatchObject({ Id: links.linkId, LastRun: { Id } });
    const history = { ActivityId: links.targetId, LinkId: links.linkId, ApproxRows: 5, PrevRunId: null };
    const { LinkName, Runs } = (await post('runhistory', history)).body.result;
    expect([LinkName, Runs.map((run: { Id: number }) => run.Id)]).toEqual(['To order', [Id]]);
    expect((await post('runhistory', { ...history, ActivityId: links.sourceId })).status).toBe(404);
  });

  test('refuses what is no number for an input that takes numbers, in place of the value of the workbook', async () => {
    const { knex } = links.app.database;
    const runId = await finishedRun(links.owner.UserId);
    const output = knex('RunOutputs').where({ ActivityRunId: runId, ActivityParameterId: links.outputs['Total'] });
    await output.update({ Value: JSON.stringify('about 16') });
    const { status, body } = await startLink({ ActivityRunId: runId });
    expect([status, body.modelState]).toEqual([400, expect.objectContaining({ Amount: ['Value must be a number'] })]);
  });

  test('keeps locked cells as the run gave them, whatever is sent', async () => {
    const Inputs = [
      { ActivityParameterId: links.inputs['Amount'], Value: '999' },
      { ActivityParameterId: links.inputs['Guarded'], Value: '999' },
      {
        ActivityParameterId: links.inputs['Lines'],
        Value: JSON.stringify([
          ['stolen', 30],
          ['x', 50],
          ['y', 80],
        ]),
      },
    ];
    const { Id } = (await startLink({ Inputs })).body.result;
    expect(await storedInputs(Id)).toMatchObject({
      Amount: 16,
      Guarded: 16,
      Lines: [
        ['bolt', 30],
        ['nut', 50],
        ['cog', 80],
      ],
    });
  });

  test('takes chosen rows without the name of their output, and starts without any list', async () => {
    const { body } = await startLink({ OutputTransforms: [{ FilteredRowIndices: [1] }], Inputs: null });
    expect(await storedInputs(body.result.Id)).toMatchObject({ Lines: [['nut', 5]] });
    const bare = await startLink({ OutputTransforms: undefined, Inputs: undefined });
    expect(bare.status).toBe(200);
    const ofEachOutput = [{ FilteredRowIndices: [1] }, { FilteredRowIndices: null }, { FilteredRowIndices: null }];
    const whole = await startLink({ OutputTransforms: ofEachOutput });
    expect(await storedInputs(whole.body.result.Id)).toMatchObject({ Lines: [['nut', 5]] });
  });

  test('refuses rows that the table of the run does not have, and transforms of tables it does not take', async () => {
    const beyond = await startLink({ OutputTransforms: [{ FilteredRowIndices: [0, 77] }] });
    expect([beyond.status, beyond.body.message]).toEqual([
      400,
      'Row 77 was selected, but the table of the run has only 3 rows',
    ]);
    const second = await startLink({ OutputTransforms: [{ FilteredRowIndices: [0] }, { FilteredRowIndices: [0] }] });
    expect(second.status).toBe(400);
  });

  test('refuses where the activity it leads to has lost an input that it fills', async () => {
    const { knex } = links.app.database;
    const lost = { target: 987_654, source: links.outputs['Total'], ReadOnly: [true] };
    const before = await knex('ActivityLinks').where('Id', links.linkId).first('LinkInfo');
    await knex('ActivityLinks')
      .where('Id', links.linkId)
      .update({ LinkInfo: JSON.stringify([lost]) });
    const { status, body } = await startLink();
    await knex('ActivityLinks').where('Id', links.linkId).update(before);
    expect([status, body.message]).toEqual([409, expect.stringContaining('The linkage no longer fits')]);
  });

  test('from a form of an older version is refused until that is accepted; without a form it takes the newest', async () => {
    const { knex } = links.app.database;
    const ranVersion = async (Id: number) => (await knex('ActivityRuns').where({ Id }).first()).ActivityVersion;
    await insertSecondVersion(knex, links.targetId);
    const filledIn = { ActivityVersion: 1, UniqueId: 'filled in' };
    const refused = await startLink(filledIn);
    expect([refused.status, refused.body.code, refused.body.ActivityVersion]).toEqual([
      409,
      'activityVersionOutdated',
      2,
    ]);
    const accepted = await startLink({ ...filledIn, AcceptOutdatedVersion: true });
    expect(await ranVersion(accepted.body.result.Id)).toBe(1);
    expect(await ranVersion((await startLink()).body.result.Id)).toBe(2);
  });

  test('repeated is the run it was, though the linkage has been changed or deleted since', async () => {
    const { knex } = links.app.database;
    const UniqueId = 'linked, and its answer was lost';
    const first = await startLink({ UniqueId });
    expect(first.status).toBe(200);
    const before = await knex('ActivityLinks').where('Id', links.linkId).first('LinkInfo');
    await knex('ActivityLinks').where('Id', links.linkId).update({ LinkInfo: '[]' });
    expect((await startLink({ UniqueId })).body.result).toEqual(first.body.result);
    await knex('ActivityLinks').where('Id', links.linkId).update(before);
    // A form of another linkage or run is not the form that was sent.
    const other = await startLink({ UniqueId, ActivityLinkId: 987_654 });
    expect([other.status, other.body.message]).toEqual([409, 'The UniqueId belongs to another start']);
    expect((await startLink({ UniqueId, ActivityRunId: 987_654 })).status).toBe(409);
    expect((await startLink({ ActivityLinkId: 987_654 })).status).toBe(404);
  });

  test('refuses rows added beside locked columns', async () => {
    const Inputs = [{ ActivityParameterId: links.inputs['Lines'], Value: '[["a",1],["b",2],["c",3],["d",4]]' }];
    const { status, body } = await startLink({ Inputs });
    expect([status, body.modelState]).toEqual([400, { Lines: ['Rows cannot be added or removed'] }]);
  });

  test('takes no run of another person, of another activity, or one that is in progress', async () => {
    expect((await startLink({}, links.other)).status).toBe(404);
    const elsewhere = await insertRun(links.app.database.knex, {
      ActivityId: links.targetId,
      UserId: links.owner.UserId,
      Status: 'Failed',
    });
    expect((await startLink({ ActivityRunId: elsewhere })).status).toBe(404);
    const running = await finishedRun(links.owner.UserId, 'Started');
    expect((await startLink({ ActivityRunId: running })).status).toBe(409);
    const ownOfOther = await finishedRun(links.other.UserId);
    expect((await startLink({ ActivityRunId: ownOfOther }, links.other)).status).toBe(200);
    expect((await get(`status/${ownOfOther}`)).status).toBe(404);
  });

  test('takes no file of another person’s run', async () => {
    await write({ Id: links.linkId, LinkInfo: JSON.stringify([{ ...mapping('Report', 'Papers', [false]) }]) });
    const theirs = await finishedRun(links.other.UserId);
    const FileId = `report-of-run-${theirs}`;
    const Inputs = [
      { ActivityParameterId: links.inputs['Amount'], Value: '1' },
      { ActivityParameterId: links.inputs['Papers'], ArrayIndex: 0, FileId, FileName: 'report.txt' },
    ];
    const { status, body } = await startLink({ Inputs });
    await write({ Id: links.linkId });
    expect([status, body.modelState]).toEqual([400, { Papers: ['Please choose a file'] }]);
  });

  test('is refused, and does not wait, while the activity prevents simultaneous runs and one is pending', async () => {
    const { knex } = links.app.database;
    const single = await insertActivity(knex, { UserId: links.editor.UserId, SingleRun: true });
    const body = (await write({ LinkedActivityId: single, LinkInfo: '[]' })).body;
    const start = () => startLink({ ActivityLinkId: body.result.Id });
    expect((await start()).status).toBe(200);
    const refused = await start();
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The activity is already running and cannot be run now.',
    ]);
    expect(await knex('ActivityRuns').where('ActivityId', single)).toHaveLength(1);
  });

  test('that was answered is one run however often it is sent, also where simultaneous runs are prevented', async () => {
    const { knex } = links.app.database;
    for (const SingleRun of [false, true]) {
      const ActivityId = await insertActivity(knex, { UserId: links.editor.UserId, SingleRun });
      const link = (await write({ LinkedActivityId: ActivityId, LinkInfo: '[]' })).body.result;
      const start = (UniqueId: string) => startLink({ ActivityLinkId: link.Id, UniqueId });
      const first = await start(`once-${SingleRun}`);
      expect(first.status).toBe(200);
      expect((await start(`once-${SingleRun}`)).body).toEqual(first.body);
      expect((await start(`twice-${SingleRun}`)).status).toBe(SingleRun ? 409 : 200);
      expect(await knex('ActivityRuns').where('ActivityId', ActivityId)).toHaveLength(SingleRun ? 1 : 2);
    }
  });

  test('says which value a failed run does not have', async () => {
    const failed = await insertRun(links.app.database.knex, {
      ActivityId: links.sourceId,
      UserId: links.owner.UserId,
      Status: 'Failed',
    });
    const { status, body } = await startLink({ ActivityRunId: failed });
    expect(status).toBe(400);
    expect(body.modelState).toMatchObject({ Amount: ['The run has no value for this input'] });
  });
});
