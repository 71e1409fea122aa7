import { expect, test } from 'vitest';
import { withShare } from './share-changes.ts';

const board = { RoleName: 'Board', CanEdit: false };
const ada = { UserId: 7, CanEdit: true };

test('a change applies to the shares as they are now, and to nobody else', () => {
  expect(withShare([board], ada, 'add')).toEqual([board, ada]);
  expect(withShare([board, ada], { ...board, CanEdit: true }, 'change')).toEqual([{ ...board, CanEdit: true }, ada]);
  expect(withShare([board, ada], board, 'remove')).toEqual([ada]);
});

test('what somebody else has taken back or granted since then stays so', () => {
  expect(withShare([board], { ...ada, CanEdit: false }, 'change')).toEqual([board]);
  expect(withShare([board], ada, 'remove')).toEqual([board]);
  expect(withShare([ada], { ...ada, CanEdit: false }, 'add')).toEqual([ada]);
});
