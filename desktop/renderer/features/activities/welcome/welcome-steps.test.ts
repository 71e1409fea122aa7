import { expect, test } from 'vitest';
import { readWelcome, stepsLeft } from './welcome-steps.ts';

const all = { canRun: true, canPublish: true, canInvite: true, hasRun: false };
const started = { isBegun: true, followed: [], isHidden: false };

test('a newcomer is shown what they have the right to do', () => {
  expect(stepsLeft(readWelcome(null), all)).toEqual(['run', 'publish', 'invite']);
  expect(stepsLeft(readWelcome(null), { ...all, canPublish: false, canInvite: false })).toEqual(['run']);
  expect(stepsLeft(readWelcome(null), { canRun: false, canPublish: false, canInvite: false, hasRun: false })).toEqual(
    [],
  );
});

test('the welcome disappears automatically, step by step', () => {
  expect(stepsLeft(started, { ...all, hasRun: true })).toEqual(['publish', 'invite']);
  expect(stepsLeft({ ...started, followed: ['run', 'publish'] }, all)).toEqual(['run', 'invite']);
  expect(stepsLeft({ ...started, followed: ['publish', 'invite'] }, { ...all, hasRun: true })).toEqual([]);
  expect(stepsLeft({ ...started, isHidden: true }, all)).toEqual([]);
});

test('who has run something before is not welcomed', () => {
  expect(stepsLeft(readWelcome(null), { ...all, hasRun: true })).toEqual([]);
  expect(stepsLeft(readWelcome('{no json'), { ...all, hasRun: true })).toEqual([]);
});
