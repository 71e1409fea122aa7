import { expect, test } from 'vitest';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { sendLinks } from './send-links.ts';

const users = ['ann', 'bob', 'cid', 'dan'].map((UserName, index) => ({ UserId: index + 1, UserName }));
const never = (): boolean => false;

test('one user without an address keeps nobody else from a link', async () => {
  const done: number[] = [];
  const result = await sendLinks(
    users,
    (count) => done.push(count),
    never,
    async (id) => {
      if (id === 2) throw new AppFailure('The user has no email address', { status: 400 });
    },
  );
  expect(result).toEqual({ sent: 3, problems: [{ name: 'bob', reason: 'The user has no email address' }] });
  expect(done).toEqual([1, 2, 3, 4]);
});

test('names everybody who got none after the connection was lost, or after a stop', async () => {
  const lost = await sendLinks(
    users,
    () => {},
    never,
    async (id) => {
      if (id === 2) throw new AppFailure('Network error');
    },
  );
  expect(lost.sent).toBe(1);
  expect(lost.problems.map(({ name }) => name)).toEqual(['bob', 'cid', 'dan']);
  let count = 0;
  const stopped = await sendLinks(
    users,
    () => {},
    () => count > 1,
    async () => void count++,
  );
  expect(stopped).toMatchObject({ sent: 2, problems: [{ name: 'cid' }, { name: 'dan' }] });
});
