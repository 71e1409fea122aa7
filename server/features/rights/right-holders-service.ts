/** All grants that affect some rights, organized by the people they apply to. */
import type { Db } from '#server/db/dialect/types.ts';
import type { StoredGrant } from '#server/access/rights/grant-rows.ts';
import { listGrants, listMembers, listRoleStates } from './grants-repository.ts';
import type { Grant } from '#server/access/rights/grants.ts';
import { impliersOf } from '#server/access/rights/right-implications.ts';

export interface RightHolders {
  /** Returns the user's own grants, and those of their active roles. */
  grantsOfUser(userId: number): readonly Grant[];
  /** Returns the role's grants as if it were a person, whether it is active or not. */
  grantsOfRole(name: string): readonly Grant[];
  internet: readonly Grant[];
  /**
   * Returns a text that is equal for users with the same grants and denials, both their own and those of their roles.
   */
  kindOfUser(userId: number): string;
}

/** @param right restricts the result to grants that affect this right; all rights if omitted */
export async function loadRightHolders(db: Db, right?: string): Promise<RightHolders> {
  const stored = await listGrants(db, right === undefined ? undefined : withImpliers(right));
  const byGrantee = Map.groupBy(stored, ({ GranteeKind, Grantee }) => `${GranteeKind} ${Grantee}`);
  const own = (kind: string, name: string | number): Grant[] =>
    (byGrantee.get(`${kind} ${name}`) ?? []).map((grant) => grantOf(grant, null));

  const signatureOf = signatures();

  const active = (await listRoleStates(db)).filter(({ IsActive }) => IsActive).map(({ Name }) => Name);
  const granted = active.filter((name) => byGrantee.has(`role ${name}`));
  const ofRole = new Map(granted.map((name) => [name, byGrantee.get(`role ${name}`)!.map((g) => grantOf(g, name))]));
  const members = granted.length === 0 ? [] : await listMembers(db);
  const rolesOf = Map.groupBy(
    members.filter(({ RoleName }) => ofRole.has(RoleName)),
    ({ UserId }) => UserId,
  );
  const roleNames = (userId: number): string[] => (rolesOf.get(userId) ?? []).map(({ RoleName }) => RoleName).sort();

  return {
    grantsOfUser: (userId) => [...own('user', userId), ...roleNames(userId).flatMap((name) => ofRole.get(name)!)],
    grantsOfRole: (name) => own('role', name),
    internet: own('internet', ''),
    kindOfUser: (userId) =>
      `${signatureOf(byGrantee.get(`user ${userId}`) ?? [])} ${JSON.stringify(roleNames(userId))}`,
  };
}

function withImpliers(right: string): string[] {
  return [right, ...impliersOf(right).flatMap(withImpliers)];
}

function grantOf({ RightName, KeyColumnName, KeyColumnValue, Access }: StoredGrant, RoleName: string | null): Grant {
  return { RightName, KeyColumnName, KeyColumnValue, Access: Access > 0 ? 1 : -1, RoleName };
}

/** Returns a function that maps equal sets of grants, in any order, to the same short text. */
function signatures(): (grants: readonly StoredGrant[]) => string {
  const numbers = new Map<string, number>();
  const numberOf = ({ RightName, KeyColumnName, KeyColumnValue, Access }: StoredGrant): number => {
    const text = `${RightName}\0${KeyColumnName}\0${KeyColumnValue}\0${Access}`;
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  return (grants) =>
    grants
      .map(numberOf)
      .sort((a, b) => a - b)
      .join();
}
