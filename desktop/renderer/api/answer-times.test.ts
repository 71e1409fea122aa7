import type { Query } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { noteAnswerTime, oldestAnswerTime } from './answer-times.ts';

const query = (path: string, data: unknown, isActive = true): Query =>
  ({ queryKey: ['GET', path, {}], state: { data }, isActive: () => isActive }) as unknown as Query;

const answerStoredAt = (iso: string): object => {
  const answer = {};
  noteAnswerTime(answer, iso);
  return answer;
};

test('the oldest of what is on the screen counts, not what stands around it or is not shown', () => {
  const [old, older] = ['2026-03-01T14:02:00Z', '2026-03-01T13:00:00Z'];
  expect(oldestAnswerTime([])).toBeNull();
  expect(
    oldestAnswerTime([query('/api/users/profile', answerStoredAt(older)), query('/a', answerStoredAt(older), false)]),
  ).toBeNull();
  const live = {};
  noteAnswerTime(live, null);
  expect(oldestAnswerTime([query('/a', answerStoredAt(old)), query('/b', live)])).toBe(Date.parse(old));
});

test('pages of a list and answers beside their headers are found', () => {
  const pages = { pages: [answerStoredAt('2026-03-01T14:02:00Z'), answerStoredAt('2026-03-01T12:00:00Z')] };
  expect(oldestAnswerTime([query('/a', pages)])).toBe(Date.parse('2026-03-01T12:00:00Z'));
  expect(oldestAnswerTime([query('/a', { result: answerStoredAt('2026-03-01T11:00:00Z'), headers: {} })])).toBe(
    Date.parse('2026-03-01T11:00:00Z'),
  );
  expect(oldestAnswerTime([query('/a', 'text'), query('/b', undefined)])).toBeNull();
});
