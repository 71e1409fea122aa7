/** Arranges the grants on an activity as the list of those who have access to it. */
import type { Db } from '#server/db/dialect/types.ts';
import type { Share, ShareHolder } from '#shared/contract/sharing.ts';
import { SHARED_RIGHTS } from '#shared/rules/share-levels.ts';
import {
  findUsers,
  listRoles,
  listSharedGrants,
  type RoleRow,
  type SharedGrant,
  type UserRow,
} from './shares-repository.ts';
import { shownName } from './shown-name.ts';

/** Most specific first: the activity's own shares can be taken back in the list. */
const SCOPES: readonly Share['Scope'][] = ['Activity', 'Schema', 'All'];
const SCOPE_OF: Readonly<Record<string, Share['Scope']>> = { Id: 'Activity', Schema: 'Schema', '': 'All' };

/** Returns one entry for each user or role, scope and kind of access, ordered by scope and name. */
export async function listShares(db: Db, activity: { Id: number; Schema: string }): Promise<Share[]> {
  const grants = await listSharedGrants(db, activity);
  const idsOf = grants.filter(({ GranteeKind }) => GranteeKind === 'user').map(({ Grantee }) => Number(Grantee));
  const users = new Map((await findUsers(db, [...new Set(idsOf)])).map((user) => [String(user.UserId), user]));
  const roles = new Map((await listRoles(db)).map((role) => [role.Name, role]));
  const entries = Map.groupBy(
    grants,
    ({ GranteeKind, Grantee, KeyColumnName, Access }) => `${GranteeKind} ${Grantee}\0${KeyColumnName}\0${Access}`,
  );
  const shares = [...entries.values()].flatMap((own) => {
    const holder = holderOf(own[0]!, users, roles);
    return holder ? [shareOf(own, holder)] : [];
  });
  return shares.toSorted(byScopeAndName);
}

function holderOf(
  { GranteeKind, Grantee }: SharedGrant,
  users: ReadonlyMap<string, UserRow>,
  roles: ReadonlyMap<string, RoleRow>,
): ShareHolder | null {
  const user = users.get(Grantee);
  if (GranteeKind === 'user') return user ? userHolder(user) : null;
  const role = roles.get(Grantee);
  return role ? roleHolder(role) : null;
}

export const userHolder = (user: UserRow): ShareHolder => ({
  Kind: 'User',
  UserId: user.UserId,
  Name: shownName(user),
  UserName: user.UserName,
  Email: user.Email,
  MemberCount: null,
  IsActive: user.Enabled,
});

export const roleHolder = ({ Name, IsActive, MemberCount }: RoleRow): ShareHolder => ({
  Kind: 'Role',
  UserId: null,
  Name,
  UserName: '',
  Email: '',
  MemberCount,
  IsActive,
});

function shareOf(grants: readonly SharedGrant[], Holder: ShareHolder): Share {
  const { KeyColumnName, Access } = grants[0]!;
  const named = new Set(grants.map(({ RightName }) => RightName));
  return {
    Holder,
    Scope: SCOPE_OF[KeyColumnName] ?? 'All',
    Rights: SHARED_RIGHTS.filter((right) => named.has(right)),
    IsDenied: Access < 0,
  };
}

const byScopeAndName = (a: Share, b: Share): number =>
  SCOPES.indexOf(a.Scope) - SCOPES.indexOf(b.Scope) ||
  a.Holder.Kind.localeCompare(b.Holder.Kind) ||
  a.Holder.Name.localeCompare(b.Holder.Name);
