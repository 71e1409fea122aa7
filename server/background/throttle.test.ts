import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first request acts immediately, and those within the interval act once at its end', () => {
  const act = vi.fn<() => void>();
  const throttle = createThrottle(20, act);
  for (let count = 0; count < 5; count++) throttle.request();
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(20);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(100);
  expect(act).toHaveBeenCalledTimes(2);
  throttle.request();
  expect(act).toHaveBeenCalledTimes(3);
});

test('a stop performs a pending call', () => {
  const act = vi.fn<() => void>();
  const throttle = createThrottle(20, act);
  throttle.request();
  throttle.stop();
  expect(act).toHaveBeenCalledTimes(1);
  throttle.request();
  throttle.request();
  throttle.stop();
  expect(act).toHaveBeenCalledTimes(3);
});
