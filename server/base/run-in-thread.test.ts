import { expect, test } from 'vitest';
import { runInThread, ThreadLimitError } from './run-in-thread.ts';

const thread = (code: string): URL =>
  new URL(
    `data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; ${encodeURIComponent(code)}`,
  );
const BOUNDS = { memory: 64 };

test('a thread returns its result, and knows nothing of the environment except where compiled code is cached', async () => {
  const answer = thread('parentPort.postMessage([workerData.a + 1, Object.keys(process.env)])');
  const known = process.env['NODE_COMPILE_CACHE'] === undefined ? [] : ['NODE_COMPILE_CACHE'];
  expect(await runInThread(answer, { a: 1 }, BOUNDS)).toEqual([2, known]);
});

test('an error in a thread is reported', async () => {
  await expect(runInThread(thread('throw new Error("broken " + workerData)'), 'here', BOUNDS)).rejects.toThrow(
    'broken here',
  );
  await expect(runInThread(thread('process.exit(3)'), null, BOUNDS)).rejects.toThrow('ended with 3');
});

test('a thread ends at its bounds, and when nobody waits for it any longer', async () => {
  const endless = thread('setInterval(() => 0, 1000)');
  await expect(runInThread(endless, null, { ...BOUNDS, timeLimit: 50 })).rejects.toThrow(ThreadLimitError);
  const greedy = thread('const all = []; for (;;) all.push(new Array(1e5).fill({}))');
  await expect(runInThread(greedy, null, BOUNDS)).rejects.toThrow('more than 64 MB');
  const abandoned = new AbortController();
  const work = runInThread(endless, null, { ...BOUNDS, signal: abandoned.signal });
  abandoned.abort(new Error('gone'));
  await expect(work).rejects.toThrow('gone');
  await expect(runInThread(endless, null, { ...BOUNDS, signal: abandoned.signal })).rejects.toThrow('gone');
});
