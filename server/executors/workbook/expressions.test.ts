/** Expressions of workflows are calculated in the threads of runs. */
import { afterAll, expect, it } from 'vitest';
import type { ExpressionTask } from '#shared/rules/workflows/expression-task.ts';
import { createWorkbookExecutor } from './workbook-executor.ts';

const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
afterAll(() => executor.close());

const task = (formulas: readonly string[], timeLimit = 30_000): ExpressionTask => ({
  values: [
    {
      shape: { RangeType: 'SingleCell', CellUsages: ['Number'], ColumnHeaderValues: [] },
      json: '21',
      isEntered: false,
    },
  ],
  expressions: formulas.map((formula) => ({
    formula,
    reads: formula.includes('[A].[B]') ? [{ value: 0, column: null }] : [],
    wanted: 'cell',
  })),
  now: 46_000,
  timeLimit,
});

const SLOW = 'SUM(MAP(SEQUENCE(3000),LAMBDA(x,SUM(SQRT(SEQUENCE(20000,1,x))))))';

it('returns one result per expression, in order', async () => {
  expect(await executor.calculate(task(['[A].[B]*2', '1/0', 'TODAY()']))).toMatchObject([
    { json: '42', kind: 'Number' },
    { problem: 'It returns the error #DIV/0!' },
    { json: '46000', kind: 'Date' },
  ]);
});

it('ends an expression that takes too long, without blocking this thread or later expressions', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  const [slow] = (await executor.calculate(task([SLOW], 300))) as object[];
  clearInterval(timer);
  expect(slow).toMatchObject({ problem: 'The formulas of the step took longer than 0.3 seconds to calculate' });
  expect(turns).toBeGreaterThan(0);
  expect(await executor.calculate(task(['[A].[B]']))).toMatchObject([{ json: '21' }]);
});
