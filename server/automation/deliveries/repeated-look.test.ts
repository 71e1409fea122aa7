import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { createPoller } from './poller.ts';

const log = pino({ level: 'silent' });
/** Longer than the test, so that only requests start polls. */
const NEVER_MS = 600_000;
/** Longer than the time within which requests share a poll. */
const SOON_ENOUGH_MS = 500;

/** Polls that end when the test says so. */
function createPolls() {
  const polls: PromiseWithResolvers<void>[] = [];
  const look = (): Promise<void> => {
    const poll = Promise.withResolvers<void>();
    polls.push(poll);
    return poll.promise;
  };
  const looking = createPoller(look, { intervalMs: NEVER_MS, log, what: 'events could not be looked for' });
  return { polls, looking };
}

test('requests within a short time share a poll', async () => {
  const { polls, looking } = createPolls();
  polls[0]!.resolve();
  looking.soon();
  looking.soon();
  await until('the requested poll', () => polls.length === 2);
  polls[1]!.resolve();
  await pause(SOON_ENOUGH_MS);
  expect(polls).toHaveLength(2);
  await looking.stop();
});

test('a request during a poll starts another poll soon after it, even if it fails', async () => {
  const { polls, looking } = createPolls();
  looking.soon();
  await pause(SOON_ENOUGH_MS);
  looking.soon();
  await pause(SOON_ENOUGH_MS);
  expect(polls).toHaveLength(1);
  polls[0]!.reject(new Error('the database is away'));
  await until('the requested poll', () => polls.length === 2);
  polls[1]!.resolve();
  await pause(SOON_ENOUGH_MS);
  expect(polls).toHaveLength(2);
  await looking.stop();
});

test('no poll starts after the stop, whatever was requested before or after it', async () => {
  const { polls, looking } = createPolls();
  looking.soon();
  await pause(SOON_ENOUGH_MS);
  const stopped = looking.stop();
  looking.soon();
  polls[0]!.resolve();
  await stopped;
  looking.soon();
  await pause(SOON_ENOUGH_MS);
  expect(polls).toHaveLength(1);
});
