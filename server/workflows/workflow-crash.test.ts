/** A server that dies at any statement while it advances a workflow: another server continues to the same result. */
import { afterEach, expect } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { test as base } from '#test/support/fixtures/workflow-bench.ts';
import { insertUser } from '#test/support/runs.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import type { ApprovalStep } from '#shared/rules/workflows/types.ts';
import { cancelWorkflowRun } from './cancel-workflow-run.ts';
import { createWorkflowEngine } from './workflow-engine.ts';

const TIME_LIMIT = onItsDatabase(120_000);
/** The full set lets the server die at every statement. */
const STEP = isFullSet ? 1 : 3;

const dying: Database[] = [];
const test = base.extend('crashes', ({ chains: { engineContext, step }, workerBench }) => {
  /** Executes this many statements and then loses its connections, whatever it is doing. */
  function databaseThatDies(statements: number): Database {
    const database = createDatabase({ url: workerBench.database.url, poolSize: 2 });
    dying.push(database);
    let count = 0;
    database.knex.on('query', () => {
      if (++count > statements) throw new Error('died');
    });
    return database;
  }

  /** Returns true if it died. @param signals defaults to signals without subscribers, which are lost with the server */
  async function advanceAndDie(
    workflowRunId: number,
    statements: number,
    signals = workerBench.otherSignals(),
  ): Promise<boolean> {
    const database = databaseThatDies(statements);
    const engine = createWorkflowEngine(engineContext(signals, database));
    try {
      await engine.advance(workflowRunId);
      return false;
    } catch {
      return true;
    } finally {
      dying.splice(dying.indexOf(database), 1);
      await database.close();
    }
  }

  /** The same for a poll of everything pending. */
  async function sweepAndDie(statements: number): Promise<boolean> {
    const database = databaseThatDies(statements);
    let hasFailed = false;
    const context = engineContext(workerBench.otherSignals(), database);
    context.log.warn = () => void (hasFailed = true);
    try {
      await createWorkflowEngine(context).sweep();
    } catch {
      hasFailed = true;
    }
    dying.splice(dying.indexOf(database), 1);
    await database.close();
    return hasFailed;
  }

  const atWork = async (id: number): Promise<number> =>
    (await workerBench.database.knex('ActivityRuns').where({ ChecklistRunId: id, EndTime: null, WaitsForSteps: false }))
      .length;

  async function approvers(): Promise<ApprovalStep> {
    await step('unused');
    const UserId = await insertUser(workerBench.database.knex);
    return {
      Kind: 'Approval',
      Key: 'ask',
      Name: 'Ask',
      After: [],
      Join: 'AllSucceeded',
      OnFailure: 'Handled',
      Roles: [],
      UserIds: [UserId],
      Needed: 1,
      StarterMayApprove: false,
      Text: 'Right?',
      Values: [],
      ExpiresAfterHours: 1,
      OnExpiry: 'Fail',
    };
  }

  return { advanceAndDie, sweepAndDie, atWork, approvers };
});

afterEach(() => Promise.all(dying.splice(0).map((database) => database.close())));

test(
  'each step is carried out once, wherever it died',
  async ({
    chains: { fails, step, ran, start, engine, ended, states },
    workerBench,
    crashes: { advanceAndDie, atWork },
  }) => {
    workerBench.work({ concurrency: 4 });
    fails('x');
    const steps = [
      await step('a'),
      await step('b', ['a']),
      await step('x', ['a'], { OnFailure: 'Handled' }),
      await step('mend', [{ Step: 'x', When: 'failure' }]),
      await step('not', ['x']),
      await step('d', ['b', 'mend']),
    ];
    let deaths = 0;
    for (let statements = 1; ; statements += STEP) {
      ran.length = 0;
      const id = await start(steps);
      let hasDied = false;
      for (let round = 0; round < 4; round++) {
        hasDied = (await advanceAndDie(id, statements)) || hasDied;
        const rescuer = engine();
        await rescuer.advance(id);
        workerBench.signals.queued();
        await until('what was begun has ended', async () => (await atWork(id)) === 0);
      }
      await engine().sweep();
      expect(await ended(id)).toBe('SucceededWarn');
      expect(ran.toSorted()).toEqual(['a', 'b', 'd', 'mend', 'x']);
      expect(await states(id)).toMatchObject({ not: 'LeftOut', d: 'Succeeded' });
      if (!hasDied) break;
      deaths += 1;
    }
    // On SQL Server, BEGIN and COMMIT do not count as statements.
    expect(deaths * STEP).toBeGreaterThan(workerBench.database.dialect.name === 'pg' ? 8 : 5);
  },
  TIME_LIMIT,
);

test(
  'an approval is asked for once and expires once, wherever the server died',
  async ({ chains: { start, engine, states }, workerBench, crashes: { approvers, advanceAndDie, sweepAndDie } }) => {
    const { knex } = workerBench.database;
    const asker = await approvers();
    let deaths = 0;
    for (let statements = 1; ; statements += STEP) {
      const id = await start([asker, { ...asker, Key: 'late', After: [{ Step: 'ask', When: 'failure' }] }]);
      let hasDied = await advanceAndDie(id, statements);
      await engine().advance(id);
      await knex('Approvals')
        .where({ ChecklistRunId: id })
        .update({ ExpiryTime: new Date(Date.now() - 1000) });
      hasDied = (await sweepAndDie(statements)) || hasDied;
      await engine().sweep();
      await engine().sweep();
      const rows = await knex('Approvals').where({ ChecklistRunId: id }).orderBy('Id').select('StepKey', 'Status');
      expect(rows).toEqual([
        { StepKey: 'ask', Status: 'Expired' },
        { StepKey: 'late', Status: 'Open' },
      ]);
      const mails = knex('ApprovalMails as M').join('Approvals as A', 'A.Id', 'M.ApprovalId');
      const kinds = await mails.where('A.ChecklistRunId', id).orderBy('M.Id').pluck('M.Kind');
      expect(kinds).toEqual(['Ended', 'Begun']);
      expect(await states(id)).toEqual({ ask: 'Failed', late: 'Started' });
      await cancelWorkflowRun(workerBench.database, workerBench.signals, id);
      await engine().advance(id);
      if (!hasDied) break;
      deaths += 1;
    }
    expect(deaths * STEP).toBeGreaterThan(workerBench.database.dialect.name === 'pg' ? 20 : 12);
  },
  TIME_LIMIT,
);

test(
  'a worker keeps no place for a step that it was not given, and carries out the one that it was',
  async ({ chains: { step, ran, start, engine, ended }, workerBench, crashes: { advanceAndDie, atWork } }) => {
    workerBench.work({ concurrency: 1 });
    const steps = [await step('a'), await step('b', ['a'])];
    for (let statements = 1; ; statements += STEP) {
      ran.length = 0;
      const id = await start(steps);
      let hasDied = false;
      for (let round = 0; round < 3; round++) {
        hasDied = (await advanceAndDie(id, statements, workerBench.signals)) || hasDied;
        await engine(workerBench.signals).advance(id);
        await until('what was begun has ended', async () => (await atWork(id)) === 0);
      }
      expect(await ended(id)).toBe('Succeeded');
      expect(ran).toEqual(['a', 'b']);
      if (!hasDied) break;
    }
  },
  TIME_LIMIT,
);
