import { expect, test } from 'vitest';
import type { UserRight } from '#shared/contract/security.ts';
import { scopeText, whyText } from '#renderer/features/rights/scope.ts';
import { userRows } from './matrix-rows.ts';

const said = (changes: Partial<UserRight>): UserRight => ({
  UserId: 1,
  UserName: 'ada',
  UserFullName: 'Ada',
  RightName: 'sk.RunActivity',
  KeyColumnName: '',
  KeyColumnValue: '',
  DisplayColumnName: '',
  DisplayColumnValue: '',
  Access: true,
  Source: 'Explicit',
  ImpliedBy: '',
  ...changes,
});

test('a row grants only if all that is said of its person, right and scope grants', () => {
  const rows = userRows([
    said({}),
    said({ Access: false, Source: 'Clerks' }),
    said({ UserId: 2 }),
    said({ KeyColumnName: 'Id', KeyColumnValue: '7' }),
  ]);
  expect(rows.map(({ Access, details }) => [Access, details.length])).toEqual([
    [false, 2],
    [true, 1],
    [true, 1],
  ]);
});

test('scope and reason are words', () => {
  expect(scopeText(said({}))).toBe('All');
  expect(scopeText(said({ KeyColumnName: 'Schema', KeyColumnValue: 'Finance' }))).toBe('Schema : Finance');
  expect(
    scopeText(
      said({ KeyColumnName: 'Id', KeyColumnValue: '7', DisplayColumnName: 'Name', DisplayColumnValue: 'Loan' }),
    ),
  ).toBe('Name : Loan');
  expect(whyText(said({ Source: 'Clerks', ImpliedBy: 'sk.EditActivity' }))).toBe('Clerks, implied by sk.EditActivity');
  expect(whyText(said({ Source: '', ImpliedBy: 'IsUserAdmin' }))).toBe('Administrator');
});
