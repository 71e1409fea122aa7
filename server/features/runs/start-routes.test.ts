import { describe, expect } from 'vitest';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { insertSecondVersion } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { StartConflict } from '#shared/contract/runs.ts';
import { Value } from 'typebox/value';

const test = base.extend('publishTwice', { scope: 'file' }, async ({ portal }) => {
  return async () => {
    const { knex } = portal.app.database;
    const ActivityId = await portal.publish();
    const [amountId] = await knex('ActivityParameters').where({ ActivityId, Name: 'Amount' }).pluck('Id');
    const body = { ActivityId, ActivityVersion: 1, Inputs: [{ ActivityParameterId: amountId, Value: '1' }] };
    return { body, next: () => insertSecondVersion(knex, ActivityId) };
  };
});

describe('a start', () => {
  test('runs the activity with the values sent, and the run contains them', async ({ portal }) => {
    let seen: unknown;
    portal.executor.onRun = async (request) => {
      seen = request.inputs.map(({ Name, value }) => [Name, value]);
      request.onLog({ Message: 'done', StatusCode: 1, Category: 1 });
      return { ...SUCCESS, outputs: [{ Name: 'Total', Value: '10', Rows: null }] };
    };
    const answer = await portal.start({
      Inputs: [portal.amount('12 %'), { ActivityParameterId: portal.ids['Colour'], Value: '"red"' }],
    });
    expect(answer.body.result).toEqual({
      Id: expect.any(Number),
      Status: expect.stringMatching(/^(Queued|PickedUp)$/),
      EndTime: null,
      LogEntries: [],
    });
    const run = await portal.ended(answer.body.result.Id);
    portal.executor.onRun = async () => SUCCESS;
    expect(seen).toEqual([
      ['Amount', '0.12'],
      ['Colour', '"red"'],
      ['File', null],
      ['Limited', null],
    ]);
    expect(run).toMatchObject({ Status: 'Succeeded', UserFullName: expect.any(String), CanCancel: false });
    expect(run.Outputs[0]).toMatchObject({ Name: 'Total', Value: '10' });
    expect(run.LogEntries).toMatchObject([{ Message: 'done', displayMessage: 'done', StatusCode: 1, Category: 1 }]);
    expect(
      run.Inputs.map((i: { Name: string; Value: string; UseDefault: boolean }) => [i.Name, i.Value, i.UseDefault]),
    ).toEqual([
      ['Amount', '0.12', false],
      ['Colour', '"red"', false],
      ['File', null, false],
      ['Limited', null, true],
    ]);
  });

  test.for([
    ['a value that is missing', [], { Amount: ['Value must be provided'] }],
    ['a value that is not a number', [{ Value: '"x"' }], { Amount: ['Value must be a number'] }],
    ['a shape that is not the input’s', [{ Value: '[1]' }], { Amount: [expect.any(String)] }],
    ['JSON that is none', [{ Value: '{' }], { Amount: [expect.any(String)] }],
  ] as const)('with %s is refused with the messages by input', async ([, values, modelState], { portal }) => {
    const Inputs = values.map((value) => ({ ActivityParameterId: portal.ids['Amount'], ...value }));
    const answer = await portal.start({ Inputs });
    expect(answer).toEqual({ status: 400, body: { message: 'Please correct the errors shown.', modelState } });
  });

  test('checks fixed lists, and refuses what belongs to no input', async ({ portal }) => {
    const Inputs = [
      portal.amount(1),
      { ActivityParameterId: portal.ids['Colour'], Value: '"green"' },
      { ActivityParameterId: 999_999, Value: '1' },
    ];
    expect((await portal.start({ Inputs })).body.modelState).toEqual({
      Colour: ['Please choose a valid value.'],
      '': ['There is a value for an input that does not exist'],
    });
  });

  test('ignores the value of an input the person has no right to change', async ({ portal }) => {
    const Id = await portal.started({
      Inputs: [portal.amount(1), { ActivityParameterId: portal.ids['Limited'], Value: '7' }],
    });
    const run = await portal.ended(Id);
    expect(run.Inputs.find((i: { Name: string }) => i.Name === 'Limited')).toMatchObject({
      Value: null,
      UseDefault: true,
    });
  });

  test('repeated with the same Idempotency-Key is the same run, and an invalid key starts nothing', async ({
    portal,
  }) => {
    const keyed = (key: string, body: object = { UniqueId: undefined }) => {
      const headers: Record<string, string> = { ...portal.owner.headers, 'idempotency-key': key };
      return portal.start({ ...body }, headers as typeof portal.owner.headers);
    };
    const first = await keyed('"by-header"');
    expect(first.status).toBe(200);
    const again = [await keyed('by-header'), await keyed('by-header', { UniqueId: 'by-header' })];
    expect(again.map(({ body }) => body.result.Id)).toEqual([first.body.result.Id, first.body.result.Id]);
    for (const key of ['', '""', 'two words', 'x'.repeat(65)]) expect((await keyed(key)).status, key).toBe(400);
    expect((await keyed('one', { UniqueId: 'another' })).status).toBe(400);
    await portal.ended(first.body.result.Id);
  });

  test('repeated with the same UniqueId is the same run, also at once', async ({ portal }) => {
    const body = { UniqueId: 'twice' };
    const answers = await Promise.all([portal.start(body), portal.start(body), portal.start(body)]);
    const [first, ...others] = answers.map((answer) => answer.body.result.Id);
    expect(others).toEqual([first, first]);
    expect(await portal.app.database.knex('RunInputs').where({ ActivityRunId: first })).toHaveLength(4);
    const another = await portal.started({ UniqueId: 'twice' }, portal.stranger.headers);
    expect(another).not.toBe(first);
    // The following tests count pending runs and change what runs do.
    for (const Id of [first, another]) await portal.ended(Id);
  });

  test('repeated is the run it was, whatever has become of the activity, the version and the inputs since', async ({
    portal,
  }) => {
    const { knex } = portal.app.database;
    const ActivityId = await portal.publish();
    const [amountId] = await knex('ActivityParameters').where({ ActivityId, Name: 'Amount' }).pluck('Id');
    const Inputs = [{ ActivityParameterId: amountId, Value: '1' }];
    const body = { ActivityId, ActivityVersion: 1, UniqueId: 'its answer was lost', Inputs };
    const Id = await portal.started(body);
    await portal.ended(Id);
    const repeated = async (changes: object = {}) => (await portal.start({ ...body, ...changes })).body.result?.Id;

    await knex('Activities').where('Id', ActivityId).update({ IsActive: false });
    expect((await portal.start({ ...body, UniqueId: 'another' })).status).toBe(404);
    expect(await repeated()).toBe(Id);
    await insertSecondVersion(knex, ActivityId);
    expect(await repeated()).toBe(Id);
    // Like a value that its list offered then, but no longer does.
    expect(await repeated({ Inputs: [{ ActivityParameterId: 987_654, Value: 'gone' }] })).toBe(Id);
    expect(await knex('ActivityRuns').where({ ActivityId })).toHaveLength(1);
    const other = await portal.start({ UniqueId: body.UniqueId });
    expect([other.status, other.body.message]).toEqual([409, 'The UniqueId belongs to another start']);
  });

  test('of what may not be seen, or of a version there is not, is 404', async ({ portal }) => {
    const outsider = await signedInUser(portal.app, [{ right: 'sk.RunActivity', Id: portal.ActivityId + 1000 }]);
    expect((await portal.start({}, outsider.headers)).status).toBe(404);
    expect((await portal.start({ ActivityVersion: 2 })).status).toBe(404);
  });

  describe('of a version that has a newer one', () => {
    test('is refused with the newest, and stores nothing', async ({ portal, publishTwice }) => {
      const { body, next } = await publishTwice();
      await next();
      const answer = await portal.start(body);
      expect(answer).toEqual({
        status: 409,
        body: {
          message: expect.stringMatching(/^The activity has a new version, 2\. This start requests version 1/),
          code: 'activityVersionOutdated',
          ActivityVersion: 2,
        },
      });
      expect(Value.Check(StartConflict, answer.body)).toBe(true);
      expect(await portal.app.database.knex('ActivityRuns').where('ActivityId', body.ActivityId)).toEqual([]);
      expect((await portal.start({ ...body, AcceptOutdatedVersion: false })).status).toBe(409);
    });

    test('runs that version where it accepts that it is outdated', async ({ portal, publishTwice }) => {
      const { body, next } = await publishTwice();
      await next();
      let key = '';
      portal.executor.onRun = async (request) => {
        key = request.versionKey;
        return SUCCESS;
      };
      await portal.ended(await portal.started({ ...body, AcceptOutdatedVersion: true }));
      expect(key).toBe(`${body.ActivityId}/1`);
      portal.executor.onRun = async () => SUCCESS;
    });

    test('answers the run that it started before there was one', async ({ portal, publishTwice }) => {
      const { body, next } = await publishTwice();
      const UniqueId = 'before the new version';
      const Id = await portal.started({ ...body, UniqueId });
      await portal.ended(Id);
      await next();
      expect((await portal.start({ ...body, UniqueId })).body.result).toMatchObject({ Id, Status: 'Succeeded' });
    });

    test('is a retry of a run of it: with the same version', async ({ portal, publishTwice }) => {
      const { body, next } = await publishTwice();
      portal.executor.onRun = async () => ({ ...SUCCESS, status: 'Failed' });
      const Id = await portal.started(body);
      await portal.ended(Id);
      portal.executor.onRun = async () => SUCCESS;
      await next();
      const { body: answer } = await portal.post(`retry/${Id}`, {});
      expect(await portal.ended(answer.result.Id)).toMatchObject({ Status: 'Succeeded', ActivityVersion: 1 });
    });
  });
});

describe('runs of an activity that prevents simultaneous ones', () => {
  test('wait for each other', async ({ portal }) => {
    const Id = await portal.publish({ SingleRun: true });
    const [amountId] = await portal.app.database
      .knex('ActivityParameters')
      .where({ ActivityId: Id, Name: 'Amount' })
      .pluck('Id');
    const Inputs = [{ ActivityParameterId: amountId, Value: '1' }];
    const release = portal.holdRuns();
    const answers = await Promise.all([1, 2, 3].map(() => portal.start({ ActivityId: Id, Inputs })));
    const statuses = answers.map((answer) => String(answer.body.result.Status)).toSorted((a, b) => a.localeCompare(b));
    expect(statuses).toEqual(['Queued', 'QueuedInSeq', 'QueuedInSeq']);
    release();
    for (const answer of answers)
      expect(await portal.ended(answer.body.result.Id)).toMatchObject({ Status: 'Succeeded' });
    const runs = await portal.app.database.knex('ActivityRuns').where({ ActivityId: Id }).orderBy('StartTime');
    for (const [i, run] of runs.slice(1).entries()) expect(run.StartTime >= runs[i].EndTime).toBe(true);
  });
});
