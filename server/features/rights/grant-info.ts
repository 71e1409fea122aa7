/** Reads who holds a right, and why. */
import type { AccessValue, GrantInfo, RoleGrant, UserGrant } from '#shared/contract/right-grants.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { countGrants, listGrantUsers, listRoleStates, type GrantUserQuery } from './grants-repository.ts';
import type { Grant, GrantKey, ObjectKeys } from '#server/access/rights/grants.ts';
import type { KeyValue } from '#server/access/rights/key-values.ts';
import { ADMIN_ANSWER, answerRight, type RightAnswer } from '#server/access/rights/right-answer.ts';
import type { KnownRight } from '#server/access/rights/known-rights.ts';
import type { RightDefinitions } from './right-definitions.ts';
import { loadRightHolders, type RightHolders } from './right-holders-service.ts';
import { EXPLICIT } from './right-statements.ts';
import { NOT_FOR_INTERNET } from '#server/access/rights/right-implications.ts';

/** A right for All, or for a key value with the object it identifies. */
export interface ResolvedRight {
  right: KnownRight;
  key: GrantKey;
  found: KeyValue | undefined;
  keys: ObjectKeys;
}

export type InternetInfo = Omit<GrantInfo, 'UserGrants' | 'RoleGrants' | 'TotalUsers' | 'HasMore'>;

export async function readInternet(db: Db, definitions: RightDefinitions, asked: ResolvedRight): Promise<InternetInfo> {
  return internetInfo(db, definitions, asked, (await loadRightHolders(db, asked.right.Name)).internet);
}

export async function readGrants(
  db: Db,
  definitions: RightDefinitions,
  asked: ResolvedRight,
  query: GrantUserQuery & { Held?: boolean },
): Promise<GrantInfo> {
  const holders = await loadRightHolders(db, asked.right.Name);
  const { Skip = 0 } = query;
  const { UserGrants, TotalUsers } = await readUsers(db, holders, asked, query);
  const HasMore = Skip + UserGrants.length < TotalUsers && UserGrants.length > 0;
  const RoleGrants = await readRoles(db, holders, asked);
  return {
    ...(await internetInfo(db, definitions, asked, holders.internet)),
    UserGrants,
    TotalUsers,
    HasMore,
    RoleGrants,
  };
}

async function readUsers(
  db: Db,
  holders: RightHolders,
  { right, key, keys }: ResolvedRight,
  { Held = false, Skip = 0, Take, ...narrowed }: GrantUserQuery & { Held?: boolean },
): Promise<{ UserGrants: UserGrant[]; TotalUsers: number }> {
  const { users, total } = await listGrantUsers(db, Held ? narrowed : { ...narrowed, Skip, Take });
  const grants = users.map(({ UserId, UserName, FirstName, LastName, IsUserAdmin }): UserGrant => {
    const own = holders.grantsOfUser(UserId);
    const answer = IsUserAdmin ? ADMIN_ANSWER : answerRight(own, right.Name, keys);
    return { UserId, UserName, FirstName, LastName, ...overall(answer), ExplicitAccess: explicit(own, key) };
  });
  if (!Held) return { UserGrants: grants, TotalUsers: total };
  const held = grants.filter((grant) => grant.OverallAccess !== 0 || grant.ExplicitAccess !== 0);
  return { UserGrants: held.slice(Skip, Take === undefined ? undefined : Skip + Take), TotalUsers: held.length };
}

async function readRoles(db: Db, holders: RightHolders, { right, key, keys }: ResolvedRight): Promise<RoleGrant[]> {
  return (await listRoleStates(db)).map(({ Name, IsActive }) => {
    const grants = holders.grantsOfRole(Name);
    const answer = overall(answerRight(grants, right.Name, keys));
    return { RoleName: Name, IsActive, ...answer, ExplicitAccess: explicit(grants, key) };
  });
}

async function internetInfo(
  db: Db,
  definitions: RightDefinitions,
  { right, key, found, keys }: ResolvedRight,
  grants: readonly Grant[],
): Promise<InternetInfo> {
  return {
    Right: definitions.view(right, key.KeyColumnName, await countGrants(db, right.Name)),
    KeyColumnValue: key.KeyColumnValue,
    DisplayColumnName: found?.DisplayColumnName ?? '',
    DisplayColumnValue: found?.DisplayColumnValue ?? '',
    OffersInternet: right.Name !== NOT_FOR_INTERNET,
    OverallInternetAccess: overall(answerRight(grants, right.Name, keys)).OverallAccess,
    ExplicitInternetAccess: explicit(grants, key),
  };
}

/** Returns the access that was granted or denied directly to the user or role, for exactly this right and value. */
function explicit(grants: readonly Grant[], { RightName, KeyColumnName, KeyColumnValue }: GrantKey): AccessValue {
  const own = grants.find(
    (grant) =>
      grant.RoleName === null &&
      grant.RightName === RightName &&
      grant.KeyColumnName === KeyColumnName &&
      grant.KeyColumnValue === KeyColumnValue,
  );
  return own?.Access ?? 0;
}

function overall({ access, source, role, impliedBy }: RightAnswer) {
  const OverallAccess: AccessValue = access ? 1 : source === 'none' ? 0 : -1;
  const Source = role ?? (source === 'explicit' ? EXPLICIT : '');
  return { OverallAccess, Source, ImpliedBy: impliedBy ?? '' };
}
