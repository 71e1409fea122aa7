import { expect, test } from 'vitest';
import { readValues } from './read-values.ts';

const THREAD = new URL(
  "data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData)",
);
const read = (length: number) =>
  readValues([{ ActivityParameterId: 1, Value: 'x'.repeat(length) }], {
    here: () => 'here',
    thread: THREAD,
    work: 'in a thread',
  });

test('long values are read where they keep nobody waiting', async () => {
  expect(await read(10)).toBe('here');
  expect(await read(2_000_000)).toBe('in a thread');
});
