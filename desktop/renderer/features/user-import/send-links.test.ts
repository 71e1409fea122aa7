import { expect, test } from 'vitest';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { sendLinks } from './send-links.ts';

const users = ['ann', 'bob', 'cid', 'dan'].map((UserName, index) => ({ UserId: index + 1, UserName }));

/** Fails for bob only. */
const send = (failure: AppFailure) => async (id: number) => {
  if (id === 2) throw failure;
};

test('one user without an address keeps nobody else from a link', async () => {
  const done: number[] = [];
  const result = await sendLinks(users, {
    sendTo: send(new AppFailure('The user has no email address', { status: 400 })),
    onDone: (count) => done.push(count),
    isStopped: () => false,
  });
  expect(result).toEqual({ sent: 3, problems: [{ name: 'bob', reason: 'The user has no email address' }] });
  expect(done).toEqual([1, 2, 3, 4]);
});

test('names everybody who got none after the connection was lost, or after a stop', async () => {
  const sendTo = send(new AppFailure('Network error'));
  const lost = await sendLinks(users, { sendTo, onDone: () => {}, isStopped: () => false });
  expect(lost.sent).toBe(1);
  expect(lost.problems.map(({ name }) => name)).toEqual(['bob', 'cid', 'dan']);
  let count = 0;
  const stopped = await sendLinks(users, {
    sendTo: async () => void count++,
    onDone: () => {},
    isStopped: () => count > 1,
  });
  expect(stopped).toMatchObject({ sent: 2, problems: [{ name: 'cid' }, { name: 'dan' }] });
});
