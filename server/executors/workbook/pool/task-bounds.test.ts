import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { boundTask } from './task-bounds.ts';

it.each([
  [1000, 'The calculation took longer than 1 second and was stopped'],
  [1100, 'The calculation took longer than 1.1 seconds and was stopped'],
])('says that a task took longer than %i ms', async (timeLimit, message) => {
  const worker = new Worker('setInterval(() => undefined, 1000)', { eval: true });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const bounds = boundTask(worker, { timeLimit, memoryBytes: 2 ** 30, signal: new AbortController().signal }, resolve);
  expect(await promise).toMatchObject({ message });
  bounds.close();
  await worker.terminate();
});
