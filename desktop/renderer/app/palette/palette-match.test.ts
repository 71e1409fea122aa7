import { expect, it } from 'vitest';
import { rankByWords } from './palette-match.ts';

const items = ['Edit Loan schedule', 'Personal loan', 'Loan schedule', 'Reloan', 'Invoice'];
const rank = (query: string) => rankByWords(query, items, (item) => item);

it('puts what begins with the query first, then what has a word that does', () => {
  expect(rank('loan')).toEqual(['Loan schedule', 'Edit Loan schedule', 'Personal loan', 'Reloan']);
});

it('wants every word, in any order', () => {
  expect(rank('sched LOAN')).toEqual(['Edit Loan schedule', 'Loan schedule']);
  expect(rank('loan xyz')).toEqual([]);
});

it('shows everything while nothing is typed', () => {
  expect(rank('  ')).toEqual(items);
});
