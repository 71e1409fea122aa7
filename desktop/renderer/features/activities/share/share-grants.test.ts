import { describe, expect, it } from 'vitest';
import type { GrantInfo } from '#shared/contract/right-grants.ts';
import { sharesOf } from './share-grants.ts';

const user = (UserId: number, ExplicitAccess: 1 | 0 | -1) => ({
  UserId,
  UserName: `user${UserId}`,
  FirstName: UserId === 1 ? 'Ada' : '',
  LastName: '',
  OverallAccess: ExplicitAccess,
  ExplicitAccess,
  Source: '',
  ImpliedBy: '',
});
const role = (RoleName: string, ExplicitAccess: 1 | 0 | -1) => ({
  RoleName,
  IsActive: true,
  OverallAccess: ExplicitAccess,
  ExplicitAccess,
  Source: '',
  ImpliedBy: '',
});
const info = (UserGrants: GrantInfo['UserGrants'], RoleGrants: GrantInfo['RoleGrants'] = []): GrantInfo =>
  ({ UserGrants, RoleGrants }) as GrantInfo;

describe('whom an activity is shared with', () => {
  it('is told once for each person and role, with the most they were given on it', () => {
    const shares = sharesOf([
      info([user(1, 1), user(2, 1), user(3, 0), user(4, -1)], [role('Sales', 1), role('Others', 0)]),
      info([user(2, 1)]),
      info([user(1, 1)], [role('Sales', 1)]),
    ]);
    expect(shares).toEqual([
      { kind: 'role', id: 'Sales', name: 'Sales', level: 'edit', rights: ['sk.RunActivity', 'sk.EditActivity'] },
      { kind: 'user', id: 1, name: 'Ada', level: 'edit', rights: ['sk.RunActivity', 'sk.EditActivity'] },
      { kind: 'user', id: 2, name: 'user2', level: 'runs', rights: ['sk.RunActivity', 'sk.ViewRuns'] },
    ]);
  });
});
