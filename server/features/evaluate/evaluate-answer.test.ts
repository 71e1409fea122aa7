import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '#server/base/app-error.ts';
import type { EvaluatedRows } from '#server/executors/executor.ts';
import { boundCall } from './bound-call.ts';
import { answerLines, jsonAnswer } from './evaluate-answer.ts';
import type { Evaluation } from './evaluate-service.ts';

const slice = (texts: string, rows: number): EvaluatedRows => ({ rows, outputs: [texts], errors: [] });

const evaluation = (slices: Evaluation['slices']): Evaluation => ({
  ActivityId: 7,
  Version: 2,
  rows: 3,
  outputs: ['Sum'],
  slices,
});

test('slices are joined to columns', async () => {
  async function* slices() {
    yield slice('1,2', 2);
    yield slice('"x"', 1);
  }
  expect(JSON.parse(await jsonAnswer(evaluation(slices)))).toEqual({
    result: { ActivityId: 7, Version: 2, Rows: 3, Outputs: { Sum: [1, 2, 'x'] }, Errors: [] },
  });
});

test('results that are too large for one answer end the calculation', async () => {
  let hasEnded = false;
  async function* slices() {
    try {
      yield slice('"long"', 1);
      yield slice('"longer"', 1);
      expect.unreachable();
    } finally {
      hasEnded = true;
    }
  }
  await expect(jsonAnswer(evaluation(slices), 10)).rejects.toMatchObject({ code: 'answerTooLarge', status: 413 });
  expect(hasEnded).toBe(true);
});

test('reasons of refused rows count for the size of an answer', async () => {
  const errors = [{ Row: 0, Code: 'inputInvalid' as const, Input: 'Rate', Message: 'Value must be a number' }];
  async function* slices() {
    yield { rows: 1, outputs: ['null'], errors };
    yield { rows: 1, outputs: ['null'], errors: [{ ...errors[0]!, Row: 1 }] };
  }
  expect(JSON.parse(await jsonAnswer(evaluation(slices)))).toMatchObject({
    result: { Errors: [{ Row: 0 }, { Row: 1 }] },
  });
  await expect(jsonAnswer(evaluation(slices), 150)).rejects.toMatchObject({ code: 'answerTooLarge' });
});

test('a failure after the first rows is the last line', async () => {
  async function* slices() {
    yield slice('1', 1);
    throw new AppError('evaluationTooLong', 422, 'It took too long');
  }
  const lines: unknown[] = [];
  for await (const text of answerLines(evaluation(slices), (error) => error as AppError)) lines.push(JSON.parse(text));
  expect(lines).toEqual([
    { Type: 'Start', ActivityId: 7, Version: 2, Rows: 3 },
    { Type: 'Rows', FirstRow: 0, Rows: 1, Outputs: { Sum: [1] }, Errors: [] },
    { Type: 'Failure', Code: 'evaluationTooLong', message: 'It took too long' },
  ]);
});

test('a call that takes too long is aborted with its reason, and one that has ended is not', async () => {
  const [long, ended] = [boundCall([], 0.01), boundCall([], 0.01)];
  ended.close();
  while (!long.signal.aborted) await pause(1);
  expect(long.signal.reason).toMatchObject({ code: 'evaluationTooLong', status: 422 });
  expect(long.timeLeft()).toBe(1);
  expect(ended.signal.aborted).toBe(false);
});
