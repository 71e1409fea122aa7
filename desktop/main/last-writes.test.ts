import { expect, test } from 'vitest';
import { createLastWrites } from './last-writes.ts';
import type { Secrets } from './ports.ts';

/** A keychain that responds when the test tells it to. */
function slowKeychain() {
  const answers: (() => void)[] = [];
  const storedNames: string[] = [];
  const secrets: Secrets = {
    get: async () => null,
    set: (name) => new Promise((resolve) => answers.push(() => (storedNames.push(name), resolve()))),
    remove: () => Promise.reject(new Error('locked')),
  };
  return { answers, kept: storedNames, secrets };
}

test('the end of the program waits for what is being written, and for what that begins', async () => {
  const { answers, kept: storedNames, secrets } = slowKeychain();
  const writes = createLastWrites();
  const held = writes.secrets(secrets);
  expect(writes.areDone()).toBe(true);
  void held.set('token', 'a').then(() => held.set('key', 'b'));
  expect(writes.areDone()).toBe(false);
  let isOver = false;
  const over = writes.done(10_000).then(() => (isOver = true));
  answers[0]!();
  await expect.poll(() => answers.length).toBe(2);
  expect([storedNames, isOver]).toEqual([['token'], false]);
  answers[1]!();
  await over;
  expect([storedNames, writes.areDone()]).toEqual([['token', 'key'], true]);
});

test('a write that fails is over; a keychain that never answers keeps nobody from ending the program', async () => {
  const writes = createLastWrites();
  const held = writes.secrets(slowKeychain().secrets);
  await expect(held.remove('token')).rejects.toThrow('locked');
  await writes.done(10_000);
  void held.set('token', 'a');
  await writes.done(20);
  expect(writes.areDone()).toBe(false);
});
