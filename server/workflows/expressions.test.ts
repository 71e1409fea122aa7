/** Inputs, decisions and rows that formulas calculate when their step is queued. */
import { describe, expect } from 'vitest';
import { localTime, DAY_MS } from '#server/base/zone-time.ts';
import { table } from '#test/support/for-each-bench.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/for-each-bench.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { readFormulasOfRun } from './step-formulas.ts';
import type { DecisionStep } from '#shared/rules/workflows/types.ts';

const formula = (Formula: string) => ({ Kind: 'Expression', Formula }) as const;
const amount = (Formula: string) => ({ Inputs: [{ Input: 'Amount', From: formula(Formula) }] });

const test = base.extend('calculated', ({ chains, forEachSteps, workerBench }) => {
  /** Returns the status and stored input of a step whose input is calculated from the total of another one. */
  async function valueOf(Formula: string, Total = '42') {
    forEachSteps.startWorkerAndEngine();
    chains.total('a', Total);
    const id = await chains.start([await chains.step('a'), await chains.step('b', ['a'], amount(Formula))]);
    const status = await chains.ended(id);
    const run = await chains.runOf(id, 'b');
    const { knex } = workerBench.database;
    const inputs = await knex('RunInputs').where('ActivityRunId', run.Id).select('Value', 'UseDefault');
    const log = await knex('RunLogEntries').where('ActivityRunId', run.Id).pluck('Message');
    return { status, run, inputs, log };
  }

  return valueOf;
});

describe('a formula', () => {
  test('fills an input when its step is queued, and its result is stored with the step', async ({
    calculated,
    workerBench,
  }) => {
    const { status, inputs, run } = await calculated('[a].[Total]*2');
    expect([status, inputs]).toEqual(['Succeeded', [{ Value: '84', UseDefault: false }]]);
    const formulas = await readFormulasOfRun(workerBench.database.knex, run);
    expect([...formulas]).toEqual([['amount', '=[a].[Total]*2']]);
  });

  test('knows the day in the time zone of the portal', async ({ calculated }) => {
    const today = (): number => Math.floor(localTime(Date.now(), 'Europe/Zurich') / DAY_MS) + 25_569;
    const before = today();
    const { inputs } = await calculated('TODAY()');
    expect([before, today()]).toContain(Number(inputs[0].Value));
  });

  test.for([
    ['1/[a].[Total]', '0', 'It returns the error #DIV/0!'],
    ['[a].[Total]&""', '1', 'It returns the text "1", but a number is needed'],
    ['[gone].[Total]', '1', "there is no step 'gone'. Check its spelling"],
    ['[a].[Gone]', '1', "there is no longer a value 'Gone'"],
    ['A1', '1', 'A1 is a cell, and a workflow has no cells'],
  ] as const)('%s without a valid result is an error in the setup', async ([text, total, problem], { calculated }) => {
    const { status, run, log } = await calculated(text, total);
    expect([status, run.Status]).toEqual(['Failed', 'LogicError']);
    expect(log[0]).toContain('The formula for "Amount" has no valid result.');
    expect(log[0]).toContain(problem);
    expect(log[0]).toContain(`: =${text}`);
  });
});

describe('a decision', () => {
  const decision = (Condition: string, Values: DecisionStep['Values'] = []): DecisionStep => ({
    Kind: 'Decision',
    Key: 'd',
    Name: 'Is it much?',
    After: [{ Step: 'a', When: 'success' }],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    Condition,
    Values,
  });

  test.for([
    ['=[a].[Total]>40', 'Succeeded', 'Yes: =[a].[Total]>40'],
    ['=AND([a].[Total]>40,FALSE)', 'LeftOut', 'No: =AND([a].[Total]>40,FALSE)'],
  ] as const)('may be the formula %s', async ([condition, much, text], { chains, forEachSteps }) => {
    forEachSteps.startWorkerAndEngine();
    chains.total('a', '42');
    const steps = [
      await chains.step('a'),
      decision(condition),
      await chains.step('much', [{ Step: 'd', When: 'yes' }]),
    ];
    const id = await chains.start(steps);
    expect(await chains.ended(id)).toBe('Succeeded');
    expect(await chains.states(id)).toMatchObject({ d: 'Succeeded', much });
    expect(await forEachSteps.logOf(id)).toContain(text);
  });

  test('may use values that formulas calculate', async ({ chains, forEachSteps }) => {
    forEachSteps.startWorkerAndEngine();
    chains.total('a', '42');
    const values = [{ Name: 'Share', From: formula('[a].[Total]/100') }];
    const id = await chains.start([await chains.step('a'), decision('Share < 0.5', values)]);
    expect(await chains.ended(id)).toBe('Succeeded');
    expect(await forEachSteps.logOf(id)).toEqual(['Yes: Share < 0.5 (Share is 0.42)']);
  });

  test('ends although a value has a character that the database cannot store', async ({ chains, forEachSteps }) => {
    forEachSteps.startWorkerAndEngine();
    chains.total('a', '"x\\u0000y"');
    const values = [{ Name: 'Code', From: { Kind: 'Output' as const, Step: 'a', Name: 'Total' } }];
    const id = await chains.start([await chains.step('a'), decision("Code <> ''", values)]);
    await chains.ended(id);
    expect((await forEachSteps.logOf(id)).at(-1)).toContain('Code is xy');
  });

  test('whose formula is neither true nor false is an error in the setup', async ({ chains, forEachSteps }) => {
    forEachSteps.startWorkerAndEngine();
    const id = await chains.start([await chains.step('a'), decision('=[a].[Total]')]);
    expect(await chains.ended(id)).toBe('Failed');
    expect(await chains.states(id)).toMatchObject({ d: 'LogicError' });
    expect(await forEachSteps.logOf(id)).toEqual([
      'The formula for the decision has no valid result. It returns the number 1, but TRUE or FALSE is needed: =[a].[Total]',
    ]);
  });
});

const SHARED: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [input('Amount'), input('Share')],
  outputs: [output('Total')],
};

describe('a For each', () => {
  test('runs for the rows that a formula returns, and all of them take the same result', async ({
    chains,
    forEachSteps: { startWorkerAndEngine, forEach },
  }) => {
    startWorkerAndEngine();
    const ActivityId = await chains.activity({ Name: 'each', definition: SHARED });
    const seen: unknown[] = [];
    const steps = await forEach(table(5), {
      ActivityId,
      Rows: formula('FILTER([list].[Table],[list].[Table][Value]>2)'),
      Inputs: [
        { Input: 'Amount', From: { Kind: 'Column', Name: 'Value' } },
        { Input: 'Share', From: formula('RAND()+SUM([list].[Table][Value])') },
      ],
    });
    chains.outcomes.set('each', ({ inputs }) => {
      seen.push(Object.fromEntries(inputs.map(({ Name, value }) => [Name, value])));
      return SUCCESS;
    });
    const id = await chains.start(steps);
    expect(await chains.ended(id)).toBe('Succeeded');
    expect(Object.keys(await chains.states(id)).sort()).toEqual(['each', 'each/c3', 'each/c4', 'each/c5', 'list']);
    const rows = seen as { Amount: string; Share: string }[];
    expect(rows.map(({ Amount }) => Amount).sort()).toEqual(['3', '4', '5']);
    expect(new Set(rows.map(({ Share }) => Share)).size).toBe(1);
    expect(Number(rows[0]!.Share)).toBeGreaterThanOrEqual(15);
  });

  test('without rows does nothing, and with a wrong formula is an error in the setup', async ({
    chains,
    forEachSteps: { startWorkerAndEngine, forEach, logOf },
  }) => {
    startWorkerAndEngine();
    const none = await chains.start(
      await forEach(table(2), { Rows: formula('FILTER([list].[Table],[list].[Table][Value]>9,"")') }),
    );
    expect(await chains.ended(none)).toBe('Succeeded');
    const wrong = await chains.start(await forEach(table(2), { Rows: formula('SEQUENCE(2)') }));
    expect(await chains.ended(wrong)).toBe('Failed');
    expect(await chains.states(wrong)).toMatchObject({ each: 'LogicError' });
    expect((await logOf(wrong))[0]).toContain('Its columns have no names.');
  });
});

describe('a resumed For each', () => {
  test('calculates its formulas again, and keeps the rows that succeeded', async ({
    chains,
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail, resume },
  }) => {
    startWorkerAndEngine();
    const ActivityId = await chains.activity({ Name: 'each', definition: SHARED });
    const before = await chains.step('before', ['list']);
    const [list, each] = await forEach(table(2), {
      ActivityId,
      Inputs: [
        { Input: 'Amount', From: { Kind: 'Column', Name: 'Value' } },
        { Input: 'Share', From: formula('[before].[Total]') },
      ],
    });
    chains.total('before', '10');
    rowsThatFail(2);
    const steps = [list, before, { ...each, After: [{ Step: 'before', When: 'success' as const }] }];
    const id = await chains.start(steps);
    expect(await chains.ended(id)).toBe('Failed');
    const seen: unknown[] = [];
    chains.outcomes.set('each', ({ inputs }) => {
      seen.push(Object.fromEntries(inputs.map(({ Name, value }) => [Name, value])));
      return SUCCESS;
    });
    const again = await resume(id);
    expect(await chains.ended(again)).toBe('Succeeded');
    expect(seen).toEqual([{ Amount: '2', Share: '10' }]);
  });
});
