import { expect, test } from 'vitest';
import type { Log } from '#server/base/log.ts';
import { createRunningParts } from './running-parts.ts';

function recordingLog() {
  const errors: object[] = [];
  const log = { debug: () => {}, error: (about: object) => void errors.push(about) } as unknown as Log;
  return { errors, log };
}

test('parts stop in turn, the last started first, even after one that cannot be stopped', async () => {
  const { errors, log } = recordingLog();
  const parts = createRunningParts(log);
  const stopped: string[] = [];
  parts.add('database', async () => void stopped.push('database'));
  parts.add('broken', () => Promise.reject(new Error('no')));
  parts.add('http', async () => void stopped.push('http'));
  await parts.stopAll();
  expect(stopped).toEqual(['http', 'database']);
  expect(errors).toMatchObject([{ part: 'broken' }]);
});

test('a part that never stops is left, and the others get their turn', async () => {
  const { errors, log } = recordingLog();
  const parts = createRunningParts(log, { totalLimit: 100 });
  const stopped: string[] = [];
  parts.add('database', async () => void stopped.push('database'));
  parts.add('hanging', () => new Promise(() => {}), 20);
  parts.add('hanging too', () => new Promise(() => {}), 20);
  await parts.stopAll();
  expect(stopped).toEqual(['database']);
  expect(errors).toMatchObject([{ part: 'hanging too' }, { part: 'hanging' }]);
});
