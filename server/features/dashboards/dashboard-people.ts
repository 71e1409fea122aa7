/**
 * Determines with whom a person may share: their own roles and the people in them. People who can look up everybody
 * elsewhere may share with everybody.
 */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { Approver } from '#shared/contract/workflows.ts';
import type { Static } from 'typebox';
import type { DashboardShare } from '#shared/contract/dashboards.ts';
import { findPeople, listActiveRoles, searchPeople, type PersonRow } from './dashboards-repository.ts';

export type PersonView = Static<typeof Approver>;

export interface Shareable {
  /** Null for no restriction. */
  roles: readonly string[] | null;
}

export type SharingRights = Pick<RightsService, 'heldAnywhere' | 'rolesOf'>;

/** Each of these rights lets its holder look up people and roles elsewhere. */
const KNOWING = ['sk.EditActivity', 'sk.EditChecklist', 'sk.ManageUsers', 'sk.ManageRights'] as const;
const MAX_PEOPLE = 100;

export const personOf = (row: PersonRow): PersonView => ({
  UserId: row.UserId,
  UserName: row.UserName,
  UserFullName: fullName(row),
});

export async function shareableBy(rights: SharingRights, person: Person): Promise<Shareable> {
  for (const right of KNOWING) if (await rights.heldAnywhere(person, right)) return { roles: null };
  return { roles: await rights.rolesOf(person) };
}

/** @param owner is excluded, because they have the dashboard anyway */
export async function findShareable(
  db: Db,
  { roles }: Shareable,
  { search, owner }: { search: string; owner: number | null },
) {
  const found = await searchPeople(db, search, roles, MAX_PEOPLE + 2);
  const rows = found.filter(({ UserId }) => UserId !== owner);
  return {
    Roles: roles === null ? await listActiveRoles(db) : [...roles],
    Users: rows.slice(0, MAX_PEOPLE).map(personOf),
    HasMore: rows.length > MAX_PEOPLE,
  };
}

/** Returns whether the person may share with all of the given roles and people. */
export async function mayShareWith(db: Db, { roles }: Shareable, shares: readonly DashboardShare[]): Promise<boolean> {
  const named = shares.flatMap((share) => ('RoleName' in share ? share.RoleName : []));
  const known = roles ?? (await listActiveRoles(db));
  if (!named.every((role) => known.includes(role))) return false;
  const ids = [...new Set(shares.flatMap((share) => ('UserId' in share ? share.UserId : [])))];
  return (await findPeople(db, ids, roles)).length === ids.length;
}
