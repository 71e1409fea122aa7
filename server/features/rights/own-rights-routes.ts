/** Shows people their own rights: what they may do, what not, and why. It reveals nothing about others. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { ownRights, type OwnRight, type OwnRightsQuery } from '#shared/contract/own-rights.ts';
import { RIGHT_NAMES, RIGHTS, type RightName } from '#shared/contract/rights.ts';
import type { ObjectKeys } from '#server/access/rights/grants.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';

/** Returns the keys of an object that the person may see. Throws an AppError 404 if they may not. */
export type KeysOf = (person: Person, id: number) => Promise<ObjectKeys>;

export interface OwnRightsDeps {
  rights: Pick<RightsService, 'explain'>;
  activityKeys: KeysOf;
  checklistKeys: KeysOf;
}

export function registerOwnRightsRoutes(app: FastifyInstance, deps: OwnRightsDeps): void {
  registerEndpoint(app, ownRights, async ({ person, query }) => {
    const { table, keys } = await askedFor(deps, person, query);
    const names = RIGHT_NAMES.filter((name) => table === null || RIGHTS[name].TableName === table);
    return { Items: await Promise.all(names.map((name) => ownRight(deps, person, name, keys))) };
  });
}

interface Asked {
  /** The table whose rights are requested; null for all rights. */
  table: string | null;
  keys: ObjectKeys | undefined;
}

async function askedFor(
  { activityKeys, checklistKeys }: OwnRightsDeps,
  person: Person,
  { ActivityId, ChecklistId }: OwnRightsQuery,
): Promise<Asked> {
  if (ActivityId !== undefined && ChecklistId !== undefined)
    throw new AppError('oneObject', 400, 'Specify an activity or a checklist, not both');
  if (ActivityId !== undefined) return { table: 'Activities', keys: await activityKeys(person, ActivityId) };
  if (ChecklistId !== undefined) return { table: 'Checklists', keys: await checklistKeys(person, ChecklistId) };
  return { table: null, keys: undefined };
}

async function ownRight(
  { rights }: OwnRightsDeps,
  person: Person,
  Right: RightName,
  keys: ObjectKeys | undefined,
): Promise<OwnRight> {
  const { access, source, role = '', impliedBy = '', keyColumn } = await rights.explain(person, Right, keys);
  return {
    Right,
    Description: RIGHTS[Right].Description,
    Access: access,
    Source: source,
    Role: role,
    ImpliedBy: impliedBy,
    KeyColumn: keyColumn,
    KeyValue: keyColumn === '' ? '' : String(keys?.[keyColumn] ?? ''),
  };
}
