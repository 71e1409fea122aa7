import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first is told at once, and all that come within the time together after it', () => {
  const act = vi.fn<() => void>();
  const paced = createPaced(20, act);
  for (let count = 0; count < 5; count++) paced.tell();
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(20);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledTimes(2);
  paced.tell();
  expect(act).toHaveBeenCalledTimes(3);
});

test('a stop tells what was not told yet', () => {
  const act = vi.fn<() => void>();
  const paced = createPaced(20, act);
  paced.tell();
  paced.stop();
  expect(act).toHaveBeenCalledTimes(1);
  paced.tell();
  paced.tell();
  paced.stop();
  expect(act).toHaveBeenCalledTimes(3);
});
