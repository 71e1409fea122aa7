/** Approvals of a workflow of which steps run again. */
import { expect } from 'vitest';
import { test } from '#test/support/fixtures/approval-bench.ts';
import { resumeWorkflowRun } from '#server/workflows/resume-workflow-run.ts';

test('approvals before the steps that run again stay, those after them are requested again, and no starter decides', async ({
  approvals: { start, startEngine, step, approval, asked, decide, people, states, ended, stored, rowOf },
  workerBench,
}) => {
  workerBench.work({ concurrency: 4 });
  startEngine();
  const id = await start([
    await step('a'),
    approval('first', ['a']),
    await step('b', ['first']),
    approval('second', ['b']),
    await step('c', ['second']),
  ]);
  await decide((await asked(id, 'first')).Id, people.ada);
  // The approver finds a wrong figure in b.
  await decide((await asked(id, 'second')).Id, people.ada, { Approved: false, Comment: 'Wrong total' });
  expect(await ended(id)).toBe('Failed');
  const by = { UserId: people.bob, UniqueId: null, From: { Steps: ['b'], Following: 'All' as const } };
  const { Id: next } = await resumeWorkflowRun(workerBench.database, workerBench.signals, id, by);
  const { Id } = await asked(next, 'second');
  expect(await rowOf(next, 'first')).toBeUndefined();
  expect(await states(next)).toMatchObject({ first: 'Succeeded', b: 'Succeeded', second: 'Started' });
  const { UserId: starter } = await stored(id);
  for (const user of [people.bob, starter]) expect(await decide(Id, user)).toMatchObject({ result: 'forbidden' });
  await decide(Id, people.ada);
  expect(await ended(next)).toBe('Succeeded');
});
