import { expect, test } from 'vitest';
import { readRows } from './evaluate-request.ts';

const ACTIVITY = { Name: 'Loan', Inputs: [] };

test('reading ends after many problems, however many names a call has', () => {
  const row = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name ${index}`, 1]));
  const problem = readProblem(() => readRows(ACTIVITY, { Rows: [row] }, 10));
  expect(problem).toMatchObject({ code: 'evaluationInvalid', status: 400 });
  expect((problem as Error).message.split('\n')).toHaveLength(20);
});

test('too many rows are refused before their names are read', () => {
  const problem = readProblem(() => readRows(ACTIVITY, { Rows: [{ Profit: 1 }, {}, {}] }, 2));
  expect(problem).toMatchObject({ code: 'tooManyRows', status: 413 });
});

function readProblem(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
