import { expect, test } from 'vitest';
import { createConnectionWatch, POLL_BACKOFF, QUIET, type ConnectionState } from './connection.ts';

function played(initial: ConnectionState = 'online', pollsWhenQuiet = true) {
  let found: ConnectionState = initial;
  let planned: { milliseconds: number; work: () => void } | null = null;
  const seen: ConnectionState[] = [];
  let polls = 0;
  const watch = createConnectionWatch({
    initial,
    pollsWhenQuiet,
    probe: async () => {
      polls += 1;
      return found;
    },
    after: (milliseconds, work) => {
      const mine = { milliseconds, work };
      planned = mine;
      return () => {
        if (planned === mine) planned = null;
      };
    },
  });
  watch.onChange((state) => seen.push(state));
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 5; round += 1) await Promise.resolve();
  };
  return {
    watch,
    seen,
    settle,
    polls: () => polls,
    finds: (state: ConnectionState) => void (found = state),
    waits: () => planned?.milliseconds ?? null,
    passes: async () => {
      planned!.work();
      await settle();
    },
  };
}

test('a lost call is looked into at once, and a server that is away is looked for in growing intervals', async () => {
  const it = played();
  expect(it.waits()).toBe(QUIET);
  it.finds('unreachable');
  it.watch.noticed(false);
  await it.settle();
  expect(it.seen).toEqual(['unreachable']);
  const waits: (number | null)[] = [];
  for (let round = 0; round < 7; round += 1) {
    waits.push(it.waits());
    await it.passes();
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, POLL_BACKOFF.last]);
  it.finds('online');
  await it.passes();
  expect(it.seen).toEqual(['unreachable', 'online']);
  expect(it.waits()).toBe(QUIET);
});

test('a page leaves a server that is there in peace until a call is lost, and again once it is back', async () => {
  const it = played('online', false);
  expect(it.waits()).toBeNull();
  it.finds('unreachable');
  it.watch.noticed(false);
  await it.settle();
  expect(it.waits()).toBe(POLL_BACKOFF.first);
  it.finds('online');
  await it.passes();
  expect([it.seen, it.waits()]).toEqual([['unreachable', 'online'], null]);
});

test('after a sleep it looks at once and then often again', async () => {
  const it = played('offline');
  it.finds('offline');
  for (let round = 0; round < 6; round += 1) await it.passes();
  expect(it.waits()).toBe(POLL_BACKOFF.last);
  const before = it.polls();
  it.watch.poll();
  await it.settle();
  expect(it.polls()).toBe(before + 1);
  expect(it.waits()).toBe(POLL_BACKOFF.first);
});

test('a call that was lost while the server answers changes nothing', async () => {
  const it = played();
  it.watch.noticed(false);
  await it.settle();
  expect(it.seen).toEqual([]);
  expect(it.polls()).toBe(1);
});

test('an answer ends the search, but not the need of an update', async () => {
  const it = played('unreachable');
  it.watch.noticed(true);
  expect(it.watch.state()).toBe('online');
  const other = played('updateNeeded');
  other.watch.noticed(true);
  expect(other.watch.state()).toBe('updateNeeded');
});

test('it stops polling once stopped', async () => {
  const it = played();
  it.watch.stop();
  it.watch.poll();
  await it.settle();
  expect(it.polls()).toBe(0);
  expect(it.waits()).toBeNull();
});

test('a call that is lost during a look is looked into after it, as the answer may be older', async () => {
  const it = played();
  it.watch.poll();
  it.finds('unreachable');
  it.watch.noticed(false);
  it.watch.noticed(false);
  await it.settle();
  await it.settle();
  expect(it.seen).toEqual(['unreachable']);
  expect(it.polls()).toBe(2);
});
