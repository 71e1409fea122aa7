import { expect, test } from 'vitest';
import type { Right } from '#shared/contract/right-grants.ts';
import { groupRights } from './right-groups.ts';
import { assignPath, editPath } from './right-paths.ts';

const right = (Name: string, TableName: string, KeyColumnName: string): Right => ({
  Name,
  TableName,
  KeyColumnName,
  Description: '',
  SchemaName: '',
  DisplayInfo: { Columns: [], JoinedColumns: [] },
  IsCustom: false,
  RoleCount: 0,
  UserCount: 0,
  InternetAccess: 0,
});

test('rights are put together by table and column, those for everything first', () => {
  const groups = groupRights([
    right('Run', 'Activities', ''),
    right('Run', 'Activities', 'Id'),
    right('Users', '', ''),
    right('Edit', 'Activities', 'Id'),
  ]);
  expect(groups.map(({ title, rights }) => [title, rights.map(({ Name }) => Name)])).toEqual([
    ['General', ['Users']],
    ['Activities', ['Run']],
    ['Activities by Id', ['Run', 'Edit']],
  ]);
});

test('addresses carry names of any kind', () => {
  expect(assignPath({ name: 'a', keyColumn: 'Schema', value: 'R/D 1' })).toBe('/rights/assign/a/Schema/R%2FD%201/');
  expect(assignPath({ name: 'a' })).toBe('/rights/assign/a/');
  expect(editPath('a', 'Id')).toBe('/rights/edit/a/Id/');
});
