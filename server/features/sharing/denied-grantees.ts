/**
 * Protects denials from sharing. A grant for one activity is more specific than a denial for its schema or for all, and
 * would silently override it. Only people who manage rights may do that.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { ALL, type ObjectKeys } from '#server/access/rights/grants.ts';
import type { RightName } from '#shared/contract/rights.ts';

interface Asked {
  rights: readonly RightName[];
  keys: ObjectKeys;
  userIds: readonly number[];
  roles: readonly string[];
}

/** Throws an AppError 409 if one of the rights is denied to one of the users, to a role, or to somebody in a role. */
export async function requireNotDenied(db: Db, { rights, keys, userIds, roles }: Asked): Promise<void> {
  const denials = (await db('Grants')
    .whereIn('RightName', rights)
    .where('Access', -1)
    .whereIn('GranteeKind', ['user', 'role'])
    .where((levels) => {
      void levels.where('KeyColumnName', ALL);
      for (const [column, value] of Object.entries(keys))
        void levels.orWhere({ KeyColumnName: column, KeyColumnValue: String(value) });
    })
    .select('GranteeKind', 'Grantee')) as { GranteeKind: 'user' | 'role'; Grantee: string }[];
  if (denials.length === 0) return;
  const namesOf = (kind: 'user' | 'role') =>
    denials.filter(({ GranteeKind }) => GranteeKind === kind).map(({ Grantee }) => Grantee);
  const denied = { users: new Set(namesOf('user').map(Number)), roles: namesOf('role') };
  const people = new Set([...userIds, ...(await membersOf(db, roles))]);
  const ofDeniedRoles = await membersOf(db, denied.roles);
  const isDenied =
    denied.roles.some((name) => roles.includes(name)) ||
    [...denied.users].some((userId) => people.has(userId)) ||
    ofDeniedRoles.some((userId) => people.has(userId));
  if (!isDenied) return;
  throw new AppError(
    'accessDenied',
    409,
    'One of these people was explicitly denied this right. Only people who manage rights can change that.',
  );
}

async function membersOf(db: Db, roles: readonly string[]): Promise<number[]> {
  return roles.length === 0 ? [] : db('RoleUsers').whereIn('RoleName', roles).pluck('UserId');
}
