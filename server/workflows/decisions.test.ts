/** Steps that choose the path of a workflow from the values of earlier steps. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/for-each-bench.ts';

const decision = (Condition: string) =>
  ({
    Kind: 'Decision',
    Key: 'd',
    Name: 'Is it much?',
    After: [{ Step: 'a', When: 'success' }],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    Condition,
    Values: [{ Name: 'Total', From: { Kind: 'Output', Step: 'a', Name: 'Total' } }],
  }) as const;

const test = base.extend('chainOf', ({ chains: { step } }) => async (condition: string) => {
  const d = decision(condition);
  const many = await step('much', [{ Step: 'd', When: 'yes' }]);
  const few = await step('little', [{ Step: 'd', When: 'no' }]);
  return [await step('a'), { ...d, After: [...d.After], Values: [...d.Values] }, many, few];
});

describe('a decision', () => {
  test.for([
    ['42', 'much', 'little', 'Yes: Total > 40 (Total is 42)'],
    ['7', 'little', 'much', 'No: Total > 40 (Total is 7)'],
  ] as const)(
    'on %s goes one way and not the other, and says why',
    async ([total, runs, not, text], { forEachSteps: { startWorkerAndEngine, logOf }, chains, chainOf }) => {
      startWorkerAndEngine();
      chains.total('a', total);
      const id = await chains.start(await chainOf('Total > 40'));
      expect(await chains.ended(id)).toBe('Succeeded');
      expect(await chains.states(id)).toMatchObject({ d: 'Succeeded', [runs]: 'Succeeded', [not]: 'LeftOut' });
      expect(await logOf(id)).toEqual([text]);
    },
  );

  test('may name a value like a property of every object', async ({
    forEachSteps: { startWorkerAndEngine, logOf },
    chains: { start, ended, total },
    chainOf,
  }) => {
    startWorkerAndEngine();
    total('a', '42');
    const steps = await chainOf('[__proto__] > 40');
    const renamed = steps.map((step) =>
      'Values' in step ? { ...step, Values: step.Values.map((value) => ({ ...value, Name: '__proto__' })) } : step,
    );
    const id = await start(renamed);
    expect(await ended(id)).toBe('Succeeded');
    expect(await logOf(id)).toEqual(['Yes: [__proto__] > 40 (__proto__ is 42)']);
  });

  test('that cannot be made is a failure', async ({
    forEachSteps: { startWorkerAndEngine },
    chains: { start, ended, states },
    chainOf,
  }) => {
    startWorkerAndEngine();
    const id = await start(await chainOf('Total >'));
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toMatchObject({ d: 'Failed', much: 'Stopped', little: 'Stopped' });
  });
});
