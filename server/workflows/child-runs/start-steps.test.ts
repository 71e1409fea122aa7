/** Workbooks that start other runs, one for each row of a table, with the real executor. */
import { describe, expect } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { billing, INVOICE, type Bills } from '#test/support/start-workbooks.ts';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { test as it, THREE } from '#test/support/fixtures/start-steps.ts';
import { messagesOf, stepSheet } from '#test/support/step-portal.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { pino } from 'pino';
import { createPrepareStep } from '#server/features/runs/prepare-step.ts';
import { createRunSignals } from '#server/queue/run-signals.ts';
import { checkStart } from '#server/queue/check-start.ts';
import { createChildRunEngine } from './child-run-engine.ts';
import { retryChildRuns } from './retry-child-runs.ts';

describe('a Start step', () => {
  it('starts a run for each row, as the person who runs the workbook, and counts them', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const parent = await portal.run(billing(THREE), 'Bill three');
    expect(parent.Status).toBe('Succeeded');
    expect(messagesOf(parent)).toContain("Step 'Bill all': 3 runs of Invoice are started when this run has succeeded");
    const run = await over(parent.Id);
    expect(run).toMatchObject({ SuccessfulChildRuns: 3, FailedChildRuns: 0, RunningChildRuns: 0 });
    const children = await childrenOf(parent.Id);
    expect(children.map(({ RowKey, Status, UserId }) => [RowKey, Status, UserId])).toEqual(
      ['Ann', 'Bob', 'Cy'].map((key) => [key, 'Succeeded', portal.runner.UserId]),
    );
    expect(run.MaxChildRunEndTime).toBe(new Date(Math.max(...children.map((row) => +row.EndTime))).toISOString());
    const bob = await portal.get(children[1].Id);
    expect(bob).toMatchObject({ ParentRunId: parent.Id, ParentName: 'Bill three' });
    expect(bob.Outputs[0]!.Value).toBe('40');
    expect(bob.Inputs.map(({ Name, Value }) => [Name, Value])).toEqual([
      ['Customer', '"Bob"'],
      ['Amount', '20'],
    ]);
  });

  it('lets the other rows run where some fail, and retries those alone, of which each counts once', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const rows: Bills = [...THREE, ['Dee', -1], ['Eve', -2]];
    const { Id } = await portal.run(billing(rows), 'Bill five');
    expect(await over(Id)).toMatchObject({ Status: 'Succeeded', SuccessfulChildRuns: 3, FailedChildRuns: 2 });
    const [dee, eve] = (await childrenOf(Id)).slice(3);
    const again = await portal.call('POST', `/api/activities/retry/${dee.Id}`, {});
    expect(again.status).toBe(200);
    expect(await over(Id)).toMatchObject({ SuccessfulChildRuns: 3, FailedChildRuns: 2 });
    expect((await childrenOf(Id)).map(({ RowKey, Attempt }) => `${RowKey} ${Attempt}`)).toEqual([
      'Ann 1',
      'Bob 1',
      'Cy 1',
      'Dee 1',
      'Dee 2',
      'Eve 1',
    ]);
    expect(await portal.call('POST', `/api/activities/retry/${dee.Id}`, {})).toMatchObject({
      status: 409,
      body: { message: `The run was already retried as run ${again.body.result.Id}` },
    });
    const { database, signals } = portal.app;
    // Fix the negative amounts in the stored inputs, as replacing a file would.
    await database
      .knex('RunInputs')
      .whereIn('ActivityRunId', [eve.Id, again.body.result.Id])
      .where('Value', '<', '0')
      .update({ Value: '5' });
    const of = { ParentRunId: Id, StepKey: '1' };
    expect(await retryChildRuns(database, signals, of, portal.runner.UserId)).toBe(2);
    expect(await over(Id)).toMatchObject({ SuccessfulChildRuns: 5, FailedChildRuns: 0, RunningChildRuns: 0 });
    expect(await childrenOf(Id)).toHaveLength(8);
    await expect(retryChildRuns(database, signals, of, portal.runner.UserId)).rejects.toThrow(
      'Nothing to retry: all ended rows succeeded',
    );
  });

  it('runs at most as many rows at once as it says, and none after the maximum number of failures', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const rows: Bills = Array.from({ length: 12 }, (_, at) => [`c${at}`, at < 2 ? -1 : 1]);
    const { Id } = await portal.run(billing(rows, { AtOnce: '1', StopAfterFailures: '2' }), 'Bill few');
    expect(await over(Id)).toMatchObject({ SuccessfulChildRuns: 0, FailedChildRuns: 12 });
    const children = await childrenOf(Id);
    expect(children.filter(({ NotRunBecause }) => NotRunBecause === 'Stopped')).toHaveLength(10);
    expect(messagesOf(await portal.get(children[5].Id))).toEqual(['Not run: 2 rows did not succeed']);
  });

  it('gives each row what its columns say and nothing where a value cannot be taken: that row fails and says why', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const rows: Bills = [
      ['Ann', 1],
      ['Bob', 'much' as unknown as number],
    ];
    const { Id } = await portal.run(billing(rows), 'Bill texts');
    expect(await over(Id)).toMatchObject({ SuccessfulChildRuns: 1, FailedChildRuns: 1 });
    const bob = await portal.get((await childrenOf(Id))[1].Id);
    expect([bob.Status, ...messagesOf(bob)]).toEqual(['Failed', 'Amount: Value must be a number']);
  });

  it('is cancelled with all that it started, whether that runs, waits for its turn, or is not yet made', async ({
    portal,
    starts: { over },
  }) => {
    const parts = portal.app;
    const { database, signals } = parts;
    // Many more than can end before the cancellation.
    const rows: Bills = Array.from({ length: 100 }, (_, at) => [`c${at}`, at]);
    const { Id } = await portal.run(billing(rows, { AtOnce: '2' }), 'Bill many');
    const answer = await portal.call('POST', `/api/activities/cancel/${Id}`, {});
    expect(answer).toMatchObject({ status: 200, body: { result: { Message: 'The run was cancelled' } } });
    const run = await over(Id);
    expect(run).toMatchObject({ Status: 'Succeeded', CanCancel: false });
    expect(run.SuccessfulChildRuns + run.FailedChildRuns).toBe(rows.length);
    expect(run.FailedChildRuns).toBeGreaterThan(20);
    await parts.childRuns.sweep();
    expect(await database.knex('ActivityRuns').where({ ParentRunId: Id }).whereNull('EndTime')).toEqual([]);
    expect(await portal.call('POST', `/api/activities/cancel/${Id}`, {})).toMatchObject({ status: 409 });
    expect(signals).toBeDefined();
  });

  it.runIf(isFullSet)(
    'makes a run of each row once, however many servers find it',
    async ({ portal, starts: { over, childrenOf } }) => {
      const parts = portal.app;
      const { database } = parts;
      const rows: Bills = Array.from({ length: 40 }, (_, at) => [`c${at}`, at]);
      const { Id } = await portal.run(billing(rows), 'Bill once');
      const log = pino({ level: 'silent' });
      const engines = [1, 2, 3].map(() =>
        createChildRunEngine({
          database,
          log,
          signals: createRunSignals(database, log),
          versions: parts.versions,
          prepareStep: createPrepareStep({ ...parts, activityAccess: parts.access }),
          executor: parts.executor,
          timeZone: 'UTC',
        }),
      );
      await Promise.all(engines.map((engine) => engine.sweep()));
      expect(await over(Id)).toMatchObject({ SuccessfulChildRuns: 40, FailedChildRuns: 0 });
      expect(await childrenOf(Id)).toHaveLength(40);
      const [start] = await database.knex('RunStarts').where({ ParentRunId: Id });
      expect(start).toMatchObject({ Rows: null, RowCount: 40 });
      await until('the end of the step', async () => {
        const [row] = await database.knex('RunStarts').where({ ParentRunId: Id });
        return row.EndTime ?? undefined;
      });
    },
  );

  it('starts nothing where its own run fails', async ({ portal }) => {
    const spec = billing(THREE);
    const steps: Record<string, CellSpec>[] = [
      { Step: 'Bill all', Action: 'Start', Activity: 'Invoice', Table: 'Bills' },
      { Step: 'Never', Action: 'Check', Cell: 'List!$F$1', Message: 'One is not TRUE' },
    ];
    const parent = await portal.run({ ...spec, sheets: [spec.sheets[0]!, stepSheet(steps)] }, 'Bill none');
    expect(parent.Status).toBe('Failed');
    expect(await portal.app.database.knex('RunStarts').where({ ParentRunId: parent.Id })).toEqual([]);
  });

  it.for([
    [
      'an activity that does not exist',
      { Activity: 'Bill' },
      THREE,
      undefined,
      "there is no activity 'Bill' that the person who started the run may run",
    ],
    ['a column that is no input', {}, THREE, ['Customer', 'Sum'], "the activity 'Invoice' has no input 'Sum'"],
    [
      'rows of the same name',
      {},
      [
        ['Ann', 1],
        ['Ann', 2],
      ],
      undefined,
      'Two rows are named "Ann" in the column "Customer", but row names must be unique',
    ],
  ] as [string, Record<string, string>, Bills, string[] | undefined, string][])(
    'ends its run as failed for %s, before anything is started',
    async ([what, step, rows, columns, text], { portal }) => {
      const parent = await portal.run(billing(rows, step, columns), `Bad ${what}`.slice(0, 30));
      expect(['Failed', 'LogicError']).toContain(parent.Status);
      expect(messagesOf(parent)).toContain(`Step 'Bill all': ${text}`);
      expect(parent.RunningChildRuns).toBe(0);
    },
  );

  it('takes at most 10,000 rows', async ({ portal }) => {
    const rows: Bills = Array.from({ length: 10_001 }, (_, at) => [`c${at}`, at]);
    const parent = await portal.run(billing(rows), 'Too many');
    expect(messagesOf(parent)).toContain(
      "Step 'Bill all': The table has 10,001 rows, but a Start allows at most 10,000",
    );
  });

  it('gives no rights: an activity that the person may not run does not exist for them', async ({ portal }) => {
    const { app, author } = portal;
    const id = await portal.publish(INVOICE, 'Secret');
    await app.database.knex('Activities').where({ Id: id }).update({ IsActive: false });
    // Only people who may edit the activity see it while it is inactive.
    const spec = billing(THREE, { Activity: 'Secret' });
    const own = await portal.run(spec, 'Bill secretly');
    expect(messagesOf(own)).toContain(
      "Step 'Bill all': there is no activity 'Secret' that the person who started the run may run",
    );
    expect(author.UserId).not.toBe(portal.runner.UserId);
  });

  it('starts nothing for a visitor, and no runs deeper than five levels', async ({
    portal,
    starts: { over, childrenOf },
  }) => {
    const { knex } = portal.app.database;
    const { Id } = await portal.run(billing(THREE), 'Bill deep');
    await over(Id);
    const found = { ActivityId: 999_999, ActivityVersion: 1, Name: 'Invoice', inputs: [] };
    const start = {
      step: 'S',
      activity: 'Invoice',
      columns: ['A'],
      keyColumn: null,
      concurrency: 4,
      stopAfterFailures: null,
    };
    const check = (runId: number, isVisitor = false) =>
      checkStart(
        { knex, findStartable: async () => found },
        { Id: runId, holder: { UserId: 1, IsUserAdmin: false, isVisitor } },
        { ...start, rows: [[1]] },
        [],
      );
    await expect(check(Id, true)).rejects.toThrow("Step 'S': a run of a visitor starts no others");
    // Link the runs as if each had started the next.
    const line = [Id, ...(await childrenOf(Id)).map((row) => row.Id)];
    const { Id: other } = await portal.run(billing(THREE), 'Bill deeper');
    await over(other);
    line.push(other, ...(await childrenOf(other)).map((row) => row.Id));
    for (const [at, runId] of line.slice(1, 6).entries()) {
      await knex('ActivityRuns').where({ Id: runId }).update({ ParentRunId: line[at], StepKey: '9' });
    }
    await expect(check(line[4]!)).rejects.toThrow("the activity 'Invoice' has no input 'A'");
    await expect(check(line[5]!)).rejects.toThrow("Step 'S': runs start others 5 levels deep at most");
  });

  it('ends rows whose activity is no longer active', async ({ portal, starts: { over, childrenOf } }) => {
    const { app } = portal;
    // Many more than can end before the activity is inactive.
    const rows: Bills = Array.from({ length: 30 }, (_, at) => [`c${at}`, at]);
    const { Id } = await portal.run(billing(rows, { AtOnce: '1' }), 'Bill lost');
    await app.database.knex('Activities').where({ Name: 'Invoice' }).update({ IsActive: false });
    const run = await over(Id);
    await app.database.knex('Activities').where({ Name: 'Invoice' }).update({ IsActive: true });
    expect(run.SuccessfulChildRuns + run.FailedChildRuns).toBe(rows.length);
    expect(run.FailedChildRuns).toBeGreaterThan(0);
    const last = (await childrenOf(Id)).at(-1);
    expect(messagesOf(await portal.get(last.Id))).toEqual(['The activity is no longer active and cannot be run']);
  });

  it('never starts its own activity, directly or through another', async ({ portal, starts: { over, childrenOf } }) => {
    const selfish = await portal.run(billing(THREE, { Activity: 'Selfish' }), 'Selfish');
    const text =
      'is the activity of this run, or of a run that led to it: no activity can start itself, directly or through others';
    expect(messagesOf(selfish)).toContain(`Step 'Bill all': 'Selfish' ${text}`);
    const looped = (other: string): WorkbookSpec => {
      const spec = billing([['Ann', 1]], { Activity: other });
      return { ...spec, names: { in_Customer: 'List!$D$1', in_Amount: 'List!$E$1', out_One: 'List!$F$1' } };
    };
    const ping = (await portal.publish(looped('Pong'), 'Ping')) as number;
    await portal.publish(looped('Ping'), 'Pong');
    const { Id } = await portal.ended(await portal.start(ping));
    await over(Id);
    const [pong] = await childrenOf(Id);
    expect([pong.Status, ...messagesOf(await portal.get(pong.Id))]).toEqual([
      'LogicError',
      `Step 'Bill all': 'Ping' ${text}`,
    ]);
  });

  it('is refused at the upload where its table, a column or a number is wrong', async ({ portal }) => {
    const wrong = { Table: 'Bilz', AtOnce: '101', StopAfterFailures: '0' };
    const problems = await portal.publish(billing(THREE, wrong), 'Wrong');
    expect(problems).toMatchObject([
      { Message: expect.stringContaining("There is no Excel table 'Bilz'") },
      { Message: expect.stringContaining('AtOnce must be a whole number from 1 to 100') },
      { Message: expect.stringContaining('StopAfterFailures must be a whole number from 1') },
    ]);
    expect(await portal.publish(billing(THREE, { KeyColumn: 'Name' }), 'Wrong')).toMatchObject([
      { Message: expect.stringContaining("The table Bills has no column 'Name'") },
    ]);
  });
});
