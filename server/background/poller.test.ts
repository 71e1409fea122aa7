import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPoller, type NextPoll, type PollerOptions } from './poller.ts';

const INTERVAL_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A poller whose polls end when the test says so. */
function pollerWith(options: Partial<PollerOptions> = {}) {
  const polls: PromiseWithResolvers<NextPoll | void>[] = [];
  const errors: unknown[] = [];
  const signals: AbortSignal[] = [];
  const poller = createPoller({
    intervalMs: INTERVAL_MS,
    poll: (signal) => {
      const poll = Promise.withResolvers<NextPoll | void>();
      polls.push(poll);
      signals.push(signal);
      return poll.promise;
    },
    onError: (error) => void errors.push(error),
    ...options,
  });
  const end = async (result?: NextPoll) => {
    polls.at(-1)!.resolve(result);
    await wait(0);
  };
  const fail = async () => {
    polls.at(-1)!.reject(new Error('the database is unreachable'));
    await wait(0);
  };
  return { poller, polls, errors, signals, end, fail };
}

test('the next poll begins one interval after the end of the previous one', async () => {
  const { poller, polls, end } = pollerWith();
  poller.start();
  poller.start();
  await wait(INTERVAL_MS - 1);
  expect(polls).toHaveLength(0);
  await wait(1);
  expect(polls).toHaveLength(1);
  await wait(5 * INTERVAL_MS);
  expect(polls).toHaveLength(1);
  await end();
  await wait(INTERVAL_MS - 1);
  expect(polls).toHaveLength(1);
  await wait(1);
  expect(polls).toHaveLength(2);
});

test('a poll can choose when the next one begins', async () => {
  const { poller, polls, end } = pollerWith();
  poller.start();
  poller.request();
  await end({ waitMs: 10 });
  await wait(10);
  expect(polls).toHaveLength(2);
});

test('a request polls immediately, and requests during a poll share one more', async () => {
  const { poller, polls, end } = pollerWith({ intervalMs: null });
  poller.request();
  expect(polls).toHaveLength(1);
  poller.request();
  poller.request();
  expect(polls).toHaveLength(1);
  await end();
  expect(polls).toHaveLength(2);
  await end();
  await wait(10 * INTERVAL_MS);
  expect(polls).toHaveLength(2);
});

test('a poll that requests another one while it begins is followed by it', async () => {
  let count = 0;
  const poller = createPoller({
    intervalMs: null,
    poll: () => {
      count += 1;
      if (count < 3) poller.request();
      return Promise.resolve();
    },
    onError: () => {},
  });
  poller.request();
  await poller.settled();
  expect(count).toBe(3);
});

test('requests within the delay share a poll, which begins after it', async () => {
  const { poller, polls, end } = pollerWith({ requestDelayMs: 300 });
  poller.request();
  await wait(299);
  poller.request();
  expect(polls).toHaveLength(0);
  await wait(1);
  expect(polls).toHaveLength(1);
  poller.request();
  await wait(5 * INTERVAL_MS);
  await end();
  await wait(299);
  expect(polls).toHaveLength(1);
  await wait(1);
  expect(polls).toHaveLength(2);
  await end();
  await wait(INTERVAL_MS);
  expect(polls).toHaveLength(2);
});

test('the work probe skips only polls that nobody requested', async () => {
  const hasPendingWork = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false));
  const { poller, polls } = pollerWith({ hasPendingWork });
  poller.start();
  await wait(3 * INTERVAL_MS);
  expect(hasPendingWork).toHaveBeenCalledTimes(3);
  expect(polls).toHaveLength(0);
  poller.request();
  expect(polls).toHaveLength(1);
});

test('a request during a work probe causes a poll', async () => {
  const probe = Promise.withResolvers<boolean>();
  const { poller, polls } = pollerWith({ hasPendingWork: () => probe.promise });
  poller.start();
  await wait(INTERVAL_MS);
  poller.request();
  probe.resolve(false);
  await wait(0);
  expect(polls).toHaveLength(1);
});

test('a failed poll is reported, and the next one follows', async () => {
  const { poller, polls, errors, fail, end } = pollerWith();
  poller.start();
  poller.request();
  await fail();
  expect(errors).toEqual([new Error('the database is unreachable')]);
  await wait(INTERVAL_MS);
  expect(polls).toHaveLength(2);
  await end();
  await wait(INTERVAL_MS);
  poller.request();
  await fail();
  expect(errors).toHaveLength(2);
  expect(polls).toHaveLength(4);
});

test('the pause after a failed poll can be longer', async () => {
  const { poller, polls, fail } = pollerWith({ onError: () => ({ waitMs: 5 * INTERVAL_MS }) });
  poller.start();
  poller.request();
  await fail();
  await wait(4 * INTERVAL_MS);
  expect(polls).toHaveLength(1);
  await wait(INTERVAL_MS);
  expect(polls).toHaveLength(2);
});

test('a failed work probe is reported like a failed poll', async () => {
  const { poller, polls, errors } = pollerWith({ hasPendingWork: () => Promise.reject(new Error('unreachable')) });
  poller.start();
  await wait(2 * INTERVAL_MS);
  expect(errors).toHaveLength(2);
  expect(polls).toHaveLength(0);
});

test('a paused poller polls only on request, until it is started again', async () => {
  const { poller, polls, end } = pollerWith();
  poller.start();
  poller.pause();
  await wait(2 * INTERVAL_MS);
  expect(polls).toHaveLength(0);
  poller.request();
  await end();
  await wait(2 * INTERVAL_MS);
  expect(polls).toHaveLength(1);
  poller.start();
  await wait(INTERVAL_MS);
  expect(polls).toHaveLength(2);
});

test('a stop aborts the current poll and waits for it, and nothing starts another one', async () => {
  const { poller, polls, signals, end } = pollerWith({ requestDelayMs: 300 });
  poller.start();
  await wait(INTERVAL_MS);
  poller.request();
  let isStopped = false;
  const stopped = poller.stop().then(() => (isStopped = true));
  await wait(0);
  expect([isStopped, signals[0]!.aborted]).toEqual([false, true]);
  poller.request();
  await end();
  await stopped;
  poller.request();
  poller.start();
  await wait(10 * INTERVAL_MS);
  expect(polls).toHaveLength(1);
});

test('a stop during a work probe prevents the poll', async () => {
  const probe = Promise.withResolvers<boolean>();
  const { poller, polls } = pollerWith({ hasPendingWork: () => probe.promise });
  poller.start();
  await wait(INTERVAL_MS);
  const stopped = poller.stop();
  probe.resolve(true);
  await stopped;
  expect(polls).toHaveLength(0);
});

test('a stop before the first poll, or during the delay of a request, prevents the poll', async () => {
  const { poller, polls } = pollerWith({ requestDelayMs: 300 });
  poller.start();
  poller.request();
  await poller.stop();
  await wait(10 * INTERVAL_MS);
  expect(polls).toHaveLength(0);
});
