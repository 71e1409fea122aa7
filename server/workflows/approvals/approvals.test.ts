/** Workflow steps that people approve or reject. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/approval-bench.ts';
import { APPROVERS } from '#test/support/approval-bench.ts';
import { insertUser } from '#test/support/runs.ts';

const test = base.extend('approving', ({ approvals, workerBench }) => {
  function startWorkerAndEngine() {
    workerBench.work({ concurrency: 4 });
    return approvals.startEngine();
  }

  const starterOf = async (id: number): Promise<number> => (await approvals.stored(id)).UserId;
  const leave = (UserId: number) => workerBench.database.knex('RoleUsers').where({ UserId }).delete();
  return { startWorkerAndEngine, starterOf, leave };
});

describe('an approval', () => {
  test('waits without a worker until as many have approved as are needed, and then the step after it begins', async ({
    approvals: { start, step, approval, asked, decide, people, states, ended, ran, log },
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    const id = await start([await step('a'), approval('ok', ['a'], { Needed: 2 }), await step('b', ['ok'])]);
    const { Id } = await asked(id, 'ok');
    expect(await decide(Id, people.ada, { Comment: 'Fine' })).toEqual({ result: 'decided', Status: 'Open' });
    expect(await states(id)).toMatchObject({ ok: 'Started', b: 'QueuedInSeq' });
    expect(await decide(Id, people.bob)).toEqual({ result: 'decided', Status: 'Approved' });
    expect(await ended(id)).toBe('Succeeded');
    expect(ran).toEqual(['a', 'b']);
    expect(await log(id)).toEqual([
      'Waits for approval',
      `Approved by user ${people.ada}: Fine`,
      `Approved by user ${people.bob}`,
    ]);
  });

  test('that one person rejects is a failure as any other', async ({
    approvals: { start, step, approval, asked, decide, people, ended, states },
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    const id = await start([
      await step('a'),
      approval('ok', ['a'], { Needed: 2, OnFailure: 'Handled' }),
      await step('b', ['ok']),
      await step('mend', [{ Step: 'ok', When: 'failure' }]),
    ]);
    const { Id } = await asked(id, 'ok');
    await decide(Id, people.ada);
    await decide(Id, people.bob, { Approved: false, Comment: 'Too much' });
    expect(await ended(id)).toBe('SucceededWarn');
    expect(await states(id)).toMatchObject({ ok: 'Failed', b: 'LeftOut', mend: 'Succeeded' });
    const stopped = await start([approval('ok', []), await step('b', ['ok'])]);
    await decide((await asked(stopped, 'ok')).Id, people.ada, { Approved: false, Comment: 'No' });
    expect(await ended(stopped)).toBe('Failed');
    expect(await states(stopped)).toEqual({ ok: 'Failed', b: 'Stopped' });
  });

  test('shows values and files as they were when it began', async ({
    approvals: { total, start, step, approval, asked },
    workerBench,
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    total('a', '42');
    const Values = [{ Name: 'Sum', From: { Kind: 'Output' as const, Step: 'a', Name: 'Total' } }];
    const id = await start([await step('a'), approval('ok', ['a'], { Values })]);
    const { Id } = await asked(id, 'ok');
    const [value] = await workerBench.database.knex('ApprovalValues').where({ ApprovalId: Id });
    expect(value).toMatchObject({ Position: 0, Name: 'Sum', Value: '42' });
    expect(JSON.parse(value.Info)).toMatchObject({ RangeType: 'SingleCell', CellUsages: ['Number'] });
  });
});

describe('an approval with a formula', () => {
  const formula = (Formula: string) => [{ Name: 'Share', From: { Kind: 'Expression' as const, Formula } }];

  test('shows its result, and without one ends as an error in the setup', async ({
    approvals: { total, start, step, approval, asked, ended, states },
    workerBench,
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    total('a', '42');
    const id = await start([await step('a'), approval('ok', ['a'], { Values: formula('[a].[Total]/100') })]);
    const { Id } = await asked(id, 'ok');
    const [value] = await workerBench.database.knex('ApprovalValues').where({ ApprovalId: Id });
    expect(value).toMatchObject({ Name: 'Share', Value: '0.42' });
    const wrong = await start([await step('a'), approval('ok', ['a'], { Values: formula('1/0') })]);
    expect(await ended(wrong)).toBe('Failed');
    expect(await states(wrong)).toMatchObject({ ok: 'LogicError' });
  });
});

describe('who may decide', () => {
  test('is in one of the roles or named, at the time of deciding', async ({
    approvals: { startEngine, start, approval, people, asked, decide },
    workerBench,
    approving: { leave },
  }) => {
    startEngine();
    const id = await start([approval('ok', [], { UserIds: [people.eve], Needed: 3 })]);
    const { Id } = await asked(id, 'ok');
    const stranger = await insertUser(workerBench.database.knex);
    expect(await decide(Id, stranger)).toEqual({ result: 'forbidden' });
    expect(await decide(Id, people.eve)).toMatchObject({ result: 'decided' });
    expect(await decide(Id, people.eve)).toEqual({ result: 'again' });
    await leave(people.ada);
    expect(await decide(Id, people.ada)).toEqual({ result: 'forbidden' });
    await workerBench.database.knex('Users').where({ UserId: people.bob }).update({ Enabled: false });
    expect(await decide(Id, people.bob)).toEqual({ result: 'forbidden' });
    await workerBench.database.knex('Users').where({ UserId: people.bob }).update({ Enabled: true });
    await workerBench.database.knex('Roles').update({ IsActive: false });
    expect(await decide(Id, people.bob)).toEqual({ result: 'forbidden' });
    await workerBench.database.knex('Roles').update({ IsActive: true });
    expect(await decide(Id, people.bob)).toEqual({ result: 'decided', Status: 'Open' });
  });

  test('is never who started it, unless the step says so', async ({
    approvals: { startEngine, start, approval, asked, decide, people },
    workerBench,
    approving: { starterOf },
  }) => {
    startEngine();
    const id = await start([approval('ok', []), approval('own', ['ok'], { StarterMayApprove: true })]);
    const starter = await starterOf(id);
    await workerBench.database.knex('RoleUsers').insert({ RoleName: APPROVERS, UserId: starter });
    const { Id } = await asked(id, 'ok');
    expect(await decide(Id, starter)).toEqual({ result: 'forbidden' });
    await decide(Id, people.ada);
    expect(await decide((await asked(id, 'own')).Id, starter)).toMatchObject({ Status: 'Approved' });
  });

  test('is not the starter of a run that this one resumes, either', async ({
    approvals: { fails, start, step, approval, ended, resume, people, outcomes, asked, decide },
    workerBench,
    approving: { startWorkerAndEngine, starterOf },
  }) => {
    startWorkerAndEngine();
    fails('a');
    const id = await start([await step('a'), approval('ok', ['a'])]);
    const starter = await starterOf(id);
    await workerBench.database.knex('RoleUsers').insert({ RoleName: APPROVERS, UserId: starter });
    await ended(id);
    const second = await resume(id, people.eve);
    await ended(second);
    outcomes.clear();
    const third = await resume(second, people.bob);
    const { Id } = await asked(third, 'ok');
    for (const UserId of [starter, people.eve, people.bob])
      expect(await decide(Id, UserId)).toEqual({ result: 'forbidden' });
    expect(await decide(Id, people.ada)).toMatchObject({ Status: 'Approved' });
  });

  test('must be somebody: else the step fails, and says so', async ({
    approvals: { startEngine, start, approval, ended, log, people },
    workerBench,
    approving: { starterOf, leave },
  }) => {
    startEngine();
    const id = await start([approval('ok', [], { Needed: 3 })]);
    expect(await ended(id)).toBe('Failed');
    expect(await log(id)).toEqual(['It needs 3 approvers, but only 2 may approve']);
    const starter = await starterOf(id);
    await leave(people.ada);
    await leave(people.bob);
    await workerBench.database.knex('RoleUsers').insert({ RoleName: APPROVERS, UserId: starter });
    const alone = await start([approval('ok', [])]);
    expect(await ended(alone)).toBe('Failed');
    expect((await log(alone))[0]).toMatch(/^Nobody can approve: .*\. The user who started the run may not approve$/);
  });
});

describe('an approval whose time is over', () => {
  test.for([
    ['Fail', 'Failed', 'Expired: not enough people decided in time'],
    ['Approve', 'Succeeded', 'Approved because it expired before enough people had decided'],
  ] as const)(
    'comes to %s by the clock of the database, once',
    async ([OnExpiry, status, text], { approvals, workerBench }) => {
      const engine = approvals.startEngine();
      const id = await approvals.start([approvals.approval('ok', [], { ExpiresAfterHours: 10, OnExpiry })]);
      const { Id, ExpiryTime, RemindTime, StartTime } = await approvals.asked(id, 'ok');
      expect(ExpiryTime - StartTime).toBeCloseTo(36_000_000, -4);
      expect(RemindTime - StartTime).toBeCloseTo(28_800_000, -4);
      await engine.sweep();
      expect(await approvals.states(id)).toEqual({ ok: 'Started' });
      await approvals.age(Id, 'ExpiryTime');
      await Promise.all([engine.sweep(), approvals.engine(workerBench.otherSignals()).sweep(), engine.sweep()]);
      expect(await approvals.ended(id)).toBe(status);
      expect(await approvals.log(id)).toEqual(['Waits for approval', text]);
      expect(await approvals.decide(Id, approvals.people.ada)).toEqual({ result: 'late', Status: 'Expired' });
    },
  );

  test('can no longer be given, although nobody has ended it yet', async ({
    approvals: { startEngine, start, approval, asked, age, decide, people, ended },
  }) => {
    startEngine();
    const id = await start([approval('ok', [], { ExpiresAfterHours: 1 })]);
    const { Id } = await asked(id, 'ok');
    await age(Id, 'ExpiryTime');
    expect(await decide(Id, people.ada)).toEqual({ result: 'late', Status: 'Expired' });
    expect(await ended(id)).toBe('Failed');
  });

  test('reminds those who have not decided, once', async ({ approvals, workerBench, approving: { starterOf } }) => {
    const engine = approvals.startEngine();
    const id = await approvals.start([approvals.approval('ok', [], { ExpiresAfterHours: 1, Needed: 2 })]);
    const { Id } = await approvals.asked(id, 'ok');
    await approvals.decide(Id, approvals.people.ada);
    await approvals.age(Id, 'RemindTime');
    await Promise.all([engine.sweep(), approvals.engine(workerBench.otherSignals()).sweep()]);
    await engine.sweep();
    expect(await approvals.mails(Id)).toEqual([
      { Kind: 'Begun', UserId: approvals.people.ada },
      { Kind: 'Begun', UserId: approvals.people.bob },
      { Kind: 'Reminder', UserId: approvals.people.bob },
    ]);
    await approvals.decide(Id, approvals.people.bob);
    expect(await approvals.mails(Id)).toEqual([{ Kind: 'Ended', UserId: await starterOf(id) }]);
  });
});

describe('at the same time', () => {
  test('of two approvals where one is needed, one counts', async ({
    approvals: { startEngine, start, approval, asked, decide, people, ended },
    workerBench,
  }) => {
    startEngine();
    for (let round = 0; round < 5; round++) {
      const id = await start([approval('ok', [])]);
      const { Id } = await asked(id, 'ok');
      const answers = await Promise.all([decide(Id, people.ada), decide(Id, people.bob, { Approved: false })]);
      expect(answers.map(({ result }) => result).toSorted()).toEqual(['decided', 'late']);
      const approved = answers[0].result === 'decided';
      expect(await ended(id)).toBe(approved ? 'Succeeded' : 'Failed');
      expect(await workerBench.database.knex('ApprovalDecisions').where({ ApprovalId: Id })).toHaveLength(1);
    }
  });

  test('one person counts once', async ({
    approvals: { startEngine, start, approval, asked, decide, people, states },
  }) => {
    startEngine();
    const id = await start([approval('ok', [], { Needed: 2 })]);
    const { Id } = await asked(id, 'ok');
    const answers = await Promise.all([1, 2, 3].map(() => decide(Id, people.ada)));
    expect(answers.map(({ result }) => result).toSorted()).toEqual(['again', 'again', 'decided']);
    expect(await states(id)).toEqual({ ok: 'Started' });
  });

  test('an approval and its cancellation come to one of both', async ({
    approvals: { startEngine, start, approval, asked, decide, people, cancel, ended, rowOf },
  }) => {
    startEngine();
    for (let round = 0; round < 5; round++) {
      const id = await start([approval('ok', [])]);
      const { Id } = await asked(id, 'ok');
      const [answer] = await Promise.all([decide(Id, people.ada), cancel(id)]);
      const status = await ended(id);
      const row = await rowOf(id, 'ok');
      expect(row.Status).toBe(answer.result === 'decided' ? 'Approved' : 'Cancelled');
      if (answer.result !== 'decided') expect(answer).toEqual({ result: 'late', Status: 'Cancelled' });
      expect(['Cancelled', 'Succeeded']).toContain(status);
    }
  });

  test('an approval and its expiry come to one of both', async ({
    approvals: { startEngine, start, approval, asked, age, decide, people, ended, log },
  }) => {
    const engine = startEngine();
    for (let round = 0; round < 5; round++) {
      const id = await start([approval('ok', [], { ExpiresAfterHours: 1 })]);
      const { Id } = await asked(id, 'ok');
      const [, answer] = await Promise.all([age(Id, 'ExpiryTime').then(() => engine.sweep()), decide(Id, people.ada)]);
      expect(await ended(id)).toBe(answer.result === 'decided' ? 'Succeeded' : 'Failed');
      expect((await log(id)).length).toBe(2);
    }
  });
});

describe('an approval that nobody needs to decide any longer', () => {
  test('ends with its run when that is cancelled', async ({
    approvals: { startEngine, start, approval, step, asked, cancel, ended, decide, people, mails },
  }) => {
    startEngine();
    const id = await start([approval('ok', []), await step('b', ['ok'])]);
    const { Id } = await asked(id, 'ok');
    await cancel(id);
    expect(await ended(id)).toBe('Cancelled');
    expect(await decide(Id, people.ada)).toEqual({ result: 'late', Status: 'Cancelled' });
    expect(await mails(Id)).toEqual([]);
  });

  test('is withdrawn where a failure stops its run, which ends', async ({
    approvals: { outcomes, start, step, approval, asked, ran, ended, states, decide, people },
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    let fail: () => void = () => {};
    outcomes.set('x', async () => {
      await new Promise<void>((resolve) => (fail = resolve));
      return { status: 'Failed', outputs: [], files: [] };
    });
    const id = await start([await step('x'), approval('ok', []), await step('b', ['ok'])]);
    const { Id } = await asked(id, 'ok');
    await expect.poll(() => ran).toContain('x');
    fail();
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toEqual({ x: 'Failed', ok: 'Stopped', b: 'Stopped' });
    expect(await decide(Id, people.ada)).toEqual({ result: 'late', Status: 'Cancelled' });
  });
});

describe('a resumed run', () => {
  test('reuses an approval that was given, and asks again for one that was not', async ({
    approvals: { fails, start, step, approval, asked, decide, people, ended, outcomes, resume, rowOf },
    workerBench,
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    fails('b');
    const id = await start([await step('a'), approval('ok', ['a']), await step('b', ['ok'])]);
    const { Id } = await asked(id, 'ok');
    await decide(Id, people.ada);
    expect(await ended(id)).toBe('Failed');
    outcomes.clear();
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    expect(await rowOf(again, 'ok')).toBeUndefined();
    const steps = await workerBench.database.knex('ChecklistRunSteps').where({ ChecklistRunId: again });
    expect(steps).toMatchObject([{ StepKey: 'ok', Status: 'Succeeded', KeptOf: id }]);

    const other = await start([approval('ok', []), await step('c', ['ok'])]);
    await decide((await asked(other, 'ok')).Id, people.ada, { Approved: false, Comment: 'no' });
    await ended(other);
    const resumed = await resume(other);
    await decide((await asked(resumed, 'ok')).Id, people.ada);
    expect(await ended(resumed)).toBe('Succeeded');
  });

  test('asks again if a step before it runs again, which may have another result', async ({
    approvals: { fails, step, approval, start, decide, asked, people, ended, outcomes, resume },
    approving: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    fails('x');
    const steps = [
      await step('a'),
      await step('x', [], { OnFailure: 'Continue' }),
      approval('ok', ['a', { Step: 'x', When: 'always' }]),
      await step('b', ['ok']),
    ];
    const id = await start(steps);
    await decide((await asked(id, 'ok')).Id, people.ada);
    expect(await ended(id)).toBe('Failed');
    outcomes.clear();
    const again = await resume(id);
    await decide((await asked(again, 'ok')).Id, people.bob);
    expect(await ended(again)).toBe('Succeeded');
  });
});
