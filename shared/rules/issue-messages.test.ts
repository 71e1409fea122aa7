import { expect, it } from 'vitest';
import { issueMessages } from './issue-messages.ts';

it('says each message once, with its rows', () => {
  const blank = 'Value in column Day must be specified';
  expect(issueMessages([{ message: 'Value must be provided' }, { message: 'Value must be provided' }])).toEqual([
    'Value must be provided',
  ]);
  const rows = [2, 4, 4].map((row) => ({ message: blank, row }));
  expect(issueMessages([...rows, { message: 'Value in column Name must be specified', row: 0 }])).toEqual([
    `${blank} (rows 3, 5)`,
    'Value in column Name must be specified (row 1)',
  ]);
  const many = Array.from({ length: 12 }, (_, row) => ({ message: blank, row }));
  expect(issueMessages(many)).toEqual([`${blank} (rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)`]);
});
