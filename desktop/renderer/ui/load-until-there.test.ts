import { expect, test } from 'vitest';
import type { ServerState } from '#renderer/api/new-version.ts';
import { loadUntilThere } from './load-until-there.ts';

/**
 * Loads successfully after the given number of failures. After each, the server has the given state; the last state
 * repeats.
 */
async function played(failures: number, ...states: ServerState[]) {
  const pauses: number[] = [];
  const shown: ServerState[] = [];
  let tries = 0;
  let asked = 0;
  const part = await loadUntilThere({
    load: () => {
      tries += 1;
      return tries > failures ? Promise.resolve('part') : Promise.reject(new Error('not fetched'));
    },
    compare: () => Promise.resolve(states[Math.min(asked++, states.length - 1)]!),
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
    show: (state) => shown.push(state),
    isOver: () => tries > 50,
  });
  return { part, tries, pauses, shown };
}

test('what failed once or twice while the server answers is fetched again, and nothing is said of it', async () => {
  expect(await played(1, 'same')).toEqual({ part: 'part', tries: 2, pauses: [200], shown: [] });
  expect(await played(2, 'same')).toEqual({ part: 'part', tries: 3, pauses: [200, 1000], shown: [] });
});

test('repeated failures are reported, and retried with growing pauses until it gives up', async () => {
  expect(await played(3, 'same')).toMatchObject({ part: 'part', pauses: [200, 1000, 2000], shown: ['same'] });
  const never = await played(100, 'same');
  expect(never).toMatchObject({ part: null, tries: 7, pauses: [200, 1000, 2000, 4000, 8000, 15_000] });
});

test('an unreachable server is reported immediately, and waited for as long as needed', async () => {
  const back = await played(9, 'away');
  expect(back).toMatchObject({ part: 'part', tries: 10 });
  expect(back.shown[0]).toBe('away');
  expect(back.pauses.slice(0, 6)).toEqual([2000, 4000, 8000, 15_000, 15_000, 15_000]);
  expect((await played(1000, 'away')).part).toBeNull();
});

test('after an upgrade the file names are gone: this is reported immediately, without a retry', async () => {
  expect(await played(100, 'upgraded')).toEqual({ part: null, tries: 1, pauses: [], shown: ['upgraded'] });
  expect(await played(100, 'away', 'upgraded')).toMatchObject({ tries: 2, shown: ['away', 'upgraded'] });
});
